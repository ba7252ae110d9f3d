"""Write motions as binary FBX 7.4: its records and objects, skeletons, curves, bind poses, skins.

The thin mesh around a skeleton, its skin and its bind pose, as objects of an FBX file.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.files import write_file
from motionloom.io.scenes._reading import NOTES
from motionloom.io.scenes._writing import BoneMesh, FileCharacter, WrittenScene, build_scene
from motionloom.motion import Motion
from motionloom.typing import Array, Ints, PathName

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


_GREY = np.array([0.55, 0.62, 0.72])

#: FBX's "XYZ" turns about X first, each axis fixed: Z, Y, X about axes that are carried along.
_ORDER = "ZYX"
#: Brings the third axis of a turned frame upright, so that turns of the body about the vertical
#: are turns about Z, the outermost angle, which never locks.
_UPRIGHT = rot.from_euler([-np.pi / 2], "X")
#: Lines between keys, and tangents as programs that look at them expect.
_KEY_FLAGS = np.array([24836], np.int32)
_KEY_DATA = np.array([0, 0, 9.419963346924634e-30, 0], np.float32)
#: Unit of files where none is asked for, metres.
_UNIT = 0.01


@dataclass(frozen=True, eq=False)
class _Timeline:
    """The animation that all curves belong to, and the times of their keys."""

    layer: Id
    times: Encoded
    frames: int


def write_fbx(
    motions: Motion | Mapping[str, Motion],
    path: PathName,
    *,
    name: str | None = None,
    unit: float | str | None = None,
    up: str | None = None,
    rest: str | None = None,
) -> None:
    """Write a motion, or those of several characters, as a binary FBX file of version 7.4.

    Every joint and end site is a limb node whose +Y points to the next joint, or past one that
    moves in it, so that no program takes the two bones for connected. Its pre-rotation is the rest
    pose, so that all curves are 0 in it; the root's brings turns of the body about the vertical to
    its Z curve, which never locks. Places have curves only where joints move in their parents, and
    for the root. A bind pose and a thin mesh skinned to the joints go with it, because Unreal takes
    no skeleton without one. Joints of each of several characters have its name and a colon before
    their own; one animation moves them all.

    Parameters
    ----------
    motions : Motion or mapping of str to Motion
        What to write: one, or by character, all with the same frame time and number of frames.
    path : path-like
        Where to write; a file that is there is replaced.
    name : str, optional
        Of the animation; otherwise the motion's, or ``"scene"``.
    unit : float or str, metres, optional
        Length of the file's unit, which the file declares; otherwise a centimetre.
    up : str, optional
        The file's up axis, ``"x"``, ``"y"`` or ``"z"``, which it declares; otherwise Y.
    rest : {"standing", "file", "first"}, optional
        The pose in which skeleton and mesh are bound, as of `write_glb`.

    Raises
    ------
    InvalidInputError
        When there are no motions, their frames differ, the rest pose cannot be had, an option
        cannot be used or the file cannot be written.
    """
    metres = _UNIT if unit is None else unit
    write_file(path, _encode(build_scene(motions, name, unit=metres, up=up, rest=rest)))


def _encode(scene: WrittenScene) -> bytes:
    motion = scene.first
    ticks = int(ticks_of(np.array([motion.duration]))[0])
    objects = Objects()
    timeline = _add_timeline(objects, motion, scene.name, ticks)
    for body in scene.characters:
        _add_character(objects, body, timeline)
    settings = global_settings(scene.unit, scene.back, motion.frame_time, ticks)
    return objects.to_bytes(settings, scene.name, ticks)


def _add_timeline(objects: Objects, motion: Motion, name: str, ticks: int) -> _Timeline:
    ends = {"LocalStart": 0, "LocalStop": ticks, "ReferenceStart": 0, "ReferenceStop": ticks}
    span = properties(*((end, "KTime", "Time", "", Id(at)) for end, at in ends.items()))
    stack = objects.add("AnimationStack", name, "", span)
    layer = objects.add("AnimationLayer", "BaseLayer", "")
    objects.connect(layer, stack)
    times = Encoded(encode_value(ticks_of(motion.times)))
    return _Timeline(layer, times, motion.n_frames)


def _add_character(objects: Objects, body: FileCharacter, timeline: _Timeline) -> None:
    # What every node is turned by before its curves turn it.
    before = body.rotations.copy()
    before[0] = rot.multiply(rot.from_matrix(body.back), _UPRIGHT)
    limbs: list[Id] = []
    for i, parent in enumerate(body.parents.tolist()):
        limbs.append(_add_limb(objects, body, i, before[i]))
        objects.connect(limbs[-1], limbs[parent] if parent >= 0 else Id(0))
    _add_skin(objects, body, limbs)
    if timeline.frames == 0:
        return
    for j in range(body.motion.skeleton.n_joints):
        own = rot.multiply(rot.conjugate(before[j]), body.turning(j))
        angles = np.degrees(rot.unroll_euler(rot.to_euler(own, _ORDER), _ORDER))[:, ::-1]
        _animate(objects, timeline, limbs[j], "Rotation", angles)
    for j in sorted({0, *body.pose.moving}):
        _animate(objects, timeline, limbs[j], "Translation", body.moving(j))


def _add_limb(objects: Objects, body: FileCharacter, i: int, before: Array) -> Id:
    place = body.translations[i]
    turn = rot.identity() if i else rot.multiply(rot.conjugate(before), body.rotations[0])
    angles, pre = (np.degrees(rot.to_euler(q, _ORDER))[::-1] for q in (turn, before))
    table = properties(
        ("RotationActive", "bool", "", "", 1),
        vector("PreRotation", pre),
        ("InheritType", "enum", "", "", 1),
        vector("Lcl Translation", place, "Lcl Translation"),
        vector("Lcl Rotation", angles, "Lcl Rotation"),
        (NOTES, "KString", "", "U", json.dumps(body.notes[i])),
    )
    name = f"{body.name}:{body.names[i]}" if body.name else body.names[i]
    limb = _add_model(objects, name, "LimbNode", table)
    size = properties(("Size", "double", "Number", "", float(np.linalg.norm(place))))
    flags = fields(TypeFlags="Skeleton")
    objects.connect(objects.add("NodeAttribute", name, "LimbNode", size, *flags), limb)
    return limb


def _add_model(objects: Objects, name: str, kind: str, table: Record) -> Id:
    """Add a node."""
    shown = fields(Shading=True, Culling="CullingOff")
    return objects.add("Model", name, kind, *fields(Version=232), table, *shown)


def _animate(objects: Objects, timeline: _Timeline, limb: Id, what: str, values: Array) -> None:
    """Curves of the three components (T, 3) of a node's rotation or place."""
    short = what[0]
    first = [(f"d|{a}", "Number", "", "A", float(v)) for a, v in zip("XYZ", values[0], strict=True)]
    node = objects.add("AnimationCurveNode", short, "", properties(*first))
    objects.connect(node, timeline.layer)
    objects.connect(node, limb, f"Lcl {what}")
    for axis, column in zip("XYZ", values.T, strict=True):
        keys = fields(
            Default=float(column[0]),
            KeyVer=4008,
            KeyTime=timeline.times,
            KeyValueFloat=column.astype(np.float32),
            KeyAttrFlags=_KEY_FLAGS,
            KeyAttrDataFloat=_KEY_DATA,
            KeyAttrRefCount=np.array([timeline.frames], np.int32),
        )
        objects.connect(objects.add("AnimationCurve", "", "", *keys), node, f"d|{axis}")


