"""Making an empty library."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.library.arrays import import_zarr
from motionloom.library.library import Library, open_library
from motionloom.library.manifest import FILE_NAME, VERSION, Manifest, write_manifest
from motionloom.library.writer import CLIPS

#: Frames per second of a library that is not told otherwise: what motion graphs are usually searched at.
DEFAULT_FPS = 30.0
#: What a library's folder holds before there is a manifest.
_BEGUN = {"zarr.json", CLIPS}


def create_library(
    path: str | PathLike[str], fps: float = DEFAULT_FPS, table: Mapping[str, Any] | None = None
) -> Library:
    """Make an empty library in a new or empty folder.

    Parameters
    ----------
    path : path-like
    fps : float
        Frames per second of every clip.
    table : mapping, optional
        What is known better about the roles of the joints; see `find_roles`.

    Returns
    -------
    Library
        Its skeleton will be that of the first clip.

    Raises
    ------
    InvalidInputError
        When `fps` is no positive number, or something is in the folder.
    MissingExtraError
        When zarr is not installed.
    """
    folder = Path(path)
    if not (np.isfinite(fps) and fps > 0):
        raise InvalidInputError(f"fps must be a positive number, got {fps}")
    zarr = import_zarr()
    if (folder / FILE_NAME).exists():
        raise InvalidInputError(f"{folder}: a library is here already; add to it with: motionloom library add {folder}")
    if folder.exists() and not folder.is_dir():
        raise InvalidInputError(f"{folder}: this is a file; give the name of a new folder")
    if folder.is_dir() and any(p.name not in _BEGUN and not p.name.endswith(".part") for p in folder.iterdir()):
        raise InvalidInputError(f"{folder}: this folder holds other things; give the name of a new or empty folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInputError(f"{folder}: cannot be made ({error.strerror or error}); choose another place") from None
    for group in (folder, folder / CLIPS):
        zarr.open_group(group, mode="w", zarr_format=3)
    # With the manifest it becomes a library.
    write_manifest(folder, Manifest(motionloom_library=VERSION, fps=float(fps), table=dict(table or {})))
    return open_library(folder)
