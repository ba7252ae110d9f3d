"""What may happen to the content of a stored file: arrays and facts, changed at random."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

Arrays = dict[str, np.ndarray]
Rng = np.random.Generator


def _one(value: Any) -> Callable[[Rng, np.ndarray], np.ndarray]:
    """Put a value in one place, as far as the type can hold it."""

    def change(rng: Rng, array: np.ndarray) -> np.ndarray:
        array = array.copy()
        if array.size and array.dtype.names:
            field = array.dtype.names[int(rng.integers(len(array.dtype.names)))]
            array[field][int(rng.integers(len(array)))] = _held(value, array.dtype[field])
        elif array.size:
            array.reshape(-1)[int(rng.integers(array.size))] = _held(value, array.dtype)
        return array

    return change


def _held(value: float, dtype: np.dtype) -> Any:
    if dtype.kind not in "iu":
        return np.asarray(value, np.float64).astype(dtype)
    limits = np.iinfo(dtype)
    return limits.max if not value <= limits.max else max(int(value), limits.min)


ARRAYS: dict[str, Callable[[Rng, np.ndarray], np.ndarray]] = {
    "negative": _one(-7),
    "least": _one(-(2.0**62)),
    "large": _one(50_000),
    "huge": _one(1e300),
    "nan": _one(np.nan),
    "inf": _one(np.inf),
    "zero": _one(0),
    "as float": lambda rng, a: np.zeros(a.shape) if a.dtype.names else a.astype(np.float32),
    "as long": lambda rng, a: np.zeros(a.shape, np.int64) if a.dtype.names else a.astype(np.int64),
    "as objects": lambda rng, a: a.astype(object),
    "as complex": lambda rng, a: np.zeros(a.shape, complex) if a.dtype.names else a.astype(complex),
    "as text": lambda rng, a: np.full(a.shape, "1"),
    "as truth": lambda rng, a: np.ones(a.shape, bool),
    "turned bytes": lambda rng, a: a.astype(a.dtype.newbyteorder(">")),
    "with fields": lambda rng, a: np.zeros(a.shape, [("a", np.int32), ("b", np.int32)]),
    "deeper": lambda rng, a: a[..., None],
    "flat": lambda rng, a: a.reshape(-1)[: len(a.reshape(-1)) // 2],
    "scalar": lambda rng, a: a.reshape(-1)[0] if a.size else np.zeros((), a.dtype),
    "empty": lambda rng, a: a[:0],
    "permuted": lambda rng, a: rng.permutation(a),
    "cut": lambda rng, a: a[:-1],
    "doubled": lambda rng, a: np.concatenate([a, a]),
    "shifted": lambda rng, a: np.roll(a, 1, axis=0),
    "constant": lambda rng, a: np.broadcast_to(a[:1], a.shape).copy() if len(a) else a,
    "columns swapped": lambda rng, a: np.asfortranarray(a[:, ::-1]) if a.ndim > 1 else a[::-1],
}
DEEP = object()
#: What takes the place of a fact; `DEEP` is lists in lists.
VALUES = [
    None,
    "x",
    "\n\n\x1b[2J" * 50,
    [],
    {},
    -1,
    0,
    3,
    0.5,
    1e308,
    -1e308,
    2**70,
    float("nan"),
    float("inf"),
    True,
]
VALUES += [[[1]], {"a": [{}]}, "\ud800", "9" * 5000, [1e308] * 4, [0] * 70, DEEP]


def change_facts(rng: Rng, facts: Any) -> str:
    """Facts with one of them replaced, left out or added, as JSON."""
    place, key = _places(facts)[int(rng.integers(len(_places(facts))))]
    if rng.random() < 0.15:
        del place[key]
    elif rng.random() < 0.1 and isinstance(place, dict):
        place["another"] = 1
    else:
        place[key] = VALUES[int(rng.integers(len(VALUES)))]
        if place[key] is DEEP:
            place[key] = "DEEP"
            return json.dumps(facts).replace('"DEEP"', "[" * 50_000 + "]" * 50_000)
    return json.dumps(facts)


def _places(facts: Any) -> list[tuple[Any, Any]]:
    """Every dict or list with each of its keys, but of a long list only a few."""
    keys = (
        list(facts)
        if isinstance(facts, dict)
        else list(range(len(facts)))[:4]
        if isinstance(facts, list)
        else []
    )
    return [(facts, k) for k in keys] + [p for k in keys for p in _places(facts[k])]


def change_arrays(rng: Rng, arrays: Arrays) -> None:
    """One array changed, exchanged for another, left out or added."""
    names = sorted(set(arrays) - {"head"})
    name, other = (names[int(rng.integers(len(names)))] for _ in range(2))
    kind = int(rng.integers(len(ARRAYS) + 3))
    if kind < len(ARRAYS):
        arrays[name] = list(ARRAYS.values())[kind](rng, arrays[name])
    elif kind == len(ARRAYS):
        del arrays[name]
    elif kind == len(ARRAYS) + 1:
        arrays[name], arrays[other] = arrays[other], arrays[name]
    else:
        arrays["another"] = arrays[name]
