"""Recursive Newton-Euler over frames in compiled code (Featherstone 2008; Craig 1989).

Links are joined by spherical joints; every vector of a link is in that link's own frame. Gravity is
an upward acceleration of the world.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from motionloom.compiling import kernel, part


class Tree(NamedTuple):
    """Links: parents (L,), offsets (L, 3), masses (L,), centres (L, 3), inertias (L, 3, 3)."""

    parents: np.ndarray
    offsets: np.ndarray
    masses: np.ndarray
    centers: np.ndarray
    inertias: np.ndarray


class Moves(NamedTuple):
    """State: places, velocities, accelerations (T, 3); turns (T, L, 4), spins, rates (T, L, 3)."""

    places: np.ndarray
    velocities: np.ndarray
    accelerations: np.ndarray
    turns: np.ndarray
    spins: np.ndarray
    spin_rates: np.ndarray


class Loads(NamedTuple):
    """Filled: torques and forces at the joints (T, L, 3), wrench (T, 6) in the world about its
    origin, momentum (T, 6) linear and angular about the centre of mass, centre of mass (T, 3),
    kinetic and potential energy (T, 2).
    """

    torques: np.ndarray
    forces: np.ndarray
    wrench: np.ndarray
    momentum: np.ndarray
    center: np.ndarray
    energy: np.ndarray


@part
def _matrix(q, m):  # pragma: no cover - compiled
    w, x, y, z = q[0], q[1], q[2], q[3]
    m[0, 0] = 1 - 2 * (y * y + z * z)
    m[0, 1] = 2 * (x * y - w * z)
    m[0, 2] = 2 * (x * z + w * y)
    m[1, 0] = 2 * (x * y + w * z)
    m[1, 1] = 1 - 2 * (x * x + z * z)
    m[1, 2] = 2 * (y * z - w * x)
    m[2, 0] = 2 * (x * z - w * y)
    m[2, 1] = 2 * (y * z + w * x)
    m[2, 2] = 1 - 2 * (x * x + y * y)


@part
def _turn(m, v, out):  # pragma: no cover - compiled
    a, b, c = v[0], v[1], v[2]
    for i in range(3):
        out[i] = m[i, 0] * a + m[i, 1] * b + m[i, 2] * c


@part
def _back(m, v, out):  # pragma: no cover - compiled
    a, b, c = v[0], v[1], v[2]
    for i in range(3):
        out[i] = m[0, i] * a + m[1, i] * b + m[2, i] * c


@part
def _cross(a, b, out):  # pragma: no cover - compiled
    x = a[1] * b[2] - a[2] * b[1]
    y = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]
    out[0] = x
    out[1] = y


@part
def _add_cross(a, b, out):  # pragma: no cover - compiled
    out[0] += a[1] * b[2] - a[2] * b[1]
    out[1] += a[2] * b[0] - a[0] * b[2]
    out[2] += a[0] * b[1] - a[1] * b[0]


@kernel
def newton_euler(tree, moves, gravity, loads):  # pragma: no cover - compiled
    """Fill `loads`; `gravity` is its size, downwards along y."""
    n = len(tree.parents)
    turns = np.empty((n, 3, 3))
    world = np.empty((n, 3, 3))
    place = np.empty((n, 3))
    spin = np.empty((n, 3))
    rate = np.empty((n, 3))
    speed = np.empty((n, 3))
    push = np.empty((n, 3))
    force = np.empty((n, 3))
    moment = np.empty((n, 3))
    a = np.empty(3)
    b = np.empty(3)
    c = np.empty(3)
    total = 0.0
    for j in range(n):
        total += tree.masses[j]
    for t in range(len(moves.places)):
        for k in range(3):
            loads.momentum[t, k] = 0.0
            loads.momentum[t, k + 3] = 0.0
            loads.center[t, k] = 0.0
        kinetic = 0.0
        for j in range(n):
            _matrix(moves.turns[t, j], turns[j])
            r = turns[j]
            p = tree.parents[j]
            if p < 0:
                for k in range(3):
                    place[j, k] = moves.places[t, k]
                    for i in range(3):
                        world[j, k, i] = r[k, i]
                    spin[j, k] = moves.spins[t, j, k]
                    rate[j, k] = moves.spin_rates[t, j, k]
                    a[k] = moves.accelerations[t, k]
                a[1] += gravity
                _back(r, a, push[j])
                _back(r, moves.velocities[t], speed[j])
            else:
                o = tree.offsets[j]
                _turn(world[p], o, a)
                for k in range(3):
                    place[j, k] = place[p, k] + a[k]
                    for i in range(3):
                        world[j, k, i] = (
                            world[p, k, 0] * r[0, i]
                            + world[p, k, 1] * r[1, i]
                            + world[p, k, 2] * r[2, i]
                        )
                _cross(spin[p], o, a)
                for k in range(3):
                    b[k] = speed[p, k] + a[k]
                _back(r, b, speed[j])
                for k in range(3):
                    b[k] = push[p, k]
                _add_cross(rate[p], o, b)
                _add_cross(spin[p], a, b)
                _back(r, b, push[j])
                _back(r, spin[p], a)
                _back(r, rate[p], rate[j])
                w = moves.spins[t, j]
                _add_cross(a, w, rate[j])
                for k in range(3):
                    spin[j, k] = a[k] + w[k]
                    rate[j, k] += moves.spin_rates[t, j, k]
            m = tree.masses[j]
            com = tree.centers[j]
            inertia = tree.inertias[j]
            # Force and moment that move the link, the moment about its centre of mass.
            _cross(spin[j], com, a)
            for k in range(3):
                b[k] = push[j, k]
                c[k] = speed[j, k] + a[k]
            _add_cross(rate[j], com, b)
            _add_cross(spin[j], a, b)
            _turn(inertia, spin[j], a)
            _turn(inertia, rate[j], moment[j])
            _add_cross(spin[j], a, moment[j])
            for k in range(3):
                kinetic += 0.5 * (m * c[k] * c[k] + a[k] * spin[j, k])
                force[j, k] = m * b[k]
            _add_cross(com, force[j], moment[j])
            # Momentum: a is the angular one about the centre, c the centre's velocity.
            _turn(world[j], a, b)
            _turn(world[j], c, a)
            _turn(world[j], com, c)
            for k in range(3):
                c[k] += place[j, k]
                loads.momentum[t, k] += m * a[k]
                loads.momentum[t, k + 3] += b[k]
                loads.center[t, k] += m * c[k]
                a[k] *= m
            _cross(c, a, b)
            for k in range(3):
                loads.momentum[t, k + 3] += b[k]
        for j in range(n - 1, -1, -1):
            p = tree.parents[j]
            for k in range(3):
                loads.torques[t, j, k] = moment[j, k]
                loads.forces[t, j, k] = force[j, k]
            if p >= 0:
                _turn(turns[j], force[j], a)
                _turn(turns[j], moment[j], b)
                _add_cross(tree.offsets[j], a, b)
                for k in range(3):
                    force[p, k] += a[k]
                    moment[p, k] += b[k]
        _turn(turns[0], force[0], a)
        _turn(turns[0], moment[0], b)
        _add_cross(place[0], a, b)
        for k in range(3):
            loads.wrench[t, k] = a[k]
            loads.wrench[t, k + 3] = b[k]
            loads.center[t, k] /= total
            c[k] = loads.momentum[t, k]
        _cross(loads.center[t], c, b)
        for k in range(3):
            loads.momentum[t, k + 3] -= b[k]
        loads.energy[t, 0] = kinetic
        loads.energy[t, 1] = total * gravity * loads.center[t, 1]
