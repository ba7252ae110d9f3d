"""Inverse kinematics of a tree of hinges, compiled: two strict layers within bounds.

In every iteration the upper layer's rows (feet, floor) are met as equations, each softened by its
own compliance, and the lower layer (directions, posture) is a least-squares problem in what they
leave open: ``min |W (A d - b)|^2 + damping |d|^2`` where ``J d = e`` up to the compliance. With the
normal matrix ``N`` of the lower layer the step is ``d = N^-1 g + N^-1 J' y``, where ``y`` solves
``(J N^-1 J' + compliance) y = e - J N^-1 g``. A hinge that would leave its bounds is fixed at the
bound, and the step is found again.

Kinematics of one pose of a tree of hinges, and how points and directions change, compiled.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from motionloom.compiling import kernel, part
from motionloom.robots.solving.problem import Balls, Directions, Points, Posture, Tree
from motionloom.robots.solving.step_kernels import Work, fix, layered, move, soften
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


class _Tasks(NamedTuple):
    """All that is asked."""

    tree: Tree
    points: Points
    directions: Directions
    balls: Balls
    posture: Posture


@part
def _ask_directions(tasks, pose, t, work):  # pragma: no cover - compiled
    """Add the directions to the lower layer."""
    asked = tasks.directions
    n = len(work.pull)
    row = work.axis
    for d in range(len(asked.links)):
        weight = asked.weights[t, d]
        if weight <= 0.0:
            continue
        link = asked.links[d]
        along = carried(pose, link, asked.local[d])
        for i in range(3):
            direction_row(tasks.tree, pose, link, along, i, row)
            off = asked.goals[t, d, i] - along[i]
            for a in range(3, n):
                if row[a] != 0.0:
                    share = weight * row[a]
                    work.pull[a] += share * off
                    for b in range(3, a + 1):
                        work.normal[a, b] += share * row[b]


@part
def _ask_posture(tasks, pose, t, before, work):  # pragma: no cover - compiled
    """Damping, and the angles that are preferred."""
    posture = tasks.posture
    for a in range(len(work.pull)):
        work.normal[a, a] += posture.damping
    for h in range(len(tasks.tree.low)):
        wanted = posture.goals[t, h]
        if math.isnan(wanted):
            wanted = before[h]
        work.normal[6 + h, 6 + h] += posture.weights[h]
        work.pull[6 + h] += posture.weights[h] * (wanted - pose.angles[h])


@part
def _ask_points(tasks, pose, t, work):  # pragma: no cover - compiled
    """Rows of the points; how many."""
    asked = tasks.points
    count = 0
    for p in range(len(asked.links)):
        link = asked.links[p]
        at = carried(pose, link, asked.local[p])
        at = (
            at[0] + pose.places[link, 0],
            at[1] + pose.places[link, 1],
            at[2] + pose.places[link, 2],
        )
        for i in range(3):
            if asked.give[t, p, i] >= 0.0:
                point_row(tasks.tree, pose, link, at, i, work.rows[count])
                work.wanted[count] = asked.goals[t, p, i] - at[i]
                work.give[count] = asked.give[t, p, i]
                count += 1
    return count


@part
def _ask_floor(tasks, pose, t, count, work):  # pragma: no cover - compiled
    """Rows of balls that were below the floor in this frame; how many rows there are then."""
    balls = tasks.balls
    most = count + MOST_ON_FLOOR
    if balls.give[t] < 0.0:
        return count
    for b in range(len(balls.links)):
        link = balls.links[b]
        at = carried(pose, link, balls.local[b])
        height = at[2] + pose.places[link, 2] - balls.radii[b]
        if height < -SINKING:
            work.held[b] = True
        if work.held[b] and count < most:
            at = (
                at[0] + pose.places[link, 0],
                at[1] + pose.places[link, 1],
                at[2] + pose.places[link, 2],
            )
            point_row(tasks.tree, pose, link, at, 2, work.rows[count])
            work.wanted[count] = -height
            work.give[count] = balls.give[t]
            count += 1
    return count


@part
def _iterate(tasks, pose, t, before, first, work):  # pragma: no cover - compiled
    """One iteration of one frame; how long its step was."""
    place_links(tasks.tree, pose)
    work.normal[:, :] = 0.0
    work.pull[:] = 0.0
    work.fixed[:] = False
    _ask_directions(tasks, pose, t, work)
    _ask_posture(tasks, pose, t, before, work)
    count = _ask_points(tasks, pose, t, work)
    count = _ask_floor(tasks, pose, t, count, work)
    soften(work, count)
    layered(work, count)
    for _ in range(8):
        if not fix(tasks.tree, pose, before, first, work):
            break
        layered(work, count)
    return move(tasks.tree, pose, before, first, work.step)


@part
def _begin(tree, start, t, pose, before):  # pragma: no cover - compiled
    """Begin a frame where the pass before had it, as far as hinges get there in time."""
    for i in range(3):
        pose.place[i] = start.places[t, i]
        for j in range(3):
            pose.turn[i, j] = start.turns[t, i, j]
    for h in range(len(before)):
        near = start.angles[t, h]
        if t > 0:
            near = min(max(near, before[h] - tree.fastest), before[h] + tree.fastest)
        pose.angles[h] = near


@part
def _worst(tasks, pose, t):  # pragma: no cover - compiled
    """Which direction is off most, of those whose turn it is, and how much: its weighted square."""
    place_links(tasks.tree, pose)
    asked = tasks.directions
    worst = -1
    most = 0.0
    # Limbs that cannot get nearer must not keep others from being tried.
    for d in range(t // TRY_EVERY % TURNS, len(asked.links), TURNS):
        along = carried(pose, asked.links[d], asked.local[d])
        off = 0.0
        for i in range(3):
            off += (asked.goals[t, d, i] - along[i]) ** 2
        off *= asked.weights[t, d]
        if off > most:
            worst = d
            most = off
    return worst, most


@part
def _reset_limb(tasks, pose, worst, afresh):  # pragma: no cover - compiled
    """Put the hinges of one limb back, those that turn a direction but few others."""
    asked = tasks.directions
    for h in range(len(afresh)):
        if tasks.tree.above[asked.links[worst], h]:
            moved = 0
            for d in range(len(asked.links)):
                moved += tasks.tree.above[asked.links[d], h]
            if moved <= OF_LIMB:
                pose.angles[h] = afresh[h]


@part
def _settle(tasks, pose, t, before, first, work, iterations):  # pragma: no cover - compiled
    """Iterate one frame; how often."""
    work.held[:] = False
    for k in range(iterations[0]):
        if _iterate(tasks, pose, t, before, first, work) < iterations[1]:
            return k + 1
    return iterations[0]


@part
def _try_afresh(tasks, pose, spare, t, before, work, how):  # pragma: no cover - compiled
    """Solve a frame again with its worst limb put back; kept where that is much better."""
    iterations, afresh = how
    worst, most = _worst(tasks, pose, t)
    if worst < 0 or most < STUCK:
        return 0
    copy_pose(pose, spare)
    _reset_limb(tasks, spare, worst, afresh)
    total = 0
    first = np.bool_(True)  # no literal, for which all of it would be compiled once more
    for _ in range(3):
        total += _settle(tasks, spare, t, before, first, work, iterations)
    if _worst(tasks, spare, t)[1] < BETTER * most:
        copy_pose(spare, pose)
    return total


@kernel
def solve_frames(tasks, start, iterations, places, turns, angles):  # pragma: no cover - compiled
    """Solve all frames, each from the one before, or from where another pass had it.

    Parameters
    ----------
    tasks : (Tree, Points, Directions, Balls, Posture)
        What is asked.
    start : Start
        Of the first frame or of all.
    iterations : (int, float)
        Most iterations of a frame, and the step at which they end.
    places, turns, angles : arrays of shape (T, 3), (T, 3, 3), (T, H)
        Are filled in: base and hinges.

    Returns
    -------
    int
        Iterations in all.
    """
    tree = tasks[0]
    asked = _Tasks(tree, tasks[1], tasks[2], tasks[3], tasks[4])
    pose = _make_pose(start, len(tree.parents))
    spare = _make_pose(start, len(tree.parents))
    work = _make_work(6 + len(tree.low), 3 * len(asked.points.links) + MOST_ON_FLOOR, asked)
    again = len(start.places) > 1
    total = 0
    before = start.angles[0].copy()
    for t in range(len(places)):
        if again:
            _begin(tree, start, t, pose, before)
        total += _settle(asked, pose, t, before, t == 0, work, iterations)
        if not again and t % TRY_EVERY == 0:
            how = (iterations, start.afresh)
            total += _try_afresh(asked, pose, spare, t, before, work, how)
        before[:] = pose.angles
        places[t] = pose.place
        turns[t] = pose.turn
        angles[t] = pose.angles
    return total


@kernel
def _make_pose(start, n_links):  # pragma: no cover - compiled
    """Room for a pose, at the start."""
    return Pose(
        start.places[0].copy(),
        start.turns[0].copy(),
        start.angles[0].copy(),
        np.zeros((n_links, 3)),
        np.zeros((n_links, 3, 3)),
        np.zeros((n_links, 3)),
    )


@kernel
def _make_work(n, most, tasks):  # pragma: no cover - compiled
    """Room for n unknowns and `most` rows."""
    return Work(
        np.zeros((n, n)),
        np.zeros(n),
        np.zeros((most, n)),
        np.zeros(most),
        np.zeros(most),
        np.zeros((n, n)),
        np.zeros(n),
        np.zeros((most, n)),
        np.zeros((most, most)),
        np.zeros(most),
        np.zeros(n),
        np.zeros(n, np.bool_),
        np.zeros(n),
        np.zeros(len(tasks.balls.links), np.bool_),
        np.zeros(n),
    )


class Pose(NamedTuple):
    """One pose: base, angles, and all links' places (L, 3), turns (L, 3, 3) and axes (L, 3)."""

    place: Array
    turn: Array
    angles: Array
    places: Array
    turns: Array
    axes: Array


