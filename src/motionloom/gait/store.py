"""Gait spaces on disk: one ``.npz`` file with a version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from os import PathLike
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from motionloom.analysis.soles import SolePoint, Soles
from motionloom.gait.body import GaitBody
from motionloom.gait.cycle import BEHAVIOURS
from motionloom.gait.frequency import FrequencyLaw
from motionloom.gait.space.basis import GaitBasis
from motionloom.gait.space.behaviour import BehaviourSpace, StyleOffset
from motionloom.gait.space.coordinates import CycleCoordinates
from motionloom.gait.space.space import GaitSpace
from motionloom.gait.space.speed_line import SpeedLine, SpeedOptions, Takes
from motionloom.gait.space.variation import StrideVariation
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
)
from motionloom.roles import Roles, check_roles
from motionloom.skeleton import Skeleton

#: Raised whenever the content of the file or its meaning changes.
VERSION = 1
_OUTDATED = "this gait space has version {found}, expected {expected}; fit it again"
#: P people, J joints, E end sites, N samples.
_SHARED = {
    "parents": Stored(np.int64, ("J",), -1, below="J"),
    "end_parents": Stored(np.int64, ("E",), 0, below="J"),
    "offsets": Stored(np.float64, ("P", "J", 3), -LARGEST, LARGEST),
    "end_offsets": Stored(np.float64, ("P", "E", 3), -LARGEST, LARGEST),
    "reference": Stored(np.float64, ("N", "J", 4), -1.001, 1.001),
    "levers": Stored(np.float64, ("J",), 1e-6, LARGEST),
}
#: D numbers of a row, T takes, F points of the soles; K, L, M and S count components and styles.
_BEHAVIOUR = {
    "mean": Stored(np.float32, ("D",), -LARGEST, LARGEST),
    "axes": Stored(np.float32, ("K", "D"), -1.001, 1.001),
    "variances": Stored(np.float64, ("M",), 0, LARGEST),
    "intercept": Stored(np.float32, ("D",), -LARGEST, LARGEST),
    "slopes": Stored(np.float32, (2, "D"), -LARGEST, LARGEST),
    "centre": Stored(np.float64, (2,), -LARGEST, LARGEST),
    "rows": Stored(np.float32, ("T", "D"), -LARGEST, LARGEST),
    "pace": Stored(np.float64, ("T",), 1e-6, LARGEST),
    "extra": Stored(np.float64, ("T",), -100, 100),
    "strides": Stored(np.float64, ("T",), 1, MOST),
    "contacts": Stored(np.float32, ("T", "N", "F"), 0, 1),
    "variation": Stored(np.float32, ("L", "D"), -LARGEST, LARGEST),
    "styles": Stored(np.float32, ("S", "D"), -LARGEST, LARGEST),
}
_Name = Annotated[str, Field(max_length=1000)]
_Index = Annotated[int, Field(ge=0, le=MOST)]
_Positive = Annotated[float, Field(gt=0, le=LARGEST)]
_Finite = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
_Vector = tuple[_Finite, _Finite, _Finite]


class _Point(Facts):
    foot: _Name
    part: _Name
    joint: _Index
    local: _Vector
    rest: _Finite


class _Person(Facts):
    name: _Name
    names: tuple[_Name, ...]
    hip_height: _Positive
    leg: _Positive
    points: tuple[_Point, ...]
    #: Of files of 0.1; captured speeds say where walking ends.
    meeting: _Positive | None = None


class _Law(Facts):
    a: _Positive
    b: _Finite
    factors: dict[str, _Positive]
    rms: _Finite
    pooled_rms: _Finite


class _Style(Facts):
    name: _Name
    frequency: _Finite
    takes: _Index
    pace: tuple[_Positive, _Positive]


class _Options(Facts):
    offset: _Positive
    slopes: tuple[_Positive, _Positive]
    near: _Positive
    reach: tuple[_Positive, _Positive]
    take: _Positive
    stride: _Positive
    ridge: _Positive
    components: _Index


class _Behaviour(Facts):
    law: _Law
    options: _Options
    persons: tuple[_Name, ...]
    takes: tuple[_Name, ...]
    styles: tuple[_Style, ...]
    amounts: dict[str, _Positive]
    frequency: _Finite
    components: dict[str, tuple[_Index, _Index, _Index]]


class _Head(Facts):
    motionloom_gait: int
    root: _Index
    roles: RolesFacts
    persons: tuple[_Person, ...]
    behaviours: dict[str, _Behaviour]
    notes: tuple[str, ...]


def save_gait(space: GaitSpace, path: str | PathLike[str]) -> None:
    """Write a gait space to an ``.npz`` file.

    Parameters
    ----------
    space : GaitSpace
        What is kept.
    path : path-like
        The ``.npz`` file; it is replaced as a whole.
    """
    bodies = list(space.bodies.values())
    arrays: dict[str, Any] = {
        "parents": bodies[0].skeleton.parents,
        "end_parents": bodies[0].skeleton.end_parents,
        "offsets": np.stack([body.skeleton.offsets for body in bodies]),
        "end_offsets": np.stack([body.skeleton.end_offsets for body in bodies]),
        "reference": space.coordinates.reference,
        "levers": space.coordinates.levers,
    }
    for name, behaviour in space.spaces.items():
        own = _arrays_of(behaviour)
        for key, stored in _BEHAVIOUR.items():
            arrays[f"{name}/{key}"] = np.asarray(own[key], stored.dtype)
    with atomic_write(path) as file:
        np.savez(file, head=np.array(json.dumps(_head_of(space))), **arrays)


def _arrays_of(space: BehaviourSpace) -> dict[str, Any]:
    line = space.line
    size = len(line.intercept)
    styles = [style.row for style in space.styles.values()]
    return {
        "mean": space.basis.mean,
        "axes": space.basis.axes,
        "variances": space.basis.variances,
        "intercept": line.intercept,
        "slopes": line.slopes,
        "centre": line.centre,
        "rows": line.takes.rows,
        "pace": line.takes.pace,
        "extra": line.takes.extra,
        "strides": line.takes.strides,
        "contacts": space.contacts,
        "variation": space.variation.axes,
        "styles": np.stack(styles) if styles else np.zeros((0, size)),
    }


def _head_of(space: GaitSpace) -> dict[str, Any]:
    first = next(iter(space.bodies.values()))
    roles = first.roles
    return {
        "motionloom_gait": VERSION,
        "root": first.root,
        "roles": describe_roles(roles),
        "persons": [_person_facts(name, body) for name, body in space.bodies.items()],
        "behaviours": {name: _behaviour_facts(one) for name, one in space.spaces.items()},
        "notes": list(space.notes),
    }


def _person_facts(name: str, body: GaitBody) -> dict[str, Any]:
    return {
        "name": name,
        "names": body.skeleton.names,
        "hip_height": body.hip_height,
        "leg": body.soles.leg,
        "points": [vars(point) for point in body.soles.points],
    }


def _behaviour_facts(space: BehaviourSpace) -> dict[str, Any]:
    law = space.law
    return {
        "law": {
            "a": law.a,
            "b": law.b,
            "factors": dict(law.factors),
            "rms": law.rms,
            "pooled_rms": law.pooled_rms,
        },
        "options": asdict(space.line.options),
        "persons": space.line.takes.persons,
        "takes": space.line.takes.names,
        "styles": [
            {"name": name, "frequency": s.frequency, "takes": s.takes, "pace": s.pace}
            for name, s in space.styles.items()
        ],
        "amounts": dict(space.variation.amounts),
        "frequency": space.variation.frequency,
        "components": dict(space.components),
    }


def load_gait(path: str | PathLike[str]) -> GaitSpace:
    """Read a gait space.

    Parameters
    ----------
    path : path-like
        The ``.npz`` file.

    Returns
    -------
    GaitSpace

    Raises
    ------
    FormatError
        When there is no such file, it is no gait space of this version, or it holds what none can
        hold.
    """
    message = (
        "this is not a gait space ({reason}); expected an .npz file written by 'motionloom gait"
        " fit'"
    )
    absent = "there is no such file; fit a gait space first, with 'motionloom gait fit'"
    with open_stored(path, message, absent) as file:
        head = read_head(_Head, file, "motionloom_gait", VERSION, _OUTDATED)
        return _rebuild(head, file)


def _rebuild(head: _Head, file: StoredFile) -> GaitSpace:
    if not head.persons or not head.behaviours or not set(head.behaviours) <= set(BEHAVIOURS):
        raise Fault("it has nobody in it, or an unknown behaviour")
    sizes = {"P": len(head.persons)}
    own = file.arrays(_SHARED, sizes)
    if head.root >= sizes["J"]:
        raise Fault("its root is no joint")
    check_unit(own["reference"], "mean rotations")
    roles = Roles(head.roles.joints, head.roles.kind, head.roles.forward)
    bodies = {
        person.name: _body(person, i, head, roles, own) for i, person in enumerate(head.persons)
    }
    sizes["D"] = sizes["N"] * (3 * sizes["J"] + 3)
    sizes["F"] = len(head.persons[0].points)
    if any(len(person.points) != sizes["F"] for person in head.persons):
        raise Fault("its people have different soles")
    spaces = {
        name: _behaviour(name, head.behaviours[name], file, dict(sizes))
        for name in BEHAVIOURS
        if name in head.behaviours
    }
    return GaitSpace(
        coordinates=CycleCoordinates(own["reference"], own["levers"], head.root),
        bodies=bodies,
        spaces=spaces,
        notes=head.notes,
    )


def _body(
    person: _Person, i: int, head: _Head, roles: Roles, own: Mapping[str, NDArray[Any]]
) -> GaitBody:
    skeleton = Skeleton(
        person.names,
        own["parents"],
        own["offsets"][i],
        own["end_parents"],
        own["end_offsets"][i],
    )
    check_roles(roles, skeleton)
    if any(point.joint >= skeleton.n_joints for point in person.points):
        raise Fault("its soles are on no joint")
    points = tuple(SolePoint(**dict(point)) for point in person.points)
    return GaitBody(skeleton, roles, head.root, Soles(points, person.leg, 0.0), person.hip_height)


def _behaviour(
    name: str, facts: _Behaviour, file: StoredFile, sizes: dict[str, int]
) -> BehaviourSpace:
    if len(facts.persons) != len(facts.takes) or not facts.takes:
        raise Fault(f"the takes of its {name} are unclear")
    sizes |= {"T": len(facts.takes), "S": len(facts.styles)}
    found = file.arrays({f"{name}/{key}": stored for key, stored in _BEHAVIOUR.items()}, sizes)
    own = {key: found[f"{name}/{key}"].astype(np.float64) for key in _BEHAVIOUR}
    takes = Takes(
        own["rows"], own["pace"], own["extra"], own["strides"], facts.persons, facts.takes
    )
    options = SpeedOptions(**dict(facts.options))
    styles = {
        style.name: StyleOffset(own["styles"][i], style.frequency, style.takes, style.pace)
        for i, style in enumerate(facts.styles)
    }
    return BehaviourSpace(
        basis=GaitBasis(own["mean"], own["axes"], own["variances"]),
        line=SpeedLine(own["intercept"], own["slopes"], own["centre"], takes, options),
        law=FrequencyLaw(**dict(facts.law)),
        variation=StrideVariation(own["variation"], facts.amounts, facts.frequency),
        styles=styles,
        contacts=own["contacts"],
        components=facts.components,
    )
