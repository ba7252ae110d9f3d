"""Analytic inverse kinematics of two bones, such as a leg's or an arm's: a triangle whose three
sides are known.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def unit(v: Array) -> Array:
    """Vectors (..., 3) made one long; zero stays zero."""
    direction: Array = v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12)
    return direction


def reach_for(upper: float | Array, lower: float | Array, bend: ArrayLike) -> Array:
    """Distance of the ends when the middle joint bends by an angle (radians, 0 straight); law of
    cosines.
    """
    cosine = np.cos(np.asarray(bend, float))
    distance: Array = np.sqrt(upper * upper + lower * lower + 2.0 * upper * lower * cosine)
    return distance


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
    axis : array of shape (T, 3)
        Unit normal of the limb's plane: ``pole x (tip - root)``, made one long.
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
    return root + along * ahead + off * aside, np.cross(aside, ahead)
