"""Meetings placed before anything is made: walks without a place end where somebody is met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

from motionloom.constraints.values import Ground
from motionloom.errors import FormatError, InvalidInputError, UnknownNameError
from motionloom.io.document import Path
from motionloom.motion import GroundTransform
from motionloom.rotations import wrap_angle
from motionloom.scene.placement import Relation, find_joint, find_relation
from motionloom.shot.plan.planned import (
    Plan,
    PlannedMeeting,
    PlannedSpan,
    nearest,
    place_of,
    standing_at,
)
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.span_fields import (
    LAYERS,
    BetweenSpan,
    ClipSpan,
    ReachSpan,
    SpanBase,
    SynthesizeSpan,
    WalkSpan,
    parse_time,
)
from motionloom.shot.stage import Stage

#: What of a span can be named in a time.
EVENTS = ("start", "end", "at")
#: Seconds of a clip's part, given the character and the span.
ClipLength = Callable[[str, ClipSpan], float]


@dataclass
class Resolver:
    """Finds values that depend on each other.

    Parameters
    ----------
    rule : callable
        The value of a key; it may ask for those of others here.
    """

    rule: Callable[[tuple[str, ...]], float]
    _known: dict[tuple[str, ...], float] = field(default_factory=dict)
    _failed: dict[tuple[str, ...], FormatError] = field(default_factory=dict)
    _open: list[tuple[str, ...]] = field(default_factory=list)

    def __call__(self, key: tuple[str, ...]) -> float:
        """Value of a key.

        Raises
        ------
        InvalidInputError
            When keys depend on each other in a loop.
        """
        if key in self._known:
            return self._known[key]
        if key in self._open:
            chain = [*self._open[self._open.index(key) :], key]
            told = " needs ".join(".".join(one) for one in chain)
            raise InvalidInputError(
                f"times that depend on each other: {told}; give one of them in seconds"
            )
        if key in self._failed:
            raise self._failed[key]
        self._open.append(key)
        try:
            self._known[key] = self.rule(key)
        except FormatError as error:  # whoever needs it as well is told the same
            self._failed[key] = error
            raise
        finally:
            self._open.pop()
        return self._known[key]


class EventTimes:
    """Names and times of the spans of one shot.

    Parameters
    ----------
    file : ShotFile
        The shot.
    clip_length : callable
        How long a clip's part lasts.

    Raises
    ------
    FormatError
        When two spans have one name, or a character has nothing but what lies over spans.
    """

    def __init__(self, file: ShotFile, clip_length: ClipLength) -> None:
        self.file = file
        self.clip_length = clip_length
        self.names = {who: names_of(file, who) for who in file.shot.tracks}
        self._base = {who: self._base_of(who) for who in file.shot.tracks}
        self._resolve = Resolver(self._rule)

    def of(self, who: str, i: int, event: str) -> float:
        """Seconds of an event of a span: its start, its end, or when a reach is there."""
        return self._resolve((who, self.names[who][i], event))

    def seconds(self, where: Path, who: str, value: float | str) -> float:
        """Seconds of a time as it is written; names without a character are those of `who`."""
        if not isinstance(value, str):
            return float(value)
        names, shift = parse_time(value)
        try:
            return self._named(where, who, names) + shift
        except InvalidInputError as chain:
            raise self.file.fault(where, str(chain)) from None

    def _base_of(self, who: str) -> list[int]:
        """Spans that lie over no others."""
        base = [i for i, span in enumerate(self.file.shot.tracks[who]) if span.do not in LAYERS]
        if not base:
            raise self.file.fault(
                ("tracks", who),
                "all of it lies over other spans, and there are none; add a walk or an idle",
            )
        return base

    def _rule(self, key: tuple[str, ...]) -> float:
        """Seconds of an event, by those that it follows from."""
        who, name, event = key
        i = self.names[who].index(name)
        span = self.file.shot.tracks[who][i]
        is_reach = isinstance(span, ReachSpan)
        if event == "end":
            return self._end(who, i, span)
        if event != ("at" if is_reach else "start"):
            return self.of(who, i, "at" if is_reach else "start")
        if isinstance(span, ReachSpan):
            return self._when(who, i, "at", span.at)
        if span.begin is not None:
            return self._when(who, i, "begin", span.begin)
        base = self._base[who]
        if span.do in LAYERS:
            return self.of(who, base[0], "start")
        return self.of(who, base[base.index(i) - 1], "end") if i != base[0] else 0.0

    def _end(self, who: str, i: int, span: SpanBase) -> float:
        """When a span ends: as it says, as what it shows or lies over lasts, or when the next
        begins.
        """
        if isinstance(span, ReachSpan):
            return self.of(who, i, "at") + span.hold
        if span.by is not None:
            return self._when(who, i, "by", span.by)
        if span.seconds is not None:
            return self.of(who, i, "start") + span.seconds
        base = self._base[who]
        if span.do in LAYERS:
            return self.of(who, base[-1], "end")
        if isinstance(span, BetweenSpan):
            return self._when(who, i, "keys", span.keys[-1].time)
        if isinstance(span, ClipSpan):
            return self.of(who, i, "start") + self.clip_length(who, span)
        if isinstance(span, SynthesizeSpan) and span.file is not None:
            asked = self.file.asked(("tracks", who, i), span.file)
            return self.of(who, i, "start") + asked.duration
        behind = next((k for k in base if k > i), i)
        following = self.file.shot.tracks[who][behind].begin
        if behind == i or following is None:
            raise self.file.fault(
                ("tracks", who, i),
                f"{self.names[who][i]} has no end; say until when (by: 4.0) or how long (for: 2.0)",
            )
        return self._when(who, behind, "begin", following)

    def _when(self, who: str, i: int, field: str, value: float | str) -> float:
        """Seconds of a time of a span, which stands by one of the names that the field may have."""
        span = ("tracks", who, i)
        fields = [(*span, name) for name in self.file.shot.tracks[who][i].names_of(field)]
        lines = self.file.document.lines
        return self.seconds(next((one for one in fields if one in lines), fields[0]), who, value)

    def _named(self, where: Path, who: str, names: tuple[str, ...]) -> float:
        """Seconds of a mark, or of an event of a span."""
        text = ".".join(names)
        if len(names) == 1:
            times = {name: one.time for name, one in self.file.shot.marks.items()}
            known = [name for name, time in times.items() if time is not None]
            time = times.get(text)
            if time is None:
                raise self._unknown(where, f"mark with a time is called {text}", text, known)
            return time
        is_short = len(names) == 2
        keys = [key for other in self.names for key in product([other], self.names[other], EVENTS)]
        key = (who, *names) if is_short else names
        if key not in keys:
            known = [".".join(one[is_short and one[0] == who :]) for one in keys]
            raise self._unknown(where, f"span and event are called {text}", text, known)
        return self._resolve(key)

    def _unknown(self, where: Path, what: str, name: str, known: Sequence[str]) -> Exception:
        near = nearest(name, known)
        advice = f"use one of {near}" if near else "give it in seconds"
        return self.file.fault(where, f"no {what}; {advice}")


def names_of(file: ShotFile, who: str) -> tuple[str, ...]:
    """Ids of spans; those not given are made of the method and a number."""
    taken: dict[str, int] = {}
    counts: Counter[str] = Counter()
    for i, span in enumerate(file.shot.tracks[who]):
        counts[span.do] += 1
        name = span.id or f"{span.do}{counts[span.do]}"
        if name in taken:
            raise file.fault(
                ("tracks", who, i, "id"),
                f"{name!r} is the name of tracks.{who}[{taken[name]}] already; give another",
            )
        taken[name] = i
    return tuple(taken)


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
