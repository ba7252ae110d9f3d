"""How torques and the wrench from outside change with poses, velocities and accelerations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.physics.body import Body
from motionloom.physics.dynamics.inverse import GRAVITY, moves_of, tree_of
from motionloom.physics.dynamics.state import BodyState
from motionloom.typing import Array, Bools


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


def differentiate_dynamics(
    body: Body,
    state: BodyState,
    active: Sequence[int] | None = None,
    gravity: float = GRAVITY,
) -> Derivatives:
    """Derivatives of `inverse_dynamics`.

    Parameters
    ----------
    body : Body
        Links with masses.
    state : BodyState
        How they move.
    active : sequence of int, optional
        Links that may turn; all when not given.
    gravity : float, metres per second squared
        Downwards along y.

    Returns
    -------
    Derivatives
        D is 3 and three times the number of active links.
    """
    from motionloom.physics.dynamics.kernels import make_work
    from motionloom.physics.dynamics.tangent_kernels import tangents

    links = np.arange(body.n_links) if active is None else np.asarray(active, int)
    directions = 3 + 3 * len(links)
    torques = np.empty((state.n_frames, 3, directions, body.n_links, 3))
    wrench = np.empty((state.n_frames, 3, directions, 6))
    tangents(
        tree_of(body),
        moves_of(state),
        float(gravity),
        links,
        hanging_on(body),
        (torques, wrench),
        make_work(body.n_links),
    )
    return Derivatives(torques, wrench)
