"""Inverse dynamics: the loads that move a body as it moves, and how they change with its movement.

Twists (angular and linear velocity) and wrenches (moment and force) are taken about the world's
origin, where those of all links may be added (Featherstone 2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.kinematics import tree_kinematics
from motionloom.physics.body import Body
from motionloom.physics.dynamics.state import BodyState
from motionloom.threads import one_thread
from motionloom.two_bones import cross
from motionloom.typing import Array, Bools, Ints

#: Standard acceleration of gravity, metres per second squared.
GRAVITY = 9.80665
_UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class Dynamics:
    """What a body must do to move as it does.

    Parameters
    ----------
    torques : array of shape (T, L, 3), newton metres
        At each link's joint from its parent on it, in the link's frame, with nothing touching the
        body: the whole wrench from outside stands at the first link. Once the ground's forces are
        known, `share_forces` takes them off.
    wrench : array of shape (T, 6), newtons and newton metres
        Force and moment from outside (all but gravity) in the world, about the world's origin.
    momentum : array of shape (T, 6)
        Linear (newton seconds), and angular about the centre of mass (newton metre seconds).
    center : array of shape (T, 3), metres
        Centre of mass.
    energy : array of shape (T, 2), joules
        Kinetic and potential (above height 0).
    power : array of shape (T, L), watts
        Of the torques at the joints; of the first link 0.
    """

    torques: Array
    wrench: Array
    momentum: Array
    center: Array
    energy: Array
    power: Array


@dataclass(frozen=True, eq=False)
class Derivatives:
    """Derivatives in D directions: three moves of the first link in the world (metres), then three
    turns of each active link about its own axes (radians).

    The second axis of the arrays says what changes along a direction: 0 the pose, 1 the velocity
    and 2 the acceleration, each with the others held.

    Parameters
    ----------
    torques : array of shape (T, 3, D, L, 3)
        Of the joints' torques in the links' frames.
    wrench : array of shape (T, 3, D, 6)
        Of force and moment from outside, in the world about its origin.
    """

    torques: Array
    wrench: Array


def hanging_on(body: Body) -> Bools:
    """Whether link j hangs on link i or is it, shape (L, L)."""
    below = np.eye(body.n_links, dtype=bool)
    for link in range(1, body.n_links):
        below[:, link] |= below[:, body.parents[link]]
    return below


class _Movement:
    """Twists of the links, their rates, momenta, and the loads that move each of them with all that
    hangs on it, arrays of shape (T, L, 6).
    """

    def __init__(self, body: Body, state: BodyState) -> None:
        self.masses = body.masses[:, None, None]
        self.below = hanging_on(body).astype(float)
        self.world = tree_kinematics(body.parents, body.offsets, state.places, state.turns)
        turns = rot.to_matrix(self.world.rotations)
        axes = np.swapaxes(turns, -1, -2)
        self.centers = self.world.positions + rot.rotate(self.world.rotations, body.centers)
        self.inertias = turns @ body.inertias @ axes
        # Twists of turns about the axes of each link, at its joint, (T, L, 3, 6).
        self.screws = np.concatenate([axes, cross(self.world.positions[:, :, None], axes)], axis=-1)
        # What each joint adds to the twist of its parent and to its rate.
        self.own_twists = np.einsum("tlk,tlki->tli", state.spins, self.screws)
        self.twists = self._summed(self.own_twists, state.velocities)
        self.own_rates = np.einsum("tlk,tlki->tli", state.spin_rates, self.screws)
        self.own_rates += _cross(self.twists, self.own_twists)
        self.rates = self._summed(self.own_rates, state.accelerations + GRAVITY * _UP)
        both = np.stack([self.twists, self.rates], axis=2)
        self.momenta, pushes = np.moveaxis(self.momenta_of(both), 2, 0)
        self.loads = self.below @ (pushes + _cross_wrench(self.twists, self.momenta))

    def _summed(self, own: Array, linear: Array) -> Array:
        """Sums from the first link down, which has linear ones (T, 3) besides."""
        total = self.below.T @ own
        total[..., 3:] += linear[:, None]
        return np.asarray(total)

    def momenta_of(self, twists: Array) -> Array:
        """Momenta (T, L, K, 6) that links have with twists of that shape."""
        centers = self.centers[:, :, None]
        linear = self.masses * (twists[..., 3:] + cross(twists[..., :3], centers))
        angular = twists[..., :3] @ self.inertias + cross(centers, linear)
        return np.concatenate([angular, linear], axis=-1)

    def composites(self) -> tuple[Array, Array]:
        """Matrices (T, L, 6, 6) of each link with all that hangs on it: from rates, and from
        twists that all of it has besides, to changes of its loads.
        """
        basis = np.eye(6)
        twists = self.twists[:, :, None]
        inertias = self.momenta_of(np.broadcast_to(basis, (*self.twists.shape[:2], 6, 6)))
        drags = self.momenta_of(_cross(basis, twists)) + _cross_wrench(twists, inertias)
        drags += _cross_wrench(basis, self.momenta[:, :, None])
        inertias = np.einsum("lm,tmij->tlij", self.below, inertias)
        return inertias, np.einsum("lm,tmij->tlij", self.below, drags)


def _cross(a: Array, b: Array) -> Array:
    """Rates of twists b (..., 6) that are carried along with twists a."""
    linear = cross(a[..., :3], b[..., 3:]) + cross(a[..., 3:], b[..., :3])
    return np.concatenate([cross(a[..., :3], b[..., :3]), linear], axis=-1)


def _cross_wrench(a: Array, b: Array) -> Array:
    """Rates of wrenches or momenta b (..., 6) that are carried along with twists a."""
    moment = cross(a[..., :3], b[..., :3]) + cross(a[..., 3:], b[..., 3:])
    return np.concatenate([moment, cross(a[..., :3], b[..., 3:])], axis=-1)


@one_thread()
def inverse_dynamics(body: Body, state: BodyState) -> Dynamics:
    """Joint torques and the wrench from outside, by Newton and Euler's equations in all frames.

    Parameters
    ----------
    body : Body
        Links with masses.
    state : BodyState
        How they move.

    Returns
    -------
    Dynamics
    """
    moved = _Movement(body, state)
    torques = np.einsum("tlki,tli->tlk", moved.screws, moved.loads)
    power = np.einsum("tli,tli->tl", torques, state.spins)
    power[:, 0] = 0.0
    center = np.average(moved.centers, axis=1, weights=body.masses)
    momentum = np.roll(moved.momenta.sum(axis=1), 3, axis=-1)
    momentum[:, 3:] -= cross(center, momentum[:, :3])
    kinetic = 0.5 * np.sum(moved.twists * moved.momenta, axis=(1, 2))
    energy = np.stack([kinetic, GRAVITY * body.masses.sum() * center[:, 1]], axis=-1)
    wrench = np.roll(moved.loads[:, 0], 3, axis=-1)
    return Dynamics(torques, wrench, momentum, center, energy, power)


@one_thread()
def differentiate_dynamics(
    body: Body, state: BodyState, active: Sequence[int], with_torques: bool = True
) -> Derivatives:
    """Derivatives of `inverse_dynamics` (after Carpentier & Mansard 2018).

    Parameters
    ----------
    body : Body
        Links with masses.
    state : BodyState
        How they move.
    active : sequence of int
        Links that may turn.
    with_torques : bool
        Whether derivatives of torques are wanted, too; else they are of no link.

    Returns
    -------
    Derivatives
        D is 3 and three times the number of active links.
    """
    moved = _Movement(body, state)
    at = np.array([0, *active])
    screws = moved.screws[:, at]
    screws[:, 0] = np.eye(6)[3:]
    carried = _cross_wrench(screws, moved.loads[:, at, None])
    twists, rates = _change_below(moved, at, screws)
    inertias, drags = moved.composites()
    wrench = twists @ drags[:, None, at] + rates @ inertias[:, None, at]
    wrench[:, 0] += carried
    torques = np.zeros((*wrench.shape[:4], body.n_links if with_torques else 0, 3))
    below = moved.below.astype(bool)
    for link in range(torques.shape[4]):
        # Of two links of which one hangs on the other, what hangs on both is on the lower one.
        lower = np.where(below[link, at], at, link)
        change = twists @ drags[:, None, lower] + rates @ inertias[:, None, lower]
        change[:, 0] += (below[link, at] & (at != link))[:, None, None] * carried
        related = (below[link, at] | below[at, link])[:, None, None]
        axes = moved.screws[:, None, None, link].swapaxes(-1, -2)
        torques[..., link, :] = related * change @ axes
    shape = (state.n_frames, 3, 3 * len(at))
    return Derivatives(
        torques.reshape(*shape, *torques.shape[4:]), np.roll(wrench, 3, axis=-1).reshape(*shape, 6)
    )


def _change_below(moved: _Movement, at: Ints, screws: Array) -> tuple[Array, Array]:
    """Twists and rates, (T, 3, A, 3, 6), that all below joints has besides when a joint's pose,
    velocity or acceleration changes along its screws (T, A, 3, 6), not carried along with it.
    """
    # The first moves the first link, before anything turns.
    turns = (np.arange(len(at)) > 0)[:, None, None]
    here = turns * moved.twists[:, at, None]
    above = turns * (moved.twists - moved.own_twists)[:, at, None]
    pushed = turns * (moved.rates - moved.own_rates)[:, at, None]
    left = -_cross(screws, above)
    posed = -_cross(screws, pushed) - _cross(left, above)
    twists = np.stack([left, screws, np.zeros_like(screws)], axis=1)
    return twists, np.stack([posed, -_cross(screws, here + above), screws], axis=1)
