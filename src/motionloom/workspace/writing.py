"""Results on their way to disk: each where it may be, recorded as ours, and told."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from motionloom.io.files import write_file
from motionloom.io.written import is_replaceable, note_written
from motionloom.progress import Tell, quiet
from motionloom.workspace.checks import make_folder_of


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
