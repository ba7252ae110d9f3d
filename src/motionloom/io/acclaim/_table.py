"""The table of numbers in an AMC file: text <-> one row a frame."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress

import numpy as np

from motionloom.errors import FormatError
from motionloom.io._notes import Notes
from motionloom.io.acclaim._asf import LARGEST, Bone, shown
from motionloom.io.files import decode
from motionloom.io.limits import check_frames, check_poses
from motionloom.io.number_table import parse_rows, without_comments
from motionloom.typing import Array, Bools, Ints

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
