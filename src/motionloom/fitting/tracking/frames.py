"""Normal equations of many frames at once, in compiled code, for smoothing."""

from __future__ import annotations

from motionloom.compiling import full_kernel
from motionloom.fitting.tracking.normal import (
    fill_equations,
    run_forward,
    sum_moments,
    turn_by,
    vector_of,
    way_between,
)


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
        run_forward(rig, work, roots[t], turns[t])
        for m in range(len(rig.nodes)):
            work.trust[m] = looks.trust[t, m]
            for i in range(3):
                work.misses[m, i] = looks.observed[t, m, i] - work.seen[m, i]
        sum_moments(rig, work)
        fill_equations(rig, work)
        to_parents(rig, work)
        base = t * n
        for i in range(n):
            right[base + i] += work.step[i]
            j = i
            while j >= 0:
                band[i - j, base + j] += work.matrix[i, j]
                j = rig.above[j]
        for k in range(len(rig.parents)):
            x, y, z = vector_of(turns[t, k])
            at = base + 3 + 3 * k
            for i in range(3):
                rest = rig.rest_weights[k, i] * looks.holds[t, k]
                band[0, at + i] += rest
                right[at + i] -= rest * (x if i == 0 else (y if i == 1 else z))


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
    count = len(roots)
    for k in range(-1, len(rig.parents)):
        x0, y0, z0 = 0.0, 0.0, 0.0
        for t in range(count - 1):
            if k < 0:
                x = roots[t + 1, 0] - roots[t, 0]
                y = roots[t + 1, 1] - roots[t, 1]
                z = roots[t + 1, 2] - roots[t, 2]
            else:
                x, y, z = way_between(turns[t, k], turns[t + 1, k])
            at = t * n + 3 + 3 * k
            tie_speed(band, right, at, n, drags[3 + 3 * k], x, y, z)
            if t > 0:
                tie_bend(band, right, at, n, bends[3 + 3 * k], x - x0, y - y0, z - z0)
            x0, y0, z0 = x, y, z


@full_kernel()
def tie_speed(band, right, at, n, weight, x, y, z):  # pragma: no cover - compiled
    """Price of a first difference; `at` is the earlier frame's first unknown."""
    for i in range(3):
        v = x if i == 0 else (y if i == 1 else z)
        band[0, at + i] += weight
        band[0, at + n + i] += weight
        band[n, at + i] -= weight
        right[at + i] += weight * v
        right[at + n + i] -= weight * v


@full_kernel()
def tie_bend(band, right, at, n, weight, x, y, z):  # pragma: no cover - compiled
    """Price of a second difference; `at` is the middle frame's first unknown."""
    for i in range(3):
        a = x if i == 0 else (y if i == 1 else z)
        band[0, at - n + i] += weight
        band[0, at + i] += 4 * weight
        band[0, at + n + i] += weight
        band[n, at - n + i] -= 2 * weight
        band[n, at + i] -= 2 * weight
        band[2 * n, at - n + i] += weight
        right[at - n + i] -= weight * a
        right[at + i] += 2 * weight * a
        right[at + n + i] -= weight * a


@full_kernel()
def move_frames(rig, roots, turns, steps):  # pragma: no cover - compiled
    """Move all poses by the solution, in place."""
    n = len(rig.above)
    for t in range(len(roots)):
        for i in range(3):
            roots[t, i] += steps[t * n + i]
        for k in range(len(rig.parents)):
            at = t * n + 3 + 3 * k
            turn_by(turns[t, k], steps[at : at + 3])


@full_kernel()
def miss_frames(rig, work, roots, turns, observed, misses, own):  # pragma: no cover - compiled
    """Fill `misses` (T, M, 3) in the world and `own`, the same in the segments' frames."""
    for t in range(len(roots)):
        run_forward(rig, work, roots[t], turns[t])
        for m in range(len(rig.nodes)):
            f = work.frames[rig.nodes[m]]
            for i in range(3):
                misses[t, m, i] = observed[t, m, i] - work.seen[m, i]
            for i in range(3):
                own[t, m, i] = (
                    f[0, i] * misses[t, m, 0]
                    + f[1, i] * misses[t, m, 1]
                    + f[2, i] * misses[t, m, 2]
                )
