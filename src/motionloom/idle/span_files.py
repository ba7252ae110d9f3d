"""Files of resting spans: YAML that says when somebody rests, for the user to correct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from motionloom.errors import FormatError
from motionloom.idle.spans import CATEGORIES, Span
from motionloom.io.document import read_document
from motionloom.io.files import write_file
from motionloom.motion import Motion

_FIELDS = {"from", "to", "balance"}
_EXAMPLE = "'person:' and '  - {from: 0.0, to: 12.4, balance: left}'"


def read_spans(
    path: str | PathLike[str], recordings: Sequence[Motion]
) -> tuple[tuple[Span, ...], ...]:
    """Read when somebody rests in recordings.

    The file has the name of every recording with a list of ``{from: s, to: s, balance: left}``,
    in the order of time; what lies between two of them is a shift.

    Parameters
    ----------
    path : path-like
        YAML or JSON.
    recordings : sequence of Motion
        Those that it must tell of, by their names.

    Returns
    -------
    tuple of tuple of Span
        For each recording.

    Raises
    ------
    FormatError
        With file and line, when it is no such list, leaves a recording out, names one that is not
        there, or its spans are not in order or beyond the recording.
    """
    document = read_document(path)
    table = document.value
    if not isinstance(table, dict) or not table:
        raise FormatError(f"expected resting spans by recording; begin with {_EXAMPLE}", path, 1)
    names = [motion.name for motion in recordings]
    for name in table:
        if name not in names:
            raise FormatError(
                f"there is no recording {str(name)[:80]!r} here; expected {', '.join(names)}",
                path,
                document.line_of((name,)),
            )
    spans = []
    for motion in recordings:
        if motion.name not in table:
            raise FormatError(f"it does not say when {motion.name!r} rests", path)
        rows = table[motion.name]
        line = document.line_of((motion.name,))
        if not isinstance(rows, list) or not rows:
            raise FormatError(f"{motion.name}: expected a list of spans, as {_EXAMPLE}", path, line)
        own: list[Span] = []
        for i, row in enumerate(rows):
            begin = own[-1].stop if own else 0
            where = document.line_of((motion.name, i))
            own.append(_span(row, motion, begin, path, where))
        spans.append(tuple(own))
    return tuple(spans)


def _span(row: Any, motion: Motion, begin: int, path: str | PathLike[str], line: int) -> Span:
    if not isinstance(row, dict) or set(row) != _FIELDS:
        raise FormatError(
            f"expected {{from: s, to: s, balance: left}}, got {str(row)[:80]}", path, line
        )
    if row["balance"] not in CATEGORIES:
        raise FormatError(
            f"balance is left, right or both, got {str(row['balance'])[:80]!r}", path, line
        )
    times = (row["from"], row["to"])
    if not all(isinstance(t, (int, float)) and 0 <= t < 1e9 for t in times):
        raise FormatError(f"from and to are seconds, got {str(times)[:80]}", path, line)
    first, stop = (round(float(t) * motion.fps) for t in times)
    if not begin <= first or stop - first < 2 or stop > motion.n_frames:
        raise FormatError(
            f"spans follow each other within the recording's {motion.duration:.2f} s, and each"
            f" lasts two frames or more; got {times[0]} to {times[1]}",
            path,
            line,
        )
    return Span(first, stop, row["balance"])


def write_spans(spans: Mapping[str, Sequence[Span]], fps: float, path: str | PathLike[str]) -> None:
    """Write when somebody rests, for the user to correct.

    Parameters
    ----------
    spans : mapping of str to sequence of Span
        By the name of the recording.
    fps : float
        Frames per second.
    path : path-like
        YAML file; `read_spans` reads it.
    """
    lines = ["# When somebody rests; what lies between two spans is a shift. Correct it as needed."]
    for name, own in spans.items():
        lines.append(f"{_quoted(name)}:")
        lines += [
            f"  - {{from: {span.first / fps:.3f}, to: {span.stop / fps:.3f},"
            f" balance: {span.category}}}"
            for span in own
        ]
    write_file(path, ("\n".join(lines) + "\n").encode())


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
