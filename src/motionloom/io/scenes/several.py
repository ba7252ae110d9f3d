"""Files that hold several skeletons: which of them is read, and what is said of the others."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from motionloom.errors import FormatError
from motionloom.skeleton import few


def check_number(names: Sequence[str], number: int, path: str | PathLike[str]) -> None:
    """Refuse the number of a skeleton that a file does not have.

    Parameters
    ----------
    names : sequence of str
        Of the file's skeletons.
    number : int
        Of the one to read.
    path : path-like
        The file.

    Raises
    ------
    FormatError
        When the file has fewer skeletons.
    """
    if not 0 <= number < len(names):
        raise FormatError(f"holds {len(names)} skeletons; there is no number {number}", path)


def say_left_out(names: Sequence[str]) -> str:
    """A sentence about the skeletons that are not read, when only the first is.

    Parameters
    ----------
    names : sequence of str
        Of all skeletons, at least two; the first is read.

    Returns
    -------
    str
        For people.
    """
    return (
        f"holds {len(names)} skeletons; read the largest, {names[0]!r}, and left out"
        f" {few(names[1:])}; 'motionloom view' shows all of them"
    )
