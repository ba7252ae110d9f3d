"""What must hold of spans whose times are known: no gaps, no overlaps, one end for all."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from itertools import pairwise

from motionloom.shot.plan.planned import PlannedSpan
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.span_fields import ReachSpan


def check_row(file: ShotFile, row: Sequence[PlannedSpan]) -> None:
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
        if missing > 0:
            raise file.fault(
                following.where,
                f"nothing happens for {missing:.2f} s between {one.name} and"
                f" {following.name}; put an idle there, or let one of the two last longer",
            )
        if missing < 0:
            raise file.fault(
                following.where,
                f"{following.name} begins {-missing:.2f} s before {one.name} ends; let one end"
                " sooner, or the other begin later",
            )


def check_layers(file: ShotFile, row: Sequence[PlannedSpan], layers: Sequence[PlannedSpan]) -> None:
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


def check_ends(file: ShotFile, tracks: Mapping[str, Sequence[PlannedSpan]]) -> None:
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


def check_joins(file: ShotFile, tracks: Mapping[str, Sequence[PlannedSpan]]) -> None:
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
            near = difflib.get_close_matches(name, known, n=2, cutoff=0.5) or known[:6]
            raise file.fault(
                ("joins", name),
                f"no two spans that follow each other are called so; there are"
                f" {', '.join(near) or 'no joins'}",
            )
