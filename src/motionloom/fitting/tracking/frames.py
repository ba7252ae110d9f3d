"""Normal equations of many frames at once, in compiled code, for smoothing."""

from __future__ import annotations

import motionloom.rotation_kernels as rk
from motionloom.compiling import full_kernel
from motionloom.fitting.tracking import normal


@full_kernel()
def gather_frames(rig, work, roots, turns, looks, band, right):  # pragma: no cover - compiled
    """Add every frame's normal equations to a banded matrix.

    Parameters
    ----------
    rig, work : Rig, Work
        As everywhere.
    roots, turns : arrays of shape (T, 3), (T, K, 4)
        The poses.
    looks : Looks
        The markers.
    band : array of shape (B, T N)
        Lower form: ``band[i - j, j]`` is entry (i, j); unknowns are in their parents' frames.
    right : array of shape (T N,)
        Right side.
    """
    n = len(rig.above)
    for t in range(len(roots)):
        normal.run_forward(rig, work, roots[t], turns[t])
        work.trust[:] = looks.trust[t]
        work.misses[:] = looks.observed[t] - work.seen
        normal.sum_moments(rig, work)
        normal.fill_equations(rig, work)
        to_parents(rig, work)
        base = t * n
        right[base : base + n] += work.step
        for i in range(n):
            j = i
            while j >= 0:
                band[i - j, base + j] += work.matrix[i, j]
                j = rig.above[j]
        for k in range(len(rig.parents)):
            vector = normal.vector_of(turns[t, k])
            at = base + 3 + 3 * k
            for i in range(3):
                rest = rig.rest_weights[k, i] * looks.holds[t, k]
                band[0, at + i] += rest
                right[at + i] -= rest * vector[i]


@full_kernel()
def to_parents(rig, work):  # pragma: no cover - compiled
    """Turn matrix and right side from the world's axes into those of each node's parent."""
    h = work.matrix
    g = work.step
    for a in range(len(rig.parents) - 1, 0, -1):
        f = work.frames[rig.parents[a]]
        i = 3 + 3 * a
        x, y, z = g[i], g[i + 1], g[i + 2]
        for c in range(3):
            g[i + c] = f[0, c] * x + f[1, c] * y + f[2, c] * z
        turn_rows(h, f, i, 0)
        b = a
        while b >= 0:
            turn_rows(h, f, i, 3 + 3 * b)
            p = rig.parents[b]
            if p >= 0:
                turn_columns(h, work.frames[p], i, 3 + 3 * b)
            b = p


@full_kernel()
def turn_rows(h, f, i, j):  # pragma: no cover - compiled
    """Multiply the 3 x 3 block at (i, j) by the transpose of `f` from the left."""
    for d in range(3):
        x, y, z = h[i, j + d], h[i + 1, j + d], h[i + 2, j + d]
        for c in range(3):
            h[i + c, j + d] = f[0, c] * x + f[1, c] * y + f[2, c] * z


@full_kernel()
def turn_columns(h, f, i, j):  # pragma: no cover - compiled
    """Multiply the 3 x 3 block at (i, j) by `f` from the right."""
    for d in range(3):
        x, y, z = h[i + d, j], h[i + d, j + 1], h[i + d, j + 2]
        for c in range(3):
            h[i + d, j + c] = f[0, c] * x + f[1, c] * y + f[2, c] * z


@full_kernel()
def tie_frames(rig, roots, turns, bends, drags, band, right):  # pragma: no cover - compiled
    """Add the price of acceleration and, much smaller, of speed, between frames.

    Parameters
    ----------
    rig : Rig
        As everywhere.
    roots, turns : arrays of shape (T, 3), (T, K, 4)
        The poses.
    bends, drags : arrays of shape (N,)
        Weight of each unknown's second and first difference.
    band, right : arrays
        As of `gather_frames`.
    """
    n = len(rig.above)
    for k in range(-1, len(rig.parents)):
        before = (0.0, 0.0, 0.0)
        for t in range(len(roots) - 1):
            if k < 0:
                step = rk.subtract(roots[t + 1], roots[t])
            else:
                step = normal.way_between(turns[t, k], turns[t + 1, k])
            at = t * n + 3 + 3 * k
            tie(band, right, at, n, (-1.0, 1.0), drags[3 + 3 * k], step)
            if t > 0:
                change = rk.subtract(step, before)
                tie(band, right, at - n, n, (1.0, -2.0, 1.0), bends[3 + 3 * k], change)
            before = step


@full_kernel()
def tie(band, right, at, n, shares, weight, difference):  # pragma: no cover - compiled
    """Price of a difference over frames: of shares of each, from the first's unknown on."""
    for a in range(len(shares)):
        for i in range(3):
            right[at + a * n + i] -= weight * shares[a] * difference[i]
            for b in range(a + 1):
                band[(a - b) * n, at + b * n + i] += weight * shares[a] * shares[b]


@full_kernel()
def move_frames(rig, roots, turns, steps):  # pragma: no cover - compiled
    """Move all poses by the solution, in place."""
    n = len(rig.above)
    for t in range(len(roots)):
        roots[t] += steps[t * n : t * n + 3]
        for k in range(len(rig.parents)):
            at = t * n + 3 + 3 * k
            normal.turn_by(turns[t, k], steps[at : at + 3])


@full_kernel()
def miss_frames(rig, work, roots, turns, observed, misses, own):  # pragma: no cover - compiled
    """Fill `misses` (T, M, 3) in the world and `own`, the same in the segments' frames."""
    for t in range(len(roots)):
        normal.run_forward(rig, work, roots[t], turns[t])
        for m in range(len(rig.nodes)):
            f = work.frames[rig.nodes[m]]
            x, y, z = rk.subtract(observed[t, m], work.seen[m])
            misses[t, m, 0], misses[t, m, 1], misses[t, m, 2] = x, y, z
            for i in range(3):
                own[t, m, i] = f[0, i] * x + f[1, i] * y + f[2, i] * z
