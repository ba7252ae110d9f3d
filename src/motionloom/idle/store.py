"""Idle models on disk: one ``.npz`` file with a version."""

from __future__ import annotations

import json
from dataclasses import asdict
from os import PathLike
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from motionloom.coordinates import ExponentialCoordinates
from motionloom.idle.learning.limits import MotionRange
from motionloom.idle.learning.posture_space import PostureSpace
from motionloom.idle.learning.shifts import Shift
from motionloom.idle.learning.spans import CATEGORIES
from motionloom.idle.model import IdleModel, Rest
from motionloom.idle.variations import NoiseVariation
from motionloom.io.files import atomic_write
from motionloom.io.stored import Facts, Fault, Stored, StoredFile, open_stored, read_head
from motionloom.io.stored_skeleton import (
    LARGEST,
    RolesFacts,
    check_unit,
    describe_roles,
    read_skeleton,
    skeleton_arrays,
)
from motionloom.motion import GroundTransform

#: Raised whenever the content of the file or its meaning changes.
VERSION = 2
_OUTDATED = "this idle model has version {found}, expected {expected}; fit it again"
_MESSAGE = "this is not an idle model ({reason}); expected an .npz file of 'idle fit'"
_ABSENT = "there is no such file; fit an idle model first, with 'motionloom idle fit'"
#: K components of D numbers, R rests, H shifts of F frames together, of which G step.
_SPACE = {
    "reference": Stored(np.float64, ("J", 4), -1.001, 1.001),
    "origin": Stored(np.float64, (3,), -LARGEST, LARGEST),
    "components": Stored(np.float64, ("K", "D"), -1.001, 1.001),
    "energy": Stored(np.float64, ("K",), 0, LARGEST),
}
_RESTS = {
    "rest_postures": Stored(np.float64, ("R", "K"), -LARGEST, LARGEST),
    "rest_feet": Stored(np.float64, ("R", 2, 3), -LARGEST, LARGEST),
    "rest_turns": Stored(np.float64, ("R", 2, 4), -1.001, 1.001),
}
_SHIFTS = {
    "shift_postures": Stored(np.float64, ("F", "K"), -LARGEST, LARGEST),
    "step_feet": Stored(np.float64, ("G", 2, 3), -LARGEST, LARGEST),
    "step_turns": Stored(np.float64, ("G", 2, 4), -1.001, 1.001),
}
_VARIATIONS = {
    "transitions": Stored(np.float64, (3, 3), 0, 1.001),
    "filters": Stored(np.float64, ("K", "P1"), -LARGEST, LARGEST),
    "drive": Stored(np.float64, ("E", "K"), -LARGEST, LARGEST),
    "ends": Stored(np.int64, ("S",), 1),
    "knees": Stored(np.float64, (2, 3), -1.001, 1.001),
}
_Name = Annotated[str, Field(max_length=1000)]
_Positive = Annotated[float, Field(gt=0, le=LARGEST)]
_Size = Annotated[float, Field(ge=0, le=LARGEST)]
_Category = Literal["right", "both", "left"]


class _Rest(Facts):
    category: _Category
    stay: _Positive
    whole: bool


class _Shift(Facts):
    begin: _Category
    end: _Category
    frames: Annotated[int, Field(ge=2, le=10_000_000)]
    steps: bool
    moved: tuple[float, float, float]


class _Limits(Facts):
    width: _Size
    hips: Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
    sway: _Positive
    speed: _Size
    acceleration: _Size


class _Head(Facts):
    motionloom_idle: int
    joints: tuple[_Name, ...]
    roles: RolesFacts
    leg: _Positive
    fps: Annotated[float, Field(gt=0, le=10_000)]
    rests: tuple[_Rest, ...]
    shifts: tuple[_Shift, ...]
    limits: _Limits
    stretch: Annotated[int, Field(ge=1, le=1_000_000)]
    person: _Name
    seconds: Annotated[float, Field(ge=0, le=1e9)]
    notes: tuple[_Name, ...]


def save_idle(model: IdleModel, path: str | PathLike[str]) -> None:
    """Write an idle model to an ``.npz`` file.

    Parameters
    ----------
    model : IdleModel
        What is kept.
    path : path-like
        The ``.npz`` file; it is replaced as a whole.
    """
    space = model.space
    k = space.n_components
    head = {
        "motionloom_idle": VERSION,
        "joints": space.coordinates.skeleton.names,
        "roles": describe_roles(space.roles),
        "leg": space.leg,
        "fps": model.fps,
        "rests": [{"category": r.category, "stay": r.stay, "whole": r.whole} for r in model.rests],
        "shifts": [_describe(shift) for shift in model.shifts],
        "limits": asdict(model.limits),
        "stretch": model.variations.stretch,
        "person": model.person,
        "seconds": model.seconds,
        "notes": model.notes,
    }
    steps = [shift for shift in model.shifts if shift.steps]
    arrays: dict[str, Any] = {
        **skeleton_arrays(space.coordinates.skeleton),
        "reference": space.coordinates.reference,
        **{name: getattr(space, name) for name in ("origin", "components", "energy")},
        "rest_postures": np.array([rest.posture for rest in model.rests]),
        "rest_feet": np.array([rest.feet for rest in model.rests]),
        "rest_turns": np.array([rest.turns for rest in model.rests]),
        "shift_postures": _stacked([shift.postures for shift in model.shifts], k),
        "step_feet": _stacked([shift.feet for shift in steps], 2, 3),
        "step_turns": _stacked([shift.turns for shift in steps], 2, 4),
        "transitions": model.transitions,
        "knees": model.knees,
        **{name: getattr(model.variations, name) for name in ("filters", "drive", "ends")},
    }
    with atomic_write(path) as file:
        np.savez_compressed(file, head=np.array(json.dumps(head)), **arrays)


