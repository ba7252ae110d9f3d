"""Flexion of hips and knees: of fitted motions, from OpenSim's files and Plug-in Gait's output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.roles import Roles
from motionloom_evaluation.markers.mot import read_mot

Array = NDArray[np.float64]

SIDES = ("left", "right")
#: Degrees; columns of OpenSim's joint angles by ours.
_OPENSIM = {"hip": "hip_flexion_{s}", "knee": "knee_angle_{s}", "ankle": "ankle_angle_{s}"}
_GAIT = {"hip": "{s}HipAngles", "knee": "{s}KneeAngles", "ankle": "{s}AnkleAngles"}
#: Range of a knee's angle (degrees) from which it moves.
_MOVING = 30.0
_ROLES = {"hip": "hip", "knee": "knee", "ankle": "foot"}


@dataclass(frozen=True)
class Agreement:
    """One angle beside a reference.

    Parameters
    ----------
    name : str
        Such as ``"left knee"``.
    rms : float, degrees
        Root mean square difference with the mean difference taken off.
    offset : float, degrees
        The mean difference.
    range : float, degrees
        How far the reference moves.
    """

    name: str
    rms: float
    offset: float
    range: float


def flexion(motion: Motion, roles: Roles) -> dict[str, Array]:
    """Flexion of hips and knees, and dorsiflexion of ankles, in degrees.

    The first angle of a joint's rotation relative to its parent, about the axis to the body's
    right, then ahead, then up, as OpenSim's models have it; positive where the limb goes forward,
    of the knee where it goes back.

    Parameters
    ----------
    motion : Motion
        At rest in a T-pose that faces +Z.
    roles : Roles
        Which joint is which.

    Returns
    -------
    dict of str to array of shape (T,)
        By ``"left hip"`` ...
    """
    found = {}
    for part, role in _ROLES.items():
        for side in SIDES:
            joint = roles.joints.get(f"{side}_{role}")
            if joint is not None:
                turn = rot.to_euler(motion.rotations[:, joint], "XZY")[:, 0]
                sign = 1.0 if part == "knee" else -1.0
                found[f"{side} {part}"] = sign * np.degrees(np.unwrap(turn))
    return found


def read_opensim_angles(path: str | PathLike[str]) -> dict[str, Array]:
    """Flexion in degrees from an OpenSim file of joint angles (``.mot``), by ``"left hip"`` ...

    Raises
    ------
    FormatError
        When it is no such file.
    """
    table = read_mot(path)
    found = {}
    for part, pattern in _OPENSIM.items():
        for side in SIDES:
            name = pattern.format(s=side[0])
            if name in table.columns:
                own = np.asarray(table.columns[name])
                found[f"{side} {part}"] = own if table.in_degrees else np.degrees(own)
    return found


def gait_output_angles(markers: MarkerSequence) -> dict[str, Array]:
    """Flexion in degrees that Plug-in Gait left in a C3D file, by ``"left hip"`` ...; NaN where
    it is not told.
    """
    outputs: Mapping[str, Mapping[str, Any]] = markers.source.extra.get("outputs", {})
    angles = outputs.get("ANGLES")
    if angles is None:
        return {}
    labels = [str(label).rpartition(":")[2] for label in angles["labels"]]
    values = np.asarray(angles["values"], float)
    first = _flexion_column(labels, values)
    found = {}
    for part, pattern in _GAIT.items():
        for side in SIDES:
            label = pattern.format(s=side[0].upper())
            if label in labels:
                own = values[:, labels.index(label), first].copy()
                own[(values[:, labels.index(label)] == 0).all(axis=1)] = np.nan
                found[f"{side} {part}"] = own
    return found


def _flexion_column(labels: list[str], values: Array) -> int:
    """Which of three angles is flexion: Plug-in Gait's first, unless knees that move do so mostly
    by another, as in files of other programs with the same labels.
    """
    knees = [i for i, label in enumerate(labels) if label in ("LKneeAngles", "RKneeAngles")]
    ranges = np.ptp(values[:, knees], axis=0).max(axis=0, initial=0.0)
    return int(np.argmax(ranges)) if ranges.max() > _MOVING else 0


def beside(markers_path: str | PathLike[str]) -> Path | None:
    """OpenSim's joint angles of the same trial, in a file of the same name beside it."""
    path = Path(markers_path)
    for ending in ("_ik.mot", "_IK.mot"):
        found = path.with_name(path.stem + ending)
        if found.exists():
            return found
    return None


def compare(ours: Mapping[str, Array], theirs: Mapping[str, Array]) -> tuple[Agreement, ...]:
    """Angles beside a reference whose frames are the same; models whose knees bend negatively are
    turned round.

    Parameters
    ----------
    ours, theirs : mapping of str to array of shape (T,), degrees
        By name; NaN where not known.

    Returns
    -------
    tuple of Agreement
        Of the names that both have.
    """
    found = []
    for name, reference in theirs.items():
        if name not in ours:
            continue
        n = min(len(reference), len(ours[name]))
        own = ours[name][:n]
        known = np.isfinite(own) & np.isfinite(reference[:n])
        if known.sum() < 2:
            continue
        a = own[known]
        b = reference[:n][known]
        if np.mean((a - a.mean()) * (b - b.mean())) < 0 and "knee" in name:
            b = -b
        difference = a - b
        offset = float(difference.mean())
        rms = float(np.sqrt(np.mean((difference - offset) ** 2)))
        found.append(Agreement(name, rms, offset, float(np.ptp(b))))
    return tuple(found)
