"""Height maps that a constraint file keeps in files of their own."""

from __future__ import annotations

import re
from os import PathLike, fspath
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from motionloom.errors import FormatError
from motionloom.io.document import Document, Path
from motionloom.io.files import read_bytes, read_text


def fill_heights(document: Document, path: str | PathLike[str]) -> Any:
    """Values of a constraint file with the heights that its height maps keep in files.

    Parameters
    ----------
    document : Document
    path : path-like
        Of the constraint file; names of files are relative to its folder.

    Raises
    ------
    FormatError
        When a file cannot be read as a table of heights, or a height map has both heights and a file.
    """
    return _filled(document.value, (), document, path)


def _filled(value: Any, where: Path, document: Document, path: str | PathLike[str]) -> Any:
    if isinstance(value, list) and where and where[-1] == "avoid":
        return [_with_heights(o, (*where, i), document, path) for i, o in enumerate(value)]
    if isinstance(value, dict):
        return {key: _filled(item, (*where, key), document, path) for key, item in value.items()}
    return value


def _with_heights(obstacle: Any, where: Path, document: Document, path: str | PathLike[str]) -> Any:
    if not isinstance(obstacle, dict) or obstacle.get("shape") != "heightmap" or "file" not in obstacle:
        return obstacle
    line = document.line_of((*where, "file"))
    if "heights" in obstacle:
        raise FormatError("a height map has either heights or a file of them; remove one of the two", path, line)
    name = obstacle["file"]
    if not isinstance(name, str) or not name:
        raise FormatError(
            f"file: expected the name of a table of heights, got {name!r}; write for example 'file: hill.csv'",
            path,
            line,
        )
    rest = {key: item for key, item in obstacle.items() if key != "file"}
    return {**rest, "heights": read_heights(FilePath(fspath(path)).parent / name)}


def read_heights(path: str | PathLike[str]) -> list[list[float]]:
    """Read a table of heights in metres, rows along +Z: a NumPy ``.npy`` file, or text with a row a line.

    In text, numbers are separated by commas, semicolons or blanks, and ``#`` begins a comment.

    Raises
    ------
    FormatError
        With the line of a text file.
    """
    if fspath(path).lower().endswith(".npy"):
        return _read_array(path)
    rows: list[list[float]] = []
    for number, text in enumerate(read_text(path).splitlines(), start=1):
        words = [word for word in re.split(r"[,;\s]+", text.partition("#")[0]) if word]
        if not words:
            continue
        try:
            rows.append([float(word) for word in words])
        except ValueError:
            raise FormatError(
                f"expected heights in metres, got {text.strip()[:60]!r}; correct the row", path, number
            ) from None
        if len(rows[-1]) != len(rows[0]):
            raise FormatError(
                f"this row has {len(rows[-1])} heights and the first has {len(rows[0])}; make them alike", path, number
            )
    return rows


def _read_array(path: str | PathLike[str]) -> list[list[float]]:
    read_bytes(path, 1)  # says clearly what is wrong with the file itself
    try:
        heights = np.load(path, allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise FormatError(f"not a NumPy array of numbers ({error}); save it with numpy.save", path) from None
    if not isinstance(heights, np.ndarray):
        raise FormatError("this is an archive of arrays; save one array of heights with numpy.save", path)
    if heights.ndim != 2 or not np.issubdtype(heights.dtype, np.number) or np.iscomplexobj(heights):
        raise FormatError(
            f"expected heights in rows and columns, got an array of {heights.dtype} of shape {heights.shape}", path
        )
    return heights.astype(float).tolist()
