"""How far each number of a pose moves the body: what makes radians and metres comparable."""

from __future__ import annotations

import numpy as np

from motionloom.coordinates import ExponentialCoordinates
from motionloom.jacobians import compute_world_axes
from motionloom.typing import Array

#: Turns that carry nothing count as if they moved the body by this, metres per radian.
LEAST = 0.01


def lever_scale(coordinates: ExponentialCoordinates, poses: Array) -> Array:
    """Root mean square of how far the joints of the body move with each number.

    Parameters
    ----------
    coordinates : ExponentialCoordinates
        The D numbers.
    poses : array of shape (N, D)
        Poses that it is measured in.

    Returns
    -------
    array of shape (D,)
        Metres per metre or radian; end sites count as joints.
    """
    skeleton = coordinates.skeleton
    axes = compute_world_axes(coordinates, poses[:: max(len(poses) // 16, 1)])
    squares = np.zeros(coordinates.size)
    points = [(j, np.zeros(3)) for j in range(skeleton.n_joints)]
    ends = zip(skeleton.end_parents, skeleton.end_offsets, strict=True)
    points += [(int(j), np.asarray(offset)) for j, offset in ends]
    for joint, local in points:
        jacobian = axes.position_jacobian(joint, local)
        squares += (jacobian**2).sum(axis=1).mean(axis=0)
    scale: Array = np.sqrt(squares / len(points))
    return np.maximum(scale, LEAST)
