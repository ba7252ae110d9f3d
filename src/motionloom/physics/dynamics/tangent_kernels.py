"""Derivatives of recursive Newton-Euler in compiled code: one forward pass per direction.

A direction turns a joint by a small vector in its link's frame, or changes its angular velocity or
its rate (Carpentier & Mansard 2018 do the same for joints of any kind).
"""

from __future__ import annotations

import numpy as np

from motionloom.compiling import kernel, part
from motionloom.physics.dynamics.kernels import _add_cross, _back, _cross, _matrix, _turn


@part
def _forward(tree, moves, t, gravity, links):  # pragma: no cover - compiled
    """Fill matrices, spins, rates, accelerations, forces and moments of one frame."""
    turns, spin, rate, push, force, moment, a, b = links
    for j in range(len(tree.parents)):
        _matrix(moves.turns[t, j], turns[j])
        r = turns[j]
        p = tree.parents[j]
        w = moves.spins[t, j]
        if p < 0:
            for k in range(3):
                spin[j, k] = w[k]
                rate[j, k] = moves.spin_rates[t, j, k]
                a[k] = moves.accelerations[t, k]
            a[1] += gravity
            _back(r, a, push[j])
        else:
            o = tree.offsets[j]
            for k in range(3):
                b[k] = push[p, k]
            _add_cross(rate[p], o, b)
            _cross(spin[p], o, a)
            _add_cross(spin[p], a, b)
            _back(r, b, push[j])
            _back(r, spin[p], a)
            _back(r, rate[p], rate[j])
            _add_cross(a, w, rate[j])
            for k in range(3):
                spin[j, k] = a[k] + w[k]
                rate[j, k] += moves.spin_rates[t, j, k]
        com = tree.centers[j]
        for k in range(3):
            b[k] = push[j, k]
        _cross(spin[j], com, a)
        _add_cross(rate[j], com, b)
        _add_cross(spin[j], a, b)
        _turn(tree.inertias[j], spin[j], a)
        _turn(tree.inertias[j], rate[j], moment[j])
        _add_cross(spin[j], a, moment[j])
        for k in range(3):
            force[j, k] = tree.masses[j] * b[k]
        _add_cross(com, force[j], moment[j])
    for j in range(len(tree.parents) - 1, 0, -1):
        p = tree.parents[j]
        _turn(turns[j], force[j], a)
        _turn(turns[j], moment[j], b)
        _add_cross(tree.offsets[j], a, b)
        for k in range(3):
            force[p, k] += a[k]
            moment[p, k] += b[k]


