"""A shot before any work: what is wrong or impossible, what it is made of, how long it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import prod
from typing import Any

import numpy as np

from motionloom.clips.travel import measure_travel
from motionloom.constraints import ConstraintSet, check_joints
from motionloom.constraints.joints import find_joints
from motionloom.constraints.kinds.table import refuse_unhonoured
from motionloom.constraints.values import Ground
from motionloom.errors import InvalidInputError, SynthesisError
from motionloom.idle.learning.recording import SHORTEST_RECORDING
from motionloom.reports import Column, Report, Table
from motionloom.shot.layers import constraint_of
from motionloom.shot.plan._meetings import place_meetings
from motionloom.shot.plan.planned import Plan, PlannedSpan, place_of, point_of
from motionloom.shot.plan.planning import plan_shot
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.span_fields import (
    GAZE,
    ClipSpan,
    GaitSpan,
    IdleSpan,
    ReachSpan,
    SynthesizeSpan,
    WalkSpan,
)
from motionloom.shot.spans import _gait as gait
from motionloom.shot.spans import idle
from motionloom.shot.spans._asked import constraints_of
from motionloom.shot.spans._walk import styles_of
from motionloom.shot.spans.given import asked_of, check_between, check_edit, frames_of_clip, part_of
from motionloom.shot.spans.idle import can_borrow
from motionloom.shot.stage import Place, Stage
from motionloom.synthesis.generator import find_generator
from motionloom.synthesis.measure import check_names
from motionloom.threads import one_thread


@one_thread()
def plan_of(file: ShotFile, stages: Mapping[str, Stage]) -> Plan:
    """When every span of a shot begins and ends; all that it names is looked up.

    Parameters
    ----------
    file : ShotFile
        The shot.
    stages : mapping of str to Stage
        They know how long clips last.

    Returns
    -------
    Plan

    Raises
    ------
    MotionloomError
        When times do not go together.
    """

    def length(who: str, span: ClipSpan) -> float:
        first, stop = frames_of_clip(stages[who], span)
        return (stop - first - 1) / file.shot.fps

    plan = place_meetings(plan_shot(file, length), stages)
    check_shot(plan, stages)
    return plan


@one_thread()
def check_shot(plan: Plan, stages: Mapping[str, Stage]) -> None:
    """Refuse a shot that names what there is not, or has spans that cannot be made.

    What a method refuses before it searches is refused here: all commands begin with this.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character: their clips know joints and labels.

    Raises
    ------
    FormatError
        With the line; the nearest names are listed.
    """
    for who, track in plan.tracks.items():
        for planned in (*track, *plan.layers[who]):
            try:
                _check_model(stages[who], planned)
                if planned.kind in _CHECKS:
                    _CHECKS[planned.kind](stages[who], planned)
            except (InvalidInputError, SynthesisError) as error:
                if getattr(error, "path", None) is not None:
                    raise
                raise plan.file.fault(planned.where, f"{planned.name}: {error}") from None
        _check_apart(stages[who], plan.layers[who])


def _check_apart(stage: Stage, layers: Sequence[PlannedSpan]) -> None:
    """Refuse reaches that bring one joint to two points at the same time."""
    reaches = [one for one in layers if isinstance(one.span, ReachSpan)]
    for before, after in combinations(reaches, 2):
        if _joint_of(stage, before) != _joint_of(stage, after):
            continue
        start = max(before.first, after.first)
        if start <= min(before.last, after.last):
            raise stage.file.fault(
                after.where,
                f"{after.name} and {before.name} bring one joint to a point at"
                f" {start / stage.fps:.2f} s; expected one of them to begin after the other"
                " ends",
            )


def _joint_of(stage: Stage, reach: PlannedSpan) -> tuple[bool, int]:
    """What a reach moves: whether it is the gaze, and the joint."""
    last = stage.last_body
    (joint,) = find_joints([constraint_of(stage, reach).joint], last.skeleton, last.roles)
    return reach.of(ReachSpan).joint == GAZE, joint


def _check_model(stage: Stage, planned: PlannedSpan) -> None:
    name = getattr(planned.span, "model", None)
    model = stage.file.beside(name or "")
    if name is not None and not model.is_file():
        raise stage.file.fault(
            (*planned.where, "model"),
            f"{model}: no such file; names are relative to the shot file's folder",
        )


def _check_walk(stage: Stage, planned: PlannedSpan) -> None:
    span = planned.of(WalkSpan)
    if span.to is not None:
        place_of(stage.file, (*planned.where, "to"), span.to)
    style = styles_of(span, (planned.last - planned.first) / stage.fps)
    asked = constraints_of(stage.file, planned, span.constraints, style=style)
    refuse_unhonoured(asked, "a walk", find_generator("graph").honours)
    check_names(asked, stage.clips.clip_set)


def _check_synthesize(stage: Stage, planned: PlannedSpan) -> None:
    span = planned.of(SynthesizeSpan)
    asked = asked_of(stage, planned, None if span.moved else Place((0.0, 0.0), 0.0))
    refuse_unhonoured(asked, span.generator, find_generator(span.generator).honours)
    check_names(asked, stage.clips.clip_set)


def _check_reach(stage: Stage, planned: PlannedSpan) -> None:
    own = constraint_of(stage, planned)
    asked = ConstraintSet(duration=3600.0, fps=stage.fps, joints=(own,))
    check_joints(asked, stage.last_body.skeleton, stage.last_body.roles)


#: By method: refuses a span that cannot be made.
_CHECKS: Mapping[str, Callable[[Stage, PlannedSpan], object]] = {
    "walk": _check_walk,
    "synthesize": _check_synthesize,
    "gait": gait.check,
    "idle": idle.check,
    "between": check_between,
    "clip": part_of,
    "edit": check_edit,
    "reach": _check_reach,
}


#: Motion may be bent to go faster than the clips by this factor.
FASTER = 1.25
#: Who stands brings a hand farther than hips, trunk and arm reach by no more than this, metres.
LEANS = 0.2


def doubts_of(plan: Plan, stages: Mapping[str, Stage]) -> tuple[str, ...]:
    """What is plainly impossible, a sentence each.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character.

    Returns
    -------
    tuple of str
        Empty where nothing is; that does not mean that all is possible.
    """
    found = []
    for who, track in plan.tracks.items():
        stage = stages[who]
        places = _places(stage, track)
        for one, (begin, end) in zip(track, places, strict=True):
            found += [f"{who}: {one.name}: {text}" for text in _of_span(stage, one, begin, end)]
        for one in plan.layers[who]:
            text = _of_reach(plan, stage, one, places)
            found += [f"{who}: {one.name}: {text}"] if text else []
    return tuple(found)


def _waits_as_performer(stage: Stage) -> bool:
    """Whether no clip is long enough to learn waiting from."""
    clips = stage.clips.clip_set
    return all(motion.duration < SHORTEST_RECORDING for motion in clips.motions)


def _places(
    stage: Stage, track: tuple[PlannedSpan, ...]
) -> list[tuple[Ground | None, Ground | None]]:
    """Where the body is at the begin and end of every span, as far as the shot says it."""
    start = stage.file.shot.cast[track[0].character].start
    here: Ground | None = stage.file.scaled(start.position)
    places = []
    for one in track:
        begin = here
        here = _end_of(stage, one, begin)
        places.append((begin, here))
    return places


def _end_of(stage: Stage, one: PlannedSpan, begin: Ground | None) -> Ground | None:
    span = one.span
    if isinstance(span, IdleSpan):
        return begin
    if isinstance(span, WalkSpan) and span.to is not None:
        return place_of(stage.file, (*one.where, "to"), span.to)[0]
    if isinstance(span, GaitSpan) and span.path:
        where = (*one.where, "path", len(span.path) - 1)
        return place_of(stage.file, where, span.path[-1])[0]
    return None


def _of_span(
    stage: Stage, one: PlannedSpan, begin: Ground | None, end: Ground | None
) -> Iterator[str]:
    if isinstance(one.span, WalkSpan) and begin is not None and end is not None:
        seconds = (one.last - one.first) / stage.fps
        way = float(np.hypot(end[0] - begin[0], end[1] - begin[1]))
        top = float(measure_travel(stage.clips.clip_set).speed.max())
        if way > FASTER * top * seconds:
            yield (
                f"{way:.1f} m in {seconds:.2f} s are {way / seconds:.1f} m/s, and nobody in the"
                f" clips goes faster than {top:.1f} m/s; give it {way / top:.1f} s or more, or a"
                " place that is nearer"
            )
    waits = isinstance(one.span, IdleSpan) and one.span.model is None
    if waits and _waits_as_performer(stage) and not can_borrow(stage):
        longest = max(motion.duration for motion in stage.clips.clip_set.motions)
        yield (
            f"waiting is learned from at least {SHORTEST_RECORDING:g} s, the longest clip has"
            f" {longest:.1f} s, and this body cannot wait as the built-in performer does; add a"
            " clip of waiting, or leave this out"
        )


def _of_reach(
    plan: Plan, stage: Stage, one: PlannedSpan, places: list[tuple[Ground | None, Ground | None]]
) -> str:
    """Why somebody who stands cannot reach a point; empty where that is not known."""
    span = one.span
    if not isinstance(span, ReachSpan) or span.joint == GAZE or stage.body is not None:
        return ""
    frame = round(one.keys[0] * plan.fps)
    track = plan.tracks[one.character]
    at = next((i for i, own in enumerate(track) if own.first <= frame <= own.last), None)
    body = None if at is None or not isinstance(track[at].span, IdleSpan) else places[at][0]
    if body is None:
        return ""
    point = point_of(stage.file, (*one.where, "target"), span.target)
    clips = stage.clips.clip_set
    hips = float(np.median(clips.positions[:, clips.roles.joints.get("hips", 0), 1]))
    away = float(np.linalg.norm(np.array(point) - (body[0], hips, body[1])))
    most = _longest(stage, span.joint) + LEANS
    if away <= most:
        return ""
    return (
        f"{span.joint} is wanted {away:.1f} m from the hips of somebody who stands at"
        f" {body[0]:.2f} {body[1]:.2f}, and reaches {most:.1f} m; bring the target nearer, or stand"
        " elsewhere"
    )


def _longest(stage: Stage, name: str) -> float:
    """Length of all bones from the hips to a joint, metres."""
    clips = stage.clips.clip_set
    (joint,) = find_joints([name], clips.skeleton, clips.roles)
    own = clips.skeleton.chain(joint)
    above = clips.skeleton.chain(clips.roles.joints.get("hips", 0))
    lengths = np.linalg.norm(clips.skeleton.offsets, axis=1)
    return float(sum(lengths[j] for j in own if j not in above))


#: Processor seconds of one core (server of 2023) with compiled kernels: starting the program and
#: writing the results.
START = 2.6
#: For every second of clips: reading and analysing them, and all that is learned but for gaps.
CLIPS = 0.0105
#: Learning to fill gaps: for every second of clips, and at most. A limited number of gaps is used.
FILLING, MOST_FILLING = 0.045, 6.4
#: One search in the motion graph; the search ends earlier when its time limit is shorter.
SEARCH = 1.4
#: A span of another method with its join; a reach, a correction, or the joints of a meeting.
SPAN, LAYER = 0.15, 0.2
#: A join that is filled in: all times of the gap are tried.
FILLED = 0.4
#: Share of filled joins where a searched span follows another one or a stand. Five of 13 such joins
#: were filled in the example shots, and none behind clips.
SOME_FILLED = 5 / 13
#: Spans at whose ends the body stands.
STANDING = ("idle", "between")


def report_plan(plan: Plan, stages: Mapping[str, Stage]) -> Report:
    """All spans: when, with which seed, and of what; what is plainly impossible is a problem.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character.

    Returns
    -------
    Report
        Also about how long the work takes.
    """
    tracks = [_track(plan, who, stages[who]) for who in plan.tracks]
    meetings = [
        f"{met.meet.name} of {' and '.join(met.meet.between)} at {met.first / plan.fps:.2f} s"
        for met in plan.meetings
    ]
    effort = (
        f"{plan.duration:.2f} s at {plan.fps:g} fps; making it takes about"
        f" {seconds_of(plan, stages):.0f} s of one processor core"
    )
    return Report("Shot", (effort, *meetings, *tracks), problems=doubts_of(plan, stages))


_COLUMNS = [
    Column("", name, "s" if name in ("from", "to") else "")
    for name in ("span", "kind", "from", "to", "seed", "made of")
]


def _track(plan: Plan, who: str, stage: Stage) -> Table:
    """A character's spans."""
    spans = [
        (one.name, one.kind, one.first / plan.fps, one.last / plan.fps, one.seed, _used(stage, one))
        for one in (*plan.tracks[who], *plan.layers[who])
    ]
    return Table(who, _COLUMNS, spans)


