"""Files of records, taken apart and put together again, for tests of what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np


def read_members(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Head and arrays of a file."""
    with np.load(path) as file:
        arrays = dict(file)
    return json.loads(arrays.pop("head").item()), arrays


def write_members(path: Path, head: Any, arrays: Mapping[str, np.ndarray]) -> None:
    """Write a file; the head may be JSON already."""
    text = head if isinstance(head, str) else json.dumps(head)
    np.savez(path, head=np.array(text.encode()), **arrays)


def rewrite(
    path: Path, out: Path, change: Callable[[dict[str, Any], dict[str, np.ndarray]], Any]
) -> Path:
    """Write a file with a changed record or changed arrays."""
    head, arrays = read_members(path)
    change(head["record"], arrays)
    write_members(out, head, arrays)
    return out
