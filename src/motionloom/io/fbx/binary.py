"""The binary container of FBX 7.4: a tree of records, each with typed values.

The layout is that of the notes of Blender's developers (Blender 2013, see the references): a record
says where it ends, how many values it has, their bytes and its name; arrays are deflated.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError

#: The first bytes of any binary FBX file.
MAGIC = b"Kaydara FBX Binary  \x00\x1a\x00"
VERSION = 7400
#: Time in FBX files is counted in these parts of a second.
TICKS = 46_186_158_000
#: What Autodesk's library compares with the end of the file: an identity, a time, what follows of
#: both.
FILE_ID = bytes.fromhex("28b32aebb624ccc2bfc8b02aa92bfcf1")
CREATION_TIME = "1970-01-01 10:00:00:000"
_FOOT_ID = bytes.fromhex("fabcab09d0c8d466b176fb831cf7267e")
_FOOT_END = bytes.fromhex("f85a8c6adef5d97eece90ce3758f290b")

_ARRAYS = {"<f4": b"f", "<f8": b"d", "<i4": b"i", "<i8": b"l"}
#: A record that says nothing ends the records inside another.
_NOTHING = bytes(13)


@dataclass(frozen=True)
class Encoded:
    """Bytes of a value, so that one that is used often is made once."""

    data: bytes


class Id(int):
    """An object's number; 64 bits, other integers have 32."""


Value = bool | int | float | str | bytes | NDArray[np.generic] | Encoded


@dataclass(frozen=True)
class Record:
    """One record of the tree.

    Parameters
    ----------
    name : str
        What it is.
    values : tuple
        Texts, numbers, bytes, arrays.
    inside : tuple of Record
        Records below it.
    """

    name: str
    values: tuple[Value, ...] = ()
    inside: tuple[Record, ...] = ()


def encode_value(value: Value) -> bytes:
    """Bytes of a value with the letter of its type before them.

    Raises
    ------
    InvalidInputError
        When it is too long.
    """
    match value:
        case Encoded():
            return value.data
        case bool():
            return b"C" + struct.pack("<?", value)
        case Id():
            return b"L" + struct.pack("<q", value)
        case int():
            return b"I" + struct.pack("<i", value)
        case float():
            return b"D" + struct.pack("<d", value)
        case bytes():
            return b"R" + struct.pack("<I", len(value)) + value
        case str():
            text = value.encode(errors="backslashreplace")
            return b"S" + struct.pack("<I", len(text)) + text
    return _encode_array(value)


def _encode_array(values: NDArray[np.generic]) -> bytes:
    values = np.ascontiguousarray(values)
    letter = _ARRAYS[values.dtype.newbyteorder("<").str]
    packed = zlib.compress(values.tobytes(), 1)
    if len(packed) >= 2**32:
        raise InvalidInputError("the motion is too long for an FBX file; cut it into shorter ones")
    return letter + struct.pack("<III", values.size, 1, len(packed)) + packed


def build_file(records: tuple[Record, ...]) -> bytes:
    """The whole file of its topmost records.

    Parameters
    ----------
    records : tuple of Record
        In the order in which programs expect them.

    Returns
    -------
    bytes
        Header, records, footer.

    Raises
    ------
    InvalidInputError
        When the file would be longer than FBX 7.4 can say (4 GiB).
    """
    out = bytearray(MAGIC + struct.pack("<I", VERSION))
    for record in records:
        _append(record, out)
    out += _NOTHING + _FOOT_ID + bytes(4)
    out += bytes(16 - len(out) % 16)
    return bytes(out + struct.pack("<I", VERSION) + bytes(120) + _FOOT_END)


def _append(record: Record, out: bytearray) -> None:
    begin = len(out)
    values = [encode_value(value) for value in record.values]
    name = record.name.encode()
    # Where the record ends is filled in when that is known.
    out += struct.pack("<IIIB", 0, len(values), sum(map(len, values)), len(name)) + name
    out += b"".join(values)
    for inside in record.inside:
        _append(inside, out)
    if record.inside:
        out += _NOTHING
    if len(out) >= 2**32:
        raise InvalidInputError("the motion is too long for an FBX file; cut it into shorter ones")
    struct.pack_into("<I", out, begin, len(out))
