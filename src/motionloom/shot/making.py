"""A shot made: every span by its method, joined, with what lies over them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.quality import compute_quality
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.avoid import Box, Cylinder, HeightMap, measure_depths
from motionloom.constraints.obstacles import body_points
from motionloom.io.kept import KeptFolder
from motionloom.motion import Motion
from motionloom.shot.around import make_tracks
from motionloom.shot.asked import asked_by, missed_in_the_end
from motionloom.shot.joining import Join, measure_again
from motionloom.shot.keeping import FolderKeeper, Keeper, MemoryKeeper
from motionloom.shot.layers import Layered, lay_over
from motionloom.shot.plan import Plan, PlannedSpan
from motionloom.shot.report import CharacterReport, Inside, ShotReport, SpanRow
from motionloom.shot.stage import Stage
from motionloom.shot.standing import stand_right
from motionloom.shot.together import check_meetings, joints_of, lay_out_meeting
from motionloom.shot.tracks import Track
from motionloom.threads import one_thread


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
    if keeper is None:
        keeper = MemoryKeeper() if kept is None else FolderKeeper(kept)
    tracks, under = make_tracks(plan, stages, keeper, kept)
    met = [lay_out_meeting(plan, one, stages, under) for one in plan.meetings]
    under = stand_right(met, stages, under)
    events = [lay_out_meeting(plan, one, stages, under) for one in plan.meetings]
    done = {
        who: lay_over(
            stages[who], plan.layers[who], below, joints_of(events, who, below.posed), kept
        )
        for who, below in under.items()
    }
    meetings, overlaps = check_meetings(events, under, done)
    reports = {who: _report(stages[who], plan, who, tracks[who], done[who]) for who in done}
    return MadeShot(
        {who: replace(one.posed.motion, name=who) for who, one in done.items()},
        {who: one.contacts for who, one in done.items()},
        ShotReport(plan.file.shot.seed, plan.fps, reports, meetings, overlaps),
        {who: asked_by(plan, who, stages[who]) for who in done},
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
    return measure_again(track.joined, pieces, stage.clips, layered.posed, layered.contacts)


def _row_of(
    planned: PlannedSpan, fps: float, rows: tuple[str, ...], problems: tuple[str, ...]
) -> SpanRow:
    """How a span came out that was made now."""
    return SpanRow(
        name=planned.name,
        kind=planned.kind,
        start=planned.first / fps,
        end=planned.last / fps,
        seed=planned.seed,
        kept=False,
        rows=rows,
        problems=problems,
    )


def _inside(plan: Plan, layered: Layered) -> tuple[Inside, ...]:
    """How deep the body is in what it should keep out of."""
    avoid = plan.file.shot.avoid
    posed = layered.posed
    if not avoid:
        return ()
    depths = measure_depths(avoid, body_points(posed.skeleton, posed.roles, posed.positions))
    return tuple(
        Inside(_told(one), 1000 * float(own.max()), float(own.argmax()) / plan.fps)
        for one, own in zip(avoid, depths.T, strict=True)
    )


def _told(one: Cylinder | Box | HeightMap) -> str:
    """What an obstacle is called."""
    x, z = one.origin if isinstance(one, HeightMap) else one.center
    return f"{one.shape} at {x:g} {z:g}"
