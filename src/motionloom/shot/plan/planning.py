"""What happens when: frames of all spans and meetings of a shot.

What must hold of spans whose times are known: no gaps, no overlaps, one end for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product

from motionloom.errors import FormatError
from motionloom.shot.plan._meetings import ClipLength, EventTimes
from motionloom.shot.plan._scenes import play_scenes
from motionloom.shot.plan.planned import (
    ON_GROUND,
    Plan,
    PlannedMeeting,
    PlannedSpan,
    nearest,
    seed_of,
)
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.span_fields import LAYERS, BetweenSpan, CorrectSpan, ReachSpan, SpanBase
from motionloom.threads import one_thread


@one_thread()
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


class _Planner(EventTimes):
    """Frames of what one shot holds, whose times are known."""

    def plan(self) -> Plan:
        """All spans with their frames."""
        tracks = {}
        layers = {}
        for who, planned in self._all_planned().items():
            row = [one for one in planned if one.kind not in LAYERS]
            kinds = [*(one.kind for one in row[1:]), ""]
            both = zip(row, kinds, strict=True)
            tracks[who] = tuple(replace(one, following=kind) for one, kind in both)
            layers[who] = self._layers(who, [one for one in planned if one.kind in LAYERS])
            _check_row(self.file, tracks[who])
            _check_layers(self.file, tracks[who], layers[who])
        _check_ends(self.file, tracks)
        _check_joins(self.file, tracks)
        tracks, events = play_scenes(self.file, tracks)
        last = max(track[-1].last for track in tracks.values())
        meetings = [self._met(i, last) for i in range(len(self.file.shot.meet))]
        in_order = sorted((*meetings, *events), key=lambda one: one.first)
        return Plan(self.file, tracks, layers, tuple(in_order))

    def _all_planned(self) -> dict[str, list[PlannedSpan]]:
        """Spans of everybody with their times; all whose times are wrong are told together."""
        indices = {who: range(len(spans)) for who, spans in self.file.shot.tracks.items()}
        faults: list[FormatError] = []
        for who, row in indices.items():
            for i, event in product(row, ("start", "end")):
                try:
                    self.of(who, i, event)
                except FormatError as fault:
                    if fault not in faults:  # it may be the time of another span that is wrong
                        faults.append(fault)
        if faults:
            raise FormatError.of_several(sorted(faults, key=lambda one: one.line or 0))
        return {who: [self._planned(who, i) for i in row] for who, row in indices.items()}

    def _met(self, index: int, last: int) -> PlannedMeeting:
        """When a meeting is, which must be before the shot ends."""
        meet = self.file.shot.meet[index]
        where = ("meet", index)
        time = self.seconds((*where, "time"), meet.between[0], meet.time)
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
        ends = [self.of(who, i, "end") for i in self._base[who]]
        last = round(max(ends) * self.file.shot.fps)
        seed = seed_of(self.file.shot.seed, who, ON_GROUND)
        own = PlannedSpan(who, ON_GROUND, CorrectSpan(), ("ground",), 0, last, seed)
        return (*layers, own)

    def _planned(self, who: str, i: int) -> PlannedSpan:
        span = self.file.shot.tracks[who][i]
        where = ("tracks", who, i)
        start, end = (self.of(who, i, event) for event in ("start", "end"))
        fps = self.file.shot.fps
        first, last = round(start * fps), round(end * fps)
        least = 0 if isinstance(span, ReachSpan) else 1
        name = self.names[who][i]
        if start < 0 or last - first < least:
            raise self.file.fault(
                where,
                f"{name} would last from {start:.2f} to {end:.2f} s; expected at"
                " least one frame after 0 s, so move one of the two",
            )
        seed = span.seed if span.seed is not None else seed_of(self.file.shot.seed, who, name)
        return PlannedSpan(who, name, span, where, first, last, seed, self._keys(who, i, span))

    def _keys(self, who: str, i: int, span: SpanBase) -> tuple[float, ...]:
        if isinstance(span, BetweenSpan):
            where = ("tracks", who, i, "keys")
            return tuple(self.seconds(where, who, k.time) for k in span.keys)
        if isinstance(span, ReachSpan):
            return (self.of(who, i, "at"),)
        return ()


def _check_row(file: ShotFile, row: Sequence[PlannedSpan]) -> None:
    """Refuse gaps and overlaps between spans that follow each other.

    Parameters
    ----------
    file : ShotFile
        The shot.
    row : sequence of PlannedSpan
        Spans of one character that follow each other, in the order of time.

    Raises
    ------
    FormatError
        At the first of them.
    """
    fps = file.shot.fps
    if row[0].first != 0:
        raise file.fault(
            row[0].where,
            f"{row[0].name} begins at {row[0].first / fps:.2f} s, and nothing is before it; put"
            " an idle there, or let it begin at 0",
        )
    for one, following in pairwise(row):
        missing = (following.first - one.last) / fps
        told = (
            f"nothing happens for {missing:.2f} s between {one.name} and {following.name}; put an"
            " idle there, or let one of the two last longer"
        )
        if missing < 0:
            told = (
                f"{following.name} begins {-missing:.2f} s before {one.name} ends; let one end"
                " sooner, or the other begin later"
            )
        if missing:
            raise file.fault(following.where, told)


def _check_layers(
    file: ShotFile, row: Sequence[PlannedSpan], layers: Sequence[PlannedSpan]
) -> None:
    """Refuse what lies over spans that are not there, or not as long.

    Parameters
    ----------
    file : ShotFile
        The shot.
    row : sequence of PlannedSpan
        Spans of one character that follow each other, in the order of time.
    layers : sequence of PlannedSpan
        What lies over them.

    Raises
    ------
    FormatError
        At the first of them.
    """
    for one in layers:
        if one.last > row[-1].last:
            raise file.fault(
                one.where,
                f"{one.name} ends at {one.last / file.shot.fps:.2f} s, and {row[-1].name},"
                f" the last span, at {row[-1].last / file.shot.fps:.2f} s; make that"
                " longer",
            )
        over = one.span.over if isinstance(one.span, ReachSpan) else None
        below = next((base for base in row if base.name == over), None)
        if over is not None and below is None:
            raise file.fault(
                (*one.where, "over"),
                f"no span below is called {over!r}; there are"
                f" {', '.join(base.name for base in row)}",
            )
        if below is not None and not below.first <= one.first <= one.last <= below.last:
            raise file.fault(
                one.where,
                f"{one.name} is not within {below.name}, from"
                f" {below.first / file.shot.fps:.2f} to"
                f" {below.last / file.shot.fps:.2f} s; move it, or leave 'over' out",
            )


def _check_ends(file: ShotFile, tracks: Mapping[str, Sequence[PlannedSpan]]) -> None:
    """Refuse characters that end before others do.

    Parameters
    ----------
    file : ShotFile
        The shot.
    tracks : mapping of str to sequence of PlannedSpan
        Spans of every character that follow each other.

    Raises
    ------
    FormatError
        With the idle that may be added.
    """
    fps = file.shot.fps
    last = max(tracks.values(), key=lambda track: track[-1].last)[-1]
    for who, track in tracks.items():
        if track[-1].last < last.last:
            end = f"{last.character}.{last.name}.end"
            raise file.fault(
                track[-1].where,
                f"{who} ends at {track[-1].last / fps:.2f} s, and {last.character} at"
                f" {last.last / fps:.2f} s; add for example {{do: idle, until: {end}}}",
            )


def _check_joins(file: ShotFile, tracks: Mapping[str, Sequence[PlannedSpan]]) -> None:
    """Refuse times of joins that there are not.

    Parameters
    ----------
    file : ShotFile
        The shot.
    tracks : mapping of str to sequence of PlannedSpan
        Spans of every character that follow each other.

    Raises
    ------
    FormatError
        With the joins that there are.
    """
    known = [f"{a.name}->{b.name}" for row in tracks.values() for a, b in pairwise(row)]
    for name in file.shot.joins.each:
        if name not in known:
            raise file.fault(
                ("joins", name),
                f"no two spans that follow each other are called so; there are"
                f" {nearest(name, known) or 'no joins'}",
            )
