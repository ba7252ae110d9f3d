"""When every span of a shot begins and ends: names of spans, and what their times follow from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product

from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.field_path import Path
from motionloom.shot.plan.planned import nearest
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.span_fields import (
    LAYERS,
    BetweenSpan,
    ClipSpan,
    ReachSpan,
    SpanBase,
    SynthesizeSpan,
    parse_time,
)

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
