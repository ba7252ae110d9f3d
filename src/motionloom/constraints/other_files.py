"""Height maps and key poses that a constraint file keeps in files of their own."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from motionloom.constraints.constraint_set import load_kinds
from motionloom.constraints.kinds.table import KINDS
from motionloom.errors import FormatError, Hint
from motionloom.io.document import Document, Path
from motionloom.io.files import read_bytes, read_text_bytes
from motionloom.io.limits import MOST_HEIGHT_BYTES, MOST_HEIGHTS
from motionloom.io.number_table import parse_rows, without_comments
from motionloom.io.registry import load_motion
from motionloom.motion import Motion

_AS_BLANKS = bytes.maketrans(b",;", b"  ")


def fill_files(document: Document, path: str | PathLike[str], trust_paths: bool = False) -> Any:
    """Values of a constraint file with the heights and key poses that it keeps in other files.

    Parameters
    ----------
    document : Document
        Values of the constraint file, and the lines they stand in.
    path : path-like
        Of the constraint file; names of files are relative to its folder.
    trust_paths : bool
        Whether files may be anywhere; else only in that folder and below.

    Returns
    -------
    object
        Copy of the document's value, with heights and rotations in place of names of files.

    Raises
    ------
    FormatError
        When a file is elsewhere or cannot be read as a table of heights, a height map has both
        heights and a file, or all files together hold too many heights.
    """
    load_kinds()
    return _Files(document, path, trust_paths).filled(document.value, ())


@dataclass(frozen=True)
class _Files:
    """Reads the files that a constraint file names, for `Kind.fill` those of one entry.

    All entries share the counts of heights and the motions that were read.
    """

    document: Document
    path: str | PathLike[str]
    trust_paths: bool
    where: Path = ()
    counts: list[int] = field(default_factory=list)
    motions: dict[FilePath, Motion] = field(default_factory=dict)

    def filled(self, value: Any, where: Path) -> Any:
        kind = KINDS.get(str(where[-1])) if where else None
        if isinstance(value, list) and kind is not None and kind.fill is not None:
            return [
                kind.fill(entry, replace(self, where=(*where, i)))
                if isinstance(entry, dict) and "file" in entry
                else entry
                for i, entry in enumerate(value)
            ]
        if isinstance(value, dict):
            return {key: self.filled(item, (*where, key)) for key, item in value.items()}
        return value

    def fault(self, message: str, name: str, hint: Hint | None = None) -> FormatError:
        line = self.document.line_of((*self.where, name))
        return FormatError(message, self.path, line, hint=hint)

    def heights(self, name: Any) -> list[list[float]]:
        """Heights of a table; all tables of a constraint file together must not be too many."""
        heights = read_heights(self.place(name, "a table of heights", "hill.csv"))
        self.counts.append(sum(map(len, heights)))
        if sum(self.counts) > MOST_HEIGHTS:
            raise self.fault(
                f"the files of all height maps hold more than {MOST_HEIGHTS} heights; take larger"
                " cells",
                "file",
            )
        return heights

    def motion(self, name: Any) -> Motion:
        """Motion of a file; each is read once."""
        file = self.place(name, "a motion", "crouch.bvh")
        if file not in self.motions:
            self.motions[file] = load_motion(file)
        return self.motions[file]

    def place(self, name: Any, what: str, example: str) -> FilePath:
        """Where another file is, if the constraint file may name it."""
        if not isinstance(name, str) or not name:
            raise self.fault(
                f"file: expected the name of {what}, got {str(name)[:60]!r}; write for example"
                f" 'file: {example}'",
                "file",
            )
        folder = FilePath(fspath(self.path)).parent
        given = FilePath(name)
        if self.trust_paths:
            return folder / given
        try:
            inside = (folder / given).resolve().is_relative_to(folder.resolve())
        # Links that lead to themselves, a NUL character.
        except (OSError, RuntimeError, ValueError):
            inside = False
        if given.is_absolute() or ".." in given.parts or not inside:
            raise self.fault(
                f"file: {name[:60]!r} is not in the folder of the constraint file; copy it there,"
                " or trust the paths of that file",
                "file",
                "trust paths",
            )
        return folder / given


def read_heights(path: str | PathLike[str]) -> list[list[float]]:
    """Read a table of heights in metres, rows along +Z.

    A NumPy ``.npy`` file, or text with a row a line.

    In text, numbers are separated by commas, semicolons or blanks, and ``#`` begins a comment.
    Messages never show what a file holds.

    Raises
    ------
    FormatError
        With the line of a text file.
    """
    if fspath(path).lower().endswith(".npy"):
        return _read_array(path)
    rows = parse_rows(
        without_comments(read_text_bytes(path, MOST_HEIGHT_BYTES)).translate(_AS_BLANKS)
    )
    if len(rows.values) > MOST_HEIGHTS:
        raise FormatError(
            f"it holds {len(rows.values)} numbers; expected at most {MOST_HEIGHTS} heights", path
        )
    counts = np.diff(rows.starts)
    wrong = np.flatnonzero(rows.bad | (counts != counts[:1]))
    if len(wrong):
        r = int(wrong[0])
        line = int(rows.lines[r]) + 1
        if rows.bad[r]:
            column = int(np.argmax(np.isnan(rows.values[rows.starts[r] : rows.starts[r + 1]]))) + 1
            raise FormatError(
                f"expected heights in metres; entry {column} of this row is none; correct it",
                path,
                line,
            )
        raise FormatError(
            f"this row has {counts[r]} heights and the first has {counts[0]}; make them alike",
            path,
            line,
        )
    return rows.values.reshape(len(counts), -1).tolist() if len(counts) else []


def _read_array(path: str | PathLike[str]) -> list[list[float]]:
    if read_bytes(path, 2) == b"PK":  # also says clearly what is wrong with the file itself
        raise FormatError(
            "this is an archive of arrays; save one array of heights with numpy.save", path
        )
    try:
        with open(path, "rb") as stream:
            form = np.lib.format
            read = {(1, 0): form.read_array_header_1_0, (2, 0): form.read_array_header_2_0}
            shape, _, dtype = read[form.read_magic(stream)](stream)
        if dtype.hasobject:
            raise ValueError
    except (ValueError, KeyError, OSError, EOFError, MemoryError, RecursionError):
        raise FormatError("not a NumPy array of numbers; save it with numpy.save", path) from None
    if len(shape) != 2 or dtype.kind not in "iufb":
        raise FormatError(
            f"expected heights in rows and columns, got an array of {len(shape)} dimensions and"
            f" {dtype.kind!r}",
            path,
        )
    if math.prod(shape) > MOST_HEIGHTS or min(shape) < 0:
        rows, columns = (str(n)[:20] for n in shape)
        raise FormatError(
            f"its header claims {rows} x {columns} heights; expected at most {MOST_HEIGHTS}; take a"
            " larger cell",
            path,
        )
    try:
        return np.load(path, allow_pickle=False).astype(float).tolist()
    except (ValueError, OSError, EOFError, MemoryError):
        raise FormatError(
            "the array is cut short or damaged; save it again with numpy.save", path
        ) from None
