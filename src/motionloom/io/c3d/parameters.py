"""Parameter section of C3D files: groups of named values; no length in it is trusted."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from itertools import count as count_from
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.io._notes import Notes
from motionloom.io.files import decode
from motionloom.io.limits import MOST_PARAMETER, MOST_PARAMETER_BYTES, MOST_PARAMETERS
from motionloom.typing import Singles

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
