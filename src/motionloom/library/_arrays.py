"""Arrays of one clip in a Zarr group; files are compared with a hash whenever they are read."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic_core import from_json

from motionloom.declared import MOST
from motionloom.errors import FormatError, MissingExtraError
from motionloom.io.files import DAMAGED_NPZ
from motionloom.io.owned import is_incidental
from motionloom.io.stored import SMALL, Fault, Stored, brief

#: Most frames in one chunk.
CHUNK = 1024

#: Times its own size that an array may claim beyond a small size; still joints compress well.
_RATIO = 256

Arrays = Mapping[str, NDArray[Any]]


class DamageError(FormatError):
    """A clip of a library cannot be read, or is not what was written.

    Parameters
    ----------
    reason : str
        What is wrong, in a few words.
    folder : Path
        Of the clip.
    name : str, optional
        File or folder in it that the error is about.
    """

    def __init__(self, reason: str, folder: Path, name: str = "") -> None:
        library = folder.parent.parent
        self.reason = reason
        message = f"this clip of a library is damaged ({reason}); repair the library"
        super().__init__(f"{message} {library}", folder / name, hint="repair library")


def import_zarr() -> ModuleType:
    """The zarr package.

    Raises
    ------
    MissingExtraError
        When it is not installed.
    """
    try:
        import zarr
    except ImportError:
        raise MissingExtraError("zarr", "library", "a library of clips") from None
    return zarr


def hash_array(array: NDArray[Any]) -> str:
    """SHA-256 of an array's type, shape and values, however they are stored."""
    digest = hashlib.sha256(f"{array.dtype.str}{array.shape}".encode())
    digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def write_arrays(folder: Path, arrays: Arrays) -> dict[str, str]:
    """Write arrays, frames first, as a new Zarr group; the same arrays give the same bytes.

    Parameters
    ----------
    folder : Path
        Where to write; must not exist.
    arrays : mapping of str to array
        By name; boolean or 64-bit floating-point, for `read_array`.

    Returns
    -------
    dict of str to str
        SHA-256 of the files of each array, for `read_array`.
    """
    zarr = import_zarr()
    from zarr.codecs import BloscCodec

    group = zarr.open_group(folder, mode="w-", zarr_format=3)
    for name, array in arrays.items():
        # An array without values (no joint is translated) has chunks of size 1 that are never
        # written.
        chunks = tuple(max(1, n) for n in (min(len(array), CHUNK), *array.shape[1:]))
        compressor = BloscCodec(
            cname="zstd", clevel=5, shuffle="bitshuffle" if array.dtype == bool else "shuffle"
        )
        group.create_array(name, data=array, chunks=chunks, compressors=compressor)
    return {name: _hash_files(_read_files(folder / name)) for name in arrays}


def write_attributes(folder: Path, attributes: Mapping[str, Any]) -> None:
    """Give a new group its attributes.

    Parameters
    ----------
    folder : Path
        The group, as `write_arrays` made it.
    attributes : mapping of str to object
        Values that JSON can hold.
    """
    import_zarr().open_group(folder, mode="r+").update_attributes(dict(attributes))


def read_attributes(folder: Path) -> dict[str, Any]:
    """Attributes of a clip's group.

    Raises
    ------
    DamageError
        When they cannot be read.
    """
    try:
        attributes: dict[str, Any] = from_json((folder / "zarr.json").read_bytes())["attributes"]
        if not isinstance(attributes, dict):
            raise Fault("its attributes are no table")
    except DAMAGED_NPZ as error:
        raise DamageError(f"{type(error).__name__}: {brief(error)}", folder) from None
    return attributes


def read_array(
    folder: Path,
    name: str,
    expected: str,
    wanted: Stored | None = None,
    sizes: Mapping[str, int] | None = None,
) -> NDArray[Any]:
    """Read an array whose files are as they were written.

    Parameters
    ----------
    folder : Path
        The clip's group.
    name : str
        Of the array.
    expected : str
        Hash of its files.
    wanted : Stored, optional
        What the array has to be: whoever wrote the files may have written their hash as well.
    sizes : mapping of str to int, optional
        Sizes that `wanted` names.

    Returns
    -------
    array
        Read-only.

    Raises
    ------
    DamageError
        When they are missing or damaged, or are another array than is wanted.
    """
    try:
        files = _read_files(folder / name)
    except OSError as error:
        raise DamageError(error.strerror or str(error), folder, name) from error
    # A missing chunk reads as zeros and a damaged one may read as anything: look before decoding.
    if _hash_files(files) != expected:
        raise DamageError("its files are not those that were written", folder, name)
    known = dict(sizes or {})
    try:
        array = _decode(name, files, wanted, known)
        if wanted is not None:
            wanted.check_values(name, array, known)
    except DAMAGED_NPZ as error:
        raise DamageError(brief(error), folder, name) from None
    array.setflags(write=False)
    return array


def _read_files(folder: Path) -> dict[str, bytes]:
    """Every file of an array, by its path in it; what a file manager left there is none."""
    every = {p.relative_to(folder): p for p in folder.rglob("*") if p.is_file()}
    found = {
        name.as_posix(): p for name, p in every.items() if not any(map(is_incidental, name.parts))
    }
    return {name: found[name].read_bytes() for name in sorted(found)}


def _hash_files(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in files.items():
        digest.update(f"{name} {len(content)} ".encode())
        digest.update(content)
    return digest.hexdigest()


def _decode(
    name: str, files: Mapping[str, bytes], wanted: Stored | None, sizes: dict[str, int]
) -> NDArray[Any]:
    """An array as `write_arrays` writes it: chunks along axis 0, little-endian, one Blosc codec.

    Zarr's own reader needs 2 ms for an array of any size, and a thousand clips have thousands of
    arrays.
    """
    from numcodecs import blosc

    about = from_json(files["zarr.json"])
    shape = tuple(about["shape"])
    if not (0 < len(shape) < 9 and all(type(n) is int and 0 <= n <= MOST for n in shape)):
        raise Fault(f"shape: {name} cannot have {brief(shape)}")
    if about["data_type"] not in ("bool", "float64"):
        raise Fault(f"data_type: {name} cannot hold {brief(about['data_type'])}")
    dtype = np.dtype(about["data_type"]).newbyteorder("<")
    if wanted is not None:
        wanted.check_form(name, np.dtype(about["data_type"]), shape, sizes)
    if prod(shape) * dtype.itemsize > max(SMALL, _RATIO * sum(map(len, files.values()))):
        raise Fault(f"{name} claims to be larger than its files can hold")
    step = max(1, min(shape[0], CHUNK))
    rest = tuple(max(1, n) for n in shape[1:])
    if about["chunk_grid"]["configuration"]["chunk_shape"] != [step, *rest]:
        raise Fault(f"{name} has chunks of another shape")
    array = np.zeros(shape, dtype)
    held = step * prod(rest) * dtype.itemsize
    for i, start in enumerate(range(0, shape[0], step)):
        chunk = files.get(f"c/{i}{'/0' * (len(shape) - 1)}")
        if chunk is not None:  # one that would hold nothing but zeros is not written
            if len(chunk) < 16 or int.from_bytes(chunk[4:8], "little") != held:
                raise Fault(f"{name} has a chunk of another size")
            values = np.frombuffer(blosc.decompress(chunk), dtype).reshape(step, *rest)
            array[start : start + step] = values[: shape[0] - start]
    return array
