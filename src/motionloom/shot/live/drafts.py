"""What a span was made of, kept so that it can be bent to other constraints without a search."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom.constraints import ConstraintSet
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.shot.live.shown import ClipShown, clips_shown
from motionloom.shot.stage import Piece
from motionloom.synthesis.finish import Finished
from motionloom.synthesis.generator import Draft, Fitted

#: An error that counts 1 in a score: metres and degrees before bending, metres after it.
FAR, TURNED, MISSED = 0.3, 10.0, 0.03
#: What a transition at the threshold counts.
EDGE = 0.03
#: The method whose result is bent instead of asking it anew, as it searches long.
SEARCHED = "graph"
#: A draft may be played by this factor faster or slower.
PACE = 1.5


@dataclass(frozen=True, eq=False)
class Found:
    """What a span was made of.

    Parameters
    ----------
    draft : Draft
        Before it was finished.
    asked : ConstraintSet
        What was asked for.
    score : float
        See `score_of`.
    is_searched : bool
        Whether a longer search may find better.
    clips : tuple of ClipShown
        Clips that it shows.
    """

    draft: Draft
    asked: ConstraintSet
    score: float
    is_searched: bool = False
    clips: tuple[ClipShown, ...] = ()

    @classmethod
    def of(cls, fitted: Fitted, made: Finished, asked: ConstraintSet) -> Found:
        """Of a finished motion."""
        clips = clips_shown(fitted.clips.clip_set, made.draft)
        return cls(made.draft, asked, score_of(made), fitted.name == SEARCHED, clips)


def draft_of(piece: Piece) -> Draft:
    """A finished piece as a draft, where nothing else is known of it."""
    return Draft(piece.motion, contacts=piece.contacts)


def score_of(made: Finished) -> float:
    """How far a draft had to be bent to what was asked, what is still missed, and its transitions.

    Smaller is better; comparable whatever budget it was searched with.
    """
    from motionloom.graph.generator import GraphDetails  # with all that compiles

    before = sum(
        (one.position / FAR) ** 2 + ((one.facing or 0.0) / TURNED) ** 2
        for one in made.errors_before
    )
    after = sum((one.position / MISSED) ** 2 for one in made.errors_after)
    details = made.draft.details
    edges = sum(details.found.edge_costs) if isinstance(details, GraphDetails) else 0.0
    return float(before + after + EDGE * edges)


def fit_draft(found: Draft, asked: ConstraintSet, roles_of: PosedMotion) -> Draft | None:
    """A draft laid where a span begins now, and played in the time there is now.

    Parameters
    ----------
    found : Draft
        Of the span as it was.
    asked : ConstraintSet
        What is asked for now; its first body constraint says where the span begins.
    roles_of : PosedMotion
        Any motion of that body.

    Returns
    -------
    Draft or None
        None where it would have to be played much faster or slower.
    """
    count = asked.n_frames
    share = found.motion.duration / max(asked.duration, 1e-9)
    if not 1 / PACE <= share <= PACE:
        return None
    draft = found if found.motion.n_frames == count else _played(found, count)
    first = next(iter(asked.body), None)
    if first is None or first.time > 0 or first.position is None:
        return draft
    begins = roles_of.with_motion(draft.motion[:1]).body[0]
    facing = begins[2] if first.facing is None else np.radians(first.facing)
    wanted = GroundTransform(float(facing), *first.position)
    return moved_draft(draft, wanted.compose(GroundTransform.of_body(begins).inverse()))


def moved_draft(draft: Draft, transform: GroundTransform) -> Draft:
    """A draft laid elsewhere."""
    feet = draft.feet
    if feet is not None:
        feet = {foot: track.transformed(transform) for foot, track in feet.items()}
    return replace(draft, motion=draft.motion.transformed(transform), feet=feet, errors=None)


def _played(draft: Draft, count: int) -> Draft:
    """A draft in so many frames."""
    motion = draft.motion
    frame_time = motion.duration / (count - 1)
    played = motion.resample(frame_time)[:count]
    nearest = _nearest(motion.n_frames, count)
    contacts = draft.contacts
    return replace(
        draft,
        motion=replace(played, frame_time=motion.frame_time),
        contacts=None if contacts is None else replace(contacts, down=contacts.down[nearest]),
        feet=None,
        seams=tuple(round(s * (count - 1) / (motion.n_frames - 1)) for s in draft.seams),
        kept_frames=(),
        source_frames=None if draft.source_frames is None else draft.source_frames[nearest],
        errors=None,
    )


def _nearest(count: int, wanted: int) -> NDArray[np.intp]:
    return np.round(np.linspace(0, count - 1, wanted)).astype(np.intp)
