"""What a robot's motion is worth: contacts, limbs, limits, depth, in numbers.

Where a robot's own parts go into each other, as MuJoCo sees it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.reports import Report, Reported, Row, rows_of, shown
from motionloom.robots._frames import RobotFrames
from motionloom.robots._planting import FootPath
from motionloom.robots._reading.model import mujoco_warnings
from motionloom.robots._robot import LinkPoses, Robot
from motionloom.robots._source import Source
from motionloom.robots.motion import RobotMotion
from motionloom.typing import Array, Bools

#: Shapes less deep in each other than this do not count, metres.
TOUCH = 1e-3

#: Parts whose directions are compared, by limb.
LEGS = ("hip", "knee")
ARMS = ("shoulder", "elbow")
TRUNK = ("hips", "chest")
#: Mean angle between limbs of person and robot beyond which the robot does not follow, degrees.
#: Robots of 29 and 23 hinges come to 2 to 5 on walks, dances and raised hands.
MOST_LIMBS = 6.0
#: Mean speed of bearing soles beyond which feet slide, centimetres per second. Robots whose ankles
#: turn about two axes come to .44 at most.
MOST_SLIDING = 1.0
#: Mean angle between the trunks beyond which the robot stands otherwise, degrees: as of skeletons.
MOST_LEAN = 8.0
#: A hinge this near to its limit is at it, radians.
AT_LIMIT = 1e-3


@dataclass(frozen=True)
class RobotReport(Reported):
    """Figures of one clip on a robot.

    Parameters
    ----------
    name, robot : str
        Of clip and robot.
    frames : int
    fps : float
        Of the result.
    scale : float
        Size of the robot's legs in those of the person.
    contact_speed, contact_speed_p90 : float, centimetres per second
        Of the edges of the soles while the person's heels and toes bear.
    resting_speed : float, centimetres per second
        Of knees and hands while the person's bear; NaN where none do.
    limb_direction, legs, arms, limb_direction_p99 : float, degrees
        Between bones of the person and of the robot.
    limit_excess : float, degrees
        How far hinges are beyond their limits at most.
    fastest, fastest_p99 : float, radians per second
        Speed of hinges.
    speed_excess : float, radians per second
        How far that is beyond what was allowed.
    lowest_sole, lowest : float, millimetres
        Lowest point of soles, and of all geoms that can touch, above the ground.
    self_touch_frames : int or None
        Frames in which parts of the robot are in each other; None where that is not known.
    self_touch_deepest : float, millimetres
        NaN where it is not known.
    self_touch_pairs : tuple of (str, str, int)
        Bodies and in how many frames.
    milliseconds : float
        Processor time a frame.
    trunk : float, degrees
        Between the directions of pelvis and chest of the person and of the robot, each from its
        neutral pose.
    self_touch_unknown : str
        Why it is not known whether parts are in each other; empty where it is.
    problems : tuple of str
        What nobody should rely on, one sentence each.
    notes : tuple of str
        What was guessed, and which joints the robot lacks.
    """

    name: str
    robot: str
    frames: int
    fps: float
    scale: float = field(metadata=shown("size in the person's legs", ""))
    contact_speed: float = field(metadata=shown("contact speed, mean", "cm/s"))
    contact_speed_p90: float = field(metadata=shown("contact speed, 90 %", "cm/s", ".2f"))
    resting_speed: float = field(metadata=shown("speed of resting knees and hands", "cm/s"))
    limb_direction: float = field(metadata=shown("limb directions, mean", "deg", ".1f"))
    legs: float = field(metadata=shown("directions of legs, mean", "deg", ".1f"))
    arms: float = field(metadata=shown("directions of arms, mean", "deg", ".1f"))
    limb_direction_p99: float = field(metadata=shown("limb directions, 99 %", "deg", ".1f"))
    limit_excess: float = field(metadata=shown("joint limits exceeded by", "deg", ".2g"))
    fastest: float = field(metadata=shown("joint speed, largest", "rad/s", ".1f"))
    fastest_p99: float = field(metadata=shown("joint speed, 99 %", "rad/s", ".1f"))
    speed_excess: float = field(metadata=shown("allowed speed exceeded by", "rad/s", ".2g"))
    lowest_sole: float = field(metadata=shown("lowest sole", "mm", ".1f"))
    lowest: float
    self_touch_frames: int | None
    self_touch_deepest: float
    self_touch_pairs: tuple[tuple[str, str, int], ...]
    milliseconds: float = field(metadata=shown("processor time a frame", "ms"))
    trunk: float = field(default=np.nan, metadata=shown("trunk, mean", "deg", ".1f"))
    self_touch_unknown: str = ""
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def as_report(self) -> Report:
        """Figures; the notes are the command's."""
        # The lowest of what is known.
        part = "any shape that was read" if self.self_touch_unknown else "any part"
        return Report(
            f"{self.name or 'clip'} on {self.robot}: {self.frames} frames at {self.fps:g} fps",
            [
                *rows_of(self),
                Row("", f"lowest of {part}", self.lowest, "mm", ".1f"),
                Row("", "self-penetration", self._touching()),
            ],
            data=self,
            problems=self.problems,
        )

    def _touching(self) -> str:
        if self.self_touch_frames is None:
            return f"not known ({self.self_touch_unknown})"
        counted = f"{self.self_touch_frames} frames"
        if not self.self_touch_pairs:
            return counted
        a, b, frames = self.self_touch_pairs[0]
        deepest = f"{self.self_touch_deepest:.0f} mm deep at most"
        return f"{counted}, {deepest}, mostly {a} in {b} ({frames})"


