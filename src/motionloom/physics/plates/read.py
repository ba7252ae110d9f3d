"""Force plates of OpenSim's .mot files and of C3D files, as wrenches in the world."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from motionloom.curves import moving_average
from motionloom.errors import FormatError
from motionloom.io.c3d.layout import number
from motionloom.io.files import read_bytes
from motionloom.marker_motion import MarkerSequence
from motionloom.two_bones import unit
from motionloom.typing import Array

#: Columns of one plate in a .mot file: force, point, free moment.
_COLUMNS = tuple(f"_{kind}{axis}" for kind in ("v", "p", "m") for axis in "xyz")
#: OpenSim's own examples call moments torques: ``ground_torque_x``, ``ground_torque_r_x``.
_TORQUE = re.compile(r"ground_torque_((?:\w+_)?)([xyz])$")
#: Groups of C3D parameters that say of a person, and what they call the body mass, in kilograms.
_PERSON = ("PROCESSING", "SUBJECTS", "SUBJECT")
_MASS = ("BODYMASS", "BODY_MASS", "MASS")
#: Masses of people, kilograms; other numbers in their place are placeholders.
_MASSES = (5.0, 300.0)
#: Most numbers that a .mot file may hold.
_MOST = 50_000_000


@dataclass(frozen=True, eq=False)
class PlateForces:
    """What each of P force plates pushes with, over S samples.

    Parameters
    ----------
    times : array of shape (S,), seconds
        From the first frame of the trial.
    wrenches : array of shape (S, P, 6), newtons and newton metres
        Force on the person and moment about the world's origin; +Y up.
    source : str
        The file.
    mass : float, kilograms, optional
        Of the person, where the file says it.
    """

    times: Array
    wrenches: Array
    source: str = ""
    mass: float | None = None

    def at(self, times: ArrayLike) -> Array:
        """Mean wrenches around given times, (T, P, 6); NaN outside the measurement.

        Parameters
        ----------
        times : array of shape (T,), seconds
            Evenly spaced; each mean is over the time up to halfway to the neighbours.

        Returns
        -------
        array of shape (T, P, 6)
        """
        times = np.asarray(times, float)
        step, own = (np.ptp(t) / max(len(t) - 1, 1) if len(t) else 0.0 for t in (times, self.times))
        values = self.wrenches.reshape(len(self.times), -1)
        n = max(1, round(step / own)) if own > 0 else 1
        if n > 1:
            values = moving_average(values, n)
        found = [np.interp(times, self.times, v, left=np.nan, right=np.nan) for v in values.T]
        return np.stack(found, axis=-1).reshape(len(times), -1, 6)


def read_plates(path: str | PathLike[str]) -> PlateForces:
    """Read force plates.

    Parameters
    ----------
    path : path-like
        An OpenSim storage file of ground reactions (``.mot``, ``.sto``) in metres, +Y up, or a C3D
        file with plates of type 2 or 4.

    Returns
    -------
    PlateForces

    Raises
    ------
    FormatError
        When it is neither, or has no plates.
    """
    path = Path(path)
    if path.suffix.lower() in (".mot", ".sto"):
        return _read_storage(path)
    from motionloom.io.registry import load

    found = load(path)
    if not isinstance(found, MarkerSequence) or not found.force_plates or found.analog is None:
        raise FormatError(
            "expected force plates: a .mot file of ground reactions, or a C3D file with plates",
            path,
        )
    return plates_of(found)


def _read_storage(path: Path) -> PlateForces:
    lines = read_bytes(path).decode("utf-8", "replace").splitlines()
    ends = [i for i, line in enumerate(lines) if line.strip().lower() == "endheader"]
    if not ends or ends[0] + 1 >= len(lines):
        raise FormatError("this is no OpenSim storage file: no line says 'endheader'", path)
    start = ends[0] + 2
    names = lines[start - 1].split()
    rows = [line.split() for line in lines[start:] if line.strip()]
    if len(rows) * len(names) > _MOST:
        raise FormatError(f"the table has {len(rows)} rows, which is too large", path)
    for i, row in enumerate(rows):
        if len(row) != len(names):
            raise FormatError(f"expected {len(names)} numbers, got {len(row)}", path, start + i + 1)
    try:
        table = np.array(rows, float)
    except ValueError as error:
        raise FormatError(f"expected numbers in the table ({error})", path) from error
    return _from_table(path, names, table)


def _from_table(path: Path, names: Sequence[str], table: Array) -> PlateForces:
    prefixes = [name[: -len("_vx")] for name in names if name.endswith("_vx")]
    names = [_TORQUE.sub(r"ground_force_\1m\2", name) for name in names]
    index = {name: i for i, name in enumerate(names)}
    missing = [p + c for p in prefixes for c in _COLUMNS if p + c not in index]
    if not prefixes or missing or names[0] != "time" or not len(table):
        wanted = missing[0] if missing else "time and ..._vx"
        raise FormatError(f"expected columns of ground reactions; {wanted} is missing", path)
    if not np.isfinite(table).all():
        raise FormatError("the table has values that are no finite numbers", path)
    columns = [[index[prefix + c] for c in _COLUMNS] for prefix in prefixes]
    force, point, free = np.split(table[:, columns], 3, axis=-1)
    wrenches = np.concatenate([force, np.cross(point, force) + free], axis=-1)
    return PlateForces(table[:, 0] - table[0, 0], wrenches, str(path))


def plates_of(sequence: MarkerSequence) -> PlateForces:
    """Force plates of a C3D file that has been read.

    Parameters
    ----------
    sequence : MarkerSequence
        With analog channels and plates.

    Returns
    -------
    PlateForces

    Raises
    ------
    FormatError
        When a plate is of another type than 2 or 4, or its channels are missing.
    """
    analog = sequence.analog
    if analog is None or not sequence.force_plates:
        raise FormatError("the file has no force plates", sequence.source.path)
    wrenches = []
    for k, plate in enumerate(sequence.force_plates):
        channels = list(plate.get("channels", ()))
        usable = plate["type"] in (2, 4) and len(channels) == 6
        if not usable or max(channels, default=0) >= analog.values.shape[1]:
            raise FormatError(
                f"force plate {k + 1} is of type {plate['type']} with {len(channels)} channels;"
                " types 2 and 4 with six channels are read",
                sequence.source.path,
            )
        wrenches.append(_plate_wrench(plate, _channels(plate, analog, channels)))
    times = np.multiply(np.arange(len(analog.values)), analog.frame_time, dtype=float)
    stacked = np.stack(wrenches, axis=1)
    return PlateForces(times, stacked, sequence.source.path, _mass_of(sequence))


def _mass_of(sequence: MarkerSequence) -> float | None:
    """Body mass (kilograms) that a C3D file's parameters say; None where they have no possible."""
    parameters = sequence.source.extra.get("parameters", {})
    told = (number(parameters, group, name) for group in _PERSON for name in _MASS)
    low, high = _MASSES
    return next((mass for mass in told if mass is not None and low <= mass <= high), None)


