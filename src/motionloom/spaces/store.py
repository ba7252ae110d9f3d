"""Pose spaces on disk: one ``.npz`` file with a version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from os import PathLike
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from motionloom.coordinates import Coordinates, ExponentialCoordinates
from motionloom.euler_coordinates import EulerCoordinates, EulerJoint
from motionloom.io.files import atomic_write
from motionloom.io.stored import (
    MOST,
    Facts,
    Fault,
    Stored,
    StoredFile,
    open_stored,
    read_head,
)
from motionloom.io.stored_skeleton import (
    LARGEST,
    RolesFacts,
    check_unit,
    describe_roles,
    read_skeleton,
    skeleton_arrays,
)
from motionloom.skeleton import Skeleton
from motionloom.spaces.footing import ROOT_NUMBERS, Footing
from motionloom.spaces.pca import PCA
from motionloom.spaces.pose_coordinates import PoseCoordinates
from motionloom.spaces.pose_space import PoseSpace, PoseSpaceOptions

#: Raised whenever the content of the file or its meaning changes.
VERSION = 2
_OUTDATED = "this pose space has version {found}, expected {expected}; fit it again"
#: N poses of P numbers.
_POSES = {
    "poses": Stored(np.float64, ("N", "P"), -LARGEST, LARGEST),
    "trial": Stored(np.int64, ("N",), 0, below="N"),
    "lower": Stored(np.float64, ("P",), -LARGEST, LARGEST),
    "upper": Stored(np.float64, ("P",), -LARGEST, LARGEST),
}
#: How the N poses stood; a pose has R numbers of its root, J + M points.
_FOOTING = {
    "left": Stored(np.float64, (3,), -1, 1),
    "upright": Stored(np.float64, (4,), -1, 1),
    "root": Stored(np.float64, ("N", ROOT_NUMBERS), -LARGEST, LARGEST),
    "clearance": Stored(np.float64, ("Q",), -LARGEST, LARGEST),
}
_REFERENCE = {"reference": Stored(np.float64, ("J", 4), -1.001, 1.001)}
#: K components of D numbers.
_PCA = {
    "mean_": Stored(np.float64, ("D",), -LARGEST, LARGEST),
    "components_": Stored(np.float64, ("K", "D"), -2, 2),
    "explained_variance_": Stored(np.float64, ("K",), 0, LARGEST**2),
    "explained_variance_ratio_": Stored(np.float64, ("K",), 0, 2),
}
_Vector = tuple[float, float, float]
_Quaternion = tuple[float, float, float, float]
_Name = Annotated[str, Field(max_length=1000)]


class _Freedom(Facts):
    joint: int
    freedoms: tuple[str, ...]
    order: Annotated[str, Field(max_length=6)]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    before: _Quaternion
    after: _Quaternion
    origin: _Vector


class _Euler(Facts):
    kind: Literal["euler"]
    freedoms: tuple[_Freedom, ...]


class _Exponential(Facts):
    kind: Literal["exponential"]
    translated: tuple[int, ...]


class _Space(Facts):
    noise: Annotated[float, Field(ge=0, le=LARGEST**2)]
    samples: Annotated[int, Field(ge=2, le=MOST)]


class _Head(Facts):
    motionloom_pose_space: int
    names: tuple[_Name, ...]
    root: int
    coordinates: Annotated[_Euler | _Exponential, Field(discriminator="kind")]
    roles: RolesFacts
    segments: dict[str, list[Annotated[int, Field(ge=0, le=MOST)]]]
    spaces: dict[str, _Space]
    options: PoseSpaceOptions
    standing: Annotated[int, Field(ge=0, le=MOST)]
    joining: Annotated[float, Field(ge=0, le=1)]


def save_pose_space(
    space: PoseSpace, path: str | PathLike[str], more: Mapping[str, ArrayLike] | None = None
) -> None:
    """Write a pose space to an ``.npz`` file.

    Parameters
    ----------
    space : PoseSpace
        What is kept, its captured poses included.
    path : path-like
        The ``.npz`` file.
    more : mapping of str to array, optional
        Other arrays that are kept in the file; `load_pose_space` passes them over.

    Examples
    --------
    >>> from motionloom.spaces.pose_space import fit_pose_space
    >>> save_pose_space(fit_pose_space([walk]), "poses.npz")
    >>> load_pose_space("poses.npz").poses.shape[0] == walk.n_frames
    True
    """
    skeleton = space.coordinates.skeleton
    arrays: dict[str, Any] = {
        **skeleton_arrays(skeleton),
        "poses": space.poses,
        "trial": space.trial,
        "lower": space.lower,
        "upper": space.upper,
        **{name: getattr(space.footing, name) for name in _FOOTING},
    }
    coordinates = space.coordinates.coordinates
    if isinstance(coordinates, ExponentialCoordinates):
        arrays["reference"] = coordinates.reference
    pcas = {}
    for name, pca in space.spaces.items():
        pcas[name] = {"noise": pca.noise_variance_, "samples": pca.n_samples_}
        arrays |= {f"{name}/{field}": getattr(pca, field) for field in _PCA}
    arrays |= more or {}
    head = {
        "motionloom_pose_space": VERSION,
        "names": skeleton.names,
        "root": space.coordinates.root,
        "coordinates": _describe(space.coordinates.coordinates),
        "roles": describe_roles(space.roles),
        "segments": {name: columns.tolist() for name, columns in space.segments.items()},
        "spaces": pcas,
        "options": asdict(space.options),
        "standing": space.footing.standing,
        "joining": space.joining,
    }
    with atomic_write(path) as file:
        np.savez_compressed(file, head=np.array(json.dumps(head)), **arrays)


def load_pose_space(path: str | PathLike[str]) -> PoseSpace:
    """Read a pose space.

    Raises
    ------
    FormatError
        When there is no such file, it is no pose space of this version, or it holds what no pose
        space can hold.

    Examples
    --------
    >>> load_pose_space(demo / "poses.npz").coordinates.skeleton.n_joints
    22
    """
    message = (
        "this is not a pose space ({reason}); expected an .npz file written by save_pose_space"
    )
    with open_stored(
        path, message, "there is no such file; save a pose space first", compressed=True
    ) as file:
        head = read_head(_Head, file, "motionloom_pose_space", VERSION, _OUTDATED)
        return _rebuild(head, file)


def _describe(coordinates: Coordinates) -> dict[str, Any]:
    if isinstance(coordinates, ExponentialCoordinates):
        return {"kind": "exponential", "translated": coordinates.translated}
    assert isinstance(coordinates, EulerCoordinates)
    joints = [
        {
            name: np.asarray(value).tolist() if name in ("before", "after", "origin") else value
            for name, value in f
        }
        for f in (vars(joint).items() for joint in coordinates.freedoms)
    ]
    fields = ("joint", "freedoms", "order", "lower", "upper", "before", "after", "origin")
    return {
        "kind": "euler",
        "freedoms": [{name: joint[name] for name in fields} for joint in joints],
    }


def _rebuild(head: _Head, file: StoredFile) -> PoseSpace:
    skeleton, roles = read_skeleton(head.names, head.roles, file)
    if not 0 <= head.root < skeleton.n_joints:
        raise Fault("its root is no joint")
    coordinates = PoseCoordinates(_coordinates(head.coordinates, skeleton, file), head.root)
    if coordinates.size == 0 or not 1e-9 <= head.options.ridge <= LARGEST:
        raise Fault("it has no number that varies")
    sizes = {"P": coordinates.size}
    arrays = file.arrays(_POSES, sizes)
    if (
        sizes["N"] < 3
        or (np.diff(arrays["trial"]) < 0).any()
        or (arrays["lower"] > arrays["upper"]).any()
    ):
        raise Fault("its poses are not in order")
    segments = {name: np.array(columns, np.int64) for name, columns in head.segments.items()}
    for name, columns in segments.items():
        if (
            len(columns) == 0
            or columns[0] < 0
            or columns[-1] >= sizes["P"]
            or (np.diff(columns) <= 0).any()
        ):
            raise Fault(f"segment {name!r} is of other numbers than a pose has")
    if set(head.spaces) != {*segments, "whole"} or "whole" in segments:
        raise Fault("its spaces are not those of its segments")
    if len(np.unique(np.concatenate([*segments.values(), np.zeros(0, np.int64)]))) < sizes["P"]:
        raise Fault("its segments leave out a part of the pose")
    whole = {**segments, "whole": np.arange(sizes["P"])}
    spaces = {
        name: _pca(name, facts, file, len(whole[name])) for name, facts in head.spaces.items()
    }
    space = PoseSpace(
        coordinates,
        roles,
        arrays["poses"],
        arrays["trial"],
        arrays["lower"],
        arrays["upper"],
        segments,
        spaces,
        head.options,
        _footing(head, file, sizes, skeleton),
    )
    space.__dict__["joining"] = head.joining
    return space


def _footing(head: _Head, file: StoredFile, sizes: dict[str, int], skeleton: Skeleton) -> Footing:
    sizes["Q"] = skeleton.n_joints + len(skeleton.end_parents)
    arrays = file.arrays(_FOOTING, sizes)
    lengths = [float(np.linalg.norm(arrays[name])) for name in ("left", "upright")]
    if max(abs(length - 1) for length in lengths) > 1e-6 or head.standing >= sizes["N"]:
        raise Fault("its poses stand on no floor")
    return Footing(
        arrays["left"], arrays["upright"], arrays["root"], arrays["clearance"], head.standing
    )


def _coordinates(told: _Exponential | _Euler, skeleton: Skeleton, file: StoredFile) -> Coordinates:
    if isinstance(told, _Exponential):
        if list(told.translated) != sorted(
            {j for j in told.translated if 0 <= j < skeleton.n_joints}
        ):
            raise Fault("its translated joints are none of the skeleton")
        turns = file.arrays(_REFERENCE, {"J": skeleton.n_joints})["reference"]
        check_unit(turns, "mean rotations")
        return ExponentialCoordinates(skeleton, told.translated, turns)
    for row in told.freedoms:
        turns = np.array([row.before, row.after])
        limits = np.array([*row.lower, *row.upper])
        if np.isnan(limits).any() or not (np.abs(np.linalg.norm(turns, axis=1) - 1) < 1e-6).all():
            raise Fault(f"the freedoms of joint {row.joint} are not told in numbers")
        if len(row.freedoms) > 6 or not np.abs(row.origin).max() <= LARGEST:
            raise Fault(f"the freedoms of joint {row.joint} are out of range")
    return EulerCoordinates(skeleton, tuple(EulerJoint(**dict(row)) for row in told.freedoms))


def _pca(name: str, facts: _Space, file: StoredFile, size: int) -> PCA:
    schema = {f"{name}/{field}": wanted for field, wanted in _PCA.items()}
    arrays = file.arrays(schema, {"D": size})
    pca = PCA(len(arrays[f"{name}/components_"]))
    for field in _PCA:
        setattr(pca, field, arrays[f"{name}/{field}"])
    pca.noise_variance_ = facts.noise
    pca.n_samples_ = facts.samples
    gram = pca.components_ @ pca.components_.T
    if (
        np.abs(gram - np.eye(len(gram))).max(initial=0.0) > 1e-6
        or (pca.explained_variance_ <= 0).any()
    ):
        raise Fault(f"space {name!r} has no axes")
    return pca
