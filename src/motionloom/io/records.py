"""Frozen dataclasses in ``.npz`` files, read back and checked by their type hints.

The text ``head`` of a file says what is in it, by which version of the format and of the code, and
holds the record as JSON, in which arrays are their shapes. The values of an array are a member of
the file, named by the path of its field. Arrays of one field of all elements of a tuple or mapping
are one member (``rests/*/posture``), one after the other.

A field may be a string, number, array, enum, literal, dataclass, tuple, mapping or union of these;
`motionloom.declared` says more about it. What is saved is read and checked before it is written,
so that whatever is in a file can be loaded.
"""

from __future__ import annotations

import io
import json
import types
import zipfile
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from math import prod
from typing import (
    IO,
    Annotated,
    Any,
    Generic,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray
from pydantic_core import from_json

from motionloom.code_version import code_version
from motionloom.declared import (
    MOST,
    Declared,
    Range,
    Shape,
)
from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.files import atomic_write
from motionloom.io.stored import Fault, Stored, StoredFile, brief, open_stored
from motionloom.typing import PathName

T = TypeVar("T")
#: Most characters of a text in a record.
_LONGEST_TEXT = 10_000


@dataclass(frozen=True)
class FileKind(Generic[T]):
    """A kind of file.

    Parameters
    ----------
    record : type
        The frozen dataclass that is stored.
    name : str
        What the file is called, such as ``"gait space"``.
    version : int
        Raised whenever the fields or their meaning change.
    again : str
        How to make a file, in one clause.
    check : callable, optional
        Raises `Fault` where the parts of a record do not fit together.
    """

    record: type[T]
    name: str
    version: int
    again: str
    check: Callable[[T], None] = lambda record: None

    def __str__(self) -> str:
        return f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name}"


def save(path: PathName, record: object, kind: FileKind[Any]) -> None:
    """Write a record to an ``.npz`` file.

    Parameters
    ----------
    path : path-like
        The file, replaced as a whole.
    record : object
        What is stored; it has the fields of the kind's record, and may have more.
    kind : FileKind
        Of the file.

    Raises
    ------
    InvalidInputError
        When the record holds what its fields do not allow, or the file cannot be written.
    """
    try:
        stored, arrays = _encode(record, kind.record)
        kind.check(_decode(kind.record, stored, arrays.__getitem__))
    except Fault as error:
        raise InvalidInputError(f"cannot write {path}: {kind} holds {brief(error)}") from None
    head = {"motionloom": kind.name, "version": kind.version, "code": code_version()}
    with atomic_write(path) as file:
        _write(file, {**head, "record": stored}, arrays, zipfile.ZIP_DEFLATED)


def load(path: PathName, kind: FileKind[T], check: Callable[[T], None] = lambda record: None) -> T:
    """Read a record.

    Parameters
    ----------
    path : path-like
        The file.
    kind : FileKind
        What it has to be.
    check : callable, optional
        Raises `Fault`, or another error, for a record that is not the one that is wanted.

    Returns
    -------
    dataclass
        Of the type of the kind.

    Raises
    ------
    FormatError
        When there is no such file, it is of another kind or version, or damaged. The sentence says
        how to make it again.
    """
    absent = f"there is no such file; {kind.again}"
    with open_stored(path, f"this is not {kind} ({{reason}}); {kind.again}", absent) as file:
        head = _head(file)
        _check_head(head, kind, path)
        record = _decode(kind.record, head["record"], file.array)
        kind.check(record)
        check(record)
    return record


def _check_head(head: Mapping[str, Any], kind: FileKind[Any], path: PathName) -> None:
    name = head.get("motionloom")
    version = head.get("version")
    if name is None and _older_kind(head) is not None:
        raise FormatError(f"another version of motionloom wrote this; {kind.again}", path)
    if name != kind.name:
        raise Fault("it is of no kind" if name is None else f"it is of the kind {brief(name)}")
    if type(version) is int and version != kind.version:
        message = f"this {kind.name} has version {brief(version)}, expected {kind.version};"
        raise FormatError(f"{message} {kind.again}", path)
    if head.keys() != {"motionloom", "version", "code", "record"} or type(version) is not int:
        raise Fault("its head has other fields")


