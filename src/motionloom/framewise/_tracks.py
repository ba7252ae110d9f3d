"""The tracks of an edit: feet above all, goals that ease in and out beside each other.

Ways of the unknowns through poses that serve the goals: what frames in between settle near.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.interpolate import PchipInterpolator

from motionloom import rotations as rot
from motionloom.curves import minimum_jerk
from motionloom.edit.displacement import decay
from motionloom.framewise._body import ClipBody
from motionloom.framewise._goals import (
    Goal,
    Track,
    build_track,
    own_track,
    reach_of,
    shown_in,
    turn_between,
)
from motionloom.framewise._settle import FrameProblem, settle_near
from motionloom.posed_motion import PosedMotion
from motionloom.progress import breathe
from motionloom.two_bones import unit
from motionloom.typing import Array, Bools, Ints

#: Longest time between frames of a long goal that are tried by themselves, seconds, and most such
#: frames.
_APART, _TRIES = 0.25, 12

#: Layers as the solver counts: planted feet, balance that is kept, goals from there on, balance
#: that is wished for.
FEET, KEPT, GOALS, WISHED = 1, 2, 2, 1000


@dataclass(frozen=True, eq=False)
class Tracks:
    """What effectors of a clip are asked for over the frames of an edit.

    Parameters
    ----------
    body : ClipBody
        The clip's.
    goals : tuple of Goal
        At least one.
    is_planted : bool
        Whether feet go on moving as in the clip, unless they are goals themselves.
    """

    body: ClipBody
    goals: tuple[Goal, ...]
    is_planted: bool

    @property
    def posed(self) -> PosedMotion:
        """The clip."""
        return self.body.posed

    @cached_property
    def frames(self) -> tuple[int, int]:
        """First frame of the edit and the frame behind its last."""
        return reach_of(self.goals, self.posed.fps, self.posed.n_frames)

    @cached_property
    def groups(self) -> list[list[int]]:
        """Indices of the goals of each effector, in the order of time."""
        groups: dict[tuple[object, ...], list[int]] = {}
        for k in sorted(range(len(self.goals)), key=lambda k: self.goals[k].first):
            groups.setdefault(self.goals[k].effector, []).append(k)
        return list(groups.values())

    @cached_property
    def tried(self) -> list[int]:
        """Frames whose poses are looked for first."""
        return tried_frames(self.goals, self.posed.fps, self.frames)

    @cached_property
    def asked(self) -> list[int]:
        """Frames in which goals are asked for, those of others that ease included: the ones tried,
        and all in which any goal holds.
        """
        held = {f for g in self.goals for f in range(g.first, g.last + 1)}
        return sorted({*self.tried, *held})

    def build(self, missed: dict[tuple[int, int], Array]) -> list[Track]:
        """Feet first, then goals."""
        tracks = [self._goal_track(group, missed) for group in self.groups]
        if self.is_planted:
            tracks += self._feet()
        return tracks

    def _goal_track(self, group: list[int], missed: dict[tuple[int, int], Array]) -> Track:
        goals = [self.goals[k] for k in group]
        first = goals[0]
        own = own_track(self.posed, first, self.body.center_of_mass)
        layer = GOALS + first.layer
        frames = reach_of(goals, self.posed.fps, self.posed.n_frames)
        is_foot = self._is_foot(first)
        if is_foot:
            # A foot that is asked for stays planted before and after that, too.
            layer = FEET if first.layer == 1 else layer
            frames = self.frames
        index = np.arange(*frames)
        lacks = self._lacks(group, missed, index)
        asked = np.isin(index, self.asked) | is_foot
        places = self.posed.positions[:, first.joint]
        track = build_track(goals, own, places, self.posed.fps, frames, layer, lacks, asked)
        return replace(track, always=is_foot)

    def _lacks(self, group: list[int], missed: dict[tuple[int, int], Array], index: Ints) -> Array:
        """What goals are missed by in each frame, (N, 3), between those that were tried."""
        known = sorted((frame, vector) for (k, frame), vector in missed.items() if k in group)
        if not known:
            return np.zeros((len(index), 3))
        times, vectors = (np.array(x) for x in zip(*known, strict=True))
        return np.stack([np.interp(index, times, vectors[:, i]) for i in range(3)], axis=-1)

    def _is_foot(self, goal: Goal) -> bool:
        feet = [self.posed.roles.joints[f] for f in self.posed.roles.feet]
        return self.is_planted and goal.joint in feet and goal.kind in ("position", "orientation")

    def _feet(self) -> list[Track]:
        """Feet as they move in the clip."""
        asked = {(g.kind, g.joint) for g in self.goals if self._is_foot(g)}
        tracks = []
        for role in self.posed.roles.feet:
            joint = self.posed.roles.joints[role]
            for kind in ("position", "orientation"):
                if (kind, joint) in asked:
                    continue
                value = (1.0, 0.0, 0.0, 0.0) if kind == "orientation" else (0.0, 0.0, 0.0)
                goal = Goal(kind, value, *(2 * (self.frames[0],)), joint=joint)
                own = own_track(self.posed, goal)[slice(*self.frames)]
                tracks.append(Track((goal,), FEET, self.frames[0], own, np.ones(len(own), bool)))
        return tracks

    def relaxed(self, tracks: list[Track]) -> list[Track]:
        """Tracks that ease from where the other goals bring their effectors, not from where the
        clip has them: what is hardly asked for yet must not stop what goes along.

        First the goals that hold count, then those that ease, too, as they are by then.
        """
        first = self._relaxed_beside(tracks, [None] * len(tracks))
        if first is tracks:
            return tracks
        return self._relaxed_beside(tracks, list(first))

    def _relaxed_beside(self, tracks: list[Track], others: Sequence[Track | None]) -> list[Track]:
        """The same, beside what other tracks ask where they ease; None for nothing."""
        values = {id(t): t.values.copy() for t in tracks}
        changed = False
        for frame in self.asked:
            breathe()
            here = [k for k, t in enumerate(tracks) if t.asks(frame)]
            eased = [k for k in here if _eases(tracks[k], frame)]
            if not eased or (len(eased) == len(here) and others[eased[0]] is None):
                continue
            changed = True
            own = self.body.pose_at(frame, self.body.values[frame])
            held = [tracks[k] for k in here if k not in eased]
            for k in eased:
                beside = [t for n in eased if n != k and (t := others[n]) is not None]
                goal, share = tracks[k].share(frame)
                at = frame - tracks[k].start
                pose = self._pose_of([*held, *beside], frame)
                values[id(tracks[k])][at] = self._gone_along(
                    goal, tracks[k].values[at], (own, pose), share
                )
        return [replace(t, values=values[id(t)]) for t in tracks] if changed else tracks

    def _pose_of(self, tracks: list[Track], frame: int) -> PosedMotion:
        """The pose nearest to the clip's own that does what tracks ask of a frame."""
        moved = np.zeros(len(self.body.free))
        if tracks:
            moved = self.settled(tracks, frame, moved)
        values = self.body.values[frame] + self.body.map_at(frame) @ moved
        return self.body.pose_at(frame, values)

    def _gone_along(
        self, goal: Goal, value: Array, poses: tuple[PosedMotion, PosedMotion], share: float
    ) -> Array:
        """A value moved by as much of what its effector does anyhow as is not asked otherwise."""
        own, free = (shown_in(self.body, goal, pose) for pose in poses)
        rest = 1.0 - share
        if goal.kind == "orientation":
            along = rot.to_rotvec(rot.multiply(free, rot.conjugate(own)))
            return rot.multiply(rot.from_rotvec(rest * along), value)
        if goal.kind == "gaze":
            start, there = (pose.positions[0, goal.joint] for pose in poses)
            # The point is seen in another direction from where the joint comes to.
            point = np.asarray(goal.value)
            apart = turn_between(unit(point - start), unit(point - there))
            turn = rot.from_rotvec(rest * turn_between(own, free) + share * apart)
            ahead = np.linalg.norm(point - there) * unit(value - start)
            return np.asarray(there + rot.rotate(turn, ahead), float)
        return value + rest * (free - own)

    def settled(self, tracks: list[Track], frame: int, near: Array) -> Array:
        """The unknowns (A,) of a frame that serve its tracks, around those given."""
        here = [t for t in sorted(tracks, key=lambda t: t.layer) if t.asks(frame)]
        return settle_near(FrameProblem.of(self.body, frame, here), near)


