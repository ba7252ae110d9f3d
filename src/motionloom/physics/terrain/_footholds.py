"""Where feet are put on uneven ground: near their places, never across an edge, a tread a step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from motionloom.physics.terrain._stances import Sole, Stance, Way
from motionloom.typing import Array, Ints

#: Heights (...) of the ground at places (..., 2), metres.
Heights = Callable[[Array], Array]

#: Footholds are sought in steps of this, metres.
CELL = 0.01
#: Steps may be this much longer than they were, as a share and in metres.
LONGER, FARTHER = 0.15, 0.05
#: Steps may be this share of what they were.
SHORTEST = 0.1
#: One unit of cost each: steps that change (metres), ground that is not flat under a foot (metres).
STEP, UNEVEN = 0.08, 0.004
#: Heights that differ more than this within a cell make an edge, metres.
EDGE = 0.025
#: Room around a sole, metres.
ROOM = 0.01
#: Ways of changing steps even out over so many steps, in rounds.
ROUNDS = 4
#: Who goes down a step does so from its edge, who goes up keeps some way off it: room before the
#: toes that is wished, how far off costs 1, and what is no worse when it is more, metres.
DOWN_ROOM, DOWN_OFF = 0.0, 0.05
UP_ROOM, UP_OFF = 0.10, 0.07
FAR = 0.4
#: Crossing more than one edge in a step costs as much as this.
FORBIDDEN = 1e4


@dataclass(frozen=True, eq=False)
class Foothold:
    """Where a stance goes.

    Parameters
    ----------
    stance : Stance
        On level ground.
    offset : float, metres
        How far it is moved along the way.
    ball : array of shape (2,), metres
        x and z of the ball of the foot.
    turn : float, radians
        By which the foot is turned about the vertical.
    height : float, metres
        Of the foot's plane under the ball.
    slope : array of shape (2,)
        Rise of that plane along x and along z.
    level : int
        Edges of the ground passed on the way there, those upwards and downwards.
    uneven : float, metres
        How far the ground is off that plane.
    rise : float, metres
        Height above the level ground.
    """

    stance: Stance
    offset: float
    ball: Array
    turn: float
    height: float
    slope: Array
    level: int
    uneven: float
    rise: float

    def plane(self, places: Array) -> Array:
        """Height of the foot's plane at places (..., 2), metres."""
        return np.asarray(self.height + (places - self.ball) @ self.slope)

    @property
    def is_moved(self) -> bool:
        """Whether it is anywhere else than it was."""
        most = max(abs(self.rise), float(np.abs(self.slope).max()))
        return abs(self.offset) > 1e-6 or most > 1e-4


@dataclass(frozen=True, eq=False)
class _Choices:
    """What one stance would stand on at every offset (N,)."""

    ball: Array
    turn: Array
    height: Array
    slope: Array
    level: Ints
    uneven: Array
    room: Array


def plan_footholds(
    stances: tuple[Stance, ...], soles: dict[str, Sole], way: Way, heights: Heights, floor: float
) -> tuple[Foothold, ...]:
    """Choose a foothold for every stance by dynamic programming over offsets along the way.

    Parameters
    ----------
    stances : tuple of Stance
        In the order in which they begin.
    soles : dict of str to Sole
        Outlines of the feet.
    way : Way
        Along which feet may be moved.
    heights : callable
        Heights of the ground.
    floor : float, metres
        Height of the level ground.

    Returns
    -------
    tuple of Foothold
        As many as stances.
    """
    if not stances:
        return ()
    longest = float(way.lengths[-1]) + 0.5
    cells = np.arange(-round(longest / CELL), round(0.4 * longest / CELL) + 1)
    offsets = np.multiply(cells, CELL, dtype=np.float64)
    choices = [_look(s, soles[s.foot], way, heights, offsets) for s in stances]
    steps = np.diff([s.way for s in stances])
    wished = steps.copy()
    for _ in range(ROUNDS):
        best = _choose(choices, offsets, steps, wished)
        taken = steps + np.diff(offsets[best])
        # Steps change little by little before and after what makes them change.
        wished = steps + _even(taken - steps)
    return tuple(
        _foothold(s, c, offsets[i], i, floor)
        for s, c, i in zip(stances, choices, best, strict=True)
    )


def _even(steps: Array) -> Array:
    """Steps as averages of their neighbours'."""
    if len(steps) < 3:
        return steps
    padded = np.pad(steps, 1, mode="edge")
    return np.asarray(np.convolve(padded, [0.25, 0.5, 0.25], "valid"))


