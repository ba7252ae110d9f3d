"""Derivatives of recursive Newton-Euler in compiled code: one forward pass per direction.

A direction turns a joint by a small vector in its link's frame, or changes its angular velocity or
its rate (Carpentier & Mansard 2018 do the same for joints of any kind).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.compiling import kernel, part
from motionloom.physics.dynamics.kernels import (
    _add_cross,
    _back,
    _cross,
    _turn,
    hand_up,
    move_links,
)


class Change(NamedTuple):
    """How loads change along a direction: spin, rate, push, force, moment (L, 3); three vectors."""

    spin: np.ndarray
    rate: np.ndarray
    push: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    e: np.ndarray
    spin_back: np.ndarray
    rate_back: np.ndarray


@part
def _carry(tree, moves, t, j, work, change):  # pragma: no cover - compiled
    """Fill how a link's movement changes because its parent's does."""
    a = work.a
    b = work.b
    r = work.turns[j]
    p = tree.parents[j]
    o = tree.offsets[j]
    for k in range(3):
        b[k] = change.push[p, k]
    _add_cross(change.rate[p], o, b)
    _cross(work.spin[p], o, a)
    _add_cross(change.spin[p], a, b)
    _cross(change.spin[p], o, a)
    _add_cross(work.spin[p], a, b)
    _back(r, b, change.push[j])
    _back(r, change.spin[p], change.spin[j])
    _back(r, change.rate[p], change.rate[j])
    _add_cross(change.spin[j], moves.spins[t, j], change.rate[j])


@part
def _begin(tree, moves, t, j, kind, work, change):  # pragma: no cover - compiled
    """Fill how a link's movement changes because its own joint turns, or (kind 3) because
    it is accelerated.
    """
    e = change.e
    p = tree.parents[j]
    for k in range(3):
        change.spin[j, k] = 0.0
        change.rate[j, k] = 0.0
        change.push[j, k] = 0.0
        change.spin_back[k] = 0.0
        change.rate_back[k] = 0.0
    if p >= 0:
        _back(work.turns[j], work.spin[p], change.spin_back)
        _back(work.turns[j], work.rate[p], change.rate_back)
    if kind == 0:
        _cross(work.push[j], e, change.push[j])
        _cross(change.spin_back, e, change.spin[j])
        _cross(change.rate_back, e, change.rate[j])
        _add_cross(change.spin[j], moves.spins[t, j], change.rate[j])
    elif kind == 1:
        for k in range(3):
            change.spin[j, k] = e[k]
        _cross(change.spin_back, e, change.rate[j])
    elif kind == 2:
        for k in range(3):
            change.rate[j, k] = e[k]
    else:
        _back(work.turns[j], e, change.push[j])


@part
def _change_loads(tree, j, work, change):  # pragma: no cover - compiled
    """Fill how the force that moves a link changes, and its moment about the link's joint."""
    a = work.a
    b = work.b
    com = tree.centers[j]
    inertia = tree.inertias[j]
    for k in range(3):
        b[k] = change.push[j, k]
    _add_cross(change.rate[j], com, b)
    _cross(work.spin[j], com, a)
    _add_cross(change.spin[j], a, b)
    _cross(change.spin[j], com, a)
    _add_cross(work.spin[j], a, b)
    _turn(inertia, change.rate[j], change.moment[j])
    _turn(inertia, work.spin[j], a)
    _add_cross(change.spin[j], a, change.moment[j])
    _turn(inertia, change.spin[j], a)
    _add_cross(work.spin[j], a, change.moment[j])
    for k in range(3):
        change.force[j, k] = tree.masses[j] * b[k]
    _add_cross(com, change.force[j], change.moment[j])


@part
def _hand_up(tree, j0, turned, below, work, change, torques, wrench):  # pragma: no cover - compiled
    """Add changes to those of the parents; `turned` says that the pose of link j0 changes."""
    a = work.a
    b = work.b
    c = work.c
    e = change.e
    for j in range(len(tree.parents) - 1, -1, -1):
        if not (below[j0, j] or below[j, j0]):
            continue
        for k in range(3):
            torques[j, k] = change.moment[j, k]
            a[k] = change.force[j, k]
            b[k] = change.moment[j, k]
        if j == j0 and turned:
            _add_cross(e, work.force[j], a)
            _add_cross(e, work.moment[j], b)
        _turn(work.turns[j], a, c)
        _turn(work.turns[j], b, a)
        p = tree.parents[j]
        _add_cross(tree.offsets[j] if p >= 0 else work.place[0], c, a)
        for k in range(3):
            if p >= 0:
                change.force[p, k] += c[k]
                change.moment[p, k] += a[k]
            else:
                wrench[k] = c[k]
                wrench[k + 3] = a[k]


@part
def _moved(work, change, wrench):  # pragma: no cover - compiled
    """How the wrench about the origin changes when the whole body is moved along a direction."""
    _turn(work.turns[0], work.force[0], work.a)
    _cross(change.e, work.a, work.b)
    for k in range(3):
        wrench[k + 3] = work.b[k]


@part
def _one_direction(
    tree, moves, where, links, work, change, torques, wrench
):  # pragma: no cover - compiled
    """Fill derivatives of one frame along one direction."""
    t, kind, d = where
    active, below = links
    moved = d < 3
    j0 = 0 if moved else active[d // 3 - 1]
    for k in range(3):
        change.e[k] = 1.0 if k == d % 3 else 0.0
    torques[:] = 0.0
    wrench[:] = 0.0
    if moved and kind < 2:
        if kind == 0:
            _moved(work, change, wrench)
        return
    change.force[:] = 0.0
    change.moment[:] = 0.0
    for j in range(j0, len(tree.parents)):
        if not below[j0, j]:
            continue
        if j > j0:
            _carry(tree, moves, t, j, work, change)
        else:
            _begin(tree, moves, t, j, 3 if moved else kind, work, change)
        _change_loads(tree, j, work, change)
    turned = kind == 0 and not moved
    _hand_up(tree, j0, turned, below, work, change, torques, wrench)


@kernel
def tangents(tree, moves, gravity, active, below, out, work):  # pragma: no cover - compiled
    """Fill `out`, derivatives of torques (T, 3, D, L, 3) and wrench (T, 3, D, 6).

    The second axis is what changes: pose, velocity, acceleration. Directions: three moves of the
    first link in the world, then three turns of every link of `active`; ``below[i, j]`` tells
    whether link j hangs on link i. The wrench is about the world's origin.
    """
    torques, wrench = out
    n = len(tree.parents)
    change = Change(
        np.zeros((n, 3)),
        np.zeros((n, 3)),
        np.zeros((n, 3)),
        np.zeros((n, 3)),
        np.zeros((n, 3)),
        np.zeros(3),
        np.zeros(3),
        np.zeros(3),
    )
    for t in range(len(moves.places)):
        move_links(tree, moves, t, gravity, work)
        hand_up(tree, work)
        for kind in range(3):
            for d in range(3 + 3 * len(active)):
                _one_direction(
                    tree,
                    moves,
                    (t, kind, d),
                    (active, below),
                    work,
                    change,
                    torques[t, kind, d],
                    wrench[t, kind, d],
                )