def seconds_of(plan: Plan, stages: Mapping[str, Stage]) -> float:
    """Estimate the work of a shot of which nothing has been kept.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character.

    Returns
    -------
    float
        Processor seconds of one core, with compiled kernels. Whether a join is filled in is only
        known once both spans are made; such work counts by how often it is done.
    """
    total = START + LAYER * len(plan.meetings)
    unfilled: dict[int, float] = {}
    for who, track in plan.tracks.items():
        stage = stages[who]
        searches = sum(_method(one) == "graph" for one in track)
        shares = [_share_filled(before, after) for before, after in pairwise(track)]
        total += searches * min(SEARCH, stage.budget) + (len(track) - searches) * SPAN
        total += FILLED * sum(shares) + LAYER * len(plan.layers[who])
        key = id(stage.clips)
        unfilled[key] = unfilled.get(key, 1.0) * prod(1.0 - share for share in shares)
    sets = {id(stage.clips): stage.clips.clip_set for stage in stages.values()}
    for key, share in unfilled.items():
        duration = sets[key].n_frames / sets[key].fps
        total += CLIPS * duration + (1.0 - share) * min(FILLING * duration, MOST_FILLING)
    return total


def _method(one: PlannedSpan) -> str:
    """The generator of a span, or else its kind."""
    span = one.span
    if isinstance(span, SynthesizeSpan):
        return span.generator
    return "graph" if isinstance(span, WalkSpan) else one.kind


