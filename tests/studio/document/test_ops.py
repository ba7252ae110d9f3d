"""Changes of a document are what they say, and refused where they do not belong."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from motionloom.errors import InvalidInputError
from motionloom.studio._document.changes import ConflictError, Op, apply_ops, is_same, parse_ops

DOCUMENT: dict[str, Any] = {
    "shot": 1,
    "marks": {"door": {"position": [1.5, 2.5], "facing": 90}},
    "tracks": {"anna": [{"id": "go", "do": "walk", "to": "door"}, {"do": "idle", "for": 3.0}]},
}


def random_op(document: Any, rng: random.Random) -> Op:
    """A change that fits."""
    path: list[str | int] = []
    value = document
    while True:
        steps = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not steps:
            break
        step = rng.choice(steps)
        path.append(step)
        value = value[step]
        if not isinstance(value, (dict, list)) or rng.random() < 0.3:
            break
    if not path or rng.random() < 0.2:
        return (
            Op(
                "set",
                (*path[:-1], "new") if isinstance(holder(document, path), dict) else ("extra",),
                rng.random(),
            )
            if "new" not in str(path)
            else Op("set", tuple(path), 5, value)
        )
    if rng.random() < 0.3:
        return Op("remove", tuple(path), old=value)
    if isinstance(path[-1], int) and rng.random() < 0.5:
        return Op("insert", tuple(path), value={"do": "idle", "for": rng.random()})
    return Op("set", tuple(path), rng.choice([1, 2.5, "text", [1, 2], {"a": True}]), value)


def holder(document: Any, path: list[str | int]) -> Any:
    for step in path[:-1]:
        document = document[step]
    return document


@pytest.mark.parametrize("seed", range(40))
def test_ops_change_one_place(seed: int) -> None:
    rng = random.Random(seed)
    document: Any = DOCUMENT
    for _ in range(12):
        op = random_op(document, rng)
        before = copy.deepcopy(document)
        try:
            changed = apply_ops(document, [op])
        except ConflictError:
            continue
        assert is_same(document, before)
        inside = holder(before, [*op.path])
        if op.kind == "insert":
            inside.insert(op.path[-1], op.value)
        else:
            inside[op.path[-1]] = op.value
        if op.kind == "remove":
            del inside[op.path[-1]]
        assert is_same(changed, before)
        document = changed


@pytest.mark.parametrize(
    "op",
    [
        Op("set", ("marks", "door", "facing"), 10, 91),
        Op("set", ("marks", "window", "facing"), 10),
        Op("set", ("tracks", "anna", 2), {}, None),
        Op("remove", ("marks", "window")),
        Op("remove", ("tracks", "anna", 0), old={"do": "walk"}),
        Op("insert", ("tracks", "anna", 3), {}),
        Op("insert", ("marks", "door"), {}),
        Op("set", ("shot", "x"), 1),
        Op("set", ("tracks", "anna", "first"), 1),
    ],
)
def test_refuses_what_is_not_there(op: Op) -> None:
    with pytest.raises(ConflictError):
        apply_ops(DOCUMENT, [op])


def test_the_document_stays_as_it_is() -> None:
    apply_ops(DOCUMENT, [Op("set", ("marks", "door", "position", 0), 9.0, 1.5)])
    assert DOCUMENT["marks"]["door"]["position"] == [1.5, 2.5]


@pytest.mark.parametrize(
    "ops",
    [
        None,
        [],
        {},
        [1],
        [{"op": "move", "path": ["a"]}],
        [{"op": "set", "path": []}],
        [{"op": "set", "path": "a"}],
        [{"op": "set", "path": [-1], "value": 1}],
        [{"op": "set", "path": [True], "value": 1}],
        [{"op": "set", "path": [1.5], "value": 1}],
        [{"op": "set", "path": ["a"], "value": float("nan")}],
        [{"op": "set", "path": ["a"], "value": b"bytes"}],
        [{"op": "set", "path": ["a"], "value": {1: 2}}],
        [{"op": "set", "path": ["a"], "value": "x" * 20_000}],
        [{"op": "set", "path": ["a"], "more": 1}],
        [{"op": "set", "path": ["a"] * 100}],
        [{"op": "set", "path": ["a"], "value": [0] * 50_000}],
    ],
)
def test_refuses_what_is_no_change(ops: Any) -> None:
    with pytest.raises(InvalidInputError):
        parse_ops(ops)


def test_deep_values_are_refused() -> None:
    value: Any = []
    for _ in range(5000):
        value = [value]
    with pytest.raises(InvalidInputError):
        parse_ops([{"op": "set", "path": ["a"], "value": value}])
