"""What the fields of records hold, declared once in their type hints.

``Annotated[Array, Shape("J", 3), Range(-1e6, 1e6, "m")]`` is an array of three metres
for each joint. Where a dtype is declared, values are rounded to it in the file; a field with the
metadata ``{"stored": False}`` is left out of the file and has its default afterwards.
`motionloom.io.records` stores and checks dataclasses by such hints.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

#: No length (metres) or learned number is larger.
LARGEST = 1e6
#: Whole numbers that are exact as floating-point numbers too; no count is larger.
MOST = 1 << 53


class Shape:
    """Sizes of an array, a tuple or a mapping.

    Parameters
    ----------
    *sizes : int or str
        A name that begins with a capital letter is one size in the whole record, but for names that
        occur in the elements of a tuple or mapping only: these are of each element. A name that
        begins with a small letter is a size within one dataclass.
    """

    def __init__(self, *sizes: int | str) -> None:
        self.sizes = sizes


@dataclass(frozen=True)
class Range:
    """Which values there may be.

    Parameters
    ----------
    low, high : float
        Smallest and largest. Values are finite unless a bound is infinite, and then may be that
        bound.
    unit : str, optional
        Such as ``"m"``.
    below : str, optional
        Name of a size, as in `Shape`, that all values are less than.
    normalized : bool
        Whether vectors or quaternions along the last axis have length 1.
    """

    low: float | None = None
    high: float | None = None
    unit: str = ""
    below: str | None = None
    normalized: bool = False


def below(size: str, low: int = 0) -> Range:
    """Range of indices: all values are at least `low` and less than a size."""
    return Range(low, below=size)


@dataclass(frozen=True)
class Declared:
    """What a field holds in a record where its hint says less.

    Parameters
    ----------
    hint : type
        Any that a record may have.
    """

    hint: Any


LENGTH = Range(-LARGEST, LARGEST, "m")
NUMBER = Range(-LARGEST, LARGEST)
#: Of what is never negative, or not 0 either.
SIZE = Range(0, LARGEST)
ABOVE_0 = Range(1e-300, LARGEST)
#: Of parts of unit vectors, and of whole ones, with room for rounding.
PART = Range(-1.001, 1.001)
NORMALIZED = Range(-1.001, 1.001, normalized=True)
#: Of numbers learned from motion, of spreads, and of logarithms of densities.
LEARNED = Range(-1e9, 1e9)
SPREAD = Range(1e-6, 1e9)
SCORE = Range(-1e18, 1e9)
SINGLE = np.dtype(np.float32)
Count = Annotated[int, Range(0, MOST)]
Finite = Annotated[float, NUMBER]
Positive = Annotated[float, ABOVE_0]
