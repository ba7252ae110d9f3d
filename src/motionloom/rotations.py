"""Batched rotation algebra on arrays: quaternions, exponential maps, Euler angles, matrices, 6D.

Quaternions have shape (..., 4), order w x y z, unit length. Euler angles are intrinsic: order
``"ZXY"`` means turn about Z, then about the turned X, then about the twice turned Y. Angles are
radians. Leading axes are batch axes and broadcast. Nothing changes its input.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import ArrayLike

from motionloom.errors import InvalidInputError
from motionloom.typing import Array

#: Below this angle (radians) series replace quotients that would divide by zero.
SMALL_ANGLE = 1e-4


def identity(*shape: int) -> Array:
    """Identity quaternions of shape (*shape, 4).

    Examples
    --------
    >>> identity(2)
    array([[1., 0., 0., 0.],
           [1., 0., 0., 0.]])
    """
    q = np.zeros((*shape, 4))
    q[..., 0] = 1.0
    return q


def normalize(q: ArrayLike) -> Array:
    """Scale quaternions (..., 4) to unit length; a zero quaternion becomes the identity.

    Examples
    --------
    >>> normalize([2.0, 0.0, 0.0, 0.0])
    array([1., 0., 0., 0.])
    >>> normalize([0.0, 0.0, 0.0, 0.0])  # no rotation
    array([1., 0., 0., 0.])
    """
    q = np.asarray(q, float)
    n: Array = np.sqrt(np.einsum("...i,...i->...", q, q))[..., None]
    zero = n == 0
    if not zero.any():
        return q / n
    return np.where(zero, [1.0, 0.0, 0.0, 0.0], q / np.where(zero, 1.0, n))


def multiply(a: ArrayLike, b: ArrayLike) -> Array:
    """Hamilton product ``a b``: the rotation `b` followed by `a`.

    Parameters
    ----------
    a, b : array of shape (..., 4)
        Quaternions (w, x, y, z).

    Returns
    -------
    array of shape (..., 4)
        Of unit length where `a` and `b` are.

    Examples
    --------
    >>> quarter = yaw(np.pi / 2)
    >>> np.allclose(multiply(quarter, quarter), yaw(np.pi))  # two quarters are a half
    True
    """
    a, b = np.asarray(a, float), np.asarray(b, float)
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    out[..., 0] = aw * bw - ax * bx - ay * by - az * bz
    out[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    out[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    out[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return out


def conjugate(q: ArrayLike) -> Array:
    """Inverse of unit quaternions.

    Examples
    --------
    >>> multiply(yaw(0.3), conjugate(yaw(0.3)))
    array([1., 0., 0., 0.])
    """
    return np.asarray(q, float) * np.array([1.0, -1.0, -1.0, -1.0])


def rotate(q: ArrayLike, v: ArrayLike) -> Array:
    """Rotate vectors by unit quaternions.

    Parameters
    ----------
    q : array of shape (..., 4)
        Unit quaternions (w, x, y, z).
    v : array of shape (..., 3)
        Vectors of any unit.

    Returns
    -------
    array of shape (..., 3)
        Vectors in the unit of `v`.

    Examples
    --------
    >>> rotate(yaw(np.pi / 2), [0.0, 0.0, 1.0]).round(6)  # a quarter takes +Z to +X
    array([1., 0., 0.])
    >>> rotate(identity(), [[1.0, 2.0, 3.0]])
    array([[1., 2., 3.]])
    """
    q, v = np.asarray(q, float), np.asarray(v, float)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    a, b, c = v[..., 0], v[..., 1], v[..., 2]
    # v + 2 w (u x v) + 2 u x (u x v), u being the vector part
    tx, ty, tz = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
    out = np.empty((*np.broadcast_shapes(w.shape, a.shape), 3))
    out[..., 0] = a + w * tx + y * tz - z * ty
    out[..., 1] = b + w * ty + z * tx - x * tz
    out[..., 2] = c + w * tz + x * ty - y * tx
    return out


def unroll(q: ArrayLike, axis: int = 0) -> Array:
    """Flip signs of quaternions so that neighbours in time lie in the same half space.

    Parameters
    ----------
    q : array of shape (..., 4)
        Quaternions (w, x, y, z).
    axis : int, optional
        Axis of time, which is not the last.

    Returns
    -------
    array of the shape of `q`
        The same rotations; the first quaternions keep their sign.

    Examples
    --------
    >>> unroll([[1.0, 0, 0, 0], [-1.0, 0, 0, 0]]) + 0.0  # both are the same rotation
    array([[1., 0., 0., 0.],
           [1., 0., 0., 0.]])
    """
    q = np.asarray(q, float)
    if q.shape[axis] < 2:
        return q.copy()
    q = np.moveaxis(q, axis, 0)
    turns_away = np.einsum("...i,...i->...", q[1:], q[:-1]) < 0
    if not turns_away.any():
        return np.moveaxis(q.copy(), 0, axis)
    flips = np.cumsum(turns_away, axis=0) % 2 == 1
    sign = np.ones(q.shape[:-1])
    sign[1:][flips] = -1.0
    return np.moveaxis(q * sign[..., None], 0, axis)


def angle_between(a: ArrayLike, b: ArrayLike) -> Array:
    """Angle of the rotation that takes `a` to `b`; exact for small angles.

    Parameters
    ----------
    a, b : array of shape (..., 4)
        Unit quaternions (w, x, y, z) of either sign.

    Returns
    -------
    array of shape (...), radians
        From 0 to pi.

    Examples
    --------
    >>> float(np.degrees(angle_between(yaw(0.0), yaw(np.radians(30.0)))).round(3))
    30.0
    """
    d = multiply(conjugate(a), b)
    return 2.0 * np.arctan2(np.linalg.norm(d[..., 1:], axis=-1), np.abs(d[..., 0]))


# --- exponential map


def from_rotvec(v: ArrayLike) -> Array:
    """Exponential map: rotation vectors (..., 3), radians, to quaternions.

    Examples
    --------
    >>> from_rotvec([0.0, np.pi, 0.0]).round(6)  # half a rotation about +Y
    array([0., 0., 1., 0.])
    """
    v = np.asarray(v, float)
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    half = 0.5 * angle
    small = angle < SMALL_ANGLE
    # sin(a/2)/a = 1/2 - a^2/48 + O(a^4)
    factor = np.where(small, 0.5 - angle**2 / 48.0, np.sin(half) / np.where(small, 1.0, angle))
    return np.concatenate([np.cos(half), factor * v], axis=-1)


def to_rotvec(q: ArrayLike) -> Array:
    """Logarithm: quaternions to rotation vectors (..., 3) of length 0..pi.

    Examples
    --------
    >>> to_rotvec(yaw(0.25)).round(6)
    array([0.  , 0.25, 0.  ])
    """
    q = np.asarray(q, float)
    q = np.where(q[..., :1] < 0, -q, q)
    s = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(s, q[..., :1])
    small = s < 0.5 * SMALL_ANGLE
    # a/sin(a/2) = 2 + a^2/12 + O(a^4), with a ~ 2 s
    factor = np.where(small, 2.0 + s**2 / 3.0, angle / np.where(small, 1.0, s))
    return factor * q[..., 1:]


def between(a: ArrayLike, b: ArrayLike) -> Array:
    """Rotation vectors, in the frames turned by `a`, that lead from rotations `a` to `b`.

    Parameters
    ----------
    a, b : array of shape (..., 4)
        Unit quaternions (w, x, y, z) of either sign.

    Returns
    -------
    array of shape (..., 3), radians
        ``multiply(a, from_rotvec(between(a, b)))`` is `b`, of length pi at most.

    Examples
    --------
    >>> between(yaw(0.1), yaw(0.4)).round(6)
    array([0. , 0.3, 0. ])
    """
    return to_rotvec(multiply(conjugate(a), b))


def left_jacobian(v: ArrayLike) -> Array:
    """Matrices from the rate of a rotation vector to the angular velocity of its rotation.

    The matrices (..., 3, 3) are ``J = I + (1 - cos a)/a^2 [v] + (a - sin a)/a^3 [v]^2`` with a =
    abs(v); the angular velocity is in the frame in which v turns (the parent's), not in the turned
    one.

    Examples
    --------
    >>> left_jacobian([0.0, 0.0, 0.0])  # near no rotation, rate and velocity agree
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    v = np.asarray(v, float)
    angle = np.linalg.norm(v, axis=-1)[..., None, None]
    small = angle < SMALL_ANGLE
    safe = np.where(small, 1.0, angle)
    first = np.where(small, 0.5 - angle**2 / 24.0, 2.0 * np.sin(0.5 * angle) ** 2 / safe**2)
    second = np.where(small, 1.0 / 6.0 - angle**2 / 120.0, (angle - np.sin(angle)) / safe**3)
    zero = np.zeros_like(v[..., 0])
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*v.shape, 3)
    return np.eye(3) + first * cross + second * (cross @ cross)


