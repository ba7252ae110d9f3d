"""What an effector shall do at a time or over a span, and the smooth track that follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.curves import minimum_jerk
from motionloom.edit.limbs import swing_between
from motionloom.errors import InvalidInputError
from motionloom.framewise._body import ClipBody
from motionloom.ik.tasks import Task
from motionloom.posed_motion import PosedMotion
from motionloom.two_bones import unit
from motionloom.typing import Array, Bools, Ints

GoalKind = Literal["position", "orientation", "gaze", "mass"]


@dataclass(frozen=True, eq=False)
class Goal:
    """What an effector of a clip shall do at a frame, or over several.

    Parameters
    ----------
    kind : {"position", "orientation", "gaze", "mass"}
        Where a point of a joint is, how the joint is turned, what it looks at, or where the centre
        of mass is.
    value : array of shape (3,) or (4,)
        A place, metres in the world; for an orientation a world rotation (w, x, y, z); for a gaze
        the point looked at.
    first, last : int
        Frames between which it is asked for, both included.
    joint : int
        Index in the skeleton; means nothing for the centre of mass.
    local : array of shape (3,) or (4,), optional
        In the joint's frame, as `Task` has it: for a position the point that shall be there, such
        as the head of a club.
    layer : int
        1 is served first, below planted feet.
    weight : float
        Importance among the goals of its layer.
    shift : bool
        Whether the value is how far a place is moved from where it is in the clip, or a rotation in
        the world that a joint is turned by.
    ease_in, ease_out : float, seconds
        Time before and after in which the clip goes over into it and back.
    axes : str
        Which of x, y and z are asked of the centre of mass.
    name : str
        What reports call it.

    Raises
    ------
    InvalidInputError
        When these do not fit together.
    """

    kind: GoalKind
    value: ArrayLike
    first: int
    last: int
    joint: int = 0
    local: ArrayLike | None = None
    layer: int = 1
    weight: float = 1.0
    shift: bool = False
    ease_in: float = 0.4
    ease_out: float = 0.4
    axes: str = "xz"
    name: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.first <= self.last:
            raise InvalidInputError(
                f"a goal needs frames 0 <= first <= last, got {self.first} and {self.last}"
            )
        if not 0 <= self.ease_in < np.inf or not 0 <= self.ease_out < np.inf:
            raise InvalidInputError(
                "easing in and out takes a number of seconds, at least 0, got"
                f" {self.ease_in:g} and {self.ease_out:g}"
            )
        if self.shift and self.kind == "gaze":
            raise InvalidInputError("a gaze cannot be shifted; say what it points at")
        task = self.task(self.value)
        object.__setattr__(self, "value", task.value)
        object.__setattr__(self, "local", task.local)

    def task(self, value: ArrayLike, layer: int = 1) -> Task:
        """What is asked of one frame where the goal's value is another."""
        asked = self.kind, value, self.joint, self.local
        return Task(*asked, self.axes, self.weight, layer)

    @property
    def effector(self) -> tuple[object, ...]:
        """What it is asked of: goals of one effector make one track."""
        local = np.asarray(self.local)
        joint = -1 if self.kind == "mass" else self.joint
        return (self.kind, joint, tuple(np.round(local, 9)), self.axes)

    def holds(self, frame: int) -> bool:
        """Whether it is asked for in a frame."""
        return self.first <= frame <= self.last


@dataclass(frozen=True, eq=False)
class Track:
    """An effector's way through the frames of an edit.

    Parameters
    ----------
    goals : tuple of Goal
        Of one effector, in the order of time; the first says what it is.
    layer : int
        As the solver counts.
    start : int
        First frame.
    values : array of shape (N, 3) or (N, 4)
        Wanted in each frame from there on, as `Task.value` has it.
    asked : bool array of shape (N,)
        Frames in which it is asked for.
    shares : array of shape (K, N), optional
        How much of each goal is asked in each frame.
    always : bool
        Whether it is asked for on the way to its goals as well, as planted feet are.
    """

    goals: tuple[Goal, ...]
    layer: int
    start: int
    values: Array
    asked: Bools
    shares: Array | None = None
    always: bool = False

    @property
    def stop(self) -> int:
        """Frame behind the last."""
        return self.start + len(self.values)

    def asks(self, frame: int) -> bool:
        """Whether it is asked for in a frame."""
        return self.start <= frame < self.stop and bool(self.asked[frame - self.start])

    def share(self, frame: int) -> tuple[Goal, float]:
        """The goal that is asked for most in a frame, and how much."""
        if self.shares is None:
            return self.goals[0], 0.0
        own = self.shares[:, frame - self.start]
        k = int(np.argmax(own))
        return self.goals[k], float(own[k])

    def task(self, frame: int) -> Task:
        """What is asked of a frame."""
        return self.goals[0].task(self.values[frame - self.start], self.layer)


