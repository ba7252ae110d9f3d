"""One sentence for what pydantic found wrong with constraints."""

from __future__ import annotations

import difflib
import json
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from motionloom.io.document import Path, format_path

#: Fields that belong to the vocabulary but that no method of this version honours.
LATER = ("poses", "avoid", "style")


def explain(error: ValidationError, model: type[BaseModel]) -> tuple[str, Path]:
    """Say what is wrong with the first bad field, and how many more there are.

    Parameters
    ----------
    error : ValidationError
    model : type of BaseModel
        What was being validated.

    Returns
    -------
    sentence : str
        Field, what was read, what was expected and what to do.
    path : tuple of str and int
        Where the bad field stands.
    """
    found = error.errors(include_url=False)
    first = min(found, key=lambda e: e["type"] == "missing" and any(f["type"] == "extra_forbidden" for f in found))
    path: Path = first.get("ctx", {}).get("where", first["loc"])
    more = f" ({len(found) - 1} more to correct)" if len(found) > 1 else ""
    where = format_path(path)
    return f"{where + ': ' if where else ''}{_sentence(first, path, model)}{more}", path


def _sentence(error: Any, path: Path, model: type[BaseModel]) -> str:
    if error["type"] == "slip":
        return error["ctx"]["message"]
    if error["type"] == "extra_forbidden":
        return _unknown_field(str(path[-1]), _owner(model, path[:-1]))
    if error["type"] in ("model_type", "model_attributes_type"):
        fields = ", ".join(_owner(model, path).model_fields)
        return f"expected fields ({fields}), got {_shown(error['input'])}; write for example {{time: 2.5, ...}}"
    field = _field(model, path)
    example = (field.json_schema_extra or {}).get("example") if isinstance(field.json_schema_extra, dict) else None
    name = next(step for step in reversed(path) if isinstance(step, str))
    advice = f"write for example '{name}: {example if isinstance(example, str) else json.dumps(example)}'"
    if error["type"] == "missing" and path[-1] == name:
        return f"missing; expected {field.description}; {advice}"
    read = "too few numbers" if error["type"] == "missing" else _shown(error["input"])
    return f"expected {field.description}, got {read}; {advice}"


def _unknown_field(name: str, model: type[BaseModel]) -> str:
    if name in LATER and "duration" in model.model_fields:
        return (
            "this version of 'synthesize' does not honour it yet (it honours duration, body and joints); "
            "remove it from the file"
        )
    near = difflib.get_close_matches(name.lower(), list(model.model_fields), n=2, cutoff=0.5)
    guess = f"did you mean {' or '.join(near)}? " if near else ""
    return f"unknown field; {guess}known here: {', '.join(model.model_fields)}"


def _owner(model: type[BaseModel], path: Path) -> type[BaseModel]:
    """Model that the mapping at `path` is validated by."""
    for step in path:
        inner = _inner_model(model, step)
        model = model if inner is None else inner
    return model


def _inner_model(model: type[BaseModel], step: str | int) -> type[BaseModel] | None:
    field = model.model_fields.get(step) if isinstance(step, str) else None
    inside = getattr(field.annotation, "__args__", ()) if field is not None else ()
    return next((a for a in inside if isinstance(a, type) and issubclass(a, BaseModel)), None)


def _field(model: type[BaseModel], path: Path) -> FieldInfo:
    """Innermost named field on the way to `path`."""
    field = FieldInfo(description="other fields")
    for step in path:
        if isinstance(step, str) and step in model.model_fields:
            field = model.model_fields[step]
            model = _inner_model(model, step) or model
    return field


def _shown(value: Any) -> str:
    """Value as short text."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
