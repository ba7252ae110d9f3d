"""Motion spaces on disk: one ``.npz`` file with a version."""

from __future__ import annotations

import json
from os import PathLike
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from motionloom.coordinates import ExponentialCoordinates
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
    LARGEST,
    RolesFacts,
    check_unit,
    describe_roles,
    read_skeleton,
    skeleton_arrays,
)
from motionloom.motion import GroundTransform
from motionloom.spaces.motion_space.space import MotionSpace
from motionloom.spaces.motion_space.timing import Timing

#: Raised whenever the content of the file or its meaning changes.
VERSION = 1
_OUTDATED = "this motion model has version {found}, expected {expected}; fit it again"
#: J joints.
_REFERENCE = {"reference": Stored(np.float64, ("J", 4), -1.001, 1.001)}
#: N frames of D numbers, K eigen-motions, R directions, P key postures, d takes.
_SPACE = {
    "scale": Stored(np.float64, ("D",), 0, LARGEST),
    "key_frames": Stored(np.int64, ("P",), 0, below="N"),
    "mean": Stored(np.float64, ("N", "D"), -LARGEST, LARGEST),
    "components": Stored(np.float64, ("K", "N", "D"), -LARGEST, LARGEST),
    "sigmas": Stored(np.float64, ("K",), 0, LARGEST),
    "spectrum": Stored(np.float64, ("R",), 0, LARGEST**2),
    "coefficients": Stored(np.float64, ("d", "K"), -LARGEST, LARGEST),
}
_TIMING = {
    "timing/mean": Stored(np.float64, ("S",), -50, 50),
    "timing/slopes": Stored(np.float64, ("S", "K"), -LARGEST, LARGEST),
    "timing/error": Stored(np.float64, ("S",), 0, LARGEST),
    "timing/takes": Stored(np.float64, ("d", "S"), 0, LARGEST),
}
_PLAIN = (
    *("kind", "key_names", "names", "styles", "notes"),
    *("frame_time", "noise_variance", "aligned"),
)
_Name = Annotated[str, Field(max_length=1000)]
_Vector = tuple[float, float, float]


class _Head(Facts):
    motionloom_motion_space: int
    joints: tuple[_Name, ...]
    translated: tuple[int, ...]
    roles: RolesFacts
    kind: Literal["pca", "ppca"]
    key_names: tuple[_Name, ...]
    names: tuple[_Name, ...]
    styles: tuple[_Name, ...]
    notes: tuple[_Name, ...]
    frame_time: Annotated[float, Field(gt=0, le=LARGEST)]
    noise_variance: Annotated[float, Field(ge=0, le=LARGEST**2)]
    placing: _Vector
    aligned: bool


def save_motion_space(space: MotionSpace, path: str | PathLike[str]) -> None:
    """Write a motion space to an ``.npz`` file.

    Parameters
    ----------
    space : MotionSpace
        What is kept.
    path : path-like
        The ``.npz`` file.
    """
    skeleton = space.skeleton
    placing = space.placing
    head = {
        "motionloom_motion_space": VERSION,
        "joints": skeleton.names,
        "translated": space.coordinates.translated,
        "roles": describe_roles(space.roles),
        "placing": (float(placing.angle), float(placing.x), float(placing.z)),
    }
    head |= {name: getattr(space, name) for name in _PLAIN}
    arrays: dict[str, Any] = {
        **skeleton_arrays(skeleton),
        "reference": space.coordinates.reference,
        **{name: getattr(space, name) for name in _SPACE},
        **{name: getattr(space.timing, name.split("/")[1]) for name in _TIMING},
    }
    with atomic_write(path) as file:
        np.savez_compressed(file, head=np.array(json.dumps(head)), **arrays)


def load_motion_space(path: str | PathLike[str]) -> MotionSpace:
    """Read a motion space.

    Raises
    ------
    FormatError
        When there is no such file, it is no motion space of this version, or it holds what no
        motion space can hold.
    """
    message = "this is not a motion model ({reason}); expected an .npz file of 'model fit'"
    absent = "there is no such file; fit a motion model first"
    with open_stored(path, message, absent) as file:
        head = read_head(_Head, file, "motionloom_motion_space", VERSION, _OUTDATED)
        return _rebuild(head, file)


def _rebuild(head: _Head, file: StoredFile) -> MotionSpace:
    skeleton, roles = read_skeleton(head.joints, head.roles, file)
    sizes = {"J": skeleton.n_joints}
    reference = file.arrays(_REFERENCE, sizes)["reference"]
    if list(head.translated) != sorted({j for j in head.translated if 0 <= j < sizes["J"]}):
        raise Fault("its translated joints are none of the skeleton")
    check_unit(reference, "mean rotations")
    coordinates = ExponentialCoordinates(skeleton, head.translated, reference)
    sizes |= {"D": coordinates.size, "P": len(head.key_names), "d": len(head.names)}
    sizes["S"] = sizes["P"] - 1
    mean = file.arrays({"mean": _SPACE["mean"]}, sizes)["mean"]
    arrays = file.arrays({name: f for name, f in _SPACE.items() if name != "mean"}, sizes)
    timing = file.arrays(_TIMING, sizes)
    frames = arrays["key_frames"]
    if (
        len(frames) < 2
        or frames[0] != 0
        or frames[-1] != sizes["N"] - 1
        or np.diff(frames).min() < 1
    ):
        raise Fault("its key postures are not in order")
    if head.styles and len(head.styles) != len(head.names):
        raise Fault("its styles are not those of its takes")
    if sizes["K"] < 1 or not (arrays["scale"] > 0).all() or not (arrays["sigmas"] > 0).all():
        raise Fault("nothing varies in it")
    if sizes["R"] < sizes["K"] or (np.diff(arrays["spectrum"]) > 0).any():
        raise Fault("its variances are not in order")
    scaled = (arrays["components"] * arrays["scale"]).reshape(sizes["K"], -1)
    if np.abs(scaled @ scaled.T - np.eye(sizes["K"])).max() > 1e-6:
        raise Fault("its eigen-motions are not orthonormal")
    angle, x, z = head.placing
    if not (timing["timing/takes"] > 0).all():
        raise Fault("its takes last no time")
    spans = {name.split("/")[1]: timing[name] for name in _TIMING}
    return MotionSpace(
        coordinates=coordinates,
        mean=mean,
        **arrays,
        key_names=head.key_names,
        frame_time=head.frame_time,
        kind=head.kind,
        noise_variance=head.noise_variance,
        timing=Timing(frames, **spans),
        names=head.names,
        styles=head.styles,
        placing=GroundTransform(angle, x, z),
        aligned=head.aligned,
        roles=roles,
        notes=head.notes,
    )
