"""Every splice under the threshold, found block by block in bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from motionloom.graph.clips import ClipSet
from motionloom.progress import Progress, silent

#: Largest share of ``|a|^2 + |b|^2`` by which a single-precision squared distance may be wrong.
_ROUNDING = 1e-6
#: A cost below this many times its possible rounding error is computed again in double precision.
_NEAR = 100.0


@dataclass(frozen=True, eq=False)
class EdgeList:
    """Splices: frame `source` is replaced by frame `target` (both counted through all clips).

    Parameters
    ----------
    source, target : int32 arrays of shape (E,)
    cost : float32 array of shape (E,)
        Transition cost divided by its threshold: 1 is just allowed, 0 is the same pose.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    cost: NDArray[np.float32]

    @classmethod
    def join(cls, parts: Sequence[EdgeList]) -> EdgeList:
        """Edges of all parts, one after the other."""
        return cls(
            np.concatenate([e.source for e in parts]),
            np.concatenate([e.target for e in parts]),
            np.concatenate([e.cost for e in parts]),
        )

    def take(self, chosen: NDArray) -> EdgeList:
        """Edges selected by a mask or an index array."""
        return EdgeList(self.source[chosen], self.target[chosen], self.cost[chosen])


@njit(cache=True)
def _collect(  # pragma: no cover - compiled
    dots, exact, norms, limits, row0, row_end, first_row, cols, min_piece, min_jump, island, source, target, cost
):
    """Write the allowed edges of one block, clip by clip of the columns; return how many.

    `dots` holds products of rows ``first_row ..`` with the columns of the clips that start at ``cols[:-1]``.
    """
    n = 0
    for t in range(len(cols) - 1):
        last_target = cols[t + 1] - min_piece - (1 if len(island) > 0 else 0)
        for r in range(dots.shape[0]):
            i = first_row + r
            if i - row0 < min_piece:
                continue
            for j in range(cols[t], last_target + 1):
                if row0 <= j < row_end and abs(i - j) < min_jump:
                    continue
                if len(island) > 0 and not 0 <= island[i] != island[j + min_piece] >= 0:
                    continue
                size = norms[i] + norms[j]
                c = size - 2.0 * dots[r, j - cols[0]]
                limit = limits[i] * limits[j]
                slack = _ROUNDING * size
                if c >= limit + slack:
                    continue
                if c < _NEAR * slack or c > limit - slack:
                    c = 0.0
                    for d in range(exact.shape[1]):
                        c += (exact[i, d] - exact[j, d]) ** 2
                    if c >= limit:
                        continue
                source[n], target[n], cost[n] = i, j, c / limit
                n += 1
    return n


def find_edges(
    clips: ClipSet,
    features: NDArray[np.float64],
    limits: NDArray[np.float64],
    *,
    min_piece: int,
    min_jump: int,
    island: NDArray[np.int32] | None = None,
    block: int = 4_000_000,
    progress: Progress = silent,
) -> EdgeList:
    """Find every pair of frames whose cost is under its threshold.

    Parameters
    ----------
    clips : ClipSet
    features : array of shape (N, D)
        Scaled features; their squared distance is the cost.
    limits : array of shape (N,)
        Square roots of the thresholds: frames i and j may be joined when their cost is below ``limits[i] * limits[j]``.
    min_piece : int, frames
        A splice leaves a clip no earlier than this after its start and enters one no later than this before its end.
    min_jump : int, frames
        Splices within one clip that skip or repeat fewer frames are left out.
    island : int32 array of shape (N,), optional
        Only splices that lead from one island to another; -1 is no island. What counts is where a splice leaves and
        where it has played `min_piece` frames.
    block : int
        Largest number of pairs looked at in one go; it bounds the memory, about 16 bytes each.
    progress : Progress

    Returns
    -------
    EdgeList
        Ordered by source clip, target clip, source frame, target frame.
    """
    island = np.zeros(0, np.int32) if island is None else island
    exact = np.ascontiguousarray(features - features.mean(axis=0))
    norms = np.einsum("nd,nd->n", exact, exact)
    single = exact.astype(np.float32)
    block = max(block, 1)
    found: list[EdgeList] = []
    buffer = np.empty((2, block), np.int32), np.empty(block, np.float32)
    for s in range(clips.n_clips):
        progress("finding splices", s, clips.n_clips)
        row0, row_end = int(clips.starts[s]), int(clips.starts[s + 1])
        for first, last in _column_groups(clips, row_end - row0, block):
            cols = np.asarray(clips.starts[first : last + 1])
            width = int(cols[-1] - cols[0])
            height = max(block // width, 1)
            if height * width > len(buffer[1]):
                buffer = np.empty((2, height * width), np.int32), np.empty(height * width, np.float32)
            for row in range(row0, row_end, height):
                dots = single[row : min(row + height, row_end)] @ single[cols[0] : cols[-1]].T
                (source, target), cost = buffer
                n = _collect(
                    dots,
                    exact,
                    norms,
                    limits,
                    row0,
                    row_end,
                    row,
                    cols,
                    min_piece,
                    min_jump,
                    island,
                    source,
                    target,
                    cost,
                )
                found.append(EdgeList(source[:n].copy(), target[:n].copy(), cost[:n].copy()))
    progress("finding splices", clips.n_clips, clips.n_clips)
    return EdgeList.join(found)


def _column_groups(clips: ClipSet, rows: int, block: int) -> list[tuple[int, int]]:
    """Runs ``first <= clip < last`` whose pairs with `rows` rows fit into one block; a long clip stands alone."""
    groups, first = [], 0
    for c in range(1, clips.n_clips + 1):
        if c == clips.n_clips or (clips.starts[c + 1] - clips.starts[first]) * rows > block:
            groups.append((first, c))
            first = c
    return groups
