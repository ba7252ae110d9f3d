"""Write motions as binary FBX 7.4: skeletons, curves, bind poses and thin skinned meshes.

The thin mesh around a skeleton, its skin and its bind pose, as objects of an FBX file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.io.fbx._objects import (
    Encoded,
    Id,
    Objects,
    Record,
    encode_value,
    fields,
    global_settings,
    properties,
    ticks_of,
    vector,
)
from motionloom.io.files import write_file
from motionloom.io.scenes._reading import NOTES
from motionloom.io.scenes._writing import BoneMesh, FileCharacter, WrittenScene, build_scene
from motionloom.motion import Motion
from motionloom.typing import Array, PathName

_GREY = np.array([0.55, 0.62, 0.72])

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
    motions: Motion | Mapping[str, Motion],
    path: PathName,
    *,
    name: str | None = None,
    unit: float | str | None = None,
    up: str | None = None,
    rest: str | None = None,
) -> None:
    """Write a motion, or those of several characters, as a binary FBX file of version 7.4.

    Every joint and end site is a limb node whose +Y points to the next joint, or past one that
    moves in it, so that no program takes the two bones for connected. Its pre-rotation is the rest
    pose, so that all curves are 0 in it; the root's brings turns of the body about the vertical to
    its Z curve, which never locks. Places have curves only where joints move in their parents, and
    for the root. A bind pose and a thin mesh skinned to the joints go with it, because Unreal takes
    no skeleton without one. Joints of each of several characters have its name and a colon before
    their own; one animation moves them all.

    Parameters
    ----------
    motions : Motion or mapping of str to Motion
        What to write: one, or by character, all with the same frame time and number of frames.
    path : path-like
        Where to write; a file that is there is replaced.
    name : str, optional
        Of the animation; otherwise the motion's, or ``"scene"``.
    unit : float or str, metres, optional
        Length of the file's unit, which the file declares; otherwise a centimetre.
    up : str, optional
        The file's up axis, ``"x"``, ``"y"`` or ``"z"``, which it declares; otherwise Y.
    rest : {"standing", "file", "first"}, optional
        The pose in which skeleton and mesh are bound, as of `write_glb`.

    Raises
    ------
    InvalidInputError
        When there are no motions, their frames differ, the rest pose cannot be had, an option
        cannot be used or the file cannot be written.
    """
    metres = _UNIT if unit is None else unit
    write_file(path, _encode(build_scene(motions, name, unit=metres, up=up, rest=rest)))


def _encode(scene: WrittenScene) -> bytes:
    motion = scene.first
    ticks = int(ticks_of(np.array([motion.duration]))[0])
    objects = Objects()
    timeline = _add_timeline(objects, motion, scene.name, ticks)
    for body in scene.characters:
        _add_character(objects, body, timeline)
    settings = global_settings(scene.unit, scene.back, motion.frame_time, ticks)
    return objects.to_bytes(settings, scene.name, ticks)


def _add_timeline(objects: Objects, motion: Motion, name: str, ticks: int) -> _Timeline:
    ends = {"LocalStart": 0, "LocalStop": ticks, "ReferenceStart": 0, "ReferenceStop": ticks}
    span = properties(*((end, "KTime", "Time", "", Id(at)) for end, at in ends.items()))
    stack = objects.add("AnimationStack", name, "", span)
    layer = objects.add("AnimationLayer", "BaseLayer", "")
    objects.connect(layer, stack)
    times = Encoded(encode_value(ticks_of(motion.times)))
    return _Timeline(layer, times, motion.n_frames)


def _add_character(objects: Objects, body: FileCharacter, timeline: _Timeline) -> None:
    # What every node is turned by before its curves turn it.
    before = body.rotations.copy()
    before[0] = rot.multiply(rot.from_matrix(body.back), _UPRIGHT)
    limbs: list[Id] = []
    for i, parent in enumerate(body.parents.tolist()):
        limbs.append(_add_limb(objects, body, i, before[i]))
        objects.connect(limbs[-1], limbs[parent] if parent >= 0 else Id(0))
    _add_skin(objects, body, limbs)
    if timeline.frames == 0:
        return
    for j in range(body.motion.skeleton.n_joints):
        own = rot.multiply(rot.conjugate(before[j]), body.turning(j))
        angles = np.degrees(rot.unroll_euler(rot.to_euler(own, _ORDER), _ORDER))[:, ::-1]
        _animate(objects, timeline, limbs[j], "Rotation", angles)
    for j in sorted({0, *body.pose.moving}):
        _animate(objects, timeline, limbs[j], "Translation", body.moving(j))


def _add_limb(objects: Objects, body: FileCharacter, i: int, before: Array) -> Id:
    place = body.translations[i]
    turn = rot.identity() if i else rot.multiply(rot.conjugate(before), body.rotations[0])
    angles, pre = (np.degrees(rot.to_euler(q, _ORDER))[::-1] for q in (turn, before))
    table = properties(
        ("RotationActive", "bool", "", "", 1),
        vector("PreRotation", pre),
        ("InheritType", "enum", "", "", 1),
        vector("Lcl Translation", place, "Lcl Translation"),
        vector("Lcl Rotation", angles, "Lcl Rotation"),
        (NOTES, "KString", "", "U", json.dumps(body.notes[i])),
    )
    name = f"{body.name}:{body.names[i]}" if body.name else body.names[i]
    limb = _add_model(objects, name, "LimbNode", table)
    size = properties(("Size", "double", "Number", "", float(np.linalg.norm(place))))
    flags = fields(TypeFlags="Skeleton")
    objects.connect(objects.add("NodeAttribute", name, "LimbNode", size, *flags), limb)
    return limb


def _add_model(objects: Objects, name: str, kind: str, table: Record) -> Id:
    """Add a node."""
    shown = fields(Shading=True, Culling="CullingOff")
    return objects.add("Model", name, kind, *fields(Version=232), table, *shown)


def _animate(objects: Objects, timeline: _Timeline, limb: Id, what: str, values: Array) -> None:
    """Curves of the three components (T, 3) of a node's rotation or place."""
    short = what[0]
    first = [(f"d|{a}", "Number", "", "A", float(v)) for a, v in zip("XYZ", values[0], strict=True)]
    node = objects.add("AnimationCurveNode", short, "", properties(*first))
    objects.connect(node, timeline.layer)
    objects.connect(node, limb, f"Lcl {what}")
    for axis, column in zip("XYZ", values.T, strict=True):
        keys = fields(
            Default=float(column[0]),
            KeyVer=4008,
            KeyTime=timeline.times,
            KeyValueFloat=column.astype(np.float32),
            KeyAttrFlags=_KEY_FLAGS,
            KeyAttrDataFloat=_KEY_DATA,
            KeyAttrRefCount=np.array([timeline.frames], np.int32),
        )
        objects.connect(objects.add("AnimationCurve", "", "", *keys), node, f"d|{axis}")


