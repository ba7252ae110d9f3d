"""Constraint files: YAML or JSON in and out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike, fspath
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from motionloom.constraints.constraint_set import ConstraintSet
from motionloom.constraints.explain import fault_of
from motionloom.constraints.kinds.ground import Uneven
from motionloom.constraints.other_files import fill_files
from motionloom.constraints.values import MAX_DURATION
from motionloom.errors import FormatError, InvalidInputError, UnknownNameError
from motionloom.io.document import Document, Path, read_document
from motionloom.io.files import write_file

Validated = TypeVar("Validated", bound=BaseModel)


def read_constraints(
    path: str | PathLike[str], *, still: bool = False, trust_paths: bool = False
) -> ConstraintSet:
    """Read a constraint file, YAML or JSON.

    Parameters
    ----------
    path : path-like
        The file.
    still : bool
        Whether the file is about one moment: duration and times may then be left out.
    trust_paths : bool
        Whether height maps and key poses may be in files anywhere; else only in the folder of the
        constraint file and below.

    Returns
    -------
    ConstraintSet

    Raises
    ------
    FormatError
        In one sentence: file, line, field, what was read, what was expected and what to do.

    Examples
    --------
    >>> wish = read_constraints(demo / "constraints.yaml")
    >>> wish.duration, len(wish.body), wish.joints[0].joint
    (10.0, 3, 'right_hand')
    """
    return check_constraints(read_document(path), path, still=still, trust_paths=trust_paths)


def check_constraints(
    document: Document, path: str | PathLike[str], *, still: bool = False, trust_paths: bool = False
) -> ConstraintSet:
    """Constraints of a document that was read from a file; see `read_constraints`.

    Parameters
    ----------
    document : Document
        Values of the file, and the lines they stand in.
    path : path-like
        The file, for messages and for files that it names.
    still : bool
        Whether the file is about one moment: duration and times may then be left out.
    trust_paths : bool
        Whether height maps and key poses may be in files anywhere; else only in the folder of the
        constraint file and below.

    Returns
    -------
    ConstraintSet

    Raises
    ------
    FormatError
        In one sentence: file, line, field, what was read, what was expected and what to do.
    """
    if not isinstance(document.value, dict):
        raise FormatError(
            "expected fields (duration, fps, body, joints), got something else; begin with"
            " 'duration: SECONDS'",
            path,
            1,
        )
    value = fill_files(document, path, trust_paths)
    return validated(ConstraintSet, _with_times(value) if still else value, document, path)


def validated(
    model: type[Validated], value: object, document: Document, path: str | PathLike[str]
) -> Validated:
    """Check the values of a file.

    Parameters
    ----------
    model : type
        What they are to be.
    value : object
        The values.
    document : Document
        The file's own values, and the lines they stand in.
    path : path-like
        The file.

    Returns
    -------
    object of type `model`

    Raises
    ------
    FormatError
        With the line of what is wrong.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise fault_of(error, model, document, path) from None


def constraints_of(
    given: ConstraintSet | Mapping[str, Any] | str | PathLike[str], *, still: bool = False
) -> ConstraintSet:
    """Constraints as they are, of plain values, or of a file.

    Parameters
    ----------
    given : ConstraintSet, mapping or path-like
        A mapping has the fields of a constraint file.
    still : bool
        Whether it is about one moment: duration and times may then be left out.

    Returns
    -------
    ConstraintSet

    Raises
    ------
    InvalidInputError
        When the fields of a mapping are wrong; the sentence names the field.
    FormatError
        As of `read_constraints`.

    Examples
    --------
    >>> constraints_of({"duration": 2.0, "body": [{"time": 0.0, "position": [0, 1]}]}).n_frames
    61
    >>> constraints_of({"duration": 2.0, "bodi": []})
    Traceback (most recent call last):
    motionloom.errors.InvalidInputError: bodi: unknown field; did you mean body? ...
    """
    if isinstance(given, ConstraintSet):
        return given
    if isinstance(given, (str, PathLike)):
        return read_constraints(given, still=still)
    if not isinstance(given, Mapping):
        raise InvalidInputError(
            "constraints: expected a file, its fields as a mapping, or a ConstraintSet, got"
            f" {given!r:.60}"
        )
    with in_mapping():
        return check_constraints(Document(dict(given), {}), "constraints", still=still)


@contextmanager
def in_mapping() -> Iterator[None]:
    """Say what is wrong with plain values without the file and line that they do not have.

    Raises
    ------
    InvalidInputError
        For a `FormatError` inside.

    Examples
    --------
    >>> with in_mapping():
    ...     raise FormatError("expected a number", "wish", 3)
    Traceback (most recent call last):
    motionloom.errors.InvalidInputError: expected a number
    """
    try:
        yield
    except FormatError as error:
        raise InvalidInputError(error.message, hint=error.hint) from None


