"""Channel values of a BVH file to rotations and translations, and back.

Angles are intrinsic and applied in the order of the channels, whatever lies between them. Position
channels are in the parent's frame, wherever in the list they stand:

* ``absolute`` (the rule): the channel replaces that component of OFFSET.
* ``added``: the channel is added to OFFSET, as some exporters have it.

Which of the two a file means is decided once for all its joints, by `guess_positions`.

Quaternions of whole tables of Euler angles.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.typing import Array, Ints

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
