"""Footsteps over a gap: which foot swings when, from where the feet are to where they shall be.

One foot swings after the other, as often as the time does for. A foot that is in the air at an end
of the gap goes on with the speed that it has there; one that stands at both ends, but not at the
same place, takes a step. Before it leaves, a foot that the hips have passed rolls over its ball.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from motionloom import rotations as rot
from motionloom.curves import hermite, smoothstep
from motionloom.typing import Array, Bools

UP = np.array([0.0, 1.0, 0.0])
#: A whole swing takes so long, seconds, and at least this share of it where there is less time.
SWING, QUICKEST = 0.42, 0.65
#: Speeds of the hips, metres per second, and how long both feet stand between two swings, seconds:
#: who runs has none on the ground.
BOTH = ((1.5, 3.0), (0.07, -0.08))
#: Most swings in a gap.
MOST_SWINGS = 6
#: A foot swings from this far behind the hips to as far ahead: metres per metre a second, and at
#: least this far, metres.
REACH, LEAST_REACH = 0.3, 0.12
#: Feet rise by this much, leg lengths, and by this share of their way.
RISE, RISE_SHARE = 0.05, 0.1
#: A foot rolls over its ball for this long before it leaves, and becomes flat as quickly, seconds.
ROLL_TIME, FLAT_TIME = 0.2, 0.12
#: How far it rolls, radians per leg length that the hips are ahead of it, and at most.
ROLL, LARGEST_ROLL = 1.8, 0.9


@dataclass(frozen=True, eq=False)
class FootState:
    """A foot at an end of a gap.

    Parameters
    ----------
    place : array of shape (3,), metres
        Of the ankle.
    turn : array of shape (4,)
        World rotation of the ankle's joint.
    velocity : array of shape (3,), metres per second
        Of the ankle.
    down : bool
        Whether it bears.
    """

    place: Array
    turn: Array
    velocity: Array
    down: bool


@dataclass(frozen=True, eq=False)
class FootShape:
    """What a foot is like when it rests.

    Parameters
    ----------
    turn : array of shape (4,)
        World rotation of a foot that lies flat and points along +Z.
    height : float, metres
        Of its ankle then.
    ball : array of shape (3,), metres
        From the ankle to the point over which it rolls, in the joint's frame.
    leg : float, metres
        Length of the leg.
    """

    turn: Array
    height: float
    ball: Array
    leg: float

    def heading(self, turn: Array) -> float:
        """Where a foot of a world rotation points on the ground, radians from +Z towards +X."""
        toe = rot.rotate(turn, self.ball)
        return float(np.arctan2(toe[0], toe[2]))

    def flat(self, foot: FootState) -> FootState:
        """The foot at rest about where it is: its ball stays on the ground."""
        turn = rot.multiply(rot.yaw(self.heading(foot.turn)), self.turn)
        there = foot.place + rot.rotate(foot.turn, self.ball)
        place = there - rot.rotate(turn, self.ball)
        place[1] = self.height
        return FootState(place, turn, np.zeros(3), True)

    def rolled(self, foot: FootState, angle: float) -> FootState:
        """A resting foot turned over its ball, heel up."""
        heading = self.heading(foot.turn)
        axis = np.array([np.cos(heading), 0.0, -np.sin(heading)])
        turn = rot.multiply(rot.from_rotvec(angle * axis), foot.turn)
        ball = foot.place + rot.rotate(foot.turn, self.ball)
        return replace(foot, place=ball - rot.rotate(turn, self.ball), turn=turn)


@dataclass(frozen=True, eq=False)
class _FootWay:
    """A foot's way over a gap, both known frames included.

    Parameters
    ----------
    places : array of shape (T, 3), metres
        Of the ankle.
    turns : array of shape (T, 4)
        World rotations of its joint.
    down : bool array of shape (T,)
        When it stands.
    """

    places: Array
    turns: Array
    down: Bools


class _Swing(NamedTuple):
    foot: str
    kind: str
    begin: float
    end: float


@dataclass(frozen=True, eq=False)
class Gap:
    """What is known of a gap.

    Parameters
    ----------
    start, stop : mapping of str to FootState
        By the roles of two feet: in the frame before the gap and in that behind it.
    shapes : mapping of str to FootShape
        By the roles of the feet.
    hips : array of shape (T, 3), metres
        From the frame before the gap to that behind it.
    fps : float
        Frames per second.
    aside : mapping of str to array of shape (3,), metres
        From the hips to where each foot stands under them.
    """

    start: Mapping[str, FootState]
    stop: Mapping[str, FootState]
    shapes: Mapping[str, FootShape]
    hips: Array
    fps: float
    aside: Mapping[str, Array]

    @property
    def seconds(self) -> float:
        """From the frame before the gap to that behind it."""
        return (len(self.hips) - 1) / self.fps

    @property
    def speeds(self) -> tuple[float, float]:
        """How fast the hips go over the ground at both ends, metres per second."""
        steps = np.linalg.norm(np.diff(self.hips[:, [0, 2]], axis=0), axis=1) * self.fps
        return float(steps[0]), float(steps[-1])

    @property
    def mean_speed(self) -> float:
        """How fast the hips go over the ground on average, metres per second."""
        return float(np.hypot(*(self.hips[-1] - self.hips[0])[[0, 2]])) / self.seconds

    def done(self, feet: Mapping[str, FootState], foot: str, frame: int) -> float:
        """Share of its swing that a foot in the air has behind it, by where the hips are."""
        along = (self.hips[-1] - self.hips[0])[[0, 2]]
        ahead = along / max(float(np.hypot(*along)), 1e-6)
        far = float((feet[foot].place - self.hips[frame])[[0, 2]] @ ahead)
        reach = max(REACH * self.speeds[frame], LEAST_REACH)
        return float(np.clip(0.5 + 0.5 * far / reach, 0.0, 1.0))

    def stays(self, foot: str) -> bool:
        """Whether a foot stands at both ends at the same place."""
        a, b = self.start[foot], self.stop[foot]
        shape = self.shapes[foot]
        way = (shape.flat(b).place - shape.flat(a).place)[[0, 2]]
        turn = rot.wrap_angle(shape.heading(b.turn) - shape.heading(a.turn))
        near = np.hypot(*way) < STAYS * shape.leg and abs(float(turn)) < STAYS_TURN
        return bool(a.down and b.down and near)


#: A foot that stands no farther off than this stays, leg lengths and radians.
STAYS, STAYS_TURN = 0.02, 0.15
#: Hips that are slower stand, metres per second.
STANDS = 0.2


def plan_footsteps(gap: Gap) -> tuple[dict[str, _FootWay], float] | None:
    """Plan the ways of both feet over a gap.

    Parameters
    ----------
    gap : Gap
        What is known.

    Returns
    -------
    tuple of (dict of str to _FootWay, float), or None
        By foot, and how far swings and stays are from usual, as a share of the time.
        None where the time does not do for the steps that are needed.
    """
    timed = [one for one in (_timed(gap, order) for order in _orders(gap)) if one is not None]
    if not timed:
        return None
    swings, off = min(timed, key=lambda one: (round(one[1], 3), len(one[0])))
    ways = {foot: _way(gap, foot, [s for s in swings if s.foot == foot]) for foot in gap.start}
    return ways, off


def _orders(gap: Gap) -> list[list[tuple[str, str]]]:
    """Feet and kinds of their swings in turn, in every way that begins and ends as the gap does."""
    feet = list(gap.start)
    ups = [foot for foot in feet if not gap.start[foot].down]
    ends_up = [foot for foot in feet if not gap.stop[foot].down]
    # Of two feet in the air the one ahead comes down first, and the one behind has just left.
    ups.sort(key=lambda foot: -gap.done(gap.start, foot, 0))
    ends_up.sort(key=lambda foot: -gap.done(gap.stop, foot, -1))
    orders = []
    for first in feet:
        for count in range(MOST_SWINGS + 1):
            turns = [feet[(feet.index(first) + i) % 2] for i in range(count)]
            if turns[: len(ups)] == ups and turns[count - len(ends_up) :] == ends_up:
                kinds = ["step"] * count
                kinds[: len(ups)] = ["land"] * len(ups)
                kinds[count - len(ends_up) :] = ["leave"] * len(ends_up)
                orders.append(list(zip(turns, kinds, strict=True)))
    if len(ups) == 1 and ups == ends_up:
        orders.append([(ups[0], "fly")])
    return [order for order in orders if _is_enough(gap, order)]


def _is_enough(gap: Gap, order: list[tuple[str, str]]) -> bool:
    """Whether feet that land do so before they leave, and those that do not swing may stay."""
    swung = {foot for foot, _ in order}
    both = [foot for foot in gap.start if not gap.start[foot].down and not gap.stop[foot].down]
    flies = bool(order) and order[0][1] == "fly"
    lands = all({(foot, "land"), (foot, "leave")} <= {*order} for foot in both)
    return (flies or lands) and all(foot in swung or gap.stays(foot) for foot in gap.start)


def _timed(gap: Gap, order: list[tuple[str, str]]) -> tuple[list[_Swing], float] | None:
    """Swings with their times, and how far these are from usual; None where they are too quick."""
    needs = [SWING * _share(gap, foot, kind) for foot, kind in order]
    if [kind for _, kind in order] == ["fly"]:
        off = abs(gap.seconds - needs[0]) / gap.seconds
        return [_Swing(*order[0], 0.0, gap.seconds)], off
    both = float(np.interp(gap.mean_speed, *BOTH))
    rests = both * max(len(order) - 1, 0)
    lacking = gap.seconds - sum(needs) - rests
    if lacking < 0:
        pace = (gap.seconds - rests) / sum(needs)
        if pace < QUICKEST:
            return None
        needs = [pace * need for need in needs]
    # Time that is left over passes on both feet, where the body is slower.
    slow, fast = gap.speeds
    first = 0.0 if order and order[0][1] == "land" else fast / max(slow + fast, 1e-6)
    left = max(lacking, 0.0)
    swings = []
    clock = 0.0
    for i, ((foot, kind), need) in enumerate(zip(order, needs, strict=True)):
        if kind != "land" and left:
            wait = left if kind == "leave" else first * left
            clock += wait
            left -= wait
            first = 0.0
        begin = 0.0 if kind == "land" else max(clock, 0.0)
        end = gap.seconds if kind == "leave" else clock + need
        swings.append(_Swing(foot, kind, begin, end))
        clock += need + (both if i + 1 < len(order) else 0.0)
    stands = not order or max(gap.speeds) < STANDS
    return swings, 0.0 if stands and lacking > 0 else abs(lacking) / gap.seconds


def _share(gap: Gap, foot: str, kind: str) -> float:
    """Share of a whole swing that lies in the gap, by where the foot is beside the hips."""
    if kind == "step":
        return 1.0
    done = gap.done(gap.start, foot, 0) if kind != "leave" else 0.0
    gone = gap.done(gap.stop, foot, -1) if kind != "land" else 1.0
    return max(gone - done, 0.25)


def _way(gap: Gap, foot: str, swings: list[_Swing]) -> _FootWay:
    """One foot's stays and swings, one after the other."""
    n = len(gap.hips)
    times = np.arange(n) / gap.fps
    shape = gap.shapes[foot]
    places = np.zeros((n, 3))
    turns = np.zeros((n, 4))
    down = np.ones(n, np.bool_)
    here = gap.start[foot]
    stand = shape.flat(here)
    clock = 0.0
    for i, swing in enumerate(swings):
        whole = swing.kind in ("step", "leave")
        if whole:
            leave = _leaving(gap, shape, stand if clock or swing.begin > ROLL_TIME else here, swing)
            _put(places, turns, times, (clock, swing.begin), _standing(here, stand, leave, shape))
            here = leave
        goal = _goal(gap, foot, swing, i + 1 < len(swings))
        inside = (times > swing.begin if whole else times >= 0) & (times < swing.end)
        down[inside] = False
        _put(places, turns, times, (swing.begin, swing.end), _swinging(here, goal, shape))
        here = goal
        stand = goal
        clock = swing.end
    end = gap.stop[foot]
    if clock < times[-1]:
        base = stand if not swings or end.down else here
        _put(places, turns, times, (clock, times[-1]), _standing(here, base, end, shape))
    places[0], turns[0] = gap.start[foot].place, gap.start[foot].turn
    places[-1], turns[-1] = end.place, end.turn
    down[0], down[-1] = gap.start[foot].down, end.down
    return _FootWay(places, turns, down)