def _share_filled(before: PlannedSpan, after: PlannedSpan) -> float:
    """How often a join of these kinds is filled in."""
    is_set_off = _method(after) == "gait" and before.kind in STANDING
    is_stop = _method(before) == "gait" and after.kind in STANDING
    if after.kind == "between" or is_set_off or is_stop:
        return 1.0
    is_uncertain = _method(after) == "graph" and before.kind != "clip"
    return SOME_FILLED if is_uncertain else 0.0


def _used(stage: Stage, one: PlannedSpan) -> str:
    """What a span is made of."""
    span: Any = one.span
    clips = f"{stage.clips.clip_set.n_clips} clips"
    if getattr(span, "model", None) is not None:
        return str(span.model)
    if one.kind == "idle" and _waits_as_performer(stage):
        return "the built-in performer's waiting: no clip is long enough to learn it from"
    told: dict[str, Callable[[], str]] = {
        "walk": lambda: f"motion graph of {clips}" + (f", {span.style}" if span.style else ""),
        "synthesize": lambda: "; ".join(
            (f"{one.source or span.file or 'constraints'}, {span.generator} of {clips}", *one.notes)
        ),
        "idle": lambda: (
            f"idle model learned from {clips}, the built-in performer's where nobody waits"
        ),
        "gait": lambda: f"gait space learned from {clips}",
        "between": lambda: f"{len(span.keys)} poses, filled as in {clips}",
        "clip": lambda: str(span.clip),
        "reach": lambda: f"{span.joint} to {span.target}",
        "correct": lambda: "physics" + (", onto the ground" if stage.file.shot.ground else ""),
    }
    return told[one.kind]()
