"""Marker models on disk: one ``.npz`` file with a version."""

from __future__ import annotations

import json
from os import PathLike
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from motionloom.errors import InvalidInputError
from motionloom.fitting.marker_model import MarkerModel
from motionloom.io.files import atomic_write
from motionloom.io.stored import (
    Facts,
    Fault,
    Stored,
    StoredFile,
    open_stored,
    read_head,
)
from motionloom.io.stored_skeleton import (
    RolesFacts,
    describe_roles,
    read_skeleton,
    skeleton_arrays,
)

#: Raised whenever the content of the file or its meaning changes.
VERSION = 1
_OUTDATED = "this model has version {found}, expected {expected}; calibrate again"
#: No length (metres) is larger.
_LARGEST = 1e3
_ARRAYS = {
    "spread": Stored(np.float64, ("J", 3), -1, _LARGEST),
    "joints": Stored(np.int64, ("M",), 0, below="J"),
    "places": Stored(np.float64, ("M", 3), -_LARGEST, _LARGEST),
    "scatter": Stored(np.float64, ("M",), 0, _LARGEST),
}
_Name = Annotated[str, Field(max_length=1000)]


class _Head(Facts):
    motionloom_markers: int
    names: tuple[_Name, ...]
    labels: tuple[_Name, ...]
    marker_set: _Name
    roles: RolesFacts


def save_marker_model(model: MarkerModel, path: str | PathLike[str]) -> None:
    """Write a marker model to an ``.npz`` file.

    Parameters
    ----------
    model : MarkerModel
        What is kept.
    path : path-like
        The ``.npz`` file; it is replaced as a whole.
    """
    skeleton = model.skeleton
    head = {
        "motionloom_markers": VERSION,
        "names": skeleton.names,
        "labels": model.labels,
        "marker_set": model.marker_set,
        "roles": describe_roles(model.roles),
    }
    arrays: dict[str, Any] = {
        **skeleton_arrays(skeleton),
        "spread": np.where(np.isfinite(model.spreads), model.spreads, -1.0),
        "joints": model.joints.astype(np.int64),
        "places": model.offsets,
        "scatter": model.scatter,
    }
    with atomic_write(path) as file:
        np.savez(file, head=np.array(json.dumps(head)), **arrays)


def load_marker_model(path: str | PathLike[str]) -> MarkerModel:
    """Read a marker model.

    Raises
    ------
    FormatError
        When there is no such file, it is no such model of this version, or it holds what no model
        can hold.
    """
    message = (
        "this is not a marker model ({reason}); expected an .npz file written by 'motionloom fit"
        " -o MODEL.npz'"
    )
    absent = "there is no such file; make a model first, with 'motionloom fit -o MODEL.npz'"
    with open_stored(path, message, absent) as file:
        head = read_head(_Head, file, "motionloom_markers", VERSION, _OUTDATED)
        return _rebuild(head, file)


def _rebuild(head: _Head, file: StoredFile) -> MarkerModel:
    skeleton, roles = read_skeleton(head.names, head.roles, file)
    own = file.arrays(_ARRAYS, {"J": skeleton.n_joints, "M": len(head.labels)})
    try:
        return MarkerModel(
            skeleton=skeleton,
            roles=roles,
            labels=head.labels,
            joints=own["joints"],
            offsets=own["places"],
            scatter=own["scatter"],
            marker_set=head.marker_set,
            spread=np.where(own["spread"] < 0, np.inf, own["spread"]),
        )
    except InvalidInputError as error:
        raise Fault(str(error)) from None