_Curve = Callable[[Array, float], tuple[Array, Array]]


def _put(
    places: Array, turns: Array, times: Array, span: tuple[float, float], curve: _Curve
) -> None:
    """Write what a curve shows of a span of time; it is told seconds since then."""
    begin, end = span
    inside = (times >= begin - 1e-9) & (times <= end + 1e-9)
    if inside.any() and end > begin:
        places[inside], turns[inside] = curve(times[inside] - begin, end - begin)


def _leaving(gap: Gap, shape: FootShape, stand: FootState, swing: _Swing) -> FootState:
    """A foot that stands, as it leaves: rolled over its ball as far as the hips are ahead of it."""
    at = min(round(swing.begin * gap.fps), len(gap.hips) - 1)
    heading = shape.heading(stand.turn)
    ahead = np.array([np.sin(heading), np.cos(heading)])
    far = float((gap.hips[at] - stand.place)[[0, 2]] @ ahead) / shape.leg
    return shape.rolled(stand, float(np.clip(ROLL * far, 0.0, LARGEST_ROLL)))


def _goal(gap: Gap, foot: str, swing: _Swing, goes_on: bool) -> FootState:
    """Where a swing ends: in the frame behind the gap, at rest there, or on the way."""
    shape = gap.shapes[foot]
    stop = gap.stop[foot]
    if swing.kind in ("leave", "fly"):
        return stop
    if not goes_on:
        return shape.flat(stop)
    # It stands until the other foot has stepped: under where the hips are then, half way.
    at = min(round((swing.end + 0.5 * SWING) * gap.fps), len(gap.hips) - 1)
    turn = rot.slerp(gap.start[foot].turn, stop.turn, 0.5)
    return shape.flat(replace(stop, place=gap.hips[at] + gap.aside[foot], turn=turn, down=True))


