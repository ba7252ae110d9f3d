"""C3D files: markers, analog channels, events and force plates.

Points and analog samples of C3D files.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.io._markers import find_marker_space, name_markers, note_rate, without_zeros
from motionloom.io.c3d.layout import (
    C3dLayout,
    continued,
    floats_of,
    read_events,
    read_force_plates,
    read_layout,
    split_outputs,
)
from motionloom.io.files import name_of, read_bytes
from motionloom.io.limits import MOST_MARKERS, Notes
from motionloom.marker_motion import Analog, MarkerSequence
from motionloom.typing import Array, Bools, PathName

#: Coordinates beyond this are no positions, in whatever unit.
LARGEST = 1e10


def read_c3d(
    path: PathName, *, unit: float | str | None = None, up: str | None = None, strict: bool = False
) -> MarkerSequence:
    """Read a C3D file.

    A point is missing where its residual is negative, a coordinate is not finite, or all three are
    exactly 0. Angles, forces, moments and powers that gait software stores among the points are no
    markers: they are in ``source.extra["outputs"]`` as the file has them.
    ``source.extra["parameters"]`` holds every parameter by group and name.

    Parameters
    ----------
    path : path-like
        The C3D file.
    unit : float, metres, optional
        Length of the file's unit; by default what POINT:UNITS says, else a guess.
    up : str, optional
        The file's up axis; by default what POINT:Y_SCREEN says, else a guess.
    strict : bool, optional
        Refuse a file that breaks its format instead of mending it with a warning.

    Returns
    -------
    MarkerSequence
        In metres, +Y up, with events, analog channels and force plates.

    Raises
    ------
    FormatError
        When it is no C3D file, or one that cannot be decoded.
    InvalidInputError
        When `unit` or `up` cannot be used.
    """
    raw = read_bytes(path)
    notes = Notes(path, strict)
    layout = read_layout(raw, notes)
    places, seen, analog = decode(raw, layout, notes)
    seen &= (np.abs(places) < LARGEST).all(axis=-1)
    seen = without_zeros(places, seen, notes, ", though the file says they were")
    named = continued(layout.parameters, "POINT", "LABELS", tuple)
    labels = name_markers(named, layout.n_points, notes)
    markers, outputs = split_outputs(labels, places, seen, layout.parameters)
    positions, valid = places[:, markers], seen[:, markers]
    told = _text(layout, "UNITS"), _screen_up(layout, notes)
    space = find_marker_space(positions, valid, notes, told, (unit, up), default_up="z")
    note_rate(layout.rate, notes)
    extra = {"parameters": layout.parameters, "first_frame": layout.first_frame, "outputs": outputs}
    return MarkerSequence(
        labels=tuple(labels[m] for m in markers),
        positions=space.to_metres(np.where(valid[..., None], positions, 0.0)),
        valid=valid,
        frame_time=1.0 / layout.rate,
        events=read_events(raw, layout, notes),
        analog=_read_analog(analog, layout, notes),
        force_plates=read_force_plates(layout, space, notes),
        name=name_of(path),
        source=space.source("c3d", path, notes, **extra),
    )


def _text(layout: C3dLayout, name: str) -> str | None:
    value = layout.parameters.get("POINT", {}).get(name)
    return value[0] if isinstance(value, tuple) and value else None


def _screen_up(layout: C3dLayout, notes: Notes) -> str | None:
    """Axis that points up on the screen, which is how C3D says what is up."""
    named = _text(layout, "Y_SCREEN")
    if not named:
        return None
    axis = named.strip().lower().removeprefix("+")
    if axis in ("x", "y", "z"):
        return axis
    notes.guessed(f"POINT:Y_SCREEN is {named[:8]!r}, which is no axis that can be up")
    return None


def _read_analog(stored: Array, layout: C3dLayout, notes: Notes) -> Analog | None:
    if not layout.n_channels or not layout.samples:
        return None
    named = continued(layout.parameters, "ANALOG", "LABELS", tuple)
    labels = name_markers(named, layout.n_channels, notes, what="channel")
    told = continued(layout.parameters, "ANALOG", "UNITS", tuple)
    units = (*told, *[""] * layout.n_channels)[: layout.n_channels]
    values = np.array(stored)
    bad = ~np.isfinite(values)
    if bad.any():
        notes.mended(f"{bad.sum()} analog samples are not finite; they are taken as 0")
        values[bad] = 0.0
    values.setflags(write=False)
    return Analog(tuple(labels), values, 1.0 / (layout.rate * layout.samples), units)


def decode(raw: bytes, layout: C3dLayout, notes: Notes) -> tuple[Array, Bools, Array]:
    """Decode the samples: frame by frame X, Y, Z and residual of each point, then the channels.

    Parameters
    ----------
    raw : bytes
        The whole file.
    layout : C3dLayout
        Of the file, as `read_layout` returns it.
    notes : Notes
        Names the file in errors.

    Returns
    -------
    positions : array of shape (T, N, 3)
        In the file's units and axes.
    valid : bool array of shape (T, N)
        Which of them are there.
    analog : array of shape (S, C)
        In the units of the channels.

    Raises
    ------
    FormatError
        When there are more than `MOST_MARKERS` points.
    """
    if layout.n_points > MOST_MARKERS:
        message = f"the file claims {layout.n_points} points; up to {MOST_MARKERS} can be read"
        raise notes.error(message)
    width = 4 * layout.n_points
    with np.errstate(invalid="ignore"):  # what is no number stays none
        stored = _values(raw, layout).astype(float).reshape(layout.n_frames, layout.frame_values)
    points = stored[:, :width].reshape(layout.n_frames, layout.n_points, 4)
    analog = stored[:, width:].reshape(layout.n_frames * layout.samples, layout.n_channels)
    positions = points[..., :3]
    valid: Bools = ~(points[..., 3] < 0) & np.isfinite(positions).all(axis=-1)
    if not layout.is_float:
        positions = positions * np.float32(layout.scale)
    return positions, valid, _scale(analog, layout)


def _values(raw: bytes, layout: C3dLayout) -> NDArray[Any]:
    """Stored numbers of all frames, in one row."""
    data = raw[layout.data_start :][: layout.n_frames * layout.frame_bytes]
    if not layout.is_float:
        return np.frombuffer(data, layout.order + "i2")
    return floats_of(data, layout.order, layout.dec)


def _scale(stored: Array, layout: C3dLayout) -> Array:
    """Analog values (S, C) in the units of the channels, from those that are stored."""
    offsets = _per_channel(layout, "OFFSET", 0.0)
    text = layout.parameters.get("ANALOG", {}).get("FORMAT")
    if isinstance(text, tuple) and text[:1] == ("UNSIGNED",) and not layout.is_float:
        stored = stored % 0x10000
        offsets = offsets % 0x10000
    with np.errstate(all="ignore"):  # what does not fit becomes infinite, which the reader tells
        general = _per_channel(layout, "GEN_SCALE", 1.0)[:1]
        return (stored - offsets) * (_per_channel(layout, "SCALE", 1.0) * general)


def _per_channel(layout: C3dLayout, name: str, default: float) -> Array:
    """Numbers of an ANALOG parameter, one per channel; `default` where the file has none."""
    value = np.array(continued(layout.parameters, "ANALOG", name, np.ndarray))
    out = np.full(layout.n_channels, default)
    found = np.where(np.isfinite(value), value, default)[: len(out)]
    out[: len(found)] = found
    return out
