"""What in a folder is ours, and what stands in the way: rules for removing and replacing.

A name alone says that a file is ours only when it is a temporary one (`PART`); a link never is, and
is never followed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from filelock import FileLock

from motionloom.errors import InvalidInputError
from motionloom.io.files import PART

#: Files that file managers of Windows leave in folders that somebody looked at; those of others are
#: hidden.
_DROPPED = {"thumbs.db", "desktop.ini"}


def is_incidental(name: str) -> bool:
    """Whether a file or folder of this name is hidden, or a file manager's.

    It then says nothing about what its folder is for. Such files stay, but a folder of nothing else
    counts as empty.
    """
    return (name.startswith(".") and not name.endswith(PART)) or name.casefold() in _DROPPED


def real_path(path: Path) -> Path:
    """Absolute path without links; `Path.resolve` raises for links that lead to themselves."""
    return Path(os.path.realpath(path))


def refuse_links(paths: Iterable[Path]) -> None:
    """Refuse links where files or folders of our own belong: what they lead to is somebody else's.

    Raises
    ------
    InvalidInputError
        Naming the first link.
    """
    for path in paths:
        if path.is_symlink():
            raise InvalidInputError(
                f"{path}: this is a link, and links are never followed where files are replaced;"
                " put what it leads to in its place, or choose another folder"
            )


def not_ours(path: Path) -> InvalidInputError:
    """Error about a file where one of our own belongs, to be raised."""
    return InvalidInputError(f"{path}: this is not a file that motionloom made; move it elsewhere")


def lock_of(path: Path) -> FileLock:
    """The lock that a file stands for.

    Raises
    ------
    InvalidInputError
        When the file is not an empty one, and therefore not a lock of ours.
    """
    refuse_links([path])
    if path.exists() and (not path.is_file() or path.stat().st_size > 0):
        raise not_ours(path)
    return FileLock(path)


def leftovers(folder: Path, names: str) -> Iterator[Path]:
    """Temporary files directly in a folder, left by `atomic_write` when its process was killed.

    Parameters
    ----------
    folder : Path
        Where to look; not below it.
    names : str
        Regular expression for the names of the files that were to be written.

    Returns
    -------
    iterator of Path
        Files; links are never among them.
    """
    pattern = re.compile(rf"\.(?:{names})\.[a-z0-9_]+{re.escape(PART)}")
    for path in folder.iterdir():
        if pattern.fullmatch(path.name) and path.is_file() and not path.is_symlink():
            yield path


def tell_left(paths: Iterable[Path], whose: str) -> str:
    """One sentence about what was left because it is not ours.

    Parameters
    ----------
    paths : iterable of Path
        What was left; the first in order is named.
    whose : str
        What it is no part of, such as ``"this library"``.

    Returns
    -------
    str
        Empty when there are no paths.
    """
    paths = sorted(paths)
    if not paths:
        return ""
    several = len(paths) > 1
    more, they = (f" and {len(paths) - 1} more are", "they are") if several else (" is", "it is")
    return f"{paths[0]}{more} not part of {whose}; left as {they}"