def _describe(shift: Shift) -> dict[str, Any]:
    moved = shift.moved
    return {
        "begin": shift.begin,
        "end": shift.end,
        "frames": shift.n_frames,
        "steps": shift.steps,
        "moved": (float(moved.angle), float(moved.x), float(moved.z)),
    }


def _stacked(parts: list[Any], *shape: int) -> NDArray[np.float64]:
    return np.concatenate(parts) if parts else np.zeros((0, *shape))


def load_idle(path: str | PathLike[str]) -> IdleModel:
    """Read an idle model.

    Parameters
    ----------
    path : path-like
        The ``.npz`` file.

    Returns
    -------
    IdleModel

    Raises
    ------
    FormatError
        When there is no such file, it is no idle model of this version, or it holds what no idle
        model can hold.
    """
    with open_stored(path, _MESSAGE, _ABSENT) as file:
        head = read_head(_Head, file, "motionloom_idle", VERSION, _OUTDATED)
        return _rebuild(head, file)


def _rebuild(head: _Head, file: StoredFile) -> IdleModel:
    skeleton, roles = read_skeleton(head.joints, head.roles, file)
    if not {"left_foot", "right_foot"} <= roles.joints.keys():
        raise Fault("its body has no feet")
    sizes = {"J": skeleton.n_joints, "D": 3 + 3 * skeleton.n_joints}
    own = file.arrays(_SPACE, sizes)
    check_unit(own["reference"], "mean rotations")
    directions = own["components"]
    if sizes["K"] < 1 or np.abs(directions @ directions.T - np.eye(sizes["K"])).max() > 1e-6:
        raise Fault("its components are not orthonormal")
    if not own["energy"][0] > 0 or (np.diff(own["energy"]) > 0).any():
        raise Fault("its components are not in order")
    coordinates = ExponentialCoordinates(skeleton, (0,), own.pop("reference"))
    space = PostureSpace(coordinates=coordinates, leg=head.leg, roles=roles, **own)
    rests = _rests(head, file, sizes)
    shifts = _shifts(head, file, sizes)
    learned = file.arrays(_VARIATIONS, sizes)
    knees = learned.pop("knees")
    check_unit(knees, "knees' axes")
    return IdleModel(
        space=space,
        fps=head.fps,
        rests=rests,
        shifts=shifts,
        transitions=_transitions(learned.pop("transitions"), rests),
        knees=knees,
        limits=MotionRange(**head.limits.model_dump()),
        variations=_variations(learned, head.stretch),
        person=head.person,
        seconds=head.seconds,
        notes=head.notes,
    )


def _rests(head: _Head, file: StoredFile, sizes: dict[str, int]) -> tuple[Rest, ...]:
    sizes["R"] = len(head.rests)
    if not head.rests:
        raise Fault("nobody rests in it")
    arrays = file.arrays(_RESTS, sizes)
    check_unit(arrays["rest_turns"], "feet's rotations")
    return tuple(
        Rest(
            posture=posture,
            category=facts.category,
            stay=facts.stay,
            whole=facts.whole,
            feet=feet,
            turns=turns,
        )
        for facts, posture, feet, turns in zip(head.rests, *arrays.values(), strict=True)
    )


def _shifts(head: _Head, file: StoredFile, sizes: dict[str, int]) -> tuple[Shift, ...]:
    sizes["F"] = sum(shift.frames for shift in head.shifts)
    sizes["G"] = sum(shift.frames for shift in head.shifts if shift.steps)
    arrays = file.arrays(_SHIFTS, sizes)
    check_unit(arrays["step_turns"], "feet's rotations")
    shifts = []
    at = stepped = 0
    for facts in head.shifts:
        if not np.abs(facts.moved).max() <= LARGEST:
            raise Fault("a step leads out of the world")
        postures = arrays["shift_postures"][at : at + facts.frames]
        feet = turns = None
        if facts.steps:
            feet = arrays["step_feet"][stepped : stepped + facts.frames]
            turns = arrays["step_turns"][stepped : stepped + facts.frames]
            stepped += facts.frames
        moved = GroundTransform(*facts.moved)
        shifts.append(
            Shift(
                postures=postures,
                begin=facts.begin,
                end=facts.end,
                feet=feet,
                turns=turns,
                moved=moved,
            )
        )
        at += facts.frames
    return tuple(shifts)


def _transitions(chances: NDArray[np.float64], rests: tuple[Rest, ...]) -> NDArray[np.float64]:
    present = {rest.category for rest in rests}
    for row, category in zip(chances, CATEGORIES, strict=True):
        reached = {c for c, chance in zip(CATEGORIES, row, strict=True) if chance > 0}
        if category in present and (abs(row.sum() - 1.0) > 1e-9 or not reached <= present):
            raise Fault("its transitions lead nowhere")
    return chances


def _variations(arrays: dict[str, NDArray[Any]], stretch: int) -> NoiseVariation:
    filters = arrays["filters"]
    ends = arrays["ends"]
    if filters.shape[1] < 2 or not (filters[:, 0] == 1.0).all():
        raise Fault("its variations are filtered by none")
    if len(ends) == 0 or ends[-1] != len(arrays["drive"]) or (np.diff(ends) <= 0).any():
        raise Fault("its variations are not in order")
    for taps in filters:
        if np.abs(np.roots(taps)).max(initial=0.0) >= 1.0:
            raise Fault("its variations grow without end")
    return NoiseVariation(**arrays, stretch=stretch)