def unroll_rotvec(v: ArrayLike) -> Array:
    """Choose the branch of rotation vectors (T, ..., 3) that is nearest to the frame before.

    A rotation by angle a about u is also one by a + 2 pi n; a path through pi stays continuous this
    way.

    Examples
    --------
    >>> turning = np.array([[0.0, 3.1, 0.0], [0.0, -3.1, 0.0]])  # radians; half a rotation apart
    >>> unroll_rotvec(turning).round(3)
    array([[0.   , 3.1  , 0.   ],
           [0.   , 3.183, 0.   ]])
    """
    v = np.array(v, float)
    series = v.reshape(len(v), -1, 3)
    # Another branch can only be nearer where the step is longer than half a turn.
    jumps = np.linalg.norm(np.diff(series, axis=0), axis=-1) > np.pi
    for k in np.flatnonzero(jumps.any(axis=0)):
        start = int(np.argmax(jumps[:, k])) + 1
        series[start:, k] = _unroll_rotvec(series[start - 1, k], series[start:, k])
    return series.reshape(v.shape)


def _unroll_rotvec(before: Array, v: Array) -> Array:
    """Unroll one series (T, 3) that follows the vector `before`."""
    out = v.copy()
    angles = np.linalg.norm(v, axis=-1)
    for i, angle in enumerate(angles):
        if angle > 1e-13:
            axis = v[i] / angle
        else:
            # Without an axis of its own it borrows the last one, which turns it by no more.
            axis = before / max(float(np.linalg.norm(before)), 1e-300)
        before = v[i] + axis * (2 * np.pi * np.round((before @ axis - angle) / (2 * np.pi)))
        out[i] = before
    return out


