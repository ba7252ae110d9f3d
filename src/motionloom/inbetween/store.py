"""Models that fill gaps, on disk: one compressed ``.npz`` file with a version.

Landmarks are gaps in the captures. The file holds the captured poses that they are made from, once
for all lengths, and the coefficients rounded as `motionloom.inbetween.regression.rounding` does it.
A model is learned from exactly these poses and predicts with exactly these coefficients, before its
file is written and after it is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from os import PathLike
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from motionloom.analysis.soles import SolePoint, Soles
from motionloom.inbetween.features import FeatureScale, describe_layout
from motionloom.inbetween.fit import Captures
from motionloom.inbetween.model import MOST_LANDMARKS, Band, InbetweenModel, half_columns
from motionloom.inbetween.phases.phase_space import PhaseSpace, PhaseSpaces
from motionloom.inbetween.poses import ONE, Poses
from motionloom.inbetween.regression.mirroring import Exchange, Mirroring
from motionloom.inbetween.regression.rounding import FINEST, Exact, Rounded
from motionloom.inbetween.rig import Rig
from motionloom.io.files import atomic_write
from motionloom.io.kept import KeptFolder
from motionloom.io.stored import (
    MOST,
    Facts,
    Fault,
    Stored,
    StoredFile,
    open_stored,
    read_facts,
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

#: Raised whenever the content of the file or its meaning changes.
VERSION = 3
_OUTDATED = (
    "this model has version {found}, expected {expected}; make it again with 'motionloom inbetween"
    " fit CLIPS'"
)
_POSES = {
    "frames": Stored(np.uint32, ("F",)),
    "rotations": Stored(np.int16, ("F", "J", 4), -ONE, ONE),
    "roots": Stored(np.float32, ("F", 3), -LARGEST, LARGEST),
}
_RIG = {
    "bones": Stored(np.float64, ("J", 3), -LARGEST, LARGEST),
    "reference": Stored(np.float64, ("J", 4), -1.001, 1.001),
    "phase_reference": Stored(np.float64, ("J", 4), -1.001, 1.001),
}
_MIRRORING = {
    "feature_order": Stored(np.int64, ("D",), 0, below="D"),
    "feature_signs": Stored(np.float32, ("D",), -1, 1),
    "value_order": Stored(np.int64, ("V",), 0, below="V"),
    "value_signs": Stored(np.float32, ("V",), -1, 1),
}
_Name = Annotated[str, Field(max_length=1000)]
_Vector = tuple[float, float, float]
_Length = Annotated[float, Field(gt=0, le=LARGEST)]


class _Point(Facts):
    foot: _Name
    part: _Name
    joint: Annotated[int, Field(ge=0, le=MOST)]
    local: _Vector
    rest: float


class _Soles(Facts):
    points: tuple[_Point, ...]
    leg: _Length
    ground: float


class _Band(Facts):
    missing: Annotated[int, Field(ge=1, le=100_000)]
    lengths: dict[str, _Length]


class _Head(Facts):
    motionloom_inbetween: int
    names: tuple[_Name, ...]
    root: Annotated[int, Field(ge=0, le=MOST)]
    roles: RolesFacts
    soles: _Soles | None
    fps: Annotated[float, Field(gt=0, le=10_000)]
    learned: Annotated[int, Field(ge=0, le=MOST)]
    mirrored: bool
    bands: tuple[_Band, ...]
    segments: dict[str, list[Annotated[int, Field(ge=0, le=MOST)]]]


def save_inbetween(model: InbetweenModel, path: str | PathLike[str]) -> None:
    """Write a model to an ``.npz`` file.

    Parameters
    ----------
    model : InbetweenModel
        What is kept.
    path : path-like
        The ``.npz`` file; it is replaced as a whole.
    """
    rig = model.rig
    skeleton = rig.skeleton
    arrays: dict[str, Any] = {
        **skeleton_arrays(skeleton),
        "bones": rig.bones,
        "reference": model.reference,
        "phase_reference": model.phases.reference,
        "frames": model.poses.frames,
        "rotations": model.poses.rotations,
        "roots": model.poses.roots,
    }
    if model.mirroring is not None:
        mirroring = model.mirroring
        arrays |= {
            "feature_order": mirroring.features.order,
            "feature_signs": mirroring.features.signs,
            "value_order": mirroring.values.order,
            "value_signs": mirroring.values.signs,
        }
    for band in model.bands:
        arrays |= _band_arrays(band)
    for name, space in model.phases.spaces.items():
        arrays[f"phase/{name}/mean"] = space.mean
        arrays[f"phase/{name}/basis"] = space.basis
    with atomic_write(path) as file:
        np.savez_compressed(file, head=np.array(json.dumps(_head_of(model))), **arrays)


def _head_of(model: InbetweenModel) -> dict[str, Any]:
    soles = None
    if model.soles is not None:
        soles = {
            "points": [vars(point) for point in model.soles.points],
            "leg": model.soles.leg,
            "ground": model.soles.ground,
        }
    return {
        "motionloom_inbetween": VERSION,
        "names": model.rig.skeleton.names,
        "root": model.rig.root,
        "roles": describe_roles(model.rig.roles),
        "soles": soles,
        "fps": model.fps,
        "learned": model.learned,
        "mirrored": model.mirroring is not None,
        "bands": [{"missing": b.missing, "lengths": dict(b.lengths)} for b in model.bands],
        "segments": {name: list(s.joints) for name, s in model.phases.spaces.items()},
    }


def _band_arrays(band: Band) -> dict[str, Any]:
    start = f"band/{band.missing}"
    arrays = {
        f"{start}/mean": band.scale.mean,
        f"{start}/weight": band.scale.weight,
        f"{start}/offset": band.offset,
        f"{start}/last": band.last,
    }
    for name, own in band.halves.items():
        arrays |= {f"{start}/{name}/{part}": array for part, array in _half_arrays(own).items()}
    return arrays


def _half_arrays(own: Exact | Rounded) -> dict[str, Any]:
    if isinstance(own, Exact):
        return {"values": own.values}
    return {
        "counts": _planes(own.counts),
        "steps": own.steps,
        "directions": own.directions,
        "units": own.units,
        "weights": own.weights,
    }


def _planes(counts: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Bytes of whole numbers, each kind together, which compresses best; shape (4, R, M)."""
    # 0, -1, 1, -2 ... become 0, 1, 2, 3 ..., so that the higher bytes of small numbers are 0.
    folded = ((counts << 1) ^ (counts >> 31)).T.astype("<u4")
    planes = np.ascontiguousarray(folded)[..., None].view(np.uint8)
    return np.ascontiguousarray(np.moveaxis(planes, -1, 0))


