"""Points and analog samples of C3D files, decoded by ezc3d or, where it refuses, by the package c3d.

ezc3d trusts what it reads and can end the whole process on a damaged file, so it only gets files in which nothing had
to be mended. The package c3d gets a copy with a new header and parameter section, made from the counts that were
checked.
"""

from __future__ import annotations

import io
import struct
import warnings
from dataclasses import dataclass
from os import PathLike, fspath

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import MissingExtraError
from motionloom.io.c3d_layout import BLOCK, PROCESSORS, C3dLayout
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
        In the units of the channels.
    """

    positions: NDArray[np.float64]
    valid: NDArray[np.bool_]
    analog: NDArray[np.float64]


def decode(path: str | PathLike[str], raw: bytes, layout: C3dLayout, notes: Notes) -> C3dSamples:
    """Decode the samples with whichever package can.

    Raises
    ------
    FormatError
        When neither package can.
    MissingExtraError
        When neither package is installed.
    """
    decoders = []
    try:
        import ezc3d  # noqa: F401

        if not notes.texts and layout.order == "<":
            decoders.append(lambda: _with_ezc3d(path, layout))
    except ImportError:
        pass
    try:
        import c3d  # noqa: F401

        decoders.append(lambda: _with_c3d(raw, layout))
    except ImportError:
        pass
    if not decoders:
        raise MissingExtraError("ezc3d", "c3d", "reading C3D files")
    reason = ""
    for run in decoders:
        try:
            samples = run()
        except REFUSALS as error:
            reason = reason or " ".join(str(error).split())[:120] or type(error).__name__
            continue
        if len(samples.positions) == layout.n_frames and samples.positions.shape[1] == layout.n_points:
            return samples
        reason = reason or f"{len(samples.positions)} of {layout.n_frames} frames were decoded"
    raise notes.error(f"the samples cannot be decoded: {reason}")


def _with_ezc3d(path: str | PathLike[str], layout: C3dLayout) -> C3dSamples:
    import ezc3d

    data = ezc3d.c3d(fspath(path))["data"]
    positions = np.asarray(data["points"], float)[:3].transpose(2, 1, 0)
    residuals = np.asarray(data["meta_points"]["residuals"], float)[0].T
    analog = np.asarray(data["analogs"], float)[0].T
    return C3dSamples(positions, (residuals >= 0) & np.isfinite(positions).all(axis=-1), analog)


def _with_c3d(raw: bytes, layout: C3dLayout) -> C3dSamples:
    import c3d

    points = np.zeros((layout.n_frames, layout.n_points, 5), np.float32)
    analog = np.zeros((layout.n_frames, layout.n_channels, layout.samples))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        reader = c3d.Reader(io.BytesIO(plain_copy(raw, layout)))
        frames = reader.read_frames(copy=False, analog_transform=False)
        n = -1
        for n, (_, frame_points, frame_analog) in zip(range(layout.n_frames), frames, strict=False):
            points[n] = frame_points
            analog[n] = frame_analog
    if n + 1 < layout.n_frames:
        raise ValueError(f"{n + 1} of {layout.n_frames} frames were decoded")
    positions = points[..., :3].astype(float)
    valid = (points[..., 3] >= 0) & np.isfinite(positions).all(axis=-1)
    return C3dSamples(positions, valid, _scale_analog(analog, layout))


def _scale_analog(raw: NDArray[np.float64], layout: C3dLayout) -> NDArray[np.float64]:
    """Analog values (T, C, samples) as they were stored, in the units of the channels, shape (S, C)."""
    frames, channels, samples = raw.shape
    series = raw.transpose(0, 2, 1).reshape(frames * samples, channels)
    scales = _per_channel(layout, "SCALE", 1.0) * _per_channel(layout, "GEN_SCALE", 1.0)[:1]
    return (series - _per_channel(layout, "OFFSET", 0.0)) * scales


def _per_channel(layout: C3dLayout, name: str, default: float) -> NDArray[np.float64]:
    """Numbers of an ANALOG parameter, one per channel; `default` where the file has none."""
    value = layout.parameters.get("ANALOG", {}).get(name)
    out = np.full(max(layout.n_channels, 1), default)
    if isinstance(value, np.ndarray):
        found = np.where(np.isfinite(value), value, default).ravel()[: len(out)]
        out[: len(found)] = found
    return out[: layout.n_channels]


# --- a plain copy for the package c3d -----------------------------------------------------------------------------


def plain_copy(raw: bytes, layout: C3dLayout) -> bytes:
    """The same samples behind a header and a parameter section that agree, without scales and names.

    The rate is 1, so that the analog rate is the number of samples in a frame, and the scale that of the file.
    """
    order, n, samples = layout.order, layout.n_frames, max(layout.samples, 1)
    processor = next(k for k, v in PROCESSORS.items() if v == (order, layout.dec))
    scale = _float(-1.0 if layout.is_float else layout.scale, layout)
    groups = {
        "POINT": {"USED": _words([layout.n_points], order), "SCALE": scale, "RATE": _float(1.0, layout)},
        "ANALOG": {"USED": _words([layout.n_channels], order), "RATE": _float(samples, layout)},
        "TRIAL": {
            "ACTUAL_START_FIELD": _words([1, 0], order),
            "ACTUAL_END_FIELD": _words([n & 0xFFFF, n >> 16], order),
        },
    }
    text = layout.parameters.get("ANALOG", {}).get("FORMAT")
    if isinstance(text, tuple) and text and text[0].upper() == "UNSIGNED":
        groups["ANALOG"]["FORMAT"] = bytes([0xFF, 1, 8]) + b"UNSIGNED"
    section = bytes([1, 0x50, 1, processor])
    for number, (group, parameters) in enumerate(groups.items(), 1):
        section += struct.pack("bb", len(group), -number) + group.encode() + struct.pack(order + "H", 3) + b"\0"
        for name, value in parameters.items():
            section += struct.pack("bb", len(name), number) + name.encode()
            section += struct.pack(order + "H", len(value) + 3) + value + b"\0"
    counts = [layout.n_points, layout.n_channels * samples, 1, min(n, 0xFFFF), 0]
    header = bytes([2, 0x50]) + struct.pack(order + "5H", *counts) + scale[2:]
    header += struct.pack(order + "2H", 3, samples) + _float(1.0, layout)[2:]
    return header.ljust(BLOCK, b"\0") + section.ljust(BLOCK, b"\0") + raw[layout.data_start :]


def _words(values: list[int], order: str) -> bytes:
    """Type, dimensions and data of a parameter of 16-bit integers."""
    shape = bytes([1, len(values)]) if len(values) > 1 else b"\0"
    return b"\x02" + shape + struct.pack(f"{order}{len(values)}H", *values)


def _float(value: float, layout: C3dLayout) -> bytes:
    """Type, no dimensions and data of a parameter that is one float."""
    data = struct.pack(layout.order + "f", 4.0 * value if layout.dec else value)
    return b"\x04\0" + (data[2:] + data[:2] if layout.dec else data)
