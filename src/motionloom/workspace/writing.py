"""Results on their way to disk: each where it may be, recorded as ours, and told."""

from __future__ import annotations

import itertools
import os
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from motionloom.errors import InvalidInputError
from motionloom.io.files import write_file
from motionloom.io.kept import KeptFolder
from motionloom.io.owned import real_path, refuse_links
from motionloom.io.written import is_replaceable, note_written
from motionloom.progress import Tell, quiet

#: What lies in the folders of a library and of a motion graph; nothing else may be put there.
_PARTS_OF_LIBRARY = ("library.json", "clips", "graph", "naturalness.npz")
_PARTS_OF_GRAPH = ("head.json", "rows", "graph.npz")


def check_outputs(
    outputs: Iterable[Path | None],
    inputs: Iterable[Path],
    force: bool = False,
    kept: Iterable[Path | None] = (),
) -> None:
    """Refuse results over files not ours, two in one file, or where no file can be.

    Parameters
    ----------
    outputs : iterable of Path or None
        Files that will be written; None where none is wanted.
    inputs : iterable of Path
        Files that will be read.
    force : bool
        Whether files that are there may be replaced whoever wrote them; inputs, and parts of
        libraries and graphs, may not.
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
        if output in updated:
            _check_kept(output)
        else:
            _check_replaceable(output, force)
        if output.exists() and _identity(output) in contents:
            raise InvalidInputError(
                f"{output}: is the same file as an input; choose another name for the output"
            )


def check_kept_folder(folder: Path, outputs: Iterable[Path]) -> None:
    """Refuse a folder in which results cannot be kept from one run to the next.

    Parameters
    ----------
    folder : Path
        Made later, when something is kept.
    outputs : iterable of Path
        Files that will be written.

    Raises
    ------
    InvalidInputError
        When it is a link, a file, an output or in one, or a part of a library or graph, or nothing
        can be written there.
    """
    KeptFolder(folder).check()
    _check_owner(folder)
    place = real_path(folder)
    taken = {_folded(one) for one in (place, *place.parents)}
    for output in outputs:
        if _folded(real_path(output)) in taken:
            raise InvalidInputError(f"{folder}: {output} is written there; name another folder")


def _folded(place: Path) -> str:
    """What names of one file share where neither case nor Unicode form of letters counts."""
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
        raise InvalidInputError(
            f"{output}: its folder cannot be created ({folder} is a file); choose another place"
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InvalidInputError(
            f"{output}: the folder {folder} cannot be written to; choose another place"
        )


def _check_owner(output: Path) -> None:
    """Refuse parts of a library or of a motion graph, which would be damaged."""
    place = real_path(output)
    for folder in place.parents:
        part = place.relative_to(folder).parts[0]
        if part in _PARTS_OF_LIBRARY and (folder / "library.json").is_file():
            raise InvalidInputError(
                f"{output}: is a part of the library {folder}; choose another name for the output"
            )
        if (
            part in _PARTS_OF_GRAPH
            and (folder / "head.json").is_file()
            and (folder / "rows").is_dir()
        ):
            raise InvalidInputError(
                f"{output}: is a part of a motion graph; choose another name for the output"
            )


def _check_replaceable(output: Path, force: bool) -> None:
    if not force and not is_replaceable(output):
        whose = "a link is here" if output.is_symlink() else "a file is here"
        raise InvalidInputError(
            f"{output}: {whose} that motionloom did not write, or that has changed since; choose"
            " another name, or insist on replacing it",
            hint="force",
        )


def _check_kept(path: Path) -> None:
    """Refuse a link that leads nowhere, and what is no ``.npz`` file."""
    is_there = path.exists()
    if os.path.lexists(path) and not is_there:
        raise InvalidInputError(f"{path}: a link is here that leads nowhere; choose another name")
    if is_there and path.stat().st_size > 0 and not zipfile.is_zipfile(path):
        raise InvalidInputError(
            f"{path}: expected an .npz file that motionloom wrote, found another file; choose"
            " another name"
        )


def check_space(path: Path | None, have_clips: bool) -> None:
    """Refuse a name that no pose space has, and one to read that is not there.

    Parameters
    ----------
    path : Path or None
        Where the pose space is or is to be kept; None for nowhere.
    have_clips : bool
        Whether clips were named, so that the space can be learned.

    Raises
    ------
    InvalidInputError
        Naming the file and what to do.
    """
    if path is not None and path.suffix.lower() != ".npz":
        raise InvalidInputError(
            f"{path}: a pose space is kept as .npz; give a name that ends in .npz"
        )
    if not have_clips and (path is None or not path.exists()):
        raise InvalidInputError(
            "no clips were given; name a library or clips, or a pose space that exists"
        )


def check_state(path: Path) -> None:
    """Refuse a file that cannot be read and updated as a search's state.

    Raises
    ------
    MotionloomError
        When it is a link or another file.
    """
    from motionloom.graph.searching.state_file import check_state_file

    refuse_links([path])
    check_state_file(path)


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
        raise InvalidInputError(
            f"{path}: its folder cannot be created ({reason}); choose another place"
        ) from None


def numbered(path: Path, i: int) -> Path:
    """Name of output `i` of several: ``walk.bvh``, ``walk-2.bvh``, ``walk-3.bvh`` ...

    Parameters
    ----------
    path : Path
        Name of the first output.
    i : int
        Counted from 0.

    Returns
    -------
    Path
    """
    return path if i == 0 else path.with_name(f"{path.stem}-{i + 1}{path.suffix}")


@dataclass(frozen=True)
class Writer:
    """Writes results and records them, so that a later command knows them as its own.

    Parameters
    ----------
    force : bool
        Whether files that are there are replaced whoever wrote them.
    tell : callable
        Takes a line for every file that was written.
    """

    force: bool = False
    tell: Tell = quiet

    def write(self, output: Path, write: Callable[[Path], object], more: str = "") -> Path:
        """Write one file.

        Parameters
        ----------
        output : Path
            Where it is to be.
        write : callable
            Writes it to the place that it is given.
        more : str
            What is said of it besides its name.

        Returns
        -------
        Path
            Where it is; see `output_place`.
        """
        place = output_place(output, self.force, self.tell)
        write(place)
        note_written(place)
        self.tell(f"wrote {place}{more}")
        return place

    def write_text(self, output: Path, text: str) -> Path:
        """Write a file of text in UTF-8.

        Parameters
        ----------
        output : Path
            Where it is to be.
        text : str
            All of it.

        Returns
        -------
        Path
            Where it is; see `output_place`.
        """
        return self.write(output, lambda place: write_file(place, text))

    def write_all(
        self,
        files: Mapping[Any, Callable[[Path], object]],
        wanted: Mapping[str, Path | None] | None = None,
    ) -> None:
        """Write files, pictures last, as drawing takes long and may fail.

        Parameters
        ----------
        files : mapping
            What writes each, by its path or by a name in `wanted`.
        wanted : mapping of str to Path or None
            Where files go that have a name; those that have no place are not written.
        """
        for name in sorted(files, key=lambda name: name in ("png", "html")):
            path = name if isinstance(name, Path) else (wanted or {}).get(name)
            if path is not None:
                self.write(path, files[name])


def save_report(report: Any, path: Path) -> None:
    """Save a `Reported`: as JSON or Markdown for ``.json`` and ``.md``, else as text."""
    names = {".json": "to_json", ".md": "to_markdown"}
    render = getattr(report, names.get(path.suffix.lower(), "to_text"))
    write_file(path, render().rstrip("\n") + "\n")


def output_place(output: Path, force: bool = False, tell: Tell = quiet) -> Path:
    """Where an output goes, asked just before it is written, perhaps minutes after it was checked.

    Its folder is made where it is missing. What somebody has put there or edited in the meantime
    stays; then the output goes beside it, and that is said.

    Parameters
    ----------
    output : Path
        Where it is to be.
    force : bool
        Whether a file that is there is replaced whoever wrote it.
    tell : callable
        Takes the line that says that another name was taken.

    Returns
    -------
    Path
        The output itself, or a free name beside it: ``walk-new1.bvh``, ``walk-new2.bvh`` ...

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
    tell(
        f"{output}: has been written by somebody else since this command began; the result goes"
        " beside it"
    )
    return place
