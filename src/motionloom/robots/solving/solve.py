"""The robot's poses: feet and other contacts first, then directions of limbs, then smoothness.

Several passes over the clip. Each knows what the one before came to: knees and hands stay where
they came down, and body and angles keep near those of that pass in time.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.curves import gaussian_average
from motionloom.robots.robot import neutral_poses
from motionloom.robots.solving.problem import Directions, Points, Posture, Start, Tree
from motionloom.robots.solving.tasks import (
    RobotTask,
    Solved,
    ask_directions,
    ask_floor,
    ask_points,
)
from motionloom.typing import Array

#: Weight of the posture of the frame before, of the smoothed one, and, for wrists and other hinges
#: that turn no limb, of the pose in which the model is drawn; damping of a step.
BEFORE = 0.01
SMOOTHED = 0.3
IDLE = 0.02
DAMPING = 1e-3
#: A frame is done with a step of this size, radians and metres.
DONE = 5e-4
#: Before the first frame the robot takes this many frames from the pose in which it is drawn to the
#: person's, with nothing but directions and, as soft as this, places; the floor comes last.
LEAD = 40
LEAD_GIVE = 0.3


def solve_robot(task: RobotTask) -> Solved:
    """Find the poses of a whole clip.

    Parameters
    ----------
    task : RobotTask
        What is followed.

    Returns
    -------
    Solved
    """
    solved = _run(task, None)
    total = solved.iterations
    for _ in range(task.options.passes - 1):
        solved = _run(task, solved)
        total += solved.iterations
    return replace(solved, iterations=total)


def _run(task: RobotTask, known: Solved | None) -> Solved:
    """One pass."""
    from motionloom.robots.solving.kernels import solve_frames

    lead = LEAD if known is None else 0
    n = lead + task.source.n_frames
    asked = (
        _tree(task),
        _led_points(ask_points(task, known), lead),
        _led_directions(ask_directions(task), lead),
        ask_floor(task, lead),
        _posture(task, known, n),
    )
    places = np.empty((n, 3))
    turns = np.empty((n, 3, 3))
    angles = np.empty((n, task.frames.robot.n_joints))
    limits = (task.options.iterations, DONE)
    total = solve_frames(asked, _start(task, known), limits, places, turns, angles)
    world = rot.unroll(rot.from_matrix(turns[lead:]))
    return Solved(places[lead:], world, angles[lead:], int(total))


def _tree(task: RobotTask) -> Tree:
    robot = task.frames.robot
    return Tree(
        robot.parents,
        robot.offsets,
        rot.to_matrix(robot.turns),
        robot.axes,
        robot.above,
        robot.low,
        robot.high,
        task.options.fastest / task.source.fps,
    )


def _posture(task: RobotTask, known: Solved | None, n: int) -> Posture:
    """Angles near those of the frame before, or of the pass before."""
    robot = task.frames.robot
    if known is not None:
        wanted = gaussian_average(known.angles, task.options.smoothing * task.source.fps)
        return Posture(wanted, np.full(robot.n_joints, SMOOTHED), DAMPING)
    wanted = np.full((n, robot.n_joints), np.nan)
    weights = np.full(robot.n_joints, BEFORE)
    idle = ~robot.above[list(task.frames.links.values())].any(axis=0)
    wanted[:, idle] = robot.neutral[idle]
    weights[idle] = IDLE
    return Posture(wanted, weights, DAMPING)


def _led(values: Array, lead: int) -> Array:
    """Values (T, ...) that begin with as many frames like the first."""
    return np.concatenate([np.repeat(values[:1], lead, axis=0), values])


def _led_points(points: Points, lead: int) -> Points:
    give = _led(points.give, lead)
    asked = give[:lead] >= 0
    give[:lead] = np.where(asked, np.maximum(give[:lead], LEAD_GIVE), -1.0)
    return points._replace(goals=_led(points.goals, lead), give=give)


def _led_directions(directions: Directions, lead: int) -> Directions:
    return directions._replace(
        goals=_led(directions.goals, lead), weights=_led(directions.weights, lead)
    )


def _start(task: RobotTask, known: Solved | None) -> Start:
    """Where the pass before had it; else the base where the person is, turned as their pelvis."""
    frames = task.frames
    robot = frames.robot
    if known is not None:
        return Start(known.places, rot.to_matrix(known.turns), known.angles, robot.neutral)
    wanted = rot.multiply(task.source.parts["hips"][0], rot.conjugate(frames.frames["hips"]))
    pelvis = neutral_poses(robot).turns[0, frames.links["hips"]]
    turn = rot.multiply(wanted, rot.multiply(rot.conjugate(pelvis), robot.base_turn))
    return Start(
        task.source.middle[:1].copy(),
        rot.to_matrix(turn)[None],
        robot.neutral[None].copy(),
        robot.neutral,
    )
