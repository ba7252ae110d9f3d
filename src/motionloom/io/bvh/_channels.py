"""Channel values of a BVH file to rotations and translations, and back.

Angles are intrinsic and applied in the order of the channels, whatever lies between them. Position
channels are in the parent's frame, wherever in the list they stand:

* ``absolute`` (the rule): the channel replaces that component of OFFSET.
* ``added``: the channel is added to OFFSET, as some exporters have it.

Which of the two a file means is decided once for all its joints, by `guess_positions`.

Quaternions of whole tables of Euler angles.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.files import decode
from motionloom.io.limits import Notes, check_frames
from motionloom.io.number_table import NumberRows, parse_rows, read_numbers, separated
from motionloom.typing import Array, Bools, Ints

Channels = Sequence[Sequence[str]]
POSITIONS = ("absolute", "added")
#: Channels of joints that no file prescribes.
DEFAULT_POSITIONS = ("Xposition", "Yposition", "Zposition")
DEFAULT_ORDER = "ZXY"


def first_columns(channels: Channels) -> Ints:
    """Column of each joint's first channel, shape (J + 1,)."""
    return np.cumsum([0, *map(len, channels)])


def _rotation_order(names: Sequence[str]) -> str:
    """Axes of a joint's rotation channels in order, such as ``"ZXY"``; empty without any."""
    return "".join(name[0] for name in names if name.endswith("rotation"))


def _rotation_groups(channels: Channels) -> dict[str, tuple[Ints, Ints]]:
    """Joints of each rotation order and their columns: order -> ((n,), (n, len(order)))."""
    groups: dict[str, list[list[int]]] = {}
    for j, (names, first) in enumerate(zip(channels, first_columns(channels), strict=False)):
        columns = [int(first) + k for k, name in enumerate(names) if name.endswith("rotation")]
        groups.setdefault(_rotation_order(names), []).append([j, *columns])
    rows = {order: np.array(members) for order, members in groups.items() if order}
    return {order: (own[:, 0], own[:, 1:]) for order, own in rows.items()}


def read_rotations(values: Array, channels: Channels) -> Array:
    """Quaternions of a table of channel values.

    Parameters
    ----------
    values : array of shape (T, C), degrees
        Angles among other channels.
    channels : sequence of sequence of str
        Channel names of each joint, such as ``"Zrotation"``.

    Returns
    -------
    array of shape (T, J, 4)
        Unit quaternions (w, x, y, z) relative to the parents.
    """
    quaternions = rot.identity(len(values), len(channels))
    for order, (joints, columns) in _rotation_groups(channels).items():
        quaternions[:, joints] = rot.from_euler(np.radians(values[:, columns]), order)
    return quaternions


def _position_columns(channels: Channels) -> dict[int, list[tuple[int, int]]]:
    """Position channels of each joint that has any: joint -> [(column, axis)]."""
    found: dict[int, list[tuple[int, int]]] = {}
    for j, (names, first) in enumerate(zip(channels, first_columns(channels), strict=False)):
        for column, name in enumerate(names, int(first)):
            if name.endswith("position"):
                found.setdefault(j, []).append((column, "XYZ".index(name[0])))
    return found


def read_translations(
    values: Array, channels: Channels, offsets: Array, positions: str
) -> dict[int, Array]:
    """Positions in the parent's frame of every joint that has position channels.

    Parameters
    ----------
    values : array of shape (T, C)
        Channel values, positions in the file's unit.
    channels : sequence of sequence of str
        Channel names of each joint.
    offsets : array of shape (J, 3)
        OFFSET of each joint, in the file's unit.
    positions : str
        ``"absolute"`` when channels replace OFFSET, ``"added"`` when they are added to it.

    Returns
    -------
    dict of int to array of shape (T, 3)
        By joint, in the file's unit.

    Raises
    ------
    InvalidInputError
        When `positions` is neither.
    """
    if positions not in POSITIONS:
        message = f"positions must be one of {', '.join(POSITIONS)}, got {positions!r}"
        raise InvalidInputError(message)
    translations = {}
    for j, columns in _position_columns(channels).items():
        t = np.repeat(offsets[j][None], len(values), axis=0)
        for column, axis in columns:
            t[:, axis] = values[:, column] + (offsets[j, axis] if positions == "added" else 0.0)
        translations[j] = t
    return translations


def guess_positions(values: Array, channels: Channels, offsets: Array) -> str:
    """Whether position channels are ``"absolute"`` or ``"added"``.

    An absolute channel stays near OFFSET, an added one near 0. Joints below the root decide
    together, each by the components in which its OFFSET is large. Where they have no such channels
    the root decides, and must be clear, as it travels: every component in which its OFFSET is not
    small has to stay within a quarter of it from 0. What is not clear is absolute.

    Parameters
    ----------
    values : array of shape (T, C)
        Channel values, positions in the file's unit.
    channels : sequence of sequence of str
        Channel names of each joint.
    offsets : array of shape (J, 3)
        OFFSET of each joint, in the file's unit.

    Returns
    -------
    str
        One of `POSITIONS`.
    """
    columns = _position_columns(channels)
    if not len(values):
        return "absolute"
    below = [_distances(values, columns[j], offsets[j], 0.5) for j in columns if j]
    votes = np.concatenate([np.zeros((0, 2)), *below])
    if len(votes):
        from_offset, from_zero = votes.clip(max=1.0).mean(axis=0)
        return "added" if from_zero < 0.5 * from_offset else "absolute"
    root = _distances(values, columns.get(0, []), offsets[0], 0.1)
    added = len(root) > 0 and np.all((root[:, 1] < 0.25) & (root[:, 0] > 0.75))
    return "added" if added else "absolute"


