"""Clips that the threshold leaves apart: the best bridges to them, and why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from motionloom.clips.clip_set import ClipSet
from motionloom.clips.coverage import pace_borders
from motionloom.graph.transitions._cost import torso_positions
from motionloom.graph.transitions.connect import (
    Connection,
    Find,
    Labels,
    find_islands,
    join_edges,
    rank_labels,
    strong_components,
)
from motionloom.graph.transitions.edges import EdgeList, Rules, make_rules
from motionloom.graph.transitions.options import GraphOptions
from motionloom.typing import Array, Bools, Ints

#: Multiples of the threshold that are tried one after the other, beyond those of all bridges.
_STEPS = 1.5
#: For every stretch of so many seconds of an island the best way in and the best way out are taken.
_STRETCH = 0.25
#: The hips' speed is a mean over so many seconds on either side; it may change at a bridge as much
#: as the clips change it in twice that time.
_SPEED_SPAN = 0.1
_CHANGE_SPAN = 0.2
#: Of the changes of a clip, this quantile counts: one glitch is no burst of speed.
_CHANGE_QUANTILE = 0.99
#: Pairs of frames compared in one go.
_PAIRS = 1 << 21
#: Clips of an island that are named.
_MOST_NAMES = 3
_PACES = ("standing", "moving slowly", "walking", "running")


@dataclass(frozen=True, eq=False)
class HipSpeeds:
    """How the hips move, and how fast the clips change that.

    Parameters
    ----------
    velocity : array of shape (N, 2), metres per second
        Seen from where the body faces.
    allowed : array of shape (C,), metres per second
        By how much every clip changes it within a fifth of a second.
    """

    velocity: Array
    allowed: Array

    def accept(self, clips: ClipSet, source: Labels, target: Labels) -> Bools:
        """Transitions at which the hips change their velocity no more than one of both clips
        does.

        Parameters
        ----------
        clips : ClipSet
            N frames.
        source, target : int arrays of shape (E,)
            Transitions, as in `EdgeList`.

        Returns
        -------
        bool array of shape (E,)
        """
        jump = np.linalg.norm(self.velocity[source] - self.velocity[target], axis=-1)
        allowed = self.allowed[clips.clip_of]
        return jump <= np.maximum(allowed[source], allowed[target])

    def speed(self, frame: int) -> float:
        """Speed in one frame, metres per second."""
        return float(np.linalg.norm(self.velocity[frame]))


def measure_hips(clips: ClipSet) -> HipSpeeds:
    """Measure how the hips of all clips move."""
    half = max(1, round(_SPEED_SPAN * clips.fps))
    later = max(1, round(_CHANGE_SPAN * clips.fps))
    velocity = np.empty((clips.n_frames, 2))
    allowed = np.zeros(clips.n_clips)
    for c, (a, b) in enumerate(zip(clips.starts[:-1], clips.starts[1:], strict=True)):
        frame = np.arange(a, b)
        low, high = np.maximum(frame - half, a), np.minimum(frame + half, b - 1)
        moved = (clips.body[high] - clips.body[low])[:, :2]
        x, z = (moved * (clips.fps / np.maximum(high - low, 1))[:, None]).T
        sine, cosine = np.sin(clips.body[a:b, 2]), np.cos(clips.body[a:b, 2])
        velocity[a:b] = np.column_stack([x * sine + z * cosine, x * cosine - z * sine])
        if b - a > later:
            change = np.linalg.norm(velocity[a + later : b] - velocity[a : b - later], axis=1)
            allowed[c] = np.quantile(change, _CHANGE_QUANTILE)
    return HipSpeeds(velocity, allowed)


def join_islands(
    clips: ClipSet,
    features: Array,
    limits: Array,
    connection: Connection,
    finds: Sequence[Find],
    options: GraphOptions,
) -> Connection:
    """Look for bridges to every island that is left, and say why there is none.

    Ever larger multiples of the threshold are tried, only for islands that smaller ones leave
    apart. For every quarter of a second of an island the best way in and the best way out are
    taken, unless the hips would have to change their velocity faster there than in both clips.

    Parameters
    ----------
    clips : ClipSet
    features : array of shape (N, D)
    limits : array of shape (N,)
        Square roots of the thresholds.
    connection : Connection
    finds : sequence of functions
        As for `connect`, from the strictest to the loosest; one is used where those before it leave
        islands.
    options : GraphOptions
        Shortest piece and jump, smallest island, and how loose bridges may be.

    Returns
    -------
    Connection
    """
    levels = ascending_levels(options.bridges, options.farthest)
    smallest = options.smallest_island
    piece = options.min_piece
    usual = np.maximum(limits, np.median(limits))
    before = _share(clips, connection.component == 0) > 0
    island = find_islands(clips, connection.component, smallest)
    if not (island > 0).any():
        return connection
    hips = measure_hips(clips)
    edges, label, loosest = connection.edges, connection.component, connection.loosest
    for find, looser in product(finds, levels):
        if not (island > 0).any():
            break
        found = find(np.sqrt(looser) * usual, island)
        found = found.take(hips.accept(clips, found.source, found.target))
        best = found.take(_best(clips, found, island, piece))
        joined = rank_labels(strong_components(clips, best, piece, label))
        # A way in without a way out is a dead end: only bridges within one component are kept.
        useful = joined[best.source] == joined[_arrival(clips, best.target, piece)]
        if useful.any():
            # A bridge is known by its cost, also where one of both frames hardly moves.
            cost = np.maximum(looser * best.cost, np.nextafter(np.float32(1), np.float32(2)))
            more = EdgeList(best.source, best.target, cost.astype(np.float32)).take(useful)
            edges = join_edges(clips, edges, more)
            loosest = max(loosest, looser)
            label = joined
        island = find_islands(clips, label, smallest)
    after = _share(clips, label == 0) > 0
    bridged = tuple(n for n, a, b in zip(clips.names, before, after, strict=True) if b > a)
    sizes = np.sort(np.bincount(label))[::-1]
    reach, farthest = (usual, levels[-1]) if levels else (limits, 1.0)
    seen = _Apart(clips, features, reach, hips, options, island, farthest)
    reasons = tuple(seen.explain(u) for u in np.unique(island[island > 0]).tolist())
    return Connection(edges, label, sizes, loosest, bridged, reasons)


def _share(clips: ClipSet, frames: Bools) -> Array:
    return np.add.reduceat(frames.astype(float), clips.starts[:-1]) / np.diff(clips.starts)


def ascending_levels(bridges: Sequence[float], farthest: float) -> list[float]:
    """Multiples of the threshold: those of `bridges`, and on from there, the last one `farthest`;
    none when that is 1.

    Parameters
    ----------
    bridges : sequence of float
        Ascending, above 1.
    farthest : float
        From 1 on.

    Returns
    -------
    list of float
    """
    levels = [b for b in bridges if b < farthest]
    while levels and levels[-1] * _STEPS < farthest:
        levels.append(levels[-1] * _STEPS)
    return [*levels, farthest] if farthest > 1 else []


def _arrival(clips: ClipSet, target: Labels, min_piece: int) -> Ints:
    """Frames that a transition has arrived in; the clip's last where it ends before."""
    return np.minimum(
        target.astype(np.int64) + min_piece, clips.starts[clips.clip_of[target] + 1] - 1
    )


