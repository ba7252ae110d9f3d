"""Arrays and facts that motionloom keeps in ``.npz`` files, checked before they are used.

A file may come from a stranger. What it claims is compared with what it can hold before memory is
asked for, and what it holds with what it should be before compiled code, which looks nothing up
twice, gets to see it.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from math import prod
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np
from numpy.lib import format as npy
from numpy.typing import DTypeLike, NDArray
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from motionloom.errors import FormatError, Hint, InvalidInputError
from motionloom.io.files import DAMAGED_NPZ
from motionloom.typing import Array, PathName

T = TypeVar("T")
#: Most characters of the facts beside the arrays.
LONGEST_HEAD = 1 << 24
#: A compressed file may hold this many bytes, or this many times its own size where that is more.
SMALL, RATIO = 1 << 26, 32
#: Bytes read in one go.
_CHUNK = 1 << 18


class Fault(ValueError):
    """What is wrong with a stored file, in a few words."""


class Facts(BaseModel):
    """Base of what is kept as JSON: every field there, none besides, of exactly its type."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


@dataclass(frozen=True)
class Stored:
    """What a stored array has to be.

    Parameters
    ----------
    dtype : dtype
        Of this machine's byte order.
    shape : tuple of int or str
        A name stands for a size that is known, or else is that of the first array to have it.
    low, high : float, optional
        Smallest and largest value. Floating-point numbers are finite, or an infinite bound.
    below : str, optional
        Name of the size that all values are less than: they are indices.
    unit : str, optional
        Of the values, for messages.
    normalized : bool, optional
        Whether vectors along the last axis have length 1.
    """

    dtype: DTypeLike
    shape: tuple[int | str, ...]
    low: float | None = None
    high: float | None = None
    below: str | None = None
    unit: str = ""
    normalized: bool = False

    def check_form(
        self,
        name: str,
        dtype: np.dtype[Any],
        shape: tuple[int, ...],
        sizes: MutableMapping[str, int],
    ) -> None:
        """Refuse another type or shape.

        Parameters
        ----------
        name : str
            Of the array, for the message.
        dtype : dtype
            What the file says it holds.
        shape : tuple of int
            What the file says it holds.
        sizes : mapping of str to int
            Known sizes by name; those that it did not have are added.

        Raises
        ------
        Fault
            When either is another.
        """
        if dtype != np.dtype(self.dtype):
            raise Fault(f"{name} holds {brief(dtype)}, expected {brief(np.dtype(self.dtype))}")
        if len(shape) == len(self.shape):
            for given, wanted in zip(shape, self.shape, strict=True):
                if isinstance(wanted, str):
                    sizes.setdefault(wanted, given)
        known = tuple(sizes.get(n, n) if isinstance(n, str) else n for n in self.shape)
        if shape != known:
            raise Fault(f"{name} has shape {brief(shape)}, expected {brief(known)}")

    def check_values(self, name: str, array: NDArray[Any], sizes: Mapping[str, int]) -> None:
        """Refuse values that are not finite or out of range.

        Parameters
        ----------
        name : str
            Of the array, for the message.
        array : array
            What was read, of the right form.
        sizes : mapping of str to int
            Known sizes by name.

        Raises
        ------
        Fault
            When a value is not finite, or beyond `low`, `high` or `below`.
        """
        if array.dtype.kind == "b" and array.size and array.view(np.uint8).max() > 1:
            raise Fault(f"{name} holds truth values that are neither true nor false")
        if array.size == 0 or array.dtype.kind not in "iuf":
            return
        low = array.min()
        high = array.max()
        if not all(np.isfinite(bound) or bound in (self.low, self.high) for bound in (low, high)):
            raise Fault(f"{name} holds numbers that are not finite")
        unit = f" {self.unit}" if self.unit else ""
        if self.low is not None and low < self.low:
            raise Fault(f"{name} holds {low:g}{unit}, expected at least {self.low:g}{unit}")
        if self.high is not None and high > self.high:
            raise Fault(f"{name} holds {high:g}{unit}, expected at most {self.high:g}{unit}")
        if self.below is not None and high >= sizes[self.below]:
            raise Fault(f"{name} holds {high:g}, expected less than {sizes[self.below]}")
        if self.normalized and not (abs(np.linalg.norm(array, axis=-1) - 1) < 1e-6).all():
            raise Fault(f"{name} holds what is not of length 1")


