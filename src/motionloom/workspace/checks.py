"""Which files a user means by files, folders and patterns, and what must never be overwritten."""

from __future__ import annotations

import glob
import itertools
import os
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from motionloom.cli.console import say
from motionloom.errors import InvalidInputError
from motionloom.io.owned import real_path
from motionloom.io.written import is_replaceable

#: Suffixes of files that hold the motion of a skeleton, looked for in folders.
MOTION_SUFFIXES = (".bvh", ".amc", ".glb")
#: Files that belong to motions without being one.
_COMPANIONS = (".asf",)
#: What lies in the folders of a library and of a motion graph; nothing else may be put there.
_PARTS_OF_LIBRARY = ("library.json", "clips", "graph")
_PARTS_OF_GRAPH = ("head.json", "rows", "graph.npz")


@dataclass(frozen=True)
class FoundClips:
    """Clips that a user named.

    Parameters
    ----------
    files : tuple of Path
        In the order given, each once.
    skipped : tuple of Path
        Files in folders that are not motions of a skeleton.
    """

    files: tuple[Path, ...]
    skipped: tuple[Path, ...] = ()


def find_clips(places: Sequence[str]) -> FoundClips:
    """Files that `places` name.

    Parameters
    ----------
    places : sequence of str
        Files, folders (every motion file below them, in the order of their names) and patterns with ``*``, ``?`` or
        ``[...]``.

    Raises
    ------
    InvalidInputError
        When a folder holds no motion file or a pattern matches none; a file that is named need not exist yet.
    """
    files: dict[Path, Path] = {}
    skipped: dict[Path, Path] = {}
    for place in places:
        here = {path: _is_wanted(path, place) for path in _files_at(place)}
        for path, wanted in here.items():
            (files if wanted else skipped).setdefault(real_path(path), path)
        if not any(here.values()):
            raise InvalidInputError(f"{place}: no motion file ({', '.join(MOTION_SUFFIXES)}) found here")
    others = (p for p in skipped.values() if p.suffix.lower() not in _COMPANIONS)
    return FoundClips(tuple(files.values()), tuple(others))


def _is_wanted(path: Path, place: str) -> bool:
    return path.suffix.lower() in MOTION_SUFFIXES or str(path) == str(Path(place))


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


def check_outputs(
    outputs: Iterable[Path | None], inputs: Iterable[Path], force: bool = False, kept: Iterable[Path | None] = ()
) -> None:
    """Refuse to overwrite what is not ours, to write two results to one file, or to write where no file can be.

    Parameters
    ----------
    outputs : iterable of Path or None
    inputs : iterable of Path
    force : bool
        Whether files that are there may be replaced whoever wrote them; inputs, and parts of libraries and graphs, may
        not.
    kept : iterable of Path or None
        Files that are read if they are there and brought up to date in the end.

    Raises
    ------
    InvalidInputError
        Naming the file and what to do.
    """
    inputs = list(inputs)
    read = {real_path(p) for p in inputs}
    taken: set[str] = set()
    contents = {_identity(p) for p in inputs if p.exists()}
    updated = [p for p in kept if p is not None]
    for output in [*(p for p in outputs if p is not None), *updated]:
        place = real_path(output)
        if place in read or _folded(place) in taken:
            why = "is also an input" if place in read else "is given for two outputs"
            raise InvalidInputError(f"{output}: {why}; choose another name for the output")
        taken.add(_folded(place))
        check_place(output)
        _check_owner(output)
        if output not in updated:
            _check_replaceable(output, force)
        if output.exists() and _identity(output) in contents:
            raise InvalidInputError(f"{output}: is the same file as an input; choose another name for the output")


def output_place(output: Path, force: bool) -> Path:
    """Where an output goes, asked just before it is written, perhaps minutes after it was checked.

    Its folder is made where it is missing. What somebody has put there or edited in the meantime stays; then the
    output goes beside it, and that is said.

    Raises
    ------
    InvalidInputError
        When the folder cannot be made.
    """
    make_folder_of(output)
    if force or is_replaceable(output):
        return output
    names = (output.with_name(f"{output.stem}-new{i}{output.suffix}") for i in itertools.count(1))
    place = next(name for name in names if is_replaceable(name))
    say(f"{output}: has been written by somebody else since this command began; the result goes beside it")
    return place


