"""Functional joint centres: the spheres and axes that markers of a segment move on.

Markers below a ball joint keep their distances from its centre, in the frame of the segment above
(least squares, one radius for each marker). Markers below a hinge stay in planes across its axis
(Gamage & Lasenby 2002); the centre lies on the axis, beside the marker of the joint. Nothing is
assumed about where the centre is, so that little movement leaves it anywhere.
"""

from __future__ import annotations

import numpy as np

from motionloom.fitting.calibration.centres import Centres, Placed, rule_centres
from motionloom.fitting.calibration.solve import State
from motionloom.typing import Array, Bools

#: Ball joints: joint, segment above, segment below, in the order in which they are found.
_BALLS = (("{s}UpLeg", "Hips", "{s}UpLeg"), ("{s}Arm", "Chest", "{s}Arm"))
_NECK = ("Neck", "Chest", "Head")
#: Hinges: joint, segment above, joint at its upper end, segment below.
_HINGES = (
    ("{s}Leg", "{s}UpLeg", "{s}UpLeg", "{s}Leg"),
    ("{s}ForeArm", "{s}Arm", "{s}Arm", "{s}ForeArm"),
)
#: Ball joints whose segment above ends in a joint that a hinge gave.
_LAST = (("{s}Foot", "{s}Leg", "{s}Leg", "{s}Foot"),)
#: Frames, and points of a segment, below which nothing is fitted.
_FEWEST_FRAMES = 8
_FEWEST_POINTS = 3


def functional_centres(placed: Placed, positions: Array, seen: Bools, state: State) -> Centres:
    """Find joint centres from how markers move.

    Parameters
    ----------
    placed : Placed
        Markers on the prototype.
    positions : array of shape (T, M, 3), metres
        Of the markers.
    seen : bool array of shape (T, M)
        Which are known.
    state : State
        Poses of the scaled prototype.

    Returns
    -------
    Centres
        By the rule where markers are too few for a sphere or an axis.
    """
    ruled = rule_centres(placed, positions, seen, state)
    finder = _Finder(placed, positions, seen, dict(ruled.places), dict(ruled.how))
    for s in ("Left", "Right"):
        for joint, above, below in _BALLS:
            finder.ball(joint.format(s=s), above.format(s=s), "", below.format(s=s))
    finder.ball(_NECK[0], _NECK[1], "", _NECK[2])
    for s in ("Left", "Right"):
        for joint, above, top, below in _HINGES:
            finder.hinge(*(name.format(s=s) for name in (joint, above, top, below)))
        for joint, above, top, below in _LAST:
            finder.ball(*(name.format(s=s) for name in (joint, above, top, below)))
    return Centres(finder.places, finder.how)


class _Finder:
    """Centres found so far; those below use those above."""

    def __init__(
        self,
        placed: Placed,
        positions: Array,
        seen: Bools,
        places: dict[int, Array],
        how: dict[int, str],
    ) -> None:
        self.placed = placed
        self.positions = positions
        self.seen = seen
        self.places = places
        self.how = how

    def ball(self, joint: str, above: str, top: str, below: str) -> None:
        """A centre from which the markers below keep their distances."""
        frame = self._frame(above, top)
        moving = self._markers(below)
        if frame is None or not moving:
            return
        turns, middle = frame
        local = _into(self.positions[:, moving], turns, middle)
        center = fit_sphere(local, self.seen[:, moving] & _finite(local))
        if center is not None:
            self._keep(joint, turns, middle, center, "sphere")

    def hinge(self, joint: str, above: str, top: str, below: str) -> None:
        """A centre on the axis that the markers below turn about, beside the rule's centre."""
        frame = self._frame(above, top)
        moving = self._markers(below)
        number = self.placed.body.index(joint)
        ruled = self.places.get(number)
        if frame is None or not moving or ruled is None:
            return
        turns, middle = frame
        local = _into(self.positions[:, moving], turns, middle)
        found = fit_axis(local, self.seen[:, moving] & _finite(local))
        beside = _into(ruled[:, None], turns, middle)[:, 0]
        if found is None or not _finite(beside).any():
            return
        point, axis = found
        along = np.nanmean(beside, axis=0) - point
        self._keep(joint, turns, middle, point + axis * (along @ axis), "axis")

    def _keep(self, joint: str, turns: Array, middle: Array, center: Array, how: str) -> None:
        number = self.placed.body.index(joint)
        self.places[number] = middle + turns @ center
        self.how[number] = how

    def _markers(self, segment: str) -> list[int]:
        number = self.placed.body.index(segment)
        return [m for m, j in enumerate(self.placed.layout.joints) if int(j) == number]

    def _frame(self, segment: str, top: str) -> tuple[Array, Array] | None:
        """Rotation and middle of a segment in every frame, from its markers and upper joint."""
        own = self._markers(segment)
        points = self.positions[:, own]
        known = self.seen[:, own]
        upper = self.places.get(self.placed.body.index(top)) if top else None
        if upper is not None:
            points = np.concatenate([points, np.nan_to_num(upper)[:, None]], axis=1)
            known = np.column_stack([known, _finite(upper)])
        return segment_frames(points, known)


