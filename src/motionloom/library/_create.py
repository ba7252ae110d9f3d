"""Making an empty library."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.io.files import write_file
from motionloom.io.owned import is_incidental, leftovers
from motionloom.library._arrays import import_zarr
from motionloom.library._library import Library, open_library
from motionloom.library.manifest import FILE_NAME, VERSION, Manifest, write_manifest
from motionloom.library.writer import CLIPS
from motionloom.typing import PathName

#: Frames per second of a library that is not told otherwise: what motion graphs are usually
#: searched at.
DEFAULT_FPS = 30.0
#: An empty Zarr group.
_GROUP_FILE = "zarr.json"
_GROUP = b'{\n  "attributes": {},\n  "zarr_format": 3,\n  "node_type": "group"\n}'


def create_library(
    path: PathName, fps: float = DEFAULT_FPS, table: Mapping[str, Any] | None = None
) -> Library:
    """Make an empty library in a new or empty folder.

    Parameters
    ----------
    path : path-like
        A new folder, or one that is empty but for hidden files.
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
    import_zarr()
    if (folder / FILE_NAME).exists():
        raise InvalidInputError(
            f"{folder}: a library is here already; add clips to that one", hint="add to library"
        )
    if os.path.lexists(folder) and not folder.is_dir():
        raise InvalidInputError(f"{folder}: this is a file; give the name of a new folder")
    begun = _begun(folder) if folder.is_dir() else ()
    if begun is None:
        raise InvalidInputError(
            f"{folder}: this folder holds other things; give the name of a new or empty folder"
        )
    try:
        for file in begun:
            file.unlink(missing_ok=True)
        (folder / CLIPS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInputError(
            f"{folder}: cannot be made ({error.strerror or error}); choose another place"
        ) from None
    for group in (folder, folder / CLIPS):
        if not (group / _GROUP_FILE).exists():
            write_file(group / _GROUP_FILE, _GROUP)
    # With the manifest it becomes a library.
    manifest = Manifest(motionloom_library=VERSION, fps=float(fps), table=dict(table or {}))
    write_manifest(folder, manifest)
    return open_library(folder)


def _begun(folder: Path) -> tuple[Path, ...] | None:
    """Temporary files in a folder of nothing but hidden files and what this leaves when it is
    killed; else None.
    """
    clips = folder / CLIPS
    places = [folder, clips] if clips.is_dir() and not clips.is_symlink() else [folder]
    temporary = [file for place in places for file in leftovers(place, r"zarr\.json|library\.json")]
    groups = [place / _GROUP_FILE for place in places if _is_group(place / _GROUP_FILE)]
    ours = {*places[1:], *temporary, *groups}
    found = [path for place in places for path in place.iterdir()]
    whole = all(path in ours or is_incidental(path.name) for path in found)
    return tuple(temporary) if whole else None


def _is_group(file: Path) -> bool:
    return file.is_file() and not file.is_symlink() and file.read_bytes() == _GROUP
