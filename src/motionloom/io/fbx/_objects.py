"""Objects of an FBX file, how they are connected, and what stands around them.

The binary container of FBX 7.4: a tree of records, each with typed values.

The layout is that of the notes of Blender's developers (Blender 2013, see the references): a record
says where it ends, how many values it has, their bytes and its name; arrays are deflated.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.typing import Array, Ints

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
_TOO_LONG = "the motion is too long for an FBX file; cut it into shorter ones"
#: A record that says nothing ends the records inside another.
_NOTHING = bytes(13)


@dataclass(frozen=True)
class Encoded:
    """Bytes of a value, so that one that is used often is made once."""

    data: bytes


class Id(int):
    """An object's number; 64 bits, other integers have 32."""


Value = bool | int | float | str | bytes | NDArray[np.generic] | Encoded
#: Letter and layout of numbers by their type.
_NUMBERS = {bool: (b"C", "<?"), Id: (b"L", "<q"), int: (b"I", "<i"), float: (b"D", "<d")}


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
    if isinstance(value, Encoded):
        return value.data
    if isinstance(value, np.ndarray):
        return _encode_array(value)
    if type(value) in _NUMBERS:
        letter, layout = _NUMBERS[type(value)]
        return letter + struct.pack(layout, value)
    assert isinstance(value, str | bytes)
    text = value.encode(errors="backslashreplace") if isinstance(value, str) else value
    return (b"S" if isinstance(value, str) else b"R") + struct.pack("<I", len(text)) + text


def _encode_array(values: NDArray[np.generic]) -> bytes:
    values = np.ascontiguousarray(values)
    letter = _ARRAYS[values.dtype.newbyteorder("<").str]
    packed = zlib.compress(values.tobytes(), 1)
    if len(packed) >= 2**32:
        raise InvalidInputError(_TOO_LONG)
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
        raise InvalidInputError(_TOO_LONG)
    struct.pack_into("<I", out, begin, len(out))


#: Numbers of frame rates that FBX has a number for; others are "custom".
_TIME_MODES = {120.0: 1, 100.0: 2, 60.0: 3, 50.0: 4, 48.0: 5, 30.0: 6, 25.0: 10, 24.0: 11}
_TIME_MODES |= {1000.0: 12, 96.0: 15, 72.0: 16}
_TIME_MODES |= {30 / 1.001: 9, 24 / 1.001: 13, 60 / 1.001: 17, 120 / 1.001: 18}
_CUSTOM = 14
#: The first number of an object; 0 is the scene itself.
_FIRST_ID = 1_000_000


def properties(*rows: tuple[Value, ...]) -> Record:
    """A table of properties: name, type, label, flags, values."""
    return Record("Properties70", (), tuple(Record("P", row) for row in rows))


def fields(**values: Value) -> tuple[Record, ...]:
    """Records of one value each, by their names."""
    return tuple(Record(name, (value,)) for name, value in values.items())


def vector(name: str, values: Array, kind: str = "") -> tuple[Value, ...]:
    """Row of a table of properties with three numbers; those of animated kinds have their name."""
    flags = "A" if kind else ""
    label = "" if kind else "Vector"
    return (name, kind or "Vector3D", label, flags, *map(float, values))


