"""Pairs of frames whose cost is below its threshold, by a matrix product whose tiles never leave a
core's cache.

The features of two frames are extended by their norms and thresholds, so that one product gives the
cost over its threshold and what is left to do is to compare it with 1.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import full_kernel
from motionloom.typing import Array, Singles

Frames = NDArray[np.int32]

#: No islands.
NOWHERE: Frames = np.zeros(0, np.int32)
#: Pairs of frames in one tile: 1 MB in single precision, half of what a core's own cache holds.
TILE = 1 << 18
#: Numbers compared at once; the compiler turns such a run into a few wide instructions.
_LANES = 64


class CostProduct:
    """What the costs of all pairs of frames are computed from, as far as it is the same for all of
    them.

    Parameters
    ----------
    features : array of shape (N, D)
        Scaled features; their squared distance is the cost.
    limits : array of shape (N,)
        Square roots of the thresholds: frames i and j may be joined when their cost is below
        ``limits[i] * limits[j]``.

    Attributes
    ----------
    left, right : float32 arrays of shape (N, D + 2)
        ``left @ right.T`` is every cost over its threshold, or a little less.
    exact, limits : float64 arrays of shapes (N, D) and (N,)
    """

    def __init__(self, features: Array, limits: Array) -> None:
        self.exact = np.ascontiguousarray(features, float)
        self.limits = np.ascontiguousarray(limits, float)
        self.left, self.right = _factors(self.exact, self.limits)

    def below(
        self, rows: slice, cols: slice, here: Frames = NOWHERE, there: Frames = NOWHERE
    ) -> tuple[Frames, Frames, Singles]:
        """Pairs of frames whose cost is below ``limits[i] * limits[j]``, by row, then column.

        Parameters
        ----------
        rows, cols : slice
            Frames of the tile.
        here, there : int32 arrays of shape (N,) or (0,)
            Only pairs that lead from one island to another in some direction, as `Rules` says.

        Returns
        -------
        i, j : int32 arrays of shape (E,)
            Frames of each pair, counted through all clips.
        cost : float32 array of shape (E,)
            Cost over its threshold.
        """
        tile = self.left[rows] @ self.right[cols].T
        # One more than can be found: a scan writes each candidate before it knows whether it
        # counts.
        i, j = np.empty((2, tile.size + 1), np.int32)
        cost = np.empty(tile.size + 1, np.float32)
        corner = rows.start, cols.start
        islands = here, there
        n = _scan(tile.view(np.int32), corner, self.exact, self.limits, islands, (i, j, cost))
        return i[:n].copy(), j[:n].copy(), cost[:n].copy()


def relative_costs(
    features: Array, limits: Array, rows: NDArray[np.intp]
) -> Iterator[tuple[int, Singles]]:
    """Costs over thresholds of some frames with all, block by block.

    They are exact to single precision of the features' size, not to the last digit near 0.

    Parameters
    ----------
    features : array of shape (N, D)
        Scaled features; their squared distance is the cost.
    limits : array of shape (N,)
        Square roots of the thresholds.
    rows : int array of shape (R,)
        Frames.

    Returns
    -------
    iterator of (int, float32 array of shape (R, K))
        The first of K columns, and their costs with every row; a cost near 0 may come out below 0.
    """
    left, right = _factors(np.ascontiguousarray(features, float), limits)
    width = max(TILE // max(len(rows), 1), 1)
    for first in range(0, len(right), width):
        yield first, left[rows] @ right[first : first + width].T


def _factors(features: Array, limits: Array) -> tuple[Singles, Singles]:
    """Arrays L and R of shape (N, D + 2) so that ``L @ R.T`` is every cost over its threshold, or a
    little less.

    It is less by the largest error that rounding can make, so whatever is below 1 comes out below
    1.
    """
    n, width = features.shape
    left = np.empty((n, width + 2), np.float32)
    right = np.empty((n, width + 2), np.float32)
    # A sum of K products errs by at most K units of rounding of its terms' sizes, here together no
    # more than twice |a|^2 + |b|^2; four units more are lost when the factors are rounded.
    slack = 2 * (width + 6) * 2.0**-24
    _fill(features, features.mean(axis=0), limits, slack, left, right)
    return left, right


@full_kernel()
def _fill(features, mean, limits, slack, left, right):  # pragma: no cover - compiled
    n, width = features.shape
    for i in range(n):
        norm = 0.0
        for k in range(width):
            # Distances do not change, but far from 0 the products would lose their digits to each
            # other.
            centred = features[i, k] - mean[k]
            norm += centred * centred
            left[i, k] = -2 * centred / limits[i]
            right[i, k] = centred / limits[i]
        size = (1 - slack) * norm / limits[i]
        # |a - b|^2 = |a|^2 - 2 a.b + |b|^2: the two norms are two more columns against ones, all
        # over the product of both limits.
        left[i, width] = size
        left[i, width + 1] = 1 / limits[i]
        right[i, width] = 1 / limits[i]
        right[i, width + 1] = size


# Any order of the sum will do: it is the same on every run, and its last digits are lost in single
# precision.
@full_kernel(fastmath={"reassoc"})
def _distance(a, b):  # pragma: no cover - compiled
    """Squared distance of two vectors."""
    total = 0.0
    for k in range(len(a)):
        gap = a[k] - b[k]
        total += gap * gap
    return total


@full_kernel()
def _scan(tile, corner, exact, limits, islands, found):  # pragma: no cover - compiled
    """Write the pairs of frames whose cost is below its threshold; return how many.

    `tile` holds the bits of the entries from `corner`, a row and a column, on: read as integers
    they have the order of the numbers. What may be below the threshold is computed again in double
    precision. `islands` are `here` and `there` of `Rules`.
    """
    row, col = corner
    here, there = islands
    rows, cols, cost = found
    # Bits of 1.0 and of the largest number: floats that are not negative are ordered like integers,
    # and negative ones (rounding) are below. Integer minima run many at a time, those of floats,
    # which have to mind NaN, do not.
    one = np.int32(0x3F800000)
    highest = np.int32(0x7FFFFFFF)
    n = 0
    width = tile.shape[1]
    for r in range(tile.shape[0]):
        begin = n
        for c in range(0, width, _LANES):
            if c + _LANES <= width:
                least = highest
                for k in range(_LANES):
                    least = min(least, tile[r, c + k])
                if least >= one:
                    continue
            for k in range(c, min(c + _LANES, width)):
                # Written in any case and counted only where it holds: a branch here would be
                # mispredicted.
                cols[n] = col + k
                n += tile[r, k] < one
        i = row + r
        end = n
        n = begin
        for e in range(begin, end):
            j = cols[e]
            # Either way round: which frame is left and which entered is decided later.
            if len(here) > 0 and not (
                0 <= here[i] != there[j] >= 0 or 0 <= here[j] != there[i] >= 0
            ):
                continue
            # What the product let through may be a little beyond: single precision only sieves.
            relative = _distance(exact[i], exact[j]) / (limits[i] * limits[j])
            if relative < 1.0:
                rows[n] = i
                cols[n] = j
                cost[n] = relative
                n += 1
    return n
