"""Functional joint centres: the spheres and axes that markers of a segment move on.

Markers below a ball joint keep their distances from its centre, in the frame of the segment above
(least squares, one radius for each marker). Markers below a hinge stay in planes across its axis
(Gamage & Lasenby 2002); the centre lies on the axis, beside the marker of the joint. Nothing is
assumed about where the centre is, so that little movement leaves it anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.fitting.calibration._centres import Placed, rule_centres
from motionloom.fitting.calibration._posing import State, nearest_rotations
from motionloom.fitting.calibration._solve import Data
from motionloom.fitting.marker_sets._places import SIDES
from motionloom.typing import Array, Bools

#: Segments whose frame is that of their markers alone: no centre above them is found.
_TRUNK = ("Hips", "Chest")
#: Frames, and points of a segment, below which nothing is fitted.
_FEWEST_FRAMES = 8
_FEWEST_POINTS = 3


def functional_centres(placed: Placed, data: Data, state: State) -> dict[int, Array]:
    """Find joint centres from how markers move.

    Parameters
    ----------
    placed : Placed
        Markers on the prototype.
    data : Data
        The markers.
    state : State
        Poses of the scaled prototype.

    Returns
    -------
    dict of int to array of shape (T, 3), metres
        As of `rule_centres`, and by the rule where markers are too few for a sphere or an axis.
    """
    finder = _Finder(placed, data, rule_centres(placed, data, state))
    for side in SIDES:
        finder.ball(f"{side}UpLeg", "Hips")
        finder.ball(f"{side}Arm", "Chest")
    finder.ball("Neck", "Chest", "Head")
    for side in SIDES:
        finder.hinge(f"{side}Leg", f"{side}UpLeg")
        finder.hinge(f"{side}ForeArm", f"{side}Arm")
        finder.ball(f"{side}Foot", f"{side}Leg")
    return finder.places


@dataclass(frozen=True, eq=False)
class _Finder:
    """Centres found so far; those below use those above."""

    placed: Placed
    data: Data
    places: dict[int, Array]

    def ball(self, joint: str, above: str, below: str = "") -> None:
        """A centre from which the markers below, or of the joint, keep their distances."""
        seen = self._seen_from(above, below or joint)
        center = None if seen is None else fit_sphere(*seen[2:])
        if seen is not None and center is not None:
            self.places[self.placed.body.index(joint)] = seen[1] + seen[0] @ center

    def hinge(self, joint: str, above: str) -> None:
        """A centre on the axis that the markers below turn about, beside the rule's centre."""
        number = self.placed.body.index(joint)
        ruled = self.places.get(number)
        seen = self._seen_from(above, joint)
        if seen is None or ruled is None:
            return
        turns, middle, local, known = seen
        found = fit_axis(local, known)
        beside = _into(ruled[:, None], turns, middle)[:, 0]
        if found is None or not _finite(beside).any():
            return
        point, axis = found
        along = np.nanmean(beside, axis=0) - point
        self.places[number] = middle + turns @ (point + axis * (along @ axis))

    def _seen_from(self, above: str, below: str) -> tuple[Array, Array, Array, Bools] | None:
        """Rotation and middle of a segment, and the markers below it in its frame."""
        moving = self._markers(below)
        frame = self._frame(above)
        if frame is None or not moving:
            return None
        local = _into(self.data.positions[:, moving], *frame)
        return *frame, local, self.data.seen[:, moving] & _finite(local)

    def _markers(self, segment: str) -> list[int]:
        number = self.placed.body.index(segment)
        return np.flatnonzero(self.placed.layout.joints == number).tolist()

    def _frame(self, segment: str) -> tuple[Array, Array] | None:
        """Rotation and middle of a segment in every frame, from its markers and upper joint."""
        own = self._markers(segment)
        points, known = self.data.positions[:, own], self.data.seen[:, own]
        upper = self.places.get(self.placed.body.index(segment))
        if segment not in _TRUNK and upper is not None:
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
    turns = nearest_rotations(np.where(whole[:, None, None], product, np.eye(3)))
    return np.where(whole[:, None, None], turns, np.nan), middle


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
    rows, sides = [np.zeros((0, 3))], [np.zeros(0)]
    for i in np.flatnonzero(known.sum(axis=0) >= _FEWEST_FRAMES // 2):
        own = points[known[:, i], i]
        square = np.sum(own**2, axis=1)
        rows.append(2 * (own - own.mean(axis=0)))
        sides.append(square - square.mean())
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
    if values[1] < 1e-6:
        return None
    flat = np.linalg.lstsq(rows @ v[:2].T, sides, rcond=None)[0]
    return flat @ v[:2], v[2]
