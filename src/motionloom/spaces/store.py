"""Pose spaces on disk: one ``.npz`` file with a version."""

from __future__ import annotations

import json
import zipfile
from dataclasses import asdict
from os import PathLike
from typing import Any

import numpy as np

from motionloom.coordinates import Coordinates, ExponentialCoordinates
from motionloom.errors import FormatError
from motionloom.euler_coordinates import EulerCoordinates, EulerJoint
from motionloom.io.files import atomic_write
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.spaces.pca import PCA
from motionloom.spaces.pose_coordinates import PoseCoordinates
from motionloom.spaces.pose_space import PoseSpace, PoseSpaceOptions

#: Raised whenever the content of the file or its meaning changes.
VERSION = 1
_PCA = ("mean_", "components_", "explained_variance_", "explained_variance_ratio_")


def save_pose_space(space: PoseSpace, path: str | PathLike[str]) -> None:
    """Write a pose space to an ``.npz`` file."""
    skeleton = space.coordinates.skeleton
    arrays: dict[str, Any] = {
        "parents": skeleton.parents,
        "offsets": skeleton.offsets,
        "end_parents": skeleton.end_parents,
        "end_offsets": skeleton.end_offsets,
        "poses": space.poses,
        "trial": space.trial,
        "lower": space.lower,
        "upper": space.upper,
    }
    pcas = {}
    for name, pca in space.spaces.items():
        pcas[name] = {"noise": pca.noise_variance_, "samples": pca.n_samples_}
        arrays |= {f"{name}/{field}": getattr(pca, field) for field in _PCA}
    head = {
        "motionloom_pose_space": VERSION,
        "names": skeleton.names,
        "root": space.coordinates.root,
        "coordinates": _describe(space.coordinates.coordinates),
        "roles": {"joints": dict(space.roles.joints), "kind": space.roles.kind, "forward": space.roles.forward},
        "segments": {name: columns.tolist() for name, columns in space.segments.items()},
        "spaces": pcas,
        "options": asdict(space.options),
    }
    with atomic_write(path) as file:
        np.savez_compressed(file, head=np.array(json.dumps(head)), **arrays)


def load_pose_space(path: str | PathLike[str]) -> PoseSpace:
    """Read a pose space.

    Raises
    ------
    FormatError
        When there is no such file, or it is no pose space of this version.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
            head = json.loads(str(arrays["head"]))
        if head["motionloom_pose_space"] != VERSION:
            raise FormatError(
                f"this pose space has version {head['motionloom_pose_space']}, expected {VERSION}; fit it again", path
            )
        return _rebuild(head, arrays)
    except FileNotFoundError:
        raise FormatError("there is no such file; save a pose space first", path) from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        raise FormatError("this is not a pose space; expected an .npz file written by save_pose_space", path) from None


def _describe(coordinates: Coordinates) -> dict[str, Any]:
    if isinstance(coordinates, ExponentialCoordinates):
        return {"kind": "exponential", "translated": coordinates.translated}
    assert isinstance(coordinates, EulerCoordinates)
    joints = [
        {name: np.asarray(value).tolist() if name in ("before", "after", "origin") else value for name, value in f}
        for f in (vars(joint).items() for joint in coordinates.freedoms)
    ]
    fields = ("joint", "freedoms", "order", "lower", "upper", "before", "after", "origin")
    return {"kind": "euler", "freedoms": [{name: joint[name] for name in fields} for joint in joints]}


def _rebuild(head: dict[str, Any], arrays: dict[str, Any]) -> PoseSpace:
    skeleton = Skeleton(
        tuple(head["names"]), arrays["parents"], arrays["offsets"], arrays["end_parents"], arrays["end_offsets"]
    )
    told = head["coordinates"]
    if told["kind"] == "exponential":
        coordinates: Coordinates = ExponentialCoordinates(skeleton, tuple(told["translated"]))
    else:
        lists = ("freedoms", "lower", "upper")
        rows: list[dict[str, Any]] = [
            {name: tuple(v) if name in lists else v for name, v in row.items()} for row in told["freedoms"]
        ]
        coordinates = EulerCoordinates(skeleton, tuple(EulerJoint(**row) for row in rows))
    forward = head["roles"]["forward"]
    roles = Roles(
        head["roles"]["joints"], head["roles"]["kind"], None if forward is None else (forward[0], tuple(forward[1]))
    )
    options = head["options"]
    return PoseSpace(
        PoseCoordinates(coordinates, head["root"]),
        roles,
        arrays["poses"],
        arrays["trial"],
        arrays["lower"],
        arrays["upper"],
        {name: np.array(columns, np.int64) for name, columns in head["segments"].items()},
        {name: _pca(name, facts, arrays) for name, facts in head["spaces"].items()},
        PoseSpaceOptions(**{**options, "limits": tuple(options["limits"])}),
    )


def _pca(name: str, facts: dict[str, Any], arrays: dict[str, Any]) -> PCA:
    pca = PCA(len(arrays[f"{name}/components_"]))
    for field in _PCA:
        setattr(pca, field, arrays[f"{name}/{field}"])
    pca.noise_variance_, pca.n_samples_ = facts["noise"], facts["samples"]
    return pca