@dataclass
class Objects:
    """Objects and connections while they grow.

    Parameters
    ----------
    records : list of Record
        Objects in the order in which they were added.
    connections : list of Record
        Which object belongs to which other one.
    """

    records: list[Record] = field(default_factory=list)
    connections: list[Record] = field(default_factory=list)

    def add(self, kind: str, name: str, subkind: str, *inside: Record) -> Id:
        """Append an object.

        Parameters
        ----------
        kind, subkind : str
            Such as ``"Model"`` and ``"LimbNode"``.
        name : str
            As people see it.
        *inside : Record
            What it holds.

        Returns
        -------
        Id
            Its number.
        """
        number = Id(_FIRST_ID + len(self.records))
        told = "SubDeformer" if subkind == "Cluster" else kind.replace("Animation", "Anim")
        self.records.append(Record(kind, (number, f"{name}\x00\x01{told}", subkind), inside))
        return number

    def connect(self, child: Id, parent: Id, name: str | None = None) -> None:
        """Put an object below another one, or let it be a property of that."""
        how = ("OO", child, parent) if name is None else ("OP", child, parent, name)
        self.connections.append(Record("C", how))

    def to_bytes(self, settings: Record, take: str, ticks: int) -> bytes:
        """The whole file.

        Parameters
        ----------
        settings : Record
            Of `global_settings`.
        take : str
            Name of the animation.
        ticks : int
            When it ends.
        """
        counts = Counter(r.name for r in self.records)
        kinds = [("GlobalSettings", 1), *counts.items()]
        definitions = (
            *fields(Version=100, Count=sum(n for _, n in kinds)),
            *(Record("ObjectType", (kind,), fields(Count=n)) for kind, n in kinds),
        )
        span = Record("LocalTime", (Id(0), Id(ticks)))
        takes = Record("Take", (take,), (span, Record("ReferenceTime", span.values)))
        about = fields(FileId=FILE_ID, CreationTime=CREATION_TIME, Creator="motionloom")
        head = (_header(), *about, settings, _documents(take), Record("References"))
        tables = {"Definitions": definitions, "Objects": self.records}
        tables |= {"Connections": self.connections, "Takes": (*fields(Current=take), takes)}
        rows = (Record(name, (), tuple(inside)) for name, inside in tables.items())
        return build_file((*head, *rows))


def global_settings(unit: float, back: Array, frame_time: float, ticks: int) -> Record:
    """What holds for the whole file: axes, unit of length, frame rate, length.

    Parameters
    ----------
    unit : float, metres
        Length of the file's unit.
    back : array of shape (3, 3)
        Turns our axes (left, up, ahead) to the file's.
    frame_time : float, seconds
        Time between frames.
    ticks : int
        When the animation ends.
    """
    rows: list[tuple[Value, ...]] = []
    for name, axis in zip(("Coord", "Up", "Front"), back.T, strict=True):
        largest = int(np.argmax(np.abs(axis)))
        rows.append((f"{name}Axis", "int", "Integer", "", largest))
        rows.append((f"{name}AxisSign", "int", "Integer", "", int(np.sign(axis[largest]))))
    centimetres = float(f"{100 * unit:.12g}")
    mode, rate = _time_mode(1 / frame_time)
    rows += [
        ("OriginalUpAxis", "int", "Integer", "", -1),
        ("OriginalUpAxisSign", "int", "Integer", "", 1),
        ("UnitScaleFactor", "double", "Number", "", centimetres),
        ("OriginalUnitScaleFactor", "double", "Number", "", centimetres),
        ("TimeMode", "enum", "", "", mode),
        ("TimeSpanStart", "KTime", "Time", "", Id(0)),
        ("TimeSpanStop", "KTime", "Time", "", Id(ticks)),
        ("CustomFrameRate", "double", "Number", "", rate),
    ]
    return Record("GlobalSettings", (), (*fields(Version=1000), properties(*rows)))


def _time_mode(fps: float) -> tuple[int, float]:
    """FBX's number of a frame rate, and the rate to say where it has none, else -1."""
    near = [mode for rate, mode in _TIME_MODES.items() if abs(fps - rate) < 1e-6 * rate]
    return (near[0], -1.0) if near else (_CUSTOM, float(fps))


def ticks_of(times: Array) -> Ints:
    """Times in seconds as FBX counts them."""
    return np.rint(np.asarray(times) * TICKS).astype(np.int64)


def _header() -> Record:
    stamp = fields(Version=1000, Year=1970, Month=1, Day=1, Hour=10)
    stamp += fields(Minute=0, Second=0, Millisecond=0)
    head = fields(FBXHeaderVersion=1003, FBXVersion=7400, EncryptionType=0)
    made = (Record("CreationTimeStamp", (), stamp), *fields(Creator="motionloom"))
    return Record("FBXHeaderExtension", (), (*head, *made))


def _documents(take: str) -> Record:
    stack = ("ActiveAnimStackName", "KString", "", "", take)
    rows = properties(("SourceObject", "object", "", ""), stack)
    document = Record("Document", (Id(100), "Scene", "Scene"), (rows, *fields(RootNode=Id(0))))
    return Record("Documents", (), (*fields(Count=1), document))