def reach_of(goals: Sequence[Goal], fps: float, n_frames: int) -> tuple[int, int]:
    """First frame that goals change and the frame behind the last, easing included."""
    starts = [g.first - int(np.floor(g.ease_in * fps + 1e-9)) for g in goals]
    stops = [g.last + 1 + int(np.floor(g.ease_out * fps + 1e-9)) for g in goals]
    return max(min(starts), 0), min(max(stops), n_frames)


def own_track(posed: PosedMotion, goal: Goal, mass: Array | None = None) -> Array:
    """What the effector of a goal does in a motion, shape (T, 3) or (T, 4).

    Places, world rotations, for a gaze unit vectors along its axis; `mass` is the centre of mass
    (T, 3).
    """
    if goal.kind == "mass":
        assert mass is not None
        return mass
    turn = posed.rotations[:, goal.joint]
    local = np.asarray(goal.local)
    if goal.kind == "orientation":
        return rot.multiply(turn, local)
    if goal.kind == "gaze":
        return rot.rotate(turn, local)
    return posed.positions[:, goal.joint] + rot.rotate(turn, local)


def shares_of(goals: Sequence[Goal], frames: Ints, fps: float) -> Array:
    """How much of each goal is asked in each frame, shape (K, N).

    1 while a goal holds; the sum is at most 1: a goal goes over into the next one where there is no
    time to ease out and in.
    """
    shares = np.zeros((len(goals), len(frames)))
    for k, goal in enumerate(goals):
        rises, falls = goal.ease_in * fps, goal.ease_out * fps
        if k and _meet(goals[k - 1], goal, fps):
            rises = goal.first - goals[k - 1].last
        if k + 1 < len(goals) and _meet(goal, goals[k + 1], fps):
            falls = goals[k + 1].first - goal.last
        shares[k] = _ramp(goal.first - frames, rises) * _ramp(frames - goal.last, falls)
    return shares


def _meet(goal: Goal, following: Goal, fps: float) -> bool:
    """Whether there is no time between two goals to go back to the clip."""
    return following.first - goal.last < (goal.ease_out + following.ease_in) * fps


def build_track(
    goals: Sequence[Goal],
    own: Array,
    places: Array,
    fps: float,
    frames: tuple[int, int],
    layer: int,
    missed: Array,
    asked: Bools,
) -> Track:
    """The track of one effector: the clip's own, displaced smoothly into each goal and back.

    Parameters
    ----------
    goals : sequence of Goal
        Of one effector, in the order of time.
    own : array of shape (T, 3) or (T, 4)
        What it does in the clip, as `own_track` has it.
    places : array of shape (T, 3), metres
        Where its joint is in the clip; needed by gazes.
    fps : float
        Frames per second.
    frames : tuple of int
        First frame of the track and the frame behind its last.
    layer : int
        As the solver counts.
    missed : array of shape (N, 3)
        What it is missed by even by the best pose, in metres or as a rotation vector; so much less
        is asked.
    asked : bool array of shape (N,)
        Frames in which it is asked for.

    Returns
    -------
    Track
    """
    index = np.arange(*frames)
    here = own[index]
    shares = shares_of(goals, index, fps)
    kind = goals[0].kind
    away = np.zeros((len(index), 3))
    for goal, share in zip(goals, shares, strict=True):
        away += share[:, None] * (_displacement(goal, own, places, index) - missed)
    if kind == "orientation":
        values = rot.multiply(rot.from_rotvec(away), here)
    elif kind == "gaze":
        # As far away as the point is: on the way to it a joint that moves along comes to see it.
        points = np.array([np.asarray(g.value) for g in goals])[np.argmax(shares, axis=0)]
        far = np.linalg.norm(points - places[index], axis=-1, keepdims=True)
        values = places[index] + far * rot.rotate(rot.from_rotvec(away), here)
        for goal, share in zip(goals, shares, strict=True):
            # The point itself: the joint may come to see it from elsewhere.
            exact = (share >= 1.0) & ~missed.any(axis=1)
            values = np.where(exact[:, None], np.asarray(goal.value), values)
    else:
        values = here + away
    return Track(tuple(goals), layer, frames[0], values, asked, shares)


