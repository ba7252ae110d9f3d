"""The robot's poses: feet and other contacts first, then directions of limbs, then smoothness.

Several passes over the clip. Each knows what the one before came to: knees and hands stay where
they came down, and body and angles keep near those of that pass, smoothed in time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.robots.frames import RobotFrames
from motionloom.robots.options import RobotOptions
from motionloom.robots.parts import SIDES
from motionloom.robots.planting import FootPath, away_from, faded, runs_of
from motionloom.robots.robot import pose_links
from motionloom.robots.source import Source

Array = NDArray[np.float64]

#: Compliance of an edge of the sole that bears, of one that is lifted while the other bears, and of
#: soles in the air: square metres for each square radian that the directions below are off.
PLANTED = 1e-7
LIFTED = 0.02
SWINGING = 0.05
#: Compliance of knees and hands on the ground and in the air, of the floor, and of the place between
#: the hips: on the ground and above it, and about where the first pass had it.
RESTING = 1e-5
FREE = 1.0
FLOOR = 1e-6
MIDDLE = (1.0, 1.0, 3.0)
MIDDLE_AGAIN = 0.002
#: Time over which it is smoothed how far that place is from the person's, seconds.
BODY_TIME = 0.2
#: Time over which a contact takes hold, seconds.
HOLD_TIME = 0.15
#: Weights of directions: along limbs, along their hinges, of pelvis and chest.
ALONG = 1.0
HINGE = 0.02
TRUNK = 0.5
#: Weight of the posture of the frame before, of the smoothed one, and, for wrists and other hinges
#: that turn no limb, of the pose in which the model is drawn; damping of a step.
BEFORE = 0.01
SMOOTHED = 0.3
IDLE = 0.02
DAMPING = 1e-3
#: A frame is done with a step of this size, radians and metres.
DONE = 1e-4
#: Before the first frame the robot takes this many frames from the pose in which it is drawn to the
#: person's, with nothing but directions and, as soft as this, places; the floor comes last.
LEAD = 40
LEAD_GIVE = 0.3


@dataclass(frozen=True, eq=False)
class Solved:
    """A robot's poses.

    Parameters
    ----------
    places : array of shape (T, 3), metres
    turns : array of shape (T, 4)
        Of the base.
    angles : array of shape (T, H), radians
        Of the hinges.
    iterations : int
        In all.
    """

    places: Array
    turns: Array
    angles: Array
    iterations: int


def solve_robot(
    frames: RobotFrames,
    source: Source,
    feet: Mapping[str, FootPath],
    options: RobotOptions,
) -> Solved:
    """Find the poses of a whole clip.

    Parameters
    ----------
    frames : RobotFrames
        Of the robot.
    source : Source
        The person's motion.
    feet : mapping of str to FootPath
        By side.
    options : RobotOptions
        How.

    Returns
    -------
    Solved
    """
    solved = _run(frames, source, feet, options, None)
    total = solved.iterations
    for _ in range(options.passes - 1):
        solved = _run(frames, source, feet, options, solved)
        total += solved.iterations
    return replace(solved, iterations=total)


def _run(
    frames: RobotFrames,
    source: Source,
    feet: Mapping[str, FootPath],
    options: RobotOptions,
    known: Solved | None,
) -> Solved:
    """One pass."""
    from motionloom.robots.kernels import Posture, Tree, solve_frames

    robot = frames.robot
    tree = Tree(
        robot.parents,
        robot.offsets,
        rot.to_matrix(robot.turns),
        robot.axes,
        robot.above,
        robot.low,
        robot.high,
        options.fastest / source.fps,
    )
    lead = LEAD if known is None else 0
    n = lead + source.n_frames
    shape = (n, robot.n_joints)
    if known is None:
        wanted = np.full(shape, np.nan)
        weights = np.full(robot.n_joints, BEFORE)
        idle = ~robot.above[list(frames.links.values())].any(axis=0)
        wanted[:, idle] = robot.neutral[idle]
        weights[idle] = IDLE
    else:
        wanted = _smoothed(known.angles, options.smoothing * source.fps)
        weights = np.full(robot.n_joints, SMOOTHED)
    tasks = (
        tree,
        _led_points(_points(frames, source, feet, known, options), lead),
        _led_directions(_directions(frames, source, options), lead),
        _balls(frames, n, lead),
        Posture(wanted, weights, DAMPING),
    )
    places = np.empty((n, 3))
    turns = np.empty((n, 3, 3))
    angles = np.empty(shape)
    limits = (options.iterations, DONE)
    total = solve_frames(tasks, _start(frames, source, known), limits, places, turns, angles)
    world = rot.unroll(rot.from_matrix(turns[lead:]))
    return Solved(places[lead:], world, angles[lead:], int(total))


def _led(values: Array, lead: int) -> Array:
    """Values (T, ...) that begin with as many frames like the first."""
    return np.concatenate([np.repeat(values[:1], lead, axis=0), values])


def _led_points(points, lead: int):
    give = _led(points.give, lead)
    asked = give[:lead] >= 0
    give[:lead] = np.where(asked, np.maximum(give[:lead], LEAD_GIVE), -1.0)
    return points._replace(goals=_led(points.goals, lead), give=give)


def _led_directions(directions, lead: int):
    return directions._replace(
        goals=_led(directions.goals, lead), weights=_led(directions.weights, lead)
    )


def _smoothed(angles: Array, frames: float) -> Array:
    if frames <= 0:
        return angles.copy()
    smooth: Array = scipy.ndimage.gaussian_filter1d(angles, frames, axis=0, mode="nearest")
    return smooth


def _start(frames: RobotFrames, source: Source, known: Solved | None):
    from motionloom.robots.kernels import Start

    robot = frames.robot
    if known is not None:
        return Start(known.places[0], rot.to_matrix(known.turns[0]), known.angles[0])
    # The base as the person's pelvis is, where the model's own base is turned in its pelvis.
    wanted = rot.multiply(source.parts["hips"][0], rot.conjugate(frames.frames["hips"]))
    neutral = pose_links(
        robot, robot.base_place[None], robot.base_turn[None], robot.neutral[None].copy()
    )
    pelvis = neutral.turns[0, frames.links["hips"]]
    turn = rot.multiply(wanted, rot.multiply(rot.conjugate(pelvis), robot.base_turn))
    return Start(source.middle[0].copy(), rot.to_matrix(turn), robot.neutral.copy())


def _points(
    frames: RobotFrames,
    source: Source,
    feet: Mapping[str, FootPath],
    known: Solved | None,
    options: RobotOptions,
):
    """Soles, the place between the hips, knees and hands on the ground."""
    from motionloom.robots.kernels import Points

    n = source.n_frames
    links, local, goals, give = [], [], [], []
    for side in SIDES:
        foot = frames.feet[side]
        path = feet[side]
        knee = source.pads.get(f"{side}_knee", np.zeros(n, bool))
        heel = _compliance(path.heel & ~knee, source.fps, PLANTED, SWINGING)
        toe = _compliance(path.toe, source.fps, PLANTED, SWINGING)
        lifted = _compliance(path.down, source.fps, LIFTED, SWINGING)
        soft = np.minimum(np.stack([heel, toe, toe], axis=1), lifted[:, None])
        links += [foot.link] * 3
        local.append(foot.to_link(foot.anchors))
        goals.append(path.points(foot.anchors))
        give.append(np.repeat(soft[..., None], 3, axis=2))
    links.append(frames.links["hips"])
    local.append(frames.middle[None])
    if known is None:
        goals.append(source.middle[:, None])
        give.append(np.broadcast_to(MIDDLE, (n, 1, 3)))
    else:
        # Only how far it was from the person's is smoothed: a body that bobs shall go on bobbing.
        off = _path(frames, links[-1], frames.middle, known) - source.middle
        goals.append((source.middle + _smoothed(off, BODY_TIME * source.fps))[:, None])
        give.append(np.full((n, 1, 3), MIDDLE_AGAIN))
    for role, down in source.pads.items():
        if role in frames.pads and down.any():
            pad = frames.pads[role]
            where, soft = _resting(frames, role, down, source.fps, known)
            links.append(pad.link)
            local.append(pad.local[None])
            goals.append(where[:, None])
            give.append(soft[:, None])
    return Points(
        np.array(links), np.vstack(local), np.concatenate(goals, 1), np.concatenate(give, 1)
    )


def _compliance(down: NDArray[np.bool_], fps: float, held: float, free: float) -> Array:
    """From that of a contact to that in the air, evenly in its logarithm."""
    away = away_from(down, HOLD_TIME * fps)
    soft: Array = np.exp((1 - away) * np.log(held) + away * np.log(free))
    return soft


def _resting(
    frames: RobotFrames,
    role: str,
    down: NDArray[np.bool_],
    fps: float,
    known: Solved | None,
) -> tuple[Array, Array]:
    """Goals (T, 3) and compliance (T, 3) of a knee or hand on the ground.

    Where it is on the ground is left open in the first pass.
    """
    pad = frames.pads[role]
    goals = np.zeros((len(down), 3))
    goals[:, 2] = pad.radius
    soft = _compliance(down, fps, RESTING, FREE)
    if known is None:
        open_ = np.full_like(soft, -1.0)
        return goals, np.column_stack([open_, open_, np.where(down, soft, -1.0)])
    path = _path(frames, pad.link, pad.local, known)
    for start, stop in runs_of(down):
        goals[start:stop, :2] = path[start:stop, :2].mean(axis=0)
    goals[:, :2] += faded(np.where(down[:, None], goals[:, :2], 0.0), down) * ~down[:, None]
    near = away_from(down, HOLD_TIME * fps) < 1.0
    level = np.where(near, soft, -1.0)
    return goals, np.column_stack([level, level, np.where(down, soft, -1.0)])


def _path(frames: RobotFrames, link: int, local: Array, known: Solved) -> Array:
    """Where a point of a link was, shape (T, 3)."""
    poses = pose_links(frames.robot, known.places, known.turns, known.angles)
    path: Array = poses.points([link], local[None])[:, 0]
    return path


def _directions(frames: RobotFrames, source: Source, options: RobotOptions):
    """Axes of body parts, and of feet in the air."""
    from motionloom.robots.kernels import Directions

    links, local, goals, weights = [], [], [], []
    for part, turns in source.parts.items():
        arm = options.arms if part.endswith(("shoulder", "elbow")) else 1.0
        pair = (TRUNK, TRUNK) if part in ("hips", "chest") else (arm * ALONG, arm * HINGE)
        for axis, weight in zip(([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]), pair, strict=True):
            links.append(frames.links[part])
            local.append(rot.rotate(frames.frames[part], np.array(axis)))
            goals.append(rot.rotate(turns, np.array(axis)))
            weights.append(weight)
    return Directions(
        np.array(links),
        np.array(local),
        np.stack(goals, axis=1),
        np.broadcast_to(weights, (source.n_frames, len(weights))).copy(),
    )


def _balls(frames: RobotFrames, n: int, lead: int):
    """Spheres of all geoms, for the floor, which is there after the lead-in."""
    from motionloom.robots.kernels import Balls

    give = np.full(n, FLOOR)
    give[:lead] = -1.0
    shapes = frames.robot.shapes
    if not shapes:
        return Balls(np.zeros(0, int), np.zeros((0, 3)), np.zeros(0), give)
    counts = [len(shape.centers) for shape in shapes]
    return Balls(
        np.repeat([shape.link for shape in shapes], counts),
        np.vstack([shape.centers for shape in shapes]),
        np.repeat([shape.radius for shape in shapes], counts),
        give,
    )
