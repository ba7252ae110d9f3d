"""Meetings placed before anything is made: walks without a place end where somebody is met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motionloom.constraints.values import Ground
from motionloom.errors import InvalidInputError, UnknownNameError
from motionloom.motion import GroundTransform
from motionloom.rotations import wrap_angle
from motionloom.scene.placement import Relation, find_joint, find_relation
from motionloom.shot.plan.planned import Plan, PlannedMeeting, PlannedSpan, place_of, standing_at
from motionloom.shot.script.span_fields import SpanBase, SynthesizeSpan, WalkSpan
from motionloom.shot.stage import Stage

#: By character: spans that follow each other.
_Tracks = dict[str, list[PlannedSpan]]


@dataclass(frozen=True)
class _Coming:
    """How somebody comes to a meeting.

    Parameters
    ----------
    span : int, optional
        Of the walk that can be told where to end or pass; None where the place is settled.
    place : tuple of (float, float), metres, optional
        Where they stand; None where a walk may choose, or nobody knows.
    facing : float, degrees, optional
        Where they face there; None where that is free, or nobody knows.
    origin : tuple of (float, float), metres
        Where they come from.
    """

    span: int | None
    place: Ground | None
    facing: float | None
    origin: Ground


def place_meetings(plan: Plan, stages: Mapping[str, Stage]) -> Plan:
    """Find out where meetings are, and send everybody there.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character: their clips know joints and poses.

    Returns
    -------
    Plan
        With walks that end, or pass, where the meetings want it.

    Raises
    ------
    FormatError
        When two cannot stand as they should, or names are unknown; with the line.
    """
    tracks = {who: list(track) for who, track in plan.tracks.items()}
    for one in plan.meetings:
        try:
            _place(plan, one, stages, tracks)
        except (InvalidInputError, UnknownNameError) as error:
            if getattr(error, "path", None) is not None:
                raise
            raise plan.file.fault(one.where, str(error)) from None
    return replace(plan, tracks={who: tuple(track) for who, track in tracks.items()})


def _place(plan: Plan, one: PlannedMeeting, stages: Mapping[str, Stage], tracks: _Tracks) -> None:
    event = one.meet.at(round(one.first / plan.fps, 3))
    clips = {who: stages[who].clips.clip_set for who in event.between}
    for joints in event.joints:
        for who, name in zip(event.between, (joints.first, joints.second), strict=True):
            find_joint(stages[who].last_body, name)
    relation = find_relation(event, clips)
    coming = [_coming(plan, tracks[who], one) for who in event.between]
    spot = _spot(plan, one, relation, (coming[0], coming[1]))
    for k, (who, stand) in enumerate(zip(event.between, relation.stands(spot), strict=True)):
        _send(plan, one, tracks[who], coming[k], stand, k)


def _coming(plan: Plan, track: list[PlannedSpan], one: PlannedMeeting) -> _Coming:
    """How somebody comes to a meeting: by a walk that may be told where, or from where they are."""
    k = next((i for i, span in enumerate(track) if span.first < one.first <= span.last), 0)
    if one.first == 0:
        k = -1
    k, place, facing = standing_at(plan.file, track, k)
    if k < 0:
        return _Coming(None, place, facing, plan.file.shot.cast[track[0].character].start.position)
    origin = _origin(plan, track, k, (one.first - track[k].first) / plan.fps)
    span = track[k].span
    is_told = isinstance(span, SynthesizeSpan) and span.file is None and not span.moved
    if not (isinstance(span, WalkSpan) or is_told):
        return _Coming(None, None, None, origin)
    if track[k].first < one.first < track[k].last:
        return _Coming(k, None, None, origin)
    return _Coming(k, place, facing, origin)


def _origin(plan: Plan, track: list[PlannedSpan], k: int, before: float) -> Ground:
    """The last place that is known before a meeting, in a span or before it."""
    placed = [one for one in _places(track[k].span) if one[0] < before]
    if placed:
        return max(placed)[1]
    for earlier in reversed(track[:k]):
        span = earlier.span
        if isinstance(span, WalkSpan) and span.to is not None:
            return place_of(plan.file, (*earlier.where, "to"), span.to)[0]
    return plan.file.shot.cast[track[0].character].start.position


def _places(span: SpanBase) -> Iterator[tuple[float, Ground]]:
    """Times, from the begin of a span, and places that its constraints tell."""
    rows = getattr(span, "constraints", {}).get("body", ())
    for row in rows if isinstance(rows, (list, tuple)) else ():
        if isinstance(row, dict) and isinstance(row.get("time"), (int, float)):
            place = row.get("position", ())
            if isinstance(place, (list, tuple)) and len(place) == 2:
                yield float(row["time"]), (float(place[0]), float(place[1]))


def _spot(
    plan: Plan, one: PlannedMeeting, relation: Relation, coming: tuple[_Coming, _Coming]
) -> GroundTransform:
    """Middle between the two, facing from the first to the second."""
    meet = one.meet
    is_told = meet.position is not None and meet.heading is not None
    _check_known(plan, one, coming, is_told)
    if all(how.place is not None for how in coming):
        _check_settled(plan, one, relation, coming)
    heading = _heading(coming, relation) if meet.heading is None else np.radians(meet.heading)
    if meet.position is not None:
        middle: Any = place_of(plan.file, (*one.where, "position"), meet.position)[0]
    else:
        middle = _middle(coming, relation, heading)
    return GroundTransform(float(heading), float(middle[0]), float(middle[1]))


def _check_known(
    plan: Plan, one: PlannedMeeting, coming: tuple[_Coming, _Coming], is_told: bool
) -> None:
    """Refuse to guess where somebody is whom no walk brings there."""
    for who, how in zip(one.meet.between, coming, strict=True):
        if how.span is None and how.place is None and not is_told:
            raise plan.file.fault(
                one.where,
                f"where {who} stands by then is not known before it is made; give the meeting a"
                " position and a heading, or let a walk and an idle come before it",
            )


def _check_settled(
    plan: Plan, one: PlannedMeeting, relation: Relation, coming: tuple[_Coming, _Coming]
) -> None:
    """Refuse places that both have been given already, and that are not as far apart."""
    a, b = one.meet.between
    way = np.subtract(coming[1].place or (0, 0), coming[0].place or (0, 0))
    distance = float(np.hypot(*way))
    if abs(distance - relation.distance) > one.meet.tolerance.place:
        raise plan.file.fault(
            (*one.where, "distance"),
            f"{a} and {b} stand {distance:.2f} m apart there, by where they are sent, and not"
            f" {relation.distance:.2f} m; let one of them come by a walk without 'to'",
        )
    heading = np.degrees(np.arctan2(*way))
    for who, how, turned in zip((a, b), coming, (0.0, 180.0), strict=True):
        wanted = heading + turned + relation.turned[0 if who == a else 1]
        off = wrap_angle(np.radians((how.facing or 0.0) - wanted))
        if how.facing is not None and np.degrees(abs(off)) > one.meet.tolerance.facing:
            raise plan.file.fault(
                one.where,
                f"{who} faces {how.facing:.0f} degrees there, and would have to face"
                f" {np.degrees(wrap_angle(np.radians(wanted))):.0f}; leave the facing out, or turn"
                " it",
            )


def _heading(coming: tuple[_Coming, _Coming], relation: Relation) -> float:
    """Direction from the first to the second, radians: as who stands there faces, else as they
    come.
    """
    is_open = any(how.place is None for how in coming)
    for how, turned, opposite in zip(coming, relation.turned, (0.0, np.pi), strict=True):
        if is_open and how.place is not None and how.facing is not None:
            return float(wrap_angle(np.radians(how.facing - turned) - opposite))
    places = [how.origin if how.place is None else how.place for how in coming]
    way = np.subtract(places[1], places[0])
    return float(np.arctan2(*way)) if float(np.hypot(*way)) > 1e-9 else 0.0


def _middle(coming: tuple[_Coming, _Coming], relation: Relation, heading: float) -> Any:
    """Beside who stands there already, else halfway."""
    half = 0.5 * relation.distance * np.array([np.sin(heading), np.cos(heading)])
    first, second = (how.place for how in coming)
    if first is not None and second is None:
        return np.add(first, half)
    if second is not None and first is None:
        return np.subtract(second, half)
    return np.mean([how.place or how.origin for how in coming], axis=0)


def _send(
    plan: Plan,
    one: PlannedMeeting,
    track: list[PlannedSpan],
    how: _Coming,
    stand: GroundTransform,
    k: int,
) -> None:
    """Tell the span that brings somebody where they are met."""
    pose = None if one.meet.poses is None else one.meet.poses[k]
    if how.span is None:
        if pose is not None:
            raise plan.file.fault(
                (*one.where, "poses"),
                "poses are shown by who walks then; let the meeting be at the end of a walk, or"
                " leave them out",
            )
        return
    planned = track[how.span]
    span = planned.span
    place = (float(stand.x), float(stand.z))
    changes: dict[str, Any] = {}
    if isinstance(span, WalkSpan) and one.first >= planned.last:
        changes["facing"] = stand.heading if how.facing is None else how.facing
        if span.to is None:
            changes["to"] = place
    else:
        changes["constraints"] = _with_place(plan, one, planned, place, stand.heading)
    if pose is not None:
        asked = changes.get("constraints", getattr(span, "constraints", {}))
        time = (min(one.first, planned.last) - planned.first) / plan.fps
        own = {"time": time, "clip": pose.clip, "frame": pose.frame}
        changes["constraints"] = {**asked, "poses": [*asked.get("poses", ()), own]}
    track[how.span] = replace(planned, span=span.model_copy(update=changes))


def _with_place(
    plan: Plan, one: PlannedMeeting, planned: PlannedSpan, place: Ground, heading: float
) -> dict[str, Any]:
    """Constraints of a span in the middle of which somebody is met."""
    asked = getattr(planned.span, "constraints", {})
    frames = dict.fromkeys((one.first, min(one.last, planned.last)))
    stand = {"position": list(place), "facing": float(heading)}
    own = [{"time": (frame - planned.first) / plan.fps, **stand} for frame in frames]
    return {**asked, "body": [*asked.get("body", ()), *own]}
