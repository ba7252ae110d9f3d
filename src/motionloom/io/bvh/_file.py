"""BVH files: a joint hierarchy and a table of Euler angles and positions.

Text of a BVH file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from os import fspath

import numpy as np

from motionloom.io.bvh._channels import (
    Channels,
    channels_in_order,
    choose_channels,
    first_columns,
    guess_positions,
    parse_frames,
    read_rotations,
    read_translations,
    write_values,
)
from motionloom.io.bvh._hierarchy import BvhHierarchy, parse_hierarchy, split_sections
from motionloom.io.files import name_of, read_text_bytes, write_file
from motionloom.io.limits import Notes, check_poses
from motionloom.io.scenes._nodes import depth_first
from motionloom.io.units import (
    UNCLEAR,
    axes_to_y_up,
    body_height,
    check_unit,
    guess_unit,
    guess_up,
    turn_quaternions,
    turn_vectors,
)
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion, Source
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Ints, PathName

#: Deeper levels are not indented further: a chain of thousands of joints would be mostly blanks.
MOST_INDENTS = 60
_NOT_IN_NAMES = re.compile(r"[{}\s]+")

#: Position channels that stay this near to OFFSET, in medians of all bone lengths, say nothing new.
STILL = 1e-5
#: Frames looked at to guess the up axis.
SAMPLED_FRAMES = 15


def read_bvh(
    path: PathName,
    *,
    unit: float | str | None = None,
    up: str | None = None,
    strict: bool = False,
    positions: str | None = None,
    frame_time: float | None = None,
) -> Motion:
    """Read a BVH file.

    Parameters
    ----------
    path : path-like
        The BVH file.
    unit : float, metres, optional
        Length of the file's unit; otherwise guessed from the height of the body.
    up : str, optional
        The file's up axis, ``"x"``, ``"y"`` or ``"z"``; otherwise Y unless the body clearly stands
        along Z.
    strict : bool, optional
        Refuse a file that breaks its format instead of mending it with a warning; guesses are
        warned about all the same.
    positions : str, optional
        ``"absolute"`` when position channels replace OFFSET, ``"added"`` when they are added to it;
        otherwise absolute unless the values clearly say added.
    frame_time : float, seconds, optional
        Time between frames, when it is known better than the file has it.

    Returns
    -------
    Motion
        `Motion.translated` holds the root and the joints whose position channels differ from their
        offset. The offset of the root, and of hips that move below a reference joint, is 0:
        translations say where they are.

    Raises
    ------
    FormatError
        When it is no BVH file, or is broken beyond a few lines; the message names the line.
    InvalidInputError
        When an option cannot be used.
    """
    notes = Notes(path, strict)
    head, body, first_line = split_sections(read_text_bytes(path), notes)
    hierarchy = parse_hierarchy(head, notes)
    values, step = parse_frames(body, hierarchy.n_channels, first_line, frame_time, notes)
    check_poses(len(values), len(hierarchy.names), len(head) + len(body), path)
    style = positions or guess_positions(values, hierarchy.channels, hierarchy.offsets)
    if positions is None and style == "added":
        message = "position channels stay near 0, not near OFFSET; taken as added to it (option"
        notes.guessed(f"{message} positions)")
    rotations = read_rotations(values, hierarchy.channels)
    moved = read_translations(values, hierarchy.channels, hierarchy.offsets, style)
    lengths = np.linalg.norm(hierarchy.offsets, axis=-1)
    still = STILL * float(np.median(lengths[lengths > 0])) if lengths.any() else 0.0
    apart = {j: np.abs(moved[j] - hierarchy.offsets[j]).max(initial=0.0) for j in moved}
    # The root is always there, so that motions of one skeleton have the same joints in
    # `translated`.
    translated = (0, *(j for j in moved if j and apart[j] > still))
    fixed = np.broadcast_to(hierarchy.offsets[0], (len(values), 3))
    translations = np.stack([moved.get(j, fixed) for j in translated], axis=1)
    up = up or _guess_up(hierarchy, rotations, translations, translated, notes)
    axes = axes_to_y_up(up)
    metres, reason = _choose_unit(unit, hierarchy, moved, notes)
    carriers = _carriers(hierarchy, rotations, translations, translated)
    kept = {j: turn_vectors(axes, hierarchy.offsets[j]) * metres for j in carriers}
    offsets = hierarchy.offsets.copy()
    offsets[carriers] = 0.0
    read = Motion(
        _skeleton(hierarchy, offsets, metres, axes),
        turn_quaternions(axes, rotations),
        turn_vectors(axes, translations) * metres,
        step,
        translated,
        name_of(path),
        Source("bvh", fspath(path), metres, reason, up, hierarchy.channels, notes.texts),
    )
    extra = {
        "positions": style,
        "first_values": values[0].copy() if len(values) else None,
        "first_places": read.local_translations()[:1, carriers].reshape(-1, 3),
        "carrier_offsets": kept,
    }
    return replace(read, source=replace(read.source, extra=extra))


def _carriers(
    hierarchy: BvhHierarchy, rotations: Array, translations: Array, translated: tuple[int, ...]
) -> list[int]:
    """Joints that carry the body: the root, and hips that move below a still reference joint.

    Frames say where they are. Their OFFSET is often the place where a clip starts; it is kept apart
    from the skeleton, or clips of one body would have different skeletons.
    """
    found = [0]
    only: dict[int, int] = {}  # the child of each joint that has one
    for joint, parent in enumerate(hierarchy.parents.tolist()):
        only[parent] = joint if parent not in only else -1
    can_carry = set(translated)
    while only.get(found[-1], -1) in can_carry:
        path = np.concatenate([rotations[:, found[-1]], translations[:, len(found) - 1]], axis=1)
        if np.ptp(path, axis=0).max() > 1e-9:
            break
        found.append(only[found[-1]])
    return found


def _skeleton(
    hierarchy: BvhHierarchy, offsets: Array, unit: float = 1.0, axes: Array | None = None
) -> Skeleton:
    axes = np.eye(3) if axes is None else axes
    return Skeleton(
        hierarchy.names,
        hierarchy.parents,
        turn_vectors(axes, offsets) * unit,
        hierarchy.end_parents,
        turn_vectors(axes, hierarchy.end_offsets) * unit,
    )


def _guess_up(
    hierarchy: BvhHierarchy,
    rotations: Array,
    translations: Array,
    translated: tuple[int, ...],
    notes: Notes,
) -> str:
    skeleton = _skeleton(hierarchy, hierarchy.offsets)
    sample = np.linspace(0, len(rotations) - 1, min(SAMPLED_FRAMES, len(rotations))).astype(int)
    motion = Motion(skeleton, rotations[sample], translations[sample], 1.0, translated)
    up, reason = guess_up(skeleton, forward_kinematics(motion).positions)
    if up != "y":
        notes.guessed(f"up axis {up.upper()} guessed: {reason} (option up)")
    return up


def _choose_unit(
    told: float | str | None, hierarchy: BvhHierarchy, moved: dict[int, Array], notes: Notes
) -> tuple[float, str]:
    if told is not None:
        return check_unit(told), "told by the user"
    offsets = hierarchy.offsets.copy()
    # Where joints have positions of their own, OFFSET need not say how long bones are.
    for j, positions in moved.items():
        if len(positions):
            offsets[j] = np.median(positions, axis=0)
    unit, reason, sure = guess_unit(*body_height(_skeleton(hierarchy, offsets)))
    if not sure:
        notes.guessed(f"{UNCLEAR}: {reason} (option unit)")
    return unit, reason


def write_bvh(
    motion: Motion,
    path: PathName,
    *,
    unit: float | str | None = None,
    up: str | None = None,
    order: str | None = None,
) -> None:
    """Write a motion as BVH.

    Joints keep the channels they had in the BVH file the motion came from, joints without such get
    ``Zrotation Xrotation Yrotation``, and the root and all other `Motion.translated` joints
    ``Xposition Yposition Zposition`` before. Where the old channels cannot express the motion (a
    joint that had one rotation and now needs three) the missing ones are added. A motion that no
    longer begins where its file did has its root's OFFSET at 0, and positions only for joints in
    `Motion.translated`: some programs add them to OFFSET. Angles do not jump between frames: each
    takes the branch nearest to the frame before, the first frame that of the file.

    Parameters
    ----------
    motion : Motion
        What to write.
    path : path-like
        Where to write; a file that is there is replaced.
    unit : float, metres, optional
        Unit of length to write; otherwise that of ``motion.source``.
    up : str, optional
        Up axis to write; otherwise that of ``motion.source``.
    order : str, optional
        Order of the rotation channels of all joints, such as ``"ZXY"``, instead of those that they
        had; positions are then written of the root and of joints that move alone.

    Raises
    ------
    InvalidInputError
        When the file cannot be written or an option cannot be used.
    """
    source = motion.source
    unit = check_unit(source.unit if unit is None else unit)
    up = up or source.up
    back = axes_to_y_up(up).T
    offsets = turn_vectors(back, motion.skeleton.offsets) / unit
    rotations = turn_quaternions(back, motion.rotations)
    translations = turn_vectors(back, motion.local_translations()) / unit
    carriers = source.extra.get("carrier_offsets", {0: np.zeros(3)})
    style = str(source.extra.get("positions", "absolute")) if order is None else "absolute"
    old = source.channels if len(source.channels) == motion.skeleton.n_joints else ()
    as_read = _begins_as_read(motion) and order is None
    if not as_read:
        # Programs that add positions to OFFSET go wrong only where both are there.
        old = tuple(
            tuple(n for n in names if j in motion.translated or not n.endswith("position"))
            for j, names in enumerate(old)
        )
    for j, offset in carriers.items():
        offsets[j] = turn_vectors(back, offset) / unit if as_read else 0.0
    moves = translations - offsets
    if order is None:
        names = choose_channels(len(offsets), old, rotations, moves, motion.translated)
    else:
        names = channels_in_order(len(offsets), order, motion.translated)
    as_before = names == source.channels and up == source.up
    near = source.extra.get("first_values") if as_before else None
    values = write_values(rotations, translations, offsets, names, style, near)
    if guess_positions(values, names, offsets) != style:
        # What is written must not be taken for a file of the other style; where OFFSET is 0 both
        # agree.
        offsets[list(carriers)] = 0.0
        values = write_values(rotations, translations, offsets, names, style, near)
    in_file = depth_first(range(motion.skeleton.n_joints), motion.skeleton.parents)
    first = first_columns(names)
    columns = [c for j in in_file for c in range(first[j], first[j + 1])]
    end_offsets = turn_vectors(back, motion.skeleton.end_offsets) / unit
    head = _format_hierarchy(motion.skeleton, offsets, end_offsets, names, in_file)
    decimals = _decimals(names, unit)[columns]
    write_file(path, head + _format_frames(values[:, columns], decimals, motion.frame_time))


def _begins_as_read(motion: Motion) -> bool:
    """Whether the joints that carry the body start as in the BVH file: nobody changed the clip."""
    first = motion.source.extra.get("first_places")
    kept = motion.source.extra.get("carrier_offsets")
    if first is None or kept is None or not motion.n_frames:
        return first is not None and motion.n_frames == 0
    now = motion.local_translations()[0, list(kept)]
    return now.shape == first.shape and bool(np.allclose(now, first, rtol=0, atol=1e-6))


def _decimals(names: Channels, unit: float) -> Ints:
    """Decimals of each channel: six, and for positions at least what makes 10 nanometres."""
    lengths = max(6, int(np.ceil(8 + np.log10(unit) - 1e-9)))
    return np.array(
        [lengths if name.endswith("position") else 6 for joint in names for name in joint], int
    )


def _format_hierarchy(
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
    depths = [*depth[list(order)].tolist(), 0]
    for j, (own, following) in zip(order, pairwise(depths), strict=True):
        tab = _indent(own)
        inner = _indent(own + 1)
        name = _NOT_IN_NAMES.sub(" ", skeleton.names[j]).strip() or f"joint{j}"
        lines += [f"{tab}{'JOINT' if j else 'ROOT'} {name}", tab + "{"]
        lines.append(f"{inner}OFFSET {_numbers(offsets[j])}")
        lines.append(" ".join([f"{inner}CHANNELS {len(channels[j])}", *channels[j]]))
        for offset in ends.get(j, []):
            block = ("End Site", "{", f"\tOFFSET {_numbers(offset)}", "}")
            lines += [inner + line for line in block]
        lines += [_indent(d) + "}" for d in range(own, following - 1, -1)]
    return "\n".join(lines) + "\n"


def _format_frames(values: Array, decimals: Ints, frame_time: float) -> str:
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
    return "\t" * min(depth, MOST_INDENTS)


def _numbers(vector: Array) -> str:
    rounded = np.round(vector, 9) + 0.0
    return " ".join(np.format_float_positional(v, 9, unique=False, trim="0") for v in rounded)
