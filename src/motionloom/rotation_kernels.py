"""Vectors and unit quaternions (w, x, y, z) as tuples, in compiled code; formulas are those of
`rotations`.
"""

from __future__ import annotations

import math

from motionloom.compiling import part

#: As in `rotations`.
SMALL_ANGLE = 1e-4
#: As in `edit.limbs`: directions whose cosine is this near to -1 are opposite.
OPPOSITE = 1e-12


@part
def multiply(a, b):  # pragma: no cover - compiled
    """Hamilton product."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@part
def conjugate(q):  # pragma: no cover - compiled
    """Inverse of a unit quaternion."""
    return (q[0], -q[1], -q[2], -q[3])


@part
def rotate(q, v):  # pragma: no cover - compiled
    """A vector turned."""
    tx = 2 * (q[2] * v[2] - q[3] * v[1])
    ty = 2 * (q[3] * v[0] - q[1] * v[2])
    tz = 2 * (q[1] * v[1] - q[2] * v[0])
    return (
        v[0] + q[0] * tx + q[2] * tz - q[3] * ty,
        v[1] + q[0] * ty + q[3] * tx - q[1] * tz,
        v[2] + q[0] * tz + q[1] * ty - q[2] * tx,
    )


@part
def normalize(q):  # pragma: no cover - compiled
    """A quaternion of unit length; zero becomes the identity."""
    n = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if n == 0.0:
        return (1.0, 0.0, 0.0, 0.0)
    return (q[0] / n, q[1] / n, q[2] / n, q[3] / n)


@part
def from_rotvec(v):  # pragma: no cover - compiled
    """Exponential map."""
    angle = norm(v)
    half = 0.5 * angle
    if angle < SMALL_ANGLE:
        factor = 0.5 - angle * angle / 48.0
    else:
        factor = math.sin(half) / angle
    return (math.cos(half), factor * v[0], factor * v[1], factor * v[2])


@part
def add(a, b):  # pragma: no cover - compiled
    """Sum of vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@part
def subtract(a, b):  # pragma: no cover - compiled
    """Difference of vectors."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@part
def scale(s, v):  # pragma: no cover - compiled
    """A vector made longer."""
    return (s * v[0], s * v[1], s * v[2])


@part
def dot(a, b):  # pragma: no cover - compiled
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@part
def cross(a, b):  # pragma: no cover - compiled
    """Vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@part
def norm(v):  # pragma: no cover - compiled
    """Length of a vector."""
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


@part
def unit(v):  # pragma: no cover - compiled
    """A vector made one long; zero stays zero."""
    n = max(norm(v), 1e-12)
    return (v[0] / n, v[1] / n, v[2] / n)


@part
def vector_at(row):  # pragma: no cover - compiled
    """A vector out of an array."""
    return (row[0], row[1], row[2])


@part
def turn_at(row):  # pragma: no cover - compiled
    """A quaternion out of an array."""
    return (row[0], row[1], row[2], row[3])


@part
def put(row, values):  # pragma: no cover - compiled
    """Write a tuple into a row of an array."""
    for c in range(len(row)):
        row[c] = values[c]


@part
def about_up(angle):  # pragma: no cover - compiled
    """Rotation about +Y."""
    return (math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0)


@part
def swing_between(a, b):  # pragma: no cover - compiled
    """Shortest rotation from one direction to another; see `edit.limbs.swing_between`."""
    w = 1.0 + dot(a, b)
    if w >= OPPOSITE:
        axis = cross(a, b)
        return normalize((w, axis[0], axis[1], axis[2]))
    x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
    least = (1.0, 0.0, 0.0)
    if y < x and y <= z:
        least = (0.0, 1.0, 0.0)
    elif z < x and z < y:
        least = (0.0, 0.0, 1.0)
    axis = cross(a, least)
    return normalize((0.0, axis[0], axis[1], axis[2]))


@part
def weighted(weights, a, b, c, d):  # pragma: no cover - compiled
    """Sum of four vectors, each so many times."""
    first = add(scale(weights[0], a), scale(weights[1], b))
    return add(first, add(scale(weights[2], c), scale(weights[3], d)))


@part
def weighted_turn(weights, a, b, c, d):  # pragma: no cover - compiled
    """The same of unit quaternions that lie on one side of the sphere, one again."""
    p, q, r, s = weights
    return normalize(
        (
            p * a[0] + q * b[0] + r * c[0] + s * d[0],
            p * a[1] + q * b[1] + r * c[1] + s * d[1],
            p * a[2] + q * b[2] + r * c[2] + s * d[2],
            p * a[3] + q * b[3] + r * c[3] + s * d[3],
        )
    )