def slerp(a: ArrayLike, b: ArrayLike, t: ArrayLike) -> Array:
    """Constant-speed interpolation along the short arc.

    Parameters
    ----------
    a, b : array of shape (..., 4)
        Unit quaternions (w, x, y, z) of either sign.
    t : array of shape (...)
        Share of the way from `a` to `b`; broadcasts against the batch axes.

    Returns
    -------
    array of shape (..., 4)
        Unit quaternions: `a` where t is 0, and `b` up to its sign where t is 1.

    Examples
    --------
    >>> quarter = slerp(identity(), yaw(np.pi / 2), 0.25)
    >>> float(np.degrees(angle_between(identity(), quarter)).round(3))
    22.5
    """
    a, b, t = np.asarray(a, float), np.asarray(b, float), np.asarray(t, float)
    dot = np.sum(a * b, axis=-1)
    b = np.where((dot < 0)[..., None], -b, b)
    dot = np.abs(dot)
    sin = np.linalg.norm(b - dot[..., None] * a, axis=-1)
    angle = np.arctan2(sin, dot)
    small = angle < SMALL_ANGLE
    safe = np.where(small, 1.0, np.sin(angle))
    wa = np.where(small, 1.0 - t, np.sin((1.0 - t) * angle) / safe)
    wb = np.where(small, t, np.sin(t * angle) / safe)
    return normalize(wa[..., None] * a + wb[..., None] * b)


