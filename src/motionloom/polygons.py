"""Convex polygons in a plane: hulls, and distances of points and of line segments."""

from __future__ import annotations

import contextlib

import numpy as np
import scipy

from motionloom.typing import Array


def convex_hull(points: Array) -> Array:
    """Find the corners of the convex hull of points.

    Parameters
    ----------
    points : array of shape (P, 2)
        In any order.

    Returns
    -------
    array of shape (M, 2)
        Counterclockwise; two ends of points in one line, one of points at one position.

    Examples
    --------
    >>> len(convex_hull(np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 0.2], [1.0, 1.0]])))
    3
    """
    if len(points) > 2:
        with contextlib.suppress(scipy.spatial.QhullError):
            return points[scipy.spatial.ConvexHull(points).vertices]
    ordered = np.unique(points, axis=0)
    return ordered[[0, -1]] if len(ordered) > 2 else ordered


def nearest_on_outline(outline: Array, points: Array) -> Array:
    """Find the nearest positions to points on the edges of polygons.

    Parameters
    ----------
    outline : array of shape (..., M, 2)
        Corners, in order.
    points : array of shape (..., 2)
        The leading axes are broadcast with those of the polygons.

    Returns
    -------
    array of shape (..., 2)
    """
    near = _on_edges(outline, points)
    away = np.linalg.norm(near - points[..., None, :], axis=-1)
    nearest = np.argmin(away, axis=-1)[..., None, None]
    return np.asarray(np.take_along_axis(near, nearest, axis=-2)[..., 0, :])


def distance_outside(outline: Array, points: Array) -> Array:
    """Measure how far points lie outside convex polygons; negative inside.

    Parameters
    ----------
    outline : array of shape (..., M, 2)
        Corners, in order; some may repeat. Those in one line have no inside.
    points : array of shape (..., 2)
        The leading axes are broadcast with those of the polygons.

    Returns
    -------
    array of shape (...)
        To the nearest edge.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> float(distance_outside(square, np.array([1.0, 1.5])))
    -0.5
    """
    away = np.linalg.norm(points - nearest_on_outline(outline, points), axis=-1)
    ends = np.roll(outline, -1, axis=-2)
    area = _cross(outline, ends).sum(axis=-1, keepdims=True)
    beside = _cross(ends - outline, points[..., None, :] - outline) * np.sign(area)
    within = (beside >= 0).all(axis=-1) & (area[..., 0] != 0)
    return np.asarray(np.where(within, -away, away))


def segment_distance(a: Array, b: Array) -> Array:
    """Measure the shortest distance between line segments (Ericson 2004, section 5.1.9).

    Parameters
    ----------
    a, b : array of shape (..., 2, 3), metres
        Both ends of the segments; the leading axes are broadcast.

    Returns
    -------
    array of shape (...), metres
    """
    u = a[..., 1, :] - a[..., 0, :]
    v = b[..., 1, :] - b[..., 0, :]
    w = a[..., 0, :] - b[..., 0, :]
    uu, uv, vv = _dot(u, u), _dot(u, v), _dot(v, v)
    uw, vw = _dot(u, w), _dot(v, w)
    # The nearest positions of the lines; then each is clamped, and the other moved to be nearest
    # to it.
    tiny = 1e-12
    skew = uu * vv - uv * uv
    along = np.where(skew > tiny, (uv * vw - vv * uw) / np.maximum(skew, tiny), 0.0)
    other = np.clip((uv * np.clip(along, 0.0, 1.0) + vw) / np.maximum(vv, tiny), 0.0, 1.0)
    along = np.clip((uv * other - uw) / np.maximum(uu, tiny), 0.0, 1.0)
    return np.asarray(np.linalg.norm(w + along[..., None] * u - other[..., None] * v, axis=-1))


def _on_edges(outline: Array, points: Array) -> Array:
    """Nearest positions (..., M, 2) on every edge."""
    sides = np.roll(outline, -1, axis=-2) - outline
    share = _dot(points[..., None, :] - outline, sides) / np.maximum(_dot(sides, sides), 1e-12)
    return outline + np.clip(share, 0.0, 1.0)[..., None] * sides


def _dot(a: Array, b: Array) -> Array:
    return np.asarray(np.sum(a * b, axis=-1))


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
