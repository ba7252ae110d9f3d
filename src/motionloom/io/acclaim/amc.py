"""Acclaim motion files (AMC): frames of numbers for the degrees of freedom of an ASF skeleton.

The frames are read into one table, line by line or at once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress
from os import fspath
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError, InvalidInputError
from motionloom.euler_coordinates import EulerCoordinates
from motionloom.io.acclaim._asf import LARGEST, AsfSkeleton, Bone, read_asf, shown
from motionloom.io.files import decode, name_of, read_text_bytes, write_file
from motionloom.io.limits import Notes, check_frames, check_poses
from motionloom.io.number_table import parse_rows, without_comments
from motionloom.io.units import axes_to_y_up, body_height, check_unit, guess_unit
from motionloom.motion import Motion, Source
from motionloom.typing import Array, Bools, Ints, PathName

_FRAME_TIME = re.compile(
    r"^[^\S\n]*+# frame time (\d{1,20}(?:\.\d{1,40})?(?:e[-+]?\d{1,3})?) s[^\S\n]*+$",
    re.ASCII | re.I | re.M,
)
_DEGREES = re.compile(r"^[^\S\n]*+:(deg|rad)", re.I | re.M)
_FRAME_NUMBER = re.compile(rb"^[^\S\n]*+[0-9]++[^\S\n]*+(?:#.*)?$", re.M)
_FIRST_WORD = re.compile(rb"^[^\S\n]*+(\S++)", re.M)


@dataclass(frozen=True, eq=False)
class AmcTable:
    """The numbers of an AMC file, in the file's units.

    Parameters
    ----------
    bones : tuple of str
        In the order of the file.
    values : array of shape (T, columns)
        Each bone's numbers, bone after bone.
    degrees : bool or None
        Whether the file says degrees or radians; None when it says nothing.
    frame_time : float or None, seconds
        From the comment that `write_amc` leaves; None in files of others, as the format does not
        hold it.
    """

    bones: tuple[str, ...]
    values: Array
    degrees: bool | None = None
    frame_time: float | None = None


def parse_frames(data: bytes, bones: Mapping[str, Bone], notes: Notes) -> AmcTable:
    """Read all frames.

    Parameters
    ----------
    data : bytes
        The file, lines ended by line feeds.
    bones : mapping of str to Bone
        Those of the skeleton.
    notes : Notes
        Takes what was mended; refuses mending when strict.

    Returns
    -------
    AmcTable
        The numbers of all frames, in the file's units.

    Raises
    ------
    FormatError
        When a line is not a frame number and not a bone with the right count of numbers, or the
        frames would become far more than the file holds.
    """
    start = _FRAME_NUMBER.search(data)
    if start is None:
        message = "no frame found (a line with only a frame number); this is not an AMC motion file"
        raise notes.error(message)
    lines = _Lines(data, start.start(), bones, notes)
    degrees, frame_time = _parse_head(decode(data[: start.start()]))
    return replace(_table(lines, notes), degrees=degrees, frame_time=frame_time)


def _parse_head(text: str) -> tuple[bool | None, float | None]:
    """Whether angles are degrees, and the frame time, if lines before the first frame say so."""
    units = [found[1].lower() == "deg" for found in _DEGREES.finditer(text)]
    times = [float(found[1]) for found in _FRAME_TIME.finditer(text)]
    known = [time for time in times if 1e-6 < time < 1e6]
    return units[-1] if units else None, known[-1] if known else None


def format_head(skeleton: str, degrees: bool, frame_time: float) -> str:
    """First lines of a file; the frame time is a comment, as the format has no place for it.

    Parameters
    ----------
    skeleton : str
        ASF file, as seen from the folder of the AMC file.
    degrees : bool
        Whether angles are degrees; else radians.
    frame_time : float, seconds
        Time between frames.

    Returns
    -------
    str
        Lines, each with its line feed.
    """
    words = [f"#!OML:ASF {skeleton}", f"# frame time {frame_time!r} s", ":FULLY-SPECIFIED"]
    return "\n".join([*words, ":DEGREES" if degrees else ":RADIANS", ""])


def format_frames(bones: Sequence[tuple[str, int]], values: Array) -> str:
    """Text of frames 1 to T.

    Parameters
    ----------
    bones : sequence of (str, int)
        Name of each bone and its number of columns.
    values : array of shape (T, columns)
        Each bone's numbers, bone after bone, in the file's units.

    Returns
    -------
    str
        Lines, each with its line feed.
    """
    frame = "".join(f"{name}{' %.9g' * count}\n" for name, count in bones)
    values = np.where(np.abs(values) < 1e-12, 0.0, values)
    return "".join(f"{i}\n{frame % tuple(row)}" for i, row in enumerate(values.tolist(), 1))


class _Lines:
    """The lines from the first frame on, each a frame number or a bone with its numbers.

    A wrong last line is forgiven: the file was cut there. `cut_short` then is what is wrong with
    it.
    """

    def __init__(self, data: bytes, start: int, bones: Mapping[str, Bone], notes: Notes) -> None:
        self.bones = bones
        self.notes = notes
        self.names = tuple(bones)
        self.dofs = np.array([len(bone.freedoms) for bone in bones.values()])
        self.first_line = data.count(b"\n", 0, start) + 1
        self.text = without_comments(data[start:])
        self.rows = parse_rows(self.text)
        self.counts = np.diff(self.rows.starts)
        # Every frame number stands alone in its row; far too many are refused before more is made
        # of them.
        check_frames(int(((self.counts == 1) & ~self.rows.bad).sum()), notes.path)
        self.is_number = self._are_numbers()
        check_poses(int(self.is_number.sum()), len(bones), len(data), notes.path)
        self.ids = self._bone_of_each()
        self.n = len(self.counts)
        self.cut_short: FormatError | None = None
        for wrong in self._wrong()[:1].tolist():
            self.cut_short = self._error(wrong)
            if wrong < self.n - 1:
                raise self.cut_short
            self.n = wrong

    def line(self, r: int) -> int:
        """Line of the file on which row `r` stands."""
        return self.first_line + int(self.rows.lines[r])

    def words(self, r: int) -> list[str]:
        """Words of row `r`; of very many the first."""
        return self.rows.words(self.text, r)

    def _are_numbers(self) -> Bools:
        """Which rows are nothing but digits."""
        text = np.frombuffer(self.text, np.uint8)
        digit = (text >= ord("0")) & (text <= ord("9"))
        blank = (text == ord(" ")) | ((text >= 9) & (text <= 13))
        others = np.concatenate([[0], np.cumsum(~(digit | blank), dtype=np.int32)])
        ends = np.append(self.rows.offsets[1:], len(text))
        return (self.counts == 1) & (others[ends] == others[self.rows.offsets])

    def _bone_of_each(self) -> Ints:
        """Number of the bone that begins each row: -1 for a frame number, -2 for no bone."""
        known = {name.lower(): i for i, name in enumerate(self.names)}
        number_of = lru_cache(4096)(lambda word: known.get(decode(word).lower(), -2))
        ids = np.full(len(self.counts), -1)
        words = compress(_FIRST_WORD.findall(self.text), (~self.is_number).tolist())
        ids[~self.is_number] = [number_of(word) for word in words]
        return ids

    def _wrong(self) -> Ints:
        """Rows that are neither."""
        good = np.abs(self.rows.values) <= LARGEST
        good[self.rows.starts[:-1]] = True
        bad = np.add.reduceat(~good, self.rows.starts[:-1], dtype=np.int64) > 0
        wanted = 1 + np.where(self.ids >= 0, self.dofs[self.ids], 0)
        wrong = (self.ids == -2) | bad | (self.counts != wanted)
        return np.flatnonzero(wrong & ~self.is_number)

    def _error(self, r: int) -> FormatError:
        """What is wrong with row `r`."""
        words = self.words(r)
        line = self.line(r)
        found = int(self.counts[r]) - 1
        if self.ids[r] == -2:
            message = f"{shown(words[:1])} is neither a frame number nor a bone of the skeleton"
            return self.notes.error(message, line)
        name = self.names[self.ids[r]]
        count = int(self.dofs[self.ids[r]])
        if found != count:
            return self.notes.error(
                f"bone {name!r} has {count} degrees of freedom, found {found} numbers", line
            )
        try:
            [float(word) for word in words[1:]]
        except ValueError:
            return self.notes.error(
                f"bone {name!r} needs {count} numbers, found {shown(words[1:])}", line
            )
        return self.notes.error(f"bone {name!r} has a number beyond {LARGEST:g}", line)


def _table(lines: _Lines, notes: Notes) -> AmcTable:
    """The frames as one table; a missing bone keeps its numbers from the frame before."""
    ids = lines.ids[: lines.n]
    is_number = lines.is_number[: lines.n]
    heads = np.flatnonzero(is_number)
    frame = np.cumsum(is_number) - 1
    present = np.zeros((len(heads), len(lines.names)), bool)
    present[frame[~is_number], ids[~is_number]] = True
    held = present.sum(axis=1)
    number = " ".join(lines.words(int(heads[-1])))[:15]
    seen, first = np.unique(ids[~is_number], return_index=True)
    order = seen[np.argsort(first)]
    n = len(heads)
    if lines.cut_short is not None or (n > 1 and held[-1] < held[-2]):
        notes.mended(f"the file ends in the middle of frame {int(number)}; that frame is left out")
        n -= 1
    if not n or not len(order):
        raise lines.cut_short or notes.error("the file ends before its first frame is complete")
    _note_order(lines, heads, frame, ids, notes)
    _note_missing(lines, present[:n], order, notes)
    return AmcTable(tuple(lines.names[i] for i in order), _values(lines, order, ids, frame, n))


def _values(lines: _Lines, order: Ints, ids: Ints, frame: Ints, n: int) -> Array:
    """Numbers (n, columns) of the bones in `order`; gaps hold the last, zero before the first."""
    ends = np.cumsum(lines.dofs[order])
    table = np.zeros((n, int(ends[-1])))
    by_bone = np.argsort(ids, kind="stable")
    stops = np.searchsorted(ids[by_bone], order, side="right")
    starts = np.searchsorted(ids[by_bone], order, side="left")
    for i, start, stop, end in zip(order, starts, stops, ends, strict=True):
        own = by_bone[start:stop]
        own = own[frame[own] < n]
        width = int(lines.dofs[i])
        if not width or not len(own):
            continue
        latest = np.full(n, -1)
        latest[frame[own]] = np.arange(len(own))
        latest = np.maximum.accumulate(latest)
        places = lines.rows.starts[own][:, None] + np.arange(1, width + 1)
        since = int(np.argmax(latest >= 0))
        table[since:, end - width : end] = lines.rows.values[places[latest[since:]]]
    return table


def _note_order(lines: _Lines, heads: Ints, frame: Ints, ids: Ints, notes: Notes) -> None:
    """Tell frame numbers that jump, and bones that come twice in a frame."""
    numbers = lines.rows.values[lines.rows.starts[heads]]
    jumps = np.flatnonzero(~(np.diff(numbers) == 1)) + 1
    if len(jumps):
        was, now = (int("".join(lines.words(int(heads[k])))[:15]) for k in (jumps[0] - 1, jumps[0]))
        said = f"frame {now} follows frame {was}; read as the next one"
        _note_all(said, len(jumps), lines.line(heads[jumps[0]]), notes)
    rows = np.flatnonzero(ids >= 0)
    key = frame[rows] * len(lines.names) + ids[rows]
    order = np.argsort(key, kind="stable")
    again = np.sort(rows[order[1:]][key[order][1:] == key[order][:-1]])
    if len(again):
        name = lines.names[ids[again[0]]]
        said = f"bone {name!r} comes twice in one frame; the last counts"
        _note_all(said, len(again), lines.line(again[0]), notes)


def _note_all(message: str, count: int, line: int, notes: Notes) -> None:
    notes.mended(message + (f" (and {count - 1} times more below)" if count > 1 else ""), line)


def _note_missing(lines: _Lines, present: Bools, order: Ints, notes: Notes) -> None:
    missing = len(present) - present.sum(axis=0)
    for i in order:
        if missing[i]:
            more = f" and {missing[i] - 1} more" if missing[i] > 1 else ""
            kept = "kept as it was before (at rest at the start)"
            first = int(np.argmin(present[:, i])) + 1
            notes.mended(f"bone {lines.names[i]!r} is missing in frame {first}{more}; {kept}")


#: Seconds between frames; the format does not store it, and the one large public collection has 120
#: per second.
DEFAULT_FRAME_TIME = 1.0 / 120.0


def read_amc(
    path: PathName,
    *,
    skeleton: PathName | None = None,
    unit: float | str | None = None,
    up: str | None = None,
    frame_time: float | None = None,
    strict: bool = False,
) -> Motion:
    """Read an AMC file with its ASF skeleton.

    Parameters
    ----------
    path : path-like
        The AMC file.
    skeleton : path-like, optional
        The ASF file; otherwise looked for beside the AMC file by name (``16_15.amc``:
        ``16_15.asf``, ``16.asf``, the name in the first line), then the only ASF file in the
        folder.
    unit : float, metres, optional
        Length of the file's unit; otherwise an inch divided by the ``length`` of the skeleton
        file's units.
    up : str, optional
        The file's up axis, ``"x"``, ``"y"`` or ``"z"``; otherwise Y, as the format has it.
    frame_time : float, seconds, optional
        Time between frames, which the format does not hold; otherwise what `write_amc` left in a
        comment, else 1/120.
    strict : bool, optional
        Refuse a file that breaks its format instead of mending it with a warning; guesses are
        warned about all the same.

    Returns
    -------
    Motion
        Its joints are the bones, each at the start of its bone. ``source.extra["coordinates"]`` are
        the file's degrees of freedom as `EulerCoordinates`, ``source.extra["first_values"]`` their
        values in the first frame.

    Raises
    ------
    FormatError
        When no skeleton is found or either file cannot be read; the message names file and line.
    """
    data = read_text_bytes(path)
    notes = Notes(path, strict)
    found = find_skeleton(path, decode(data[:2000])) if skeleton is None else skeleton
    asf = read_asf(found, strict=strict)
    table = parse_frames(data, asf.by_name, notes)
    if table.degrees is None:
        own = "degrees" if asf.degrees else "radians"
        notes.mended(f"no :DEGREES line; angles taken as the skeleton's {own}")
    frame_time = table.frame_time if frame_time is None else frame_time
    if frame_time is None:
        frame_time = DEFAULT_FRAME_TIME
        message = "AMC files do not hold the frame rate; 120 per second taken; give the right rate"
        notes.guessed(message)
    scale, reason = _choose_unit(unit, asf, notes)
    axes = axes_to_y_up(up or "y")
    coordinates = asf.coordinates(asf.skeleton(scale, axes), scale, axes, table.bones)
    degrees = asf.degrees if table.degrees is None else table.degrees
    values = _in_order(table.values, _column_names(asf, table.bones), coordinates.names)
    values = values * _unit_of_each(coordinates, degrees, scale)
    extra = {"asf": asf, "coordinates": coordinates, "first_values": values[0], "degrees": degrees}
    texts = (*asf.notes, *notes.texts)
    source = Source("amc", fspath(path), scale, reason, up=up or "y", warnings=texts, extra=extra)
    return coordinates.to_motion(values, frame_time, name=name_of(path), source=source)


def find_skeleton(path: PathName, text: str = "") -> Path:
    """ASF file of an AMC file: by name, by the AMC's first line, or the only one in the folder.

    Parameters
    ----------
    path : path-like
        The AMC file.
    text : str, optional
        How the AMC file begins; its first line may name the ASF file.

    Returns
    -------
    Path
        The ASF file.

    Raises
    ------
    FormatError
        When there is none or the choice is not clear.
    """
    path = Path(path)
    found = sorted(path.parent.glob("*.[aA][sS][fF]"))
    by_stem = {p.stem.lower(): p for p in found}
    stem = path.stem.lower()
    for candidate in (stem, stem.rpartition("_")[0]):
        if candidate in by_stem:
            return by_stem[candidate]
    head = text[:2000].splitlines()[:1]
    if head and head[0].lower().startswith("#!oml:asf"):
        named = head[0][len("#!oml:asf") :].strip().replace("\\", "/")
        for place in (path.parent / named, path.parent / named.rpartition("/")[2]):
            if os.path.isfile(place):  # False, not an error, for names that no file can have
                return place
    if len(found) == 1:
        return found[0]
    some = ", ".join(p.name for p in found[:5])
    seen = f"its folder holds {some}" if found else "there is none in its folder"
    message = f"no ASF skeleton found for this AMC file ({seen}); name it with the option skeleton"
    raise FormatError(message, path)


def _choose_unit(told: float | str | None, asf: AsfSkeleton, notes: Notes) -> tuple[float, str]:
    """Metres per unit of length, and why: an inch over its length, unless that makes no human."""
    if told is not None:
        return check_unit(told), "told by the user"
    unit = 0.0254 / asf.length_unit
    height, kind = body_height(asf.skeleton(1.0))
    if kind != "human" or 1.0 <= height * unit <= 2.5:
        return unit, f"an inch divided by the skeleton file's length {asf.length_unit:g}"
    guess, reason, _ = guess_unit(height, kind)
    message = f"length {asf.length_unit:g} in inches would make the body {height * unit:.3g} m"
    notes.guessed(f"{message} tall; {reason}")
    return guess, reason


def write_amc(motion: Motion, path: PathName, *, skeleton: PathName | None = None) -> None:
    """Write a motion as AMC for the ASF skeleton it was read with, or one of the same bones.

    Angles are continuous over time and start on the branch of the file that was read. Joints turn
    only about the axes that the skeleton file gives them; other rotations become the closest that
    these axes allow.

    Parameters
    ----------
    motion : Motion
        A motion of the skeleton.
    path : path-like
        Where to write.
    skeleton : path-like, optional
        ASF file; otherwise the one in ``motion.source``.

    Raises
    ------
    InvalidInputError
        When no ASF skeleton is known, or the motion has other bones or no frames.
    """
    if motion.n_frames == 0:
        raise InvalidInputError("an AMC file needs at least one frame; this motion has none")
    asf, coordinates, scale = find_coordinates(motion, skeleton)
    own = motion.source.extra if asf is motion.source.extra.get("asf") else {}
    near = own.get("first_values")
    degrees = own.get("degrees", asf.degrees)
    values = coordinates.to_coordinates(motion, near) / _unit_of_each(coordinates, degrees, scale)
    order = tuple(dict.fromkeys(coordinates.skeleton.names[j] for j in coordinates.joints))
    table = _in_order(values, coordinates.names, _column_names(asf, order))
    counts = [(bone, len(asf.by_name[bone].freedoms)) for bone in order]
    head = format_head(_beside(asf.path, path), degrees, motion.frame_time)
    write_file(path, head + format_frames(counts, table))


def find_coordinates(
    motion: Motion, skeleton: PathName | None = None
) -> tuple[AsfSkeleton, EulerCoordinates, float]:
    """What writing a motion as AMC needs.

    Parameters
    ----------
    motion : Motion
        The motion to write.
    skeleton : path-like, optional
        ASF file; otherwise, or when it is the same, what is in ``motion.source``.

    Returns
    -------
    asf : AsfSkeleton
        The skeleton file as it is written.
    coordinates : EulerCoordinates
        Its degrees of freedom.
    unit : float
        Metres per unit of length.

    Raises
    ------
    InvalidInputError
        When no ASF skeleton is known, or the motion has other bones.
    FormatError
        When the ASF file cannot be read.
    """
    own = motion.source.extra.get("asf")
    if skeleton is None and not isinstance(own, AsfSkeleton):
        message = "an AMC file needs an ASF skeleton;"
        raise InvalidInputError(f"{message} name it with the option skeleton, or write BVH")
    if isinstance(own, AsfSkeleton) and (
        skeleton is None or Path(skeleton).resolve() == Path(own.path).resolve()
    ):
        asf = own
        scale = motion.source.unit
        coordinates = motion.source.extra["coordinates"]
    else:
        assert skeleton is not None
        asf = read_asf(skeleton)
        scale = _choose_unit(None, asf, Notes(skeleton))[0]
        coordinates = asf.coordinates(asf.skeleton(scale), scale)
    if not motion.skeleton.matches(coordinates.skeleton):
        message = f"the motion's bones differ from those of the skeleton file {asf.path};"
        raise InvalidInputError(f"{message} give the one it belongs to, or write BVH")
    return asf, coordinates, scale


def _column_names(asf: AsfSkeleton, order: tuple[str, ...]) -> list[str]:
    """Name of each number of a frame, as coordinates are named, for bones in this order."""
    return [f"{name}.{freedom}" for name in order for freedom in asf.by_name[name].freedoms]


def _in_order(values: Array, names: Sequence[str], wanted: Sequence[str]) -> Array:
    """Columns of a table by other names in another order; 0 where there is none."""
    column = dict(zip(names, values.T, strict=True))
    still = np.zeros(len(values))
    return np.column_stack([column.get(name, still) for name in wanted])


def _unit_of_each(coordinates: EulerCoordinates, degrees: bool, unit: float) -> Array:
    """Metres or radians per unit of each coordinate in the file, shape (D,)."""
    return np.where(coordinates.rotational, np.pi / 180 if degrees else 1.0, unit)


def _beside(asf: str, path: PathName) -> str:
    """Skeleton file as seen from the folder of `path`; only its name where no such path exists."""
    try:
        return os.path.relpath(asf, Path(path).parent).replace(os.sep, "/")
    except ValueError:  # another drive
        return Path(asf).name
