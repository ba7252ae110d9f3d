"""C3D files: markers, analog channels, events and force plates."""

from __future__ import annotations

from os import PathLike

import numpy as np

from motionloom.io.c3d.extras import read_events, read_force_plates, split_outputs
from motionloom.io.c3d.layout import C3dLayout, read_layout
from motionloom.io.c3d.parameters import continued
from motionloom.io.c3d.samples import C3dSamples, decode
from motionloom.io.files import name_of, read_bytes
from motionloom.io.markers.labels import name_markers
from motionloom.io.markers.space import find_marker_space
from motionloom.io.notes import Notes
from motionloom.marker_motion import Analog, MarkerSequence
from motionloom.motion import Source
from motionloom.typing import Bools

#: Coordinates beyond this are no positions, in whatever unit.
LARGEST = 1e10


def read_c3d(
    path: str | PathLike[str],
    *,
    unit: float | str | None = None,
    up: str | None = None,
    strict: bool = False,
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
    samples = decode(raw, layout, notes)
    valid = _find_valid(samples, notes)
    labels = name_markers(
        continued(layout.parameters, "POINT", "LABELS", tuple), layout.n_points, notes
    )
    markers, outputs = split_outputs(labels, samples.positions, valid, layout.parameters)
    positions = samples.positions[:, markers]
    valid = valid[:, markers]
    space = find_marker_space(
        positions,
        valid,
        notes,
        named_unit=_text(layout, "UNITS"),
        named_up=_screen_up(layout, notes),
        unit=unit,
        up=up,
        default_up="z",
    )
    frame_time = 1.0 / layout.rate
    if not 1 <= layout.rate <= 10_000:
        notes.guessed(f"a rate of {layout.rate:g} frames per second is unusual; check it")
    return MarkerSequence(
        labels=tuple(labels[m] for m in markers),
        positions=space.to_metres(np.where(valid[..., None], positions, 0.0)),
        valid=valid,
        frame_time=frame_time,
        events=read_events(raw, layout, notes),
        analog=_read_analog(samples, layout, notes),
        force_plates=read_force_plates(layout, space, notes),
        name=name_of(path),
        source=Source(
            "c3d",
            str(path),
            space.unit,
            space.unit_reason,
            space.up,
            warnings=notes.texts,
            extra={
                "parameters": layout.parameters,
                "first_frame": layout.first_frame,
                "outputs": outputs,
            },
        ),
    )


def _find_valid(samples: C3dSamples, notes: Notes) -> Bools:
    valid: Bools = samples.valid & (np.abs(samples.positions) < LARGEST).all(axis=-1)
    zero: Bools = valid & (samples.positions == 0).all(axis=-1)
    if zero.any():
        notes.guessed(
            f"{zero.sum()} points at exactly 0 0 0 are taken as not seen, though the file says they"
            " were"
        )
    return valid & ~zero


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


def _read_analog(samples: C3dSamples, layout: C3dLayout, notes: Notes) -> Analog | None:
    if not layout.n_channels or not layout.samples:
        return None
    labels = name_markers(
        continued(layout.parameters, "ANALOG", "LABELS", tuple),
        layout.n_channels,
        notes,
        what="channel",
    )
    units = (*continued(layout.parameters, "ANALOG", "UNITS", tuple), *[""] * layout.n_channels)[
        : layout.n_channels
    ]
    values = np.array(samples.analog)
    bad = ~np.isfinite(values)
    if bad.any():
        notes.mended(f"{bad.sum()} analog samples are not finite; they are taken as 0")
        values[bad] = 0.0
    values.setflags(write=False)
    return Analog(tuple(labels), values, 1.0 / (layout.rate * layout.samples), units)