def kind_of(path: PathName) -> str | None:
    """Name of the kind that a file says it is of, whatever its version; None for other files."""
    try:
        with open_stored(path, "{reason}") as file:
            head = _head(file)
    except FormatError:
        return None
    name = head.get("motionloom")
    return name if isinstance(name, str) else _older_kind(head)


def _older_kind(head: Mapping[str, Any]) -> str | None:
    """What files of other versions say that they are."""
    names = [key.removeprefix("motionloom_") for key in head if key.startswith("motionloom_")]
    return names[0] if names else None


def to_bytes(record: object, kind: type) -> bytes:
    """A record as the bytes of an uncompressed ``.npz`` file without a version; see `save`."""
    stored, arrays = _encode(record, kind)
    stream = io.BytesIO()
    _write(stream, stored, arrays, zipfile.ZIP_STORED)
    return stream.getvalue()


def from_stored(kind: type[T], file: StoredFile) -> T:
    """The record of `to_bytes`.

    Parameters
    ----------
    kind : type
        The dataclass.
    file : StoredFile
        Open.

    Returns
    -------
    dataclass

    Raises
    ------
    Fault
        When the file holds what the fields do not allow.
    """
    return _decode(kind, from_json(file.text()), file.array)


def _head(file: StoredFile) -> dict[str, Any]:
    head = from_json(file.text())
    if not isinstance(head, dict):
        raise Fault("its head has no fields")
    return head


def _write(file: IO[bytes], head: object, arrays: Mapping[str, NDArray[Any]], how: int) -> None:
    text = np.array(json.dumps(head, separators=(",", ":")).encode())
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in {"head": text, **arrays}.items():
            stream = io.BytesIO()
            npy.write_array(stream, array, allow_pickle=False)
            # Without the time of day, so that the same record gives the same bytes.
            about = zipfile.ZipInfo(f"{name}.npy")
            archive.writestr(about, stream.getvalue(), how)


# ------------------------------------------------------------------------------
# Hints


def _parts(hint: Any) -> tuple[Any, dict[type, Any]]:
    """A hint without what is declared beside it, and that by its type."""
    notes: dict[type, Any] = {}
    while get_origin(hint) is Annotated or Declared in notes:
        if Declared in notes:
            hint = notes.pop(Declared).hint
        else:
            hint, *more = get_args(hint)
            notes = {type(one): one for one in more} | notes
    return hint, notes


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Hints of the fields of a dataclass that are stored."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        f.name: hints[f.name] for f in fields(kind) if f.init and f.metadata.get("stored", True)
    }


def _arms(hint: Any) -> dict[str, Any]:
    """Members of a union by their names; none for other hints."""
    if get_origin(hint) not in (Union, types.UnionType):
        return {}
    return {_base(arm).__name__: arm for arm in get_args(hint)}


def _base(hint: Any) -> Any:
    """Class of what a hint allows."""
    kind = _parts(hint)[0]
    return get_origin(kind) or kind


@cache
def _array(hint: Any) -> tuple[Stored, np.dtype[Any] | None]:
    """What an array has to be in the file, and its type in memory where that is another."""
    kind, notes = _parts(hint)
    own = get_args(get_args(kind)[1])[0]
    try:
        dtype = np.dtype(own)
    except TypeError:  # of floating-point numbers of any size
        dtype = None
    packed = next((n for n in notes.values() if isinstance(n, np.dtype)), None) or np.dtype(own)
    stored = _wanted(packed, notes)
    return stored, None if packed.names or packed == dtype else dtype


def _wanted(dtype: Any, notes: Mapping[type, Any]) -> Stored:
    """What an array or a number has to be."""
    own = notes.get(Range, Range())
    shape = notes[Shape].sizes if Shape in notes else ()
    return Stored(dtype, shape, own.low, own.high, own.below, own.unit, own.normalized)


# ------------------------------------------------------------------------------
# Writing


def _encode(record: object, kind: type) -> tuple[Any, dict[str, NDArray[Any]]]:
    """Values for JSON, in which arrays are lists of their sizes, and the members of a file."""
    parts: dict[str, list[NDArray[Any]]] = {}
    stored = _to_json(kind, record, "", parts)
    joined = {
        name: np.concatenate([part.reshape(-1) for part in own]) if "*" in name else own[0]
        for name, own in parts.items()
    }
    return stored, joined


