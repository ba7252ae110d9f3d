"""A shot made: every span by its method, joined, with what lies over them.

What a shot asks of a character, in the world, as pictures show it.

Bodies moved a little so that two who meet stand to each other as they should; feet stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.quality import compute_quality
from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.constraints.kinds.avoid import HeightMap, measure_depths
from motionloom.constraints.obstacles import body_points
from motionloom.io.kept import KeptFolder
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.scene.check import EventGeometry, plateau
from motionloom.shot._handover.bridging import Side
from motionloom.shot._handover.repair import move_on_feet
from motionloom.shot._keeping import Keeper
from motionloom.shot._report import CharacterReport, Inside, ShotReport, SpanRow
from motionloom.shot._tracks import Track, check_meetings, joints_of, lay_out_meeting, make_tracks
from motionloom.shot.joining import Join, Joined, measure_joins
from motionloom.shot.layers import Layered, constraint_of, lay_over
from motionloom.shot.plan.planned import Plan, PlannedSpan, place_of
from motionloom.shot.script.span_fields import ReachSpan, WalkSpan
from motionloom.shot.stage import Stage, overwritten
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Who stands farther off, metres, or turned more, degrees, is left alone: that is told.
MOST_WAY, MOST_TURN = 0.12, 10.0
#: Bodies are moved there and back in this time, seconds.
EASE = 0.8
#: So much before and behind that is looked at with it, seconds.
BESIDE = 0.4

#: Ends of walks are told where they are farther off in the finished motion, and are problems where
#: they are this far off, metres.
TOLD, FAR = 0.005, 0.1


@dataclass(frozen=True, eq=False)
class MadeShot:
    """A shot as motions.

    Parameters
    ----------
    motions : dict of str to Motion
        By character.
    contacts : dict of str to FootContacts
        By character, frame by frame with the motions.
    report : ShotReport
        How all came out.
    asked : dict of str to ConstraintSet
        By character: places of walks, points of reaches, obstacles and ground, as pictures show
        them.
    tracks : dict of str to Track
        By character: its spans, and the motion that they were joined to.
    """

    motions: dict[str, Motion]
    contacts: dict[str, FootContacts]
    report: ShotReport
    asked: dict[str, ConstraintSet] = field(default_factory=dict)
    tracks: dict[str, Track] = field(default_factory=dict)


@one_thread()
def make_shot(
    plan: Plan,
    stages: Mapping[str, Stage],
    kept: KeptFolder | None = None,
    keeper: Keeper | None = None,
) -> MadeShot:
    """Make all spans of a shot.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character.
    kept : KeptFolder, optional
        Where pieces, and what lies over them, are kept from one run to the next.
    keeper : Keeper, optional
        Where pieces are kept instead.

    Returns
    -------
    MadeShot

    Raises
    ------
    MotionloomError
        When a span cannot be made; the sentence begins with its line and name.
    """
    keeper = keeper or Keeper(kept)
    tracks, under = make_tracks(plan, stages, keeper)
    met = [lay_out_meeting(plan, one, stages, under) for one in plan.meetings]
    under = _stand_right(met, stages, under)
    events = [lay_out_meeting(plan, one, stages, under) for one in plan.meetings]
    done = {
        who: lay_over(
            stages[who],
            plan.layers[who],
            below,
            joints_of(events, who, below.posed),
            keeper.finished,
        )
        for who, below in under.items()
    }
    meetings, overlaps = check_meetings(events, under, done)
    reports = {who: _report(stages[who], plan, who, tracks[who], done[who]) for who in done}
    return MadeShot(
        {who: replace(one.posed.motion, name=who) for who, one in done.items()},
        {who: one.contacts for who, one in done.items()},
        ShotReport(plan.file.shot.seed, plan.fps, reports, meetings, overlaps),
        {who: _asked_by(plan, who, stages[who]) for who in done},
        tracks,
    )


def _report(stage: Stage, plan: Plan, who: str, track: Track, layered: Layered) -> CharacterReport:
    rows = []
    missed = missed_in_the_end(plan, who, layered.posed)
    for made in track.spans:
        piece = made.piece
        off, far_off = missed.get(made.planned.name, ((), ()))
        row = _row_of(made.planned, plan.fps, (*piece.rows, *off), (*piece.problems, *far_off))
        rows.append(replace(row, kept=made.was_kept, notes=(*made.planned.notes, *piece.notes)))
    for planned in plan.layers[who]:
        own = tuple(text for name, text in layered.rows if name == planned.name)
        bad = tuple(text for name, text in layered.problems if name == planned.name)
        rows.append(_row_of(planned, plan.fps, own, bad))
    posed = layered.posed
    joins = _joins_in_the_end(stage, track, layered)
    seams = [join.frame for join in joins]
    return CharacterReport(
        spans=tuple(rows),
        joins=joins,
        quality=compute_quality(posed, layered.contacts, seams, layered.hinges),
        sources=stage.clips.quality,
        fps=plan.fps,
        body=layered.body,
        notes=layered.notes,
        inside=_inside(plan, layered),
    )


def _joins_in_the_end(stage: Stage, track: Track, layered: Layered) -> tuple[Join, ...]:
    """Joins under what lies over them; those of another body are told of the one before it."""
    if stage.body is not None or layered.posed is track.joined.posed:
        return track.joined.joins
    pieces = [made.piece for made in track.spans]
    whole = Joined(layered.posed, layered.contacts, track.joined.joins)
    return measure_joins(whole, pieces, stage.clips)


def _row_of(
    planned: PlannedSpan, fps: float, rows: tuple[str, ...], problems: tuple[str, ...]
) -> SpanRow:
    """How a span came out that was made now."""
    times = planned.first / fps, planned.last / fps
    return SpanRow(planned.name, planned.kind, *times, planned.seed, False, rows, problems)


def _inside(plan: Plan, layered: Layered) -> tuple[Inside, ...]:
    """How deep the body is in what it should keep out of."""
    avoid = plan.file.shot.avoid
    posed = layered.posed
    if not avoid:
        return ()
    depths = measure_depths(avoid, body_points(posed.skeleton, posed.roles, posed.positions))
    places = [one.origin if isinstance(one, HeightMap) else one.center for one in avoid]
    names = [f"{one.shape} at {x:g} {z:g}" for one, (x, z) in zip(avoid, places, strict=True)]
    return tuple(
        Inside(name, 1000 * float(own.max()), float(own.argmax()) / plan.fps)
        for name, own in zip(names, depths.T, strict=True)
    )


def _asked_by(plan: Plan, who: str, stage: Stage) -> ConstraintSet:
    """Places where walks end, points that are reached, obstacles and ground.

    Parameters
    ----------
    plan : Plan
        What happens when.
    who : str
        The character.
    stage : Stage
        Theirs.

    Returns
    -------
    ConstraintSet
        In the time of the shot.
    """
    shot = plan.file.shot
    body = [_end_of(plan, one) for one in plan.tracks[who]]
    reaches = [one for one in plan.layers[who] if isinstance(one.span, ReachSpan)]
    return ConstraintSet(
        duration=plan.duration,
        fps=plan.fps,
        body=tuple(one for one in body if one is not None),
        joints=tuple(constraint_of(stage, one) for one in reaches),
        avoid=shot.avoid,
        ground=shot.ground,
    )


def missed_in_the_end(
    plan: Plan, who: str, posed: PosedMotion
) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Where walks are off their ends in the finished motion, by what was joined or laid over them.

    Parameters
    ----------
    plan : Plan
        What happens when.
    who : str
        The character.
    posed : PosedMotion
        All that they do, finished.

    Returns
    -------
    dict of str to (tuple of str, tuple of str)
        By span, as far as one is off: how far, and the same where that is a problem.
    """
    found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for one in plan.tracks[who]:
        asked = _end_of(plan, one)
        if asked is None:
            continue
        off = posed.body[min(one.last, posed.n_frames - 1), :2] - asked.position
        away = float(np.hypot(*off))
        if away > TOLD:
            text = f"body at {asked.time:.2f} s: {1000 * away:.0f} mm off in the finished motion"
            found[one.name] = ((text,), (text,) if away > FAR else ())
    return found


