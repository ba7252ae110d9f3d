"""FBX files as other programs write them, and where their nodes are by Autodesk's formula."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from motionloom.io.fbx._write import (
    Id,
    Objects,
    Record,
    global_settings,
    properties,
    ticks_of,
    vector,
)

#: FBX's numbers of orders; angles turn about fixed axes, so that SciPy's lower case says the same.
ORDERS = ("xyz", "xzy", "yzx", "yxz", "zxy", "zyx")


@dataclass(frozen=True, eq=False)
class RigNode:
    """One node: rest values, what other rigs have besides, curves (T, 3) of angles and places."""

    name: str
    parent: int
    place: tuple = (0.0, 0.0, 0.0)
    angles: tuple = (0.0, 0.0, 0.0)
    pre: tuple = (0.0, 0.0, 0.0)
    post: tuple = (0.0, 0.0, 0.0)
    pivot: tuple = (0.0, 0.0, 0.0)
    offset: tuple = (0.0, 0.0, 0.0)
    scale: float = 1.0
    order: int = 0
    kind: str = "LimbNode"
    turning: np.ndarray | None = field(default=None)
    moving: np.ndarray | None = field(default=None)


def write_rig(nodes, path, *, frame_time=1 / 30, unit=0.01, back=None, times=None):
    """Write nodes as an FBX file; `back` turns our axes to the file's."""
    back = np.eye(3) if back is None else back
    frames = max((len(n.turning) for n in nodes if n.turning is not None), default=0)
    times = np.arange(frames) * frame_time if times is None else times
    ticks = ticks_of(np.asarray(times, float))
    last = int(ticks[-1]) if len(ticks) else 0
    objects = Objects()
    span = properties(*((n, "KTime", "Time", "", Id(last)) for n in ("LocalStop", "ReferenceStop")))
    stack = objects.add("AnimationStack", "Take 001", "", span)
    layer = objects.add("AnimationLayer", "Base", "")
    objects.connect(layer, stack)
    ids = []
    for node in nodes:
        told = (
            ("RotationActive", "bool", "", "", 1),
            ("RotationOrder", "enum", "", "", node.order),
            ("InheritType", "enum", "", "", 1),
            vector("PreRotation", node.pre),
            vector("PostRotation", node.post),
            vector("RotationPivot", node.pivot),
            vector("RotationOffset", node.offset),
            vector("Lcl Translation", node.place, "Lcl Translation"),
            vector("Lcl Rotation", node.angles, "Lcl Rotation"),
            vector("Lcl Scaling", [node.scale] * 3, "Lcl Scaling"),
        )
        ids.append(objects.add("Model", node.name, node.kind, properties(*told)))
        if node.kind == "LimbNode":
            skeleton = Record("TypeFlags", ("Skeleton",))
            attribute = objects.add("NodeAttribute", node.name, "LimbNode", skeleton)
            objects.connect(attribute, ids[-1])
        objects.connect(ids[-1], ids[node.parent] if node.parent >= 0 else Id(0))
        for what, values in (("Rotation", node.turning), ("Translation", node.moving)):
            if values is not None:
                _curves(objects, layer, ids[-1], what, values, ticks)
    settings = global_settings(unit, back, frame_time, last)
    path.write_bytes(objects.to_bytes(settings, "Take 001", last))


def _curves(objects, layer, node, what, values, ticks):
    values = np.asarray(values, np.float32)
    group = objects.add("AnimationCurveNode", what[0], "")
    objects.connect(group, layer)
    objects.connect(group, node, f"Lcl {what}")
    for axis, column in zip("XYZ", values.T, strict=True):
        curve = objects.add(
            "AnimationCurve",
            "",
            "",
            Record("KeyTime", (ticks,)),
            Record("KeyValueFloat", (column,)),
            Record("KeyAttrFlags", (np.array([24836], np.int32),)),
            Record("KeyAttrDataFloat", (np.zeros(4, np.float32),)),
            Record("KeyAttrRefCount", (np.array([len(ticks)], np.int32),)),
        )
        objects.connect(curve, group, f"d|{axis}")


def positions_of(nodes, frames):
    """World positions (T, N, 3) in the file's unit and axes.

    ``World = ParentWorld T Roff Rp Rpre R Rpost^-1 Rp^-1 S``, Autodesk's FBX SDK, "Computing
    transformation matrices".
    """
    world = []
    for node in nodes:
        turning = np.broadcast_to(
            node.angles if node.turning is None else node.turning, (frames, 3)
        )
        moving = np.broadcast_to(node.place if node.moving is None else node.moving, (frames, 3))
        rotation = (
            Rotation.from_euler("xyz", node.pre, degrees=True)
            * Rotation.from_euler(ORDERS[node.order], _in_order(turning, node.order), degrees=True)
            * Rotation.from_euler("xyz", node.post, degrees=True).inv()
        ).as_matrix()
        local = np.tile(np.eye(4), (frames, 1, 1))
        pivot = np.array(node.pivot)
        local[:, :3, :3] = rotation * node.scale
        local[:, :3, 3] = moving + node.offset + pivot - rotation @ pivot
        world.append(world[node.parent] @ local if node.parent >= 0 else local)
    return np.stack([m[:, :3, 3] for m in world], axis=1)


def _in_order(angles, order):
    return angles[:, ["xyz".index(axis) for axis in ORDERS[order]]]


def humanik_rig(rng, frames=40):
    """A rig as HumanIK has it: a reference node, pre- and post-rotations, orders, a pivot."""
    parents = {
        "Character1_Reference": "",
        "Character1_Hips": "Character1_Reference",
        "Character1_LeftUpLeg": "Character1_Hips",
        "Character1_LeftLeg": "Character1_LeftUpLeg",
        "Character1_LeftFoot": "Character1_LeftLeg",
        "Character1_RightUpLeg": "Character1_Hips",
        "Character1_RightLeg": "Character1_RightUpLeg",
        "Character1_RightFoot": "Character1_RightLeg",
        "Character1_Spine": "Character1_Hips",
        "Character1_Neck": "Character1_Spine",
        "Character1_Head": "Character1_Neck",
        "Character1_LeftArm": "Character1_Spine",
        "Character1_LeftForeArm": "Character1_LeftArm",
        "Character1_LeftHand": "Character1_LeftForeArm",
    }
    names = list(parents)
    nodes = []
    for i, (name, parent) in enumerate(parents.items()):
        reference = i == 0
        walk = np.cumsum(rng.normal(size=(frames, 3)), axis=0)
        nodes.append(
            RigNode(
                name=name,
                parent=names.index(parent) if parent else -1,
                place=tuple(rng.normal(size=3) * 20),
                angles=tuple(rng.normal(size=3) * 10),
                pre=(-90.0, 0.0, 0.0) if reference else tuple(rng.normal(size=3) * 60),
                post=(0.0, 0.0, 0.0) if i % 3 else tuple(rng.normal(size=3) * 40),
                pivot=tuple(rng.normal(size=3) * 3) if i % 4 == 1 else (0.0, 0.0, 0.0),
                offset=tuple(rng.normal(size=3) * 2) if i % 4 == 1 else (0.0, 0.0, 0.0),
                scale=1.25 if reference else 1.0,
                order=i % 6,
                kind="Null" if reference else "LimbNode",
                turning=None if reference else walk * 6,
                moving=walk * 2 + 100 if i == 1 else None,
            )
        )
    return nodes
