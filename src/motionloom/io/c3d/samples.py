"""Points and analog samples of C3D files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.io.c3d.layout import C3dLayout
from motionloom.io.c3d.parameters import continued, dec_floats
from motionloom.io.limits import MOST_MARKERS
from motionloom.io.notes import Notes
from motionloom.typing import Array, Bools


@dataclass(frozen=True, eq=False)
class C3dSamples:
    """What was decoded.

    Parameters
    ----------
    positions : array of shape (T, M, 3)
        In the file's unit and axes; meaningless where `valid` is false.
    valid : bool array of shape (T, M)
        Residual not negative and coordinates finite.
    analog : array of shape (S, C)
        In the units of the channels.
    """

    positions: Array
    valid: Bools
    analog: Array


def decode(raw: bytes, layout: C3dLayout, notes: Notes) -> C3dSamples:
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
    C3dSamples
        All frames and points of `layout`.

    Raises
    ------
    FormatError
        When there are more than `MOST_MARKERS` points.
    """
    if layout.n_points > MOST_MARKERS:
        raise notes.error(
            f"the file claims {layout.n_points} points; up to {MOST_MARKERS} can be read"
        )
    width = 4 * layout.n_points
    with np.errstate(invalid="ignore"):  # what is no number stays none
        stored = _values(raw, layout).astype(float).reshape(layout.n_frames, layout.frame_values)
    points = stored[:, :width].reshape(layout.n_frames, layout.n_points, 4)
    analog = stored[:, width:].reshape(layout.n_frames * layout.samples, layout.n_channels)
    positions = points[..., :3]
    valid: Bools = ~(points[..., 3] < 0) & np.isfinite(positions).all(axis=-1)
    if not layout.is_float:
        positions = positions * np.float32(layout.scale)
    return C3dSamples(positions, valid, _scale(analog, layout))


def _values(raw: bytes, layout: C3dLayout) -> NDArray[Any]:
    """Stored numbers of all frames, in one row."""
    data = raw[layout.data_start :][: layout.n_frames * layout.frame_bytes]
    if not layout.is_float:
        return np.frombuffer(data, layout.order + "i2")
    return dec_floats(data) if layout.dec else np.frombuffer(data, layout.order + "f4")


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