def _end_of(plan: Plan, one: PlannedSpan) -> BodyConstraint | None:
    """Where a walk is to end."""
    span = one.span
    if not isinstance(span, WalkSpan) or span.to is None:
        return None
    position, facing = place_of(plan.file, (*one.where, "to"), span.to, span.facing)
    return BodyConstraint(time=one.last / plan.fps, position=position, facing=facing)


def _stand_right(
    events: Sequence[EventGeometry], stages: Mapping[str, Stage], made: Mapping[str, Layered]
) -> dict[str, Layered]:
    """Move who sways so that they are at the distance of their meetings, each by half.

    Parameters
    ----------
    events : sequence of EventGeometry
        Of `lay_out_meeting`.
    stages : mapping of str to Stage
        By character.
    made : mapping of str to Layered
        By character.

    Returns
    -------
    dict of str to Layered
        Feet that stand are where they were. Who is far off, or not on level ground, stays.
    """
    done = dict(made)
    for one in events:
        if stages[one.event.between[0]].file.shot.ground:
            continue
        wanted = one.relation.stands(one.spot)
        for who, stand in zip(one.event.between, wanted, strict=True):
            done[who] = _moved(stages[who], done[who], stand, one.frames)
    return done


def _moved(
    stage: Stage, layered: Layered, stand: GroundTransform, frames: tuple[int, int]
) -> Layered:
    posed = layered.posed
    ways, turns = _missing(posed, stand, frames)
    if np.hypot(*ways.T).max() > MOST_WAY or np.degrees(np.abs(turns)).max() > MOST_TURN:
        return layered
    # Nothing that is farther away changes, not even by a hair.
    around = round((EASE + BESIDE) * posed.fps)
    first, stop = max(frames[0] - around, 0), min(frames[1] + around + 1, posed.n_frames)
    near = _moved_near(stage, layered, (first, stop), (frames, ways, turns))
    return replace(layered, posed=overwritten(posed, first, near))


def _moved_near(
    stage: Stage,
    layered: Layered,
    window: tuple[int, int],
    missing: tuple[tuple[int, int], Array, Array],
) -> Motion:
    """The frames of a window, moved by what is missing in some of them."""
    frames, ways, turns = missing
    first, stop = window
    side = Side(layered.posed, layered.contacts).cut(first, stop)
    share = plateau(layered.posed.n_frames, frames, round(EASE * layered.posed.fps))[first:stop]
    held = np.clip(np.arange(first, stop), *frames) - frames[0]
    shift = share[:, None] * np.insert(ways[held], 1, 0.0, axis=1)
    keep = [frame - first for frame in (first, stop - 1) if 0 < frame < layered.posed.n_frames - 1]
    lowest = stage.clips.lowest if stage.body is None else None
    limits = (lowest, dict(layered.hinges))
    return move_on_feet(side, limits, keep, shift, share * turns[held]).motion


def _missing(
    posed: PosedMotion, stand: GroundTransform, frames: tuple[int, int]
) -> tuple[Array, Array]:
    """What bodies are short of while they meet: ways (H, 2), and turns (H,) in radians."""
    body = posed.body[frames[0] : frames[1] + 1]
    return stand.ground - body[:, :2], rot.wrap_angle(stand.angle - body[:, 2])
