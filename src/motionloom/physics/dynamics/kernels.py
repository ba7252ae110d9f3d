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


class Work(NamedTuple):
    """Of every link in one frame: turns and world turns (L, 3, 3); place in the world; in its own
    frame spin, rate, speed and push (acceleration), force and moment (L, 3); three vectors.
    """

    turns: np.ndarray
    world: np.ndarray
    place: np.ndarray
    spin: np.ndarray
    rate: np.ndarray
    speed: np.ndarray
    push: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    a: np.ndarray
    b: np.ndarray
    c: np.ndarray


def make_work(n: int) -> Work:
    """Make room for the work on `n` links."""
    rows = [np.empty((n, 3, 3)) for _ in range(2)] + [np.empty((n, 3)) for _ in range(7)]
    return Work(*rows, *(np.empty(3) for _ in range(3)))


@part
def root_moves(moves, t, gravity, work):  # pragma: no cover - compiled
    """Fill how the first link moves."""
    r = work.turns[0]
    for k in range(3):
        work.place[0, k] = moves.places[t, k]
        for i in range(3):
            work.world[0, k, i] = r[k, i]
        work.spin[0, k] = moves.spins[t, 0, k]
        work.rate[0, k] = moves.spin_rates[t, 0, k]
        work.a[k] = moves.accelerations[t, k]
    work.a[1] += gravity
    _back(r, work.a, work.push[0])
    _back(r, moves.velocities[t], work.speed[0])


@part
def link_moves(tree, moves, t, j, work):  # pragma: no cover - compiled
    """Fill how another link moves, from how its parent does."""
    a = work.a
    b = work.b
    r = work.turns[j]
    p = tree.parents[j]
    o = tree.offsets[j]
    w = moves.spins[t, j]
    _turn(work.world[p], o, a)
    for k in range(3):
        work.place[j, k] = work.place[p, k] + a[k]
        for i in range(3):
            work.world[j, k, i] = (
                work.world[p, k, 0] * r[0, i]
                + work.world[p, k, 1] * r[1, i]
                + work.world[p, k, 2] * r[2, i]
            )
    _cross(work.spin[p], o, a)
    for k in range(3):
        b[k] = work.speed[p, k] + a[k]
    _back(r, b, work.speed[j])
    for k in range(3):
        b[k] = work.push[p, k]
    _add_cross(work.rate[p], o, b)
    _add_cross(work.spin[p], a, b)
    _back(r, b, work.push[j])
    _back(r, work.spin[p], a)
    _back(r, work.rate[p], work.rate[j])
    _add_cross(a, w, work.rate[j])
    for k in range(3):
        work.spin[j, k] = a[k] + w[k]
        work.rate[j, k] += moves.spin_rates[t, j, k]


@part
def link_loads(tree, j, work):  # pragma: no cover - compiled
    """Fill the force that moves a link, and its moment about the link's joint."""
    a = work.a
    b = work.b
    com = tree.centers[j]
    for k in range(3):
        b[k] = work.push[j, k]
    _cross(work.spin[j], com, a)
    _add_cross(work.rate[j], com, b)
    _add_cross(work.spin[j], a, b)
    _turn(tree.inertias[j], work.spin[j], a)
    _turn(tree.inertias[j], work.rate[j], work.moment[j])
    _add_cross(work.spin[j], a, work.moment[j])
    for k in range(3):
        work.force[j, k] = tree.masses[j] * b[k]
    _add_cross(com, work.force[j], work.moment[j])


@part
def hand_up(tree, work):  # pragma: no cover - compiled
    """Add the loads of every link to those of its parent."""
    a = work.a
    b = work.b
    for j in range(len(tree.parents) - 1, 0, -1):
        p = tree.parents[j]
        _turn(work.turns[j], work.force[j], a)
        _turn(work.turns[j], work.moment[j], b)
        _add_cross(tree.offsets[j], a, b)
        for k in range(3):
            work.force[p, k] += a[k]
            work.moment[p, k] += b[k]


@part
def add_momentum(tree, j, work, momentum, center):  # pragma: no cover - compiled
    """Add a link's momentum about the origin and its share of the centre; give kinetic energy."""
    a = work.a
    b = work.b
    c = work.c
    m = tree.masses[j]
    kinetic = 0.0
    _cross(work.spin[j], tree.centers[j], c)
    for k in range(3):
        c[k] += work.speed[j, k]
    _turn(tree.inertias[j], work.spin[j], a)
    for k in range(3):
        kinetic += 0.5 * (m * c[k] * c[k] + a[k] * work.spin[j, k])
    _turn(work.world[j], a, b)
    _turn(work.world[j], c, a)
    _turn(work.world[j], tree.centers[j], c)
    for k in range(3):
        a[k] *= m
        c[k] += work.place[j, k]
        momentum[k] += a[k]
        momentum[k + 3] += b[k]
        center[k] += m * c[k]
    _cross(c, a, b)
    for k in range(3):
        momentum[k + 3] += b[k]
    return kinetic


@part
def move_links(tree, moves, t, gravity, work):  # pragma: no cover - compiled
    """Fill how every link moves in frame `t`, and what moves it."""
    for j in range(len(tree.parents)):
        _matrix(moves.turns[t, j], work.turns[j])
        if j == 0:
            root_moves(moves, t, gravity, work)
        else:
            link_moves(tree, moves, t, j, work)
        link_loads(tree, j, work)


@kernel
def newton_euler(tree, moves, gravity, loads, work):  # pragma: no cover - compiled
    """Fill `loads`; `gravity` is its size, downwards along y; `work` is room to work in."""
    total = tree.masses.sum()
    for t in range(len(moves.places)):
        momentum = loads.momentum[t]
        center = loads.center[t]
        momentum[:] = 0.0
        center[:] = 0.0
        kinetic = 0.0
        move_links(tree, moves, t, gravity, work)
        for j in range(len(tree.parents)):
            kinetic += add_momentum(tree, j, work, momentum, center)
        hand_up(tree, work)
        loads.torques[t] = work.moment
        loads.forces[t] = work.force
        _turn(work.turns[0], work.force[0], work.a)
        _turn(work.turns[0], work.moment[0], work.b)
        _add_cross(work.place[0], work.a, work.b)
        for k in range(3):
            loads.wrench[t, k] = work.a[k]
            loads.wrench[t, k + 3] = work.b[k]
            center[k] /= total
            work.c[k] = momentum[k]
        _cross(center, work.c, work.b)
        for k in range(3):
            momentum[k + 3] -= work.b[k]
        loads.energy[t, 0] = kinetic
        loads.energy[t, 1] = total * gravity * center[1]
