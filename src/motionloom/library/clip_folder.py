"""The folder of a clip: which files the format puts there, so that no other is removed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from motionloom.io.files import PART

#: Arrays that a clip may have.
ARRAYS = ("rotations", "translations", "positions", "body", "contacts")
_ANY = f"(?:{'|'.join(ARRAYS)})"
_FILE = re.compile(rf"(?:{_ANY}/)?zarr\.json|{_ANY}/c(?:/\d+)+")
_FOLDER = re.compile(rf"{_ANY}(?:/c(?:/\d+)*)?")
#: Files that Zarr had not finished when the process was killed.
_UNFINISHED = re.compile(
    rf"(?:{_ANY}/)?zarr\.[0-9a-f]{{32}}\.partial|{_ANY}/c(?:/\d+)+\.[0-9a-f]{{32}}\.partial"
)
#: What `motionloom.library.ingest` calls the folder of a clip: its name made plain, and part of a
#: hash.
_NAME = re.compile(r"[A-Za-z0-9_-]*-[0-9a-f]{12}")
_SCRATCH = re.compile(rf"[0-9a-f]{{32}}{re.escape(PART)}")


@dataclass(frozen=True)
class Contents:
    """What is in the folder of a clip.

    Parameters
    ----------
    files, folders : tuple of Path
        Of the format; folders come after those in them.
    others : tuple of Path
        Everything else, and every link.
    """

    files: tuple[Path, ...]
    folders: tuple[Path, ...]
    others: tuple[Path, ...]


def is_clip_name(name: str) -> bool:
    """Whether a name is one that folders of clips have."""
    return _NAME.fullmatch(name) is not None


def is_scratch_name(name: str) -> bool:
    """Whether a name is one that folders have while they are written or thrown away."""
    return _SCRATCH.fullmatch(name) is not None


def survey(folder: Path, *, unfinished: bool = False) -> Contents:
    """Tell the files of a clip from those of others; no link is followed.

    Parameters
    ----------
    folder : Path
        Of the clip; may be missing.
    unfinished : bool
        Whether files that Zarr had not finished count as the clip's.

    Returns
    -------
    Contents
        Paths that begin with `folder`.
    """
    if folder.is_symlink() or not folder.is_dir():
        return Contents((), (), (folder,) if os.path.lexists(folder) else ())
    files: list[Path] = []
    folders = [folder]
    others: list[Path] = []
    for path, is_folder in _walk(folder):
        name = path.relative_to(folder).as_posix()
        plain = path.is_file() and not path.is_symlink()
        known = _FILE.fullmatch(name) or (unfinished and _UNFINISHED.fullmatch(name))
        if is_folder and _FOLDER.fullmatch(name):
            folders.append(path)
        elif not is_folder and plain and known:
            files.append(path)
        else:
            others.append(path)
    return Contents(tuple(files), tuple(reversed(folders)), tuple(others))


def remove(folder: Path, *, unfinished: bool = False) -> tuple[Path, ...]:
    """Remove a clip's files, and its folders where they are empty then.

    Parameters
    ----------
    folder : Path
        Of the clip; may be missing.
    unfinished : bool, optional
        Whether files that Zarr had not finished count as the clip's.

    Returns
    -------
    tuple of Path
        What is not the clip's, and stays.
    """
    found = survey(folder, unfinished=unfinished)
    for file in found.files:
        with suppress(OSError):  # gone, or in a folder that may not be changed
            file.unlink()
    for empty in found.folders:
        with suppress(OSError):  # something is in it that stays
            empty.rmdir()
    return found.others


def is_same(one: Path, other: Path) -> bool:
    """Whether two folders hold the same clip, byte for byte, and nothing else.

    Parameters
    ----------
    one, other : Path
        Folders of clips.

    Returns
    -------
    bool
        False also when either holds anything else.
    """
    a = survey(one)
    b = survey(other)
    names = {p.relative_to(one) for p in a.files}
    if a.others or b.others or names != {p.relative_to(other) for p in b.files}:
        return False
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in names)


def _walk(folder: Path) -> Iterator[tuple[Path, bool]]:
    """Everything below a folder, and whether it is a folder; what is in a folder comes after it."""
    with os.scandir(folder) as entries:
        for entry in entries:
            is_folder = entry.is_dir(follow_symlinks=False)
            yield Path(entry.path), is_folder
            if is_folder:
                yield from _walk(Path(entry.path))
