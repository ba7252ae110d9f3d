"""A robot's motion, and the files that robot learning reads it from."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.files import write_file
from motionloom.motion import Motion
from motionloom.robots._frames import RobotFrames
from motionloom.robots._robot import LinkPoses, Robot, neutral_poses, pose_links
from motionloom.robots._source import TO_ROBOT, from_robot
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Ints

#: Formats of a robot's motion, by suffix.
SUFFIXES = (".csv", ".npz")


@dataclass(frozen=True, eq=False)
class RobotMotion:
    """Poses of a robot over time, in its world: x ahead, y to the left, z up.

    Parameters
    ----------
    robot : Robot
        Whose motion it is.
    fps : float
        Frames per second.
    places : array of shape (T, 3), metres
        Of the base.
    turns : array of shape (T, 4)
        Of the base, unit quaternions (w, x, y, z).
    angles : array of shape (T, H), radians
        Of the hinges, in the model's order.
    name : str
        Of the clip.
    """

    robot: Robot
    fps: float
    places: Array
    turns: Array
    angles: Array
    name: str = ""

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return len(self.places)

    @property
    def qpos(self) -> Array:
        """MuJoCo's coordinates (T, 7 + H): place, quaternion w x y z, angles."""
        return np.concatenate([self.places, self.turns, self.angles], axis=1)

    def poses(self) -> LinkPoses:
        """Where the links are."""
        return pose_links(self.robot, self.places, self.turns, self.angles)


def write_robot_motion(path: str | PathLike[str], motion: RobotMotion) -> None:
    """Write a robot's motion, as CSV or NPZ by the suffix.

    A ``.csv`` has base x y z, quaternion x y z w and the hinges' angles, a line a frame, no header:
    the layout in which Unitree publishes retargeted motion; the rate is not in the file. A ``.npz``
    has ``fps``, ``qpos`` (T, 7 + H) in MuJoCo's order, and ``joints``, the hinges' names.

    Parameters
    ----------
    path : path-like
        The file, .csv or .npz.
    motion : RobotMotion
        What is written.

    Raises
    ------
    InvalidInputError
        When the suffix is another one.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InvalidInputError(
            f"{path}: a robot's motion is written as .csv (base xyz, quaternion xyzw, angles) or"
            " .npz (fps, qpos)"
        )
    out = io.BytesIO()
    if suffix == ".csv":
        order = [0, 1, 2, 4, 5, 6, 3, *range(7, 7 + motion.robot.n_joints)]
        np.savetxt(out, motion.qpos[:, order], fmt="%.9g", delimiter=",")
    else:
        fps, joints = np.array(motion.fps), np.array(motion.robot.joints)
        np.savez_compressed(out, allow_pickle=False, fps=fps, qpos=motion.qpos, joints=joints)
    write_file(path, out.getvalue())


def robot_as_motion(motion: RobotMotion) -> Motion:
    """The same motion on a skeleton with a joint for every link, for pictures and other formats.

    Parameters
    ----------
    motion : RobotMotion
        The robot's.

    Returns
    -------
    Motion
        In the library's axes; every joint is at its hinge's anchor, and turned about it.
    """
    robot = motion.robot
    rest = neutral_poses(robot)
    poses = motion.poses()
    places = from_robot(poses.places)
    # Turns from the rest pose, so that joints have the world's axes there.
    turned = rot.multiply(poses.turns, rot.conjugate(rest.turns))
    world = rot.multiply(rot.multiply(rot.conjugate(TO_ROBOT), turned), TO_ROBOT)
    above = np.maximum(robot.parents, 0)
    local = rot.multiply(rot.conjugate(world[:, above]), world)
    local[:, 0] = world[:, 0]
    offsets = from_robot(rest.places[0] - rest.places[0, above])
    ends, tips = _tips(robot, rest)
    skeleton = Skeleton((robot.bodies[0].name, *robot.joints), robot.parents, offsets, ends, tips)
    return Motion(
        skeleton, rot.unroll(local), places[:, :1].copy(), 1 / motion.fps, name=motion.name
    )


def robot_as_body(motion: RobotMotion, frames: RobotFrames) -> Motion:
    """`robot_as_motion` with joints called by the parts of the body, for pictures of both.

    Parameters
    ----------
    motion : RobotMotion
        The robot's.
    frames : RobotFrames
        Of the robot.

    Returns
    -------
    Motion
        Whose roles are found by name.
    """
    body = robot_as_motion(motion)
    names = [f"twist{link}" for link in range(frames.robot.n_links)]
    legs, arms = frames.parts.legs, frames.parts.arms
    for sides, joints in ((legs, ("hip", "knee", "foot")), (arms, ("shoulder", "elbow", "hand"))):
        for side, limb in sides.items():
            links = (limb.upper[-1], limb.middle, *limb.lower[:1])
            for link, joint in zip(links, joints, strict=False):
                names[link] = f"{side}_{joint}"
    names[frames.parts.chest] = "chest"
    names[frames.parts.pelvis] = "hips"
    return replace(body, skeleton=replace(body.skeleton, names=tuple(names)))


def _tips(robot: Robot, rest: LinkPoses) -> tuple[Ints, Array]:
    """Ends of the last links: the point of their geoms that is farthest from the hinge."""
    links, tips = [], []
    for shape in robot.shapes:
        far = max(shape.centers, key=lambda center: float(np.linalg.norm(center)))
        if not np.any(robot.parents == shape.link) and np.linalg.norm(far) > 1e-3:
            links.append(shape.link)
            tips.append(rot.rotate(rest.turns[0, shape.link], far))
    return np.array(links, np.int64), from_robot(np.reshape(tips, (-1, 3)))
