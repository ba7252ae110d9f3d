"""Pairs of frames that are worth a bridge: those of which the bridge is surest.

Where a body gets while it changes from one way of moving to another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, permutations, product

import numpy as np

from motionloom.analysis.gaits import GRAVITY
from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.travel import Travel, measure_travel
from motionloom.curves import moving_average
from motionloom.edit.root import align_ground
from motionloom.graph.bridging.options import BridgeOptions
from motionloom.graph.transitions.connect import Labels
from motionloom.motion import GroundTransform, Motion
from motionloom.progress import Progress, silent
from motionloom.synthesis.bridges import LOOKED_AT, Bridge
from motionloom.typing import Array, Bools, Ints

#: Velocities are means over about a step, seconds.
WINDOW = 0.5
#: People change their velocity no faster than this share of gravity, and their turn rate no faster
#: than this, radians per second squared.
PUSH, SWING = 0.15, 4.0

#: Time of a clip that is shown before and behind a bridge, seconds, and the least.
AROUND, LEAST = 0.5, 0.34
#: Ints of each side that are looked at first, and pairs whose neighbours are looked at then.
_SIDE, _BEST = 10, 4
#: Neighbours are so far away, seconds.
_NEAR = (-0.07, 0.0, 0.07)
#: The way is as far as both sides go on average, and so many times as far.
_FAR = (0.85, 1.0, 1.15)
#: Bridges from one way of moving to another leave or enter clips so far from each other, seconds.
APART = 0.25
#: Ways of moving that are bridged, those with the most frames.
_MOST_GROUPS = 8


@dataclass(frozen=True)
class Gap:
    """A pair of frames with a gap between them.

    Parameters
    ----------
    doubt : float
        As `Bridge.doubts` says.
    source, target : int
        The last frame before the gap and the first behind it, in the clip set.
    missing : int
        Ints between.
    far : float
        The way, as a multiple of what both sides go on average.
    """

    doubt: float
    source: int
    target: int
    missing: int
    far: float


@dataclass(frozen=True, eq=False)
class Sides:
    """Clips of N frames as they are laid down around gaps, and how the body goes in them but for
    the sway of its steps.

    Parameters
    ----------
    clips : AnalysedClips
        The clips.
    """

    clips: AnalysedClips

    @cached_property
    def grounded(self) -> tuple[Motion, ...]:
        """Every clip with its ground at height 0."""
        pairs = zip(self.clips.clip_set.motions, self.clips.contacts, strict=True)
        return tuple(align_ground(motion, contacts.ground) for motion, contacts in pairs)

    @cached_property
    def heading(self) -> Array:
        """Facing, averaged over a step, shape (N,), radians."""
        clips = self.clips.clip_set
        width = max(round(WINDOW * clips.fps), 1)
        return np.concatenate(
            [
                moving_average(clips.body[a:b, 2], min(width, b - a))
                for a, b in pairwise(clips.starts)
            ]
        )

    @cached_property
    def velocity(self) -> Array:
        """To the left and ahead of the heading, shape (N, 2), metres per second."""
        return np.column_stack([self._travel.left, self._travel.forward])

    @cached_property
    def turn(self) -> Array:
        """Turn rate, shape (N,), radians per second."""
        return np.radians(self._travel.turn)

    @cached_property
    def _travel(self) -> Travel:
        return measure_travel(self.clips.clip_set, WINDOW)

    @cached_property
    def down(self) -> Bools:
        """Which points of the soles are in contact in every frame, shape (N, S)."""
        return np.concatenate([contacts.down for contacts in self.clips.contacts])

    def cut(self, first: int, stop: int) -> Motion:
        """Ints of the clip set, all of one clip."""
        clips = self.clips.clip_set
        clip = int(clips.clip_of[first])
        start = int(clips.starts[clip])
        return self.grounded[clip].cut(first - start, stop - start)

    def before(self, source: int) -> Motion:
        """What a bridge looks at before a gap."""
        clips = self.clips.clip_set
        first = max(source + 1 - LOOKED_AT, int(clips.starts[clips.clip_of[source]]))
        return self.cut(first, source + 1)

    def behind(self, source: Ints, target: Ints, missing: int, far: float) -> list[Motion]:
        """The frames behind gaps, where they are to be."""
        moves = self.moves(source, target, missing + 1, far)
        places = zip(moves.angle, moves.x, moves.z, strict=True)
        known = {frame: self.cut(frame, frame + 1) for frame in np.unique(target).tolist()}
        return [
            known[frame].transformed(GroundTransform(*place))
            for frame, place in zip(target.tolist(), places, strict=True)
        ]

    def moves(self, source: Ints, target: Ints, steps: int, far: float) -> GroundTransform:
        """Transforms of the targets' clips that put each target where it is to be."""
        wanted = self.stands(source, target, steps, far)
        body = self.clips.clip_set.body[target]
        return wanted.compose(GroundTransform.of_body(body).inverse())

    def move(self, gap: Gap) -> GroundTransform:
        """The transform of the target's clip that one gap needs."""
        source = np.array([gap.source])
        target = np.array([gap.target])
        moves = self.moves(source, target, gap.missing + 1, gap.far)
        return GroundTransform(float(moves.angle[0]), float(moves.x[0]), float(moves.z[0]))

    def stands(self, source: Ints, target: Ints, steps: int, far: float) -> GroundTransform:
        """Where the body stands in `target` frames so many frames after `source` frames.

        Its velocity and its turn rate change evenly from those of the one to those of the other.

        Parameters
        ----------
        source, target : int arrays of shape (P,)
            Ints of the clip set.
        steps : int
            Ints from the one to the other.
        far : float
            What the way is multiplied by.

        Returns
        -------
        GroundTransform
            Of P bodies, in the coordinates of the source clips.
        """
        seconds = steps / self.clips.clip_set.fps
        turned = 0.5 * (self.turn[source] + self.turn[target]) * seconds
        middle = GroundTransform(self.heading[source] + 0.5 * turned)
        mean = 0.5 * (self.velocity[source] + self.velocity[target])
        way = middle.apply(mean * (seconds * far))
        sway = self.clips.clip_set.body[target, 2] - self.heading[target]
        angle = self.heading[source] + turned + sway
        place = self.clips.clip_set.body[source, :2] + way
        return GroundTransform(angle, place[:, 0], place[:, 1])

    def seconds(self, source: Ints, target: Ints) -> Array:
        """Time that people need for a change, shape (P,).

        Parameters
        ----------
        source, target : int arrays of shape (P,)
            Ints of the clip set.
        """
        push = np.linalg.norm(self.velocity[target] - self.velocity[source], axis=1)
        swing = np.abs(self.turn[target] - self.turn[source])
        return np.maximum(push / (PUSH * GRAVITY), swing / SWING)