def _standing(here: FootState, stand: FootState, leave: FootState, shape: FootShape) -> _Curve:
    """From how a foot came down, to rest, to how it leaves."""

    def curve(since: Array, length: float) -> tuple[Array, Array]:
        flat = min(FLAT_TIME, 0.4 * length)
        roll = min(ROLL_TIME, 0.5 * length)
        one = smoothstep(since / max(flat, 1e-9))
        two = smoothstep((since - (length - roll)) / max(roll, 1e-9))
        places = here.place + one[:, None] * (stand.place - here.place)
        turns = rot.slerp(here.turn, stand.turn, one)
        away = rot.to_rotvec(rot.multiply(leave.turn, rot.conjugate(stand.turn)))
        turns = rot.multiply(rot.from_rotvec(two[:, None] * away), turns)
        # Over the ball, as far as both ends have it at one place.
        ball = stand.place + rot.rotate(stand.turn, shape.ball)
        slip = leave.place + rot.rotate(leave.turn, shape.ball) - ball
        rolled = ball + two[:, None] * slip - rot.rotate(turns, shape.ball)
        return np.where((two > 0)[:, None], rolled, places), turns

    return curve


def _swinging(here: FootState, goal: FootState, shape: FootShape) -> _Curve:
    """Through the air."""

    def curve(since: Array, length: float) -> tuple[Array, Array]:
        u = np.clip(since / length, 0.0, 1.0)
        v0 = np.zeros(3) if here.down else here.velocity
        v1 = np.zeros(3) if goal.down else goal.velocity
        places = hermite([here.place, goal.place], [v0 * length, v1 * length], u)
        way = float(np.hypot(*(goal.place - here.place)[[0, 2]]))
        # Who is in the air already is as high as it goes there.
        share = 0.5 * (here.down + goal.down) if here.down else 0.3
        rise = share * (RISE * shape.leg + RISE_SHARE * way) * np.sin(np.pi * u) ** 2
        return places + rise[:, None] * UP, rot.slerp(here.turn, goal.turn, smoothstep(u))

    return curve