@dataclass(frozen=True)
class RobotReports(Reported):
    """Figures of several clips.

    Parameters
    ----------
    clips : tuple of RobotReport
        One for each.
    """

    clips: tuple[RobotReport, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """Problems of all clips."""
        return tuple(problem for clip in self.clips for problem in clip.problems)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes of all clips, each once."""
        return tuple(dict.fromkeys(note for clip in self.clips for note in clip.notes))

    def as_report(self) -> Report:
        """A section for every clip."""
        sections = [clip.as_report() for clip in self.clips]
        return Report("", sections, data={"clips": self.clips})


def measure_robot(
    motion: RobotMotion,
    frames: RobotFrames,
    source: Source,
    feet: Mapping[str, FootPath],
    fastest: float,
    seconds: float,
) -> RobotReport:
    """Measure a motion on a robot.

    Parameters
    ----------
    motion : RobotMotion
        The robot's.
    frames : RobotFrames
        Of the robot.
    source : Source
        The person's motion.
    feet : mapping of str to FootPath
        Whose contacts count, by side.
    fastest : float, radians per second
        Allowed speed of hinges.
    seconds : float
        Processor time that it took.

    Returns
    -------
    RobotReport
    """
    poses = motion.poses()
    skids = _skids(poses, frames, feet, source.fps)
    rests = _rests(poses, frames, source)
    angles = _angles(poses, frames, source)
    speeds = np.abs(np.diff(motion.angles, axis=0)) * motion.fps
    robot = frames.robot
    beyond = np.maximum(robot.low - motion.angles, motion.angles - robot.high)
    touch = find_self_touch(robot, motion.qpos)
    soles = frames.feet.values()
    anchors = [poses.points([foot.link] * 3, foot.to_link(foot.anchors)) for foot in soles]
    sole = float(np.min(anchors, axis=(0, 1, 2))[2])
    trunk, legs, arms = (
        np.concatenate([np.zeros(0), *(angles[p] for p in angles if p.endswith(parts))])
        for parts in (TRUNK, LEGS, ARMS)
    )
    every = np.concatenate([legs, arms])
    top = float(speeds.max(initial=0.0))
    made = RobotReport(
        name=motion.name,
        robot=robot.name,
        frames=motion.n_frames,
        fps=motion.fps,
        scale=source.scale,
        contact_speed=_mean(skids),
        contact_speed_p90=_quantile(skids, 0.9),
        resting_speed=_mean(rests),
        limb_direction=_mean(every),
        legs=_mean(legs),
        arms=_mean(arms),
        limb_direction_p99=_quantile(every, 0.99),
        limit_excess=float(np.degrees(max(beyond.max(), 0.0))),
        fastest=top,
        fastest_p99=float(np.quantile(speeds, 0.99)) if speeds.size else 0.0,
        speed_excess=max(top - fastest * (1 + 1e-9), 0.0),
        lowest_sole=1000 * sole,
        lowest=1000 * min([sole, *_lowest_points(poses, robot)]),
        self_touch_frames=touch.frames,
        self_touch_deepest=1000 * touch.deepest,
        self_touch_pairs=touch.pairs,
        milliseconds=1000 * seconds / max(motion.n_frames, 1),
        trunk=_mean(trunk),
        self_touch_unknown=touch.unknown,
        notes=(*robot.notes, *frames.guessed, *frames.lacks),
    )
    return replace(made, problems=tuple(_find_problems(motion, frames, angles, made)))


def _find_problems(
    motion: RobotMotion, frames: RobotFrames, angles: Mapping[str, Array], figures: RobotReport
) -> Iterator[str]:
    """Feet that slide, a trunk that leans, limbs that do not follow."""
    if figures.contact_speed > MOST_SLIDING:
        slide = f"feet slide by {figures.contact_speed:.1f} cm/s while they bear"
        yield f"{slide} ({MOST_SLIDING:g} at most)"
    if figures.trunk > MOST_LEAN:
        yield (
            f"the trunk leans {figures.trunk:.1f} degrees elsewhere than the person's, each from"
            f" its neutral pose ({MOST_LEAN:g} at most)"
        )
    if figures.limb_direction > MOST_LIMBS:
        yield (
            f"limbs point {figures.limb_direction:.1f} degrees elsewhere than the person's on"
            f" average ({MOST_LIMBS:g} at most): worst is {_worst_limb(motion, frames, angles)}"
        )


def _worst_limb(motion: RobotMotion, frames: RobotFrames, angles: Mapping[str, Array]) -> str:
    """The limb that follows least, its joint, and why it does not follow."""
    part = max((p for p in angles if p not in TRUNK), key=lambda p: float(angles[p].mean()))
    side, _, name = part.partition("_")
    limb = (frames.parts.legs if name in LEGS else frames.parts.arms)[side]
    links = [limb.middle] if name in ("knee", "elbow") else list(limb.upper)
    hinges = [link - 1 for link in links]
    own = motion.angles[:, hinges]
    low, high = frames.robot.low[hinges], frames.robot.high[hinges]
    at = ((own < low + AT_LIMIT) | (own > high - AT_LIMIT)).mean(axis=0)
    names = [frames.robot.joints[hinge] for hinge in hinges]
    worst = names[int(np.argmax(at))]
    why = f", where {worst} is at its limit in {100 * at.max():.0f} % of frames" if at.any() else ""
    mean = float(angles[part].mean())
    return f"the {side} {name} with {mean:.1f} ({', '.join(names)}){why}"


def _mean(values: Array) -> float:
    return float(values.mean()) if values.size else float("nan")


def _quantile(values: Array, share: float) -> float:
    return float(np.quantile(values, share)) if values.size else float("nan")


def _skids(
    poses: LinkPoses, frames: RobotFrames, feet: Mapping[str, FootPath], fps: float
) -> Array:
    """Speed of bearing edges, centimetres per second."""
    found = [np.zeros(0)]
    for side, path in feet.items():
        foot = frames.feet[side]
        for edge, down in ((foot.heel, path.heel), (foot.toe, path.toe)):
            found.append(_speed(poses, foot.link, foot.to_link(edge), down, fps))
    return np.concatenate(found)


def _rests(poses: LinkPoses, frames: RobotFrames, source: Source) -> Array:
    """Speed of knees and hands on the ground, centimetres per second."""
    known = [(frames.pads[role], down) for role, down in source.pads.items() if role in frames.pads]
    speeds = [_speed(poses, pad.link, pad.local, down, source.fps) for pad, down in known]
    return np.concatenate([np.zeros(0), *speeds])


def _speed(poses: LinkPoses, link: int, local: Array, down: Bools, fps: float) -> Array:
    steps = np.diff(poses.path(link, local), axis=0)
    speed: Array = 100 * fps * np.linalg.norm(steps, axis=-1)
    return speed[down[1:] & down[:-1]]


def _angles(poses: LinkPoses, frames: RobotFrames, source: Source) -> dict[str, Array]:
    """Between directions of the person's bones and the robot's, by part, degrees."""
    up = np.array([0.0, 1.0, 0.0])
    found = {}
    for part, turns in source.parts.items():
        wanted = rot.rotate(turns, up)
        link = frames.links[part]
        got = rot.rotate(rot.multiply(poses.turns[:, link], frames.frames[part]), up)
        found[part] = np.degrees(np.arccos(np.clip(np.sum(wanted * got, axis=-1), -1.0, 1.0)))
    return found


def _lowest_points(poses: LinkPoses, robot: Robot) -> list[float]:
    """Least height of each shape, metres."""
    return [
        float(poses.points([s.link] * len(s.centers), s.centers)[..., 2].min() - s.radius)
        for s in (*robot.shapes, *robot.meshes)
    ]


@dataclass(frozen=True)
class SelfTouch:
    """How often and how deep parts are in each other.

    Parameters
    ----------
    frames : int or None
        Frames in which any are; None where that is not known.
    deepest : float, metres
        How deep at most; 0 where none are.
    pairs : tuple of (str, str, int)
        Names of the bodies and in how many frames, the most frequent first.
    unknown : str
        Why it is not known; empty where it is.
    """

    frames: int | None
    deepest: float
    pairs: tuple[tuple[str, str, int], ...]
    unknown: str = ""


def find_self_touch(robot: Robot, qpos: Array) -> SelfTouch:
    """Count frames in which geoms of a robot are in each other.

    As in MuJoCo neighbours do not count, nor bodies that the model excludes or whose bits do not
    meet; besides, nor pairs that are in each other as the model is drawn. Nothing is counted where
    meshes that can touch cannot be read.

    Parameters
    ----------
    robot : Robot
        The robot.
    qpos : array of shape (T, 7 + H)
        MuJoCo's coordinates: place and turn of the base, angles.

    Returns
    -------
    SelfTouch
    """
    unknown = _untested(robot)
    if unknown:
        return SelfTouch(None, np.nan, (), unknown)
    drawn = [robot.base_place, robot.base_turn, robot.neutral]
    at_rest, *depths = _depths(robot, np.vstack([np.concatenate(drawn), qpos]))
    found = [{k: deep for k, deep in frame.items() if k not in at_rest} for frame in depths]
    names = [robot.model.body(body).name for body in robot.model.geom_bodyid]
    counted = Counter(pair for frame in found for pair in {(names[a], names[b]) for a, b in frame})
    return SelfTouch(
        sum(bool(frame) for frame in found),
        max((deep for frame in found for deep in frame.values()), default=0.0),
        tuple((*pair, frames) for pair, frames in counted.most_common()),
    )


def _untested(robot: Robot) -> str:
    """Why touching cannot be counted; empty where it can."""
    if robot.left_out:
        is_one = robot.left_out == 1
        return f"{robot.left_out} {'shape is a mesh' if is_one else 'shapes are meshes'} not read"
    model = robot.model
    meet = model.geom_contype[:, None] & model.geom_conaffinity
    meet = (meet | meet.T) * (model.geom_bodyid[:, None] != model.geom_bodyid)
    return "" if meet.any() else "no two shapes of the model can touch"


def _depths(robot: Robot, qpos: Array) -> list[dict[tuple[int, int], float]]:
    """How deep geoms are in each other by pairs of their numbers, frame by frame, metres."""
    import mujoco

    data = mujoco.MjData(robot.model)
    found = []
    with mujoco_warnings():
        for row in qpos:
            data.qpos[:] = row
            mujoco.mj_kinematics(robot.model, data)
            mujoco.mj_comPos(robot.model, data)
            mujoco.mj_collision(robot.model, data)
            deep: dict[tuple[int, int], float] = {}
            for pair, distance in zip(data.contact.geom, data.contact.dist, strict=True):
                if distance < -TOUCH:
                    pair = tuple(pair.tolist())
                    deep[pair] = max(deep.get(pair, 0.0), -float(distance))
            found.append(deep)
    return found