def read_ground(path: str | PathLike[str], *, trust_paths: bool = False) -> tuple[Uneven, ...]:
    """Read what is walked on: the field `ground` of a constraint file, or of a file of its own.

    Parameters
    ----------
    path : path-like
        A constraint file, or one that has nothing but ``ground``.
    trust_paths : bool
        As `read_constraints` has it.

    Returns
    -------
    tuple of HeightMap, Slope or Stairs

    Raises
    ------
    FormatError
        As `read_constraints`, and when there is no ground in it.

    Examples
    --------
    >>> from pathlib import Path
    >>> stairs = "ground: [{shape: stairs, start: [0, 2], rise: 0.17, tread: 0.3, steps: 5}]"
    >>> _ = Path("stairs.yaml").write_text(stairs)
    >>> read_ground("stairs.yaml")[0].steps
    5
    """
    document = read_document(path)
    whole = isinstance(document.value, dict) and set(document.value) - {"ground"}
    if whole:
        ground = check_constraints(document, path, trust_paths=trust_paths).ground
    else:
        value = fill_files(document, path, trust_paths) if isinstance(document.value, dict) else {}
        # A set with the shortest motion there may be: only its ground counts.
        ground = validated(ConstraintSet, {"duration": 1.0, **value}, document, path).ground
    if not ground:
        raise FormatError(
            "expected what is walked on, got none; write for example 'ground: [{shape: stairs,"
            " start: [0.0, 2.0], rise: 0.17, tread: 0.3, steps: 5}]'",
            path,
        )
    return ground


@contextmanager
def names_in(path: object) -> Iterator[None]:
    """Say where a constraint file names what does not exist or cannot be honoured.

    Parameters
    ----------
    path : path-like or object
        The file; what is no file has no lines, and errors stay as they are.

    Raises
    ------
    FormatError
        For an `UnknownNameError`, or an `InvalidInputError` of a field, inside, with its sentence
        and the file's first line that has the name or field.

    Examples
    --------
    >>> with names_in({"duration": 1.0}):  # what is no file has no lines
    ...     raise UnknownNameError("tail", "no joint is called 'tail'")
    Traceback (most recent call last):
    motionloom.errors.UnknownNameError: no joint is called 'tail'
    """
    if not isinstance(path, (str, PathLike)):
        yield
        return
    try:
        yield
    except InvalidInputError as error:
        if not (isinstance(error, UnknownNameError) or error.field):
            raise
        document = read_document(path)
        lines = (n for where, n in document.lines.items() if _is_about(error, where, document))
        raise FormatError(str(error), path, next(lines, None), hint=error.hint) from None


def _is_about(error: InvalidInputError, where: Path, document: Document) -> bool:
    """Whether an error is about what stands at a place of a document."""
    if isinstance(error, UnknownNameError):
        return bool(document.value_at(where) == error.name)
    return bool(where) and where[-1] == error.field


def write_constraints(constraints: ConstraintSet, path: str | PathLike[str]) -> None:
    """Write a constraint file: JSON where the name ends in ``.json``, else YAML.

    YAML has a constraint a line.

    Parameters
    ----------
    constraints : ConstraintSet
        Height maps and key poses are written with their numbers, not as names of files.
    path : path-like
        The file; one that is there is replaced.

    Raises
    ------
    MotionloomError
        When the file cannot be written.

    Examples
    --------
    >>> wish = constraints_of({"duration": 2.0, "body": [{"time": 0.0, "position": [0, 1]}]})
    >>> write_constraints(wish, "wish.yaml")
    >>> read_constraints("wish.yaml") == wish
    True
    """
    data = constraints.model_dump(mode="json", exclude_none=True, by_alias=True)
    write_data({name: value for name, value in data.items() if value != []}, path)


def _with_times(value: dict[str, Any]) -> dict[str, Any]:
    """Fields of a file with the duration and times that it leaves out."""
    timed = {
        name: [
            # A span has times of its own, and is refused with its own words.
            {"time": 0.0, **item} if isinstance(item, dict) and "from" not in item else item
            for item in value[name]
        ]
        for name in ("body", "joints", "center_of_mass")
        if isinstance(value.get(name), list)
    }
    return {"duration": MAX_DURATION, **value, **timed}


def write_data(data: dict[str, Any], path: str | PathLike[str]) -> None:
    """Write the fields of a set or scene: JSON where the name ends in ``.json``, else YAML.

    Parameters
    ----------
    data : dict of str to object
        As JSON has them.
    path : path-like
        The file; one that is there is replaced.
    """
    if fspath(path).lower().endswith(".json"):
        text = json.dumps(data, indent=2, ensure_ascii=False)
    else:
        text = "\n".join(_yaml_lines(data))
    write_file(path, text + "\n")


def _yaml_lines(data: dict[str, Any], indent: str = "") -> Iterator[str]:
    """Fields of a set or scene, lists with an entry a line; JSON leaves no doubt what is text."""
    for key, value in sorted(data.items(), key=lambda item: isinstance(item[1], list)):
        if key == "characters":
            yield f"{indent}{key}:"
            for name, wish in value.items():
                yield f"{indent}  {name}:" + ("" if wish else " {}")
                yield from _yaml_lines(wish, indent + "    ")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{indent}{key}:"
            yield from (f"{indent}  - {_flow(item)}" for item in value)
        elif value != []:
            yield f"{indent}{key}: {json.dumps(value, ensure_ascii=False)}"


def _flow(item: dict[str, Any]) -> str:
    """One constraint or event on one line."""
    fields = (f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in item.items())
    return "{" + ", ".join(fields) + "}"
