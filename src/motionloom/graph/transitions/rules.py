"""What allows a transition besides its cost, and alike pairs of frames turned into ordered
transitions.

What transitions need to know of clips: how their frames are counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import kernel
from motionloom.graph.transitions.product import Frames
from motionloom.typing import Bools, Ints, Singles


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


def make_rules(clips: ClipTable, wanted: Bools, asked: EdgeRules) -> Rules:
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


class ClipTable(Protocol):
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
