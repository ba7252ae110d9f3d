"""Balance on uneven ground, and how a body is shifted to keep it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from motionloom.analysis.soles import Soles
from motionloom.physics.body import Body
from motionloom.physics.dynamics.inverse import GRAVITY, inverse_dynamics
from motionloom.physics.dynamics.state import Smoothing, low_pass, state_of
from motionloom.physics.ground.balance import (
    LEAST_LOAD,
    SupportPolygons,
    find_corners,
    support_polygons,
    zero_moment_point,
)
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools

#: How far inside the polygon the zero moment point is wanted, metres.
MARGIN = 0.01
#: Weight of a zero moment point that is inside already, of the shift itself and of its changes
#: (second differences in seconds).
INSIDE, SHIFT, CHANGE = 0.05, 0.02, 0.004
#: Height of the centre of mass above the feet in leg lengths.
HIGH = 1.05


@dataclass(frozen=True, eq=False)
class Standing:
    """Loads of a motion over what it stands on.

    Parameters
    ----------
    zmp : array of shape (T, 2), metres
        Zero moment point at the mean height of what bears; NaN where nothing does.
    distance : array of shape (T,), metres
        Into the support polygon, seen from above, negative outside; NaN without either.
    load : array of shape (T,)
        Vertical force in body weights.
    polygons : SupportPolygons
        Seen from above.
    """

    zmp: Array
    distance: Array
    load: Array
    polygons: SupportPolygons


def analyse_standing(posed: PosedMotion, body: Body, soles: Soles, down: Bools) -> Standing:
    """Zero moment point and support where feet stand at different heights.

    Where two feet stand on two treads there is no plane of support: the point is taken at the mean
    height of all that bears, and the polygon as it is seen from above.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    body : Body
        Its masses.
    soles : Soles
        Points of its feet.
    down : bool array of shape (T, P)
        Which of them bear.

    Returns
    -------
    Standing
    """
    smoothing = Smoothing()
    weight = body.mass * GRAVITY
    wrench = inverse_dynamics(body, state_of(posed, body, smoothing)).wrench
    wrench = low_pass(wrench, posed.fps, smoothing.balance)
    heights = soles.positions(posed)[..., 1] - [p.rest for p in soles.points]
    counts = np.maximum(down.sum(axis=1), 1)
    height = np.where(down, heights, 0.0).sum(axis=1) / counts
    corners = find_corners(posed, body, soles)
    polygons = support_polygons(corners.places, down[:, corners.points])
    zmp = zero_moment_point(wrench, height, LEAST_LOAD * weight)
    return Standing(zmp, polygons.distance(zmp), wrench[:, 1] / weight, polygons)


def shift_for_balance(standing: Standing, allowed: float, leg: float, fps: float) -> Array:
    """How the body is shifted on the ground for its zero moment point to come inside.

    A body of one mass at height h, shifted by x, shifts its zero moment point by ``x - h/g x''``.

    Parameters
    ----------
    standing : Standing
        Where it is.
    allowed : float, metres
        How far outside it may stay.
    leg : float, metres
        Length of a leg.
    fps : float
        Frames per second.

    Returns
    -------
    array of shape (T, 2), metres
        Along x and z; 0 where the point is nowhere farther outside than allowed.
    """
    outside = np.nan_to_num(standing.distance, nan=1.0) < -allowed
    n = len(outside)
    if not outside.any():
        return np.zeros((n, 2))
    deep = np.where(outside, np.nan_to_num(-standing.distance) + MARGIN, 0.0)
    wanted = deep[:, None] * standing.polygons.inward(np.nan_to_num(standing.zmp))
    weight = np.where(outside, 1.0, np.where(np.isfinite(standing.distance), INSIDE, 0.0))
    ends = np.r_[-1.0, np.full(n - 2, -2.0), -1.0]
    beside = np.ones(n - 1)
    second = scipy.sparse.diags_array([beside, ends, beside], offsets=[-1, 0, 1]) * fps**2
    moved = scipy.sparse.eye_array(n) - (HIGH * leg / GRAVITY) * second
    matrix = (
        moved.T @ scipy.sparse.diags_array(weight) @ moved
        + SHIFT * scipy.sparse.eye_array(n)
        + CHANGE * (second.T @ second) / GRAVITY**2
    )
    found: Array = scipy.sparse.linalg.spsolve(matrix.tocsc(), moved.T @ (weight[:, None] * wanted))
    return found
