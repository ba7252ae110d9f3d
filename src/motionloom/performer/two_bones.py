"""Analytic two-bone inverse kinematics for legs and arms."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom import rotations as rot

Array = NDArray[np.float64]


def _unit(v: Array) -> Array:
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12)


def bend_angle(upper: float, lower: float, distance: ArrayLike) -> Array:
    """Angle by which the middle joint bends (0 straight) for ends at a distance; law of cosines."""
    d = np.asarray(distance, float)
    cosine = (d * d - upper * upper - lower * lower) / (2.0 * upper * lower)
    return np.arccos(np.clip(cosine, -1.0, 1.0))


def reach_for(upper: float, lower: float, bend: ArrayLike) -> Array:
    """Distance of the ends for a bend of the middle joint: the inverse of `bend_angle`."""
    return np.sqrt(upper * upper + lower * lower + 2.0 * upper * lower * np.cos(np.asarray(bend, float)))


def solve_two_bones(root: Array, tip: Array, pole: Array, upper: float, lower: float) -> tuple[Array, Array, Array]:
    """Place the middle joint of two bones so that they span from `root` to `tip`.

    Parameters
    ----------
    root, tip : arrays of shape (T, 3), metres
        A tip out of reach is approached as far as the bones allow.
    pole : array of shape (T, 3)
        Direction towards which the middle joint goes.
    upper, lower : float, metres
        Bone lengths.

    Returns
    -------
    middle : array of shape (T, 3), metres
    axis : array of shape (T, 3)
        Unit normal of the limb's plane, ``pole x (tip - root)`` turned so that (axis, -bone, ahead) is right-handed.
    bend : array of shape (T,), radians
    """
    span = tip - root
    distance = np.linalg.norm(span, axis=-1, keepdims=True)
    down = span / np.maximum(distance, 1e-12)
    d = np.clip(distance, abs(upper - lower) + 1e-9, upper + lower)
    ahead = _unit(pole - np.sum(pole * down, axis=-1, keepdims=True) * down)
    along = (d * d + upper * upper - lower * lower) / (2.0 * d)
    aside = np.sqrt(np.maximum(upper * upper - along * along, 0.0))
    middle = root + along * down + aside * ahead
    axis = np.cross(-down, ahead)
    return middle, axis, bend_angle(upper, lower, d[..., 0])


def frame_of(axis: Array, bone: Array) -> Array:
    """World rotation of a segment that at rest hangs along -Y with its hinge along +X."""
    up = -_unit(bone)
    x = _unit(axis - np.sum(axis * up, axis=-1, keepdims=True) * up)
    return rot.from_matrix(np.stack([x, up, np.cross(x, up)], axis=-1))
