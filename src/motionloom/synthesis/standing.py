"""When somebody only stands: both feet at their places, nothing asked but to be there."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import binary_closing

from motionloom.analysis.contacts import FootContacts
from motionloom.constraints import ConstraintSet
from motionloom.constraints.idle import held_spans, idle_frames
from motionloom.curves import runs_of
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools

FEET = ("left_foot", "right_foot")
#: A foot that stands goes no faster than this, metres per second ...
ROLLING = 0.15
#: ... nor does any joint of somebody who only stands go faster than this.
CALM = 0.5
#: A foot that is farther from where it usually is in a wait is coming or going, metres.
AWAY = 0.005
#: Shorter breaks in it do not count, seconds.
BREAK = 0.2


@dataclass(frozen=True)
class Wait:
    """Somebody stands for a while.

    Parameters
    ----------
    first, stop : int
        Frames ``first <= i < stop``.
    contacts : mapping of str to (int, int)
        By the role of a foot: frames from which and until which it bears on the ground.
    anchor : int
        The feet stand as they do in this frame.
    """

    first: int
    stop: int
    contacts: Mapping[str, tuple[int, int]]
    anchor: int

    @property
    def n_frames(self) -> int:
        """How long."""
        return self.stop - self.first


def find_waits(
    posed: PosedMotion,
    contacts: FootContacts,
    constraints: ConstraintSet,
    shortest: float,
    kept: Sequence[int] = (),
) -> tuple[Wait, ...]:
    """Find when somebody only stands.

    In spans that ask to stand still gestures count as waiting; elsewhere nothing may move fast.

    Parameters
    ----------
    posed : PosedMotion
        The motion; its feet are locked.
    contacts : FootContacts
        When they bear on the ground.
    constraints : ConstraintSet
        What was asked for. Who is to be at a place at a time waits until then, and from then on.
    shortest : float, seconds
        Shorter waits do not count.
    kept : sequence of int
        Frames whose pose does not change.

    Returns
    -------
    tuple of Wait
        In the order of time; one may begin with the frame in which another ends.
    """
    down = contacts.by_foot()
    if posed.roles.kind != "human" or not set(FEET) <= down.keys():
        return ()
    ankles = [posed.roles.joints[foot] for foot in FEET]
    speeds = _speeds(posed)
    stands = down[FEET[0]] & down[FEET[1]] & (speeds[:, ankles].max(axis=1) < ROLLING)
    calm = speeds.max(axis=1) < CALM
    stands &= calm | _asked_still(constraints)
    # A little speed at a seam breaks no wait, a foot that leaves the ground does.
    reach = 2 * round(0.5 * BREAK * posed.fps) + 1
    stands = binary_closing(stands, np.ones(reach, np.bool_)) & down[FEET[0]] & down[FEET[1]]
    stands &= _allowed(constraints)
    fixed = {constraints.frame_of(c.time) for c in constraints.body if c.end is None} | {*kept}
    waits: list[Wait] = []
    places = posed.positions[:, ankles]
    for first, stop in runs_of(stands):
        own = places[first:stop]
        away = np.linalg.norm(own - np.median(own, axis=0), axis=-1).max(axis=1)
        ready = np.flatnonzero(calm[first:stop] & (away < AWAY)) + first
        if len(ready):
            waits += _split(int(ready[0]), int(ready[-1]), sorted(fixed), down)
    return tuple(wait for wait in waits if wait.n_frames >= shortest * posed.fps)


def _speeds(posed: PosedMotion) -> Array:
    """Speed of every joint, metres per second, shape (T, J)."""
    moved = np.gradient(posed.positions, axis=0) if posed.n_frames > 1 else 0 * posed.positions
    speeds: Array = np.linalg.norm(moved, axis=-1) * posed.fps
    return speeds


def _asked_still(constraints: ConstraintSet) -> Bools:
    asked = np.zeros(constraints.n_frames, bool)
    for begin, end in held_spans(constraints.still, constraints):
        asked[constraints.frame_of(begin) : constraints.frame_of(end) + 1] = True
    return asked


def _allowed(constraints: ConstraintSet) -> Bools:
    allowed = np.zeros(constraints.n_frames, bool)
    for first, stop in idle_frames(constraints):
        allowed[first:stop] = True
    return allowed


def _split(first: int, last: int, fixed: Sequence[int], down: Mapping[str, Bools]) -> list[Wait]:
    """One stand, taken apart at frames whose pose stays."""
    inner = [frame for frame in fixed if first <= frame <= last]
    contacts = {foot: _around(down[foot], first) for foot in FEET}
    anchor = inner[0] if inner else (first + last) // 2
    ends = sorted({first, *inner, last})
    whole = Wait(first, last + 1, contacts, anchor)
    return [replace(whole, first=a, stop=b + 1) for a, b in itertools.pairwise(ends)]


def _around(down: Bools, frame: int) -> tuple[int, int]:
    """The contact that a frame lies in."""
    before = np.flatnonzero(~down[:frame])
    after = np.flatnonzero(~down[frame:])
    first = int(before[-1]) + 1 if len(before) else 0
    return first, frame + int(after[0]) if len(after) else len(down)
