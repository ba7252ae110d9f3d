"""Where clips are: files, folders, patterns and libraries, as a user names them."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TypeAlias

from motionloom.errors import InvalidInputError
from motionloom.io.owned import real_path
from motionloom.progress import Tell

#: One name of a place, or several.
Names: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]]
#: Suffixes of files that hold the motion of a skeleton, looked for in folders.
MOTION_SUFFIXES = (".bvh", ".amc", ".glb", ".fbx", ".usda", ".usdc", ".usd", ".npz")
#: Files that belong to motions without being one.
_COMPANIONS = (".asf",)


@dataclass(frozen=True)
class Place:
    """Where clips are.

    Parameters
    ----------
    library : Path, optional
        A clip library; None for files.
    files : tuple of Path
        The clips, or the library's list of them.
    skipped : tuple of Path
        Files in folders that are no motions of a skeleton.
    """

    library: Path | None
    files: tuple[Path, ...]
    skipped: tuple[Path, ...] = ()

    @property
    def graph(self) -> Path | None:
        """Folder of the graph beside the library."""
        return None if self.library is None else self.library / "graph"


def names_of(places: Names) -> list[str]:
    """Names of places as text.

    Parameters
    ----------
    places : path-like or sequence of path-like
        One name or several.

    Returns
    -------
    list of str

    Examples
    --------
    >>> names_of("clips"), names_of([Path("a.bvh"), "b.bvh"])
    (['clips'], ['a.bvh', 'b.bvh'])
    """
    given = [places] if isinstance(places, (str, PathLike)) else places
    return [fspath(one) for one in given]


def find_clips(places: Sequence[str]) -> Place:
    """Files that `places` name.

    Parameters
    ----------
    places : sequence of str
        Files, folders (every motion file below them, in the order of their names) and patterns with
        ``*``, ``?`` or ``[...]``.

    Raises
    ------
    InvalidInputError
        When a folder holds no motion file or a pattern matches none; a file that is named need not
        exist yet.

    Examples
    --------
    >>> len(find_clips([str(demo / "clips/walk_*.bvh")]).files)
    5
    """
    files: dict[Path, Path] = {}
    skipped: dict[Path, Path] = {}
    for place in places:
        here = {path: _is_wanted(path, place) for path in _files_at(place)}
        for path, wanted in here.items():
            (files if wanted else skipped).setdefault(real_path(path), path)
        if not any(here.values()):
            raise InvalidInputError(
                f"{place}: no motion file ({', '.join(MOTION_SUFFIXES)}) found here"
            )
    others = (p for p in skipped.values() if p.suffix.lower() not in _COMPANIONS)
    return Place(None, tuple(files.values()), tuple(others))


def _is_wanted(path: Path, place: str) -> bool:
    return _has_suffix(path, MOTION_SUFFIXES) or str(path) == str(Path(place))


def _has_suffix(path: Path, suffixes: Sequence[str]) -> bool:
    """Whether a file's suffix is one of `suffixes`; ``.npz`` files count only as AMASS motions."""
    suffix = path.suffix.lower()
    if suffix not in suffixes:
        return False
    if suffix != ".npz":
        return True
    from motionloom.io.amass import is_amass

    return is_amass(path)


def _files_at(place: str) -> list[Path]:
    path = Path(place)
    if path.is_dir():
        return _files_below(path)
    if path.exists() or not glob.has_magic(place):
        return [path]
    matches = sorted(Path(p) for p in glob.glob(place, recursive=True))
    return [f for m in matches for f in (_files_below(m) if m.is_dir() else [m])]


def _files_below(folder: Path) -> list[Path]:
    return [p for p in sorted(folder.rglob("*")) if p.is_file() and not p.name.startswith(".")]


def find_place(places: Sequence[str]) -> Place:
    """Tell a library from files of clips.

    Raises
    ------
    InvalidInputError
        When a folder holds no motion file or a pattern matches none.

    Examples
    --------
    >>> find_place([str(demo / "clips/stand.bvh")]).library is None
    True
    """
    manifest = _manifest_of(Path(places[0])) if len(places) == 1 else None
    return find_clips(places) if manifest is None else Place(Path(places[0]), (manifest,))


def distinct_names(files: Sequence[Path], names: Sequence[str]) -> tuple[str, ...]:
    """Names of clips that all differ: one taken gets its file's folder before it, as in libraries.

    Parameters
    ----------
    files : sequence of Path
        Where the clips are; their folders tell names apart.
    names : sequence of str
        Name of each file's clip.

    Returns
    -------
    tuple of str
        In the order of the files.

    Examples
    --------
    >>> distinct_names([Path("/a/walk.bvh"), Path("/b/walk.bvh")], ["walk", "walk"])
    ('walk', 'b-walk')
    """
    taken: dict[str, None] = {}
    for file, name in zip(files, names, strict=True):
        for parent in file.resolve().parents:
            if name not in taken:
                break
            name = f"{parent.name}-{name}"
        taken[name] = None
    return tuple(taken)


def find_readable(places: Sequence[str], suffixes: Iterable[str]) -> tuple[str, ...]:
    """Files that `places` name; of folders and patterns those with one of `suffixes`.

    Parameters
    ----------
    places : sequence of str
        Files, folders and patterns.
    suffixes : iterable of str
        Such as ``.bvh``, in lower case.

    Returns
    -------
    tuple of str
        Each once; a file that is named itself may have any suffix.

    Raises
    ------
    InvalidInputError
        When a folder holds none.

    Examples
    --------
    >>> [Path(name).name for name in find_readable([str(demo / "clips/stand.bvh")], (".bvh",))]
    ['stand.bvh']
    """
    known = tuple(suffixes)
    files = dict[str, None]()
    for place in places:
        found = [str(p) for p in _files_at(place)]
        named = [p for p in found if p == str(Path(place)) or _has_suffix(Path(p), known)]
        if not named and _manifest_of(Path(place)) is not None:
            raise InvalidInputError(
                f"{place}: this is a library; name the files that its clips were read"
                " from, or save a clip of it from Python"
            )
        if not named:
            raise InvalidInputError(
                f"{place}: no motion or marker file ({', '.join(known)}) found here"
            )
        files |= dict.fromkeys(named)
    return tuple(files)


def _manifest_of(place: Path) -> Path | None:
    """List of clips of a folder that is a library; files are told without loading libraries."""
    if not place.is_dir():
        return None
    from motionloom.library.manifest import FILE_NAME

    return place / FILE_NAME if (place / FILE_NAME).is_file() else None


def tell_skipped(files: Sequence[Path], tell: Tell) -> None:
    """Say which files in folders are no motions, if any.

    Parameters
    ----------
    files : sequence of Path
        What was passed over.
    tell : callable
        Takes the one line.

    Examples
    --------
    >>> tell_skipped([Path("clips/notes.txt")], print)
    left out 1 file that is no motion of a skeleton, clips/notes.txt
    """
    if not files:
        return
    what, such = f"{len(files)} files that are no motions", "such as "
    if len(files) == 1:
        what, such = "1 file that is no motion", ""
    tell(f"left out {what} of a skeleton, {such}{files[0]}")
