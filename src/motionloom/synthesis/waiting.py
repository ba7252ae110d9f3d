"""Waiting that is filled: where somebody only stands, a stream goes on in place of it.

From the pose and the speed before to those behind, on feet that stay where they are.

When somebody only stands: both feet at their places, nothing asked but to be there.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.constraints import ConstraintSet
from motionloom.constraints.idle import held_spans, idle_frames
from motionloom.curves import runs_of, smoothstep
from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.plant import is_seated, plant_feet
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.synthesis.measure import errors_of
from motionloom.synthesis.streaming import (
    BEGINNING,
    Streaming,
    begin_from,
    end_in,
    state_before,
    state_behind,
)
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools, Ints

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
    frame_of = constraints.frame_of
    still = [(frame_of(a), frame_of(b) + 1) for a, b in held_spans(constraints.still, constraints)]
    stands &= calm | _within(still, constraints.n_frames)
    # A little speed at a seam breaks no wait, a foot that leaves the ground does.
    reach = 2 * round(0.5 * BREAK * posed.fps) + 1
    stands = scipy.ndimage.binary_closing(stands, np.ones(reach, np.bool_))
    stands &= down[FEET[0]] & down[FEET[1]]
    stands &= _within(idle_frames(constraints), constraints.n_frames)
    fixed = {frame_of(c.time) for c in constraints.body if c.end is None} | {*kept}
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
    return np.asarray(np.linalg.norm(moved, axis=-1) * posed.fps)


def _within(spans: Sequence[tuple[int, int]], n_frames: int) -> Bools:
    """Whether each frame is in one of some spans (first, stop)."""
    inside = np.zeros(n_frames, bool)
    for first, stop in spans:
        inside[first:stop] = True
    return inside


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


#: Shares of what a stream does that are tried; the most is taken that keeps to the constraints and
#: keeps the balance.
SHARES = (1.0, 0.6, 0.3)
#: Hips of somebody who stands are no farther from the line between the ankles, metres, but where
#: they were before.
OVER = 0.15
#: Time in which a swinging foot takes over by how much it stands elsewhere, seconds.
SWING = 0.3


@dataclass(frozen=True)
class WaitingOptions:
    """How waiting is filled.

    Parameters
    ----------
    source : Streaming
        Who goes on.
    shortest : float, seconds
        Shorter waits stay as they are.
    seed : int
        The same seed gives the same motion.

    Raises
    ------
    InvalidInputError
        When waits would be too short to begin and end in.
    """

    source: Streaming
    shortest: float = 2.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1.0 <= self.shortest < np.inf:
            raise InvalidInputError(
                f"waits that are filled last a second or more, got {self.shortest}"
            )


@one_thread()
def fill_waits(
    posed: PosedMotion,
    contacts: FootContacts,
    constraints: ConstraintSet,
    options: WaitingOptions,
    kept: Sequence[int] = (),
) -> tuple[PosedMotion, tuple[str, ...]]:
    """Let a stream fill every wait of a motion.

    Parameters
    ----------
    posed : PosedMotion
        The motion; its feet are locked.
    contacts : FootContacts
        When they bear on the ground.
    constraints : ConstraintSet
        What was asked for; waits are filled where nothing but the way is.
    options : WaitingOptions
        By whom.
    kept : sequence of int
        Frames whose pose does not change.

    Returns
    -------
    posed : PosedMotion
        The same outside of the waits, but for legs: a swinging foot comes down some millimetres
        beside where it did, so that it stands at one place.
    said : tuple of str
        What was filled, one sentence each.

    Raises
    ------
    InvalidInputError
        When the stream cannot go on with such a body.
    """
    said: list[str] = []
    waits = find_waits(posed, contacts, constraints, options.shortest, kept)
    for k, wait in enumerate(waits):
        filled = _filled(posed, wait, constraints, options, options.seed + k)
        span = f"from {wait.first / posed.fps:.2f} to {(wait.stop - 1) / posed.fps:.2f} s"
        if filled is None:
            said.append(
                f"waiting {span} stays as it is: filled, it would miss constraints or lose balance"
            )
            continue
        posed, share = filled
        how = "" if share == 1.0 else f" at {100 * share:.0f} %, for constraints and balance"
        said.append(f"waiting {span} is filled{how}")
    return posed, tuple(said)


def _filled(
    posed: PosedMotion, wait: Wait, asked: ConstraintSet, options: WaitingOptions, seed: int
) -> tuple[PosedMotion, float] | None:
    """The motion with one wait filled as lively as constraints allow, and how lively that is."""
    rest = _resting(posed.motion.cut(wait.first, wait.stop))
    before = state_before(posed, wait.first, tuple(wait.contacts), rest)
    behind = state_behind(posed, wait.stop - 1, tuple(wait.contacts), rest)
    made = options.source.stream(before, posed.fps, seed).frames(wait.n_frames)
    span = min(BEGINNING, 0.5 * (wait.n_frames - 1) / posed.fps)
    missed = _missed(posed, asked)
    over = max(OVER, _off_balance(posed, wait))
    if is_seated(posed, wait.anchor):
        over = np.inf
    for share in SHARES:
        begun = begin_from(before, _calmed(made, rest, share), span)
        laid = _laid(posed, wait, end_in(behind, begun, span))
        if _missed(laid, asked) <= missed and _off_balance(laid, wait) <= over:
            return laid, share
    return None


def _off_balance(posed: PosedMotion, wait: Wait) -> float:
    """Farthest that the hips are from over the line between the ankles in a wait, metres."""
    frames = slice(wait.first, wait.stop)
    joints = posed.roles.joints
    left, right = (posed.positions[frames, joints[foot]][:, ::2] for foot in FEET)
    across = right - left
    along = np.sum((posed.hips[frames, ::2] - left) * across, axis=1)
    share = np.clip(along / np.maximum(np.sum(across**2, axis=1), 1e-9), 0.0, 1.0)
    nearest = left + share[:, None] * across
    return float(np.linalg.norm(posed.hips[frames, ::2] - nearest, axis=1).max())


def _resting(motion: Motion) -> Motion:
    """Mean posture of the calmer half of a wait, one frame."""
    turned = rot.angle_between(motion.rotations[1:], motion.rotations[:-1]).sum(axis=1)
    calm = np.flatnonzero(turned <= np.median(turned))
    return replace(
        motion,
        rotations=rot.mean(motion.rotations[calm])[None],
        translations=motion.translations[calm].mean(axis=0, keepdims=True),
    )


def _calmed(motion: Motion, rest: Motion, share: float) -> Motion:
    """A motion that departs from a posture by a share of what it did."""
    if share == 1.0:
        return motion
    away = rot.between(rest.rotations, motion.rotations)
    shift = motion.translations - rest.translations
    return replace(
        motion,
        rotations=rot.multiply(rest.rotations, rot.from_rotvec(share * away)),
        translations=rest.translations + share * shift,
    )


def _missed(posed: PosedMotion, asked: ConstraintSet) -> int:
    """How many constraints are missed."""
    return sum(bool(error.amount()) for error in errors_of(posed, asked))


def _laid(posed: PosedMotion, wait: Wait, made: Motion) -> PosedMotion:
    """The motion with a wait in place of its own, on feet that stay where they are."""
    anchored = np.full(wait.n_frames, wait.anchor)
    stand = {
        foot: FootTrack(*(of[anchored] for of in _foot(posed, foot))) for foot in wait.contacts
    }
    stands = not is_seated(posed, wait.anchor)
    planted = plant_feet(posed.with_motion(made), stand, counter_move=stands)
    whole = _spliced(posed, wait.first, planted.motion)
    reach = round(SWING * posed.fps)
    begin = min(max(0, first - reach) for first, _ in wait.contacts.values())
    end = max(min(posed.n_frames, stop + reach) for _, stop in wait.contacts.values())
    for a, b in ((begin, wait.first), (wait.stop, end)):
        if b <= a:
            continue
        own = posed.cut(a, b)
        led = {foot: _led(posed, wait, foot, np.arange(a, b), reach) for foot in wait.contacts}
        whole = _spliced(whole, a, plant_feet(own, led, counter_move=False).motion)
    return whole


def _led(posed: PosedMotion, wait: Wait, foot: str, frames: Ints, reach: int) -> FootTrack:
    """A foot outside of a wait: while it swings it takes over by how much it stands elsewhere."""
    places, turns = _foot(posed, foot)
    first, stop = wait.contacts[foot]
    end = wait.first if frames[0] < wait.first else wait.stop - 1
    away = np.maximum(first - frames, frames - (stop - 1))
    ease = smoothstep(1.0 - away / max(reach, 1))[:, None]
    turned = rot.to_rotvec(rot.multiply(turns[wait.anchor], rot.conjugate(turns[end])))
    return FootTrack(
        places[frames] + ease * (places[wait.anchor] - places[end]),
        rot.multiply(rot.from_rotvec(ease * turned), turns[frames]),
    )


def _foot(posed: PosedMotion, foot: str) -> tuple[Array, Array]:
    """Places and rotations of a foot."""
    joint = posed.roles.joints[foot]
    return posed.positions[:, joint], posed.rotations[:, joint]


def _spliced(posed: PosedMotion, first: int, part: Motion) -> PosedMotion:
    """A motion with other frames from one on."""
    rotations = posed.motion.rotations.copy()
    translations = posed.motion.translations.copy()
    rotations[first : first + part.n_frames] = part.rotations
    translations[first : first + part.n_frames] = part.translations
    return posed.with_motion(replace(posed.motion, rotations=rotations, translations=translations))
