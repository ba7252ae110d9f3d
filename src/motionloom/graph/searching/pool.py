"""Pairs of half walks that were met, of which the best are kept."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import part
from motionloom.typing import Ints

#: Two half walks joined: their last nodes, the edge between them, the score as far as it is known
#: from these.
JOIN = np.dtype(
    (
        np.record,
        [("ahead", np.int32), ("behind", np.int32), ("edge", np.int32), ("score", np.float64)],
    )
)


class Pool(NamedTuple):
    """Pairs that were met (rows of `JOIN`), of which the best `keep` are kept; the others are room
    to sort them in.
    """

    joins: NDArray[np.void]
    keep: int
    order: Ints
    spare: Ints
    old: NDArray[np.void]


def make_pool(size: int, keep: int) -> Pool:
    """Room for so many pairs.

    Parameters
    ----------
    size : int
        Pairs that are written down before they are sorted.
    keep : int
        Pairs that are kept when they are, fewer than `size`.

    Returns
    -------
    Pool
        Empty.
    """
    order, spare = np.empty((2, size), np.int64)
    return Pool(np.zeros(size, JOIN), keep, order, spare, np.zeros(size, JOIN))


@part
def best_joins(pool, count):  # pragma: no cover - compiled
    """Keep the best pairs, best first, of equal ones the first; returns how many."""
    joins = pool.joins
    order = pool.order
    spare = pool.spare
    old = pool.old
    # Sorting moves indices, and rows once at the end, out of a copy: they are written while read.
    for k in range(count):
        order[k] = k
        old[k] = joins[k]
    width = 1
    while width < count:  # merge sort: NumPy's takes a second to compile
        for low in range(0, count, 2 * width):
            middle = min(low + width, count)
            high = min(low + 2 * width, count)
            i = low
            j = middle
            for k in range(low, high):
                # Not above, rather than below: of equal scores the first stays first, on every
                # machine.
                if i < middle and (j == high or old[order[i]].score <= old[order[j]].score):
                    spare[k] = order[i]
                    i += 1
                else:
                    spare[k] = order[j]
                    j += 1
        for k in range(count):
            order[k] = spare[k]
        width *= 2
    keep = min(count, pool.keep)
    for k in range(keep):
        joins[k] = old[order[k]]
    return keep
