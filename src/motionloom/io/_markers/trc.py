"""TRC files: marker positions as a table of text with tabs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.io._markers.space import (
    MarkerSpace,
    find_marker_space,
    name_markers,
    note_rate,
    without_zeros,
)
from motionloom.io._notes import Notes
from motionloom.io.files import decode, name_of, read_text_bytes, write_file
from motionloom.io.limits import MOST_MARKERS, check_poses
from motionloom.io.number_table import inserted, parse_rows, read_numbers
from motionloom.io.units import check_unit
from motionloom.marker_motion import MarkerSequence
from motionloom.typing import Array, PathName

#: The names of the markers stand within this many lines.
HEAD_LINES = 20
_KEYS: tuple[str, ...] = ("DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units")
_KEYS += ("OrigDataRate", "OrigDataStartFrame", "OrigNumFrames")
#: Stands for a blank cell, and for a blank inside a cell.
_MARK, _JOINED = b"\x01", b"\x02"
# Each begins with the characters that it may begin with, which are found fast, and looks behind
# only then.
_TRAILING = re.compile(rb"[ \t](?<![ \t]{2})[ \t]*+$", re.MULTILINE)
_BLANKS = re.compile(rb"[-nN](?<!\S[-nN])(?i:(?<=-)(?:nan)?|(?<=n)(?:an?|/a|ull|one))(?!\S)")
_PADDING = re.compile(rb" (?<![^\t\n] ) *+(?=\t)")
_INNER = re.compile(rb" (?<=\S ) *+(?=\S)")
_POINTS = bytes.maketrans(b",", b".")


@dataclass(frozen=True)
class _TrcHead:
    """What stands above the table."""

    values: dict[str, str]
    labels: list[str]
    first_row: int


def read_trc(
    path: PathName, *, unit: float | str | None = None, up: str | None = None, strict: bool = False
) -> MarkerSequence:
    """Read a TRC file.

    A marker is missing where its cells are blank or ``nan``, or all three are exactly 0.

    Parameters
    ----------
    path : path-like
        The TRC file.
    unit : float, metres, optional
        Length of the file's unit; by default what the file says, else a guess.
    up : str, optional
        The file's up axis; TRC does not say, so by default it is guessed, +Y where the markers do
        not tell.
    strict : bool, optional
        Refuse a file that breaks its format instead of mending it with a warning.

    Returns
    -------
    MarkerSequence
        In metres, +Y up.

    Raises
    ------
    FormatError
        When it is no TRC file or has no frame rate.
    InvalidInputError
        When `unit` or `up` cannot be used.
    """
    data = read_text_bytes(path)
    notes = Notes(path, strict)
    head = _read_head(data, notes)
    table = _read_table(data, head, 2 + 3 * len(head.labels), notes)
    if (claimed := _count(head.values.get("numframes"))) is not None and claimed != len(table):
        notes.mended(f"NumFrames says {claimed}, found {len(table)} rows; all rows are used", 3)
    positions = table[:, 2:].reshape(len(table), len(head.labels), 3)
    valid = without_zeros(positions, np.all(np.isfinite(positions), axis=-1), notes)
    positions = np.where(valid[..., None], positions, 0.0)
    named = head.values.get("units"), None
    space = find_marker_space(positions, valid, notes, named, (unit, up), default_up="y")
    return MarkerSequence(
        labels=tuple(head.labels),
        positions=space.to_metres(positions),
        valid=valid,
        frame_time=_frame_time(head.values.get("datarate"), table[:, 1], notes),
        name=name_of(path),
        source=space.source("trc", path, notes, header=head.values),
    )


def write_trc(
    markers: MarkerSequence,
    path: PathName,
    *,
    unit: float | str | None = None,
    up: str | None = None,
) -> None:
    """Write markers as a TRC file; gaps are blank cells.

    Parameters
    ----------
    markers : MarkerSequence
        What to write.
    path : path-like
        Where to write; a file that is there is replaced.
    unit : float, metres, optional
        Length of the file's unit; by default that of the file the markers came from, else a
        millimetre. TRC can name metres, centimetres and millimetres; any other becomes millimetres.
    up : str, optional
        The file's up axis; by default that of the file the markers came from, else Y.

    Raises
    ------
    InvalidInputError
        When `unit` or `up` cannot be used, or the file cannot be written.
    """
    own = markers.source.unit if markers.source.format else 0.001
    wanted = own if unit is None else check_unit(unit)
    name, unit = {1.0: ("m", 1.0), 0.01: ("cm", 0.01)}.get(wanted, ("mm", 0.001))
    space = MarkerSpace(unit, "", up or markers.source.up)
    rate = _shortest_rate(markers.frame_time)
    n = markers.n_frames
    m = len(markers.labels)
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
    frames = zip(markers.times, positions.tolist(), markers.valid, strict=True)
    for i, (time, points, seen) in enumerate(frames, 1):
        texts = ("\t".join(f"{c:.12g}" for c in point) for point in points)
        cells = [text if v else "\t\t" for text, v in zip(texts, seen, strict=True)]
        rows.append("\t".join([str(i), f"{time:.9g}", *cells]))
    write_file(path, "\n".join(rows) + "\n")


def _shortest_rate(frame_time: float) -> float | int:
    """Rate with as few digits as give `frame_time` back."""
    rates = (float(f"{1 / frame_time:.{digits}g}") for digits in range(1, 17))
    rate = next((rate for rate in rates if 1 / rate == frame_time), 1 / frame_time)
    return int(rate) if rate == int(rate) else rate


# --- reading


def _read_head(data: bytes, notes: Notes) -> _TrcHead:
    lines = decode(data[: _line_start(data, HEAD_LINES + 2)]).split("\n")
    if not lines[0].lower().startswith("pathfiletype"):
        message = f"expected a TRC file that begins with PathFileType, found {lines[0][:30]!r}"
        raise notes.error(message, 1)
    begins = [line.lower().lstrip().startswith("frame") for line in lines[:HEAD_LINES]]
    if not any(begins):
        raise notes.error(
            "the header ends early: expected a line 'Frame# Time' and the names of the markers"
            f" within {min(len(lines), HEAD_LINES)} lines, found none; the file is cut off",
            data.count(b"\n") + 1,
        )
    at = begins.index(True)
    keys = next((i for i in range(1, at) if "datarate" in lines[i].lower()), None)
    values: dict[str, str] = {}
    if keys is None or keys + 1 >= at:
        notes.mended("there is no line of keys (DataRate ...) with a line of values below it", 2)
    else:
        cells = (_cells(lines[keys]), _cells(lines[keys + 1]))
        values = {k.strip().lower(): v.strip() for k, v in zip(*cells, strict=False) if k.strip()}
    claimed = _count(values.get("nummarkers"))
    labels = _labels_of(_cells(lines[at])[2:], claimed)
    count = len(labels) if claimed is None or claimed > MOST_MARKERS else claimed
    first = at + 1
    if first < len(lines) and re.match(r"\s*X\s*1\b", lines[first], re.IGNORECASE):
        axes = len(lines[first].split())
        if axes != 3 * count and axes == 3 * len(labels):
            message = f"NumMarkers says {count}, but {len(labels)} are named; these are read"
            notes.mended(message, at + 1)
            count = len(labels)
        first += 1
    if count > MOST_MARKERS:
        message = f"{count} markers are named, more than {MOST_MARKERS}; is this a TRC file?"
        raise notes.error(message, at + 1)
    return _TrcHead(values, name_markers(labels, count, notes), first)


def _labels_of(cells: list[str], claimed: int | None) -> list[str]:
    """Names of the markers: one above every third column, or however far apart where there are as
    many as the header claims.
    """
    names = [cell.strip() for cell in cells]
    labels = names[::3] if "" in names else names
    while labels and not labels[-1]:
        labels.pop()
    named = [name for name in names if name]
    return named if "" in labels and len(named) == claimed else labels


def _cells(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else line.split()


def _count(text: str | None) -> int | None:
    values, _ = read_numbers(text or "")
    return int(values[0]) if values and len(values) == 1 and 0 <= values[0] < 1e9 else None


def _line_start(data: bytes, line: int) -> int:
    """Byte at which a line, counted from 0, begins."""
    at = 0
    for _ in range(line):
        at = data.find(b"\n", at) + 1
        if not at:
            return len(data)
    return at


def _read_table(data: bytes, head: _TrcHead, width: int, notes: Notes) -> Array:
    """Frame number, time and coordinates by row, shape (T, width); NaN where nothing stands."""
    body = data[_line_start(data, head.first_row) :]
    text = _with_marks(body)
    rows = parse_rows(text)
    counts = np.diff(rows.starts)
    check_poses(len(counts), len(head.labels), len(data), notes.path, "markers")
    table = np.full((len(counts), width), np.nan)
    row = np.repeat(np.arange(len(counts)), counts)
    column = np.arange(len(row)) - rows.starts[:-1][row]
    named = column < width
    gaps = np.isnan(rows.values)
    values = parse_rows(text.translate(_POINTS)).values if b"," in text else rows.values
    table[row[named], column[named]] = values[named]
    commas = gaps & ~np.isnan(values) & named
    marked = np.array([word == _MARK for word in text.split()], bool)
    wrong = np.isnan(values) & named & ~marked
    beyond = np.unique(row[~named & ~gaps])
    told = []
    if len(beyond):
        example = f"expected {width} columns, found {counts[beyond[0]]}"
        told.append((beyond, example, "; what has no name is left out"))
    for cells, what in (
        (wrong, " is no number that can be a position; taken as a gap"),
        (commas, " is read as a number with a decimal point"),
    ):
        if cells.any():
            k = int(np.argmax(cells))
            example = _shown(body, int(rows.lines[row[k]]), int(column[k]))
            told.append((np.unique(row[cells]), example, what))
    for where, example, what in sorted(told, key=lambda found: int(found[0][0])):
        more = f", and in {len(where) - 1} more rows" if len(where) > 1 else ""
        notes.mended(f"{example}{what}{more}", head.first_row + int(rows.lines[where[0]]) + 1)
    return table


def _with_marks(body: bytes) -> bytes:
    """The table with a mark in each blank cell, so that its words are its cells."""
    body = _TRAILING.sub(b"", body)
    body = _BLANKS.sub(_MARK, body)
    if b"\t" not in body:
        return body
    body = _PADDING.sub(b"", body)
    text = np.frombuffer(body, np.uint8)
    tab = text == ord("\t")
    begins = np.concatenate([[True], tab[:-1] | (text[:-1] == ord("\n"))])
    body = inserted(text, tab & begins, _MARK)
    if _INNER.search(body) is None:
        return body
    # Blanks inside a cell of a line with tabs do not part cells.
    lines = body.split(b"\n")
    return b"\n".join([_INNER.sub(_JOINED, line) if b"\t" in line else line for line in lines])


def _shown(body: bytes, line: int, column: int) -> str:
    """A cell as a message shows it."""
    start = _line_start(body, line)
    stop = body.find(b"\n", start)
    cells = _cells(decode(body[start : stop if stop >= 0 else None]))
    cell = cells[column].strip()[:20] if column < len(cells) else ""
    return f"column {column + 1}: {cell!r}"


def _frame_time(rate_text: str | None, times: Array, notes: Notes) -> float:
    """Seconds between frames: the header's exact rate, or the time column's where it has none."""
    seen = times[np.isfinite(times)]
    step = float(np.median(np.diff(seen))) if len(seen) > 1 else 0.0
    values, _ = read_numbers(rate_text or "")
    rate = values[0] if values and len(values) == 1 else 0.0
    shown = (rate_text or "")[:20]
    if rate > 0 and np.isfinite(1 / rate):
        if step > 0 and abs(step * rate - 1) > 0.02:
            message = f"DataRate says {rate:g} frames per second, the times {1 / step:.5g};"
            notes.mended(f"{message} the former is used", 3)
        note_rate(rate, notes)
        return 1.0 / rate
    if step <= 0:
        raise notes.error(f"expected a frame rate under DataRate, found {shown!r}", 3)
    notes.mended(f"DataRate is {shown!r}; the frame time {step:.6g} s is taken from the times", 3)
    return step