def mean(q: ArrayLike, weights: ArrayLike | None = None, axis: int = 0) -> Array:
    """Average rotation: the quaternion closest in the chordal sense (Markley et al. 2007).

    Parameters
    ----------
    q : array of shape (..., 4)
        Unit quaternions (w, x, y, z) of either sign.
    weights : array of shape (N,), optional
        Weight of each of the N along `axis`; all the same when not given.
    axis : int, optional
        Axis that the mean is taken over, which is not the last.

    Returns
    -------
    array of the shape of `q` without `axis`
        Unit quaternions with w >= 0.

    Examples
    --------
    >>> np.allclose(mean([yaw(0.2), yaw(0.6)]), yaw(0.4))
    True
    >>> np.allclose(mean([yaw(0.0), yaw(0.4)], weights=[0.0, 1.0]), yaw(0.4))
    True
    """
    q = np.moveaxis(np.asarray(q, float), axis, 0)
    w = np.ones(len(q)) if weights is None else np.asarray(weights, float)
    scatter = np.einsum("n,n...i,n...j->...ij", w, q, q)
    best = np.linalg.eigh(scatter)[1][..., -1]
    return np.where(best[..., :1] < 0, -best, best)


# --- matrices


def to_matrix(q: ArrayLike) -> Array:
    """Quaternions to rotation matrices (..., 3, 3).

    Examples
    --------
    >>> to_matrix(yaw(np.pi / 2)).round(6) + 0.0
    array([[ 0.,  0.,  1.],
           [ 0.,  1.,  0.],
           [-1.,  0.,  0.]])
    """
    q = np.asarray(q, float)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    m = np.empty((*q.shape[:-1], 3, 3))
    m[..., 0, 0] = 1 - 2 * (y * y + z * z)
    m[..., 0, 1] = 2 * (x * y - w * z)
    m[..., 0, 2] = 2 * (x * z + w * y)
    m[..., 1, 0] = 2 * (x * y + w * z)
    m[..., 1, 1] = 1 - 2 * (x * x + z * z)
    m[..., 1, 2] = 2 * (y * z - w * x)
    m[..., 2, 0] = 2 * (x * z - w * y)
    m[..., 2, 1] = 2 * (y * z + w * x)
    m[..., 2, 2] = 1 - 2 * (x * x + y * y)
    return m


def from_matrix(m: ArrayLike) -> Array:
    """Rotation matrices (..., 3, 3) to quaternions with w >= 0.

    Of the four ways to divide, each element takes the one with the largest divisor (Shepperd 1978).

    Examples
    --------
    >>> from_matrix([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]]).round(4)  # +Z to +X
    array([0.7071, 0.    , 0.7071, 0.    ])
    """
    m = np.asarray(m, float)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    sums = m + np.swapaxes(m, -1, -2)
    gaps = m - np.swapaxes(m, -1, -2)
    xy, xz, yz = sums[..., 0, 1], sums[..., 0, 2], sums[..., 1, 2]
    wx, wy, wz = gaps[..., 2, 1], gaps[..., 0, 2], gaps[..., 1, 0]
    rows = np.array(
        [
            [1 + xx + yy + zz, wx, wy, wz],
            [wx, 1 + xx - yy - zz, xy, xz],
            [wy, xy, 1 - xx + yy - zz, yz],
            [wz, xz, yz, 1 - xx - yy + zz],
        ]
    )
    # Each row is the quaternion times four of its numbers: that of the largest is the most exact.
    rows = np.moveaxis(rows, (0, 1), (-2, -1))
    best = np.argmax(np.diagonal(rows, axis1=-2, axis2=-1), axis=-1)
    q = normalize(np.take_along_axis(rows, best[..., None, None], axis=-2)[..., 0, :])
    return np.where(q[..., :1] < 0, -q, q)


# --- Euler angles


def _axes(order: str) -> list[int]:
    axes = ["XYZ".find(c) for c in order.upper()]
    if not 1 <= len(axes) <= 3 or -1 in axes or any(a == b for a, b in itertools.pairwise(axes)):
        raise InvalidInputError(
            "Euler order must be one to three of X, Y, Z with no axis twice in a row, got"
            f" {order!r}"
        )
    return axes


