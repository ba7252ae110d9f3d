"""The text of a shot file after changes: comments, order and writing of the rest stay."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml as plain_yaml
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from motionloom.io.document import parse_document
from motionloom.studio._document.ops import Op, apply_ops, is_same

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
