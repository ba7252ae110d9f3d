"""Changes of a document, and the text of a shot file after them."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml as plain_yaml
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from motionloom.errors import InvalidInputError
from motionloom.io.document import Path as FieldPath
from motionloom.io.document import format_path, parse_document
from motionloom.io.limits import MOST_DEPTH

#: Most changes of one edit, and most steps of a path.
MOST_OPS, MOST_STEPS = 200, 24
#: Most values that one change may bring, and longest text.
MOST_NEW_VALUES, LONGEST_TEXT = 20_000, 10_000


class ConflictError(InvalidInputError):
    """A change is not of the document that there is."""


@dataclass(frozen=True)
class Op:
    """One change.

    Parameters
    ----------
    kind : str
        ``set`` a value, adding a field that is not there; ``remove`` a field or an entry of a list;
        ``insert`` an entry before another, or at the end.
    path : tuple of str and int
        Where.
    value : object
        What is set or inserted; plain values only.
    old : object
        What has to be there; None also where nothing is.
    """

    kind: Literal["set", "remove", "insert"]
    path: FieldPath
    value: Any = None
    old: Any = None


def parse_ops(value: Any) -> tuple[Op, ...]:
    """Changes as a client sends them.

    Parameters
    ----------
    value : object
        A list of ``{op, path, value, old}``.

    Returns
    -------
    tuple of Op

    Raises
    ------
    InvalidInputError
        When they are none.
    """
    if not isinstance(value, list) or not 0 < len(value) <= MOST_OPS:
        raise InvalidInputError(f"expected a list of 1 to {MOST_OPS} changes")
    return tuple(_parse(entry) for entry in value)


def _parse(entry: Any) -> Op:
    if not isinstance(entry, dict) or not set(entry) <= {"op", "path", "value", "old"}:
        raise InvalidInputError("expected a change as {op, path, value, old}")
    kind = entry.get("op")
    path = entry.get("path")
    if kind not in ("set", "remove", "insert"):
        raise InvalidInputError("expected op to be set, remove or insert")
    if not isinstance(path, list) or not 0 < len(path) <= MOST_STEPS:
        raise InvalidInputError(f"expected a path of 1 to {MOST_STEPS} names and indices")
    if not all(_is_step(step) for step in path):
        raise InvalidInputError("expected names of fields and indices from 0 in the path")
    _check_plain(entry.get("value"))
    _check_plain(entry.get("old"))
    return Op(kind, tuple(path), entry.get("value"), entry.get("old"))


def _is_step(step: Any) -> bool:
    if isinstance(step, str):
        return 0 < len(step) <= 200
    return isinstance(step, int) and not isinstance(step, bool) and 0 <= step <= 100_000


def _check_plain(value: Any) -> None:
    """Refuse what no YAML or JSON file can hold.

    Parameters
    ----------
    value : object
        Any.

    Raises
    ------
    InvalidInputError
        When it is not made of fields, lists, text, finite numbers, booleans and None, or too large.
    """
    rest = [(value, 0)]
    count = 0
    while rest:
        one, depth = rest.pop()
        count += 1
        if count > MOST_NEW_VALUES or depth > MOST_DEPTH:
            raise InvalidInputError(f"a change brings more than {MOST_NEW_VALUES} values, or deep")
        rest += [(inside, depth + 1) for inside in _inside(one)]


def _inside(value: Any) -> Sequence[Any]:
    """What a value holds; empty for one that is whole."""
    if isinstance(value, dict):
        if not all(isinstance(key, str) and 0 < len(key) <= 200 for key in value):
            raise InvalidInputError("expected names of fields as text")
        return list(value.values())
    if isinstance(value, list):
        return value
    is_number = isinstance(value, (int, float)) and math.isfinite(value) and abs(value) < 1e18
    is_text = isinstance(value, str) and len(value) <= LONGEST_TEXT
    if not (value is None or is_number or is_text):
        raise InvalidInputError("expected plain values: fields, lists, text and finite numbers")
    return ()


def is_same(one: Any, other: Any) -> bool:
    """Whether two plain values are the same; 1 and 1.0 are, 1 and true are not."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def apply_ops(document: Any, ops: Sequence[Op]) -> Any:
    """The document after changes, one after the other.

    Parameters
    ----------
    document : object
        Plain values; stays as it is.
    ops : sequence of Op
        The changes.

    Returns
    -------
    object
        The new one; what has not changed is shared with the old.

    Raises
    ------
    ConflictError
        When something else is there than a change expects.
    """
    for op in ops:
        document = _apply(document, op, op.path)
    return document


def _apply(value: Any, op: Op, path: FieldPath) -> Any:
    step: Any = path[0]
    _check_step(value, op, step, is_last=len(path) == 1)
    new = value.copy()
    if len(path) > 1:
        new[step] = _apply(value[step], op, path[1:])
    elif op.kind == "insert" and isinstance(value, list):
        new.insert(step, op.value)
    else:
        _check_old(value, op, step)
        new[step] = op.value
        if op.kind == "remove":
            del new[step]
    return new


