"""Every splice under the threshold, found tile by tile in bounded memory.

Costs are symmetric: every pair of clips is multiplied once, for both directions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.graph.clips import ClipSet
from motionloom.graph.product import TILE, CostProduct, Frames
from motionloom.progress import Progress, silent

#: Most rows of a tile: short clips are taken together until they have so many.
_HEIGHT = 512


@dataclass(frozen=True, eq=False)
class EdgeList:
    """Splices: frame `source` is replaced by frame `target` (both counted through all clips).

    Parameters
    ----------
    source, target : int32 arrays of shape (E,)
    cost : float32 array of shape (E,)
        Transition cost divided by its threshold: 1 is just allowed, 0 is the same pose.
    """

    source: Frames
    target: Frames
    cost: NDArray[np.float32]

    @classmethod
    def join(cls, parts: Sequence[EdgeList]) -> EdgeList:
        """Edges of all parts, one after the other."""
        if not parts:
            return cls(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))
        return cls(
            np.concatenate([e.source for e in parts]),
            np.concatenate([e.target for e in parts]),
            np.concatenate([e.cost for e in parts]),
        )

    def take(self, chosen: NDArray) -> EdgeList:
        """Edges selected by a mask or an index array."""
        return EdgeList(self.source[chosen], self.target[chosen], self.cost[chosen])


def find_edges(
    clips: ClipSet,
    features: NDArray[np.float64],
    limits: NDArray[np.float64],
    *,
    rows: Sequence[int] | None = None,
    cols: Sequence[int] | None = None,
    both: bool = False,
    min_piece: int,
    min_jump: int,
    island: Frames | None = None,
    block: int = TILE,
    progress: Progress = silent,
) -> EdgeList:
    """Find every pair of frames whose cost is under its threshold.

    The splices between two clips, their order and their costs depend on these clips alone, neither on what else is
    asked for nor on `block`.

    Parameters
    ----------
    clips : ClipSet
    features : array of shape (N, D)
        Scaled features; their squared distance is the cost.
    limits : array of shape (N,)
        Square roots of the thresholds: frames i and j may be joined when their cost is below ``limits[i] * limits[j]``.
    rows, cols : sequences of int, optional
        Clips that splices leave, clips that they enter; all when not given.
    both : bool
        Also the splices from `cols` to `rows`, which cost hardly more work.
    min_piece : int, frames
        A splice leaves a clip no earlier than this after its start and enters one no later than this before its end.
    min_jump : int, frames
        Splices within one clip that skip or repeat fewer frames are left out.
    island : int32 array of shape (N,), optional
        Only splices that lead from one island to another; -1 is no island. What counts is where a splice leaves and
        where it has played `min_piece` frames.
    block : int
        Largest number of pairs looked at in one go; it is fastest where they fit into a core's own cache.
    progress : Progress

    Returns
    -------
    EdgeList
        Ordered by source clip, target clip, source frame, target frame.

    Raises
    ------
    InvalidInputError
        When `rows` or `cols` names a clip that is not there.
    """
    wanted = _mask(rows, clips.n_clips, "rows")[:, None] & _mask(cols, clips.n_clips, "cols")
    if both:
        wanted |= wanted.T
    rules = _make_rules(clips, min_piece, min_jump, island)
    height = min(_HEIGHT, isqrt(max(block, 1)))
    width = max(block // height, 1)
    product = CostProduct(features, limits, height * width)
    groups = _row_groups(clips, wanted, height)
    parts: list[EdgeList] = []
    for k, (first, last) in enumerate(groups):
        progress("finding splices", k, len(groups))
        tiles = [t for t in _tiles(clips, wanted, first, last, height, width) if rules.allow_any(*t)]
        near = EdgeList.join([EdgeList(*product.below(*tile)) for tile in tiles])
        parts += _both_ways(near, wanted, rules, first, last)
    progress("finding splices", len(groups), len(groups))
    return _by_pair(parts, clips)


@dataclass(frozen=True, eq=False)
class _Rules:
    """What allows a splice besides its cost; arrays over all frames.

    `leaves` marks frames that a splice may leave, `enters` those that it may enter. Where islands are given, a splice
    from i to j must lead from one, ``here[i]``, to another, ``there[j]``; -1 is none.
    """

    clip_of: Frames
    leaves: NDArray[np.bool_]
    enters: NDArray[np.bool_]
    here: Frames
    there: Frames
    min_jump: int

    def allow_any(self, a: slice, b: slice) -> bool:
        """Whether the islands let some splice lead from the frames `a` to the frames `b` or back."""
        return len(self.here) == 0 or _differ(self.here[a], self.there[b]) or _differ(self.here[b], self.there[a])

    def allow(self, source: Frames, target: Frames) -> NDArray[np.bool_]:
        """Mask of the splices that are allowed."""
        ok = self.leaves[source] & self.enters[target]
        ok &= (self.clip_of[source] != self.clip_of[target]) | (np.abs(source - target) >= self.min_jump)
        if len(self.here):
            here, there = self.here[source], self.there[target]
            ok &= (here != there) & (here >= 0) & (there >= 0)
        return ok


def _differ(here: Frames, there: Frames) -> bool:
    """Whether some island of `here` is another than some island of `there`."""
    here, there = here[here >= 0], there[there >= 0]
    if len(here) == 0 or len(there) == 0:
        return False
    return bool(min(here.min(), there.min()) < max(here.max(), there.max()))


def _make_rules(clips: ClipSet, min_piece: int, min_jump: int, island: Frames | None) -> _Rules:
    frame, first, last = np.arange(clips.n_frames), clips.starts[clips.clip_of], clips.starts[clips.clip_of + 1]
    leaves, enters = frame - first >= min_piece, frame + min_piece <= last
    here = there = np.zeros(0, np.int32)
    if island is not None:
        here, stays = np.asarray(island, np.int32), frame + min_piece < last
        there = np.where(stays, here[np.where(stays, frame + min_piece, 0)], np.int32(-1))
    return _Rules(clips.clip_of, leaves, enters, here, there, min_jump)


def _mask(chosen: Sequence[int] | None, n_clips: int, what: str) -> NDArray[np.bool_]:
    """Mask of the chosen clips."""
    mask = np.full(n_clips, chosen is None)
    if chosen is not None:
        clips = np.asarray(chosen, int)
        if clips.size and (clips.min() < 0 or clips.max() >= n_clips):
            raise InvalidInputError(f"{what} must be clips from 0 to {n_clips - 1}, got {list(chosen)}")
        mask[clips] = True
    return mask


def _row_groups(clips: ClipSet, wanted: NDArray[np.bool_], height: int) -> list[tuple[int, int]]:
    """Runs ``first <= clip < last`` of clips that are joined with later ones, of up to `height` frames or one clip."""
    needed = np.triu(wanted | wanted.T).any(axis=1)
    groups: list[tuple[int, int]] = []
    for c in np.flatnonzero(needed).tolist():
        if groups and groups[-1][1] == c and clips.starts[c + 1] - clips.starts[groups[-1][0]] <= height:
            groups[-1] = (groups[-1][0], c + 1)
        else:
            groups.append((c, c + 1))
    return groups


def _tiles(
    clips: ClipSet, wanted: NDArray[np.bool_], first: int, last: int, height: int, width: int
) -> Iterator[tuple[slice, slice]]:
    """Tiles that cover the wanted pairs of the clips ``first <= c < last`` with themselves and later ones."""
    partner = np.zeros(clips.n_clips, bool)
    partner[first:] = wanted[first:last, first:].any(axis=0) | wanted[first:, first:last].any(axis=1)
    edges = np.flatnonzero(np.diff(partner, prepend=False, append=False)).reshape(-1, 2)
    top, bottom = int(clips.starts[first]), int(clips.starts[last])
    for row in range(top, bottom, height):
        for left, right in clips.starts[edges].tolist():
            for col in range(left, right, width):
                yield slice(row, min(row + height, bottom)), slice(col, min(col + width, right))


@njit(cache=True)
def _order(keys, n_keys):  # pragma: no cover - compiled
    """Stable counting sort of keys in ``range(n_keys)``: where each sorted element comes from."""
    place = np.zeros(n_keys + 1, np.int64)
    for key in keys:
        place[key + 1] += 1
    for k in range(n_keys):
        place[k + 1] += place[k]
    order = np.empty(len(keys), np.int64)
    for i in range(len(keys)):
        order[place[keys[i]]] = i
        place[keys[i]] += 1
    return order


def _both_ways(
    near: EdgeList, wanted: NDArray[np.bool_], rules: _Rules, first: int, last: int
) -> tuple[EdgeList, EdgeList]:
    """Allowed splices from the clips ``first <= c < last`` to themselves and later ones, and from later ones to them.

    Both are ordered by pair of clips, then source and target. The pairs of a row of `near` are in ascending order.
    """
    near = _sorted_by(near, near.source)
    a, b = rules.clip_of[near.source], rules.clip_of[near.target]
    forth = near.take((a <= b) & wanted[a, b] & rules.allow(near.source, near.target))
    back = near.take((a < b) & wanted[b, a] & rules.allow(near.target, near.source))
    back = EdgeList(back.target, back.source, back.cost)
    back = _sorted_by(back, back.source)
    n, n_clips = last - first, len(wanted)
    to_clip = (rules.clip_of[forth.source] - first) * n_clips + rules.clip_of[forth.target]
    from_clip = rules.clip_of[back.source] * n + rules.clip_of[back.target] - first
    return forth.take(_order(to_clip, n * n_clips)), back.take(_order(from_clip, n * n_clips))


def _sorted_by(edges: EdgeList, frames: Frames) -> EdgeList:
    """Edges in the order of `frames`; equal ones stay in their order."""
    if len(frames) == 0:
        return edges
    low = frames.min()
    return edges.take(_order(frames - low, int(frames.max() - low) + 1))


def _by_pair(parts: list[EdgeList], clips: ClipSet) -> EdgeList:
    """All parts in one list; each is ordered by pair of clips, and no pair is in two of them. Empties `parts`."""
    pairs, counts = [], []
    for edges in parts:
        pair = clips.clip_of[edges.source].astype(np.int64) * clips.n_clips + clips.clip_of[edges.target]
        begins = np.flatnonzero(np.diff(pair, prepend=-1))
        pairs.append(pair[begins])
        counts.append(np.diff(begins, append=len(pair)))
    every, count = np.concatenate([*pairs, []]).astype(int), np.concatenate([*counts, []]).astype(int)
    rank = np.argsort(every)
    place = np.empty(len(every), int)
    place[rank] = np.cumsum(count[rank]) - count[rank]
    n = int(count.sum())
    joined = EdgeList(np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.float32))
    while parts:
        edges, own = parts.pop(), counts.pop()
        place, at = place[: len(place) - len(own)], place[len(place) - len(own) :]
        index = np.repeat(at - (np.cumsum(own) - own), own) + np.arange(len(edges.source))
        joined.source[index], joined.target[index], joined.cost[index] = edges.source, edges.target, edges.cost
    return joined
