"""Inverse dynamics: the loads that move a body as it moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.physics.body import Body
from motionloom.physics.dynamics.state import BodyState
from motionloom.skeleton import frozen_array, restore_read_only
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Standard acceleration of gravity, metres per second squared.
GRAVITY = 9.80665


@dataclass(frozen=True, eq=False)
class Dynamics:
    """What a body must do to move as it does.

    Parameters
    ----------
    torques : array of shape (T, L, 3), newton metres
        At each link's joint from its parent on it, in the link's frame, with nothing touching the
        body: the whole wrench from outside stands at the first link. Once the ground's forces are
        known, `with_ground` shares them.
    forces : array of shape (T, L, 3), newtons
        At the joints, in the links' frames.
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
    forces: Array
    wrench: Array
    momentum: Array
    center: Array
    energy: Array
    power: Array
    __setstate__ = restore_read_only

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            object.__setattr__(self, name, frozen_array(getattr(self, name)))


@one_thread()
def inverse_dynamics(body: Body, state: BodyState, gravity: float = GRAVITY) -> Dynamics:
    """Joint torques and the wrench from outside, by recursive Newton-Euler in all frames.

    Parameters
    ----------
    body : Body
        Links with masses.
    state : BodyState
        How they move.
    gravity : float, metres per second squared
        Downwards along y.

    Returns
    -------
    Dynamics
    """
    from motionloom.physics.dynamics.kernels import Loads, make_work, newton_euler

    n = state.n_frames
    links = body.n_links
    loads = Loads(
        torques=np.empty((n, links, 3)),
        forces=np.empty((n, links, 3)),
        wrench=np.empty((n, 6)),
        momentum=np.empty((n, 6)),
        center=np.empty((n, 3)),
        energy=np.empty((n, 2)),
    )
    newton_euler(tree_of(body), moves_of(state), float(gravity), loads, make_work(body.n_links))
    power = np.einsum("tli,tli->tl", loads.torques, state.spins)
    power[:, 0] = 0.0
    for array in loads:
        array.setflags(write=False)
    return Dynamics(*loads, power)


def tree_of(body: Body) -> tuple[Array, ...]:
    """The links of a body as the kernels take them."""
    from motionloom.physics.dynamics.kernels import Tree

    return Tree(*(_plain(getattr(body, name)) for name in Tree._fields))


def moves_of(state: BodyState) -> tuple[Array, ...]:
    """A state as the kernels take it."""
    from motionloom.physics.dynamics.kernels import Moves

    return Moves(*(_plain(getattr(state, name)) for name in Moves._fields))


def _plain(values: Array) -> Array:
    """Contiguous and read-only, so that kernels are compiled for one kind of arrays only."""
    plain = np.ascontiguousarray(values)
    if plain.flags.writeable:
        plain = plain.view()
        plain.setflags(write=False)
    return plain
