"""What an extractor found in a file of nodes, as arrays, to a motion.

An extractor (FBX by ufbx, USD by usd-core) gives a dictionary of arrays:

============== ============================================================================
``names``      of the nodes, parents first (M,)
``parents``    (M,), -1 for the topmost
``bones``      which nodes become joints (M,)
``notes``      what our own writers noted, JSON, or nothing (M,)
``rest``       place, rotation (w x y z), scale in the parent at rest (M, 10)
``moving``     the nodes that move (A,)
``moves``      their transforms over time (T, A, 10)
``frames``     number of frames T of the animation; 0 where there is none
``frame_time`` seconds
``axes``       matrix from the file's axes to ours (3, 3)
``unit``       metres
``take``       name of the animation
``warnings``   what had to be mended
``skeletons``  names of the file's skeletons, the largest first
============== ============================================================================
"""

from __future__ import annotations

import json
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import FormatError
from motionloom.io.files import name_of
from motionloom.io.frame_times import nearest_frame_time
from motionloom.io.limits import MOST_JOINTS
from motionloom.io.notes import Notes
from motionloom.io.scenes.node_tree import NodeTree, ToldNode, motion_of_nodes
from motionloom.io.scenes.several import say_left_out
from motionloom.io.units import axes_to_y_up, check_unit
from motionloom.motion import Motion, Source

Array = NDArray[np.float64]

#: Name of the property or data in which our writers note what nodes cannot say.
NOTES = "motionloom"
#: Scales that differ by less than this between axes count as uniform.
_UNIFORM = 1e-3
_UP = "xyz"


def motion_of_scene(
    scene: dict[str, Any],
    path: str | PathLike[str],
    file_format: str,
    *,
    unit: float | str | None = None,
    up: str | None = None,
    strict: bool = False,
    number: int | None = None,
) -> Motion:
    """The motion of what an extractor found.

    Parameters
    ----------
    scene : dict
        Arrays as above.
    path : path-like
        The file.
    file_format : str
        Such as ``"fbx"``.
    unit, up, strict
        As of `load`.
    number : int, optional
        Of the skeleton that was extracted. Without it the first was, and the others are warned
        about.

    Returns
    -------
    Motion
        In metres, +Y up.

    Raises
    ------
    FormatError
        When nodes have scales that no skeleton can have, or what is mended is refused.
    """
    notes = Notes(path, strict)
    for text in scene["warnings"].tolist():
        notes.mended(text)
    skeletons = tuple(scene["skeletons"].tolist())
    if number is None and len(skeletons) > 1:
        notes.mended(say_left_out(skeletons))
    metres = float(scene["unit"]) if unit is None else check_unit(unit)
    axes = scene["axes"] if up is None else axes_to_y_up(up)
    told = [_told(text) for text in scene["notes"].tolist()]
    frames = int(scene["frames"])
    first = next((t for t in told if "frames" in t), {})
    frame_time = float(scene["frame_time"])
    empty = frames == 0 and first.get("frames") == 0
    if not frames and not empty:
        notes.mended("has no animation of its skeleton; read the rest pose as one frame")
    tree = _tree(scene, tuple(map(_as_node, told)), 0 if empty else max(frames, 1), notes)
    name = first.get("name") or str(scene["take"]) or name_of(path)
    source = Source(
        format=file_format,
        path=fspath(path),
        unit=metres,
        unit_reason="written in the file" if unit is None else "told by the user",
        up=up or _UP[int(np.argmax(np.abs(axes[1])))],
        warnings=notes.texts,
        skeletons=skeletons if len(skeletons) > 1 else (),
    )
    frame_time = _told_time(first, frames) or nearest_frame_time(frame_time)
    return motion_of_nodes(tree, axes, metres, frame_time, str(name), source)


def _tree(
    scene: dict[str, Any], told: tuple[ToldNode | None, ...], frames: int, notes: Notes
) -> NodeTree:
    rest = scene["rest"]
    moves = scene["moves"]
    # Without a frame nothing moves, whatever a damaged file says.
    moving = scene["moving"].tolist() if len(moves) else []
    names = tuple(scene["names"].tolist())
    return NodeTree(
        names=names,
        parents=tuple(scene["parents"].tolist()),
        bones=tuple(scene["bones"].tolist()),
        rest_translations=rest[:, :3],
        rest_rotations=rest[:, 3:7],
        rest_scales=_uniform(rest[:, 7:], "the nodes", notes),
        translations={i: moves[:, k, :3] for k, i in enumerate(moving)},
        rotations={i: moves[:, k, 3:7] for k, i in enumerate(moving)},
        scales={
            i: _uniform(moves[:, k, 7:], f"the animation of {names[i]!r}", notes)
            for k, i in enumerate(moving)
        },
        n_frames=frames,
        told=told,
    )


def _uniform(scales: Array, what: str, notes: Notes) -> Array:
    """One scale (N,) of three (N, 3)."""
    if (scales <= 0).any():
        raise FormatError(
            f"{what} have scales that are 0 or mirror; apply them in the program that wrote the"
            " file",
            notes.path,
        )
    usual: Array = scales.mean(axis=1)
    if np.any(np.ptp(scales, axis=1) > _UNIFORM * usual):
        notes.mended(f"{what} have scales that differ between axes; read as their mean")
    return usual


def _told(text: str) -> dict[str, Any]:
    """What our writer noted of a node; nothing where it is not ours or was changed."""
    try:
        notes = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return {}
    return notes if isinstance(notes, dict) else {}


def _as_node(notes: dict[str, Any]) -> ToldNode | None:
    offset = _numbers(notes.get("offset"), 3)
    frame = _numbers(notes.get("frame", [1, 0, 0, 0]), 4)
    if offset is None or frame is None or abs(np.linalg.norm(frame) - 1) > _UNIFORM:
        return None
    place = notes.get("place")
    if type(place) is not int or not 0 <= place < MOST_JOINTS:
        return None
    return ToldNode(
        offset=offset,
        frame=frame,
        place=place,
        end_site=notes.get("end_site") is True,
        translated=notes.get("translated") is True,
    )


def _numbers(values: Any, count: int) -> Array | None:
    if not isinstance(values, list) or len(values) != count:
        return None
    if not all(type(v) in (int, float) for v in values):
        return None
    numbers = np.array(values, float)
    return numbers if np.isfinite(numbers).all() and np.abs(numbers).max() < 1e9 else None


def _told_time(first: dict[str, Any], frames: int) -> float | None:
    """The exact frame time that our writer noted, where the frames are still those."""
    time = first.get("frame_time")
    fits = type(time) is float and 0 < time < 1e6 and first.get("frames") == frames
    return time if fits else None