def _distances(values: Array, columns: list[tuple[int, int]], offset: Array, share: float) -> Array:
    """Median distances of channels from OFFSET and from 0 in units of OFFSET, shape (n, 2).

    Only for components of OFFSET above `share` of its largest.
    """
    large = [(c, a) for c, a in columns if abs(offset[a]) > max(share * np.abs(offset).max(), 1e-9)]
    distances = [
        [np.median(np.abs(values[:, c] - start)) / abs(offset[a]) for start in (offset[a], 0.0)]
        for c, a in large
    ]
    return np.array(distances).reshape(-1, 2)


def write_values(
    rotations: Array,
    translations: Array,
    offsets: Array,
    channels: Channels,
    positions: str,
    near: Array | None,
) -> Array:
    """Table of channel values; angles are on the branch nearest to the frame before.

    Parameters
    ----------
    rotations : array of shape (T, J, 4)
        Unit quaternions (w, x, y, z) relative to the parents.
    translations : array of shape (T, J, 3)
        Positions of all joints in their parent's frame, in the file's unit.
    offsets : array of shape (J, 3)
        In the file's unit.
    channels : sequence of sequence of str
        Channel names of each joint.
    positions : str
        ``"absolute"`` or ``"added"``.
    near : array of shape (C,), optional
        Values that come before the first frame, to choose its branch of angles.

    Returns
    -------
    array of shape (T, C)
        Angles in degrees, positions in the file's unit.
    """
    values = np.zeros((len(rotations), int(first_columns(channels)[-1])))
    if not len(values):
        return values
    for order, (joints, columns) in _rotation_groups(channels).items():
        angles = rot.to_euler(rotations[:, joints], order)
        before = angles[:0] if near is None else np.radians(near[columns])[None]
        unrolled = rot.unroll_euler(np.concatenate([before, angles]), order)
        values[:, columns] = np.degrees(unrolled[len(before) :])
    for j, places in _position_columns(channels).items():
        for column, axis in places:
            start = offsets[j, axis] if positions == "added" else 0.0
            values[:, column] = translations[:, j, axis] - start
    return values


def choose_channels(
    n_joints: int, old: Channels, rotations: Array, displacements: Array, translated: Sequence[int]
) -> tuple[tuple[str, ...], ...]:
    """Channels to write: each joint's old ones, and those that its motion cannot do without.

    Parameters
    ----------
    n_joints : int
        Number of joints J.
    old : sequence of sequence of str
        Channels of the file the motion came from; empty when there is none.
    rotations : array of shape (T, J, 4)
        Unit quaternions (w, x, y, z) relative to the parents.
    displacements : array of shape (T, J, 3)
        Positions less offsets.
    translated : sequence of int
        Joints that get position channels when there are no old ones.

    Returns
    -------
    tuple of tuple of str
        Channel names of each joint.
    """
    if not old:
        return channels_in_order(n_joints, DEFAULT_ORDER, translated)
    chosen = []
    for j, names in enumerate(old):
        order = _rotation_order(names)
        if not _expresses(rotations[:, j], order):
            spare = [axis for axis in DEFAULT_ORDER if axis not in order]
            names = (*names, *(f"{axis}rotation" for axis in spare[: 3 - len(order)]))
        moves = np.abs(displacements[:, j]).max(axis=0, initial=0.0) > 1e-6
        lacking = [n for n, m in zip(DEFAULT_POSITIONS, moves, strict=True) if m and n not in names]
        chosen.append((*lacking, *names))
    return tuple(chosen)


def check_order(order: str) -> str:
    """Three different axes in upper case, the order of all joints' rotation channels.

    Raises
    ------
    InvalidInputError
        When they are not three different axes.
    """
    if sorted(str(order).upper()) != ["X", "Y", "Z"]:
        message = "the order of rotations must have X, Y and Z once each, such as ZXY,"
        raise InvalidInputError(f"{message} got {order!r}")
    return order.upper()


def channels_in_order(
    n_joints: int, order: str, translated: Sequence[int]
) -> tuple[tuple[str, ...], ...]:
    """Channels with three rotations in one order for all joints, and positions where they move.

    Parameters
    ----------
    n_joints : int
        Number of joints J.
    order : str
        Such as ``"ZXY"``.
    translated : sequence of int
        Joints that get position channels besides the root.

    Returns
    -------
    tuple of tuple of str
        Channel names of each joint.
    """
    rotations = tuple(f"{axis}rotation" for axis in check_order(order))
    moving = {0, *translated}
    return tuple((*DEFAULT_POSITIONS * (j in moving), *rotations) for j in range(n_joints))


def _expresses(quaternions: Array, order: str) -> bool:
    """Whether turns about these axes can make up the rotations, within a microradian."""
    if len(order) == 3:
        return True
    closest = rot.from_euler(rot.to_euler(quaternions, order), order) if order else rot.identity()
    return bool(np.all(rot.angle_between(closest, quaternions) < 1e-6))


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
