"""The MOTION section of a BVH file: frame count, frame time and the table of channel values."""

from __future__ import annotations

import re

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.io._notes import Notes
from motionloom.io.files import decode
from motionloom.io.limits import check_frames
from motionloom.io.number_table import NumberRows, parse_rows, read_numbers, separated
from motionloom.typing import Array, Bools

#: Seconds between frames where a file does not say.
DEFAULT_FRAME_TIME = 1.0 / 30.0
#: Frame times outside of this range (seconds) are warned about.
PLAUSIBLE_FRAME_TIME = (1.0 / 2000.0, 0.2)
#: A file in which more than this share of the frames is broken is refused.
MOST_BROKEN = 0.1
#: Characters of a number that are looked at.
MOST_WORD = 400

_FRAMES = re.compile(rb"(?i)\s*Frames?[ \t]*(?::[ \t]*|[ \t]+)(?!Time)(\S*)")
_FRAME_TIME = re.compile(rb"(?i)\s*Frame[ \t_]*Time[ \t]*:?[ \t]*(\S*)")


def parse_frames(
    data: bytes, n_channels: int, first_line: int, frame_time: float | None, notes: Notes
) -> tuple[Array, float]:
    """Parse the part of a BVH file after MOTION.

    Parameters
    ----------
    data : bytes
        What follows the word MOTION, lines ended by line feeds.
    n_channels : int
        Numbers that a frame should have.
    first_line : int
        Line of the file on which `data` starts, counted from 1.
    frame_time : float, seconds, or None
        What the user knows better than the file.
    notes : Notes
        Takes what was mended; refuses mending when strict.

    Returns
    -------
    values : array of shape (T, n_channels)
        Channel values in file order, angles in degrees, of all frames that are there, whatever
        their declared number.
    frame_time : float
        Seconds between frames.

    Raises
    ------
    FormatError
        When more than a few frames do not hold `n_channels` numbers.
    InvalidInputError
        When `frame_time` is not positive.
    """
    if frame_time is not None and not (np.isfinite(frame_time) and frame_time > 0):
        told = "frame_time must be a positive number of seconds,"
        raise InvalidInputError(f"{told} got {frame_time}")
    head = _Head(data, first_line, notes)
    values = _table(data[head.stop :], n_channels, head.n_frames, head.last_line, notes)
    message = ""
    if head.n_frames is None and (len(values) or head.frame_time):
        message = f"no line 'Frames: N'; the {len(values)} frames found are taken"
    elif head.n_frames is not None and head.n_frames != len(values):
        message = f"Frames: says {head.n_frames}, found {len(values)}; those found are taken"
    if message:
        notes.mended(message, head.frames_line)
    return values, _frame_time(head, frame_time, len(values), notes)


#: Lines that tell the number of frames or their time; the last of each counts.
MOST_TOLD = 100


class _Head:
    """The lines ``Frames: N`` and ``Frame Time: SECONDS``, in either order or absent."""

    def __init__(self, data: bytes, first_line: int, notes: Notes) -> None:
        self.n_frames: int | None = None
        self.frame_time = ""
        self.frames_line = self.time_line = self.last_line = first_line
        self.stop = 0
        told = 0
        while found := _FRAME_TIME.match(data, self.stop) or _FRAMES.match(data, self.stop):
            line = self.last_line + data.count(b"\n", self.stop, found.start(1))
            word = decode(found[1][:MOST_WORD])
            if found.re is _FRAME_TIME:
                self.frame_time = word
                self.time_line = line
            else:
                self.n_frames = int(word) if re.fullmatch(r"[0-9]{1,15}", word) else None
                self.frames_line = line
            self.stop = found.end()
            self.last_line = line
            told += 1
            if told > MOST_TOLD:
                message = "'Frames:' and 'Frame Time:' are told over and over; keep one of each"
                raise notes.error(message, line)