def _counts(planes: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Whole numbers of their bytes, shape (M, R); the inverse of `_planes`."""
    folded = np.ascontiguousarray(np.moveaxis(planes, 0, -1)).view("<u4")[..., 0].T
    # In the order of those that were saved, so that products with them are added alike.
    return np.ascontiguousarray((folded >> 1).astype(np.int32) ^ -(folded & 1).astype(np.int32))


def load_inbetween(path: str | PathLike[str]) -> InbetweenModel:
    """Read a model that fills gaps.

    Raises
    ------
    FormatError
        When there is no such file, it is no such model of this version, or it holds what no model
        can hold.
    """
    message = (
        "this is not a model that fills gaps ({reason}); expected an .npz file written by"
        " 'motionloom inbetween fit'"
    )
    absent = "there is no such file; fit a model first, with 'motionloom inbetween fit'"
    with open_stored(path, message, absent) as file:
        head = read_head(_Head, file, "motionloom_inbetween", VERSION, _OUTDATED)
        return _rebuild(head, file)


class _PartHead(Facts):
    band: _Band


def save_band(band: Band, kept: KeptFolder, key: str) -> None:
    """Keep one length of a model that is being learned.

    Parameters
    ----------
    band : Band
        What was learned.
    kept : KeptFolder
        Where.
    key : str
        Stands for the captures, the options and the length.
    """
    facts = {"band": {"missing": band.missing, "lengths": dict(band.lengths)}}
    kept.save(key, _band_arrays(band) | {"landmarks": band.landmarks}, facts)


def load_band(kept: KeptFolder, key: str, missing: int, captures: Captures) -> Band | None:
    """One length of a model that was kept.

    Parameters
    ----------
    kept : KeptFolder
        Where.
    key : str
        As it was kept with.
    missing : int
        Missing frames of its gaps.
    captures : Captures
        What it was learned from.

    Returns
    -------
    Band or None
        None where there is none, or its file is damaged.
    """

    def read(file: StoredFile) -> Band:
        facts = read_facts(_PartHead, file.text()).band
        if facts.missing != missing:
            raise Fault("it is of gaps of another length")
        columns = half_columns(captures.rig, captures.soles)
        sizes = _sizes(captures.rig, columns)
        schema = {"landmarks": Stored(np.float32, ("M", "D"), -LARGEST, LARGEST)}
        landmarks = file.arrays(schema, sizes)["landmarks"]
        return _band(facts, file, sizes, columns, lambda scale, last: landmarks)

    return kept.load(key, read)


def _sizes(rig: Rig, columns: Mapping[str, NDArray[np.int64]]) -> dict[str, int]:
    return {
        "D": sum(block.size for block in describe_layout(rig)),
        "V": sum(map(len, columns.values())),
    }


def _rebuild(head: _Head, file: StoredFile) -> InbetweenModel:
    skeleton, roles = read_skeleton(head.names, head.roles, file)
    own = file.arrays(_RIG, {"J": skeleton.n_joints})
    if not head.root < skeleton.n_joints or not head.bands:
        raise Fault("its root is no joint, or it has learned nothing")
    for name in ("reference", "phase_reference"):
        check_unit(own[name], "mean rotations")
    rig = Rig(skeleton, roles, head.root, own["bones"])
    soles = None if head.soles is None else _soles(head.soles, skeleton)
    columns = half_columns(rig, soles)
    sizes = _sizes(rig, columns)
    lengths = [band.missing for band in head.bands]
    if lengths != sorted({*lengths}):
        raise Fault("its lengths are not in order")
    poses = _poses(file, skeleton.n_joints)
    sizes |= {"F": len(poses.frames)}
    left = MOST_LANDMARKS

    def landmarks_of(missing: int) -> _Landmarks:
        def made(scale: FeatureScale, last: NDArray[np.uint32]) -> NDArray[np.float32]:
            nonlocal left
            left -= len(last)
            if left < 0:
                raise Fault("it has more landmarks than a model can have")
            if not poses.holds(last, missing):
                raise Fault("its landmarks are not among its poses")
            features = poses.describe(rig, own["reference"], last, missing)
            return scale.apply(features.astype(float))

        return made

    bands = tuple(
        _band(band, file, sizes, columns, landmarks_of(band.missing)) for band in head.bands
    )
    return InbetweenModel(
        rig=rig,
        reference=own["reference"],
        fps=head.fps,
        soles=soles,
        mirroring=_mirroring(file, sizes) if head.mirrored else None,
        bands=bands,
        poses=poses,
        phases=_phases(head, file, rig, own["phase_reference"]),
        learned=head.learned,
    )


def _soles(facts: _Soles, skeleton: Skeleton) -> Soles:
    points = tuple(SolePoint(**dict(point)) for point in facts.points)
    if any(point.joint >= skeleton.n_joints for point in points):
        raise Fault("its soles are on no joint")
    numbers = [facts.ground, *(n for p in points for n in (*p.local, p.rest))]
    if not np.abs(numbers).max() <= LARGEST:
        raise Fault("its soles are out of range")
    return Soles(points, facts.leg, facts.ground)


def _mirroring(file: StoredFile, sizes: dict[str, int]) -> Mirroring:
    own = file.arrays(_MIRRORING, dict(sizes))
    parts = [Exchange(own[f"{name}_order"], own[f"{name}_signs"]) for name in ("feature", "value")]
    for part in parts:
        if not np.array_equal(part.order[part.order], np.arange(len(part.order))):
            raise Fault("its mirroring does not undo itself")
    return Mirroring(*parts)


def _poses(file: StoredFile, n_joints: int) -> Poses:
    own = file.arrays(_POSES, {"J": n_joints})
    poses = Poses(own["frames"], own["rotations"], own["roots"])
    if len(poses.frames) == 0 or (np.diff(poses.frames.astype(np.int64)) <= 0).any():
        raise Fault("its frames are not in order")
    longer = np.linalg.norm(poses.rotations.astype(float), axis=-1)
    if not (np.abs(longer / ONE - 1.0) < 1e-3).all():
        raise Fault("its rotations are not of length 1")
    return poses


#: Makes landmarks of their scale and their last frames before the gaps.
_Landmarks = Callable[[FeatureScale, NDArray[np.uint32]], NDArray[np.float32]]


def _band(
    facts: _Band,
    file: StoredFile,
    sizes: Mapping[str, int],
    columns: Mapping[str, NDArray[np.int64]],
    landmarks_of: _Landmarks,
) -> Band:
    if set(facts.lengths) != set(columns):
        raise Fault("its halves are not those of its skeleton")
    start = f"band/{facts.missing}"
    known = dict(sizes)
    schema = {
        f"{start}/mean": Stored(np.float64, ("D",), -LARGEST, LARGEST),
        f"{start}/weight": Stored(np.float64, ("D",), 0, 1e12),
        f"{start}/offset": Stored(np.float32, ("V",), -LARGEST, LARGEST),
        f"{start}/last": Stored(np.uint32, ("M",)),
    }
    own = file.arrays(schema, known)
    last = own[f"{start}/last"]
    if len(np.unique(last)) != len(last):
        raise Fault("it has landmarks twice")
    halves = {}
    for name, places in columns.items():
        half = {key: size for key, size in known.items() if key != "R"} | {"O": len(places)}
        halves[name] = _half(file, f"{start}/{name}", half)
    scale = FeatureScale(own[f"{start}/mean"], own[f"{start}/weight"])
    return Band(
        missing=facts.missing,
        scale=scale,
        landmarks=landmarks_of(scale, last),
        lengths=facts.lengths,
        halves=halves,
        offset=own[f"{start}/offset"],
        last=last,
    )


def _half(file: StoredFile, half: str, sizes: dict[str, int]) -> Exact | Rounded:
    name = f"{half}/values"
    if not file.holds(name):
        return _rounded(file, half, sizes)
    schema = {name: Stored(np.float32, ("M", "O"), -LARGEST, LARGEST)}
    return Exact(file.arrays(schema, sizes)[name])


def _rounded(file: StoredFile, half: str, sizes: dict[str, int]) -> Rounded:
    schema = {
        "counts": Stored(np.uint8, (4, "R", "M")),
        "steps": Stored(np.float32, ("M",), 0, 1e30),
        "directions": Stored(np.int16, ("R", "O"), -FINEST, FINEST),
        "units": Stored(np.float32, ("R",), 0, 1),
        "weights": Stored(np.float32, ("O",), 1e-6, 1e6),
    }
    own = file.arrays({f"{half}/{name}": wanted for name, wanted in schema.items()}, sizes)
    parts = {name: own[f"{half}/{name}"] for name in schema}
    if parts["counts"][3].max(initial=0) > 127:
        raise Fault(f"{half}/counts holds numbers of more than 31 bits")
    return Rounded(**(parts | {"counts": _counts(parts["counts"])}))


def _phases(head: _Head, file: StoredFile, rig: Rig, reference: NDArray[np.float64]) -> PhaseSpaces:
    spaces = {}
    for name, joints in head.segments.items():
        if any(joint >= rig.n_joints for joint in joints):
            raise Fault(f"segment {name!r} is of other joints")
        sizes = {"P": 6 * len(joints)}
        own = file.arrays(
            {
                f"phase/{name}/mean": Stored(np.float64, ("P",), -LARGEST, LARGEST),
                f"phase/{name}/basis": Stored(np.float64, ("P", "K"), -2, 2),
            },
            sizes,
        )
        spaces[name] = PhaseSpace(
            tuple(joints), own[f"phase/{name}/mean"], own[f"phase/{name}/basis"]
        )
    return PhaseSpaces(rig, reference, spaces)
