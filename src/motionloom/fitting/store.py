"""Marker models on disk: one ``.npz`` file with a version."""

from __future__ import annotations

import json
from os import PathLike
from typing import Annotated

import numpy as np
from pydantic import Field

from motionloom.errors import FormatError, InvalidInputError
from motionloom.fitting.marker_model import MarkerModel
from motionloom.io.files import atomic_write
from motionloom.io.stored import (
    Facts,
    Fault,
    Stored,
    StoredFile,
    open_stored,
    read_facts,
    read_version,
)
from motionloom.roles import Roles, check_roles
from motionloom.skeleton import Skeleton

#: Raised whenever the content of the file or its meaning changes.
VERSION = 1
#: No length (metres) is larger.
_LARGEST = 1e3
_ARRAYS = {
    "parents": Stored(np.int64, ("J",), -1, below="J"),
    "offsets": Stored(np.float64, ("J", 3), -_LARGEST, _LARGEST),
    "end_parents": Stored(np.int64, ("E",), 0, below="J"),
    "end_offsets": Stored(np.float64, ("E", 3), -_LARGEST, _LARGEST),
    "spread": Stored(np.float64, ("J", 3), -1, _LARGEST),
    "joints": Stored(np.int64, ("M",), 0, below="J"),
    "places": Stored(np.float64, ("M", 3), -_LARGEST, _LARGEST),
    "scatter": Stored(np.float64, ("M",), 0, _LARGEST),
}
_Name = Annotated[str, Field(max_length=1000)]


class _Roles(Facts):
    joints: dict[str, int]
    kind: str
    forward: tuple[int, tuple[float, float, float]] | None


class _Head(Facts):
    motionloom_markers: int
    names: tuple[_Name, ...]
    labels: tuple[_Name, ...]
    marker_set: _Name
    roles: _Roles


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
    roles = model.roles
    head = {
        "motionloom_markers": VERSION,
        "names": skeleton.names,
        "labels": model.labels,
        "marker_set": model.marker_set,
        "roles": {"joints": dict(roles.joints), "kind": roles.kind, "forward": roles.forward},
    }
    arrays = {
        "parents": skeleton.parents,
        "offsets": skeleton.offsets,
        "end_parents": skeleton.end_parents,
        "end_offsets": skeleton.end_offsets,
        "spread": np.where(np.isfinite(model.spreads), model.spreads, -1.0),
        "joints": model.joints.astype(np.int64),
        "places": model.offsets,
        "scatter": model.scatter,
    }
    with atomic_write(path) as file:
        np.savez(file, head=np.array(json.dumps(head)), **arrays)  # type: ignore[arg-type]


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
        text = file.text()
        version = read_version(text, "motionloom_markers")
        if version is not None and version != VERSION:
            raise FormatError(
                f"this model has version {version}, expected {VERSION}; calibrate again", path
            )
        return _rebuild(read_facts(_Head, text), file)


def _rebuild(head: _Head, file: StoredFile) -> MarkerModel:
    own = file.arrays(_ARRAYS, {"J": len(head.names), "M": len(head.labels)})
    skeleton = Skeleton(
        head.names, own["parents"], own["offsets"], own["end_parents"], own["end_offsets"]
    )
    roles = Roles(head.roles.joints, head.roles.kind, head.roles.forward)
    try:
        check_roles(roles, skeleton)
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