def choose_gaps(
    clips: AnalysedClips,
    groups: Labels,
    bridge: Bridge,
    options: BridgeOptions,
    progress: Progress = silent,
) -> list[list[Gap]]:
    """The gaps from every group to every other of which the bridge is surest.

    Parameters
    ----------
    clips : AnalysedClips
        Clips of N frames.
    groups : int32 array of shape (N,)
        As `find_groups` says.
    bridge : Bridge
        Says how doubtful gaps are.
    options : BridgeOptions
        How long bridges are, how many, and how doubtful at most.
    progress : Progress
        Told of every pair of groups.

    Returns
    -------
    list of list of Gap
        Some of every length for each pair of groups and of speeds; those without any are left out.
    """
    looking = _Looking(Sides(clips), bridge, options)
    found = []
    pairs = list(permutations(range(min(int(groups.max()) + 1, _MOST_GROUPS)), 2))
    for i, (here, there) in enumerate(pairs):
        progress("looking for bridges", i, len(pairs))
        found += looking.best(groups == here, groups == there)
    progress("looking for bridges", len(pairs), len(pairs))
    return [gaps for gaps in found if gaps]


@dataclass(frozen=True, eq=False)
class _Looking:
    """What is needed to compare gaps."""

    sides: Sides
    bridge: Bridge
    options: BridgeOptions

    def best(self, here: Bools, there: Bools) -> list[list[Gap]]:
        """The surest gaps from some frames to others, from the slow and the fast of the ones to the
        slow and the fast of the others: where everybody is slow, all is sure.
        """
        before, behind = self._room
        sides = product(self._halves(here & before), self._halves(there & behind))
        return [self._between(_evenly(source), _evenly(target)) for source, target in sides]

    def _halves(self, frames: Bools) -> list[Ints]:
        """The slower and the faster half of some frames."""
        own = np.flatnonzero(frames)
        speed = np.linalg.norm(self.sides.velocity[own], axis=1)
        slow = speed <= np.median(speed) if len(own) else np.zeros(0, bool)
        return [half for half in (own[slow], own[~slow]) if len(half)]

    def _between(self, source: Ints, target: Ints) -> list[Gap]:
        """The surest gaps of every length."""
        pairs = np.array(np.meshgrid(source, target)).reshape(2, -1)
        return [gap for missing in self._lengths for gap in self._best_of(pairs, missing)]

    def _best_of(self, pairs: Ints, missing: int) -> list[Gap]:
        """The surest gaps of one length."""
        first = sorted(self._gaps(pairs, missing, 1.0), key=_rank)[:_BEST]
        near = sorted({pair for gap in first for pair in self._neighbours(gap)})
        if not near:
            return []
        again = np.array(near).T
        found = [gap for far in _FAR for gap in self._gaps(again, missing, far)]
        return different(sorted(found, key=_rank), self.options.each, self._apart)

    @property
    def _apart(self) -> float:
        return APART * self.sides.clips.clip_set.fps

    @cached_property
    def _lengths(self) -> list[int]:
        fps = self.sides.clips.clip_set.fps
        return sorted({max(round(seconds * fps), 1) for seconds in self.options.seconds})

    @cached_property
    def _room(self) -> tuple[Bools, Bools]:
        """Ints with enough of their clip before them, and behind them."""
        clips = self.sides.clips.clip_set
        least = round(LEAST * clips.fps)
        frame = np.arange(clips.n_frames)
        begin = clips.starts[clips.clip_of]
        end = clips.starts[clips.clip_of + 1]
        return frame - begin >= least, end - frame > least

    def _gaps(self, pairs: Ints, missing: int, far: float) -> list[Gap]:
        """Gaps of one length between pairs of frames (2, P), those that people have time for."""
        pairs = pairs[:, self.sides.seconds(*pairs) <= self._seconds(missing)]
        if not pairs.size:
            return []
        source, target = pairs
        known = {frame: self.sides.before(frame) for frame in np.unique(source).tolist()}
        doubts = self.bridge.doubts(
            [known[frame] for frame in source.tolist()],
            self.sides.behind(source, target, missing, far),
            missing,
        )
        return [
            Gap(float(d), int(s), int(t), missing, far)
            for d, s, t in zip(doubts, source, target, strict=True)
            if d <= self.options.farthest
        ]

    def _seconds(self, missing: int) -> float:
        return (missing + 1) / self.sides.clips.clip_set.fps

    def _neighbours(self, gap: Gap) -> list[tuple[int, int]]:
        clips = self.sides.clips.clip_set
        before, behind = self._room
        steps = {round(seconds * clips.fps) for seconds in _NEAR}
        sources, targets = (
            [frame + step for step in steps if self._is_open(frame, frame + step, room)]
            for frame, room in ((gap.source, before), (gap.target, behind))
        )
        return list(product(sources, targets))

    def _is_open(self, frame: int, other: int, room: Bools) -> bool:
        clip_of = self.sides.clips.clip_set.clip_of
        inside = 0 <= other < len(clip_of) and clip_of[other] == clip_of[frame]
        return bool(inside and room[other])


def different(gaps: Sequence[Gap], most: int, apart: float) -> list[Gap]:
    """The first of some gaps that leave or enter the clips at different moments.

    Parameters
    ----------
    gaps : sequence of Gap
        Best first.
    most : int
        How many are wanted.
    apart : float, frames
        How far from each other they leave the clips, or enter them.

    Returns
    -------
    list of Gap
    """
    found: list[Gap] = []
    for gap in gaps:
        if len(found) < most and all(_distance(gap, one) >= apart for one in found):
            found.append(gap)
    return found


def _distance(gap: Gap, other: Gap) -> int:
    return max(abs(gap.source - other.source), abs(gap.target - other.target))


def _rank(gap: Gap) -> tuple[float, int, int, int, float]:
    return gap.doubt, gap.source, gap.target, gap.missing, gap.far


def _evenly(frames: Ints) -> Ints:
    """Some of the frames, spread evenly."""
    count = min(_SIDE, len(frames))
    return frames[np.linspace(0, len(frames) - 1, count).round().astype(int)]
