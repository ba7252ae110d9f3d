"""Models that fill gaps, on disk: one ``.npz`` file with a version.

Landmarks and coefficients, by far the most of it, are kept in half precision; those of a model that
is being learned as they are, so that whoever goes on comes to the same model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from motionloom.analysis.soles import SolePoint, Soles
from motionloom.inbetween.features import FeatureScale, describe_layout
from motionloom.inbetween.fit import Captures
from motionloom.inbetween.model import Band, InbetweenModel, half_columns
from motionloom.inbetween.phases.phase_space import PhaseSpace, PhaseSpaces
from motionloom.inbetween.regression.mirroring import Exchange, Mirroring
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
VERSION = 2
_OUTDATED = "this model has version {found}, expected {expected}; fit it again"
#: The largest number in half precision.
_HALF = 65504.0
_LIMITS = (-_HALF, _HALF)
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
        np.savez(file, head=np.array(json.dumps(_head_of(model))), **arrays)


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


def _small_arrays(band: Band) -> dict[str, Any]:
    start = f"band/{band.missing}"
    return {
        f"{start}/mean": band.scale.mean,
        f"{start}/weight": band.scale.weight,
        f"{start}/offset": band.offset,
    }


def _exact_arrays(band: Band) -> dict[str, Any]:
    start = f"band/{band.missing}"
    arrays = {**_small_arrays(band), f"{start}/landmarks": band.landmarks}
    for name, coefficients in band.coefficients.items():
        arrays[f"{start}/{name}/coefficients"] = coefficients
    return arrays


def _band_arrays(band: Band) -> dict[str, Any]:
    start = f"band/{band.missing}"
    arrays = _small_arrays(band)
    arrays[f"{start}/landmarks"] = np.clip(band.landmarks, -_HALF, _HALF).astype(np.float16)
    for name, coefficients in band.coefficients.items():
        # Columns of like size lose least.
        size = np.maximum(np.abs(coefficients).max(axis=0), 1e-30).astype(np.float32)
        arrays[f"{start}/{name}/size"] = size
        arrays[f"{start}/{name}/coefficients"] = (coefficients / size).astype(np.float16)
    return arrays


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
    kept.save(key, _exact_arrays(band), facts)


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
        return _band(facts, file, _sizes(captures.rig, columns), columns, exact=True)

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
    bands = tuple(_band(band, file, sizes, columns) for band in head.bands)
    lengths = [band.missing for band in bands]
    if lengths != sorted({*lengths}):
        raise Fault("its lengths are not in order")
    return InbetweenModel(
        rig=rig,
        reference=own["reference"],
        fps=head.fps,
        soles=soles,
        mirroring=_mirroring(file, sizes) if head.mirrored else None,
        bands=bands,
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


def _band(
    facts: _Band,
    file: StoredFile,
    sizes: Mapping[str, int],
    columns: Mapping[str, NDArray[np.int64]],
    *,
    exact: bool = False,
) -> Band:
    if set(facts.lengths) != set(columns):
        raise Fault("its halves are not those of its skeleton")
    start = f"band/{facts.missing}"
    known = dict(sizes)
    schema = {
        f"{start}/mean": Stored(np.float64, ("D",), -LARGEST, LARGEST),
        f"{start}/weight": Stored(np.float64, ("D",), 0, 1e12),
        f"{start}/offset": Stored(np.float32, ("V",), -LARGEST, LARGEST),
        f"{start}/landmarks": Stored(np.float32 if exact else np.float16, ("M", "D"), *_LIMITS),
    }
    own = file.arrays(schema, known)
    read = _exact_half if exact else _half
    coefficients = {}
    for name, places in columns.items():
        known["O"] = len(places)
        coefficients[name] = read(file, f"{start}/{name}", known)
    return Band(
        missing=facts.missing,
        scale=FeatureScale(own[f"{start}/mean"], own[f"{start}/weight"]),
        landmarks=own[f"{start}/landmarks"].astype(np.float32),
        lengths=facts.lengths,
        coefficients=coefficients,
        offset=own[f"{start}/offset"],
    )


def _half(file: StoredFile, half: str, known: dict[str, int]) -> NDArray[np.float32]:
    found = file.arrays(
        {
            f"{half}/size": Stored(np.float32, ("O",), 0, 1e30),
            f"{half}/coefficients": Stored(np.float16, ("M", "O"), -1, 1),
        },
        known,
    )
    wide: NDArray[np.float32] = found[f"{half}/coefficients"].astype(np.float32)
    wide *= found[f"{half}/size"]
    return wide


def _exact_half(file: StoredFile, half: str, known: dict[str, int]) -> NDArray[np.float32]:
    name = f"{half}/coefficients"
    found: NDArray[np.float32] = file.arrays(
        {name: Stored(np.float32, ("M", "O"), -1e30, 1e30)}, known
    )[name]
    return found


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
