"""What is asked of a robot's poses: soles, hips, knees and hands; directions; the floor.

Compliance says how hard a place is held: square metres for each square radian that directions are
off. So feet come first, then directions of limbs, then smoothness.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from motionloom import rotations as rot
from motionloom.curves import gaussian_average, runs_of
from motionloom.robots.frames import RobotFrames
from motionloom.robots.options import RobotOptions
from motionloom.robots.parts import SIDES
from motionloom.robots.planting import FootPath, away_from, faded
from motionloom.robots.robot import pose_links
from motionloom.robots.solving.problem import Balls, Directions, Points
from motionloom.robots.source import Source
from motionloom.typing import Array, Bools

#: Compliance of an edge of the sole that bears, of one that is lifted while the other bears, and of
#: soles in the air.
PLANTED = 1e-7
LIFTED = 0.02
SWINGING = 0.05
#: Compliance of knees and hands on the ground and in the air, of the floor, and of the place
#: between the hips: ahead, aside and up, and about where the pass before had it.
RESTING = 1e-4
FREE = 1.0
FLOOR = 1e-5
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


@dataclass(frozen=True, eq=False)
class RobotTask:
    """A clip that a robot is to follow.

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
    """

    frames: RobotFrames
    source: Source
    feet: Mapping[str, FootPath]
    options: RobotOptions = field(default_factory=RobotOptions)


@dataclass
class _Rows:
    """Points that are asked for, one after the other."""

    links: list[int] = field(default_factory=list)
    local: list[Array] = field(default_factory=list)
    goals: list[Array] = field(default_factory=list)
    give: list[Array] = field(default_factory=list)

    def add(self, link: int, local: Array, goals: Array, give: Array) -> None:
        """One point: where it is on its link (3,), goals (T, 3) and compliance (T, 3)."""
        self.links.append(link)
        self.local.append(local)
        self.goals.append(goals)
        self.give.append(give)

    def to_points(self) -> Points:
        return Points(
            np.array(self.links),
            np.array(self.local),
            np.stack(self.goals, axis=1),
            np.stack(self.give, axis=1),
        )


def ask_points(task: RobotTask, known: Solved | None) -> Points:
    """Soles, the place between the hips, knees and hands on the ground.

    Parameters
    ----------
    task : RobotTask
        What is followed.
    known : Solved, optional
        What the pass before came to.

    Returns
    -------
    Points
    """
    rows = _Rows()
    for side in SIDES:
        _ask_sole(task, side, rows)
    _ask_middle(task, known, rows)
    for role, down in task.source.pads.items():
        if role in task.frames.pads and down.any():
            _ask_pad(task, role, known, rows)
    return rows.to_points()


def _ask_sole(task: RobotTask, side: str, rows: _Rows) -> None:
    """Three points of a sole; the heel of someone who kneels is free."""
    path = task.feet[side]
    foot = task.frames.feet[side]
    fps = task.source.fps
    knee = task.source.pads.get(f"{side}_knee", np.zeros(len(path.down), bool))
    heel = _compliance(path.heel & ~knee, fps, PLANTED, SWINGING)
    toe = _compliance(path.toe, fps, PLANTED, SWINGING)
    lifted = _compliance(path.down, fps, LIFTED, SWINGING)
    local = foot.to_link(foot.anchors)
    goals = path.points(foot.anchors)
    for k, soft in enumerate((heel, toe, toe)):
        give = np.repeat(np.minimum(soft, lifted)[:, None], 3, axis=1)
        rows.add(foot.link, local[k], goals[:, k], give)


def _ask_middle(task: RobotTask, known: Solved | None, rows: _Rows) -> None:
    frames, middle = task.frames, task.source.middle
    pelvis = frames.links["hips"]
    if known is None:
        rows.add(pelvis, frames.middle, middle, np.tile(MIDDLE, (len(middle), 1)))
        return
    # Only how far it was from the person's is smoothed: a body that bobs shall go on bobbing.
    off = _path(frames, pelvis, frames.middle, known) - middle
    goals = middle + gaussian_average(off, BODY_TIME * task.source.fps)
    rows.add(pelvis, frames.middle, goals, np.full_like(goals, MIDDLE_AGAIN))


def _ask_pad(task: RobotTask, role: str, known: Solved | None, rows: _Rows) -> None:
    """A knee or hand on the ground; where it is there is left open in the first pass."""
    pad = task.frames.pads[role]
    down = task.source.pads[role]
    fps = task.source.fps
    goals = np.zeros((len(down), 3))
    goals[:, 2] = pad.radius
    soft = _compliance(down, fps, RESTING, FREE)
    give = np.full((len(down), 3), -1.0)
    give[down, 2] = soft[down]
    if known is not None:
        path = _path(task.frames, pad.link, pad.local, known)
        for start, stop in runs_of(down):
            goals[start:stop, :2] = path[start:stop, :2].mean(axis=0)
        goals[:, :2] += faded(np.where(down[:, None], goals[:, :2], 0.0), down) * ~down[:, None]
        near = away_from(down, HOLD_TIME * fps) < 1.0
        give[near, :2] = soft[near, None]
    rows.add(pad.link, pad.local, goals, give)


def _compliance(down: Bools, fps: float, held: float, free: float) -> Array:
    """From that of a contact to that in the air, evenly in its logarithm."""
    away = away_from(down, HOLD_TIME * fps)
    soft: Array = np.exp((1 - away) * np.log(held) + away * np.log(free))
    return soft


def _path(frames: RobotFrames, link: int, local: Array, known: Solved) -> Array:
    """Where a point of a link was, shape (T, 3)."""
    poses = pose_links(frames.robot, known.places, known.turns, known.angles)
    path: Array = poses.points([link], local[None])[:, 0]
    return path


def ask_directions(task: RobotTask) -> Directions:
    """Axes of body parts: limbs along their bones and, weakly, their hinges; the trunk wholly.

    Parameters
    ----------
    task : RobotTask
        What is followed.

    Returns
    -------
    Directions
    """
    frames = task.frames
    links: list[int] = []
    local: list[Array] = []
    goals: list[Array] = []
    weights: list[float] = []
    for part, turns in task.source.parts.items():
        arm = task.options.arms if part.endswith(("shoulder", "elbow")) else 1.0
        pair = (TRUNK, TRUNK) if part in ("hips", "chest") else (arm * ALONG, arm * HINGE)
        for axis, weight in zip(([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]), pair, strict=True):
            links.append(frames.links[part])
            local.append(rot.rotate(frames.frames[part], axis))
            goals.append(rot.rotate(turns, axis))
            weights.append(weight)
    n = task.source.n_frames
    return Directions(
        np.array(links), np.array(local), np.stack(goals, axis=1), np.tile(weights, (n, 1))
    )


def ask_floor(task: RobotTask, lead: int) -> Balls:
    """Spheres of all geoms, which stay above the floor.

    Parameters
    ----------
    task : RobotTask
        What is followed.
    lead : int
        Frames before the clip, in which there is no floor.

    Returns
    -------
    Balls
    """
    give = np.full(lead + task.source.n_frames, FLOOR)
    give[:lead] = -1.0
    shapes = task.frames.robot.shapes
    counts = [len(shape.centers) for shape in shapes]
    return Balls(
        np.repeat(np.array([shape.link for shape in shapes], int), counts),
        np.vstack([np.zeros((0, 3)), *(shape.centers for shape in shapes)]),
        np.repeat(np.array([shape.radius for shape in shapes], float), counts),
        give,
    )
