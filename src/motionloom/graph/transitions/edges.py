"""Every transition under the threshold, found tile by tile in bounded memory.

Costs are symmetric: every pair of clips is multiplied once, for both directions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import kernel
from motionloom.curves import runs_of
from motionloom.declared import Range, Shape
from motionloom.errors import InvalidInputError
from motionloom.graph.transitions.product import TILE, CostProduct, Frames, TileScanner
from motionloom.graph.transitions.rules import ClipTable, EdgeRules, make_rules, one_way
from motionloom.progress import Progress, silent
from motionloom.typing import Array, Bools, Singles

#: Most rows of a tile: short clips are taken together until they have so many.
_HEIGHT = 512


@dataclass(frozen=True, eq=False)
class EdgeList:
    """Transitions: frame `source` is replaced by frame `target` (both counted through all clips).

    Parameters
    ----------
    source, target : int32 arrays of shape (E,)
        Frame that is left and frame that is entered.
    cost : float32 array of shape (E,)
        Transition cost divided by its threshold: 1 is just allowed, 0 is the same pose.
    """

    source: Annotated[Frames, Shape("e"), Range(0)]
    target: Annotated[Frames, Shape("e"), Range(0)]
    cost: Annotated[Singles, Shape("e"), Range(0)]

    @property
    def arrays(self) -> tuple[Frames, Frames, Singles]:
        """Source, target and cost."""
        return self.source, self.target, self.cost

    @classmethod
    def join(cls, parts: Sequence[EdgeList]) -> EdgeList:
        """Edges of all parts, one after the other."""
        if not parts:
            return cls(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))
        source, target, cost = (
            np.concatenate(arrays) for arrays in zip(*(e.arrays for e in parts), strict=True)
        )
        return cls(source, target, cost)

    def take(self, chosen: NDArray[np.bool_ | np.int64]) -> EdgeList:
        """Edges selected by a mask or an index array."""
        return EdgeList(self.source[chosen], self.target[chosen], self.cost[chosen])


@dataclass(frozen=True)
class Pairs:
    """Pairs of clips.

    Parameters
    ----------
    rows, cols : sequences of int, optional
        Clips that transitions leave, clips that they enter; all when not given.
    both : bool
        Also the transitions from `cols` to `rows`, which cost hardly more work.
    """

    rows: Sequence[int] | None = None
    cols: Sequence[int] | None = None
    both: bool = False

    def mask(self, n_clips: int) -> Bools:
        """Mask of the pairs, shape (C, C)."""
        wanted = _mask(self.rows, n_clips, "rows")[:, None] & _mask(self.cols, n_clips, "cols")
        return wanted | wanted.T if self.both else wanted


#: All pairs of clips.
ALL = Pairs()


def find_edges(
    clips: ClipTable,
    features: Array,
    limits: Array,
    rules: EdgeRules,
    pairs: Pairs = ALL,
    *,
    block: int = TILE,
    product: CostProduct | None = None,
    progress: Progress = silent,
) -> EdgeList:
    """Find every pair of frames whose cost is under its threshold.

    The transitions between two clips, their order and their costs depend on these clips alone,
    neither on what else is asked for nor on `block`.

    Parameters
    ----------
    clips : ClipTable
        How the frames are counted.
    features : array of shape (N, D)
        Scaled features; their squared distance is the cost.
    limits : array of shape (N,)
        Square roots of the thresholds: frames i and j may be joined when their cost is below
        ``limits[i] * limits[j]``.
    rules : EdgeRules
        Shortest piece, shortest jump, and islands.
    pairs : Pairs
        All when not given.
    block : int
        Largest number of pairs looked at in one go; it is fastest where they fit into a core's own
        cache.
    product : CostProduct, optional
        That of the features and limits, where it is used more than once.
    progress : Progress
        Told of every group of rows.

    Returns
    -------
    EdgeList
        Ordered by source clip, target clip, source frame, target frame.

    Raises
    ------
    InvalidInputError
        When `pairs` names a clip that is not there.
    """
    wanted = pairs.mask(clips.n_clips)
    allowed = make_rules(clips, wanted, rules)
    height = min(_HEIGHT, isqrt(max(block, 1)))
    width = max(block // height, 1)
    scanner = TileScanner(product or CostProduct(features, limits), height * width)
    groups = _row_groups(clips, wanted, height)
    parts: list[EdgeList] = []
    for k, (first, last) in enumerate(groups):
        progress("finding transitions", k, len(groups))
        tiles = [
            t for t in _tiles(clips, wanted, first, last, height, width) if allowed.allow_any(*t)
        ]
        near = EdgeList.join(
            [EdgeList(*scanner.below(*tile, allowed.here, allowed.there)) for tile in tiles]
        )
        i, j, cost = near.arrays
        parts.append(EdgeList(*one_way(allowed, i, j, cost, first, last, True)))
        parts.append(EdgeList(*one_way(allowed, j, i, cost, first, last, False)))
    progress("finding transitions", len(groups), len(groups))
    return _by_pair(parts, clips)


def _mask(chosen: Sequence[int] | None, n_clips: int, what: str) -> Bools:
    """Mask of the chosen clips."""
    mask = np.full(n_clips, chosen is None)
    if chosen is not None:
        clips = np.asarray(chosen, int)
        if clips.size and (clips.min() < 0 or clips.max() >= n_clips):
            raise InvalidInputError(
                f"{what} must be clips from 0 to {n_clips - 1}, got {list(chosen)}"
            )
        mask[clips] = True
    return mask


def _row_groups(clips: ClipTable, wanted: Bools, height: int) -> list[tuple[int, int]]:
    """Runs ``first <= clip < last`` of clips that are joined with later ones, of up to `height`
    frames or one clip.
    """
    needed = np.triu(wanted | wanted.T).any(axis=1)
    groups: list[tuple[int, int]] = []
    for c in np.flatnonzero(needed).tolist():
        if (
            groups
            and groups[-1][1] == c
            and clips.starts[c + 1] - clips.starts[groups[-1][0]] <= height
        ):
            groups[-1] = (groups[-1][0], c + 1)
        else:
            groups.append((c, c + 1))
    return groups


def _tiles(
    clips: ClipTable, wanted: Bools, first: int, last: int, height: int, width: int
) -> Iterator[tuple[slice, slice]]:
    """Tiles that cover the wanted pairs of the clips ``first <= c < last`` with themselves and
    later ones.
    """
    partner = np.zeros(clips.n_clips, bool)
    partner[first:] = wanted[first:last, first:].any(axis=0) | wanted[first:, first:last].any(
        axis=1
    )
    edges = np.array(runs_of(partner), np.intp).reshape(-1, 2)
    top = int(clips.starts[first])
    bottom = int(clips.starts[last])
    for row in range(top, bottom, height):
        for left, right in clips.starts[edges].tolist():
            for col in range(left, right, width):
                yield slice(row, min(row + height, bottom)), slice(col, min(col + width, right))


def _by_pair(parts: list[EdgeList], clips: ClipTable) -> EdgeList:
    """All parts in one list; each is ordered by clips, and no pair of clips is in two of them.
    Empties `parts`.
    """
    chunks = [_chunks(part.source, part.target, clips.clip_of, clips.n_clips) for part in parts]
    pair = np.concatenate([np.zeros(0, np.int64), *(p for p, _ in chunks)])
    count = np.concatenate([np.zeros(0, np.int64), *(n for _, n in chunks)])
    rank = np.argsort(pair)
    place = np.empty(len(pair), np.int64)
    place[rank] = np.cumsum(count[rank]) - count[rank]
    n = int(count.sum())
    joined = EdgeList(np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.float32))
    while parts:
        part, (_, count) = parts.pop(), chunks.pop()
        place, at = place[: len(place) - len(count)], place[len(place) - len(count) :]
        for whole, own in zip(joined.arrays, part.arrays, strict=True):
            # Frames and costs have as many bytes: what copies them is compiled once.
            _put(whole.view(np.int32), own.view(np.int32), at, count)
    return joined


@kernel
def _chunks(source, target, clip_of, n_clips):  # pragma: no cover - compiled
    """Number and length of every run of edges between the same two clips."""
    pairs = np.empty(len(source), np.int64)
    counts = np.empty(len(source), np.int64)
    n = 0
    for e in range(len(source)):
        pair = np.int64(clip_of[source[e]]) * n_clips + clip_of[target[e]]
        if n == 0 or pairs[n - 1] != pair:
            pairs[n] = pair
            counts[n] = 0
            n += 1
        counts[n - 1] += 1
    return pairs[:n].copy(), counts[:n].copy()


@kernel
def _put(whole, part, place, count):  # pragma: no cover - compiled
    """Copy runs of `part`, `count` long, to their `place` in the whole."""
    begin = 0
    for k in range(len(place)):
        for i in range(count[k]):
            whole[place[k] + i] = part[begin + i]
        begin += count[k]