def _look(stance: Stance, sole: Sole, way: Way, heights: Heights, offsets: Array) -> _Choices:
    """What lies under a foot at every offset."""
    was = way.at(np.array([stance.way]))
    now = way.at(stance.way + offsets)
    turns = now.angle - was.angle
    own = was.seen(np.array([stance.ball]))[0]
    balls = now.apply(np.broadcast_to(own, (len(offsets), 2)))
    along = np.linspace(-sole.back - ROOM, sole.front + ROOM, 11)
    across = np.array([-sole.half, 0.0, sole.half])
    u, v = (a.ravel() for a in np.meshgrid(along, across, indexing="ij"))
    heading = stance.heading + turns
    ahead = np.stack([np.sin(heading), np.cos(heading)], axis=-1)
    left = np.stack([np.cos(heading), -np.sin(heading)], axis=-1)
    samples = balls[:, None] + u[:, None] * ahead[:, None] + v[:, None] * left[:, None]
    found = heights(samples)
    design = np.column_stack([np.ones_like(u), u, v])
    fit = found @ np.linalg.pinv(design).T
    off = found - fit @ design.T
    levels, room = _levels(way, own[0], stance.way + offsets, sole.front, heights)
    return _Choices(
        ball=balls,
        turn=turns,
        height=fit[:, 0] + np.maximum(off.max(axis=1), 0.0),
        slope=fit[:, 1:2] * ahead + fit[:, 2:3] * left,
        level=levels,
        uneven=off.max(axis=1) - off.min(axis=1),
        room=room,
    )


def _levels(
    way: Way, aside: float, lengths: Array, front: float, heights: Heights
) -> tuple[Ints, Array]:
    """Edges passed along the way at each of ascending lengths (N,), and room from a foot's front to
    the next one (N,).
    """
    frames = way.at(lengths)
    track = frames.apply(np.broadcast_to([aside, 0.0], (len(lengths), 2)))
    edges = np.abs(np.diff(heights(track))) > EDGE
    counts = np.concatenate([[0], np.cumsum(edges)])
    # From where the way begins, so that those of all stances mean the same.
    levels: Ints = counts - counts[np.searchsorted(lengths, 0.0)]
    places = np.append(lengths[1:][edges], np.inf)
    room = places[np.searchsorted(places, lengths)] - (lengths + front)
    return levels, np.clip(room, 0.0, FAR)


def _choose(choices: list[_Choices], offsets: Array, steps: Array, wished: Array) -> list[int]:
    """Index of the offset of every stance, by dynamic programming."""
    cost = (offsets / STEP) ** 2 + (choices[0].uneven / UNEVEN) ** 2
    came = []
    for k, step in enumerate(steps):
        moves = _changes(step)
        before = np.arange(len(offsets)) - moves[:, None]
        inside = (before >= 0) & (before < len(offsets))
        at = np.clip(before, 0, len(offsets) - 1)
        change = ((step + CELL * moves - wished[k]) / STEP) ** 2
        passed = np.abs(choices[k + 1].level[None] - choices[k].level[at])
        leap = _leap(choices[k].height[at], choices[k + 1].height[None], choices[k].room[at])
        total = np.where(inside, cost[at], np.inf) + change[:, None]
        total += FORBIDDEN * (passed > 1) + (passed > 0) * leap
        pick = total.argmin(axis=0)
        came.append(at[pick, np.arange(len(offsets))])
        cost = total.min(axis=0) + (choices[k + 1].uneven / UNEVEN) ** 2
    best = [int(cost.argmin())]
    for back in reversed(came):
        best.append(int(back[best[-1]]))
    return best[::-1]


def _changes(step: float) -> Ints:
    """Cells by which a step may change; a step back changes as one ahead, mirrored."""
    size = abs(step)
    shorter = min(SHORTEST * size - size, size - FARTHER)
    longer = LONGER * size + FARTHER
    changes = np.arange(round(shorter / CELL), round(longer / CELL) + 1)
    return changes if step >= 0 else -changes


def _leap(here: Array, there: Array, room: Array) -> Array:
    """Cost of leaving a foothold for another level with so much room before the toes."""
    down = (room - DOWN_ROOM) / DOWN_OFF
    return np.where(there < here, down, (room - UP_ROOM) / UP_OFF) ** 2


def _foothold(stance: Stance, choices: _Choices, offset: float, i: int, floor: float) -> Foothold:
    own = {name: values[i] for name, values in vars(choices).items() if name != "room"}
    return Foothold(stance, offset=offset, rise=own["height"] - floor, **own)
