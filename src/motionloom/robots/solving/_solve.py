"""The poses of a robot along a clip: options, what is wanted of them, and the solver.

Wanted are places of soles, hips, knees and hands, directions of limbs, and the floor. Compliance
says how hard a place is held: square metres for each square radian that directions are off. So feet
come first, then directions of limbs, then smoothness. The solver passes over the clip several
times: knees and hands stay where the pass before put them down, and body and angles keep near those
of that pass in time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from motionloom import rotations as rot
from motionloom.curves import gaussian_average, runs_of
from motionloom.edit.limbs import swing_between
from motionloom.errors import InvalidInputError
from motionloom.jacobian_kernels import Rig
from motionloom.robots._frames import RobotFrames
from motionloom.robots._parts import SIDES
from motionloom.robots._planting import FootPath, away_from, faded
from motionloom.robots._robot import Robot, neutral_poses
from motionloom.robots._source import Source
from motionloom.robots.motion import RobotMotion
from motionloom.typing import Array, Bools, Ints


class Limits(NamedTuple):
    """Least and largest numbers of a pose, `low` and `high` (P,), and by how much they change in a
    frame at most, `fastest` (P,). The first six are those of the base: its place, and no turn.
    """

    low: Array
    high: Array
    fastest: Array


class Points(NamedTuple):
    """Points `local` (K, 3) on `links` with `goals` (T, K, 3), and their compliance `give`
    (T, K, 3) along each axis; negative where nothing is asked.
    """

    links: Ints
    local: Array
    goals: Array
    give: Array


class Directions(NamedTuple):
    """Unit vectors `local` (D, 3) on `links` with `goals` (T, D, 3) and `weights` (T, D)."""

    links: Ints
    local: Array
    goals: Array
    weights: Array


class Balls(NamedTuple):
    """Spheres at `local` (B, 3) on `links` with `radii` that stay above height 0, up to `give`
    (T,); negative in frames without a floor.
    """

    links: Ints
    local: Array
    radii: Array
    give: Array


class Posture(NamedTuple):
    """Angles `goals` (T, H) that are preferred with `weights` (H,), NaN for those of the frame
    before; `damping` of a step.
    """

    goals: Array
    weights: Array
    damping: float


class Start(NamedTuple):
    """Where frames begin: `numbers` (S, P) and `turns` (S, 3, 3) of the base; of the first frame
    only (S = 1), each next one from the one before, or of all.

    Where limbs may be stuck, `afresh` (H,) are angles that they are tried from again.
    """

    numbers: Array
    turns: Array
    afresh: Array


@dataclass(frozen=True)
class RobotOptions:
    """Options of `retarget_to_robot`.

    Parameters
    ----------
    fps : float
        Frames per second of the result.
    fastest : float, radians per second
        No hinge turns faster. MJCF models do not tell; small humanoids reach about 20.
    smoothing : float, seconds
        Over this time what one pass found is smoothed, which the next one prefers.
    passes : int
        How often the clip is gone through.
    arms : float
        Weight of directions of arms beside those of legs and trunk.
    iterations : int
        Most iterations of a frame.
    """

    fps: float = 30.0
    fastest: float = 20.0
    smoothing: float = 0.05
    passes: int = 3
    arms: float = 1.0
    iterations: int = 12

    def __post_init__(self) -> None:
        if not 1 <= self.fps <= 1000:
            raise InvalidInputError(f"fps must lie between 1 and 1000, got {self.fps:g}")
        if not self.fastest > 0:
            raise InvalidInputError("the fastest speed of hinges must be positive")
        if self.smoothing < 0 or self.arms < 0 or min(self.iterations, self.passes) < 1:
            raise InvalidInputError(
                "smoothing and weights must not be negative, and there is one pass and iteration at"
                " least"
            )


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


def solve_robot(task: RobotTask) -> RobotMotion:
    """Find the poses of a whole clip.

    Parameters
    ----------
    task : RobotTask
        What is followed.

    Returns
    -------
    RobotMotion
    """
    solved = _run(task, None)
    for _ in range(task.options.passes - 1):
        solved = _run(task, solved)
    return solved


def _run(task: RobotTask, known: RobotMotion | None) -> RobotMotion:
    """One pass."""
    from motionloom.robots.solving.kernels import solve_frames

    lead = LEAD if known is None else 0
    n = lead + task.source.n_frames
    asked = (
        _rig(task.frames.robot),
        _limits(task),
        _led_points(_ask_points(task, known), lead),
        _ask_directions(task, lead),
        _ask_floor(task, lead),
        _posture(task, known, n),
    )
    places = np.empty((n, 3))
    turns = np.empty((n, 3, 3))
    angles = np.empty((n, task.frames.robot.n_joints))
    limits = (task.options.iterations, DONE)
    solve_frames(asked, _start(task, known), limits, places, turns, angles)
    world = rot.unroll(rot.from_matrix(turns[lead:]))
    robot = task.frames.robot
    return RobotMotion(robot, task.options.fps, places[lead:], world, angles[lead:])


def _rig(robot: Robot) -> Rig:
    """The tree with three moves and turns of its base, then a turn about x for every hinge."""
    links = np.arange(robot.n_links)
    # Hinges turn about x between a turn that takes x to their axis, and its inverse.
    to_axes = rot.to_matrix(swing_between(np.tile([1.0, 0.0, 0.0], (len(links), 1)), robot.axes))
    to_axes[0] = np.eye(3)
    first = np.concatenate([[0], 3 + links])
    return Rig(
        parents=np.array(robot.parents),
        offsets=np.array(robot.offsets),
        before=np.concatenate([np.eye(3)[None], rot.to_matrix(robot.turns[1:]) @ to_axes[1:]]),
        after=np.ascontiguousarray(to_axes.swapaxes(1, 2)),
        first=first,
        turning=np.arange(3, 6 + robot.n_joints),
        axis=np.zeros(6 + robot.n_joints, int),
        owner=np.concatenate([np.zeros(6, int), links[1:]]),
        moves=np.hstack([np.ones((len(links), 6), bool), robot.above]),
        exponential=links == 0,
        slid=np.where(first > 0, 3, 0),
        sliding=np.arange(3),
        slides=np.arange(6 + robot.n_joints) < 3,
        way=np.eye(6 + robot.n_joints, 3),
    )


def _limits(task: RobotTask) -> Limits:
    robot = task.frames.robot
    base = np.full(6, np.inf)
    fastest = np.full(robot.n_joints, task.options.fastest / task.source.fps)
    ends = (np.r_[-base, robot.low], np.r_[base, robot.high])
    return Limits(*ends, fastest=np.r_[base, fastest])


def _posture(task: RobotTask, known: RobotMotion | None, n: int) -> Posture:
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


def _start(task: RobotTask, known: RobotMotion | None) -> Start:
    """Where the pass before had it; else the base where the person is, turned as their pelvis."""
    frames = task.frames
    robot = frames.robot
    if known is not None:
        places, turns, angles = known.places, known.turns, known.angles
    else:
        wanted = rot.multiply(task.source.parts["hips"][:1], rot.conjugate(frames.frames["hips"]))
        pelvis = neutral_poses(robot).turns[0, frames.links["hips"]]
        turns = rot.multiply(wanted, rot.multiply(rot.conjugate(pelvis), robot.base_turn))
        places, angles = task.source.middle[:1], robot.neutral[None]
    # Turns of the base are none of the numbers.
    numbers = np.concatenate([places, np.zeros_like(places), angles], axis=1)
    return Start(numbers, rot.to_matrix(turns), np.array(robot.neutral))


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


#: A point on a link: the link, where it is on it (3,), goals (T, 3) and compliance (T, 3).
_Asked = tuple[int, Array, Array, Array]


def _ask_points(task: RobotTask, known: RobotMotion | None) -> Points:
    """Soles, the place between the hips, knees and hands on the ground.

    Parameters
    ----------
    task : RobotTask
        What is followed.
    known : RobotMotion, optional
        What the pass before came to.

    Returns
    -------
    Points
    """
    rows = [row for side in SIDES for row in _ask_sole(task, side)]
    rows.append(_ask_middle(task, known))
    for role, down in task.source.pads.items():
        if role in task.frames.pads and down.any():
            rows.append(_ask_pad(task, role, known))
    links, local, goals, give = zip(*rows, strict=True)
    return Points(np.array(links), np.array(local), np.stack(goals, axis=1), np.stack(give, axis=1))


def _ask_sole(task: RobotTask, side: str) -> Iterator[_Asked]:
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
        yield foot.link, local[k], goals[:, k], give


def _ask_middle(task: RobotTask, known: RobotMotion | None) -> _Asked:
    frames, middle = task.frames, task.source.middle
    pelvis = frames.links["hips"]
    if known is None:
        return pelvis, frames.middle, middle, np.tile(MIDDLE, (len(middle), 1))
    # Only how far it was from the person's is smoothed: a body that bobs shall go on bobbing.
    off = known.poses().path(pelvis, frames.middle) - middle
    goals = middle + gaussian_average(off, BODY_TIME * task.source.fps)
    return pelvis, frames.middle, goals, np.full_like(goals, MIDDLE_AGAIN)


def _ask_pad(task: RobotTask, role: str, known: RobotMotion | None) -> _Asked:
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
        path = known.poses().path(pad.link, pad.local)
        for start, stop in runs_of(down):
            goals[start:stop, :2] = path[start:stop, :2].mean(axis=0)
        goals[:, :2] += faded(np.where(down[:, None], goals[:, :2], 0.0), down) * ~down[:, None]
        near = away_from(down, HOLD_TIME * fps) < 1.0
        give[near, :2] = soft[near, None]
    return pad.link, pad.local, goals, give


def _compliance(down: Bools, fps: float, held: float, free: float) -> Array:
    """From that of a contact to that in the air, evenly in its logarithm."""
    away = away_from(down, HOLD_TIME * fps)
    return np.exp((1 - away) * np.log(held) + away * np.log(free))


def _ask_directions(task: RobotTask, lead: int) -> Directions:
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
    rows = []
    for part, turns in task.source.parts.items():
        arm = task.options.arms if part.endswith(("shoulder", "elbow")) else 1.0
        pair = (TRUNK, TRUNK) if part in ("hips", "chest") else (arm * ALONG, arm * HINGE)
        for axis, weight in zip(([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]), pair, strict=True):
            local = rot.rotate(frames.frames[part], axis)
            rows.append((frames.links[part], local, rot.rotate(turns, axis), weight))
    links, locals_, goals, weights = zip(*rows, strict=True)
    wanted = _led(np.stack(goals, axis=1), lead)
    return Directions(
        np.array(links), np.array(locals_), wanted, np.tile(weights, (len(wanted), 1))
    )


def _ask_floor(task: RobotTask, lead: int) -> Balls:
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
