"""Balance: the zero moment point against the support polygon, and how much friction is used.

Convex polygons on the ground over time, and how far points lie within them.

Corners of the soles: a foot bears on an area, not on a point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.analysis.soles import Soles
from motionloom.physics.body import Body
from motionloom.physics.dynamics._inverse import GRAVITY, Dynamics, inverse_dynamics
from motionloom.physics.dynamics.state import BodyState, Smoothing, low_pass, state_of
from motionloom.physics.ground._contacts import GroundContacts, find_ground_contacts
from motionloom.polygons import convex_hull, distance_outside
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools, Ints

#: Half widths of heel, ball and tip of a shod foot, and how far its tip lies before the ball and
#: its heel behind the heel's point, as shares of stature (foot breadth 0.055, length 0.152:
#: Drillis & Contini 1966).
HALF_HEEL = 0.020
HALF_BALL = 0.0275
HALF_TIP = 0.018
TIP_AHEAD = 0.035
#: Without a toe joint the foot's length lies about its ankle.
BEHIND_ANKLE = 0.036
AHEAD_OF_ANKLE = 0.116


@dataclass(frozen=True, eq=False)
class Corners:
    """Corners of all soles over time.

    Parameters
    ----------
    places : array of shape (T, C, 3), metres
        In the world, at the height of the sole's point they belong to.
    points : int array of shape (C,)
        Point of the soles that each corner bears with.
    feet : int array of shape (C,)
        Index of its foot in ``soles.feet``.
    links : int array of shape (C,)
        Link of the body that it moves with.
    """

    places: Array
    points: Ints
    feet: Ints
    links: Ints


def find_corners(posed: PosedMotion, body: Body, soles: Soles) -> Corners:
    """Corners of the soles in every frame.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    body : Body
        Its stature gives the feet's widths.
    soles : Soles
        Points of the feet.

    Returns
    -------
    Corners
    """
    return corners_at(soles.positions(posed), posed.facing, body, soles)


def corners_at(points: Array, facing: Array, body: Body, soles: Soles) -> Corners:
    """Corners of soles whose points are known.

    Parameters
    ----------
    points : array of shape (T, P, 3), metres
        World positions of the soles' points.
    facing : array of shape (T,), radians
        Where the body faces, for feet whose own direction is not known.
    body : Body
        Its stature gives the feet's widths.
    soles : Soles
        Points of the feet.

    Returns
    -------
    Corners
    """
    ahead_of_body = np.stack([np.sin(facing), 0 * facing, np.cos(facing)], axis=-1)
    places = []
    owners = []
    for i, point in enumerate(soles.points):
        own = soles.of(point.foot)
        ahead = ahead_of_body
        if len(own) > 1:
            ahead = _ground_direction(points[:, own[-1]] - points[:, own[0]], ahead_of_body)
        aside = np.stack([ahead[:, 2], 0 * facing, -ahead[:, 0]], axis=-1)
        for forward, sideways in _outline(point.part, len(own), body.height):
            places.append(points[:, i] + forward * ahead + sideways * aside)
            owners.append(i)
    own_points = [soles.points[i] for i in owners]
    feet = np.array([soles.feet.index(point.foot) for point in own_points])
    links = np.array([body.link(point.joint) for point in own_points])
    return Corners(np.stack(places, axis=1), np.array(owners), feet, links)


def _ground_direction(vectors: Array, other: Array) -> Array:
    """Horizontal unit vectors; `other` where a foot stands upright."""
    flat = vectors * [1.0, 0.0, 1.0]
    size = np.linalg.norm(flat, axis=-1, keepdims=True)
    return np.where(size > 0.02, flat / np.maximum(size, 1e-9), other)


def _outline(part: str, points_of_foot: int, height: float) -> list[tuple[float, float]]:
    """Corners of one point of a sole: ahead and to the left, metres."""
    if points_of_foot == 1:
        shape = [(-BEHIND_ANKLE, HALF_BALL), (AHEAD_OF_ANKLE, HALF_BALL)]
    elif part == "heel":
        shape = [(0.0, HALF_HEEL)]
    else:
        shape = [(0.0, HALF_BALL), (TIP_AHEAD, HALF_TIP)]
    return [(height * ahead, height * aside * s) for ahead, aside in shape for s in (1.0, -1.0)]


@dataclass(frozen=True, eq=False)
class SupportPolygons:
    """What feet stand on, frame by frame.

    Parameters
    ----------
    vertices : array of shape (T, C, 2), metres
        Corners x and z of the hull, in order; the last one repeated where there are fewer than C.
    counts : int array of shape (T,)
        How many there are; 0 in flight.
    """

    vertices: Array
    counts: Ints

    def distance(self, points: Array) -> Array:
        """How far points lie within the polygons; negative outside, NaN in flight.

        Parameters
        ----------
        points : array of shape (T, 2), metres
            On the ground, x and z.

        Returns
        -------
        array of shape (T,), metres
            To the nearest edge.
        """
        return np.where(self.counts > 0, -distance_outside(self.vertices, points), np.nan)

    def inward(self, points: Array) -> Array:
        """Unit vectors (T, 2) along which points get deeper into the polygons; 0 where none does.

        Parameters
        ----------
        points : array of shape (T, 2), metres
            On the ground, x and z.
        """
        aside = 1e-5 * np.eye(2)
        ahead = [self.distance(points + one) - self.distance(points - one) for one in aside]
        ways = np.nan_to_num(np.stack(ahead, axis=-1)) / 2e-5
        size = np.linalg.norm(ways, axis=-1, keepdims=True)
        return np.where(size > 1e-3, ways / np.maximum(size, 1e-9), 0.0)


def support_polygons(places: Array, down: Bools) -> SupportPolygons:
    """Hulls of the corners that bear weight.

    Parameters
    ----------
    places : array of shape (T, C, 3), metres
        Corners in the world.
    down : bool array of shape (T, C)
        Whether each bears weight.

    Returns
    -------
    SupportPolygons
    """
    flat = places[:, :, [0, 2]]
    vertices = np.zeros_like(flat)
    counts = np.zeros(len(flat), int)
    for t in np.flatnonzero(down.any(axis=1)):
        hull = convex_hull(flat[t, down[t]])
        counts[t] = len(hull)
        vertices[t] = hull[np.minimum(np.arange(len(down[t])), len(hull) - 1)]
    return SupportPolygons(vertices, counts)


#: The ground must carry at least this share of the weight for a zero moment point to mean anything.
LEAST_LOAD = 0.1
#: Friction between shoes and a floor, as the thesis has it.
FRICTION = 0.9
#: A zero moment point this far outside the polygon counts as inside: soles and masses are not known
#: better, metres.
TOLERANCE = 0.05


@dataclass(frozen=True, eq=False)
class Balance:
    """A motion's loads and how the ground could carry them.

    Parameters
    ----------
    body : Body
        Links with masses.
    state : BodyState
        How they move, smoothed.
    dynamics : Dynamics
        Torques and the wrench from outside.
    contacts : GroundContacts
        Which points of the soles are down.
    corners : Corners
        Of the soles.
    polygons : SupportPolygons
        What bears weight.
    zmp : array of shape (T, 2), metres
        Zero moment point x and z on the ground; NaN where the ground carries next to nothing.
    distance : array of shape (T,), metres
        From it to the nearest edge of the polygon, negative outside; NaN without either.
    friction : array of shape (T,)
        Horizontal over vertical force from the ground; NaN where it carries next to nothing.
    smoothing : Smoothing
        What was filtered.
    fps : float
        Frames per second.
    """

    body: Body
    state: BodyState
    dynamics: Dynamics
    contacts: GroundContacts
    corners: Corners
    polygons: SupportPolygons
    zmp: Array
    distance: Array
    friction: Array
    smoothing: Smoothing
    fps: float

    @property
    def weight(self) -> float:
        """Newtons."""
        return self.body.mass * GRAVITY

    @property
    def load(self) -> Array:
        """Vertical force on the body in body weights, shape (T,)."""
        return self.dynamics.wrench[:, 1] / self.weight


def analyse_balance(
    posed: PosedMotion,
    body: Body,
    smoothing: Smoothing | None = None,
    contacts: GroundContacts | None = None,
    height: Array | None = None,
) -> Balance:
    """Loads, contacts, zero moment point, support and friction of a motion.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    body : Body
        Made of the same skeleton.
    smoothing : Smoothing, optional
        Cut-offs.
    contacts : GroundContacts, optional
        Known contacts; found when not given.
    height : array of shape (T,), metres, optional
        Of what feet stand on, where the ground is not level.

    Returns
    -------
    Balance

    Raises
    ------
    InvalidInputError
        When the skeleton has no feet or no whole leg.
    """
    smoothing = smoothing or Smoothing()
    contacts = contacts or find_ground_contacts(posed)
    state = state_of(posed, body, smoothing)
    dynamics = inverse_dynamics(body, state)
    least = LEAST_LOAD * body.mass * GRAVITY
    corners = find_corners(posed, body, contacts.soles)
    polygons = support_polygons(corners.places, contacts.bearing.down[:, corners.points])
    wrench = low_pass(dynamics.wrench, posed.fps, smoothing.balance)
    zmp = zero_moment_point(wrench, contacts.ground if height is None else height, least)
    load = np.where(wrench[:, 1] > least, wrench[:, 1], np.nan)
    friction = np.hypot(wrench[:, 0], wrench[:, 2]) / load
    support = contacts, corners, polygons, zmp, polygons.distance(zmp)
    return Balance(body, state, dynamics, *support, friction, smoothing, posed.fps)


def zero_moment_point(wrench: Array, height: float | Array = 0.0, least: float = 0.0) -> Array:
    """Where on level ground a wrench has no moment about horizontal axes.

    The text's equation (6.14) leaves out the height of the point above the origin; it stands in
    here.

    Parameters
    ----------
    wrench : array of shape (T, 6), newtons and newton metres
        Force and moment about the world's origin.
    height : float or array of shape (T,), metres
        Of the ground.
    least : float, newtons
        Vertical force that there must be.

    Returns
    -------
    array of shape (T, 2), metres
        x and z; NaN where the vertical force is no more than `least`.
    """
    force = wrench[:, :3]
    moment = wrench[:, 3:]
    up = np.where(force[:, 1] > least, force[:, 1], np.nan)
    x = (moment[:, 2] + height * force[:, 0]) / up
    z = (height * force[:, 2] - moment[:, 0]) / up
    return np.stack([x, z], axis=-1)


def balanced_share(distance: Array, tolerance: float = TOLERANCE) -> float:
    """Share of the frames with support whose zero moment point lies in the polygon.

    Parameters
    ----------
    distance : array of shape (T,), metres
        Of the point from the polygon's edge, as in `Balance`.
    tolerance : float, metres
        How far outside it may lie.

    Returns
    -------
    float
        NaN where there is no support.
    """
    known = distance[np.isfinite(distance)]
    return float(np.mean(known >= -tolerance)) if len(known) else float("nan")
