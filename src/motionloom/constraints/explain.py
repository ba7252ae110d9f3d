"""One sentence for what pydantic found wrong with constraints."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from motionloom.errors import FormatError
from motionloom.io.document import Document, Path, format_path

#: More mistakes than this are counted, not told.
MOST = 20


def explain(
    error: ValidationError, model: type[BaseModel], document: Document | None = None
) -> tuple[str, Path]:
    """Say what is wrong with the first bad field, and how many more there are.

    Parameters
    ----------
    error : ValidationError
        As pydantic raised it.
    model : type of BaseModel
        What was being validated.
    document : Document, optional
        The file, for fields that may have several names.

    Returns
    -------
    sentence : str
        Field, what was read, what was expected and what to do.
    path : tuple of str and int
        Where the bad field stands.
    """
    found = _found(error, model)
    sentence, path = _explained(found[0], model, document)
    return f"{sentence}{_more(len(found) - 1)}", path


def explain_all(
    error: ValidationError, model: type[BaseModel], document: Document | None = None
) -> list[tuple[str, Path]]:
    """Say what is wrong with every bad field, as far as anybody reads it.

    Parameters
    ----------
    error : ValidationError
        As pydantic raised it.
    model : type of BaseModel
        What was being validated.
    document : Document, optional
        The file, for fields that may have several names.

    Returns
    -------
    list of (str, tuple of str and int)
        Sentences and paths as those of `explain`, the first one first.
    """
    found = _found(error, model)
    told = [_explained(one, model, document) for one in found[:MOST]]
    sentence, path = told[-1]
    return [*told[:-1], (f"{sentence}{_more(len(found) - len(told))}", path)]


def fault_of(
    error: ValidationError, model: type[BaseModel], document: Document, path: str | PathLike[str]
) -> FormatError:
    """What is wrong with a file, as an error.

    Parameters
    ----------
    error : ValidationError
        As pydantic raised it.
    model : type of BaseModel
        What was being validated.
    document : Document
        It knows the lines.
    path : path-like
        The file.

    Returns
    -------
    FormatError
        Of the first bad field, with all of them in `each`.
    """
    sentence, where = explain(error, model, document)
    fault = FormatError(sentence, path, document.line_of(where))
    told = explain_all(error, model, document)
    fault.each = tuple(FormatError(one, path, document.line_of(at)) for one, at in told)
    return fault


def _more(count: int) -> str:
    return f" ({count} more to correct)" if count else ""


def _found(error: ValidationError, model: type[BaseModel]) -> list[Any]:
    """What is wrong, what is told first at the front.

    Nothing is told of a field that is misspelt, nor of the other kinds that a field may have where
    something within it is wrong.
    """
    found = error.errors(include_url=False)
    # A field that is missing may only be misspelt: where there are unknown ones these are told
    # first.
    unknown = any(e["type"] == "extra_forbidden" for e in found)
    first = next((e for e in found if not (unknown and e["type"] == "missing")), found[0])
    rest = [e for e in found if e is not first]
    rest = _without_misspelt(first, rest) if unknown else rest
    around = {path[:k] for e in found for path in [_path_of(e, model)] for k in range(len(path))}
    return [first, *(e for e in rest if _path_of(e, model) not in around)]


def _path_of(error: Any, model: type[BaseModel]) -> Path:
    return _without_shapes(_loc_of(error), model)


def _loc_of(error: Any) -> Path:
    """Where the bad field stands, as pydantic has it."""
    loc: Path = error["loc"]
    where_given = error.get("ctx", {}).get("where")
    # A check inside a model names its own field; one of the whole set gives the path from the top.
    return loc if where_given is None else (*loc, *where_given)


def _explained(error: Any, model: type[BaseModel], document: Document | None) -> tuple[str, Path]:
    """The sentence about one bad field, and where it stands."""
    full = _loc_of(error)
    path = _without_shapes(full, model)
    shape = next((str(s) for s in full if s not in path), None)
    path = path if document is None else _as_written(path, model, shape, document)
    where = format_path(path)
    return f"{where + ': ' if where else ''}{_sentence(error, path, model, shape)}", path


def _without_misspelt(unknown: Any, found: Sequence[Any]) -> list[Any]:
    """The others but for a field that is missing beside an unknown one, which is it misspelt."""
    *inside, name = unknown["loc"]
    missing = [e for e in found if e["type"] == "missing" and list(e["loc"][:-1]) == inside]
    beside = [str(e["loc"][-1]) for e in missing]
    near = difflib.get_close_matches(str(name)[:100].lower(), beside, n=1, cutoff=0.5)
    meant = next((e for e in missing if str(e["loc"][-1]) in near), None)
    return [e for e in found if e is not meant]


def _sentence(error: Any, path: Path, model: type[BaseModel], shape: str | None) -> str:
    if error["type"] == "slip":
        return str(error["ctx"]["message"])
    if error["type"] == "extra_forbidden":
        return _unknown_field(str(path[-1]), _owner(model, path[:-1], shape))
    if error["type"] in ("union_tag_invalid", "union_tag_not_found"):
        shapes = [str(_shape(m)) for m in _models_in(_field(model, path, None).annotation)]
        tag = str(error["ctx"]["discriminator"]).strip("'")
        given = str(error["ctx"].get("tag", ""))[:100].lower()
        near = difflib.get_close_matches(given, shapes, n=2, cutoff=0.5)
        guess = f"did you mean {' or '.join(near)}? " if near else ""
        return (
            f"expected '{tag}' to be one of {', '.join(shapes)}, got {_shown(error['input'])};"
            f" {guess}write for example {{{tag}: {near[0] if near else shapes[0]}, ...}}"
        )
    if error["type"] in ("model_type", "model_attributes_type"):
        fields = ", ".join(_names(_owner(model, path, shape)))
        return (
            f"expected fields ({fields}), got {_shown(error['input'])}; write for example {{time:"
            " 2.5, ...}"
        )
    field = _field(model, path, shape)
    extra = field.json_schema_extra
    example = extra.get("example") if isinstance(extra, dict) else None
    name = next(step for step in reversed(path) if isinstance(step, str))
    shown = example if isinstance(example, str) else json.dumps(example)
    advice = f"write for example '{name}: {shown}'"
    if error["type"] == "missing" and path[-1] == name:
        return f"missing; expected {field.description}; {advice}"
    read = "too few numbers" if error["type"] == "missing" else _shown(error["input"])
    wanted = field.description or ""
    return f"expected {wanted}{_limit_of(error, wanted)}, got {read}; {advice}"


def _limit_of(error: Any, described: str) -> str:
    """Which limit a number is beyond, as the end of what is expected; empty for other errors."""
    words = {"gt": "above", "ge": "from", "lt": "below", "le": "up to"}
    told = error.get("ctx", {})
    limits = [(word, f"{told[key]:g}") for key, word in words.items() if _is_number(told.get(key))]
    if not limits or limits[0][1] in described.split():
        return ""
    return f", {' '.join(limits[0])}"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _unknown_field(name: str, model: type[BaseModel]) -> str:
    known = _names(model)
    near = difflib.get_close_matches(name[:100].lower(), known, n=2, cutoff=0.5)
    guess = f"did you mean {' or '.join(near)}? " if near else ""
    return f"unknown field; {guess}known here: {', '.join(known)}"


def _names(model: type[BaseModel]) -> list[str]:
    """Names of a model's fields as a file has them, and those that may stand for one of them."""
    others: Mapping[str, str] = getattr(model, "other_names", {})
    names = []
    for name, field in model.model_fields.items():
        names += [field.alias or name, *(other for other, own in others.items() if own == name)]
    return names