def _check_step(value: Any, op: Op, step: str | int, is_last: bool) -> None:
    """Refuse a path that leads nowhere."""
    where = format_path(op.path)
    if isinstance(value, list) and isinstance(step, int):
        if step < len(value) + (is_last and op.kind == "insert"):
            return
    elif isinstance(value, dict) and isinstance(step, str) and (is_last or step in value):
        return
    raise ConflictError(f"{where}: there is no such place in the shot any more")


def _check_old(value: Any, op: Op, step: Any) -> None:
    """Refuse a change of what is not there, or is not as it was."""
    is_there = isinstance(value, list) or step in value
    if op.kind == "insert":
        if is_there:
            raise ConflictError(f"{format_path(op.path)}: is there already")
        return
    if not is_same(value[step] if is_there else None, op.old):
        raise ConflictError(f"{format_path(op.path)}: has been changed in the meantime")
    if op.kind == "remove" and not is_there:
        raise ConflictError(f"{format_path(op.path)}: is not there any more")


#: Lines are not broken before this column.
_WIDTH = 4096


def edited_text(text: str, ops: Sequence[Op], path: Path) -> str:
    """Text of a shot file after changes.

    Where comments and order cannot be kept, because the file is written in a way of its own, the
    values are written plainly: what the file says goes before how it looks.

    Parameters
    ----------
    text : str
        YAML or JSON.
    ops : sequence of Op
        The changes.
    path : Path
        Name of the file, for errors.

    Returns
    -------
    str
        What is read from it is what `apply_ops` gives.

    Raises
    ------
    MotionloomError
        When the text cannot be read, or a change is not of it.
    """
    wanted = apply_ops(parse_document(text, path).value, ops)
    if path.suffix.lower() == ".json":
        return json.dumps(wanted, indent=2, ensure_ascii=False) + "\n"
    for attempt in (_kept, _plain):
        new = attempt(text, ops, wanted)
        if new is not None and is_same(parse_document(new, path).value, wanted):
            return new
    return plain_yaml.safe_dump(wanted, sort_keys=False, allow_unicode=True)


def _plain(text: str, ops: Sequence[Op], wanted: Any) -> str | None:
    """All values anew, in the order that there is."""
    stream = io.StringIO()
    _yaml(text).dump(_as_node(wanted, is_flow=False), stream)
    return stream.getvalue()


def _kept(text: str, ops: Sequence[Op], wanted: Any) -> str | None:
    """The changes made in the tree of the file, with its comments."""
    yaml = _yaml(text)
    try:
        root = yaml.load(text)
        for op in ops:
            _change(root, op)
        stream = io.StringIO()
        yaml.dump(root, stream)
    except (YAMLError, AttributeError, KeyError, IndexError, TypeError, ValueError):
        return None
    return stream.getvalue()


def _yaml(text: str) -> YAML:
    yaml = YAML(typ="rt", pure=True)
    yaml.version = None
    yaml.preserve_quotes = True
    yaml.width = _WIDTH
    yaml.allow_unicode = True
    # A list may be indented below its field, or not.
    indented = re.search(
        r"^( *)[^\s#-][^\n]*:[ ]*(?:#[^\n]*)?\n(?:\s*#[^\n]*\n)*( *)- ", text, re.M
    )
    offset = len(indented[2]) - len(indented[1]) if indented else 2
    offset = min(max(offset, 0), 8)
    yaml.indent(mapping=2, sequence=offset + 2, offset=offset)
    return yaml


def _change(root: Any, op: Op) -> None:
    holder = root
    for step in op.path[:-1]:
        holder = holder[step]
    last = op.path[-1]
    if op.kind == "remove":
        _remove(holder, last)
    elif isinstance(holder, CommentedSeq) and op.kind == "insert":
        holder.insert(int(last), _as_node(op.value, _is_flow_inside(holder)))
    else:
        is_flow = _is_flow_inside(holder) if last not in _keys(holder) else _is_flow(holder[last])
        holder[last] = _as_node(op.value, is_flow)


def _remove(holder: Any, last: str | int) -> None:
    del holder[last]
    if not holder:
        holder.fa.set_flow_style()


def _keys(holder: Any) -> Any:
    return range(len(holder)) if isinstance(holder, CommentedSeq) else holder


def _is_flow(node: Any) -> bool:
    return not isinstance(node, (CommentedMap, CommentedSeq)) or bool(node.fa.flow_style())


def _is_flow_inside(holder: Any) -> bool:
    """Whether a new entry goes into one line: where the others do, or there is none."""
    if holder.fa.flow_style():
        return True
    others = holder if isinstance(holder, CommentedSeq) else holder.values()
    nodes = [one for one in others if isinstance(one, (CommentedMap, CommentedSeq))]
    return all(_is_flow(one) for one in nodes)


def _as_node(value: Any, is_flow: bool) -> Any:
    """Plain values as a node; what lies deep, and lists of numbers, go into one line."""
    node: CommentedMap | CommentedSeq
    if isinstance(value, dict):
        node = CommentedMap((key, _as_node(inside, is_flow)) for key, inside in value.items())
    elif isinstance(value, list):
        node = CommentedSeq(_as_node(inside, True) for inside in value)
        is_flow = is_flow or not any(isinstance(inside, dict) for inside in value)
    else:
        return value
    if is_flow or not value:
        node.fa.set_flow_style()
    return node