def _frame_time(head: _Head, told: float | None, n_frames: int, notes: Notes) -> float:
    if told is not None:
        return float(told)
    numbers, _ = read_numbers(head.frame_time)
    value = numbers[0] if numbers else 0.0
    if not value > 1e-9:
        if n_frames or head.frame_time:
            found = f"found {head.frame_time[:40]!r}" if head.frame_time else "found none"
            taken = "1/30 s taken; give the right rate"
            notes.mended(f"expected 'Frame Time: SECONDS', {found}; {taken}", head.time_line)
        return DEFAULT_FRAME_TIME
    if n_frames > 1 and not PLAUSIBLE_FRAME_TIME[0] <= value <= PLAUSIBLE_FRAME_TIME[1]:
        say = f"a rate of {value:.6g} (a frame time of {1 / value:.6g} s)"
        hint = f"; if these are frames per second, give {say}" if value >= 1 else ""
        found = f"line {head.time_line}: frame time {head.frame_time} s"
        notes.guessed(f"{found} is implausible, taken as it is{hint}")
    return value


def _table(
    block: bytes, n_channels: int, declared: int | None, first_line: int, notes: Notes
) -> Array:
    rows = parse_rows(block)
    if not len(rows.lines) or not n_channels:
        return np.zeros((0, n_channels))
    check_frames(len(rows.lines), notes.path)
    counts = np.diff(rows.starts)
    good = (counts == n_channels) & ~rows.bad
    if good.all():
        return rows.values.reshape(-1, n_channels)
    if not rows.bad.any() and len(rows.values) == n_channels * (declared or -1):
        line = first_line + int(rows.lines[np.argmin(good)])
        notes.mended("frames do not have a line each; cut by their number of values", line)
        return rows.values.reshape(-1, n_channels)
    return _mend_rows(block, rows, good, n_channels, first_line, notes)


def _mend_rows(
    block: bytes, rows: NumberRows, good: Bools, n_channels: int, first_line: int, notes: Notes
) -> Array:
    """Table of all readable rows; a broken one in between repeats the last one: timing stays."""
    table = np.zeros((len(good), n_channels))
    mended = np.zeros(len(good), bool)
    last = rows
    for text in dict.fromkeys((block, separated(block), separated(block, ","))):
        last = parse_rows(text)
        counts = np.diff(last.starts)
        fits = (counts == n_channels) & ~last.bad & ~mended
        table[fits] = last.values[np.repeat(fits, counts)].reshape(-1, n_channels)
        mended |= fits
    separate = np.flatnonzero(mended & ~good)
    broken = np.flatnonzero(~mended)
    if len(separate):
        more_lines = f" (and {len(separate) - 1} lines more)" if len(separate) > 1 else ""
        line = first_line + int(rows.lines[separate[0]])
        notes.mended(f"numbers run together or with decimal commas; separated{more_lines}", line)
    if len(broken) and (not mended.any() or len(broken) > max(1, MOST_BROKEN * len(good))):
        what = _describe(block, rows, int(broken[0]), n_channels)
        share = f"; {len(broken)} of {len(good)} lines are like that" if len(broken) > 1 else ""
        line = first_line + int(rows.lines[broken[0]])
        raise notes.error(f"{what}, one for each channel of the HIERARCHY{share}", line)
    keep = np.ones(len(good), bool)
    for r in broken:
        # Text among the numbers is no frame; neither is a last line that was cut short.
        own = last.values[last.starts[r] : last.starts[r + 1]]
        keep[r] = r < len(good) - 1 and np.isfinite(own).any()
        mending = "the frame before is repeated" if keep[r] else "left out"
        what = _describe(block, rows, int(r), n_channels)
        notes.mended(f"{what}; {mending}", first_line + int(rows.lines[r]))
    latest = np.maximum.accumulate(np.where(mended, np.arange(len(good)), -1))
    latest[latest < 0] = np.argmax(mended)
    return table[latest][keep]


def _describe(block: bytes, rows: NumberRows, r: int, n_channels: int) -> str:
    count = int(rows.starts[r + 1] - rows.starts[r])
    odd = next((word for word in rows.words(block, r) if read_numbers(word)[0] is None), None)
    found = f"found {count} numbers" if odd is None else f"found {odd[:40]!r} among {count} words"
    return f"{found}, expected {n_channels} numbers"
