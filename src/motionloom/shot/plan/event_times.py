"""When every span of a shot begins and ends: names of spans, and what their times follow from."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Hashable, Iterator, Sequence

from motionloom.errors import InvalidInputError
from motionloom.io.field_path import Path
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.span_fields import (
    LAYERS,
    BetweenSpan,
    ClipSpan,
    ReachSpan,
    SpanBase,
    SynthesizeSpan,
)
from motionloom.shot.script.times import EVENTS, NamedTime, Resolver, parse_time

#: Seconds of a clip's part, given the character and the span.
ClipLength = Callable[[str, ClipSpan], float]
_Find = Callable[[Hashable], float]


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
        self.rules: dict[Hashable, Callable[[_Find], float]] = {}
        for who in file.shot.tracks:
            self._add_rules(who)
        self._resolve = Resolver(self.rules)

    def of(self, who: str, i: int, event: str) -> float:
        """Seconds of an event of a span: its start, its end, or when a reach is there."""
        return self._resolve(self._key(who, i, event))

    def seconds(self, where: Path, who: str, value: float | str) -> float:
        """Seconds of a time as it is written; names without a character are those of `who`."""
        return self._seconds(where, who, value, self._resolve)

    def _spans(self, who: str) -> Sequence[SpanBase]:
        return self.file.shot.tracks[who]

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
            return find(start) + self.file.asked(("tracks", who, i), span.file).duration
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
        return self._seconds(self._field(who, i, field), who, value, find)

    def _field(self, who: str, i: int, name: str) -> Path:
        """Where a field of a span stands, by the name that the file has for it."""
        span = ("tracks", who, i)
        names = self._spans(who)[i].names_of(name)
        lines = self.file.document.lines
        return next(((*span, one) for one in names if (*span, one) in lines), (*span, name))

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


def names_of(file: ShotFile, who: str) -> tuple[str, ...]:
    """Ids of spans; those not given are made of the method and a number."""
    spans = file.shot.tracks[who]
    taken: dict[str, int] = {}
    counts: dict[str, int] = {}
    names = []
    for i, span in enumerate(spans):
        kind = span.do
        counts[kind] = counts.get(kind, 0) + 1
        name = span.id or f"{kind}{counts[kind]}"
        if name in taken:
            raise file.fault(
                ("tracks", who, i, "id"),
                f"{name!r} is the name of tracks.{who}[{taken[name]}] already; give another",
            )
        taken[name] = i
        names.append(name)
    return tuple(names)
