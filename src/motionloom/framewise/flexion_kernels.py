"""How far knees and elbows are bent, and how that changes; compiled."""

from __future__ import annotations

import math

import numpy as np

from motionloom.compiling import kernel, part
from motionloom.rotation_kernels import (
    SMALL_ANGLE,
    add,
    conjugate,
    cross,
    dot,
    from_rotvec,
    multiply,
    norm,
    rotate,
    scale,
    subtract,
    turn_at,
    vector_at,
)


@part
def _through_jacobian(u, v):  # pragma: no cover - compiled
    """A row times the left Jacobian of a rotation vector; see `rotations.left_jacobian`."""
    angle = norm(v)
    first = 0.5 - angle**2 / 24.0
    second = 1.0 / 6.0 - angle**2 / 120.0
    if angle >= SMALL_ANGLE:
        first = 2.0 * math.sin(0.5 * angle) ** 2 / angle**2
        second = (angle - math.sin(angle)) / angle**3
    # u [v] = u x v, as u . (v x w) = (u x v) . w for every w.
    once = cross(u, v)
    return add(u, add(scale(first, once), scale(second, cross(once, v))))


@kernel
def bend(values, columns, reference, upper, lower, normals):  # pragma: no cover - compiled
    """Flexion of every hinge, and its Jacobian.

    Parameters
    ----------
    values : array of shape (D,)
        Coordinates of a body.
    columns : int64 array of shape (H, 3)
        Those that turn each hinge, rotation vectors.
    reference : array of shape (H, 4)
        What these are about.
    upper, lower, normals : array of shape (H, 3)
        Directions of both bones, each in its own frame, and across the plane in which they bend.

    Returns
    -------
    flexion : array of shape (H,), radians
    jacobian : array of shape (H, D)
    """
    flexion = np.zeros(len(columns))
    jacobian = np.zeros((len(columns), len(values)))
    for h in range(len(columns)):
        v = (values[columns[h, 0]], values[columns[h, 1]], values[columns[h, 2]])
        turn = turn_at(reference[h])
        above = vector_at(upper[h])
        normal = vector_at(normals[h])
        bone = rotate(multiply(turn, from_rotvec(v)), vector_at(lower[h]))
        sine = dot(normal, bone)
        cosine = dot(above, bone)
        size = max(sine**2 + cosine**2, 1e-9)
        # Of each turn w of the lower bone: d sine = w . (bone x normal), and so for the cosine.
        rate = cross(bone, subtract(scale(cosine, normal), scale(sine, above)))
        row = _through_jacobian(rotate(conjugate(turn), scale(1.0 / size, rate)), v)
        for i in range(3):
            jacobian[h, columns[h, i]] = row[i]
        flexion[h] = math.atan2(sine, cosine)
    return flexion, jacobian
