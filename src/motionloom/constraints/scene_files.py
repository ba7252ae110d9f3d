"""Scene files: YAML or JSON in and out."""

from __future__ import annotations

import json
from os import PathLike, fspath
from typing import Any

from pydantic import BaseModel, ValidationError

from motionloom.constraints.constraint_set import ConstraintSet
from motionloom.constraints.explain import fault_of
from motionloom.constraints.files import check_constraints
from motionloom.constraints.other_files import fill_files
from motionloom.constraints.scene import SceneConstraints
from motionloom.errors import FormatError
from motionloom.io.document import Document, read_document
from motionloom.io.files import write_file


def read_any(
    path: str | PathLike[str], *, trust_paths: bool = False
) -> ConstraintSet | SceneConstraints:
    """Read a constraint file of one character, or of a scene where it has the field ``characters``.

    Parameters
    ----------
    path : path-like
        The file, YAML or JSON.
    trust_paths : bool
        Whether height maps and key poses may be in files anywhere; else only in the folder of the
        constraint file and below.

    Returns
    -------
    ConstraintSet or SceneConstraints
        A scene where the file has the field ``characters``.

    Raises
    ------
    FormatError
        In one sentence: file, line, field, what was read, what was expected and what to do.

    Examples
    --------
    >>> sorted(read_any(demo / "scene.yaml").characters)
    ['alice', 'bob']
    """
    document = read_document(path)
    is_scene = isinstance(document.value, dict) and "characters" in document.value
    return (check_scene if is_scene else check_constraints)(document, path, trust_paths=trust_paths)


def check_scene(
    document: Document, path: str | PathLike[str], *, trust_paths: bool = False
) -> SceneConstraints:
    """Scene of a document that was read from a file; see `read_scene`.

    Parameters
    ----------
    document : Document
        Values of the file, and the lines they stand in.
    path : path-like
        The file, for messages and for files that it names.
    trust_paths : bool
        As of `read_scene`.

    Returns
    -------
    SceneConstraints

    Raises
    ------
    FormatError
        As of `read_scene`.
    """
    if not isinstance(document.value, dict):
        raise FormatError(
            "expected fields (duration, fps, characters, events), got something else; begin with"
            " 'duration: SECONDS'",
            path,
            1,
        )
    try:
        return SceneConstraints.model_validate(fill_files(document, path, trust_paths))
    except ValidationError as error:
        raise fault_of(error, SceneConstraints, document, path) from None


def write_scene(scene: SceneConstraints, path: str | PathLike[str]) -> None:
    """Write a scene file: JSON where the name ends in ``.json``, else YAML.

    YAML has a constraint or event a line. Fields with their default values are left out.

    Parameters
    ----------
    scene : SceneConstraints
        Height maps and key poses are written with their numbers, not as names of files.
    path : path-like
        The file; one that is there is replaced.

    Raises
    ------
    MotionloomError
        When the file cannot be written.
    """
    data = {
        **_plain(scene, {"characters", "events"}),
        "characters": {
            name: _plain(wish, {"duration", "fps"}) for name, wish in scene.characters.items()
        },
        "events": [_plain(event, set()) for event in scene.events],
    }
    is_json = fspath(path).lower().endswith(".json")
    write_file(
        path, (json.dumps(data, indent=2, ensure_ascii=False) if is_json else _to_yaml(data)) + "\n"
    )


def _plain(model: BaseModel, leave_out: set[str]) -> dict[str, Any]:
    """What differs from the defaults, without numbers that say where nothing was asked for."""
    return model.model_dump(
        mode="json", exclude=leave_out, exclude_defaults=True, exclude_none=True, by_alias=True
    )


def _to_yaml(data: dict[str, Any]) -> str:
    lines = [
        f"{key}: {_flow(value)}"
        for key, value in data.items()
        if key not in ("characters", "events")
    ]
    lines.append("characters:")
    for name, wish in data["characters"].items():
        lines.append(f"  {name}:" + ("" if wish else " {}"))
        for key, value in wish.items():
            if isinstance(value, list) and value and isinstance(value[0], dict):
                lines += [f"    {key}:", *(f"      - {_flow(item)}" for item in value)]
            else:
                lines.append(f"    {key}: {_flow(value)}")
    if data["events"]:
        lines += ["events:", *(f"  - {_flow(event)}" for event in data["events"])]
    return "\n".join(lines)


def _flow(value: Any) -> str:
    """A value on one line; JSON is YAML, and leaves no doubt about what is text."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)