def segment_frames(points: Array, known: Bools) -> tuple[Array, Array] | None:
    """Rotation and place of a rigid group of points in every frame.

    Parameters
    ----------
    points : array of shape (T, N, 3), metres
        In the world.
    known : bool array of shape (T, N)
        Which are; frames in which one is not are NaN.

    Returns
    -------
    tuple of array of shape (T, 3, 3) and array of shape (T, 3), or None
        None where the points are too few or lie on a line.
    """
    whole = np.asarray(known.all(axis=1), bool)
    if points.shape[1] < _FEWEST_POINTS or whole.sum() < _FEWEST_FRAMES:
        return None
    middle = np.where(whole[:, None], points.mean(axis=1), np.nan)
    first = int(np.flatnonzero(whole)[0])
    shape = points[first] - middle[first]
    if np.linalg.svd(shape, compute_uv=False)[1] < 0.01:
        return None
    product = np.einsum("tna,nb->tab", points - middle[:, None], shape)
    u, _, v = np.linalg.svd(np.where(whole[:, None, None], product, np.eye(3)))
    u[:, :, 2] *= np.linalg.det(u @ v)[:, None]
    turns = np.where(whole[:, None, None], u @ v, np.nan)
    return turns, middle


def _finite(points: Array) -> Bools:
    """Which points (..., 3) are known."""
    return np.asarray(np.isfinite(points).all(axis=-1), bool)


def _into(points: Array, turns: Array, middle: Array) -> Array:
    """World points (T, N, 3) in the frame of a segment."""
    return np.asarray(np.einsum("tba,tnb->tna", turns, points - middle[:, None]))


def fit_sphere(points: Array, known: Bools) -> Array | None:
    """Centre from which every point keeps its own distance, by linear least squares.

    Parameters
    ----------
    points : array of shape (T, N, 3), metres
        In one frame.
    known : bool array of shape (T, N)
        Which are.

    Returns
    -------
    array of shape (3,) or None
        None where they are too few.
    """
    rows, sides = _sphere_rows(points, known)
    if len(sides) < _FEWEST_FRAMES:
        return None
    return np.asarray(np.linalg.lstsq(rows, sides, rcond=None)[0])


def _sphere_rows(points: Array, known: Bools) -> tuple[Array, Array]:
    """``2 (p - mean) . c = |p|^2 - mean |p|^2`` for every point: its radius drops out."""
    rows = []
    sides = []
    for i in range(points.shape[1]):
        own = points[known[:, i], i]
        if len(own) >= _FEWEST_FRAMES // 2:
            square = np.sum(own**2, axis=1)
            rows.append(2 * (own - own.mean(axis=0)))
            sides.append(square - square.mean())
    if not rows:
        return np.zeros((0, 3)), np.zeros(0)
    return np.concatenate(rows), np.concatenate(sides)


def fit_axis(points: Array, known: Bools) -> tuple[Array, Array] | None:
    """Axis that points turn about.

    Parameters
    ----------
    points : array of shape (T, N, 3), metres
        In the frame of the segment above.
    known : bool array of shape (T, N)
        Which are.

    Returns
    -------
    tuple of array of shape (3,), or None
        A point on the axis, metres, and its unit direction; None where they are too few.
    """
    rows, sides = _sphere_rows(points, known)
    if len(sides) < _FEWEST_FRAMES:
        return None
    _, values, v = np.linalg.svd(rows, full_matrices=False)
    axis = v[2]
    across = v[:2]
    if values[1] < 1e-6:
        return None
    flat = np.linalg.lstsq(rows @ across.T, sides, rcond=None)[0]
    return flat @ across, axis