def _best(clips: ClipSet, found: EdgeList, island: Labels, min_piece: int) -> Bools:
    """The cheapest way in and way out of every stretch of every island."""
    stretch = max(1, round(_STRETCH * clips.fps))
    here = island[found.source]
    there = island[_arrival(clips, found.target, min_piece)]
    best = np.zeros(len(found.source), bool)
    for own, other, frame in ((here, there, found.source), (there, here, found.target)):
        away = np.flatnonzero(own > 0)
        clip = clips.clip_of[frame[away]]
        part = clips.starts[clip] + (frame[away] - clips.starts[clip]) // stretch * stretch
        keys = (found.target[away], found.source[away], found.cost[away], other[away], part)
        # The last key counts most: stretch, then the island it leads to, then cost; frames break
        # ties.
        order = np.lexsort(keys)
        part, other = part[order], other[away][order]
        first = np.ones(len(order), bool)
        first[1:] = (part[1:] != part[:-1]) | (other[1:] != other[:-1])
        best[away[order[first]]] = True
    return best


@dataclass(frozen=True)
class _Nearest:
    """The pair of frames that comes nearest to a transition one way.

    Parameters
    ----------
    ratio : float
        Its cost over the threshold; infinite when the rules allow no pair.
    source, target : int
    open : bool
        Whether some pair is near enough and smooth enough to be a bridge.
    smooth : bool
        Whether the hips' velocity changes no more in it than in the clips.
    """

    ratio: float
    source: int
    target: int
    open: bool
    smooth: bool