def _add_skin(objects: Objects, body: FileCharacter, limbs: list[Id]) -> None:
    """Add mesh, material, skin and bind pose of a body.

    Parameters
    ----------
    objects : Objects
        Where they go.
    body : FileCharacter
        What they belong to.
    limbs : list of Id
        Objects of its nodes.
    """
    name = f"{body.title}_mesh"
    geometry = _add_geometry(objects, body.mesh, name)
    model = _add_model(objects, name, "Mesh", properties(("InheritType", "enum", "", "", 1)))
    objects.connect(model, Id(0))
    objects.connect(geometry, model)
    objects.connect(_add_material(objects, name), model)
    # World transforms of the nodes at rest.
    matrices = np.tile(np.eye(4), (len(limbs), 1, 1))
    matrices[:, :3, :3] = body.back @ rot.to_matrix(body.world_rotations)
    matrices[:, :3, 3] = body.world_positions
    skin = objects.add("Deformer", name, "Skin", *fields(Version=101, Link_DeformAcuracy=50.0))
    objects.connect(skin, geometry)
    for j in range(body.motion.skeleton.n_joints):
        cluster = _add_cluster(objects, body, j, matrices[j])
        objects.connect(cluster, skin)
        objects.connect(limbs[j], cluster)
    nodes = [(model, np.eye(4)), *zip(limbs, matrices, strict=True)]
    head = fields(Type="BindPose", Version=100, NbPoseNodes=len(nodes))
    poses = (Record("PoseNode", (), fields(Node=n, Matrix=_flat(m))) for n, m in nodes)
    objects.add("Pose", name, "BindPose", *head, *poses)


def _flat(matrix: NDArray[np.floating]) -> NDArray[np.floating]:
    """Sixteen numbers of a matrix for column vectors, column by column."""
    return matrix.T.ravel()


def _add_geometry(objects: Objects, mesh: BoneMesh, name: str) -> Id:
    corners = np.arange(len(mesh.positions), dtype=np.int32)
    corners[2::3] = ~corners[2::3]  # the last corner of a face is told so
    elements = [
        _element("Normal", "ByPolygonVertex", "Direct", Normals=mesh.normals.ravel()),
        _element("Material", "AllSame", "IndexToDirect", Materials=np.zeros(1, np.int32)),
    ]
    layers = (Record("LayerElement", (), fields(Type=e.name, TypedIndex=0)) for e in elements)
    layer = Record("Layer", (0,), (*fields(Version=100), *layers))
    shape = fields(GeometryVersion=124, Vertices=mesh.positions.ravel(), PolygonVertexIndex=corners)
    return objects.add("Geometry", name, "Mesh", *shape, *elements, layer)


def _element(what: str, mapping: str, reference: str, **values: NDArray[np.generic]) -> Record:
    """What a mesh says about its corners or faces."""
    head = fields(Version=101, Name="", MappingInformationType=mapping)
    told = (*head, *fields(ReferenceInformationType=reference, **values))
    return Record(f"LayerElement{what}", (0,), told)


def _add_material(objects: Objects, name: str) -> Id:
    color = properties(vector("DiffuseColor", _GREY, "Color"))
    return objects.add("Material", name, "", *fields(Version=102, ShadingModel="Lambert"), color)


def _add_cluster(objects: Objects, body: FileCharacter, joint: int, matrix: Array) -> Id:
    own = np.flatnonzero(body.mesh.joints == joint).astype(np.int32)
    inverse = _flat(np.linalg.inv(matrix))
    told = fields(Indexes=own, Weights=np.ones(len(own)))
    told += fields(Transform=inverse, TransformLink=_flat(matrix))
    head = (*fields(Version=100), Record("UserData", ("", "")))
    return objects.add("Deformer", body.names[joint], "Cluster", *head, *told)
