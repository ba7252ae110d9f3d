"""Every transition under the threshold, found tile by tile in bounded memory.

Costs are symmetric: every pair of clips is multiplied once, for both directions.

What allows a transition besides its cost, and alike pairs of frames turned into ordered
transitions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import kernel
from motionloom.curves import runs_of
from motionloom.declared import Range, Shape
from motionloom.graph.transitions.product import TILE, CostProduct, Frames
from motionloom.progress import Progress, silent
from motionloom.typing import Bools, Ints, Singles


class Rules(NamedTuple):
    """Where transitions may begin and end.

    Parameters
    ----------
    clip_of : int32 array of shape (N,)
        Clip of every frame.
    starts : int64 array of shape (C + 1,)
        First frame of every clip, and the number of frames N.
    leaves, enters : bool arrays of shape (N,)
        Frames that a transition may leave, and those that it may enter.
    here, there : int32 arrays of shape (N,) or (0,)
        Where islands are given, a transition from i to j must lead from one, ``here[i]``, to
        another, ``there[j]``; -1 is none.
    min_jump : int, frames
        Shortest jump within one clip.
    wanted : bool array of shape (C, C)
        Pairs of clips, from and to.
    """

    clip_of: Frames
    starts: Ints
    leaves: Bools
    enters: Bools
    here: Frames
    there: Frames
    min_jump: int
    wanted: Bools

    def allow_any(self, a: slice, b: slice) -> bool:
        """Whether the islands let some transition lead from frames `a` to frames `b` or back.

        Parameters
        ----------
        a, b : slice
            Frames, counted through all clips.

        Returns
        -------
        bool
            Always true where no islands are given.
        """
        return (
            len(self.here) == 0
            or _differ(self.here[a], self.there[b])
            or _differ(self.here[b], self.there[a])
        )


def make_rules(
    starts: Ints,
    min_piece: int,
    min_jump: int,
    island: Frames | None = None,
    wanted: Bools | None = None,
) -> Rules:
    """What transitions need besides a low cost.

    Parameters
    ----------
    starts : int64 array of shape (C + 1,)
        First frame of every clip, and the number of frames N.
    min_piece : int, frames
        A transition leaves a clip no earlier than this after its start and enters one no later than
        this before its end.
    min_jump : int, frames
        Transitions within one clip that skip or repeat fewer frames are left out.
    island : int32 array of shape (N,), optional
        Only transitions that lead from one island to another; -1 is no island. What counts is where
        a transition leaves and where it has played `min_piece` frames.
    wanted : bool array of shape (C, C), optional
        Pairs of clips, from and to; all when not given.

    Returns
    -------
    Rules
        For N frames.
    """
    starts = np.array(starts, np.int64)
    n_clips = len(starts) - 1
    clip_of = np.repeat(np.arange(n_clips, dtype=np.int32), np.diff(starts))
    frame = np.arange(starts[-1])
    last = starts[clip_of + 1]
    here = there = np.zeros(0, np.int32)
    if island is not None:
        here = np.array(island, np.int32)
        stays = frame + min_piece < last
        there = np.where(stays, here[np.where(stays, frame + min_piece, 0)], np.int32(-1))
    return Rules(
        clip_of=clip_of,
        starts=starts,
        leaves=frame - starts[clip_of] >= min_piece,
        enters=frame + min_piece <= last,
        here=here,
        there=there,
        min_jump=min_jump,
        wanted=np.ones((n_clips, n_clips), bool) if wanted is None else wanted,
    )


def _differ(here: Frames, there: Frames) -> bool:
    """Whether some island of `here` is another than some island of `there`."""
    here = here[here >= 0]
    there = there[there >= 0]
    if len(here) == 0 or len(there) == 0:
        return False
    return bool(min(here.min(), there.min()) < max(here.max(), there.max()))


@kernel
def one_way(
    rules: Rules, source: Frames, target: Frames, cost: Singles, first: int, last: int, forth: bool
) -> tuple[Frames, Frames, Singles]:  # pragma: no cover - compiled
    """Allowed transitions, ordered by clips, then source, then target.

    Parameters
    ----------
    rules : Rules
        What allows a transition besides its cost.
    source, target, cost : arrays of shape (E,)
        Alike pairs; for every source the targets come in ascending order.
    first, last : int
        Clips ``first <= c < last`` of the rows of the product; its columns are those of clips from
        `first` on.
    forth : bool
        Whether the sources are the rows and lead to their own clip or a later one; otherwise they
        are the columns and lead to an earlier one.
    """
    clip_of = rules.clip_of
    starts = rules.starts
    n_clips = len(starts) - 1
    end, n_to = (last, n_clips - first) if forth else (n_clips, last - first)
    low = starts[first]
    # One place for every source frame and clip that it leads to: a counting sort by both at once.
    place = np.zeros((starts[end] - low) * n_to + 1, np.int64)
    bucket = np.empty(len(source), np.int64)
    for e in range(len(source)):
        i = source[e]
        j = target[e]
        a = clip_of[i]
        b = clip_of[j]
        ok = (a <= b) == forth and rules.wanted[a, b] and rules.leaves[i] and rules.enters[j]
        ok = ok and (a != b or abs(i - j) >= rules.min_jump)
        if ok and len(rules.here) > 0:
            ok = 0 <= rules.here[i] != rules.there[j] >= 0
        bucket[e] = (
            (starts[a] - low) * n_to + (b - first) * (starts[a + 1] - starts[a]) + i - starts[a]
            if ok
            else -1
        )
        if ok:
            place[bucket[e] + 1] += 1
    for k in range(1, len(place)):
        place[k] += place[k - 1]
    n = place[-1]
    sources = np.empty(n, np.int32)
    targets = np.empty(n, np.int32)
    costs = np.empty(n, np.float32)
    for e in range(len(source)):
        if bucket[e] >= 0:
            k = place[bucket[e]]
            sources[k] = source[e]
            targets[k] = target[e]
            costs[k] = cost[e]
            place[bucket[e]] += 1
    return sources, targets, costs


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

    def take(self, chosen: NDArray[np.bool_ | np.int64] | slice) -> EdgeList:
        """Edges selected by a mask, an index array or a slice."""
        return EdgeList(self.source[chosen], self.target[chosen], self.cost[chosen])


def find_edges(
    product: CostProduct, rules: Rules, *, block: int = TILE, progress: Progress = silent
) -> EdgeList:
    """Find every pair of frames whose cost is under its threshold.

    The transitions between two clips, their order and their costs depend on these clips alone,
    neither on what else is asked for nor on `block`.

    Parameters
    ----------
    product : CostProduct
        Features and thresholds of all frames.
    rules : Rules
        Shortest piece, shortest jump, islands, and pairs of clips.
    block : int
        Largest number of pairs looked at in one go; it is fastest where they fit into a core's own
        cache.
    progress : Progress
        Told of every group of rows.

    Returns
    -------
    EdgeList
        Ordered by source clip, target clip, source frame, target frame.
    """
    height = min(_HEIGHT, isqrt(max(block, 1)))
    width = max(block // height, 1)
    groups = _row_groups(rules, height)
    parts: list[EdgeList] = []
    for k, (first, last) in enumerate(groups):
        progress("finding transitions", k, len(groups))
        tiles = [t for t in _tiles(rules, first, last, height, width) if rules.allow_any(*t)]
        near = EdgeList.join(
            [EdgeList(*product.below(*tile, rules.here, rules.there)) for tile in tiles]
        )
        i, j, cost = near.arrays
        parts.append(EdgeList(*one_way(rules, i, j, cost, first, last, True)))
        parts.append(EdgeList(*one_way(rules, j, i, cost, first, last, False)))
    progress("finding transitions", len(groups), len(groups))
    return _by_pair(parts, rules)


def _row_groups(rules: Rules, height: int) -> list[tuple[int, int]]:
    """Runs ``first <= clip < last`` of clips that are joined with later ones, of up to `height`
    frames or one clip.
    """
    needed = np.triu(rules.wanted | rules.wanted.T).any(axis=1)
    groups: list[tuple[int, int]] = []
    for c in np.flatnonzero(needed).tolist():
        if (
            groups
            and groups[-1][1] == c
            and rules.starts[c + 1] - rules.starts[groups[-1][0]] <= height
        ):
            groups[-1] = (groups[-1][0], c + 1)
        else:
            groups.append((c, c + 1))
    return groups


def _tiles(
    rules: Rules, first: int, last: int, height: int, width: int
) -> Iterator[tuple[slice, slice]]:
    """Tiles that cover the wanted pairs of the clips ``first <= c < last`` with themselves and
    later ones.
    """
    wanted = rules.wanted | rules.wanted.T
    partner: Bools = np.logical_or.reduce(wanted[first:last])
    partner[:first] = False
    edges = np.array(runs_of(partner), np.intp).reshape(-1, 2)
    top, bottom = rules.starts[[first, last]].tolist()
    for row in range(top, bottom, height):
        for left, right in rules.starts[edges].tolist():
            for col in range(left, right, width):
                yield slice(row, min(row + height, bottom)), slice(col, min(col + width, right))


def _by_pair(parts: list[EdgeList], rules: Rules) -> EdgeList:
    """All parts in one list; each is ordered by clips, and no pair of clips is in two of them.
    Empties `parts`.
    """
    n_clips = len(rules.starts) - 1
    chunks = [_chunks(part.source, part.target, rules.clip_of, n_clips) for part in parts]
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