def _folded(place: Path) -> str:
    """What all names share that are one file where neither case nor the Unicode form of letters counts."""
    return unicodedata.normalize("NFC", str(place)).casefold()


def _identity(path: Path) -> tuple[int, int]:
    """What two names of one file share."""
    about = path.stat()
    return about.st_dev, about.st_ino


def check_place(output: Path) -> None:
    """Refuse places where no file can be.

    Raises
    ------
    InvalidInputError
        Naming the file and what to do.
    """
    if output.is_dir():
        raise InvalidInputError(f"{output}: is a folder; give the name of a file in it")
    if output.exists() and not output.is_file():
        raise InvalidInputError(f"{output}: is a device or a pipe; give the name of a file")
    folder = next(p for p in output.absolute().parents if os.path.lexists(p))
    if not folder.is_dir():
        raise InvalidInputError(f"{output}: its folder cannot be created ({folder} is a file); choose another place")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InvalidInputError(f"{output}: the folder {folder} cannot be written to; choose another place")


def _check_owner(output: Path) -> None:
    """Refuse parts of a library or of a motion graph, which would be damaged."""
    place = real_path(output)
    for folder in place.parents:
        part = place.relative_to(folder).parts[0]
        if part in _PARTS_OF_LIBRARY and (folder / "library.json").is_file():
            raise InvalidInputError(f"{output}: is a part of the library {folder}; choose another name for the output")
        if part in _PARTS_OF_GRAPH and (folder / "head.json").is_file() and (folder / "rows").is_dir():
            raise InvalidInputError(f"{output}: is a part of a motion graph; choose another name for the output")


def _check_replaceable(output: Path, force: bool) -> None:
    if not force and not is_replaceable(output):
        whose = "a link is here" if output.is_symlink() else "a file is here"
        raise InvalidInputError(
            f"{output}: {whose} that motionloom did not write, or that has changed since; choose another name, or "
            "replace it with --force"
        )


def check_png(path: Path | None) -> None:
    """Refuse a picture whose name promises another format than PNG.

    Raises
    ------
    InvalidInputError
        Naming the file and what to do.
    """
    if path is not None and path.suffix.lower() != ".png":
        raise InvalidInputError(f"{path}: pictures are written as PNG; give a name that ends in .png")


def make_folder_of(path: Path) -> None:
    """Create the folder that `path` is to be written into.

    Raises
    ------
    InvalidInputError
        When that is not possible.
    """
    try:
        os.makedirs(path.parent, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidInputError(f"{path}: its folder cannot be created ({reason}); choose another place") from None


def numbered(path: Path, i: int) -> Path:
    """Name of output `i` of several: ``walk.bvh``, ``walk-2.bvh``, ``walk-3.bvh`` ..."""
    return path if i == 0 else path.with_name(f"{path.stem}-{i + 1}{path.suffix}")


def distinct_names(files: Sequence[Path], names: Sequence[str]) -> tuple[str, ...]:
    """Names of clips, no two the same: where one is taken, with the file's folder before it, as libraries have it.

    Parameters
    ----------
    files : sequence of Path
    names : sequence of str
        Name of each file's clip.
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

    Raises
    ------
    InvalidInputError
        When a folder holds none.
    """
    known, files = tuple(suffixes), dict[str, None]()
    for place in places:
        found = [str(p) for p in _files_at(place)]
        named = [p for p in found if p == str(Path(place)) or Path(p).suffix.lower() in known]
        if not named:
            raise InvalidInputError(f"{place}: no motion or marker file ({', '.join(known)}) found here")
        files |= dict.fromkeys(named)
    return tuple(files)


def frame_time_of(fps: float | None, option: str) -> float | None:
    """Time between frames (seconds) for frames per second given with an option; None for none given.

    Raises
    ------
    InvalidInputError
        When `fps` is not a positive number of at most 10,000.
    """
    if fps is None:
        return None
    if not 0 < fps <= 10_000:
        raise InvalidInputError(f"{option}: expected frames per second above 0 and at most 10000, got {fps:g}")
    return 1.0 / fps
