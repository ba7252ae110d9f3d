"""The thin mesh around a skeleton, its skin and its bind pose, as objects of an FBX file."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.io.fbx.binary import Id, Record
from motionloom.io.fbx.objects import Objects, properties, vector
from motionloom.io.scenes.bone_mesh import BoneMesh
from motionloom.io.scenes.writing import FileCharacter
from motionloom.typing import Array

_GREY = np.array([0.55, 0.62, 0.72])


def add_skin(objects: Objects, body: FileCharacter, limbs: list[Id]) -> None:
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
    model = objects.add(
        "Model",
        name,
        "Mesh",
        Record("Version", (232,)),
        properties(("InheritType", "enum", "", "", 1)),
        Record("Shading", (True,)),
        Record("Culling", ("CullingOff",)),
    )
    objects.connect(model, Id(0))
    objects.connect(geometry, model)
    objects.connect(_add_material(objects, name), model)
    # World transforms of the nodes at rest.
    matrices = np.tile(np.eye(4), (len(limbs), 1, 1))
    matrices[:, :3, :3] = body.back @ rot.to_matrix(body.world_rotations)
    matrices[:, :3, 3] = body.world_positions
    skin = objects.add(
        "Deformer",
        name,
        "Skin",
        Record("Version", (101,)),
        Record("Link_DeformAcuracy", (50.0,)),
    )
    objects.connect(skin, geometry)
    for j in range(body.motion.skeleton.n_joints):
        cluster = _add_cluster(objects, body, j, matrices[j])
        objects.connect(cluster, skin)
        objects.connect(limbs[j], cluster)
    nodes = [(model, np.eye(4)), *zip(limbs, matrices, strict=True)]
    objects.add(
        "Pose",
        name,
        "BindPose",
        Record("Type", ("BindPose",)),
        Record("Version", (100,)),
        Record("NbPoseNodes", (len(nodes),)),
        *(
            Record("PoseNode", (), (Record("Node", (n,)), Record("Matrix", (_flat(m),))))
            for n, m in nodes
        ),
    )


def _flat(matrix: NDArray[np.floating]) -> NDArray[np.floating]:
    """Sixteen numbers of a matrix for column vectors, column by column."""
    return matrix.T.ravel()


def _add_geometry(objects: Objects, mesh: BoneMesh, name: str) -> Id:
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
            Record("Normals", (mesh.normals.ravel(),)),
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
        Record("Vertices", (mesh.positions.ravel(),)),
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


def _add_cluster(objects: Objects, body: FileCharacter, joint: int, matrix: Array) -> Id:
    own = np.flatnonzero(body.mesh.joints == joint).astype(np.int32)
    return objects.add(
        "Deformer",
        body.names[joint],
        "Cluster",
        Record("Version", (100,)),
        Record("UserData", ("", "")),
        Record("Indexes", (own,)),
        Record("Weights", (np.ones(len(own)),)),
        Record("Transform", (_flat(np.linalg.inv(matrix)),)),
        Record("TransformLink", (_flat(matrix),)),
    )
