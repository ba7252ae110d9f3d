"""Plain dicts with bytes as JSON that may stand in an HTML page."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import numpy as np


def to_inline(value: Any) -> str:
    """JSON in which bytes are base64 of gzip.

    Parameters
    ----------
    value : object
        Plain values, bytes, and dicts and lists of them. The ``quats`` of a motion are stored joint
        by joint as differences over time, which compress to less.

    Returns
    -------
    str
        Holds no ``<``, so that nothing in it can end the element that it stands in.

    Examples
    --------
    >>> to_inline({"fps": 30})
    '{"fps":30}'
    """
    text = json.dumps(_packed(value), separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def _packed(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"gz": _zipped(value)}
    if isinstance(value, dict):
        return {key: _field(key, item, value) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_packed(item) for item in value]
    return value


def _field(key: str, item: Any, owner: dict[str, Any]) -> Any:
    if key == "quats" and owner.get("n"):
        return _as_differences(item, int(owner["n"]))
    return _packed(item)


def _as_differences(data: bytes, rows: int) -> dict[str, Any]:
    """16-bit numbers by columns, as differences, low bytes before high bytes."""
    columns = np.ascontiguousarray(np.frombuffer(data, "<i2").reshape(rows, -1).T)
    steps = np.diff(columns, axis=1, prepend=np.int16(0)).astype("<i2")
    parts = steps.view("u1").reshape(-1, 2)
    return {"gz": _zipped(parts.T.tobytes()), "delta": [rows, len(columns)]}


def _zipped(data: bytes) -> str:
    # Without a time, so that the same motion gives the same page.
    return base64.b64encode(gzip.compress(data, 6, mtime=0)).decode()
