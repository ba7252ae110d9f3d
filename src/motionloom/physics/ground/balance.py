"""Balance: the zero moment point against the support polygon, and how much friction is used."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.physics.body import Body
from motionloom.physics.dynamics.inverse import GRAVITY, Dynamics, inverse_dynamics
from motionloom.physics.dynamics.state import BodyState, Smoothing, low_pass, state_of
from motionloom.physics.ground.contacts import GroundContacts, find_ground_contacts
from motionloom.physics.ground.corners import Corners, find_corners
from motionloom.physics.ground.polygon import SupportPolygons, support_polygons
from motionloom.posed_motion import PosedMotion
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array, Ints

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
    __setstate__ = restore_read_only

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
    corners = find_corners(posed, body, contacts.soles)
    polygons = support_polygons(corners.places, contacts.bearing.down[:, corners.points])
    wrench = low_pass(dynamics.wrench, posed.fps, smoothing.balance)
    zmp = zero_moment_point(wrench, contacts.ground, LEAST_LOAD * body.mass * GRAVITY)
    load = np.where(wrench[:, 1] > LEAST_LOAD * body.mass * GRAVITY, wrench[:, 1], np.nan)
    return Balance(
        body=body,
        state=state,
        dynamics=dynamics,
        contacts=contacts,
        corners=corners,
        polygons=polygons,
        zmp=zmp,
        distance=polygons.distance(zmp),
        friction=np.hypot(wrench[:, 0], wrench[:, 2]) / load,
        smoothing=smoothing,
        fps=posed.fps,
    )


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


def balanced_share(balance: Balance, tolerance: float = TOLERANCE) -> float:
    """Share of the frames with support whose zero moment point lies in the polygon.

    Parameters
    ----------
    balance : Balance
        Of the motion.
    tolerance : float, metres
        How far outside it may lie.

    Returns
    -------
    float
        NaN where there is no support.
    """
    held = np.isfinite(balance.distance)
    if not held.any():
        return float("nan")
    return float(np.mean(balance.distance[held] >= -tolerance))


def support_kind(contacts: GroundContacts) -> Ints:
    """How many feet bear weight, shape (T,)."""
    feet = contacts.bearing.by_foot().values()
    return np.asarray(np.sum([down.astype(np.int64) for down in feet], axis=0), np.int64)
