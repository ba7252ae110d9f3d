"""What happens when: names, begins and ends of all spans of a shot."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from motionloom.constraints.values import Ground
from motionloom.errors import InvalidInputError
from motionloom.io.field_path import Path
from motionloom.shot.script.meet import Meet
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.shot import (
    LAYERS,
    BetweenSpan,
    ClipSpan,
    CorrectSpan,
    Mark,
    ReachSpan,
    SpanBase,
    SynthesizeSpan,
)
from motionloom.shot.script.times import EVENTS, NamedTime, Resolver, parse_time

#: Seconds of a clip's part, given the character and the span.
ClipLength = Callable[[str, ClipSpan], float]
#: Name of the correction by which somebody without one is carried onto uneven ground.
ON_GROUND = "ground"
_Find = Callable[[Hashable], float]


@dataclass(frozen=True, eq=False)
class PlannedSpan:
    """A span whose times are known.

    Parameters
    ----------
    character : str
        Who.
    name : str
        Its id, given or made up.
    span : SpanBase
        As it is in the file.
    where : tuple of str and int
        Its path in the file.
    first, last : int
        Its frames, both included; the last is the first of the next span.
    seed : int
        Of what is random in it.
    keys : tuple of float, seconds
        Times of its keys, or when a reach is there.
    """

    character: str
    name: str
    span: SpanBase
    where: Path
    first: int
    last: int
    seed: int
    keys: tuple[float, ...] = ()

    @property
    def kind(self) -> str:
        """Its method."""
        return self.span.do

    @property
    def n_frames(self) -> int:
        """Frames of it, both ends included."""
        return self.last - self.first + 1


@dataclass(frozen=True, eq=False)
class PlannedMeeting:
    """A meeting whose time is known.

    Parameters
    ----------
    meet : Meet
        As it is in the file.
    where : tuple of str and int
        Its path in the file.
    first, last : int
        Its frames, both included; one where nothing is held.
    """

    meet: Meet
    where: Path
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Plan:
    """A shot whose times are known.

    Parameters
    ----------
    file : ShotFile
        The shot.
    tracks : mapping of str to tuple of PlannedSpan
        Spans of every character that follow each other, in the order of time.
    layers : mapping of str to tuple of PlannedSpan
        Spans that lie over them, in the order of the file.
    meetings : tuple of PlannedMeeting
        In the order of time.
    """

    file: ShotFile
    tracks: Mapping[str, tuple[PlannedSpan, ...]]
    layers: Mapping[str, tuple[PlannedSpan, ...]]
    meetings: tuple[PlannedMeeting, ...] = ()

    @property
    def fps(self) -> float:
        """Frames per second."""
        return self.file.shot.fps

    @property
    def duration(self) -> float:
        """Seconds until the last span ends."""
        return max(track[-1].last for track in self.tracks.values()) / self.fps


def plan_shot(file: ShotFile, clip_length: ClipLength) -> Plan:
    """Find out when every span begins and ends.

    Parameters
    ----------
    file : ShotFile
        The shot.
    clip_length : callable
        How long a clip's part lasts.

    Returns
    -------
    Plan

    Raises
    ------
    FormatError
        When names or times do not go together; the sentence names them.
    """
    return _Planner(file, clip_length).plan()


class _Planner:
    """Names and times of one shot."""

    def __init__(self, file: ShotFile, clip_length: ClipLength) -> None:
        self.file = file
        self.clip_length = clip_length
        self.names = {who: self._names(who) for who in file.shot.tracks}
        self.rules: dict[Hashable, Callable[[_Find], float]] = {}
        for who in file.shot.tracks:
            self._add_rules(who)
        self.resolve = Resolver(self.rules)

    def plan(self) -> Plan:
        """All spans with their frames."""
        tracks = {}
        layers = {}
        for who, spans in self.file.shot.tracks.items():
            planned = [self._planned(who, i) for i in range(len(spans))]
            tracks[who] = tuple(one for one in planned if one.kind not in LAYERS)
            layers[who] = self._layers(who, [one for one in planned if one.kind in LAYERS])
            self._check_row(tracks[who])
            self._check_layers(tracks[who], layers[who])
        self._check_ends(tracks)
        self._check_joins(tracks)
        last = max(track[-1].last for track in tracks.values())
        meetings = [self._met(i, last) for i in range(len(self.file.shot.meet))]
        in_order = sorted(meetings, key=lambda one: one.first)
        return Plan(self.file, tracks, layers, tuple(in_order))

    def _met(self, index: int, last: int) -> PlannedMeeting:
        """When a meeting is, which must be before the shot ends."""
        meet = self.file.shot.meet[index]
        where = ("meet", index)
        time = self._seconds((*where, "time"), meet.between[0], meet.time, self.resolve)
        fps = self.file.shot.fps
        first, stop = round(time * fps), round((time + meet.hold) * fps)
        if first < 0 or stop > last:
            raise self.file.fault(
                (*where, "hold" if 0 <= first <= last else "time"),
                f"it would last from {time:.2f} to {time + meet.hold:.2f} s, and the shot lasts"
                f" from 0 to {last / fps:.2f} s; move it, or hold it for less",
            )
        return PlannedMeeting(meet, where, first, stop)

    def _layers(self, who: str, layers: list[PlannedSpan]) -> tuple[PlannedSpan, ...]:
        """What lies over other spans; who has no correction of their own is carried onto uneven
        ground as a whole.
        """
        if not self.file.shot.ground or any(one.kind == "correct" for one in layers):
            return tuple(layers)
        row = [i for i, span in enumerate(self._spans(who)) if span.do not in LAYERS]
        ends = [self.resolve(self._key(who, i, "end")) for i in row]
        last = round(max(ends) * self.file.shot.fps)
        seed = seed_of(self.file.shot.seed, who, ON_GROUND)
        own = PlannedSpan(who, ON_GROUND, CorrectSpan(), ("ground",), 0, last, seed)
        return (*layers, own)

    def _check_ends(self, tracks: Mapping[str, Sequence[PlannedSpan]]) -> None:
        """Refuse characters that end before others do."""
        fps = self.file.shot.fps
        last = max(tracks.values(), key=lambda track: track[-1].last)[-1]
        for who, track in tracks.items():
            if track[-1].last < last.last:
                end = f"{last.character}.{last.name}.end"
                raise self.file.fault(
                    track[-1].where,
                    f"{who} ends at {track[-1].last / fps:.2f} s, and {last.character} at"
                    f" {last.last / fps:.2f} s; add for example {{do: idle, until: {end}}}",
                )

    def _check_joins(self, tracks: Mapping[str, Sequence[PlannedSpan]]) -> None:
        """Refuse times of joins that there are not."""
        known = [f"{a.name}->{b.name}" for row in tracks.values() for a, b in pairwise(row)]
        for name in self.file.shot.joins.each:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=2, cutoff=0.5) or known[:6]
                raise self.file.fault(
                    ("joins", name),
                    f"no two spans that follow each other are called so; there are"
                    f" {', '.join(near) or 'no joins'}",
                )

    def _spans(self, who: str) -> Sequence[SpanBase]:
        return self.file.shot.tracks[who]

    def _names(self, who: str) -> tuple[str, ...]:
        """Ids of spans; those not given are made of the method and a number."""
        spans = self._spans(who)
        taken: dict[str, int] = {}
        counts: dict[str, int] = {}
        names = []
        for i, span in enumerate(spans):
            kind = span.do
            counts[kind] = counts.get(kind, 0) + 1
            name = span.id or f"{kind}{counts[kind]}"
            if name in taken:
                raise self.file.fault(
                    ("tracks", who, i, "id"),
                    f"{name!r} is the name of tracks.{who}[{taken[name]}] already; give another",
                )
            taken[name] = i
            names.append(name)
        return tuple(names)

    def _add_rules(self, who: str) -> None:
        spans = self._spans(who)
        base = [i for i, span in enumerate(spans) if span.do not in LAYERS]
        if not base:
            raise self.file.fault(
                ("tracks", who),
                "all of it lies over other spans, and there are none; add a walk or an idle",
            )
        for k, i in enumerate(base):
            before = base[k - 1] if k else None
            behind = base[k + 1] if k + 1 < len(base) else None
            self._add_base(who, i, before, behind)
        for i, span in enumerate(spans):
            if isinstance(span, ReachSpan):
                self._add_reach(who, i, span)
            elif span.do in LAYERS:
                self._add_pass(who, i, (base[0], base[-1]))

    def _key(self, who: str, i: int, event: str) -> tuple[str, str, str]:
        return who, self.names[who][i], event

    def _rule(self, who: str, i: int, event: str, rule: Callable[[_Find], float]) -> None:
        self.rules[self._key(who, i, event)] = rule

    def _add_base(self, who: str, i: int, before: int | None, behind: int | None) -> None:
        span = self._spans(who)[i]

        def start(find: _Find) -> float:
            if span.begin is not None:
                return self._when(who, i, "begin", span.begin, find)
            return 0.0 if before is None else find(self._key(who, before, "end"))

        self._rule(who, i, "start", start)
        self._rule(who, i, "at", lambda find: find(self._key(who, i, "start")))
        self._rule(who, i, "end", lambda find: self._end(who, i, behind, find))

    def _end(self, who: str, i: int, behind: int | None, find: _Find) -> float:
        """When a span of the row ends: as it says, or as what it shows lasts, or when the next
        begins.
        """
        span = self._spans(who)[i]
        if span.by is not None:
            return self._when(who, i, "by", span.by, find)
        start = self._key(who, i, "start")
        if span.seconds is not None:
            return find(start) + span.seconds
        if isinstance(span, ClipSpan):
            return find(start) + self.clip_length(who, span)
        if isinstance(span, SynthesizeSpan) and span.file is not None:
            return find(start) + self.file.constraints(("tracks", who, i), span.file).duration
        if isinstance(span, BetweenSpan):
            return self._when(who, i, "keys", span.keys[-1].time, find)
        following = None if behind is None else self._spans(who)[behind].begin
        if behind is None or following is None:
            raise self.file.fault(
                ("tracks", who, i),
                f"{self.names[who][i]} has no end; say until when (by: 4.0) or how long (for: 2.0)",
            )
        return self._when(who, behind, "begin", following, find)

    def _add_reach(self, who: str, i: int, span: ReachSpan) -> None:
        self._rule(who, i, "at", lambda find: self._when(who, i, "at", span.at, find))
        self._rule(who, i, "start", lambda find: find(self._key(who, i, "at")))
        self._rule(who, i, "end", lambda find: find(self._key(who, i, "at")) + span.hold)

    def _add_pass(self, who: str, i: int, ends: tuple[int, int]) -> None:
        span = self._spans(who)[i]

        def start(find: _Find) -> float:
            if span.begin is not None:
                return self._when(who, i, "begin", span.begin, find)
            return find(self._key(who, ends[0], "start"))

        def end(find: _Find) -> float:
            if span.by is not None:
                return self._when(who, i, "by", span.by, find)
            if span.seconds is not None:
                return find(self._key(who, i, "start")) + span.seconds
            return find(self._key(who, ends[1], "end"))

        self._rule(who, i, "start", start)
        self._rule(who, i, "at", start)
        self._rule(who, i, "end", end)

    def _when(self, who: str, i: int, field: str, value: float | str, find: _Find) -> float:
        """Seconds of a time of a span as it is written."""
        return self._seconds(("tracks", who, i, field), who, value, find)

    def _seconds(self, where: Path, who: str, value: float | str, find: _Find) -> float:
        """Seconds of a time as it is written; names without a character are those of `who`."""
        if not isinstance(value, str):
            return float(value)
        named = parse_time(value)
        try:
            return self._base_time(who, where, named, find) + named.shift
        except InvalidInputError as chain:
            if isinstance(chain, type(self.file.fault((), ""))):
                raise
            raise self.file.fault(where, str(chain)) from None

    def _base_time(self, who: str, where: Path, named: NamedTime, find: _Find) -> float:
        if len(named.names) == 1:
            mark = self.file.shot.marks.get(named.names[0])
            if mark is None or mark.time is None:
                known = [name for name, one in self.file.shot.marks.items() if one.time is not None]
                raise self._unknown(where, f"mark with a time is called {named}", named, known)
            return mark.time
        key = named.names if len(named.names) == 3 else (who, *named.names)
        if key not in self.rules:
            known = [".".join(str(part) for part in one) for one in self._keys_for(who, named)]
            raise self._unknown(where, f"span and event are called {named}", named, known)
        return find(key)

    def _keys_for(self, who: str, named: NamedTime) -> Iterator[tuple[str, ...]]:
        for other, names in self.names.items():
            for name in names:
                for event in EVENTS:
                    is_own = other == who and len(named.names) == 2
                    yield (name, event) if is_own else (other, name, event)

    def _unknown(self, where: Path, what: str, named: NamedTime, known: Sequence[str]) -> Exception:
        near = difflib.get_close_matches(str(named), known, n=2, cutoff=0.5) or list(known)[:6]
        advice = f"use one of {', '.join(near)}" if near else "give it in seconds"
        return self.file.fault(where, f"no {what}; {advice}")

    def _planned(self, who: str, i: int) -> PlannedSpan:
        span = self._spans(who)[i]
        where = ("tracks", who, i)
        start, end = (self.resolve(self._key(who, i, event)) for event in ("start", "end"))
        fps = self.file.shot.fps
        first = round(start * fps)
        last = round(end * fps)
        least = 0 if isinstance(span, ReachSpan) else 1
        if start < 0 or last - first < least:
            raise self.file.fault(
                where,
                f"{self.names[who][i]} would last from {start:.2f} to {end:.2f} s; expected at"
                " least one frame after 0 s, so move one of the two",
            )
        name = self.names[who][i]
        seed = span.seed if span.seed is not None else seed_of(self.file.shot.seed, who, name)
        return PlannedSpan(
            character=who,
            name=name,
            span=span,
            where=where,
            first=first,
            last=last,
            seed=seed,
            keys=self._keys(who, i, span),
        )

    def _keys(self, who: str, i: int, span: SpanBase) -> tuple[float, ...]:
        if isinstance(span, BetweenSpan):
            return tuple(self._when(who, i, "keys", k.time, self.resolve) for k in span.keys)
        if isinstance(span, ReachSpan):
            return (self.resolve(self._key(who, i, "at")),)
        return ()

    def _check_row(self, row: Sequence[PlannedSpan]) -> None:
        """Refuse gaps and overlaps between spans that follow each other."""
        fps = self.file.shot.fps
        if row[0].first != 0:
            raise self.file.fault(
                row[0].where,
                f"{row[0].name} begins at {row[0].first / fps:.2f} s, and nothing is before it; put"
                " an idle there, or let it begin at 0",
            )
        for one, following in pairwise(row):
            missing = (following.first - one.last) / fps
            if missing > 0:
                raise self.file.fault(
                    following.where,
                    f"nothing happens for {missing:.2f} s between {one.name} and"
                    f" {following.name}; put an idle there, or let one of the two last longer",
                )
            if missing < 0:
                raise self.file.fault(
                    following.where,
                    f"{following.name} begins {-missing:.2f} s before {one.name} ends; let one end"
                    " sooner, or the other begin later",
                )

    def _check_layers(self, row: Sequence[PlannedSpan], layers: Sequence[PlannedSpan]) -> None:
        for one in layers:
            if one.last > row[-1].last:
                raise self.file.fault(
                    one.where,
                    f"{one.name} ends at {one.last / self.file.shot.fps:.2f} s, and {row[-1].name},"
                    f" the last span, at {row[-1].last / self.file.shot.fps:.2f} s; make that"
                    " longer",
                )
            over = one.span.over if isinstance(one.span, ReachSpan) else None
            below = next((base for base in row if base.name == over), None)
            if over is not None and below is None:
                raise self.file.fault(
                    (*one.where, "over"),
                    f"no span below is called {over!r}; there are"
                    f" {', '.join(base.name for base in row)}",
                )
            if below is not None and not below.first <= one.first <= one.last <= below.last:
                raise self.file.fault(
                    one.where,
                    f"{one.name} is not within {below.name}, from"
                    f" {below.first / self.file.shot.fps:.2f} to"
                    f" {below.last / self.file.shot.fps:.2f} s; move it, or leave 'over' out",
                )


def seed_of(seed: int, *names: str) -> int:
    """Seed of a part of a shot, its own whatever else the shot holds.

    Parameters
    ----------
    seed : int
        The shot's.
    *names : str
        Of the part.

    Returns
    -------
    int
    """
    text = "/".join((str(seed), *names))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1


def place_of(
    file: ShotFile, where: Path, place: str | Ground, facing: float | None = None
) -> tuple[Ground, float | None]:
    """Position and facing of a mark or place.

    Parameters
    ----------
    file : ShotFile
        Knows the marks.
    where : tuple of str and int
        Path of the field, for messages.
    place : str or tuple of (float, float)
        As it is in the file.
    facing : float, degrees, optional
        Goes before the mark's.

    Returns
    -------
    position : tuple of (float, float), metres
        For the body that the clips are of; see `ShotFile.scale`.
    facing : float, degrees, or None
    """
    if not isinstance(place, str):
        return file.scaled(place), facing
    mark = file.shot.marks.get(place)
    if mark is None or mark.position is None:
        raise _no_mark(file, where, place, "position")
    return file.scaled(mark.position), mark.facing if facing is None else facing


def point_of(
    file: ShotFile, where: Path, point: str | tuple[float, float, float]
) -> tuple[float, float, float]:
    """A mark's point, or the point itself; see `place_of`."""
    if not isinstance(point, str):
        return point
    mark = file.shot.marks.get(point)
    if mark is None or mark.point is None:
        raise _no_mark(file, where, point, "point")
    return mark.point


def _no_mark(file: ShotFile, where: Path, name: str, field: str) -> Exception:
    def has(mark: Mark) -> bool:
        return getattr(mark, field) is not None

    known = [other for other, mark in file.shot.marks.items() if has(mark)]
    near = difflib.get_close_matches(name, known, n=2, cutoff=0.5) or known[:6]
    advice = f"use one of {', '.join(near)}" if near else f"add it to marks, with a {field}"
    return file.fault(where, f"no mark with a {field} is called {name!r}; {advice}")