@part
def place_links(tree, pose):  # pragma: no cover - compiled
    """Run the kinematics of one pose."""
    for i in range(3):
        pose.places[0, i] = pose.place[i]
        for j in range(3):
            pose.turns[0, i, j] = pose.turn[i, j]
    for k in range(1, len(tree.parents)):
        above = tree.parents[k]
        for i in range(3):
            total = pose.places[above, i]
            for j in range(3):
                total += pose.turns[above, i, j] * tree.offsets[k, j]
            pose.places[k, i] = total
        _turn_link(tree, pose, k, above)


@part
def _turn_link(tree, pose, k, above):  # pragma: no cover - compiled
    """Turn of one link, and its hinge's axis in the world."""
    x, y, z = tree.axes[k]
    angle = pose.angles[k - 1]
    s = math.sin(angle)
    c = math.cos(angle)
    v = 1.0 - c
    hinge = (
        (c + v * x * x, v * x * y - s * z, v * x * z + s * y),
        (v * x * y + s * z, c + v * y * y, v * y * z - s * x),
        (v * x * z - s * y, v * y * z + s * x, c + v * z * z),
    )
    for i in range(3):
        a = 0.0
        b = 0.0
        d = 0.0
        for j in range(3):
            # Row i of the link at rest, in the world.
            rest = 0.0
            for m in range(3):
                rest += pose.turns[above, i, m] * tree.turns[k, m, j]
            a += rest * hinge[j][0]
            b += rest * hinge[j][1]
            d += rest * hinge[j][2]
        pose.turns[k, i, 0] = a
        pose.turns[k, i, 1] = b
        pose.turns[k, i, 2] = d
        pose.axes[k, i] = a * x + b * y + d * z


