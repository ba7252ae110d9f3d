"""The GLB container, the accessors inside it and its tree of nodes: to bytes, and back."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import FormatError
from motionloom.io.limits import MOST_ABOVE, check_joints, check_name, check_nodes
from motionloom.io.scenes._nodes import depth_first, unique_names
from motionloom.io.scenes._reading import numbers_of
from motionloom.typing import Array, PathName

MAGIC, JSON_CHUNK, BIN_CHUNK = 0x46546C67, 0x4E4F534A, 0x004E4942
ARRAY_BUFFER = 34962

_COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_CODES = {np.dtype(text): code for code, text in _COMPONENTS.items()}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


@dataclass
class GlbBuilder:
    """Collects arrays into one binary buffer while the JSON that describes them grows.

    Parameters
    ----------
    accessors, views : list of dict
        JSON entries of what was added; empty at first.
    binary : bytearray
        The buffer; each array begins at a multiple of four bytes.
    """

    accessors: list[dict[str, Any]] = field(default_factory=list)
    views: list[dict[str, Any]] = field(default_factory=list)
    binary: bytearray = field(default_factory=bytearray)

    def add(self, values: NDArray[Any], kind: str, target: int | None = None) -> int:
        """Append an array with a row per element as an accessor.

        Parameters
        ----------
        values : array of shape (N, ...)
            At least one row, of 8-bit or 16-bit integers, unsigned 32-bit integers or 32-bit
            floats.
        kind : str
            Type of an element: ``"SCALAR"``, ``"VEC3"``, ``"MAT4"`` ...
        target : int, optional
            What the buffer is bound to, such as `ARRAY_BUFFER`; not written when not given.

        Returns
        -------
        int
            Index of the accessor.
        """
        values = np.ascontiguousarray(values)
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": values.nbytes}
        self.views.append(view if target is None else {**view, "target": target})
        rows = values.reshape(len(values), -1)
        ends = {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        code = _CODES[values.dtype.newbyteorder("<")]
        accessor = {"bufferView": len(self.views) - 1, "componentType": code}
        self.accessors.append({**accessor, "count": len(values), "type": kind, **ends})
        self.binary += values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()
        self.binary += bytes(-len(self.binary) % 4)
        return len(self.accessors) - 1

    def to_bytes(self, document: dict[str, Any]) -> bytes:
        """The whole file: header, JSON chunk (`document` and what was collected), binary chunk."""
        arrays = {"accessors": self.accessors, "bufferViews": self.views}
        whole = {**document, **arrays, "buffers": [{"byteLength": len(self.binary)}]}
        dumped = json.dumps(whole, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        text = dumped.encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<II", len(text), JSON_CHUNK) + text
        body += struct.pack("<II", len(self.binary), BIN_CHUNK) + self.binary
        return struct.pack("<III", MAGIC, 2, 12 + len(body)) + body


@dataclass(frozen=True)
class Glb:
    """A GLB file's JSON and binary chunk, and the bytes of the whole file.

    Parameters
    ----------
    document : dict
        The JSON chunk.
    binary : bytes
        The binary chunk; empty where the file has none.
    path : path-like
        The file, for errors.
    size : int
        Bytes of the whole file.
    """

    document: dict[str, Any]
    binary: bytes
    path: PathName
    size: int = 0

    def error(self, message: str) -> FormatError:
        """Error about the file, to be raised."""
        return FormatError(message, self.path)

    def item(self, kind: str, index: Any) -> dict[str, Any]:
        """Entry of a top-level list of the JSON, checked.

        Parameters
        ----------
        kind : str
            Name of the list, such as ``"nodes"``.
        index : object
            As the file has it; need not be a number.

        Returns
        -------
        dict
            The entry.

        Raises
        ------
        FormatError
            When there is no such entry, or it is no JSON object.
        """
        entries = self.document.get(kind, [])
        if not isinstance(entries, list) or type(index) is not int or not 0 <= index < len(entries):
            raise self.error(f"refers to {kind}[{index!r}], which the file does not have")
        entry = entries[index]
        if not isinstance(entry, dict):
            raise self.error(f"{kind}[{index}] must be a JSON object")
        return entry

    def accessor(self, index: Any, kind: str) -> Array:
        """Values of an accessor; integers are normalized where it says so.

        Parameters
        ----------
        index : object
            As the file has it; need not be a number.
        kind : str
            Type that its elements must have, such as ``"VEC3"``.

        Returns
        -------
        array of shape (N, width), or (N,) for scalars
            Finite numbers, one row per element.

        Raises
        ------
        FormatError
            When there is no such accessor, it is of another type, sparse, compressed or truncated,
            or a number is not finite.
        """
        entry = self.item("accessors", index)
        name = f"accessors[{index}]"
        if entry.get("type") != kind:
            raise self.error(f"{name} has type {entry.get('type')!r} where {kind} is expected")
        if "sparse" in entry or "bufferView" not in entry:
            message = f"{name} is sparse, which is not supported;"
            raise self.error(f"{message} export it without sparse accessors")
        code = entry.get("componentType")
        dtype = _COMPONENTS.get(code) if isinstance(code, int) else None
        if dtype is None:
            raise self.error(f"{name} has unknown componentType {code!r}")
        rows = self._strided(entry, name, np.dtype(dtype), _WIDTHS[kind])
        if not np.isfinite(rows).all():
            raise self.error(f"{name} holds numbers that are not finite")
        values = rows.astype(float)
        if entry.get("normalized") and rows.dtype.kind in "iu":
            values = np.maximum(values / np.iinfo(rows.dtype).max, -1.0)
        return values[:, 0] if kind == "SCALAR" else values

    def size_of(self, index: Any) -> tuple[int, int]:
        """Elements that an accessor claims and their bytes, before anything of it is read."""
        entry = self.item("accessors", index)
        count = entry.get("count")
        count = count if type(count) is int and count >= 0 else 0
        code = entry.get("componentType")
        dtype = np.dtype(_COMPONENTS.get(code, "<f4") if isinstance(code, int) else "<f4")
        return count, count * _WIDTHS.get(str(entry.get("type")), 1) * dtype.itemsize

    def _strided(
        self, entry: dict[str, Any], name: str, dtype: np.dtype[Any], width: int
    ) -> NDArray[Any]:
        view = self.item("bufferViews", entry["bufferView"])
        if view.get("buffer") != 0 or "extensions" in view:
            message = f"{name} is not stored plainly in the file's binary chunk (compressed?)"
            raise self.error(message)
        size = dtype.itemsize * width
        of_view = [view.get("byteOffset", 0), view.get("byteLength"), view.get("byteStride", size)]
        numbers: list[Any] = [entry.get("count"), entry.get("byteOffset", 0), *of_view]
        whole = all(type(n) is int and n >= 0 for n in numbers)
        if not whole or numbers[0] == 0 or numbers[4] < size:
            message = f"{name} or its buffer view has a count, offset or stride that makes no sense"
            raise self.error(message)
        count, inner, start, length, stride = numbers
        end = inner + stride * (count - 1) + size
        if end > length or start + length > len(self.binary):
            message = f"{name} needs {end} bytes but its buffer view or the file ends before;"
            raise self.error(f"{message} truncated?")
        # A view: what lies between the elements is not copied.
        return np.ndarray(
            (count, width), dtype, self.binary, start + inner, (stride, dtype.itemsize)
        )


def parse_glb(data: bytes, path: PathName) -> Glb:
    """Split a GLB file into its JSON and its binary chunk.

    Parameters
    ----------
    data : bytes
        The whole file.
    path : path-like
        Its name, for errors.

    Returns
    -------
    Glb
        What its JSON says is not checked yet.

    Raises
    ------
    FormatError
        When the bytes are not a whole GLB file of version 2.
    """
    if len(data) < 20 or struct.unpack_from("<I", data)[0] != MAGIC:
        hint = " (a .gltf text file: export it as binary .glb)" if data.lstrip()[:1] == b"{" else ""
        raise FormatError(f"is not a GLB file: it does not begin with 'glTF'{hint}", path)
    _, version, total = struct.unpack_from("<III", data)
    if version != 2:
        raise FormatError(f"is GLB version {version}; only version 2 can be read", path)
    if total > len(data):
        message = f"is truncated: its header says {total} bytes, the file has {len(data)}"
        raise FormatError(message, path)
    chunks: dict[int, bytes] = {}
    at = 12
    while at + 8 <= total:
        length, kind = struct.unpack_from("<II", data, at)
        if at + 8 + length > total:
            raise FormatError(f"has a chunk of {length} bytes that runs past its end", path)
        chunks.setdefault(kind, data[at + 8 : at + 8 + length])
        at += 8 + length
    if JSON_CHUNK not in chunks:
        raise FormatError("has no JSON chunk", path)
    try:
        document = json.loads(chunks[JSON_CHUNK])
    except (ValueError, RecursionError) as error:
        raise FormatError(f"has a JSON chunk that cannot be parsed: {error}", path) from error
    if not isinstance(document, dict):
        raise FormatError("has a JSON chunk that is not an object", path)
    return Glb(document, chunks.get(BIN_CHUNK, b""), path, len(data))


#: Scales that differ by less than this between axes count as uniform.
_UNIFORM = 1e-3


@dataclass(frozen=True, eq=False)
class Nodes:
    """All nodes of the file, parents not necessarily before children.

    Parameters
    ----------
    entries : list of dict
        As the file has them.
    parents : tuple of int
        -1 for nodes without a parent.
    order : tuple of int
        All nodes, parents before children.
    """

    entries: list[dict[str, Any]]
    parents: tuple[int, ...]
    order: tuple[int, ...]

    def name(self, node: int) -> str:
        """Name of a node, or its number; JSON can hold halves of characters, text files cannot."""
        name = str(self.entries[node].get("name") or f"node{node}")
        return name.encode(errors="backslashreplace").decode()

    def note(self, node: int) -> dict[str, Any]:
        """What our writer noted of a joint or end site, quaternions as w x y z."""
        found = self.entries[node].get("extras")
        extras = found if isinstance(found, dict) else {}
        note = {k: extras[k] for k in ("offset", "frame", "end_site") if k in extras}
        frame = note.get("frame")
        if isinstance(frame, list) and len(frame) == 4:
            note["frame"] = [frame[3], *frame[:3]]
        return note


def read_nodes(glb: Glb) -> Nodes:
    """Read every node's parent.

    Raises
    ------
    FormatError
        When there are none or too many, or they do not form trees.
    """
    count = _length(glb, "nodes")
    check_nodes(count, glb.path)
    entries = [glb.item("nodes", i) for i in range(count)]
    if not entries:
        raise glb.error("has no nodes, so no skeleton")
    parents = _parents(glb, entries)
    # Walking down from the nodes without parents reaches every node unless some of them form a
    # ring.
    reached = [i for i, p in enumerate(parents) if p == -1]
    for i in reached:
        reached.extend(entries[i].get("children", []))
    if len(reached) != len(entries):
        raise glb.error("has nodes that are their own ancestors")
    return Nodes(entries, tuple(parents), tuple(reached))


def read_rest(glb: Glb, nodes: Nodes, wanted: list[int]) -> dict[str, Array]:
    """Read the rest transforms of some nodes.

    Parameters
    ----------
    glb : Glb
        The file.
    nodes : Nodes
        All its nodes.
    wanted : list of int
        Those whose transforms are read.

    Returns
    -------
    dict of str to array
        Translations (N, 3), rotations (N, 4), w x y z, and uniform scales (N, 1) by path.

    Raises
    ------
    FormatError
        When a transform is damaged, shears, mirrors or scales unevenly.
    """
    rows = {"translation": [[0.0] * 3], "rotation": [[0.0, 0.0, 0.0, 1.0]], "scale": [[1.0] * 3]}
    rest = {path: np.repeat(row, len(wanted), axis=0) for path, row in rows.items()}
    for k, i in enumerate(wanted):
        node = nodes.entries[i]
        where = f"nodes[{i}]"
        if "matrix" in node:
            parts = _of_matrix(glb, where, node["matrix"])
            rest["translation"][k], rest["rotation"][k], rest["scale"][k] = parts
            continue
        for path, values in rest.items():
            if path in node:
                values[k] = _numbers(glb, f"{where}.{path}", node[path], values.shape[1])
        check_unit_length(glb, f"{where}.rotation", rest["rotation"][k])
        rest["scale"][k] = uniform_scale(glb, where, rest["scale"][k])
    return {**rest, "rotation": to_wxyz(rest["rotation"]), "scale": rest["scale"][:, :1]}


def _length(glb: Glb, kind: str) -> int:
    entries = glb.document.get(kind, [])
    return len(entries) if isinstance(entries, list) else 0


def _parents(glb: Glb, entries: list[dict[str, Any]]) -> list[int]:
    parents = [-1] * len(entries)
    for i, node in enumerate(entries):
        children = node.get("children", [])
        if not isinstance(children, list):
            raise glb.error(f"nodes[{i}].children must be a list")
        for child in children:
            glb.item("nodes", child)
            if parents[child] != -1:
                raise glb.error(f"nodes[{child}] is the child of two nodes")
            parents[child] = i
    return parents


def _numbers(glb: Glb, where: str, values: Any, count: int) -> Array:
    found = numbers_of(values, count)
    if found is None:
        raise glb.error(f"{where} must be {count} numbers, got {str(values)[:60]}")
    return found


def _of_matrix(glb: Glb, where: str, values: Any) -> tuple[Array, Array, float]:
    """Translation, rotation (x, y, z, w) and uniform scale of a matrix."""
    matrix = _numbers(glb, f"{where}.matrix", values, 16).reshape(4, 4).T
    scale = uniform_scale(glb, where, np.linalg.norm(matrix[:3, :3], axis=0))
    turn = matrix[:3, :3] / scale
    if not np.abs(turn.T @ turn - np.eye(3)).max() <= 10 * _UNIFORM or np.linalg.det(turn) < 0:
        raise glb.error(f"{where}.matrix shears or mirrors, which a skeleton cannot")
    return matrix[:3, 3], rot.from_matrix(turn)[[1, 2, 3, 0]], scale


def to_wxyz(xyzw: Array) -> Array:
    """Quaternions of a glTF file (x, y, z, w) as unit (w, x, y, z)."""
    return rot.normalize(xyzw)[..., [3, 0, 1, 2]]


def check_unit_length(glb: Glb, where: str, quaternions: Array) -> None:
    """Refuse quaternions that are not nearly of unit length, whatever order their numbers have.

    Parameters
    ----------
    glb : Glb
        The file.
    where : str
        What in the file they belong to, for the message.
    quaternions : array of shape (..., 4)
        In any order of their numbers.

    Raises
    ------
    FormatError
        When one differs from unit length by more than 0.1.
    """
    lengths = np.sqrt(np.einsum("...i,...i->...", quaternions, quaternions))
    if np.any(np.abs(lengths - 1) > 0.1):
        raise glb.error(f"holds quaternions that are not of unit length in {where}")


def uniform_scale(glb: Glb, where: str, scale: Array) -> float:
    """One factor for scales of shape (..., 3) that neither change nor differ between axes.

    Parameters
    ----------
    glb : Glb
        The file.
    where : str
        What in the file it belongs to, for the message.
    scale : array of shape (..., 3)
        Factors along the axes, perhaps over time.

    Returns
    -------
    float
        Half-way between the least and the largest.

    Raises
    ------
    FormatError
        When factors differ by more than a thousandth, or one is not positive.
    """
    lowest = float(scale.min())
    highest = float(scale.max())
    if lowest < 1e-6 or highest > lowest * (1 + _UNIFORM):
        message = f"{where} has a scale that differs between axes, changes or is not positive"
        raise glb.error(f"{message} ({lowest:g} to {highest:g}); apply the scale before exporting")
    return (lowest + highest) / 2 if highest != lowest else lowest


def find_skeletons(glb: Glb, nodes: Nodes) -> dict[str, set[int]]:
    """Joints of the file's skeletons by name, the largest first; none in a file without skins.

    Skins with a joint in common, or below a joint of another, belong to one skeleton, whose joints
    are those of the largest of them.

    Parameters
    ----------
    glb : Glb
        The file.
    nodes : Nodes
        All its nodes.

    Returns
    -------
    dict of str to set of int
        Names are those of the skins, or of their topmost joints.

    Raises
    ------
    FormatError
        When a skin is damaged.
    """
    skins = [(_skin_joints(glb, i), i) for i in range(_length(glb, "skins"))]
    found: list[set[int]] = []
    names: list[str] = []
    taken: set[int] = set()  # joints of the skeletons so far
    over: set[int] = set()  # nodes above them
    for joints, i in sorted(skins, key=lambda skin: -len(skin[0])):
        above = _nodes_above(nodes, joints)
        if joints and not (taken & (joints | above) or joints & over):
            found.append(joints)
            names.append(_skin_name(glb, nodes, joints, i))
            taken |= joints
            over |= above
    return dict(zip(unique_names(names), found, strict=True))


def _nodes_above(nodes: Nodes, joints: set[int]) -> set[int]:
    """All nodes above some of the joints."""
    above: set[int] = set()
    for joint in joints:
        node = nodes.parents[joint]
        while node >= 0 and node not in above:
            above.add(node)
            node = nodes.parents[node]
    return above


def _skin_name(glb: Glb, nodes: Nodes, joints: set[int], index: int) -> str:
    """What the skeleton of a skin is called: the skin, or its topmost joint."""
    name = glb.item("skins", index).get("name")
    if isinstance(name, str) and name:
        return name.encode(errors="backslashreplace").decode()
    return nodes.name(next(node for node in nodes.order if node in joints))


def find_bones(glb: Glb, nodes: Nodes, joints: set[int]) -> tuple[list[int], list[int]]:
    """Bones, parents first, and the nodes above the topmost bone.

    The bones are the joints with all nodes between them.

    Parameters
    ----------
    glb : Glb
        The file.
    nodes : Nodes
        All its nodes.
    joints : set of int
        Of a skeleton, or where there is none the nodes that an animation moves.

    Returns
    -------
    bones : list of int
        Parents first.
    above : list of int
        Nodes above the topmost bone, parents first.

    Raises
    ------
    FormatError
        When there is no skeleton, it has several roots, too many joints or nodes above it, or too
        long names.
    """
    if not joints:
        raise glb.error("has neither a skin nor an animation, so no skeleton to read")
    check_joints(len(joints), glb.path)
    below = [0] * len(nodes.parents)  # joints at or below each node
    for node in joints:
        below[node] = 1
    for node in reversed(nodes.order):
        if below[node] and nodes.parents[node] >= 0:
            below[nodes.parents[node]] += below[node]
    involved = [node for node in nodes.order if below[node]]
    shared = [node for node in involved if below[node] == len(joints)]
    if not shared:
        tops = sorted({nodes.name(node)[:60] for node in involved if nodes.parents[node] == -1})
        message = f"has joints below several topmost nodes ({', '.join(tops[:5])});"
        raise glb.error(f"{message} give them one root")
    # A joint may itself be above all others; else their nearest common node serves as the root.
    top = next((node for node in shared if node in joints), shared[-1])
    above = shared[: shared.index(top)]
    if len(above) > MOST_ABOVE:
        raise glb.error(f"has {len(above)} nodes above its skeleton; expected at most {MOST_ABOVE}")
    bones = sorted(set(involved).difference(above))
    check_joints(len(bones), glb.path)
    for node in bones:
        check_name(nodes.name(node), glb.path)
    if not all(nodes.parents[node] < node for node in bones):
        bones = depth_first(bones, nodes.parents)
    return bones, above


def _skin_joints(glb: Glb, index: int) -> set[int]:
    joints = glb.item("skins", index).get("joints", [])
    if not isinstance(joints, list):
        raise glb.error(f"skins[{index}].joints must be a list")
    try:
        found = set(joints)
    except TypeError:
        raise glb.error(f"skins[{index}].joints must be a list of numbers of nodes") from None
    for joint in found:
        glb.item("nodes", joint)
    return found
