"""TRC files, marker positions as a table of text with tabs, and what formats of markers share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from motionloom.io.files import decode, name_of, read_text_bytes, write_file
from motionloom.io.limits import MOST_MARKERS, Notes, check_poses
from motionloom.io.number_table import inserted, parse_rows, read_numbers
from motionloom.io.units import (
    UNIT_NAMES,
    UNITS,
    axes_to_y_up,
    check_unit,
    is_insisted,
    turn_vectors,
)
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Source
from motionloom.typing import Array, Bools, PathName

#: Extents of all markers (metres) that nothing needs to be said about: from a hand to a large
#: stage.
PLAUSIBLE_EXTENT = (0.05, 50.0)
TYPICAL_EXTENT = 1.5


@dataclass(frozen=True)
class MarkerSpace:
    """How a file's numbers become positions: metres, +Y up.

    Parameters
    ----------
    unit : float
        Metres per unit of the file.
    unit_reason : str
        Why that unit was taken.
    up : str
        The file's up axis.
    """

    unit: float
    unit_reason: str
    up: str

    def to_metres(self, positions: ArrayLike) -> Array:
        """Positions (..., 3) of the file in metres, +Y up."""
        return turn_vectors(axes_to_y_up(self.up, markers=True), positions) * self.unit

    def source(self, kind: str, path: PathName, notes: Notes, **extra: Any) -> Source:
        """Where markers come from: a format, its file, all that was noted, and the rest."""
        texts = notes.texts
        return Source(kind, str(path), self.unit, self.unit_reason, self.up, (), texts, extra)

    def from_metres(self, positions: ArrayLike) -> Array:
        """Undo `to_metres`."""
        return turn_vectors(axes_to_y_up(self.up, markers=True).T, positions) / self.unit


def find_marker_space(
    positions: Array,
    valid: Bools,
    notes: Notes,
    named: tuple[str | None, str | None],
    told: tuple[float | str | None, str | None],
    default_up: str,
) -> MarkerSpace:
    """Unit and up axis of a marker file.

    Parameters
    ----------
    positions : array of shape (T, M, 3)
        In the file's unit and axes.
    valid : bool array of shape (T, M)
        Whether the marker was seen.
    notes : Notes
        Takes guesses and what looks wrong.
    named : tuple of str or None
        Unit and up axis as the file says them; None or a unit that nobody knows leads to a guess.
    told : tuple of float (metres) or str or None
        Unit and up axis as the user says them, as `load` takes them; they win.
    default_up : str
        Up axis where the markers do not tell.

    Returns
    -------
    MarkerSpace
        Turns the file's numbers into metres, +Y up.

    Raises
    ------
    InvalidInputError
        When what the user says cannot be used.
    """
    (named_unit, named_up), (unit, up) = named, told
    low, high = _extremes(positions, valid)
    chosen_up = _choose_up(low, high, notes, named_up, up, default_up)
    metres, reason = _choose_unit(low, high, notes, named_unit, unit, "xyz".index(chosen_up))
    return MarkerSpace(metres, reason, chosen_up)


def note_rate(rate: float, notes: Notes) -> None:
    """Tell a frame rate that hardly any cameras have."""
    if not 1 <= rate <= 10_000:
        notes.guessed(f"a rate of {rate:g} frames per second is unusual; check it")


def without_zeros(positions: Array, seen: Bools, notes: Notes, why: str = "") -> Bools:
    """Which markers (T, N) were seen, those at exactly 0 0 0 not.

    Parameters
    ----------
    positions : array of shape (T, N, 3)
        Of the file.
    seen : bool array of shape (T, N)
        As the file says it.
    notes : Notes
        Told of them.
    why : str, optional
        The end of what is told.
    """
    zero: Bools = seen & (positions == 0).all(axis=-1)
    if zero.any():
        notes.guessed(f"{zero.sum()} points at exactly 0 0 0 are taken as not seen{why}")
    return seen & ~zero


def _guess_marker_up(low: Array, high: Array) -> str | None:
    """Axis along which the lowest marker stays near zero, as over a floor.

    Parameters
    ----------
    low, high : array of shape (N, 3)
        Least and largest coordinate of all markers in each frame.

    Returns
    -------
    str or None
        ``"x"``, ``"y"`` or ``"z"``; None where it is not clear.
    """
    if not len(low):
        return None
    span = np.median(high - low, axis=0)
    if not span.max() > 0:
        return None
    flat = span < 0.25 * span.max()
    wander = np.abs(np.median(low, axis=0)) + np.ptp(np.percentile(low, [5, 95], axis=0), axis=0)
    cost = np.where(flat, np.inf, wander / np.where(flat, 1.0, span))
    best, second = np.sort(cost)[:2]
    return "xyz"[int(np.argmin(cost))] if best < 0.4 and best < 0.5 * second else None


def _extremes(positions: Array, valid: Bools) -> tuple[Array, Array]:
    """Least and largest coordinates, shape (N, 3) each, of the frames where anything is seen."""
    seen = valid.any(axis=1)
    p, v = positions[seen], valid[seen][..., None]
    return np.min(p, axis=1, where=v, initial=np.inf), np.max(p, axis=1, where=v, initial=-np.inf)


def _choose_up(
    low: Array, high: Array, notes: Notes, named: str | None, told: str | None, default: str
) -> str:
    guess = _guess_marker_up(low, high)
    if told is not None:
        axes_to_y_up(told, markers=True)
        if guess is not None and guess != told:
            message = f"{told.upper()} was told to be up, but the markers stand on a floor along"
            notes.guessed(f"{message} {guess.upper()}")
        return told
    if named is None:
        why = "along it the lowest marker stays near zero" if guess else "the markers do not tell"
        message = "the file does not say which axis is up;"
        notes.guessed(f"{message} {(guess or default).upper()} is taken, as {why}")
        return guess or default
    if guess is not None and guess != named:
        message = f"the file says {named.upper()} is up, but the markers stand on a floor along"
        notes.guessed(f"{message} {guess.upper()}; if they lie down, give {guess} as the up axis")
    return named


def _choose_unit(
    low: Array, high: Array, notes: Notes, named: str | None, told: float | str | None, up: int
) -> tuple[float, str]:
    extent = float(np.median((high - low).max(axis=1))) if len(low) else 0.0
    if told is not None:
        metres = check_unit(told)
        if extent > 0 and not (
            is_insisted(told) or PLAUSIBLE_EXTENT[0] <= extent * metres <= PLAUSIBLE_EXTENT[1]
        ):
            notes.guessed(f"with the unit {told} the markers span {extent * metres:.3g} m")
        return metres, "told by the user"
    known = UNIT_NAMES.get((named or "").strip().lower())
    if known is not None:
        if extent > 0 and not PLAUSIBLE_EXTENT[0] <= extent * known <= PLAUSIBLE_EXTENT[1]:
            message = f"the file says its unit is {named}, but then the markers span"
            notes.guessed(f"{message} {extent * known:.3g} m; give the unit if that is wrong")
        return known, f"the file says {(named or '').strip()}"
    said = f"the unknown unit {named.strip()[:20]!r}" if named and named.strip() else "no unit"
    height = float(np.median(high[:, up] - low[:, up])) if len(low) else 0.0
    if not height > 0:
        notes.guessed(f"the file names {said} and nothing tells; a unit is taken as a millimetre")
        return 0.001, "taken as a millimetre"
    names = [n for n in UNITS if n.endswith("metre")]
    best = min(names, key=lambda n: abs(np.log(height * UNITS[n] / TYPICAL_EXTENT)))
    reason = f"the markers rise {height:.4g} units,"
    reason = f"{reason} which is {height * UNITS[best]:.3g} m if a unit is a {best}"
    notes.guessed(f"the file names {said}; {reason}")
    return UNITS[best], reason


def name_markers(
    labels: Sequence[str], count: int, notes: Notes, what: str = "marker"
) -> list[str]:
    """Make exactly `count` different names out of the labels of a file.

    Parameters
    ----------
    labels : sequence of str
        As the file has them; too many, too few, empty or repeated ones are noted.
    count : int
        How many there are to name.
    notes : Notes
        Takes what was made up, repeated or left over; refuses made-up and repeated names when
        strict.
    what : str, optional
        What is named; also the stem of made-up names.

    Returns
    -------
    list of str
        In the order of the labels.
    """
    labels = [label.strip() for label in labels]
    if any(labels[count:]):
        message = f"there are {len(labels)} labels for {count} {what}s;"
        notes.guessed(f"{message} the last {len(labels) - count} are left out")
    names: list[str] = []
    taken = set(labels[:count])
    made_up = repeated = 0
    used: set[str] = set()
    numbers: dict[str, int] = {}
    for i in range(count):
        name = labels[i] if i < len(labels) else ""
        if not name:
            made_up += 1
            name = _free(f"{what}{i + 1}", taken, numbers)
        elif name in used:
            repeated += 1
            name = _free(name, taken, numbers)
        used.add(name)
        taken.add(name)
        names.append(name)
    if made_up:
        notes.mended(f"{made_up} of {count} {what}s have no label; they are named by number")
    if repeated:
        notes.mended(f"{repeated} {what} labels appear more than once; a number is added to them")
    return names


def _free(name: str, taken: set[str], numbers: dict[str, int]) -> str:
    """`name`, with a number behind it where it is taken; `numbers` keeps which were tried."""
    candidate = name
    n = numbers.get(name, 2)
    while candidate in taken:
        candidate = f"{name}_{n}"
        n += 1
    numbers[name] = n
    return candidate


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
