"""What a model can reach: where a joint comes to within some standard deviations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.jacobians import compute_world_axes
from motionloom.spaces.motion_space import MotionSpace
from motionloom.typing import Array

#: Directions that a shell is made of.
_DIRECTIONS = 400


@dataclass(frozen=True, eq=False)
class ReachableRegion:
    """Where a joint comes to at one normalised time.

    Parameters
    ----------
    joint : int
        The joint.
    frame : float
        Normalised frame.
    takes : array of shape (d, 3), metres
        Where it is in the takes, in the model's own place.
    middle : array of shape (3,), metres
        Where it is in the mean motion.
    spread : array of shape (3,), metres
        Standard deviations along the region's own axes, the largest first.
    shells : mapping of int to array of shape (M, 3), metres
        Where it comes to by the likeliest motions that are 1, 2 and 3 standard deviations away.
    """

    joint: int
    frame: float
    takes: Array
    middle: Array
    spread: Array
    shells: dict[int, Array]


def reachable_region(space: MotionSpace, joint: int, at: str | float) -> ReachableRegion:
    """Where a joint comes to at one normalised time.

    Parameters
    ----------
    space : MotionSpace
        The model.
    joint : int
        The joint.
    at : str or float
        A key posture or a normalised frame.

    Returns
    -------
    ReachableRegion
        Its shells are exact for the motions that change most for the least; others reach no
        farther, but for how joints bend.
    """
    frame = space.frame_of(at)
    poses = space.eigen_poses(frame)
    matrix = np.asarray(poses.matrix)
    jacobian = compute_world_axes(space.coordinates, poses.offset[None]).position_jacobian(joint)[0]
    _, spread, ways = np.linalg.svd(jacobian @ matrix, full_matrices=False)
    around = _sphere(_DIRECTIONS)[:, : len(ways)] @ ways

    def places(coefficients: Array) -> Array:
        values = poses.offset + coefficients @ matrix.T
        found: Array = compute_world_axes(space.coordinates, values).positions[:, joint]
        return found

    return ReachableRegion(
        joint,
        frame,
        places(space.coefficients),
        places(np.zeros((1, space.n_components)))[0],
        np.pad(spread, (0, 3 - len(spread))),
        {sigma: places(sigma * around) for sigma in (1, 2, 3)},
    )


def farthest_joint(space: MotionSpace, at: str | float) -> int:
    """The tip of the body, or a tool, whose place takes vary most at one time."""
    poses = space.eigen_poses(at)
    values = poses.offset + space.coefficients @ np.asarray(poses.matrix).T
    places = compute_world_axes(space.coordinates, values).positions
    spread = places.std(axis=0).sum(axis=-1)
    tips = [j for j in range(space.skeleton.n_joints) if not space.skeleton.children[j]]
    ends = [j for role, j in space.roles.joints.items() if role.endswith(("hand", "foot"))]
    return max({*tips, *ends}, key=lambda j: float(spread[j]))


def _sphere(count: int) -> Array:
    """Unit vectors spread evenly, shape (count, 3): a spiral of equal areas (Saff & Kuijlaars)."""
    i = np.arange(count) + 0.5
    z = 1.0 - 2.0 * i / count
    turn = np.pi * (1.0 + 5.0**0.5) * i
    flat = np.sqrt(1.0 - z**2)
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), z], axis=-1)
