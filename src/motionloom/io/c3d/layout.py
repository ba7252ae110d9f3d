"""Counts and places in C3D files, checked against each other and the file's length.

A C3D file is a header of 512 bytes, a parameter section (groups of named values) and the samples,
all in the byte order and float format of one of three processors. The header and the parameters
both count points, channels and frames.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.io.c3d.parameters import Parameters, count, dec_floats, number, read_parameters
from motionloom.io.notes import Notes
from motionloom.typing import Ints

BLOCK = 512
#: Number of the processor in the parameter section: byte order, and whether floats are those of DEC
#: machines.
PROCESSORS = {84: ("<", False), 85: ("<", True), 86: (">", False)}


@dataclass(frozen=True)
class C3dLayout:
    """What the samples of a file are and where they start.

    Parameters
    ----------
    order : str
        Byte order, ``"<"`` or ``">"``.
    dec : bool
        Whether floats are in the format of DEC machines.
    n_points, n_channels, n_frames : int
        Points in each frame, analog channels, and frames that the file holds.
    samples : int
        Analog samples per channel in each frame.
    first_frame : int
        Number of the first frame, counted by the capture system from 1.
    rate : float
        Frames per second.
    is_float : bool
        Whether samples are floats; else 16-bit integers to be multiplied by `scale`.
    scale : float
        Absolute value of POINT:SCALE.
    data_start : int
        Byte at which the samples start.
    parameters : mapping of str to mapping
        What `read_parameters` returns.
    """

    order: str
    dec: bool
    n_points: int
    n_channels: int
    n_frames: int
    samples: int
    first_frame: int
    rate: float
    is_float: bool
    scale: float
    data_start: int
    parameters: Parameters

    @property
    def frame_values(self) -> int:
        """Numbers in one frame."""
        return 4 * self.n_points + self.n_channels * self.samples

    @property
    def frame_bytes(self) -> int:
        """Length of one frame."""
        return (4 if self.is_float else 2) * self.frame_values


def read_layout(raw: bytes, notes: Notes) -> C3dLayout:
    """Layout and parameters of a C3D file.

    Parameters
    ----------
    raw : bytes
        The whole file.
    notes : Notes
        Takes what was mended; refuses mending when strict.

    Returns
    -------
    C3dLayout
        Its counts fit into the file.

    Raises
    ------
    FormatError
        When it is no C3D file or its counts cannot be made to agree.
    """
    if len(raw) < BLOCK or raw[1] != 0x50:
        found = f"its second byte is 0x{raw[1]:02x}" if len(raw) > 1 else "it has one byte"
        raise notes.error(
            f"not a C3D file: {found} and it has {len(raw)} bytes, expected 0x50 and at least"
            f" {BLOCK}"
        )
    section = (raw[0] - 1) * BLOCK
    if not BLOCK <= section <= len(raw) - 4:
        raise notes.error(
            f"the header puts the parameters into block {raw[0]}, which the file does not have"
        )
    if raw[section + 3] not in PROCESSORS:
        raise notes.error(
            f"the parameter section names processor {raw[section + 3]}; expected 84 (Intel), 85"
            " (DEC) or 86 (MIPS)"
        )
    order, dec = PROCESSORS[raw[section + 3]]
    parameters = read_parameters(raw, section, order, dec, notes)
    return _reconcile(raw, order, dec, parameters, notes)


def _reconcile(
    raw: bytes, order: str, dec: bool, parameters: Parameters, notes: Notes
) -> C3dLayout:
    header = np.frombuffer(raw[:BLOCK], order + "u2").astype(int)

    def header_float(word: int) -> float:
        data = raw[2 * word : 2 * word + 4]
        return float((dec_floats(data) if dec else np.frombuffer(data, order + "f4"))[0])

    n_points = count(parameters, "POINT", "USED")
    if n_points is None:
        n_points = int(header[1])
    elif n_points != header[1]:
        notes.mended(
            f"the header counts {header[1]} points, POINT:USED {n_points}; the latter is used"
        )
    scale = number(parameters, "POINT", "SCALE")
    scale = header_float(6) if scale is None else scale
    if not np.isfinite(scale) or scale == 0:
        raise notes.error(f"POINT:SCALE is {scale}; expected a number other than 0")
    rate, n_channels, samples = _rates(parameters, header, header_float(10), notes)
    start = _data_start(raw, parameters, header, notes)
    layout = C3dLayout(
        order,
        dec,
        n_points,
        n_channels,
        0,
        samples,
        int(header[3]),
        rate,
        scale < 0,
        abs(scale),
        start,
        parameters,
    )
    first, n_frames = _frames(layout, header, len(raw) - start, notes)
    return replace(layout, n_frames=n_frames, first_frame=first)


def _rates(
    parameters: Parameters, header: Ints, header_rate: float, notes: Notes
) -> tuple[float, int, int]:
    """Frames per second, analog channels, and samples of each in a frame."""
    rate = number(parameters, "POINT", "RATE") or float(str(np.float32(header_rate)))
    analog_rate = number(parameters, "ANALOG", "RATE") or 0.0
    samples = int(header[9])
    if (
        not (np.isfinite(rate) and rate > 0)
        and np.isfinite(analog_rate)
        and analog_rate > 0
        and samples > 0
    ):
        notes.mended("POINT:RATE gives no frame rate; it is taken from the analog channels")
        rate = analog_rate / samples
    if not (np.isfinite(rate) and 0 < rate < 1e7):
        raise notes.error(f"POINT:RATE is {rate:g} frames per second; expected a positive number")
    channels = count(parameters, "ANALOG", "USED")
    if channels is None and header[2]:
        notes.mended(
            f"the header counts {header[2]} analog values in a frame, but no parameter says of what"
        )
        channels = int(header[2]) // max(samples, 1)
    if not channels:
        return rate, 0, 0
    if channels * samples != header[2]:
        notes.mended(
            f"the header counts {header[2]} analog values in a frame, but ANALOG:USED is {channels}"
            f" with {samples} samples each"
        )
        if header[2] and header[2] % channels == 0:
            samples = int(header[2]) // channels
    if samples == 0 and np.isfinite(analog_rate):
        samples = max(round(min(analog_rate / rate, 1e5)), 1)
    return rate, channels, samples


def _data_start(raw: bytes, parameters: Parameters, header: Ints, notes: Notes) -> int:
    blocks = int(header[8]), count(parameters, "POINT", "DATA_START") or 0
    good = [b for b in blocks if b >= 2 and (b - 1) * BLOCK <= len(raw)]
    if not good:
        raise notes.error(f"the samples start in block {blocks[0]}, which the file does not have")
    if good[0] != blocks[0]:
        notes.mended(
            f"the header puts the samples into block {blocks[0]}; POINT:DATA_START, {good[0]}, is"
            " used"
        )
    return (good[0] - 1) * BLOCK


def _frames(layout: C3dLayout, header: Ints, room: int, notes: Notes) -> tuple[int, int]:
    """Number of the first frame, and how many there are."""
    first = int(header[3])
    last = int(header[4])
    claimed = last - first + 1
    if last == 0xFFFF or claimed < 1:  # more frames than the header can count, or none
        claimed = max(_long_count(layout.parameters), claimed, 0)
    fitting = room // layout.frame_bytes if layout.frame_bytes else min(claimed, 0xFFFF)
    if claimed > fitting:
        notes.mended(f"the file claims {claimed} frames but ends after {fitting}; these are used")
    return first, min(claimed, fitting)


def _long_count(parameters: Parameters) -> int:
    """Frames as the parameters count them: in two 16-bit words, as a float or in 16 bits."""
    trial = parameters.get("TRIAL", {})
    ends = []
    for name in ("ACTUAL_START_FIELD", "ACTUAL_END_FIELD"):
        words = trial.get(name)
        if isinstance(words, np.ndarray) and words.dtype.kind == "i" and words.size >= 2:
            ends.append((int(words.flat[0]) & 0xFFFF) + 0x10000 * (int(words.flat[1]) & 0xFFFF))
    if len(ends) == 2 and ends[1] >= ends[0]:
        return ends[1] - ends[0] + 1
    for name in ("LONG_FRAMES", "FRAMES"):
        value = number(parameters, "POINT", name)
        if value is not None and np.isfinite(value) and value != 0:
            return int(value) if value > 0 else int(value) & 0xFFFF
    return 0
