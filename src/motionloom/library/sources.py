"""Source files of a library: where they are, seen from it, and whether they have changed."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from motionloom.errors import InvalidInputError
from motionloom.io.files import read_bytes
from motionloom.io.owned import real_path
from motionloom.library.manifest import SourceFile, SourceOptions

#: Bytes that are no UTF-8, as Python has them in names of files; and backslashes that begin what
#: looks like an escape.
_ODD = re.compile(r"[\udc80-\udcff]|\\(?=x(?:[89a-f][0-9a-f]|5c))")
_ESCAPE = re.compile(r"\\x([89a-f][0-9a-f]|5c)")


def _unescape(match: re.Match[str]) -> str:
    byte = int(match[1], 16)
    return chr(byte if byte < 0x80 else 0xDC00 + byte)


def path_from(folder: Path, path: Path) -> str:
    r"""Path of a file as seen from the library's folder; absolute where there is no such path.

    A byte that is no UTF-8 is written as ``\xff``, and a backslash that would be taken for the
    first of these as ``\x5c``, so that any path is text.

    Parameters
    ----------
    folder : Path
        The library's folder.
    path : Path
        The file; links are resolved.

    Returns
    -------
    str
        With slashes, for `path_of`.
    """
    file = real_path(path)
    try:
        found = Path(os.path.relpath(file, folder.resolve())).as_posix()
    except ValueError:  # another drive
        found = file.as_posix()
    return _ODD.sub(lambda match: f"\\x{ord(match[0]) & 0xFF:02x}", found)


def path_of(folder: Path, path: str) -> Path:
    """The file that `path_from` was given; an absolute path stays as it is.

    Parameters
    ----------
    folder : Path
        The library's folder.
    path : str
        As `path_from` wrote it.

    Returns
    -------
    Path
        Absolute.
    """
    return Path(os.path.normpath(folder.resolve() / _ESCAPE.sub(_unescape, path)))


def refuse_inside(folder: Path, files: Iterable[Path]) -> None:
    """Refuse clips that lie in the library's own folder.

    Parameters
    ----------
    folder : Path
        The library's folder.
    files : iterable of Path
        Files that are to become clips.

    Raises
    ------
    InvalidInputError
        Naming the first one and what to do.
    """
    here = real_path(folder)
    for file in files:
        if real_path(file).is_relative_to(here):
            raise InvalidInputError(
                f"{file}: this clip lies in the folder of the library {folder}, in which only"
                " motionloom writes; keep clips in a folder of their own, or make the library in"
                " another place"
            )


def load_options(folder: Path, options: SourceOptions) -> dict[str, Any]:
    """Options of a clip's source as arguments of `load_motion`.

    Parameters
    ----------
    folder : Path
        The library's folder, from which the skeleton file is told.
    options : SourceOptions
        As the manifest has them.

    Returns
    -------
    dict of str to object
        ``unit``, ``up``, ``skeleton`` and ``frame_time``; None where nothing was said.
    """
    skeleton = None if options.skeleton is None else path_of(folder, options.skeleton)
    return {**options.model_dump(exclude={"retarget"}), "skeleton": skeleton}


def hash_files(path: Path, skeleton: Path | None) -> str:
    """SHA-256 of the bytes of a file and of its skeleton file.

    Parameters
    ----------
    path : Path
        The motion file.
    skeleton : Path or None
        Its skeleton file, for formats that have one.

    Returns
    -------
    str
        Hexadecimal digits.

    Raises
    ------
    FormatError
        When one of them cannot be read.
    """
    digest = hashlib.sha256(read_bytes(path))
    if skeleton is not None:
        digest.update(hashlib.sha256(read_bytes(skeleton)).digest())
    return digest.hexdigest()


def hash_source(folder: Path, source: SourceFile) -> str:
    """Hash of a clip's source as it is now.

    Parameters
    ----------
    folder : Path
        The library's folder.
    source : SourceFile
        What the manifest says about the file; its own hash is not looked at.

    Returns
    -------
    str
        As of `hash_files`, to compare with ``source.hash``.

    Raises
    ------
    FormatError
        When it cannot be read.
    """
    skeleton = None if source.skeleton is None else path_of(folder, source.skeleton)
    return hash_files(path_of(folder, source.path), skeleton)
