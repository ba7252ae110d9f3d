"""Where a solver begins: a captured standing pose, the all-zero pose, or a frame of any motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom.constraints import BodyConstraint
from motionloom.errors import InvalidInputError
from motionloom.ik.placing import (
    Placing,
    captured_placing,
    hips_facing,
    lowest_point,
    place_pose,
    upright,
)
from motionloom.motion import GroundTransform, Motion
from motionloom.spaces.pose_space import PoseSpace

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Start:
    """A pose and where it is.

    Parameters
    ----------
    pose : array of shape (P,), radians
    placing : Placing
    name : str
        What it is, for reports.
    """

    pose: Array
    placing: Placing
    name: str


def standing_start(space: PoseSpace, motions: Sequence[Motion] = ()) -> Start:
    """The captured pose nearest to the mean, with the hips' height and tilt of its capture, above
    the origin facing +Z.

    Parameters
    ----------
    space : PoseSpace
    motions : sequence of Motion
        What it was fitted to, in that order. Without them, or with others, the trunk is on average
        upright, and the lowest point of the body on the ground.
    """
    away = space.poses - space.mean
    row = int(np.einsum("np,pq,nq->n", away, space.precision, away).argmin())
    pose = space.poses[row]
    # A space that was kept on disk may be of other clips than those given.
    steps = [max(round(m.fps / space.options.fps), 1) for m in motions]
    counts = [len(range(0, m.n_frames, step)) for m, step in zip(motions, steps, strict=True)]
    if counts != np.bincount(space.trial, minlength=len(motions)).tolist():
        placing = Placing(np.zeros(3), upright(space))
        lift = -lowest_point(place_pose(space, pose, placing))
        placing = replace(placing, place=np.array([0.0, lift, 0.0]))
        return Start(
            pose, _at_origin(space, pose, placing), "the captured pose nearest to the mean"
        )
    trial = int(space.trial[row])
    motion = motions[trial]
    frame = (row - sum(counts[:trial])) * steps[trial]
    placing = captured_placing(motion, frame, space.coordinates.root)
    # Another performer's legs are longer or shorter.
    lift = lowest_point(motion.cut(frame, frame + 1)) - lowest_point(
        place_pose(space, pose, placing)
    )
    placing = replace(placing, place=placing.place + np.array([0.0, lift, 0.0]))
    return Start(
        pose,
        _at_origin(space, pose, placing),
        f"frame {frame} of {motion.name}, nearest to the mean pose",
    )


def zero_start(space: PoseSpace, motions: Sequence[Motion] = ()) -> Start:
    """All angles zero; the hips as in the standing pose."""
    return Start(
        np.zeros(space.coordinates.size),
        standing_start(space, motions).placing,
        "the all-zero pose",
    )


def captured_start(space: PoseSpace, motion: Motion, frame: int) -> Start:
    """A frame of a motion, where it is there.

    Raises
    ------
    InvalidInputError
        When there is no such frame, or the motion has other joints.
    """
    if not 0 <= frame < motion.n_frames:
        raise InvalidInputError(f"{motion.name} has frames 0 to {motion.n_frames - 1}, not {frame}")
    pose = space.coordinates.from_motion(motion.cut(frame, frame + 1))[0]
    placing = captured_placing(motion, frame, space.coordinates.root)
    return Start(pose, placing, f"frame {frame} of {motion.name}")


def move_start(space: PoseSpace, start: Start, body: BodyConstraint) -> Start:
    """Carry a start over the ground to where the body shall be; its height and tilt stay."""
    stand = body.stand(hips_facing(space, start.pose, start.placing))
    return replace(start, placing=_moved(space, start.pose, start.placing, stand))


def _at_origin(space: PoseSpace, pose: Array, placing: Placing) -> Placing:
    return _moved(space, pose, placing, GroundTransform())


def _moved(
    space: PoseSpace,
    pose: Array,
    placing: Placing,
    stand: GroundTransform,
) -> Placing:
    turned = placing.moved(GroundTransform(stand.angle - hips_facing(space, pose, placing)))
    shift = stand.ground - turned.place[[0, 2]]
    return turned.moved(GroundTransform(0.0, float(shift[0]), float(shift[1])))