def _as_written(path: Path, model: type[BaseModel], shape: str | None, document: Document) -> Path:
    """Path with the name that the file has for its field, where several may stand for it."""
    if not path or path in document.lines:
        return path
    *inside, name = path
    others: Mapping[str, str] = getattr(_owner(model, path[:-1], shape), "other_names", {})
    given = (one for one, own in others.items() if own == name and (*inside, one) in document.lines)
    return (*inside, next(given, name))


def _named(model: type[BaseModel], name: str | int) -> FieldInfo | None:
    name = getattr(model, "other_names", {}).get(name, name)
    return next((f for n, f in model.model_fields.items() if name in (n, f.alias)), None)


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    """Models that an annotation such as ``tuple[Annotated[A | B, ...], ...]`` is made of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [m for part in get_args(annotation) for m in _models_in(part)]


def _shape(model: type[BaseModel]) -> str | None:
    """What tells a model from the others of its kind: the value of its `shape`, or its `do`."""
    field = model.model_fields.get("shape") or model.model_fields.get("do")
    return None if field is None else str(field.default)


def _without_shapes(path: Path, model: type[BaseModel]) -> Path:
    """Path as the file has it: pydantic puts the shape of an obstacle between the obstacle and its
    fields.
    """
    kept: list[str | int] = []
    kinds: list[type[BaseModel]] = [model]
    for step in path:
        if len(kinds) > 1 and step in [_shape(m) for m in kinds]:
            kinds = [m for m in kinds if _shape(m) == step]
            continue
        kept.append(step)
        field = _named(kinds[0], step) if isinstance(step, str) else None
        kinds = (_models_in(field.annotation) or kinds) if field is not None else kinds
    return tuple(kept)


def _owner(model: type[BaseModel], path: Path, shape: str | None = None) -> type[BaseModel]:
    """Model that the mapping at `path` is validated by; of several shapes the one given."""
    for step in path:
        field = _named(model, step) if isinstance(step, str) else None
        inside = _models_in(field.annotation) if field is not None else []
        model = next((m for m in inside if _shape(m) == shape), inside[0]) if inside else model
    return model


def _field(model: type[BaseModel], path: Path, shape: str | None) -> FieldInfo:
    """Innermost named field on the way to `path`."""
    found = FieldInfo(description="other fields")
    for k, step in enumerate(path):
        named = _named(_owner(model, path[:k], shape), step) if isinstance(step, str) else None
        found = named or found
    return found


def _shown(value: Any) -> str:
    """Value as short text."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