def _eases(track: Track, frame: int) -> bool:
    """Whether a goal is on its way in a frame."""
    return track.shares is not None and not track.always and track.share(frame)[1] < 1.0


def tried_frames(goals: Sequence[Goal], fps: float, frames: tuple[int, int]) -> list[int]:
    """Frames whose poses are looked for first: some of every goal, and where easing begins and ends
    within the span of an edit.
    """
    found: set[int] = set()
    for goal in goals:
        count = int(np.ceil((goal.last - goal.first) / (_APART * fps))) + 1
        count = min(count, _TRIES)
        found |= {int(f) for f in np.linspace(goal.first, goal.last, count).round()}
        mates = [g for g in goals if g.effector == goal.effector and g is not goal]
        begin = goal.first - int(goal.ease_in * fps)
        end = goal.last + int(goal.ease_out * fps)
        if not any(begin - g.ease_out * fps < g.last < goal.first for g in mates):
            found.add(begin)
        if not any(goal.last < g.first < end + g.ease_in * fps for g in mates):
            found.add(end)
    return sorted(f for f in found if frames[0] <= f < frames[1])


def ways_between(
    poses: dict[int, Array], frames: tuple[int, int], size: int, run_on: float = 6.0
) -> Array:
    """Ways (N, A) through poses (A,) of some frames, from zero and back to it where there is time.

    Quintic polynomials lead from each to the next, with one speed and no acceleration where they
    meet; runs of neighbouring frames run on for `run_on` frames.
    """
    first, stop = frames
    none = np.zeros(size)
    keys = dict(sorted(poses.items()))
    if first not in keys:
        keys = {first - 1: none, **keys}
    if stop - 1 not in keys:
        keys = {**keys, stop: none}
    times = np.array(list(keys))
    values = np.array(list(keys.values()))
    if len(times) == 1:
        return values
    speeds, follows = _speeds(times, values)
    every = np.arange(first, stop)
    k = np.minimum(np.searchsorted(times, every, side="right") - 1, len(times) - 2)
    gap = np.diff(times)[k].astype(float)
    since = every - times[k]
    ways: Array = values[k] + minimum_jerk(since / gap)[:, None] * np.diff(values, axis=0)[k]
    for end, time, sign in ((k, since, 1.0), (k + 1, gap - since, -1.0)):
        lasts = np.where(follows[end], np.minimum(gap, run_on), gap)
        # How far a speed of 1 carries until it has died away.
        ways += sign * decay(time, lasts, lasts)[1][:, None] * speeds[end]
    return ways


def _speeds(times: Ints, values: Array) -> tuple[Array, Bools]:
    """Speed (K, A) at every pose, a frame: none at extremes and at both ends, else between those
    of the ways before and after, so that nothing overshoots (Fritsch & Butland 1984); at the ends
    of runs theirs. And where that is (K,).
    """
    speeds = np.zeros_like(values)
    rate = np.diff(values, axis=0) / np.diff(times)[:, None]
    speeds[1:-1] = PchipInterpolator(times, values)(times[1:-1], 1)
    # A run of neighbouring frames goes on as fast as it came.
    runs = np.diff(times) == 1
    leaves = np.flatnonzero(runs[:-1] & ~runs[1:]) + 1
    joins = np.flatnonzero(~runs[:-1] & runs[1:]) + 1
    speeds[leaves] = rate[leaves - 1]
    speeds[joins] = rate[joins]
    follows = np.zeros(len(times), bool)
    follows[leaves] = follows[joins] = True
    return speeds, follows
