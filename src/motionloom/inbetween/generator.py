"""In-betweening as a generator: from pose to pose, along the places asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.clip_set import ClipSet
from motionloom.clips.nearest import nearest_frame, own_pose
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.errors import InvalidInputError, SynthesisError
from motionloom.inbetween._targets import misfits, poses_in_reach
from motionloom.inbetween.fill import Filled, FilledGap, FillOptions, Known, fill_gaps
from motionloom.inbetween.fillers import doubt_gaps, make_filler
from motionloom.inbetween.fit import InbetweenOptions, can_learn
from motionloom.inbetween.model import InbetweenModel
from motionloom.inbetween.store import fit_kept, load_inbetween
from motionloom.io.kept import KeptFolder
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.reports import Section, table_of
from motionloom.synthesis.bridges import Bridged
from motionloom.synthesis.generator import Draft, Reason
from motionloom.synthesis.spread import spread_errors
from motionloom.typing import Array

NAME = "inbetween"
#: Kinds of constraints that it can honour: what is asked of poses, the body and joints.
HONOURS = frozenset({"body", "joints", "poses", "key_poses", "hold", "position", "velocity"})
#: Limits of bending the path to the places asked for: none.
_FREELY = 1e6


@dataclass(frozen=True)
class InbetweenGeneratorOptions:
    """Options of in-betweening as a generator.

    Parameters
    ----------
    model : Path, optional
        A model that is read; else one is learned from the clips.
    learning : InbetweenOptions
        How it is learned.
    kept : KeptFolder, optional
        Where what is learned from the clips stays for the next time.
    """

    model: Path | None = None
    learning: InbetweenOptions = field(default_factory=InbetweenOptions)
    kept: KeptFolder | None = None


@dataclass(frozen=True, eq=False)
class InbetweenDetails:
    """What in-betweening says about a motion.

    Parameters
    ----------
    method : str
        How gaps were filled.
    gaps : tuple of FilledGap
        In the order of time.
    """

    method: str
    gaps: tuple[FilledGap, ...]

    def as_section(self) -> Section:
        """A row for each gap."""
        gaps = table_of(f"Gaps ({len(self.gaps)}), filled by {self.method}", self.gaps)
        return Section("", [gaps], data=self)


@dataclass(frozen=True, eq=False)
class FittedInbetween:
    """What was learned from clips about filling gaps.

    Parameters
    ----------
    clips : AnalysedClips
        The clips.
    model : InbetweenModel or None
        None where the clips are too short to learn from.
    options : InbetweenGeneratorOptions
        How gaps are filled.
    """

    clips: AnalysedClips
    model: InbetweenModel | None
    options: InbetweenGeneratorOptions = field(default_factory=InbetweenGeneratorOptions)

    name = NAME
    honours = HONOURS
    score_meaning = "the answer's rank: 0 is what people do on average, then what captures did"

    @property
    def notes(self) -> tuple[str, ...]:
        """What was learned."""
        if self.model is None:
            return ("the clips are too short to learn from; gaps are filled by straight ways",)
        return (
            f"gaps of up to {self.model.longest:.1f} s learned from {self.model.learned} frames",
        )

    def generate(
        self,
        constraints: ConstraintSet,
        *,
        seed: int = 0,
        budget: float = 5.0,
        count: int = 1,
        progress: Progress = silent,
    ) -> tuple[Draft, ...]:
        """Go from pose to pose; see `Fitted.generate`.

        Parameters
        ----------
        constraints : ConstraintSet
            With at least one pose or key pose.
        seed : int
            Nothing is drawn at random.
        budget : float, seconds
            Not needed.
        count : int
            Most drafts returned.
        progress : Progress
            Told before and after.

        Returns
        -------
        tuple of Draft
            Best first; `Draft.details` is an `InbetweenDetails`.

        Raises
        ------
        InvalidInputError
            When frame rates differ, or a joint or clip is not known.
        SynthesisError
            When no pose is asked for.
        """
        clips = self.clips.clip_set
        if abs(constraints.fps / clips.fps - 1) > 1e-6:
            raise InvalidInputError(
                f"the constraints are at {constraints.fps:g} frames per second, the clips at"
                f" {clips.fps:g}; use one rate"
            )
        progress("filling gaps", 0, 1)
        shown = _shown_poses(clips, constraints)
        placed = _place_poses(shown, constraints, self.clips)
        known = _add_ends(placed, shown, clips, constraints.n_frames)
        filled = self._filled(known, count)
        if constraints.joints:
            posed = self._bent(filled[0].motion, constraints)
            filled = self._filled([*known, *poses_in_reach(posed, constraints, known)], count)
        progress("filling gaps", 1, 1)
        kept = tuple(sorted({frame for frame, *_ in shown}))
        return tuple(self._draft(one, constraints, kept, float(i)) for i, one in enumerate(filled))

    def explain(
        self,
        constraints: ConstraintSet,
        errors: Sequence[ConstraintError],
        adherence: Sequence[Adherence],
    ) -> tuple[Reason, ...]:
        """No reason is known; see `Fitted.explain`."""
        return ()

    def doubts(self, before: Sequence[Motion], behind: Sequence[Motion], missing: int) -> Array:
        """How far gaps are from all that was learned; see `Bridge.doubts`.

        Parameters
        ----------
        before, behind : sequence of Motion
            Known frames on both sides of P gaps.
        missing : int
            Frames of each gap.

        Returns
        -------
        array of shape (P,)

        Raises
        ------
        SynthesisError
            When nothing was learned.
        """
        if self.model is None:
            raise SynthesisError(
                "the clips are too short to learn from how gaps between them are filled; add"
                " longer ones, or leave the bridge out"
            )
        return doubt_gaps(self.model, before, behind, missing)

    def bridge(self, before: Motion, behind: Motion, missing: int) -> Bridged:
        """Fill one gap between pieces of motion; see `Bridge.bridge`.

        Parameters
        ----------
        before, behind : Motion
            Known frames on both sides.
        missing : int
            Frames between them.

        Returns
        -------
        Bridged
        """
        filled = self._filled((Known(0, before), Known(before.n_frames + missing, behind)), 1)[0]
        return Bridged(filled.motion, filled.contacts)

    def _filled(self, known: Sequence[Known], count: int) -> tuple[Filled, ...]:
        filler = make_filler(None, self.model)
        return fill_gaps(known, filler, self.model, FillOptions(count=count), self.clips.roles)

    def _draft(
        self, filled: Filled, constraints: ConstraintSet, kept: tuple[int, ...], score: float
    ) -> Draft:
        posed = PosedMotion(filled.motion, self.clips.roles)
        notes = misfits(posed, constraints, kept, self.clips.clip_set)
        posed = self._bent(filled.motion, constraints)
        contacts = filled.contacts
        return Draft(
            motion=posed.motion,
            contacts=None if contacts is None else replace(contacts, ground=0.0),
            kept_frames=kept,
            score=score,
            notes=(*filled.notes, *notes),
            details=InbetweenDetails(filled.method, filled.gaps),
        )

    def _bent(self, motion: Motion, constraints: ConstraintSet) -> PosedMotion:
        """A motion whose path is bent to places between the poses, whatever it takes."""
        posed = PosedMotion(motion, self.clips.roles)
        return spread_errors(posed, constraints, shift=_FREELY, turn=_FREELY)


#: A pose: its frame, the motion of one frame, and the frame of the clip set that it comes from.
_Shown = tuple[int, Motion, int | None]


def _shown_poses(clips: ClipSet, constraints: ConstraintSet) -> list[_Shown]:
    """Poses asked for in the order of time, each as a motion of one frame."""
    shown: dict[int, _Shown] = {}
    for key in constraints.key_poses:
        own = own_pose(clips, key)
        # What the key pose does not say is as in the captured frame that is most like it.
        motion, nearest = _clip_of(clips, nearest_frame(clips, own))
        rotations = motion.rotations[nearest : nearest + 1].copy()
        joints = [clips.skeleton.index(name) for name in own.joints]
        rotations[0, joints] = np.array(own.rotations)
        frame = constraints.frame_of(key.time)
        pose = replace(motion[nearest : nearest + 1], rotations=rotations, name=key.name)
        shown[frame] = (frame, pose, None)
    for constraint in constraints.poses:
        source = clips.frame_of_file(constraint.clip, constraint.frame)
        motion, at = _clip_of(clips, source)
        frame = constraints.frame_of(constraint.time)
        shown[frame] = (frame, motion[at : at + 1], source)
    if not shown:
        raise SynthesisError(
            "in-betweening goes from pose to pose, and none is asked for; add poses or key_poses,"
            " or use the motion graph"
        )
    return [shown[frame] for frame in sorted(shown)]


def _clip_of(clips: ClipSet, index: int) -> tuple[Motion, int]:
    """The clip of a frame of the clip set, and its number there."""
    clip = int(clips.clip_of[index])
    return clips.motions[clip], int(index - clips.starts[clip])


def _place_poses(
    shown: Sequence[_Shown], constraints: ConstraintSet, clips: AnalysedClips
) -> list[Known]:
    """Poses where the body is asked to be; else as far from each other as in their clip."""
    placed: list[Known] = []
    before: tuple[GroundTransform, GroundTransform, int | None] | None = None
    for frame, motion, source in shown:
        own = _stand_of(motion, clips.clip_set)
        wanted = _asked_place(constraints, frame, own)
        if wanted is None:
            wanted = own if before is None else _follow(clips.clip_set, before, own, source)
        placed.append(Known(frame, motion.transformed(wanted.compose(own.inverse()))))
        before = (wanted, own, source)
    return placed


def _follow(
    clips: ClipSet,
    before: tuple[GroundTransform, GroundTransform, int | None],
    own: GroundTransform,
    source: int | None,
) -> GroundTransform:
    """Where a pose is when nobody asks: on from the one before it if both are of one clip."""
    there, then, other = before
    if source is None or other is None or clips.clip_of[source] != clips.clip_of[other]:
        return there
    return there.compose(then.inverse()).compose(own)


def _asked_place(
    constraints: ConstraintSet, frame: int, own: GroundTransform
) -> GroundTransform | None:
    """Where the body is at a frame by the body constraints around it; None without any."""
    if not constraints.body:
        return None
    rows = [(f, c) for c in constraints.body for f in {*constraints.frames_of(c)}]
    rows.sort(key=lambda row: row[0])
    frames = [f for f, _ in rows]
    places = np.array([c.position for _, c in rows])
    x, z = (float(np.interp(frame, frames, places[:, k])) for k in range(2))
    known = [(f, c.facing) for f, c in rows if c.facing is not None]
    angle = own.angle
    if known:
        turns = np.unwrap(np.radians([facing for _, facing in known]))
        angle = float(np.interp(frame, [f for f, _ in known], turns))
    return GroundTransform(angle, x, z)


def _add_ends(
    known: list[Known], shown: Sequence[_Shown], clips: ClipSet, n_frames: int
) -> list[Known]:
    """Known frames from the begin to the end: poses of clips come and go as in their clips.

    What no clip shows is held.
    """
    first = known[0]
    lead = _as_captured(first, shown[0], clips, -first.frame)
    if len(known) == 1:
        follow = _as_captured(first, shown[0], clips, n_frames - 1 - first.frame)
        return [Known(0, lead), Known(first.frame + 1, follow.cut(1, follow.n_frames))]
    last = known[-1]
    follow = _as_captured(last, shown[-1], clips, n_frames - 1 - last.frame)
    return [Known(0, lead), *known[1:-1], Known(last.frame, follow)]


def _as_captured(known: Known, like: _Shown, clips: ClipSet, frames: int) -> Motion:
    """A pose with so many captured frames behind it, or before it where the number is negative."""
    _, pose, source = like
    is_held = source is None or not frames
    motion, own = (known.motion, 0) if source is None or is_held else _clip_of(clips, source)
    at = np.clip(own + np.arange(min(frames, 0), max(frames, 0) + 1), 0, motion.n_frames - 1)
    shown = replace(motion, rotations=motion.rotations[at], translations=motion.translations[at])
    if is_held:
        return shown
    # The clip is moved as the pose was.
    there, here = (_stand_of(m, clips) for m in (known.motion, pose))
    return shown.transformed(there.compose(here.inverse()))


def _stand_of(pose: Motion, clips: ClipSet) -> GroundTransform:
    return GroundTransform.of_body(PosedMotion(pose, clips.roles).body[0])


class InbetweenGenerator:
    """In-betweening, learned from the clips."""

    name = NAME
    honours = HONOURS

    def fit(
        self,
        clips: AnalysedClips,
        options: InbetweenGeneratorOptions | None = None,
        progress: Progress = silent,
    ) -> FittedInbetween:
        """Learn to fill gaps from some clips, or read what was learned.

        Parameters
        ----------
        clips : AnalysedClips
            The clips.
        options : InbetweenGeneratorOptions, optional
            Its `model` says whether a model is read.
        progress : Progress
            Told of clips and lengths.

        Returns
        -------
        FittedInbetween

        Raises
        ------
        FormatError
            When the file of the model is none.
        InvalidInputError
            When the model is of another skeleton.
        """
        options = options or InbetweenGeneratorOptions()
        own = clips.clip_set
        model = None
        if options.model is not None:
            model = load_inbetween(options.model)
            if not model.rig.skeleton.has_topology_of(own.skeleton):
                raise InvalidInputError(
                    f"{options.model}: this model is of another skeleton than the clips; fit one on"
                    " them"
                )
        elif can_learn(own, options.learning):
            model = fit_kept(own, options.learning, options.kept, progress=progress)
        return FittedInbetween(clips, model, options)
