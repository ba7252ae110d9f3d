"""What a shot asks for that nobody in its clips can do, told before anything is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from motionloom.clips.travel import measure_travel
from motionloom.constraints.joints import find_joints
from motionloom.constraints.values import Ground
from motionloom.idle.learning.recording import SHORTEST_RECORDING
from motionloom.shot.plan import Plan, PlannedSpan, place_of, point_of
from motionloom.shot.script import GAZE, GaitSpan, IdleSpan, ReachSpan, WalkSpan
from motionloom.shot.spans.idle import can_borrow

if TYPE_CHECKING:
    from motionloom.shot.stage import Stage

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


def waits_as_performer(stage: Stage) -> bool:
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
    if waits and waits_as_performer(stage) and not can_borrow(stage):
        longest = max(motion.duration for motion in stage.clips.clip_set.motions)
        yield (
            f"waiting is learned from at least {SHORTEST_RECORDING:g} s, the longest clip has"
            f" {longest:.1f} s, and this body cannot wait as the built-in performer does; add a"
            " clip of waiting, or leave this out"
        )


def _of_reach(
    plan: Plan,
    stage: Stage,
    one: PlannedSpan,
    places: list[tuple[Ground | None, Ground | None]],
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
