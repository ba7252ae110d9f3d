"""Small turns in compiled code: quaternions (w, x, y, z) and rotation vectors."""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

from motionloom.compiling import full_kernel


@full_kernel()
def turn_by(turn, x, y, z):  # pragma: no cover - compiled
    """Turn a quaternion, in place, by the rotation vector (x, y, z) applied after it."""
    angle = sqrt(x * x + y * y + z * z)
    s = sin(0.5 * angle) / angle if angle > 1e-9 else 0.5
    w, x, y, z = cos(0.5 * angle), s * x, s * y, s * z
    a, b, c, d = turn[0], turn[1], turn[2], turn[3]
    p = w * a - x * b - y * c - z * d
    q = w * b + x * a + y * d - z * c
    r = w * c - x * d + y * a + z * b
    t = w * d + x * c - y * b + z * a
    # One step of normalising: the length is 1 up to rounding.
    f = 1.5 - 0.5 * (p * p + q * q + r * r + t * t)
    turn[0], turn[1], turn[2], turn[3] = f * p, f * q, f * r, f * t


@full_kernel()
def way_between(before, after):  # pragma: no cover - compiled
    """Rotation vector that turns one quaternion into another, the short way."""
    a, b, c, d = before[0], -before[1], -before[2], -before[3]
    p, q, r, t = after[0], after[1], after[2], after[3]
    w = p * a - q * b - r * c - t * d
    x = p * b + q * a + r * d - t * c
    y = p * c - q * d + r * a + t * b
    z = p * d + q * c - r * b + t * a
    if w < 0:
        w, x, y, z = -w, -x, -y, -z
    s = sqrt(x * x + y * y + z * z)
    f = 2 * atan2(s, w) / s if s > 1e-9 else 2.0
    return f * x, f * y, f * z


@full_kernel()
def vector_of(turn):  # pragma: no cover - compiled
    """Rotation vector of a quaternion, the short way."""
    w, x, y, z = turn[0], turn[1], turn[2], turn[3]
    if w < 0:
        w, x, y, z = -w, -x, -y, -z
    s = sqrt(x * x + y * y + z * z)
    f = 2 * atan2(s, w) / s if s > 1e-9 else 2.0
    return f * x, f * y, f * z
