"""Text of a BVH file."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Ints

#: Deeper levels are not indented further: a chain of thousands of joints would be mostly blanks.
MOST_INDENTS = 60
_NOT_IN_NAMES = re.compile(r"[{}\s]+")


def file_order(skeleton: Skeleton) -> list[int]:
    """Joints depth first, siblings in order: as a BVH file must list them."""
    order = []
    stack = [0]
    while stack:
        joint = stack.pop()
        order.append(joint)
        stack.extend(reversed(skeleton.children[joint]))
    return order


def format_hierarchy(
    skeleton: Skeleton,
    offsets: Array,
    end_offsets: Array,
    channels: Sequence[Sequence[str]],
    order: Sequence[int],
) -> str:
    """HIERARCHY section of a BVH file; lengths are written as they are given.

    Parameters
    ----------
    skeleton : Skeleton
        Gives names and tree.
    offsets : array of shape (J, 3)
        OFFSET of each joint, in the file's unit and axes.
    end_offsets : array of shape (E, 3)
        OFFSET of each end site.
    channels : sequence of sequence of str
        Channel names of each joint.
    order : sequence of int
        Joints in the order of the file; see `file_order`.

    Returns
    -------
    str
        Lines, each with its line feed.
    """
    ends: dict[int, list[Array]] = {}
    for joint, offset in zip(skeleton.end_parents, end_offsets, strict=True):
        ends.setdefault(int(joint), []).append(offset)
    depth = np.zeros(skeleton.n_joints, int)
    for j in range(1, skeleton.n_joints):
        depth[j] = depth[skeleton.parents[j]] + 1
    lines = ["HIERARCHY"]
    open_blocks = 0
    for j in order:
        lines += [_indent(d) + "}" for d in range(open_blocks - 1, depth[j] - 1, -1)]
        open_blocks = int(depth[j]) + 1
        tab = _indent(depth[j])
        inner = _indent(depth[j] + 1)
        name = _NOT_IN_NAMES.sub(" ", skeleton.names[j]).strip() or f"joint{j}"
        lines += [
            f"{tab}{'JOINT' if j else 'ROOT'} {name}",
            tab + "{",
            f"{inner}OFFSET {_numbers(offsets[j])}",
        ]
        lines.append(" ".join([f"{inner}CHANNELS {len(channels[j])}", *channels[j]]))
        for offset in ends.get(j, []):
            lines += [
                inner + "End Site",
                inner + "{",
                f"{inner}\tOFFSET {_numbers(offset)}",
                inner + "}",
            ]
    lines += [_indent(d) + "}" for d in range(open_blocks - 1, -1, -1)]
    return "\n".join(lines) + "\n"


def format_frames(values: Array, decimals: Ints, frame_time: float) -> str:
    """MOTION section of a BVH file.

    Parameters
    ----------
    values : array of shape (T, C)
        Channel values in the order of the file.
    decimals : int array of shape (C,)
        Decimals that each column is written with.
    frame_time : float, seconds
        Time between frames, written with all the decimals it has.

    Returns
    -------
    str
        Lines, each with its line feed.
    """
    row = " ".join(f"%.{d}f" for d in decimals) + "\n"
    rounded = np.column_stack(
        [np.round(v, d) for v, d in zip(values.T, decimals, strict=True)] or [values]
    )
    # Adding 0 to what rounds to -0 leaves 0.
    rows = "".join(row % tuple(v) for v in (rounded + 0.0).tolist())
    return f"MOTION\nFrames: {len(values)}\nFrame Time: {float(frame_time)!r}\n{rows}"


def _indent(depth: int) -> str:
    return "\t" * min(int(depth), MOST_INDENTS)


def _numbers(vector: Array) -> str:
    return " ".join(
        f"{v:.9f}".rstrip("0") + "0" * f"{v:.9f}".endswith(".000000000")
        for v in np.round(vector, 9) + 0.0
    )