@dataclass(frozen=True, eq=False)
class _Apart:
    """What tells why islands are left."""

    clips: ClipSet
    features: Array
    limits: Array
    hips: HipSpeeds
    options: GraphOptions
    island: Labels
    farthest: float

    def explain(self, own: int) -> str:
        """The clips of an island, and why nothing joins it."""
        clips = self.clips
        inside = _share(clips, self.island == own)
        names = [n for n, s in zip(clips.names, inside, strict=True) if s > 0]
        whole = inside[inside > 0].min() >= 0.5
        into, out = self._nearest(0, own), self._nearest(own, 0)
        who = _named(names) if whole else f"parts of {_named(names)}"
        it = "it" if len(names) == 1 else "them"
        said = f"{who}: {self._why(into, out, it)}"
        # Names of clips come from files of strangers and go to terminals.
        return "".join(c if c.isprintable() else " " for c in said)

    def _why(self, into: _Nearest, out: _Nearest, it: str) -> str:
        if not np.isfinite([into.ratio, out.ratio]).all():
            return (
                f"too short to be entered and left (a piece needs {self.options.min_piece} frames);"
                " use a longer take"
            )
        if into.open and out.open:
            return (
                f"what leads into {it} comes after what leads out of {it}; add a clip that begins"
                f" like the end of {it}, or use a longer take"
            )
        if into.open or out.open:
            way, shut = ("out of", out) if into.open else ("into", into)
            return f"nothing leads {way} {it}: {self._gap(shut)}; {self._remedy(shut)}"
        remedy = self._remedy(into)
        return (
            f"nothing leads into {it} or out of {it}: {self._gap(into)}; {remedy}, and one that"
            " leads back"
        )

    def _gap(self, n: _Nearest) -> str:
        """What the nearest frames differ by."""
        clips = self.clips
        speeds = f"hips' speed {self.hips.speed(n.source):.1f} against"
        speeds += f" {self.hips.speed(n.target):.1f} m/s"
        frames = f"{self._frame(n.source)} and {self._frame(n.target)}"
        if n.ratio < self.farthest:
            most = self.hips.allowed[clips.clip_of[[n.source, n.target]]].max()
            jump = np.linalg.norm(self.hips.velocity[n.source] - self.hips.velocity[n.target])
            return (
                f"the hips would change their velocity by {jump:.1f} m/s at once, where these clips"
                f" do so by {most:.1f} in {_CHANGE_SPAN:g} s ({speeds}; {frames})"
            )
        both = torso_positions(clips)[[n.source, n.target]]
        apart = np.linalg.norm(both[0] - both[1], axis=1)
        joint = int(np.argmax(apart))
        return (
            f"the nearest frames, {frames}, differ by {n.ratio:.1f} times the threshold, and a"
            f" bridge may by {self.farthest:g} ({speeds}; {clips.skeleton.names[joint]}"
            f" {100 * apart[joint]:.0f} cm apart)"
        )

    def _frame(self, frame: int) -> str:
        clip = int(self.clips.clip_of[frame])
        second = (frame - int(self.clips.starts[clip])) / self.clips.fps
        return f"{self.clips.names[clip]} at {second:.2f} s"

    def _remedy(self, n: _Nearest) -> str:
        """The clip that is missing."""
        if n.smooth:
            return (
                f"add a clip that leads from the pose of {self._frame(n.source)} to that of"
                f" {self._frame(n.target)}"
            )
        before, after = self.hips.speed(n.source), self.hips.speed(n.target)
        borders = pace_borders(self.clips)
        old, new = (_PACES[int(np.searchsorted(borders, v, side="right"))] for v in (before, after))
        verb = "slows down" if after < before else "speeds up"
        paces = f"{old} to {new}" if old != new else f"{before:.1f} to {after:.1f} m/s"
        return f"add a clip in which somebody {verb} from {paces}"

    def _nearest(self, here: int, there: int) -> _Nearest:
        """The nearest pair of frames from one island to another."""
        clips = self.clips
        piece, jump = self.options.min_piece, self.options.min_jump
        rules = make_rules(clips.starts, piece, jump, self.island)
        source = np.flatnonzero((rules.here == here) & rules.leaves)
        target = np.flatnonzero((rules.there == there) & rules.enters)
        least = (np.inf, -1, -1)
        is_open = False
        height = max(1, _PAIRS // max(len(target), 1))
        for k in range(0, len(source) if len(target) else 0, height):
            i = source[k : k + height]
            ratio = self._ratios(rules, i, target)
            row, col = np.unravel_index(int(np.argmin(ratio)), ratio.shape)
            least = min(least, (float(ratio[row, col]), int(i[row]), int(target[col])))
            r, c = np.nonzero(ratio < self.farthest)
            is_open = is_open or bool(
                self.hips.accept(clips, i[r].astype(np.int32), target[c].astype(np.int32)).any()
            )
        nearest, s, t = least
        smooth = s >= 0 and bool(
            self.hips.accept(clips, np.array([s], np.int32), np.array([t], np.int32)).all()
        )
        return _Nearest(nearest, s, t, is_open, smooth)

    def _ratios(self, rules: Rules, i: NDArray[np.intp], j: NDArray[np.intp]) -> Array:
        """Costs over thresholds; infinite where frames of one clip are too near."""
        a, b = self.features[i], self.features[j]
        square = np.square(a).sum(axis=1)[:, None] + np.square(b).sum(axis=1) - 2 * (a @ b.T)
        ratio: Array = np.maximum(square, 0) / (self.limits[i][:, None] * self.limits[j])
        same = rules.clip_of[i][:, None] == rules.clip_of[j]
        return np.where(same & (abs(i[:, None] - j) < rules.min_jump), np.inf, ratio)


def _named(names: list[str]) -> str:
    """Some clips by their names."""
    if len(names) <= _MOST_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[:_MOST_NAMES])} and {len(names) - _MOST_NAMES} more"