def from_euler(angles: ArrayLike, order: str) -> Array:
    """Intrinsic Euler angles to quaternions.

    Parameters
    ----------
    angles : array of shape (..., N), radians
        N = ``len(order)``, 1 to 3.
    order : str
        Axes in the order of the turns, such as ``"ZXY"``; each turn is about an axis already
        turned.

    Returns
    -------
    array of shape (..., 4)
        Unit quaternions (w, x, y, z).

    Raises
    ------
    InvalidInputError
        When `order` is not one to three axes with none twice in a row, or not as long as there are
        angles.

    Examples
    --------
    >>> q = from_euler(np.radians([90.0, 0.0, 0.0]), "YXZ")
    >>> np.allclose(q, yaw(np.pi / 2))
    True
    """
    axes = _axes(order)
    angles = np.asarray(angles, float)
    if angles.shape[-1] != len(axes):
        raise InvalidInputError(f"order {order!r} needs {len(axes)} angles, got {angles.shape[-1]}")
    parts = [np.ones(angles.shape[:-1]), *np.zeros((3, *angles.shape[:-1]))]
    for column, axis in zip(np.moveaxis(0.5 * angles, -1, 0), axes, strict=True):
        c, s = np.cos(column), np.sin(column)
        i, j, k = (1 + (axis + n) % 3 for n in range(3))
        # The product with a turn about one axis.
        parts[0], parts[i] = c * parts[0] - s * parts[i], c * parts[i] + s * parts[0]
        parts[j], parts[k] = c * parts[j] + s * parts[k], c * parts[k] - s * parts[j]
    return np.stack(parts, axis=-1)


def to_euler(q: ArrayLike, order: str) -> Array:
    """Quaternions to intrinsic Euler angles.

    With three axes the middle angle lies in [-pi/2, pi/2] where all differ and in [0, pi] where the
    first repeats; at a singular middle angle the last angle is 0. With one or two axes the angles
    are those of the closest rotation.

    Parameters
    ----------
    q : array of shape (..., 4)
        Unit quaternions (w, x, y, z).
    order : str
        One to three axes in the order of the turns, such as ``"ZXY"``.

    Returns
    -------
    array of shape (..., N), radians
        N = ``len(order)``.

    Raises
    ------
    InvalidInputError
        When `order` is not one to three axes with none twice in a row.

    Examples
    --------
    >>> q = from_euler(np.radians([30.0, 20.0, 10.0]), "ZXY")
    >>> np.degrees(to_euler(q, "ZXY")).round(6)
    array([30., 20., 10.])
    """
    axes = _axes(order)
    q = np.asarray(q, float)
    if len(axes) == 1:
        return wrap_angle(2.0 * np.arctan2(q[..., 1 + axes[0]], q[..., 0]))[..., None]
    return _two_angles(q, axes) if len(axes) == 2 else _three_angles(q, axes)


def _two_angles(q: Array, axes: list[int]) -> Array:
    """Angles of the closest product of turns about two axes.

    The overlap of q with that product is ``u^T S v``, u and v holding cosine and sine of the half
    angles; it is largest along the first pair of singular vectors of the 2 x 2 matrix S, whose
    half-sum and half-difference angles have the closed form below.
    """
    i, j = axes
    k = 3 - i - j
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    a, b, c, d = q[..., 0], q[..., 1 + j], q[..., 1 + i], sign * q[..., 1 + k]
    total, difference = np.arctan2(b + c, a - d), np.arctan2(c - b, a + d)
    return wrap_angle(np.stack([total + difference, total - difference], axis=-1))


def _three_angles(q: Array, axes: list[int]) -> Array:
    """Angles of three turns; after Bernardes & Viollet 2022, which needs no matrix and is exact
    near singularities.
    """
    # The method is stated for extrinsic angles: read the order backwards.
    i, j, k = axes[2], axes[1], axes[0]
    proper = i == k
    if proper:
        k = 3 - i - j
    sign = (i - j) * (j - k) * (k - i) / 2.0
    w, x, y, z = q[..., 0], q[..., 1 + i], q[..., 1 + j], q[..., 1 + k] * sign
    a, b, c, d = (w, x, y, z) if proper else (w - y, x + z, y + w, z - x)
    middle = 2.0 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
    half_sum, half_diff = np.arctan2(b, a), np.arctan2(d, c)
    low, high = middle < 5e-15, middle > np.pi - 5e-15
    # Where the middle angle is singular only the sum or the difference of the others is known: the
    # last becomes 0.
    outer = np.where(low, 2 * half_sum, np.where(high, 2 * half_diff, half_sum + half_diff))
    inner = np.where(low | high, 0.0, half_sum - half_diff)
    if not proper:
        outer, middle = outer * sign, middle - np.pi / 2
    return np.stack([wrap_angle(outer), middle, wrap_angle(inner)], axis=-1)


