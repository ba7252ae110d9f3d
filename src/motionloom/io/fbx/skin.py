"""The thin mesh around a skeleton, its skin and its bind pose, as objects of an FBX file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.io.fbx.binary import Id, Record
from motionloom.io.fbx.objects import Objects, properties, vector
from motionloom.io.scenes.bone_mesh import BoneMesh, build_bone_mesh
from motionloom.io.scenes.bone_rig import BoneRig
from motionloom.skeleton import Skeleton

Array = NDArray[np.float64]

_GREY = np.array([0.55, 0.62, 0.72])


@dataclass(frozen=True, eq=False)
class Body:
    """A skeleton whose nodes are in the file.

    Parameters
    ----------
    skeleton : Skeleton
        The joints.
    rig : BoneRig
        Its nodes at rest.
    limbs : list of Id
        Their objects.
    name : str
        Of the mesh.
    """

    skeleton: Skeleton
    rig: BoneRig
    limbs: list[Id]
    name: str


def add_skin(objects: Objects, body: Body, unit: float, back: Array) -> None:
    """Add mesh, material, skin and bind pose of a body.

    Parameters
    ----------
    objects : Objects
        Where they go.
    body : Body
        What they belong to.
    unit : float, metres
        Length of the file's unit.
    back : array of shape (3, 3)
        Turns our axes to the file's.
    """
    joints = body.skeleton.n_joints
    at = body.rig.world_positions
    mesh = build_bone_mesh(body.skeleton, at[:joints], at[joints:])
    geometry = _add_geometry(objects, mesh, body.name, unit, back)
    model = objects.add(
        "Model",
        body.name,
        "Mesh",
        Record("Version", (232,)),
        properties(("InheritType", "enum", "", "", 1)),
        Record("Shading", (True,)),
        Record("Culling", ("CullingOff",)),
    )
    objects.connect(model, Id(0))
    objects.connect(geometry, model)
    objects.connect(_add_material(objects, body.name), model)
    matrices = _bind_matrices(body.rig, unit, back)
    _add_clusters(objects, body, mesh, matrices, geometry)
    nodes = [(model, np.eye(4)), *zip(body.limbs, matrices, strict=True)]
    objects.add(
        "Pose",
        body.name,
        "BindPose",
        Record("Type", ("BindPose",)),
        Record("Version", (100,)),
        Record("NbPoseNodes", (len(nodes),)),
        *(
            Record("PoseNode", (), (Record("Node", (n,)), Record("Matrix", (_flat(m),))))
            for n, m in nodes
        ),
    )


def _flat(matrix: Array) -> Array:
    """Sixteen numbers of a matrix for column vectors, column by column."""
    return matrix.T.ravel()


def _bind_matrices(rig: BoneRig, unit: float, back: Array) -> Array:
    """World transforms (N, 4, 4) of the nodes at rest, in the file's unit and axes."""
    matrices = np.tile(np.eye(4), (len(rig.names), 1, 1))
    matrices[:, :3, :3] = back @ rot.to_matrix(rig.world_rotations)
    matrices[:, :3, 3] = rig.world_positions @ back.T / unit
    return matrices


def _add_geometry(objects: Objects, mesh: BoneMesh, name: str, unit: float, back: Array) -> Id:
    corners = np.arange(len(mesh.positions), dtype=np.int32)
    corners[2::3] = ~corners[2::3]  # the last corner of a face is told so
    normals = Record(
        "LayerElementNormal",
        (0,),
        (
            Record("Version", (101,)),
            Record("Name", ("",)),
            Record("MappingInformationType", ("ByPolygonVertex",)),
            Record("ReferenceInformationType", ("Direct",)),
            Record("Normals", ((mesh.normals @ back.T).ravel(),)),
        ),
    )
    materials = Record(
        "LayerElementMaterial",
        (0,),
        (
            Record("Version", (101,)),
            Record("Name", ("",)),
            Record("MappingInformationType", ("AllSame",)),
            Record("ReferenceInformationType", ("IndexToDirect",)),
            Record("Materials", (np.zeros(1, np.int32),)),
        ),
    )
    layer = Record("Layer", (0,), (Record("Version", (100,)), *map(_layer, (normals, materials))))
    return objects.add(
        "Geometry",
        name,
        "Mesh",
        Record("GeometryVersion", (124,)),
        Record("Vertices", ((mesh.positions @ back.T / unit).ravel(),)),
        Record("PolygonVertexIndex", (corners,)),
        normals,
        materials,
        layer,
    )


def _layer(element: Record) -> Record:
    told = (Record("Type", (element.name,)), Record("TypedIndex", (0,)))
    return Record("LayerElement", (), told)


def _add_material(objects: Objects, name: str) -> Id:
    return objects.add(
        "Material",
        name,
        "",
        Record("Version", (102,)),
        Record("ShadingModel", ("Lambert",)),
        properties(vector("DiffuseColor", _GREY, "Color")),
    )


def _add_clusters(
    objects: Objects, body: Body, mesh: BoneMesh, matrices: Array, geometry: Id
) -> None:
    skin = objects.add(
        "Deformer",
        body.name,
        "Skin",
        Record("Version", (101,)),
        Record("Link_DeformAcuracy", (50.0,)),
    )
    objects.connect(skin, geometry)
    for j in range(body.skeleton.n_joints):
        own = np.flatnonzero(mesh.joints == j).astype(np.int32)
        cluster = objects.add(
            "Deformer",
            body.rig.names[j],
            "Cluster",
            Record("Version", (100,)),
            Record("UserData", ("", "")),
            Record("Indexes", (own,)),
            Record("Weights", (np.ones(len(own)),)),
            Record("Transform", (_flat(np.linalg.inv(matrices[j])),)),
            Record("TransformLink", (_flat(matrices[j]),)),
        )
        objects.connect(cluster, skin)
        objects.connect(body.limbs[j], cluster)
