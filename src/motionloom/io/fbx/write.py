"""Write motions as binary FBX 7.4: skeletons, curves, bind poses and thin skinned meshes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.io.fbx.binary import Encoded, Id, Record, encode_value
from motionloom.io.fbx.objects import (
    Objects,
    global_settings,
    properties,
    ticks_of,
    vector,
)
from motionloom.io.fbx.skin import Body, add_skin
from motionloom.io.file_style import FileStyle, file_style
from motionloom.io.files import write_file
from motionloom.io.scenes.bone_rig import (
    BoneRig,
    build_bone_rig,
    check_together,
    moving_rotations,
    moving_translations,
    notes_of_node,
)
from motionloom.io.scenes.rest_pose import find_rest_pose
from motionloom.io.scenes.scene_arrays import NOTES
from motionloom.motion import Motion

Array = NDArray[np.float64]

#: FBX's "XYZ" turns about X first, each axis fixed: Z, Y, X about axes that are carried along.
_ORDER = "ZYX"
#: Brings the third axis of a turned frame upright, so that turns of the body about the vertical
#: are turns about Z, the outermost angle, which never locks.
_UPRIGHT = rot.from_euler([-np.pi / 2], "X")
#: Lines between keys, and tangents as programs that look at them expect.
_KEY_FLAGS = np.array([24836], np.int32)
_KEY_DATA = np.array([0, 0, 9.419963346924634e-30, 0], np.float32)
#: Unit of files where none is asked for, metres.
_UNIT = 0.01


@dataclass(frozen=True, eq=False)
class _Timeline:
    """The animation that all curves belong to, and the times of their keys."""

    layer: Id
    times: Encoded
    frames: int


def write_fbx(
    motion: Motion,
    path: str | PathLike[str],
    *,
    unit: float | str | None = None,
    up: str | None = None,
    rest: str | None = None,
) -> None:
    """Write a motion as a binary FBX file of version 7.4.

    Every joint and end site is a limb node whose +Y points to the next joint, or past one that
    moves in it, so that no program takes the two bones for connected. Its pre-rotation is the rest
    pose, so that all curves are 0 in it; the root's brings turns of the body about the vertical to
    its Z curve, which never locks. Places have curves only where joints move in their parents, and
    for the root. A bind pose and a thin mesh skinned to the joints go with it, because Unreal takes
    no skeleton without one.

    Parameters
    ----------
    motion : Motion
        What to write.
    path : path-like
        Where to write; a file that is there is replaced.
    unit : float or str, metres, optional
        Length of the file's unit, which the file declares; otherwise a centimetre.
    up : str, optional
        The file's up axis, ``"x"``, ``"y"`` or ``"z"``, which it declares; otherwise Y.
    rest : {"standing", "file", "first"}, optional
        The pose in which skeleton and mesh are bound, as of `write_glb`.

    Raises
    ------
    InvalidInputError
        When the rest pose cannot be had, an option cannot be used or the file cannot be written.
    """
    name = motion.name or "motion"
    _write({"": motion}, path, name, file_style(unit, up, rest, usual=_UNIT))


def write_scene_fbx(
    motions: Mapping[str, Motion],
    path: str | PathLike[str],
    name: str = "scene",
    *,
    rest: str | None = None,
) -> None:
    """Write motions of several characters as one FBX file with one animation.

    Joints of every character have its name and a colon before their own.

    Parameters
    ----------
    motions : mapping of str to Motion
        By character; all with the same frame time and number of frames.
    path : path-like
        Where to write; a file that is there is replaced.
    name : str
        Of the animation.
    rest : {"standing", "file", "first"}, optional
        As of `write_fbx`.

    Raises
    ------
    InvalidInputError
        When there are no motions, their frames differ, or as of `write_fbx`.
    """
    check_together(motions)
    _write(motions, path, name, file_style(None, None, rest, usual=_UNIT))


def _write(
    motions: Mapping[str, Motion], path: str | PathLike[str], name: str, style: FileStyle
) -> None:
    first = next(iter(motions.values()))
    ticks = int(ticks_of(np.array([first.duration]))[0])
    objects = Objects()
    timeline = _add_timeline(objects, first, name, ticks)
    for character, motion in motions.items():
        _add_character(objects, motion, character, style, timeline)
    settings = global_settings(style.unit, style.back, first.frame_time, ticks)
    write_file(path, objects.to_bytes(settings, name, ticks))


def _add_timeline(objects: Objects, motion: Motion, name: str, ticks: int) -> _Timeline:
    ends = {"LocalStart": 0, "LocalStop": ticks, "ReferenceStart": 0, "ReferenceStop": ticks}
    span = properties(*((end, "KTime", "Time", "", Id(at)) for end, at in ends.items()))
    stack = objects.add("AnimationStack", name, "", span)
    layer = objects.add("AnimationLayer", "BaseLayer", "")
    objects.connect(layer, stack)
    times = Encoded(encode_value(ticks_of(motion.times)))
    return _Timeline(layer, times, motion.n_frames)


def _add_character(
    objects: Objects, motion: Motion, character: str, style: FileStyle, timeline: _Timeline
) -> None:
    rest = find_rest_pose(motion, style.rest)
    rig = build_bone_rig(motion, rest)
    before = _pre_rotations(rig, style)
    limbs: list[Id] = []
    for i in range(len(rig.names)):
        limbs.append(_add_limb(objects, motion, rig, i, before[i], style, character))
        above = limbs[rig.parents[i]] if rig.parents[i] >= 0 else Id(0)
        objects.connect(limbs[-1], above)
    add_skin(
        objects,
        Body(motion.skeleton, rig, limbs, f"{character or motion.name or 'motion'}_mesh"),
        style.unit,
        style.back,
    )
    if timeline.frames == 0:
        return
    for j in range(motion.skeleton.n_joints):
        turns = moving_rotations(motion, rest, j)
        turns = rot.multiply(style.turn, turns) if j == 0 else turns
        own = rot.multiply(rot.conjugate(before[j]), turns)
        angles = np.degrees(rot.unroll_euler(rot.to_euler(own, _ORDER), _ORDER))[:, ::-1]
        _animate(objects, timeline, limbs[j], "Rotation", angles)
    for j in sorted({0, *rest.moving}):
        places = moving_translations(motion, rest, j)
        places = places @ style.back.T if j == 0 else places
        _animate(objects, timeline, limbs[j], "Translation", places / style.unit)


def _pre_rotations(rig: BoneRig, style: FileStyle) -> Array:
    """What every node is turned by before its curves turn it, shape (N, 4)."""
    before = rig.rotations.copy()
    before[0] = rot.multiply(style.turn, _UPRIGHT)
    return before


def _add_limb(
    objects: Objects,
    motion: Motion,
    rig: BoneRig,
    i: int,
    before: Array,
    style: FileStyle,
    character: str,
) -> Id:
    place = rig.translations[i]
    turn = rot.identity()
    if i == 0:
        place = style.back @ place
        turn = rot.multiply(rot.conjugate(before), rot.multiply(style.turn, rig.rotations[0]))
    angles, pre = (np.degrees(rot.to_euler(q, _ORDER))[::-1] for q in (turn, before))
    table = properties(
        ("RotationActive", "bool", "", "", 1),
        vector("PreRotation", pre),
        ("InheritType", "enum", "", "", 1),
        vector("Lcl Translation", place / style.unit, "Lcl Translation"),
        vector("Lcl Rotation", angles, "Lcl Rotation"),
        (NOTES, "KString", "", "U", json.dumps(notes_of_node(motion, rig, i))),
    )
    prefix = f"{character}:" if character else ""
    length = float(np.linalg.norm(place)) / style.unit
    limb = objects.add(
        "Model",
        prefix + rig.names[i],
        "LimbNode",
        Record("Version", (232,)),
        table,
        Record("Shading", (True,)),
        Record("Culling", ("CullingOff",)),
    )
    attribute = objects.add(
        "NodeAttribute",
        prefix + rig.names[i],
        "LimbNode",
        properties(("Size", "double", "Number", "", length)),
        Record("TypeFlags", ("Skeleton",)),
    )
    objects.connect(attribute, limb)
    return limb


def _animate(objects: Objects, timeline: _Timeline, limb: Id, what: str, values: Array) -> None:
    """Curves of the three components (T, 3) of a node's rotation or place."""
    short = what[0]
    first = [(f"d|{a}", "Number", "", "A", float(v)) for a, v in zip("XYZ", values[0], strict=True)]
    node = objects.add("AnimationCurveNode", short, "", properties(*first))
    objects.connect(node, timeline.layer)
    objects.connect(node, limb, f"Lcl {what}")
    for axis, column in zip("XYZ", values.T, strict=True):
        curve = objects.add(
            "AnimationCurve",
            "",
            "",
            Record("Default", (float(column[0]),)),
            Record("KeyVer", (4008,)),
            Record("KeyTime", (timeline.times,)),
            Record("KeyValueFloat", (column.astype(np.float32),)),
            Record("KeyAttrFlags", (_KEY_FLAGS,)),
            Record("KeyAttrDataFloat", (_KEY_DATA,)),
            Record("KeyAttrRefCount", (np.array([timeline.frames], np.int32),)),
        )
        objects.connect(curve, node, f"d|{axis}")