def unroll_euler(angles: ArrayLike, order: str) -> Array:
    """Choose among equal Euler angles those nearest to the frame before: curves do not jump.

    Every angle counts modulo 2 pi. Three axes have two families of triples, ``(a, b, c)`` and
    ``(a + pi, m - b, c + pi)`` with m = pi for three different axes and 0 where the first repeats.
    In a singular frame (gimbal lock) the last angle stays what it was.

    Parameters
    ----------
    angles : array of shape (T, ..., N), radians
        Intrinsic Euler angles over time; N = ``len(order)``.
    order : str
        One to three axes in the order of the turns, such as ``"ZXY"``.

    Returns
    -------
    array of shape (T, ..., N), radians
        The same rotations, with the first frame as it was.

    Raises
    ------
    InvalidInputError
        When `order` is not one to three axes with none twice in a row.

    Examples
    --------
    >>> angles = np.radians([[170.0, 0.0, 0.0], [-170.0, 0.0, 0.0]])
    >>> np.degrees(unroll_euler(angles, "YXZ")).round(3)[:, 0]
    array([170., 190.])
    """
    axes = _axes(order)
    angles = np.asarray(angles, float)
    if len(angles) > 1 and len(axes) == 3:
        angles = _hold_last_angle(angles, axes)
        flipped = _other_family(angles, axes)
        same, cross = (
            np.sum(wrap_angle(now[1:] - angles[:-1]) ** 2, axis=-1) for now in (angles, flipped)
        )
        # Distances are the same between two members of either family, so each frame stays or
        # changes sides.
        changes = np.cumsum(cross < same - 1e-12, axis=0) % 2 == 1
        angles = np.concatenate([angles[:1], np.where(changes[..., None], flipped[1:], angles[1:])])
    return np.unwrap(angles, axis=0)


def _other_family(angles: Array, axes: list[int]) -> Array:
    a, b, c = np.moveaxis(angles, -1, 0)
    return np.stack([a + np.pi, -b if axes[0] == axes[2] else np.pi - b, c + np.pi], axis=-1)


def _hold_last_angle(angles: Array, axes: list[int]) -> Array:
    """In singular frames take over the last angle of the latest regular frame and let the first
    make up for it.
    """
    a, b, c = np.moveaxis(angles, -1, 0)
    if axes[0] == axes[2]:
        singular, sign = np.abs(np.sin(b)) < 1e-10, np.sign(np.cos(b))
    else:
        parity = 1.0 if (axes[1] - axes[0]) % 3 == 1 else -1.0
        singular, sign = np.abs(np.cos(b)) < 1e-10, parity * np.sign(np.sin(b))
    if not singular.any():
        return angles
    frames = np.arange(len(angles)).reshape(-1, *[1] * (angles.ndim - 2))
    latest = np.maximum.accumulate(np.where(singular, 0, frames), axis=0)
    held = np.take_along_axis(c, latest, axis=0)
    return np.stack(
        [np.where(singular, a + sign * (c - held), a), b, np.where(singular, held, c)], axis=-1
    )


# --- headings


def yaw(angle: ArrayLike) -> Array:
    """Quaternions that turn about +Y by `angle` (radians, +Z towards +X), shape (..., 4).

    Examples
    --------
    >>> rotate(yaw(np.radians(90.0)), [0.0, 0.0, 2.0]).round(6)
    array([2., 0., 0.])
    """
    half = 0.5 * np.asarray(angle, float)
    zero = np.zeros_like(half)
    return np.stack([np.cos(half), zero, np.sin(half), zero], axis=-1)


def wrap_angle(angle: ArrayLike) -> Array:
    """Angles (radians) brought to [-pi, pi).

    Examples
    --------
    >>> np.degrees(wrap_angle(np.radians([190.0, -190.0, 360.0]))).round(3)
    array([-170.,  170.,    0.])
    """
    wrapped = (np.asarray(angle, float) + np.pi) % (2 * np.pi) - np.pi
    # The remainder of a tiny negative number rounds up.
    return np.where(wrapped >= np.pi, -np.pi, wrapped)[()]