def _displacement(goal: Goal, own: Array, places: Array, index: Ints) -> Array:
    """How far a goal is from the clip's own track in each frame, shape (N, 3).

    A goal of one frame displaces its neighbours as much, so that what passes there keeps its speed;
    one that is held for longer is come to rest at.
    """
    value = np.asarray(goal.value)
    if goal.shift:
        moved = rot.to_rotvec(value) if goal.kind == "orientation" else value
        return np.tile(moved, (len(index), 1))
    at = np.full(len(index), goal.first) if goal.first == goal.last else index
    return lacking(goal, value, own[at], places[at])


def lacking(goal: Goal, value: Array, got: Array, place: Array) -> Array:
    """How far an effector (of a joint at a place) is from a value: metres, or a rotation vector."""
    if goal.kind == "orientation":
        return rot.to_rotvec(rot.multiply(value, rot.conjugate(got)))
    if goal.kind == "gaze":
        return turn_between(got, unit(value - place))
    return value - got


def turn_between(a: Array, b: Array) -> Array:
    """Rotation vectors of the shortest turns of unit vectors (..., 3) onto others."""
    return rot.to_rotvec(swing_between(a, b))


def _ramp(away: Ints, span: float) -> Array:
    """1 where `away` is not above 0, then down to 0 over a span."""
    return 1.0 - minimum_jerk(np.maximum(away, 0) / max(float(span), 1e-9))


#: A goal is met within this, metres and radians.
TOLERANCE = 1e-3


@dataclass(frozen=True)
class GoalOutcome:
    """How a goal came out.

    Parameters
    ----------
    goal : Goal
        What was asked.
    residual : float
        What it is missed by at worst while it is asked for; metres, radians for orientation and
        gaze.
    frame : int
        Where that is.
    reason : str
        ``"met"``, or why not, as `LayerOutcome` has it.
    """

    goal: Goal
    residual: float
    frame: int
    reason: str

    @property
    def met(self) -> bool:
        """Whether it is met."""
        return self.residual <= TOLERANCE


def outcome_of(body: ClipBody, goal: Goal, after: PosedMotion, reason: str) -> GoalOutcome:
    """What a goal is missed by in the frames in which it is asked for, and why."""
    mass = None if body.masses is None else body.masses @ after.positions
    frames = np.arange(goal.first, goal.last + 1)
    got = own_track(after, goal, mass)[frames]
    value = np.asarray(goal.value)
    if goal.shift:
        before = own_track(body.posed, goal, body.center_of_mass)[frames]
        value = rot.multiply(value, before) if goal.kind == "orientation" else value + before
    lacks = _lacks(goal, value, got, after.positions[frames, goal.joint])
    far = np.linalg.norm(lacks, axis=-1)
    at = int(np.argmax(far))
    residual = float(far[at])
    if residual > TOLERANCE and reason == "met":
        reason = "the frames between do not leave room for it"
    return GoalOutcome(goal, residual, int(frames[at]), reason)


def missed_by(body: ClipBody, goal: Goal, wanted: ArrayLike, values: Array, frame: int) -> Array:
    """What a pose misses a goal by: metres, or a rotation vector in the world."""
    pose = body.pose_at(frame, values)
    place = pose.positions[0, goal.joint]
    return _lacks(goal, np.asarray(wanted), shown_in(body, goal, pose), place)


def _lacks(goal: Goal, value: Array, got: Array, place: Array) -> Array:
    """`lacking` along the axes that are asked of the centre of mass."""
    asked = [goal.kind != "mass" or axis in goal.axes for axis in "xyz"]
    return lacking(goal, value, got, place) * asked


def shown_in(body: ClipBody, goal: Goal, pose: PosedMotion) -> Array:
    """What the effector of a goal does in a pose."""
    mass = None if body.masses is None else body.masses @ pose.positions
    return own_track(pose, goal, mass)[0]