def _channels(plate: Mapping[str, Any], analog: Any, channels: Sequence[int]) -> Array:
    """Forces and moments in newtons and newton metres, in the plate's frame, (S, 6)."""
    values = np.asarray(analog.values[:, channels], float)
    matrix = plate.get("calibration")
    if plate["type"] == 4 and matrix is not None:
        values = values @ np.asarray(matrix, float).T
    units = [analog.units[c] if c < len(analog.units) else "" for c in channels]
    scale = [1e-3 if unit.lower() in ("nmm", "n mm", "n.mm") else 1.0 for unit in units]
    return np.asarray(values * scale, float)


def _plate_wrench(plate: Mapping[str, Any], values: Array) -> Array:
    """Wrench on the person about the world's origin, (S, 6).

    The frame of a plate has its axes along its edges (corners 1 to 4 lie at +x+y, -x+y, -x-y,
    +x-y) and z into the ground; what it measures is the push of the person on it. The sensor lies
    below the surface, whatever sign a file gives its depth.
    """
    corners = np.asarray(plate["corners"], float)
    along = unit(corners[0] - corners[1])
    down = unit(np.cross(along, corners[0] - corners[3]))
    frame = np.stack([along, np.cross(down, along), down], axis=-1)
    x, y, z = plate["origin"]
    below = -abs(z) if down[1] < 0 else abs(z)
    sensor = corners.mean(axis=0) - frame @ np.array([x, y, below], float)
    force, moment = -values[:, :3] @ frame.T, -values[:, 3:] @ frame.T
    # Where the largest vertical forces point down the file holds reactions already.
    up = force[:, 1]
    if np.quantile(np.abs(up), 0.9) > 0 and up[np.argmax(np.abs(up))] < 0:
        force, moment = -force, -moment
    return np.concatenate([force, np.cross(sensor, force) + moment], axis=1)