class StoredFile:
    """An open ``.npz`` file; made by `open_stored`.

    Parameters
    ----------
    archive : ZipFile
        The open file.
    budget : int
        Bytes that all arrays that are read may have together.
    path : path-like
        Where it is, for messages.
    """

    def __init__(self, archive: zipfile.ZipFile, budget: int, path: PathName) -> None:
        self.path = path
        self._archive = archive
        self._left = budget
        self._members = {info.filename: info for info in archive.infolist()}

    def holds(self, name: str) -> bool:
        """Whether there is an array of this name."""
        return f"{name}.npy" in self._members

    def text(self, name: str = "head") -> bytes:
        """Text, as UTF-8.

        Raises
        ------
        Fault
            When there is no such text, or it is too long.
        """
        with self._open(name) as (dtype, shape, read):
            if dtype.kind not in "US" or shape != () or dtype.itemsize > 4 * LONGEST_HEAD:
                raise Fault(f"{name} is no text of usual length")
            value = read().item()
        return value if isinstance(value, bytes) else str(value).encode()

    def array(self, name: str) -> NDArray[Any]:
        """An array of any type and shape, as far as the file can hold it.

        Raises
        ------
        Fault
            When there is no such array, or it is not what it claims to be.
        """
        with self._open(name) as (_, _, read):
            return read()

    def numbers(self, name: str, dimensions: int) -> Array:
        """An array of numbers of any type, for files that other programs wrote.

        Parameters
        ----------
        name : str
            Of the array.
        dimensions : int
            How many it has.

        Returns
        -------
        array
            Finite, as floating-point numbers.

        Raises
        ------
        Fault
            When there is no such array, or it is none of numbers, or of other dimensions.
        """
        with self._open(name) as (dtype, shape, read):
            if dtype.kind not in "iuf" or len(shape) != dimensions:
                message = f"{name} holds {brief(dtype)} of shape {brief(shape)},"
                raise Fault(f"{message} expected numbers of {dimensions} dimensions")
            values = read().astype(float)
        if not np.isfinite(values).all():
            raise Fault(f"{name} holds numbers that are not finite")
        return values

    @contextmanager
    def _open(
        self, name: str
    ) -> Iterator[tuple[np.dtype[Any], tuple[int, ...], Callable[[], NDArray[Any]]]]:
        """Type and shape of an array, and what reads it."""
        info = self._members.get(f"{name}.npy")
        if info is None:
            raise Fault(f"{name} is missing")
        size = info.file_size
        if size > self._left:
            raise Fault(f"{name} claims to be larger than this file can hold")
        with self._archive.open(info) as stream:
            headers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
            read_header = headers.get(npy.read_magic(stream))
            if read_header is None:
                raise Fault(f"{name} is of another version of NumPy's format")
            shape, fortran, dtype = read_header(stream)
            if dtype.hasobject:
                raise Fault(f"{name} holds Python objects")
            if any(n < 0 for n in shape) or stream.tell() + prod(shape) * dtype.itemsize != size:
                raise Fault(f"{name} claims shape {brief(shape)}, which is not what it holds")

            def read() -> NDArray[Any]:
                self._left -= size
                return _read_values(stream, np.empty(shape, dtype, order="F" if fortran else "C"))

            yield dtype, shape, read


def _read_values(stream: IO[bytes], array: NDArray[Any]) -> NDArray[Any]:
    values = array.ravel(order="K").view(np.uint8).data
    for at in range(0, len(values), _CHUNK):
        part = stream.read(min(_CHUNK, len(values) - at))
        values[at : at + len(part)] = part
        if len(part) < min(_CHUNK, len(values) - at):
            raise Fault("it ends too early")
    if stream.read(1):  # at the end its checksum is compared
        raise Fault("it holds more than it says")
    return array


@contextmanager
def open_stored(
    path: PathName, message: str, absent: str = "there is no such file"
) -> Iterator[StoredFile]:
    """Open an ``.npz`` file; whatever is or is found wrong while it is open becomes one error.

    Parameters
    ----------
    path : path-like
        The file.
    message : str
        What to say and do; ``{reason}`` in it is replaced by what is wrong.
    absent : str
        What to say when there is no file.

    Returns
    -------
    context manager of StoredFile
        Open until the block ends.

    Raises
    ------
    FormatError
        When there is no such file or something is wrong with it.
    """
    file = Path(path)
    with one_error(path, message):
        if file.exists() and not file.is_file():
            raise Fault("it is no file")
        try:
            size = file.stat().st_size
            archive = zipfile.ZipFile(file)
        except FileNotFoundError:
            raise FormatError(absent, path) from None
        with archive:
            yield StoredFile(archive, max(SMALL, RATIO * size), path)


@contextmanager
def stored_in(content: bytes, path: PathName, message: str) -> Iterator[StoredFile]:
    """Open an ``.npz`` file that was read whole; see `open_stored`.

    Parameters
    ----------
    content : bytes
        Of the file.
    path : path-like
        Where it is, for messages.
    message : str
        What to say and do; ``{reason}`` in it is replaced by what is wrong.

    Returns
    -------
    context manager of StoredFile
        Open until the block ends.

    Raises
    ------
    FormatError
        When something is wrong with it.
    """
    with one_error(path, message), zipfile.ZipFile(BytesIO(content)) as archive:
        yield StoredFile(archive, len(content), path)


@contextmanager
def one_error(path: PathName, message: str, *, hint: Hint | None = None) -> Iterator[None]:
    """Turn what damaged data and impossible objects raise into one error about a file.

    Parameters
    ----------
    path : path-like
        The file.
    message : str
        What to say and do; ``{reason}`` in it is replaced by what is wrong.
    hint : Hint, optional
        As `MotionloomError` has it.

    Returns
    -------
    context manager
        A `FormatError` passes unchanged.

    Raises
    ------
    FormatError
        With `message`, in which ``{reason}`` is replaced.
    """
    try:
        yield
    except FormatError:
        raise
    except (InvalidInputError, *DAMAGED_NPZ) as error:
        raise FormatError(message.replace("{reason}", brief(error)), path, hint=hint) from None


def read_facts(kind: type[T], text: bytes) -> T:
    """Facts out of JSON.

    Parameters
    ----------
    kind : type
        What they are, such as a subclass of `Facts`.
    text : bytes
        The JSON, as UTF-8.

    Returns
    -------
    object of type `kind`
        With every field checked.

    Raises
    ------
    Fault
        When they are not of this kind.
    """
    try:
        facts: T = _adapter(kind).validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise Fault(f"{where or 'its head'}: {first['msg'].lower()}") from None
    return facts


_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


def brief(value: object) -> str:
    """What something says, on one line and of moderate length."""
    text = " ".join("".join(c if c.isprintable() else " " for c in str(value)[:400]).split())
    return (text if len(text) <= 160 else f"{text[:157]}...") or type(value).__name__
