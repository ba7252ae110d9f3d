"""Arrays of one clip in a Zarr group, each with a hash that is checked whenever it is read."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import FormatError, MissingExtraError

#: Most frames in one chunk.
CHUNK = 1024

Arrays = Mapping[str, NDArray[Any]]


class DamageError(FormatError):
    """An array of a library cannot be read, or is not what was written."""

    def __init__(self, reason: str, folder: Path, name: str) -> None:
        library = folder.parent.parent
        self.reason = reason
        super().__init__(
            f"this array of a library is damaged ({reason}); mend it with: motionloom library check {library} --repair",
            folder / name,
        )


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
    """SHA-256 of an array's type, shape and values."""
    digest = hashlib.sha256(f"{array.dtype.str}{array.shape}".encode())
    digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def write_arrays(folder: Path, arrays: Arrays, attributes: Mapping[str, Any]) -> None:
    """Write arrays, frames first, as a new Zarr group; the same arrays always give the same bytes."""
    zarr = import_zarr()
    from zarr.codecs import BloscCodec

    group = zarr.open_group(folder, mode="w-", zarr_format=3, attributes=dict(attributes))
    for name, array in arrays.items():
        # An array without values (no joint is translated) has chunks of size 1 that are never written.
        chunks = tuple(max(1, n) for n in (min(len(array), CHUNK), *array.shape[1:]))
        compressor = BloscCodec(cname="zstd", clevel=5, shuffle="bitshuffle" if array.dtype == bool else "shuffle")
        group.create_array(name, data=array, chunks=chunks, compressors=compressor)


def read_array(folder: Path, name: str, expected: str) -> NDArray[Any]:
    """Read an array and compare its hash.

    Parameters
    ----------
    folder : Path
        The clip's group.
    name : str
    expected : str
        Hash that it had when it was written.

    Raises
    ------
    DamageError
        When it is missing or damaged.
    """
    zarr = import_zarr()
    try:
        array: NDArray[Any] = zarr.open_array(folder / name, mode="r")[...]
    except (OSError, ValueError, KeyError, RuntimeError, TypeError) as error:
        raise DamageError(f"{type(error).__name__}: {error}".splitlines()[0], folder, name) from error
    # A missing chunk reads as zeros, so only the hash can tell.
    if hash_array(array) != expected:
        raise DamageError("its values are not those that were written", folder, name)
    array.setflags(write=False)
    return array