def _to_json(hint: Any, value: Any, path: str, parts: dict[str, list[NDArray[Any]]]) -> Any:
    kind = _parts(hint)[0]
    base = _base(kind)
    if arms := _arms(kind):
        if value is None:
            return None
        names = [name for name in arms if name != "NoneType"]
        if len(names) == 1:
            return _to_json(arms[names[0]], value, path, parts)
        name = next(n for n in names if isinstance(value, _classes(_base(arms[n]))))
        return {name: _to_json(arms[name], value, f"{path}/{name}", parts)}
    if base is Literal:
        return value
    if base is np.ndarray:
        with np.errstate(over="ignore"):  # what is too large is refused later
            array = np.asarray(value, _array(hint)[0].dtype)
        parts.setdefault(path, []).append(array)
        return list(array.shape)
    if is_dataclass(base):
        below = f"{path}/" if path else ""
        return {
            name: _to_json(own, getattr(value, name), below + name, parts)
            for name, own in _hints(cast(Any, base)).items()
        }
    if issubclass(base, Mapping):
        own = get_args(kind)[1]
        return {key: _to_json(own, one, f"{path}/*", parts) for key, one in value.items()}
    if issubclass(base, Sequence) and base is not str:
        own = _elements(kind, len(value))
        return [
            _to_json(inner, one, f"{path}/{name}", parts)
            for (name, inner), one in zip(own, value, strict=True)
        ]
    if issubclass(base, Enum):
        return value.name
    _expect(isinstance(value, _classes(base)), path, value, base.__name__)
    return base(value)


def _classes(base: type) -> tuple[type, ...]:
    """Classes whose values count as one."""
    numbers = {float: (float, int, np.floating, np.integer), int: (int, np.integer)}
    return (bool, np.bool_) if base is bool else numbers.get(base, (base,))


def _elements(kind: Any, count: int) -> list[tuple[str, Any]]:
    """Names and hints of the elements of a tuple or another sequence."""
    hints = get_args(kind)
    if get_origin(kind) is not tuple or hints[-1] is Ellipsis:
        return [("*", hints[0])] * count
    return [(str(i), hint) for i, hint in enumerate(hints)]


# ------------------------------------------------------------------------------
# Reading


def _decode(kind: type[T], values: Any, take: Callable[[str], NDArray[Any]]) -> T:
    """The record of `_encode`; `take` gives an array by its name."""
    reader = _RecordReader(take)
    record = cast(T, reader.read(kind, values, "", _Sizes({}, {})))
    reader.finish()
    return record


class _Sizes(ChainMap[str, int]):
    """Sizes by name: those of one dataclass, of an element, and of the record around it."""

    def __setitem__(self, name: str, size: int) -> None:
        self.maps[name[0].isupper()][name] = size


