"""Inverse kinematics of a tree of hinges, compiled: two strict layers within bounds.

In every iteration the upper layer's rows (feet, floor) are met as equations, each softened by its
own compliance, and the lower layer (directions, posture) is a least-squares problem in what they
leave open: ``min |W (A d - b)|^2 + damping |d|^2`` where ``J d = e`` up to the compliance. With the
normal matrix ``N`` of the lower layer the step is ``d = N^-1 g + N^-1 J' y``, where ``y`` solves
``(J N^-1 J' + compliance) y = e - J N^-1 g``. A hinge that would leave its bounds is fixed at the
bound, and the step is found again.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from motionloom.compiling import kernel
from motionloom.jacobian_kernels import Rig, Stance, run, velocity
from motionloom.robots.solving._solve import Balls, Directions, Limits, Points, Posture
from motionloom.typing import Array

#: Most balls that are held above the floor at once.
MOST_ON_FLOOR = 20
#: Balls that are less below the floor than this are left alone, metres.
SINKING = 5e-4
#: A limb is tried afresh in every so many frames of the first pass where a direction is off by more
#: than this, a weighted square of a chord (22 degrees), and left so where that is this much less; a
#: hinge belongs to a limb when it turns no more directions than these.
TRY_EVERY = 3
STUCK = 0.15
BETTER = 0.5
OF_LIMB = 4
TURNS = 5
#: What rows ask for is softened by this share of the square of how far they are off, so that goals
#: out of reach give no wild steps (after Sugihara 2011); rows softer than `FIRM` are passed over.
SOFTENED = 0.3
FIRM = 1e-3
#: Longest step of one iteration, radians and metres.
LONGEST = 0.3


class _Tasks(NamedTuple):
    """The robot, and all that is asked of it."""

    rig: Rig
    limits: Limits
    points: Points
    directions: Directions
    balls: Balls
    posture: Posture


class _Pose(NamedTuple):
    """Numbers (P,) of a pose, of which the turn of the base are none, that turn, and the
    kinematics.
    """

    numbers: Array
    turn: Array
    stance: Stance


@kernel
def _place(tasks, pose):  # pragma: no cover - compiled
    """Run the kinematics of a pose."""
    tasks.rig.after[0] = pose.turn
    run(tasks.rig, pose.numbers, pose.stance)


@kernel
def _fill_rows(rig, stance, link, at, is_direction, rows):  # pragma: no cover - compiled
    """How a point or a direction on a link changes with every number of a pose, (3, P)."""
    rows[:] = 0.0
    for p in range(len(rig.owner)):
        if rig.moves[link, p] and not (is_direction and rig.slides[p]):
            x, y, z = at[0], at[1], at[2]
            if is_direction:
                o = rig.owner[p]
                x, y, z = x + stance.place[o, 0], y + stance.place[o, 1], z + stance.place[o, 2]
            rows[0, p], rows[1, p], rows[2, p] = velocity(rig, stance, p, x, y, z)


@kernel
def _ask_lower(tasks, pose, t, before):  # pragma: no cover - compiled
    """Normal matrix and right side of the lower layer: directions, damping, preferred angles."""
    asked = tasks.directions
    posture = tasks.posture
    n = len(pose.numbers)
    rows = np.zeros((3 * len(asked.links), n))
    off = np.zeros(len(rows))
    for d in range(len(asked.links)):
        weight = math.sqrt(asked.weights[t, d])
        own = slice(3 * d, 3 * d + 3)
        along = pose.stance.turn[asked.links[d]] @ asked.local[d]
        if weight > 0.0:
            _fill_rows(tasks.rig, pose.stance, asked.links[d], along, True, rows[own])
            rows[own] *= weight
            off[own] = weight * (asked.goals[t, d] - along)
    normal = rows.T @ rows + posture.damping * np.eye(n)
    pull = rows.T @ off
    for h in range(len(posture.weights)):
        goal = posture.goals[t, h]
        if math.isnan(goal):
            goal = before[6 + h]
        normal[6 + h, 6 + h] += posture.weights[h]
        pull[6 + h] += posture.weights[h] * (goal - pose.numbers[6 + h])
    return normal, pull


@kernel
def _ask_upper(tasks, pose, t, held):  # pragma: no cover - compiled
    """Rows of the upper layer, what they ask for and their compliance: points, and balls that were
    below the floor in this frame.
    """
    points = tasks.points
    balls = tasks.balls
    stance = pose.stance
    most = 3 * len(points.links) + MOST_ON_FLOOR
    rows = np.zeros((most, len(pose.numbers)))
    wanted = np.zeros(most)
    give = np.zeros(most)
    own = np.zeros((3, len(pose.numbers)))
    count = 0
    for p in range(len(points.links)):
        link = points.links[p]
        at = stance.turn[link] @ points.local[p] + stance.place[link]
        _fill_rows(tasks.rig, stance, link, at, False, own)
        for i in range(3):
            if points.give[t, p, i] >= 0.0:
                rows[count] = own[i]
                wanted[count] = points.goals[t, p, i] - at[i]
                give[count] = points.give[t, p, i]
                count += 1
    most = count + MOST_ON_FLOOR
    for b in range(len(balls.links) if balls.give[t] >= 0.0 else 0):
        link = balls.links[b]
        at = stance.turn[link] @ balls.local[b] + stance.place[link]
        height = at[2] - balls.radii[b]
        held[b] |= height < -SINKING
        if held[b] and count < most:
            _fill_rows(tasks.rig, stance, link, at, False, own)
            rows[count] = own[2]
            wanted[count] = -height
            give[count] = balls.give[t]
            count += 1
    return rows[:count], wanted[:count], give[:count]


@kernel
def _layered(lower, upper, fixed, change):  # pragma: no cover - compiled
    """The step of both layers, with a given change of the numbers that are fixed."""
    normal = lower[0].copy()
    rows = upper[0].copy()
    sides = np.empty((1 + len(rows), len(change)))
    sides[0] = lower[1] - normal @ change
    wanted = upper[1] - rows @ change
    for a in range(len(change)):
        if fixed[a]:
            normal[a] = normal[:, a] = rows[:, a] = 0.0
            normal[a, a] = 1.0
            sides[0, a] = change[a]
    sides[1:] = rows
    solved = np.linalg.solve(normal, sides.T).T.copy()
    inner = rows @ solved[1:].T
    inner += np.diag(upper[2])
    return solved[0] + np.linalg.solve(inner, wanted - rows @ solved[0]) @ solved[1:]


@kernel
def _iterate(tasks, pose, t, before, bounds, held):  # pragma: no cover - compiled
    """One iteration of one frame; how long its step was."""
    _place(tasks, pose)
    low, high = bounds
    lower = _ask_lower(tasks, pose, t, before)
    rows, wanted, give = _ask_upper(tasks, pose, t, held)
    give += SOFTENED * ((give < FIRM) * wanted**2).sum()
    fixed = np.zeros(len(pose.numbers), np.bool_)
    change = np.zeros(len(pose.numbers))
    for _ in range(9):
        step = _layered(lower, (rows, wanted, give), fixed, change)
        leaves = False
        for a in range(len(step)):
            there = pose.numbers[a] + step[a]
            if not fixed[a] and not low[a] - 1e-12 <= there <= high[a] + 1e-12:
                change[a] = min(max(there, low[a]), high[a]) - pose.numbers[a]
                fixed[a] = leaves = True
        if not leaves:
            break
    longest = np.abs(step).max()
    share = min(1.0, LONGEST / max(longest, 1e-12))
    pose.numbers[:] = np.minimum(np.maximum(pose.numbers + share * step, low), high)
    # The turn of the base is about the world's axes, and none of the numbers that are kept.
    _place(tasks, pose)
    pose.turn[:] = pose.stance.turn[0]
    pose.numbers[3:6] = 0.0
    return longest


@kernel
def _worst(tasks, pose, t):  # pragma: no cover - compiled
    """Which direction is off most, of those whose turn it is, and how much: its weighted square."""
    _place(tasks, pose)
    asked = tasks.directions
    worst = -1
    most = 0.0
    # Limbs that cannot get nearer must not keep others from being tried.
    for d in range(t // TRY_EVERY % TURNS, len(asked.links), TURNS):
        along = pose.stance.turn[asked.links[d]] @ asked.local[d]
        off = asked.weights[t, d] * ((asked.goals[t, d] - along) ** 2).sum()
        if off > most:
            worst, most = d, off
    return worst, most


@kernel
def _settle(tasks, pose, t, before, bounds, iterations):  # pragma: no cover - compiled
    """Iterate one frame."""
    held = np.zeros(len(tasks.balls.links), np.bool_)
    for _ in range(iterations[0]):
        if _iterate(tasks, pose, t, before, bounds, held) < iterations[1]:
            break


@kernel
def _try_afresh(tasks, pose, t, before, iterations, afresh):  # pragma: no cover - compiled
    """Solve a frame again with its worst limb put back; kept where that is much better."""
    worst, most = _worst(tasks, pose, t)
    if worst < 0 or most < STUCK:
        return
    numbers = pose.numbers.copy()
    turn = pose.turn.copy()
    # The hinges of one limb turn a direction but few others.
    links = tasks.directions.links
    for h in range(6, len(numbers)):
        if tasks.rig.moves[links[worst], h] and tasks.rig.moves[links, h].sum() <= OF_LIMB:
            pose.numbers[h] = afresh[h - 6]
    bounds = (tasks.limits.low, tasks.limits.high)
    for _ in range(3):
        _settle(tasks, pose, t, before, bounds, iterations)
    if not _worst(tasks, pose, t)[1] < BETTER * most:
        pose.numbers[:] = numbers
        pose.turn[:] = turn


@kernel
def solve_frames(tasks, start, iterations, places, turns, angles):  # pragma: no cover - compiled
    """Solve all frames, each from the one before, or from where another pass had it.

    Parameters
    ----------
    tasks : (Rig, Limits, Points, Directions, Balls, Posture)
        What is asked.
    start : Start
        Of the first frame or of all.
    iterations : (int, float)
        Most iterations of a frame, and the step at which they end.
    places, turns, angles : arrays of shape (T, 3), (T, 3, 3), (T, H)
        Are filled in: base and hinges.
    """
    rig, limits = tasks[0], tasks[1]
    asked = _Tasks(rig, limits, tasks[2], tasks[3], tasks[4], tasks[5])
    n = len(rig.parents)
    stance = Stance(np.zeros((n, 3)), np.zeros((n, 3, 3)), np.zeros((len(rig.owner), 3)))
    pose = _Pose(start.numbers[0].copy(), start.turns[0].copy(), stance)
    again = len(start.numbers) > 1
    before = start.numbers[0].copy()
    for t in range(len(places)):
        low, high = limits.low, limits.high
        if t > 0:
            low = np.maximum(low, before - limits.fastest)
            high = np.minimum(high, before + limits.fastest)
        if again:
            # As far as hinges get there in time.
            pose.numbers[:] = np.minimum(np.maximum(start.numbers[t], low), high)
            pose.turn[:] = start.turns[t]
        _settle(asked, pose, t, before, (low, high), iterations)
        if not again and t % TRY_EVERY == 0:
            _try_afresh(asked, pose, t, before, iterations, start.afresh)
        before[:] = pose.numbers
        places[t] = pose.numbers[:3]
        turns[t] = pose.turn
        angles[t] = pose.numbers[6:]
