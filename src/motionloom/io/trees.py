"""The tree of joints of a file, without its frames where the format allows."""

from __future__ import annotations

from typing import Any

from motionloom.errors import FormatError
from motionloom.io.files import decode, read_bytes
from motionloom.io.limits import Notes
from motionloom.io.registry import find_format, load_motion
from motionloom.typing import PathName

#: Bytes in which the header of a BVH file is looked for; one of 500 joints has a fifth of that.
_HEADER = 1 << 18


def read_tree(path: PathName, **options: Any) -> tuple[tuple[str, int], ...]:
    """Name and parent (or -1) of every joint of a file; files of one skeleton share them.

    Parameters
    ----------
    path : path-like
        The file.
    **options
        As for `load_motion`.

    Returns
    -------
    tuple of tuple of (str, int)
        One for each joint, parents before children.

    Raises
    ------
    FormatError
        When the file cannot be read; its frames are not looked at where the format has them apart.
    """
    name = find_format(path)[0].name
    if name == "BVH" and (tree := _bvh_tree(path)):
        return tree
    if name == "AMC":
        return _amc_tree(path, options.get("skeleton"))
    skeleton = load_motion(path, **options).skeleton
    return tuple(zip(skeleton.names, map(int, skeleton.parents), strict=True))


def _bvh_tree(path: PathName) -> tuple[tuple[str, int], ...]:
    from motionloom.io.bvh._hierarchy import parse_hierarchy, split_sections

    head = read_bytes(path, limit=_HEADER)
    notes = Notes(path)
    if b"MOTION" not in head:
        return ()
    try:
        hierarchy = parse_hierarchy(split_sections(head, notes)[0], notes)
    except FormatError:  # perhaps an encoding that the whole file tells
        return ()
    return tuple(zip(hierarchy.names, map(int, hierarchy.parents), strict=True))


def _amc_tree(path: PathName, skeleton: Any) -> tuple[tuple[str, int], ...]:
    from motionloom.io.acclaim._asf import read_asf
    from motionloom.io.acclaim.amc import find_skeleton

    asf = read_asf(skeleton or find_skeleton(path, decode(read_bytes(path, limit=_HEADER))))
    found = asf.skeleton(1.0)
    return tuple(zip(found.names, map(int, found.parents), strict=True))
