"""Where a solver begins: a captured standing pose, the all-zero pose, or a frame of any motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.constraints import BodyConstraint
from motionloom.errors import InvalidInputError
from motionloom.ik import placing as placings
from motionloom.ik.standing import heights_above_floor
from motionloom.kinematics import end_site_positions, forward_kinematics
from motionloom.motion import GroundTransform, Motion
from motionloom.spaces.footing import floor_height
from motionloom.spaces.pose_coordinates import RATE, thin
from motionloom.spaces.pose_space import PoseSpace
from motionloom.typing import Array


@dataclass(frozen=True, eq=False)
class Start:
    """A pose and where it is.

    Parameters
    ----------
    pose : array of shape (P,), radians
        Numbers of all joints below the root.
    placing : Placing
        Where the joint that carries the body is in the world.
    name : str
        What it is, for reports.
    floor : float, metres
        Height of the floor.
    """

    pose: Array
    placing: placings.Placing
    name: str
    floor: float = 0.0


def standing_start(space: PoseSpace, motions: Sequence[Motion] = ()) -> Start:
    """The most neutral captured pose with both feet flat, at the origin, facing +Z.

    Its height is adjusted to this body's legs, so that the feet are on the floor.

    Parameters
    ----------
    space : PoseSpace
        Knows which pose that is.
    motions : sequence of Motion
        What it was fitted to, in that order.

    Returns
    -------
    Start
        Its name tells which frame of which capture it is, where `motions` are those of the space.

    Examples
    --------
    >>> from motionloom.spaces.store import load_pose_space
    >>> start = standing_start(load_pose_space(demo / "poses.npz"))
    >>> start.name, len(start.pose)
    ('a captured standing pose', 63)
    """
    row = space.footing.standing
    pose = space.poses[row]
    placing = placings.root_placing(space, space.footing.root[row], placings.ORIGIN)
    world = placings.world_pose(space, pose, placing)
    lift = -float(heights_above_floor(space, world).min())
    placing = replace(placing, place=placing.place + np.array([0.0, lift, 0.0]))
    return Start(pose, placing, _name_of(space, motions, row))


def _name_of(space: PoseSpace, motions: Sequence[Motion], row: int) -> str:
    # A space that was kept on disk may be of other clips than those given.
    counts = np.bincount(space.trial, minlength=len(motions))
    thinned = [thin(m, RATE) for m in motions]
    if counts.tolist() != [len(m) for m in thinned]:
        return "a captured standing pose"
    trial = int(space.trial[row])
    time = (row - int(counts[:trial].sum())) * thinned[trial].frame_time
    return f"frame {round(time / motions[trial].frame_time)} of {motions[trial].name}, standing"


def zero_start(space: PoseSpace, motions: Sequence[Motion] = ()) -> Start:
    """All angles zero; the hips as in the standing pose.

    Parameters
    ----------
    space : PoseSpace
        Gives the skeleton.
    motions : sequence of Motion
        As `standing_start` takes them.

    Returns
    -------
    Start
        Its placing is that of `standing_start`.
    """
    placing = standing_start(space, motions).placing
    return Start(np.zeros(space.coordinates.size), placing, "the all-zero pose")


def captured_start(space: PoseSpace, motion: Motion, frame: int) -> Start:
    """A frame of a motion, where it is there.

    Parameters
    ----------
    space : PoseSpace
        Gives the skeleton and its coordinates.
    motion : Motion
        Of the same joints.
    frame : int
        Counted from 0.

    Returns
    -------
    Start
        Placed as in the motion.

    Raises
    ------
    InvalidInputError
        When there is no such frame, or the motion has other joints.
    """
    if not 0 <= frame < motion.n_frames:
        raise InvalidInputError(f"{motion.name} has frames 0 to {motion.n_frames - 1}, not {frame}")
    pose = space.coordinates.from_motion(motion.cut(frame, frame + 1))[0]
    placing = placings.captured_placing(motion, frame, space.coordinates.root)
    world = forward_kinematics(motion)
    points = np.concatenate([world.positions, end_site_positions(motion, world)], axis=1)
    floor = floor_height(points[..., 1])
    return Start(pose, placing, f"frame {frame} of {motion.name}", floor)


def move_start(space: PoseSpace, start: Start, body: BodyConstraint) -> Start:
    """Carry a start over the ground to where the body shall be; its height and tilt stay.

    Parameters
    ----------
    space : PoseSpace
        Gives the skeleton and its roles.
    start : Start
        What is carried.
    body : BodyConstraint
        Where the hips are to be on the ground and to face; without a facing they keep theirs.

    Returns
    -------
    Start
        The same pose elsewhere.
    """
    stand = body.stand(placings.hips_facing(space, start.pose, start.placing))
    turn = stand.angle - placings.hips_facing(space, start.pose, start.placing)
    turned = start.placing.moved(GroundTransform(turn))
    shift = stand.ground - turned.place[[0, 2]]
    moved = turned.moved(GroundTransform(0.0, float(shift[0]), float(shift[1])))
    return replace(start, placing=moved)