def _add_skin(objects: Objects, body: FileCharacter, limbs: list[Id]) -> None:
    """Add mesh, material, skin and bind pose of a body.

    Parameters
    ----------
    objects : Objects
        Where they go.
    body : FileCharacter
        What they belong to.
    limbs : list of Id
        Objects of its nodes.
    """
    name = f"{body.title}_mesh"
    geometry = _add_geometry(objects, body.mesh, name)
    model = _add_model(objects, name, "Mesh", properties(("InheritType", "enum", "", "", 1)))
    objects.connect(model, Id(0))
    objects.connect(geometry, model)
    objects.connect(_add_material(objects, name), model)
    # World transforms of the nodes at rest.
    matrices = np.tile(np.eye(4), (len(limbs), 1, 1))
    matrices[:, :3, :3] = body.back @ rot.to_matrix(body.world_rotations)
    matrices[:, :3, 3] = body.world_positions
    skin = objects.add("Deformer", name, "Skin", *fields(Version=101, Link_DeformAcuracy=50.0))
    objects.connect(skin, geometry)
    for j in range(body.motion.skeleton.n_joints):
        cluster = _add_cluster(objects, body, j, matrices[j])
        objects.connect(cluster, skin)
        objects.connect(limbs[j], cluster)
    nodes = [(model, np.eye(4)), *zip(limbs, matrices, strict=True)]
    head = fields(Type="BindPose", Version=100, NbPoseNodes=len(nodes))
    poses = (Record("PoseNode", (), fields(Node=n, Matrix=_flat(m))) for n, m in nodes)
    objects.add("Pose", name, "BindPose", *head, *poses)


def _flat(matrix: NDArray[np.floating]) -> NDArray[np.floating]:
    """Sixteen numbers of a matrix for column vectors, column by column."""
    return matrix.T.ravel()


def _add_geometry(objects: Objects, mesh: BoneMesh, name: str) -> Id:
    corners = np.arange(len(mesh.positions), dtype=np.int32)
    corners[2::3] = ~corners[2::3]  # the last corner of a face is told so
    elements = [
        _element("Normal", "ByPolygonVertex", "Direct", Normals=mesh.normals.ravel()),
        _element("Material", "AllSame", "IndexToDirect", Materials=np.zeros(1, np.int32)),
    ]
    layers = (Record("LayerElement", (), fields(Type=e.name, TypedIndex=0)) for e in elements)
    layer = Record("Layer", (0,), (*fields(Version=100), *layers))
    shape = fields(GeometryVersion=124, Vertices=mesh.positions.ravel(), PolygonVertexIndex=corners)
    return objects.add("Geometry", name, "Mesh", *shape, *elements, layer)


def _element(what: str, mapping: str, reference: str, **values: NDArray[np.generic]) -> Record:
    """What a mesh says about its corners or faces."""
    head = fields(Version=101, Name="", MappingInformationType=mapping)
    told = (*head, *fields(ReferenceInformationType=reference, **values))
    return Record(f"LayerElement{what}", (0,), told)


def _add_material(objects: Objects, name: str) -> Id:
    color = properties(vector("DiffuseColor", _GREY, "Color"))
    return objects.add("Material", name, "", *fields(Version=102, ShadingModel="Lambert"), color)


def _add_cluster(objects: Objects, body: FileCharacter, joint: int, matrix: Array) -> Id:
    own = np.flatnonzero(body.mesh.joints == joint).astype(np.int32)
    inverse = _flat(np.linalg.inv(matrix))
    told = fields(Indexes=own, Weights=np.ones(len(own)))
    told += fields(Transform=inverse, TransformLink=_flat(matrix))
    head = (*fields(Version=100), Record("UserData", ("", "")))
    return objects.add("Deformer", body.names[joint], "Cluster", *head, *told)
