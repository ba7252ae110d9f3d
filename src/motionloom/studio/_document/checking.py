"""A document checked as the command line checks its file, in the same sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from motionloom.constraints.explain import explain_all
from motionloom.constraints.other_files import fill_files
from motionloom.errors import FormatError, InvalidInputError, MotionloomError
from motionloom.io.document import Document
from motionloom.io.field_path import Path as FieldPath
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.shot import Shot
from motionloom.workspace.bodies import is_performer

#: Fields that name files or folders.
PLACES = ("library", "labels", "skeleton", "model", "file")


@dataclass(frozen=True)
class Problem:
    """What is wrong with a document.

    Parameters
    ----------
    message : str
        What was read, what was expected and what to do.
    path : tuple of str and int
        Of the field.
    line : int or None
        In the file.
    hint : str or None
        As `MotionloomError` has it.
    """

    message: str
    path: FieldPath = ()
    line: int | None = None
    hint: str | None = None

    @classmethod
    def of(cls, error: MotionloomError, document: Document | None = None) -> Problem:
        """What an error says, and the field that its line has; not where the file is."""
        if not isinstance(error, FormatError):
            return cls(str(error), (), None, error.hint)
        where = () if document is None else path_on(document, error.line)
        return cls(error.message, where, error.line, error.hint)

    @classmethod
    def all_of(
        cls, error: MotionloomError, document: Document | None = None
    ) -> tuple[Problem, ...]:
        """What an error says, one for each mistake that it counts."""
        each = error.each if isinstance(error, FormatError) else ()
        return tuple(cls.of(one, document) for one in each or (error,))


def check_document(document: Document, path: Path) -> tuple[ShotFile | None, tuple[Problem, ...]]:
    """The shot of a document, or what is wrong with it.

    Parameters
    ----------
    document : Document
        Values, and their lines in the file as it was last written.
    path : Path
        The file; height maps lie in its folder.

    Returns
    -------
    file : ShotFile or None
    problems : tuple of Problem
        Empty where there is a file.
    """
    try:
        shot = Shot.model_validate(fill_files(document, path))
    except ValidationError as error:
        told = explain_all(error, Shot, document)
        return None, tuple(Problem(one, where, document.line_of(where)) for one, where in told)
    except MotionloomError as error:
        return None, Problem.all_of(error, document)
    return ShotFile(shot, path, document), ()


def path_on(document: Document, line: int | None) -> FieldPath:
    """What begins on a line of the file: the widest value that does.

    Parameters
    ----------
    document : Document
        Values and their lines.
    line : int or None
        As an error has it.

    Returns
    -------
    tuple of str and int
        Its path; empty where nothing begins there.
    """
    found = (path for path, own in document.lines.items() if own == line and path)
    return min(found, key=len, default=())


def named_places(value: Any) -> Iterator[str]:
    """Files and folders that a document names."""
    if isinstance(value, dict):
        for name, inside in value.items():
            if name in PLACES and isinstance(inside, str):
                yield inside
            yield from named_places(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from named_places(inside)


def check_places(value: Any, known: set[str], folder: Path) -> None:
    """Refuse names of files that a page brings and that lead out of the shot's folder.

    Parameters
    ----------
    value : object
        The document.
    known : set of str
        Names that whoever started the studio has given.
    folder : Path
        Of the shot.

    Raises
    ------
    InvalidInputError
        Naming the first one.
    """
    for name in named_places(value):
        if name not in known and not is_performer(name) and not _is_inside(name, folder):
            raise InvalidInputError(
                f"{name[:60]!r} is not in the folder of the shot; put it there, or write its name"
                " into the file with an editor"
            )


def _is_inside(name: str, folder: Path) -> bool:
    given = Path(name)
    try:
        inside = (folder / given).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        return False
    return inside and not (given.is_absolute() or ".." in given.parts or name.startswith("~"))
