"""TRC files: marker positions as a table of text with tabs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from motionloom.io.files import name_of, read_text, write_file
from motionloom.io.marker_labels import name_markers
from motionloom.io.marker_space import MarkerSpace, find_marker_space
from motionloom.io.notes import Notes
from motionloom.io.number_table import parse_rows, read_numbers
from motionloom.io.units import check_unit
from motionloom.markers import MarkerSequence
from motionloom.motion import Source

#: More markers than any file has; a count beyond is damage.
MOST_MARKERS = 10_000
_KEYS = (
    "DataRate",
    "CameraRate",
    "NumFrames",
    "NumMarkers",
    "Units",
    "OrigDataRate",
    "OrigDataStartFrame",
    "OrigNumFrames",
)
_EMPTY_CELL = re.compile(r"(?<=\t)[ ]*(?=\t)")
#: Line and example of every row with a mistake, by kind.
Mistakes = dict[str, list[tuple[int, str]]]
_BLANKS = {"", "nan", "-nan", "na", "n/a", "null", "none", "-"}


@dataclass(frozen=True)
class _Head:
    """What stands above the table."""

    values: dict[str, str]
    labels: list[str]
    first_row: int


def read_trc(
    path: str | PathLike[str], *, unit: float | str | None = None, up: str | None = None, strict: bool = False
) -> MarkerSequence:
    """Read a TRC file.

    A marker is missing where its cells are blank or ``nan``, or all three are exactly 0.

    Parameters
    ----------
    path : path-like
    unit : float, metres, optional
        Length of the file's unit; by default what the file says, else a guess.
    up : str, optional
        The file's up axis; TRC does not say, so by default it is guessed, +Y where the markers do not tell.
    strict : bool, optional
        Refuse a file that breaks its format instead of mending it with a warning.

    Returns
    -------
    MarkerSequence

    Raises
    ------
    FormatError
        When it is no TRC file or has no frame rate.
    InvalidInputError
        When `unit` or `up` cannot be used.
    """
    text = read_text(path)
    notes = Notes(path, strict)
    lines = text.split("\n")
    head = _read_head(lines, notes)
    table = _read_table(lines, head, 2 + 3 * len(head.labels), notes)
    if (claimed := _count(head.values.get("numframes"))) is not None and claimed != len(table):
        notes.mended(f"NumFrames says {claimed}, found {len(table)} rows; all rows are used", 3)
    positions = table[:, 2:].reshape(len(table), len(head.labels), 3)
    valid = np.isfinite(positions).all(axis=-1)
    zero = valid & (positions == 0).all(axis=-1)
    if zero.any():
        notes.guessed(f"{zero.sum()} points at exactly 0 0 0 are taken as not seen")
    valid = valid & ~zero
    positions = np.where(valid[..., None], positions, 0.0)
    space = find_marker_space(
        positions, valid, notes, named_unit=head.values.get("units"), named_up=None, unit=unit, up=up, default_up="y"
    )
    return MarkerSequence(
        labels=tuple(head.labels),
        positions=space.to_metres(positions),
        valid=valid,
        frame_time=_frame_time(head.values.get("datarate"), table[:, 1], notes),
        name=name_of(path),
        source=Source(
            "trc",
            str(path),
            space.unit,
            space.unit_reason,
            space.up,
            warnings=notes.texts,
            extra={"header": head.values},
        ),
    )


def write_trc(
    markers: MarkerSequence, path: str | PathLike[str], *, unit: float | str | None = None, up: str | None = None
) -> None:
    """Write markers as a TRC file; gaps are blank cells.

    Parameters
    ----------
    markers : MarkerSequence
    path : path-like
    unit : float, metres, optional
        Length of the file's unit; by default that of the file the markers came from, else a millimetre. TRC can name
        metres, centimetres and millimetres; any other becomes millimetres.
    up : str, optional
        The file's up axis; by default that of the file the markers came from, else Y.

    Raises
    ------
    InvalidInputError
        When `unit` or `up` cannot be used, or the file cannot be written.
    """
    wanted = check_unit(unit) if unit is not None else markers.source.unit if markers.source.format else 0.001
    name, unit = {1.0: ("m", 1.0), 0.01: ("cm", 0.01)}.get(wanted, ("mm", 0.001))
    space = MarkerSpace(unit, "", up or markers.source.up)
    rate, n, m = _shortest_rate(markers.frame_time), markers.n_frames, len(markers.labels)
    values = (rate, rate, n, m, name, rate, 1, n)
    labels = "\t\t\t".join(re.sub(r"\s+", " ", label) for label in markers.labels)
    axes = "\t".join(f"{axis}{i + 1}" for i in range(m) for axis in "XYZ")
    rows = [
        f"PathFileType\t4\t(X/Y/Z)\t{name_of(path)}{Path(path).suffix}",
        "\t".join(_KEYS),
        "\t".join(map(str, values)),
        f"Frame#\tTime\t{labels}\t\t",
        f"\t\t{axes}",
        "",
    ]
    positions = space.from_metres(markers.positions)
    for i, (time, points, seen) in enumerate(zip(markers.times, positions, markers.valid, strict=True)):
        cells = ["\t".join(f"{c:.12g}" for c in p) if v else "\t\t" for p, v in zip(points.tolist(), seen, strict=True)]
        rows.append("\t".join([str(i + 1), f"{time:.9g}", *cells]))
    write_file(path, "\n".join(rows) + "\n")


def _shortest_rate(frame_time: float) -> float | int:
    """Rate with as few digits as give `frame_time` back."""
    rate = next((r for d in range(1, 17) if 1 / (r := float(f"{1 / frame_time:.{d}g}")) == frame_time), 1 / frame_time)
    return int(rate) if rate == int(rate) else rate


# --- reading ------------------------------------------------------------------------------------------------------


def _read_head(lines: list[str], notes: Notes) -> _Head:
    if not lines[0].lower().startswith("pathfiletype"):
        raise notes.error(f"expected a TRC file that begins with PathFileType, found {lines[0][:30]!r}", 1)
    at = next((i for i, line in enumerate(lines[:20]) if line.lower().lstrip().startswith("frame")), None)
    if at is None:
        raise notes.error(
            f"the header ends early: expected a line 'Frame# Time' and the names of the markers within "
            f"{min(len(lines), 20)} lines, found none; the file is cut off",
            len(lines),
        )
    keys = next((i for i in range(1, at) if "datarate" in lines[i].lower()), None)
    values: dict[str, str] = {}
    if keys is None or keys + 1 >= at:
        notes.mended("there is no line of keys (DataRate ...) with a line of values below it", 2)
    else:
        cells = (_cells(lines[keys]), _cells(lines[keys + 1]))
        values = {k.strip().lower(): v.strip() for k, v in zip(*cells, strict=False) if k.strip()}
    names = _cells(lines[at])[2:]
    labels = [c.strip() for c in names[::3]] if any(not c.strip() for c in names) else [c.strip() for c in names]
    while labels and not labels[-1]:
        labels.pop()
    claimed = _count(values.get("nummarkers"))
    count = len(labels) if claimed is None or claimed > MOST_MARKERS else claimed
    first = at + 1
    if first < len(lines) and re.match(r"\s*X\s*1\b", lines[first], re.IGNORECASE):
        axes = len(lines[first].split())
        if axes != 3 * count and axes == 3 * len(labels):
            notes.mended(f"NumMarkers says {count}, but {len(labels)} are named; these are read", at + 1)
            count = len(labels)
        first += 1
    if count > MOST_MARKERS:
        raise notes.error(f"{count} markers are named, more than {MOST_MARKERS}; is this a TRC file?", at + 1)
    return _Head(values, name_markers(labels, count, notes), first)


def _cells(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else line.split()


def _count(text: str | None) -> int | None:
    values, _ = read_numbers(text or "")
    return int(values[0]) if values and len(values) == 1 and 0 <= values[0] < 1e9 else None


def _read_table(lines: list[str], head: _Head, width: int, notes: Notes) -> NDArray[np.float64]:
    """Frame number, time and coordinates by row, shape (T, width); NaN where nothing stands."""
    kept = [i for i in range(head.first_row, len(lines)) if lines[i].strip()]
    # Blank cells become words, so that the columns of what follows do not move.
    texts = [_EMPTY_CELL.sub("nan", lines[i].rstrip()) for i in kept]
    rows = parse_rows("\n".join(texts).encode("utf-8", "replace"))
    table = np.full((len(kept), width), np.nan)
    mistakes: Mistakes = {}
    for r, (text, start, stop) in enumerate(zip(texts, rows.starts[:-1], rows.starts[1:], strict=True)):
        values = rows.values[start:stop]
        n_cells = text.count("\t") + 1 if "\t" in text else len(values)
        if n_cells != len(values):  # a blank cell in front, or blanks inside a cell
            values = np.full(n_cells, np.nan)
        kept_values = values[:width]
        if len(values) > width and not np.isnan(values[width:]).all():
            example = f"expected {width} columns, found {len(values)}"
            mistakes.setdefault("; what has no name is left out", []).append((kept[r] + 1, example))
        table[r, : len(kept_values)] = kept_values
        if rows.bad[r] or n_cells != stop - start:
            _read_cells(_cells(text), np.flatnonzero(np.isnan(kept_values)), table[r], kept[r] + 1, mistakes)
    for what, found in mistakes.items():
        line, example = found[0]
        more = f", and in {len(found) - 1} more rows" if len(found) > 1 else ""
        notes.mended(f"{example}{what}{more}", line)
    return table


def _read_cells(
    cells: list[str], columns: NDArray[np.int64], row: NDArray[np.float64], line: int, mistakes: Mistakes
) -> None:
    """Put into `row` what the `columns` hold that are no plain numbers; of each kind of mistake the row keeps one."""
    found: dict[str, str] = {}
    for i in columns:
        cell = cells[i].strip()
        if cell.lower() in _BLANKS:
            continue
        values, mended = read_numbers(cell)
        if values is None or len(values) != 1:
            found.setdefault(" is no number that can be a position; taken as a gap", f"column {i + 1}: {cell[:20]!r}")
            continue
        if mended:
            found.setdefault(" is read as a number with a decimal point", f"column {i + 1}: {cell[:20]!r}")
        row[i] = values[0]
    for what, example in found.items():
        mistakes.setdefault(what, []).append((line, example))


def _frame_time(rate_text: str | None, times: NDArray[np.float64], notes: Notes) -> float:
    """Seconds between frames: the exact rate of the header; the time column only where that has none."""
    seen = times[np.isfinite(times)]
    step = float(np.median(np.diff(seen))) if len(seen) > 1 else 0.0
    values, _ = read_numbers(rate_text or "")
    rate = values[0] if values and len(values) == 1 else 0.0
    if rate > 0 and np.isfinite(1 / rate):
        if step > 0 and abs(step * rate - 1) > 0.02:
            notes.mended(f"DataRate says {rate:g} frames per second, the times {1 / step:.5g}; the former is used", 3)
        if not 1 <= rate <= 10_000:
            notes.guessed(f"a rate of {rate:g} frames per second is unusual; check it")
        return 1.0 / rate
    if step <= 0:
        raise notes.error(f"expected a frame rate under DataRate, found {(rate_text or '')[:20]!r}", 3)
    notes.mended(f"DataRate is {(rate_text or '')[:20]!r}; the frame time {step:.6g} s is taken from the times", 3)
    return step
