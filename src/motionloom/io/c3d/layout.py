"""Counts and places in C3D files, checked against each other and the file's length.

A C3D file is a header of 512 bytes, a parameter section (groups of named values) and the samples,
all in the byte order and float format of one of three processors. The header and the parameters
both count points, channels and frames.

What C3D files hold beside markers: events, force plates and results of gait models.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count as count_from
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.io._markers import MarkerSpace
from motionloom.io.files import decode
from motionloom.io.limits import MOST_PARAMETER, MOST_PARAMETER_BYTES, MOST_PARAMETERS, Notes
from motionloom.marker_motion import Event
from motionloom.skeleton import frozen_array
from motionloom.typing import Array, Bools, Ints, Singles

Parameters = Mapping[str, Mapping[str, Any]]


def read_parameters(raw: bytes, section: int, order: str, dec: bool, notes: Notes) -> Parameters:
    """Follow the chain of groups and parameters to its end.

    Parameters
    ----------
    raw : bytes
        The whole file.
    section : int
        Byte at which the section starts.
    order : str
        Byte order, ``"<"`` or ``">"``.
    dec : bool
        Whether floats are in the format of DEC machines.
    notes : Notes
        Takes what was mended; refuses mending when strict.

    Returns
    -------
    mapping of str to mapping
        Values by group and name, both in upper case: tuples of str, or arrays with the indices in
        the order that C3D documents (the first runs fastest in the file).

    Raises
    ------
    FormatError
        When there are more than `MOST_PARAMETERS` parameters or `MOST_PARAMETER_BYTES` bytes of
        them.
    """
    names: dict[int, str] = {}
    values: dict[int, dict[str, Any]] = {}
    at = section + 4
    for number_of_entries in count_from(1):
        if number_of_entries > MOST_PARAMETERS or at - section > MOST_PARAMETER_BYTES:
            message = f"the parameter section has more than {MOST_PARAMETERS} parameters or"
            raise notes.error(f"{message} {MOST_PARAMETER_BYTES} bytes; no capture needs so many")
        length, group = struct.unpack_from("2b", raw, at) if at + 2 <= len(raw) else (-1, -1)
        if length == 0 or group == 0:
            break
        link = at + 2 + abs(length)
        if link + 2 > len(raw):
            told = "the parameter section runs past the end of the file;"
            notes.mended(f"{told} what was read before it is used")
            break
        name = _text(raw[at + 2 : link]).upper()
        (step,) = struct.unpack_from(order + "H", raw, link)
        room = raw[link + 2 : link + (step or MOST_PARAMETER)]
        if group < 0:
            names[-group] = name
        else:
            full_name = f"{names[group]}:{name}" if group in names else name
            value = _read_value(room, order, dec, full_name, notes)
            if value is not None:
                values.setdefault(group, {})[name] = value
        if step == 0:
            break
        at = link + step
    groups: dict[str, dict[str, Any]] = {}
    for number in sorted({*names, *values}):
        groups.setdefault(names.get(number, f"GROUP{number}"), {}).update(values.get(number, {}))
    return groups


def _read_value(room: bytes, order: str, dec: bool, name: str, notes: Notes) -> Any:
    """Value of a parameter from the bytes up to the next one; None where these hold none."""
    if len(room) < 2:
        notes.mended(f"the parameter {name} has no value")
        return None
    kind, n_dims = struct.unpack_from("bB", room)
    shape = tuple(room[2 : 2 + n_dims])
    data = room[2 + n_dims :]
    if kind not in (-1, 1, 2, 4) or len(shape) < n_dims or n_dims > 7:
        message = f"the parameter {name} is of type {kind} with {n_dims} dimensions,"
        notes.mended(f"{message} which C3D does not have")
        return None
    count = math.prod(shape)
    size = abs(kind)
    if count * size > len(data):
        message = f"the parameter {name} claims {count * size} bytes but has room for {len(data)};"
        notes.mended(f"{message} the rest is left out")
        shape, count = _cut(shape, len(data) // size)
    data = data[: count * size]
    if kind == -1:
        return _strings(data, shape)
    if kind == 1:
        flat: NDArray[Any] = np.frombuffer(data, np.uint8)
    elif kind == 2:
        flat = np.frombuffer(data, order + "i2")
    else:
        flat = floats_of(data, order, dec)
    # Native and float64: what follows need not know about byte orders.
    array = flat.astype(float if kind == 4 else int).reshape(shape[::-1]).T
    array.setflags(write=False)
    return array


def _cut(shape: tuple[int, ...], room: int) -> tuple[tuple[int, ...], int]:
    """Shorten the last dimension until the values fit into `room`."""
    row = math.prod(shape[:-1]) if shape else 1
    if not shape or row == 0 or room < row:
        return (0,), 0
    return (*shape[:-1], room // row), row * (room // row)


def _strings(data: bytes, shape: tuple[int, ...]) -> tuple[str, ...]:
    """Texts of a character parameter: the first dimension is the length of each."""
    length = shape[0] if shape else 1
    if len(shape) < 2:
        return (_text(data),)
    if length == 0:
        return ("",) * min(math.prod(shape[1:]), MOST_PARAMETER)
    return tuple(_text(data[i : i + length]) for i in range(0, len(data), length))


def _text(data: bytes) -> str:
    """Text without its padding; UTF-8 where it is that, else Latin-1."""
    return "".join(c for c in decode(data) if c.isprintable()).strip()


def floats_of(data: bytes, order: str, dec: bool) -> Singles:
    """Floats of a byte order, or of DEC machines: halves swapped, an exponent two larger."""
    if not dec:
        return np.frombuffer(data, order + "f4")
    words = np.frombuffer(data[: len(data) // 4 * 4], "<u2").reshape(-1, 2)[:, ::-1]
    with np.errstate(invalid="ignore"):  # what is no number stays none
        return np.ascontiguousarray(words).view("<f4").ravel() * np.float32(0.25)


def number(parameters: Parameters, group: str, name: str) -> float | None:
    """First number of a parameter; None where it is absent, text or empty.

    Parameters
    ----------
    parameters : mapping of str to mapping
        What `read_parameters` returns.
    group, name : str
        Of the parameter, in upper case.

    Returns
    -------
    float or None
        The shortest decimal of a 32-bit float: 29.97, not 29.969999313.
    """
    value = parameters.get(group, {}).get(name)
    if isinstance(value, np.ndarray) and value.size:
        first = value.flat[0]
        # The shortest decimal that is this 32-bit float: 29.97, not 29.969999313.
        return float(str(np.float32(first))) if value.dtype.kind == "f" else float(first)
    return None


def count(parameters: Parameters, group: str, name: str) -> int | None:
    """First number of a parameter as a 16-bit count, which many programs write as negative.

    Parameters
    ----------
    parameters : mapping of str to mapping
        What `read_parameters` returns.
    group, name : str
        Of the parameter, in upper case.

    Returns
    -------
    int or None
        0 to 65535; None where `number` finds none or one that is not finite.
    """
    value = number(parameters, group, name)
    return None if value is None or not np.isfinite(value) else int(value) & 0xFFFF


def continued(parameters: Parameters, group: str, name: str, kind: type[Any]) -> list[Any]:
    """Values of a parameter and its continuations (LABELS, LABELS2 ...): each holds at most 255.

    Parameters
    ----------
    parameters : mapping of str to mapping
        What `read_parameters` returns.
    group, name : str
        Of the parameter, in upper case.
    kind : type
        ``tuple`` for texts, ``numpy.ndarray`` for numbers.

    Returns
    -------
    list
        Up to the first continuation that is absent or of another kind.
    """
    values: list[Any] = []
    for suffix in ("", *map(str, range(2, 300))):
        value = parameters.get(group, {}).get(name + suffix)
        if not isinstance(value, kind):
            break
        values += np.ravel(value).tolist() if isinstance(value, np.ndarray) else value
    return values


BLOCK = 512
#: Number of the processor in the parameter section: byte order, and whether floats are those of DEC
#: machines.
PROCESSORS = {84: ("<", False), 85: ("<", True), 86: (">", False)}

#: POINT parameters that list the labels of what is stored like a point but is none.
OUTPUTS = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS")


def split_outputs(
    labels: Sequence[str], values: Array, valid: Bools, parameters: Parameters
) -> tuple[list[int], Mapping[str, Mapping[str, Any]]]:
    """Tell markers from results of gait models.

    Parameters
    ----------
    labels : sequence of str
        Names of the N points.
    values : array of shape (T, N, 3)
        All points, in the file's unit and axes.
    valid : bool array of shape (T, N)
        Whether each is there.
    parameters : mapping of str to mapping
        What `read_parameters` returns; its POINT group lists the results.

    Returns
    -------
    markers : list of int
        Which points are markers.
    outputs : mapping
        By kind (``"ANGLES"`` ...): ``labels``, ``values`` (T, K, 3) in the file's unit and axes,
        ``valid`` (T, K) and ``unit``.
    """
    point = parameters.get("POINT", {})
    outputs: dict[str, Mapping[str, Any]] = {}
    claimed: set[int] = set()
    for kind in OUTPUTS:
        own = (value for name, value in point.items() if name.rstrip("0123456789") == kind)
        listed = {label for value in own if isinstance(value, tuple) for label in value} - {""}
        found = [i for i, label in enumerate(labels) if label in listed and i not in claimed]
        if not found:
            continue
        claimed.update(found)
        unit = point.get(f"{kind[:-1]}_UNITS")
        outputs[kind] = {
            "labels": tuple(labels[i] for i in found),
            "values": frozen_array(np.where(valid[:, found, None], values[:, found], 0.0)),
            "valid": frozen_array(valid[:, found], bool),
            "unit": unit[0] if isinstance(unit, tuple) and unit else "",
        }
    return [i for i in range(len(labels)) if i not in claimed], outputs


def read_events(raw: bytes, layout: C3dLayout, notes: Notes) -> tuple[Event, ...]:
    """Events by time; the time of the first frame is 0.

    Those of the EVENT group, else those that older programs put into the header.

    Parameters
    ----------
    raw : bytes
        The whole file.
    layout : C3dLayout
        Of the file, as `read_layout` returns it.
    notes : Notes
        Takes what was mended; refuses mending when strict.

    Returns
    -------
    tuple of Event
        By time; events without a time are left out.
    """
    group = layout.parameters.get("EVENT", {})
    start = (layout.first_frame - 1) / layout.rate
    times = group.get("TIMES")
    events: list[Event] = []
    if isinstance(times, np.ndarray) and times.ndim >= 1 and times.size:
        # Each time is minutes and seconds; a single event may be written without the second
        # dimension.
        times = times.reshape(2, -1) if times.ndim == 1 and times.size == 2 else times
        seconds = 60 * times[0] + times[1] if times.ndim == 2 and len(times) == 2 else times.ravel()
        used = min(len(seconds), count(layout.parameters, "EVENT", "USED") or len(seconds))
        texts = [(*_texts(group, name), *[""] * used)[:used] for name in ("LABELS", "CONTEXTS")]
        events = [
            Event(float(t) - start, *text) for t, *text in zip(seconds[:used], *texts, strict=True)
        ]
    else:
        events = [Event(t - start, label) for t, label in _header_events(raw, layout)]
    good = [e for e in events if np.isfinite(e.time) and abs(e.time) < 1e7]
    if len(good) < len(events):
        notes.mended(f"{len(events) - len(good)} events have no time; they are left out")
    return tuple(sorted(good, key=lambda e: e.time))


def _texts(group: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = group.get(name)
    return value if isinstance(value, tuple) else ()


def _header_events(raw: bytes, layout: C3dLayout) -> list[tuple[float, str]]:
    """Up to 18 events in the header: times, whether they are on, and labels of four letters."""
    key, n = struct.unpack_from(layout.order + "2H", raw, 2 * 149)
    if key != 12345 or n > 18:
        return []
    data = raw[2 * 152 : 2 * 152 + 4 * n]
    times = floats_of(data, layout.order, layout.dec).astype(float).tolist()
    places = range(2 * 198, 2 * 198 + 4 * n, 4)
    labels = [raw[i : i + 4].decode("latin-1").strip("\0 ") for i in places]
    return list(zip(times, labels, strict=True))


def read_force_plates(
    layout: C3dLayout, space: MarkerSpace, notes: Notes
) -> tuple[Mapping[str, Any], ...]:
    """Force plates of the file.

    Parameters
    ----------
    layout : C3dLayout
        Of the file, as `read_layout` returns it.
    space : MarkerSpace
        Unit and axes of the file's markers.
    notes : Notes
        Takes what was mended; refuses mending when strict.

    Returns
    -------
    tuple of mapping
        Each has ``type`` (int), ``corners`` (4, 3) in metres, +Y up, ``origin`` (3,) in metres and
        the plate's own axes, ``channels`` (indices into the analog channels) and, where the file
        has one, ``calibration`` (a matrix). Plates without corners are left out.
    """
    group = layout.parameters.get("FORCE_PLATFORM", {})
    used = count(layout.parameters, "FORCE_PLATFORM", "USED") or 0
    plates: list[Mapping[str, Any]] = []
    for i in range(min(used, 64)):
        corners, origin, channels, kind, matrix = (
            _plate(group, name, i, used)
            for name in ("CORNERS", "ORIGIN", "CHANNEL", "TYPE", "CAL_MATRIX")
        )
        if corners is None or corners.shape != (3, 4) or not np.isfinite(corners).all():
            notes.mended(f"force plate {i + 1} has no corners; it is left out")
            continue
        origin = np.zeros(3) if origin is None or origin.shape != (3,) else origin * space.unit
        own = [] if channels is None else channels.ravel().tolist()
        plate: dict[str, Any] = {
            "type": int(kind) if kind is not None and kind.ndim == 0 else 0,
            "corners": frozen_array(space.to_metres(corners.T)),
            "origin": frozen_array(origin),
            "channels": tuple(int(c) - 1 for c in own if 1 <= c <= layout.n_channels),
        }
        if matrix is not None and matrix.ndim == 2:
            plate["calibration"] = matrix
        plates.append(plate)
    return tuple(plates)


def _plate(group: Mapping[str, Any], name: str, i: int, used: int) -> NDArray[Any] | None:
    """Values of plate `i`: the last index, which a file with one plate may leave out."""
    value = group.get(name)
    if not isinstance(value, np.ndarray) or not value.size:
        return None
    usual = {"CORNERS": 2, "ORIGIN": 1, "CHANNEL": 1, "TYPE": 0, "CAL_MATRIX": 2}
    if used == 1 and value.ndim == usual[name]:
        return value
    return value[..., i] if value.ndim and i < value.shape[-1] else None


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
        wanted = f"expected 0x50 and at least {BLOCK}"
        raise notes.error(f"not a C3D file: {found} and it has {len(raw)} bytes, {wanted}")
    section = (raw[0] - 1) * BLOCK
    if not BLOCK <= section <= len(raw) - 4:
        message = f"the header puts the parameters into block {raw[0]},"
        raise notes.error(f"{message} which the file does not have")
    if raw[section + 3] not in PROCESSORS:
        message = f"the parameter section names processor {raw[section + 3]};"
        raise notes.error(f"{message} expected 84 (Intel), 85 (DEC) or 86 (MIPS)")
    order, dec = PROCESSORS[raw[section + 3]]
    parameters = read_parameters(raw, section, order, dec, notes)
    return _reconcile(raw, order, dec, parameters, notes)


def _reconcile(
    raw: bytes, order: str, dec: bool, parameters: Parameters, notes: Notes
) -> C3dLayout:
    header = np.frombuffer(raw[:BLOCK], order + "u2").astype(int)

    def header_float(word: int) -> float:
        data = raw[2 * word : 2 * word + 4]
        return float(floats_of(data, order, dec)[0])

    used = count(parameters, "POINT", "USED")
    n_points = int(header[1]) if used is None else used
    if n_points != header[1]:
        told = f"the header counts {header[1]} points, POINT:USED {n_points}"
        notes.mended(f"{told}; the latter is used")
    scale = number(parameters, "POINT", "SCALE")
    scale = header_float(6) if scale is None else scale
    if not np.isfinite(scale) or scale == 0:
        raise notes.error(f"POINT:SCALE is {scale}; expected a number other than 0")
    rate, n_channels, samples = _rates(parameters, header, header_float(10), notes)
    start = _data_start(raw, parameters, header, notes)
    counts = (n_points, n_channels, 0, samples, int(header[3]))
    layout = C3dLayout(order, dec, *counts, rate, scale < 0, abs(scale), start, parameters)
    return replace(layout, n_frames=_count_frames(layout, header, len(raw) - start, notes))


def _rates(
    parameters: Parameters, header: Ints, header_rate: float, notes: Notes
) -> tuple[float, int, int]:
    """Frames per second, analog channels, and samples of each in a frame."""
    rate = number(parameters, "POINT", "RATE") or float(str(np.float32(header_rate)))
    analog_rate = number(parameters, "ANALOG", "RATE") or 0.0
    samples = int(header[9])
    known = np.isfinite(analog_rate) and analog_rate > 0 and samples > 0
    if known and not (np.isfinite(rate) and rate > 0):
        notes.mended("POINT:RATE gives no frame rate; it is taken from the analog channels")
        rate = analog_rate / samples
    if not (np.isfinite(rate) and 0 < rate < 1e7):
        raise notes.error(f"POINT:RATE is {rate:g} frames per second; expected a positive number")
    channels = count(parameters, "ANALOG", "USED")
    if channels is None and header[2]:
        message = f"the header counts {header[2]} analog values in a frame,"
        notes.mended(f"{message} but no parameter says of what")
        channels = int(header[2]) // max(samples, 1)
    if not channels:
        return rate, 0, 0
    if channels * samples != header[2]:
        message = f"the header counts {header[2]} analog values in a frame,"
        notes.mended(f"{message} but ANALOG:USED is {channels} with {samples} samples each")
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
        message = f"the header puts the samples into block {blocks[0]};"
        notes.mended(f"{message} POINT:DATA_START, {good[0]}, is used")
    return (good[0] - 1) * BLOCK


def _count_frames(layout: C3dLayout, header: Ints, room: int, notes: Notes) -> int:
    """How many frames there are."""
    last = int(header[4])
    claimed = last - layout.first_frame + 1
    if last == 0xFFFF or claimed < 1:  # more frames than the header can count, or none
        claimed = max(_long_count(layout.parameters), claimed, 0)
    fitting = room // layout.frame_bytes if layout.frame_bytes else min(claimed, 0xFFFF)
    if claimed > fitting:
        notes.mended(f"the file claims {claimed} frames but ends after {fitting}; these are used")
    return min(claimed, fitting)


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
