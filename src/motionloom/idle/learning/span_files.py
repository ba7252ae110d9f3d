"""Files of resting spans: YAML that says when somebody rests, for the user to correct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from motionloom.errors import FormatError
from motionloom.idle.learning._spans import CATEGORIES, Span
from motionloom.io.document import read_document
from motionloom.io.files import write_file
from motionloom.motion import Motion

_FIELDS = {"from", "to", "balance"}
_EXAMPLE = "'person:' and '  - {from: 0.0, to: 12.4, balance: left}'"


@dataclass(frozen=True)
class SpanRow:
    """When somebody rests, as a file says it.

    Parameters
    ----------
    begin, end : float, seconds
        From when until when.
    category : str
        Where the balance is.
    line : int
        Of the file.
    """

    begin: float
    end: float
    category: str
    line: int


@dataclass(frozen=True)
class SpanFile:
    """What a file says before the recordings are known.

    Parameters
    ----------
    path : path-like
        The file.
    rows : mapping of str to tuple of SpanRow
        By the name of the recording.
    lines : mapping of str to int
        Where each recording begins in the file.
    """

    path: str | PathLike[str]
    rows: Mapping[str, tuple[SpanRow, ...]]
    lines: Mapping[str, int]

    def spans_of(self, recordings: Sequence[Motion]) -> tuple[tuple[Span, ...], ...]:
        """When somebody rests in recordings.

        Parameters
        ----------
        recordings : sequence of Motion
            Those that the file must tell of, by their names.

        Returns
        -------
        tuple of tuple of Span
            For each recording.

        Raises
        ------
        FormatError
            With file and line, when it leaves a recording out, names one that is not there, or its
            spans are not in order or beyond the recording.
        """
        names = [motion.name for motion in recordings]
        for name, line in self.lines.items():
            if name not in names:
                raise FormatError(
                    f"there is no recording {name[:80]!r} here; expected {', '.join(names)}",
                    self.path,
                    line,
                )
        return tuple(self._of(motion) for motion in recordings)

    def _of(self, motion: Motion) -> tuple[Span, ...]:
        if motion.name not in self.rows:
            raise FormatError(f"it does not say when {motion.name!r} rests", self.path)
        spans: list[Span] = []
        for row in self.rows[motion.name]:
            first, stop = (round(time * motion.fps) for time in (row.begin, row.end))
            begin = spans[-1].stop if spans else 0
            if not begin <= first or stop - first < 2 or stop > motion.n_frames:
                raise FormatError(
                    f"spans follow each other within the recording's {motion.duration:.2f} s, and"
                    f" each lasts two frames or more; got {row.begin:g} to {row.end:g}",
                    self.path,
                    row.line,
                )
            spans.append(Span(first, stop, row.category))
        return tuple(spans)


def read_span_file(path: str | PathLike[str]) -> SpanFile:
    """Read a file of resting spans, whatever recordings it is for.

    The file has the name of every recording with a list of ``{from: s, to: s, balance: left}``,
    in the order of time; what lies between two of them is a shift.

    Parameters
    ----------
    path : path-like
        YAML or JSON.

    Returns
    -------
    SpanFile

    Raises
    ------
    FormatError
        With file and line, when it is no such list.
    """
    document = read_document(path)
    table = document.value
    if not isinstance(table, dict) or not table:
        raise FormatError(f"expected resting spans by recording; begin with {_EXAMPLE}", path, 1)
    lines = {str(name): document.line_of((name,)) for name in table}
    rows: dict[str, tuple[SpanRow, ...]] = {}
    for name, own in table.items():
        if not isinstance(own, list) or not own:
            line = lines[str(name)]
            raise FormatError(f"{name}: expected a list of spans, as {_EXAMPLE}", path, line)
        rows[str(name)] = tuple(
            _row(row, path, document.line_of((name, i))) for i, row in enumerate(own)
        )
    return SpanFile(path, rows, lines)


def _row(row: Any, path: str | PathLike[str], line: int) -> SpanRow:
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
    if not times[0] < times[1]:
        raise FormatError(f"a span ends after it begins, got {str(times)[:80]}", path, line)
    return SpanRow(float(times[0]), float(times[1]), row["balance"], line)


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
