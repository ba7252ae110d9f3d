"""Every transition under the threshold, found tile by tile in bounded memory.

Costs are symmetric: every pair of clips is multiplied once, for both directions.

What allows a transition besides its cost, and alike pairs of frames turned into ordered
transitions.

What transitions need to know of clips: how their frames are counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Annotated, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import kernel
from motionloom.curves import runs_of
from motionloom.declared import Range, Shape
from motionloom.errors import InvalidInputError
from motionloom.graph.transitions.product import TILE, CostProduct, Frames, TileScanner
from motionloom.progress import Progress, silent
from motionloom.typing import Array, Bools, Ints, Singles


@dataclass(frozen=True, eq=False)
class EdgeRules:
    """What a transition needs besides a low cost.

    Parameters
    ----------
    min_piece : int, frames
        A transition leaves a clip no earlier than this after its start and enters one no later than
        this before its end.
    min_jump : int, frames
        Transitions within one clip that skip or repeat fewer frames are left out.
    island : int32 array of shape (N,), optional
        Only transitions that lead from one island to another; -1 is no island. What counts is where
        a transition leaves and where it has played `min_piece` frames.
    """

    min_piece: int
    min_jump: int
    island: Frames | None = None


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


def make_rules(clips: _ClipTable, wanted: Bools, asked: EdgeRules) -> Rules:
    """Rules of the transitions between the wanted pairs of clips.

    Parameters
    ----------
    clips : ClipTable
        How the frames are counted.
    wanted : bool array of shape (C, C)
        Pairs of clips, from and to.
    asked : EdgeRules
        Shortest piece, shortest jump, and islands.

    Returns
    -------
    Rules
        For N frames.
    """
    min_piece = asked.min_piece
    frame = np.arange(clips.n_frames)
    first = clips.starts[clips.clip_of]
    last = clips.starts[clips.clip_of + 1]
    leaves = frame - first >= min_piece
    enters = frame + min_piece <= last
    here = there = np.zeros(0, np.int32)
    if asked.island is not None:
        here = np.array(asked.island, np.int32)
        stays = frame + min_piece < last
        there = np.where(stays, here[np.where(stays, frame + min_piece, 0)], np.int32(-1))
    return Rules(
        clips.clip_of, np.array(clips.starts), leaves, enters, here, there, asked.min_jump, wanted
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


class _ClipTable(Protocol):
    """Frames of all clips counted through: clip c owns ``starts[c] <= i < starts[c + 1]``."""

    @property
    def starts(self) -> Ints:
        """First frame of every clip, and the number of frames, shape (C + 1,)."""

    @property
    def clip_of(self) -> NDArray[np.int32]:
        """Clip of every frame, shape (N,)."""

    @property
    def n_clips(self) -> int:
        """Number of clips C."""

    @property
    def n_frames(self) -> int:
        """Number of frames N."""


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
    clips: _ClipTable,
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


def _row_groups(clips: _ClipTable, wanted: Bools, height: int) -> list[tuple[int, int]]:
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
    clips: _ClipTable, wanted: Bools, first: int, last: int, height: int, width: int
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


def _by_pair(parts: list[EdgeList], clips: _ClipTable) -> EdgeList:
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