@kernel
def tangents(
    tree, moves, gravity, active, below, torques, wrench
):  # pragma: no cover - compiled
    """Fill derivatives of torques (T, 3, D, L, 3) and wrench (T, 3, D, 6).

    The second axis is what changes: pose, velocity, acceleration. Directions: three moves of the
    first link in the world, then three turns of every link of `active`; ``below[i, j]`` tells
    whether link j hangs on link i. The wrench is about the world's origin.
    """
    n = len(tree.parents)
    turns = np.empty((n, 3, 3))
    spin = np.empty((n, 3))
    rate = np.empty((n, 3))
    push = np.empty((n, 3))
    force = np.empty((n, 3))
    moment = np.empty((n, 3))
    dspin = np.zeros((n, 3))
    drate = np.zeros((n, 3))
    dpush = np.zeros((n, 3))
    dforce = np.zeros((n, 3))
    dmoment = np.zeros((n, 3))
    a = np.empty(3)
    b = np.empty(3)
    c = np.empty(3)
    e = np.zeros(3)
    back_spin = np.empty(3)
    back_rate = np.empty(3)
    dback = np.empty(3)
    total = 0.0
    for j in range(n):
        total += tree.masses[j]
    for t in range(len(moves.places)):
        links = (turns, spin, rate, push, force, moment, a, b)
        _forward(tree, moves, t, gravity, links)
        place = moves.places[t]
        for kind in range(3):
            for d in range(3 + 3 * len(active)):
                axis = d % 3
                j0 = 0 if d < 3 else active[d // 3 - 1]
                moved = d < 3
                for j in range(n):
                    for k in range(3):
                        dforce[j, k] = 0.0
                        dmoment[j, k] = 0.0
                        dspin[j, k] = 0.0
                        drate[j, k] = 0.0
                        dpush[j, k] = 0.0
                if not (moved and kind < 2):
                    for k in range(3):
                        e[k] = 1.0 if k == axis else 0.0
                    for j in range(j0, n):
                        if not below[j0, j]:
                            continue
                        r = turns[j]
                        p = tree.parents[j]
                        w = moves.spins[t, j]
                        if p < 0:
                            for k in range(3):
                                back_spin[k] = 0.0
                                back_rate[k] = 0.0
                            if moved:
                                _back(r, e, dpush[j])
                            elif kind == 0:
                                _cross(push[j], e, dpush[j])
                        else:
                            _back(r, spin[p], back_spin)
                            _back(r, rate[p], back_rate)
                            o = tree.offsets[j]
                            for k in range(3):
                                b[k] = dpush[p, k]
                            _add_cross(drate[p], o, b)
                            _cross(spin[p], o, a)
                            _add_cross(dspin[p], a, b)
                            _cross(dspin[p], o, a)
                            _add_cross(spin[p], a, b)
                            _back(r, b, dpush[j])
                            _back(r, dspin[p], dback)
                            _back(r, drate[p], drate[j])
                            if j == j0 and kind == 0 and not moved:
                                _add_cross(push[j], e, dpush[j])
                                _add_cross(back_spin, e, dback)
                                _add_cross(back_rate, e, drate[j])
                            _add_cross(dback, w, drate[j])
                            for k in range(3):
                                dspin[j, k] = dback[k]
                        if j == j0 and not moved:
                            if kind == 1:
                                for k in range(3):
                                    dspin[j, k] += e[k]
                                _add_cross(back_spin, e, drate[j])
                            elif kind == 2:
                                for k in range(3):
                                    drate[j, k] += e[k]
                        com = tree.centers[j]
                        inertia = tree.inertias[j]
                        for k in range(3):
                            b[k] = dpush[j, k]
                        _add_cross(drate[j], com, b)
                        _cross(spin[j], com, a)
                        _add_cross(dspin[j], a, b)
                        _cross(dspin[j], com, a)
                        _add_cross(spin[j], a, b)
                        _turn(inertia, drate[j], dmoment[j])
                        _turn(inertia, spin[j], a)
                        _add_cross(dspin[j], a, dmoment[j])
                        _turn(inertia, dspin[j], a)
                        _add_cross(spin[j], a, dmoment[j])
                        for k in range(3):
                            dforce[j, k] = tree.masses[j] * b[k]
                        _add_cross(com, dforce[j], dmoment[j])
                    for j in range(n - 1, -1, -1):
                        if not (below[j0, j] or below[j, j0]):
                            for k in range(3):
                                torques[t, kind, d, j, k] = 0.0
                            continue
                        for k in range(3):
                            torques[t, kind, d, j, k] = dmoment[j, k]
                            a[k] = dforce[j, k]
                            b[k] = dmoment[j, k]
                        if j == j0 and kind == 0 and not moved:
                            _add_cross(e, force[j], a)
                            _add_cross(e, moment[j], b)
                        _turn(turns[j], a, c)
                        _turn(turns[j], b, a)
                        p = tree.parents[j]
                        if p >= 0:
                            _add_cross(tree.offsets[j], c, a)
                            for k in range(3):
                                dforce[p, k] += c[k]
                                dmoment[p, k] += a[k]
                        else:
                            _add_cross(place, c, a)
                            for k in range(3):
                                wrench[t, kind, d, k] = c[k]
                                wrench[t, kind, d, k + 3] = a[k]
                else:
                    for j in range(n):
                        for k in range(3):
                            torques[t, kind, d, j, k] = 0.0
                    for k in range(6):
                        wrench[t, kind, d, k] = 0.0
                    if kind == 0:
                        _turn(turns[0], force[0], a)
                        for k in range(3):
                            e[k] = 1.0 if k == axis else 0.0
                        _cross(e, a, b)
                        for k in range(3):
                            wrench[t, kind, d, k + 3] = b[k]