@part
def carried(pose, link, local):  # pragma: no cover - compiled
    """A vector of a link in the world."""
    t = pose.turns[link]
    return (
        t[0, 0] * local[0] + t[0, 1] * local[1] + t[0, 2] * local[2],
        t[1, 0] * local[0] + t[1, 1] * local[1] + t[1, 2] * local[2],
        t[2, 0] * local[0] + t[2, 1] * local[1] + t[2, 2] * local[2],
    )


@part
def point_row(tree, pose, link, at, i, row):  # pragma: no cover - compiled
    """How coordinate i of a point on a link changes with base and hinges."""
    j = (i + 1) % 3
    k = (i + 2) % 3
    row[:] = 0.0
    row[i] = 1.0
    arm_j = at[j] - pose.place[j]
    arm_k = at[k] - pose.place[k]
    row[3 + j] = arm_k
    row[3 + k] = -arm_j
    for h in range(len(tree.low)):
        if tree.above[link, h]:
            axis = pose.axes[h + 1]
            place = pose.places[h + 1]
            row[6 + h] = axis[j] * (at[k] - place[k]) - axis[k] * (at[j] - place[j])


@part
def direction_row(tree, pose, link, along, i, row):  # pragma: no cover - compiled
    """How coordinate i of a direction on a link changes with base and hinges."""
    j = (i + 1) % 3
    k = (i + 2) % 3
    row[:] = 0.0
    row[3 + j] = along[k]
    row[3 + k] = -along[j]
    for h in range(len(tree.low)):
        if tree.above[link, h]:
            axis = pose.axes[h + 1]
            row[6 + h] = axis[j] * along[k] - axis[k] * along[j]


@part
def copy_pose(source, target):  # pragma: no cover - compiled
    """Base and angles of a pose."""
    for i in range(3):
        target.place[i] = source.place[i]
        for j in range(3):
            target.turn[i, j] = source.turn[i, j]
    for h in range(len(source.angles)):
        target.angles[h] = source.angles[h]
