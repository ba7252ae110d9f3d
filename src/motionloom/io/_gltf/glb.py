"""The GLB container and the accessors inside it: arrays to bytes with their JSON, and back."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import FormatError
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