@dataclass
class _RecordReader:
    """Reads a record; `take` gives the members of its file."""

    take: Callable[[str], NDArray[Any]]
    joined: dict[str, tuple[NDArray[Any], int]] = field(default_factory=dict)
    late: list[tuple[str, Stored, NDArray[Any], _Sizes]] = field(default_factory=list)

    def read(self, hint: Any, stored: Any, path: str, sizes: _Sizes) -> Any:
        kind, notes = _parts(hint)
        base = _base(kind)
        if arms := _arms(kind):
            return self._member(arms, stored, path, sizes)
        if base is Literal:
            return _literal(get_args(kind), stored, path)
        if base is np.ndarray:
            return self._values(hint, stored, path, sizes)
        if is_dataclass(base):
            return self._record(base, stored, path, sizes)
        if issubclass(base, Mapping):
            _expect(type(stored) is dict, path, stored, "a table")
            _fit(path, (len(stored),), notes, sizes)
            own = [("*", get_args(kind)[1])] * len(stored)
            values = self._all(own, stored.values(), path, sizes)
            return dict(zip([_text(key, path) for key in stored], values, strict=True))
        if issubclass(base, Sequence) and base is not str:
            _expect(type(stored) is list, path, stored, "a list")
            _fit(path, (len(stored),), notes, sizes)
            own = _elements(kind, len(stored))
            _expect(len(own) == len(stored), path, stored, f"{len(own)} values")
            values = self._all(own, stored, path, sizes)
            return values if base is list else tuple(values)
        return self._plain(base, stored, path, notes, sizes)

    def finish(self) -> None:
        """Check what can be checked only when all sizes are known."""
        for path, (joined, used) in self.joined.items():
            if used != joined.size:
                raise Fault(f"{path} holds more than its head says")
        for path, wanted, array, sizes in self.late:
            wanted.check_values(path, array, sizes)

    def _all(
        self, own: list[tuple[str, Any]], stored: Iterable[Any], path: str, sizes: _Sizes
    ) -> list[Any]:
        """Elements, each with sizes of its own."""
        return [
            self.read(hint, one, f"{path}/{name}", _Sizes(sizes.maps[0], {}, *sizes.maps[1:]))
            for (name, hint), one in zip(own, stored, strict=True)
        ]

    def _record(self, kind: Any, stored: Any, path: str, sizes: _Sizes) -> Any:
        hints = _hints(kind)
        same = type(stored) is dict and stored.keys() == hints.keys()
        _expect(same, path, stored, "other fields")
        below = f"{path}/" if path else ""
        inner = _Sizes({}, *sizes.maps[1:])
        own = {name: self.read(h, stored[name], below + name, inner) for name, h in hints.items()}
        return kind(**own)

    def _member(self, arms: dict[str, Any], stored: Any, path: str, sizes: _Sizes) -> Any:
        if stored is None and "NoneType" in arms:
            return None
        names = [name for name in arms if name != "NoneType"]
        if len(names) == 1:
            return self.read(arms[names[0]], stored, path, sizes)
        _expect(type(stored) is dict and len(stored) == 1, path, stored, "a value and its type")
        ((name, inner),) = stored.items()
        _expect(name in names, path, name, f"one of {', '.join(names)}")
        return self.read(arms[name], inner, f"{path}/{name}", sizes)

    def _plain(
        self, base: Any, stored: Any, path: str, notes: Mapping[type, Any], sizes: _Sizes
    ) -> Any:
        """A text, number, truth value or enum."""
        if base is str:
            return _text(stored, path)
        if issubclass(base, Enum):
            known = type(stored) is str and stored in base.__members__
            _expect(known, path, stored, "one of its names")
            return base[stored]
        if base is bool:
            _expect(type(stored) is bool, path, stored, "true or false")
            return stored
        if base is int:
            _expect(type(stored) is int and abs(stored) < 1 << 63, path, stored, "a whole number")
        else:
            _expect(base is float and type(stored) in (int, float), path, stored, "a number")
            stored = float(stored)
        self.late.append((path, _wanted(base, notes), np.array(stored), sizes))
        return stored

    def _values(self, hint: Any, stored: Any, path: str, sizes: _Sizes) -> NDArray[Any]:
        wanted, dtype = _array(hint)
        shape = tuple(stored) if type(stored) is list else (-1,)
        _expect(all(type(n) is int and 0 <= n <= MOST for n in shape), path, stored, "sizes")
        if path not in self.joined:
            self.joined[path] = (self.take(path), 0)
        array, used = self.joined[path]
        wanted.check_form(path, array.dtype, shape, sizes)
        self.joined[path] = (array, used + prod(shape))
        if "*" in path:
            held = (array.size,)
            part = array.reshape(-1)[used : used + prod(shape)].copy()
        else:
            held = shape
            part = array
        if array.shape != held or part.size != prod(shape):
            raise Fault(f"{path} has shape {brief(array.shape)}, which is not what its head says")
        array = part.reshape(shape)
        self.late.append((path, wanted, array, sizes))
        return array if dtype is None else array.astype(dtype)


def _fit(path: str, shape: tuple[int, ...], notes: Mapping[type, Any], sizes: _Sizes) -> None:
    """Refuse a list of another length."""
    if Shape in notes:
        Stored(object, notes[Shape].sizes).check_form(path, np.dtype(object), shape, sizes)


def _expect(fits: bool, path: str, stored: object, expected: str) -> None:
    if not fits:
        raise Fault(f"{path or 'its head'} is {brief(stored)[:60]}, expected {expected}")


def _text(stored: Any, path: str) -> str:
    usual = type(stored) is str and len(stored) <= _LONGEST_TEXT
    _expect(usual, path, stored, "text of usual length")
    return cast(str, stored)


def _literal(values: tuple[Any, ...], stored: Any, path: str) -> Any:
    fits = any(type(stored) is type(one) and stored == one for one in values)
    _expect(fits, path, stored, f"one of {values}")
    return stored
