"""Points and analog samples of C3D files, decoded by ezc3d or, where it refuses, by c3d."""

from __future__ import annotations

import io
import struct
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import MissingExtraError
from motionloom.io.c3d.layout import C3dLayout
from motionloom.io.c3d.plain import plain_copy
from motionloom.io.limits import MOST_CHANNELS, MOST_MARKERS
from motionloom.io.notes import Notes

#: What the two packages raise on files that they refuse.
REFUSALS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
)


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
        As `decode` returns it in the units of the channels; before that as stored.
    """

    positions: NDArray[np.float64]
    valid: NDArray[np.bool_]
    analog: NDArray[np.float64]


def decode(raw: bytes, layout: C3dLayout, notes: Notes) -> C3dSamples:
    """Decode the samples with whichever package can.

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
        When neither package can.
    MissingExtraError
        When neither package is installed.
    """
    decoders: list[Callable[[bytes, C3dLayout], C3dSamples]] = []
    if find_spec("ezc3d"):
        decoders.append(_with_ezc3d)
    if find_spec("c3d"):
        decoders.append(_with_c3d)
    if not decoders:
        raise MissingExtraError("ezc3d", "c3d", "reading C3D files")
    if layout.n_points > MOST_MARKERS or layout.n_channels > MOST_CHANNELS:
        raise notes.error(
            f"the file claims {layout.n_points} points and {layout.n_channels} analog channels; "
            f"up to {MOST_MARKERS} and {MOST_CHANNELS} can be read"
        )
    plain = plain_copy(raw, layout)
    reasons = []
    for run in decoders:
        try:
            samples = run(plain, layout)
        except REFUSALS as error:
            reasons.append(" ".join(str(error).split())[:120] or type(error).__name__)
            continue
        if samples.valid.shape == (layout.n_frames, layout.n_points):
            return replace(samples, analog=_scale(samples.analog, layout))
        reasons.append(f"{len(samples.valid)} of {layout.n_frames} frames were decoded")
    raise notes.error(f"the samples cannot be decoded: {'; '.join(reasons)}")


def _with_ezc3d(plain: bytes, layout: C3dLayout) -> C3dSamples:
    import ezc3d

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "plain.c3d"
        file.write_bytes(plain)
        data = ezc3d.c3d(str(file))["data"]
    positions = np.asarray(data["points"], float)[:3].transpose(2, 1, 0)
    residuals = np.asarray(data["meta_points"]["residuals"], float)[0].T
    analog = np.asarray(data["analogs"], float)[0].T
    return C3dSamples(positions, (residuals >= 0) & np.isfinite(positions).all(axis=-1), analog)


def _with_c3d(plain: bytes, layout: C3dLayout) -> C3dSamples:
    import c3d

    points = np.zeros((layout.n_frames, layout.n_points, 5), np.float32)
    analog = np.zeros((layout.n_frames, layout.n_channels, layout.samples))
    n = 0
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for _, points_now, analog_now in c3d.Reader(io.BytesIO(plain)).read_frames(copy=False):
            points[n] = points_now
            analog[n] = analog_now
            n += 1
    positions = points[:n, :, :3].astype(float)
    valid = (points[:n, :, 3] >= 0) & np.isfinite(positions).all(axis=-1)
    return C3dSamples(
        positions,
        valid,
        analog[:n].transpose(0, 2, 1).reshape(n * layout.samples, layout.n_channels),
    )


def _scale(stored: NDArray[np.float64], layout: C3dLayout) -> NDArray[np.float64]:
    """Analog values (S, C) in the units of the channels, from those that are stored."""
    offsets = _per_channel(layout, "OFFSET", 0.0)
    text = layout.parameters.get("ANALOG", {}).get("FORMAT")
    if isinstance(text, tuple) and text[:1] == ("UNSIGNED",) and not layout.is_float:
        stored = stored % 0x10000
        offsets = offsets % 0x10000
    with np.errstate(all="ignore"):  # what does not fit becomes infinite, which the reader tells
        general = _per_channel(layout, "GEN_SCALE", 1.0)[:1]
        return (stored - offsets) * (_per_channel(layout, "SCALE", 1.0) * general)


def _per_channel(layout: C3dLayout, name: str, default: float) -> NDArray[np.float64]:
    """Numbers of an ANALOG parameter, one per channel; `default` where the file has none."""
    value = layout.parameters.get("ANALOG", {}).get(name)
    out = np.full(layout.n_channels, default)
    if isinstance(value, np.ndarray):
        found = np.where(np.isfinite(value), value, default).ravel()[: len(out)]
        out[: len(found)] = found
    return out
