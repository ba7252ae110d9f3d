"""Normal equations of markers on a tree of joints, built and solved along the tree.

A small turn ``w_a`` of node a, a vector of the world, moves a marker at x below it by
``w_a x (x - c_a)``, with ``c_a`` the node's place. For two nodes, b above a or a itself, the block
of the normal matrix is ``tr(A) I - A`` with ``A = sum w (x - c_b)(x - c_a)^T`` over the markers
below a: all blocks come from the sums of w, w x and w x x^T over what is below each node. Turns of
nodes that are not above each other do not meet, and elimination from the leaves up fills nothing in
(Featherstone 2005, Efficient factorization of the joint-space inertia matrix).

Small turns in compiled code: quaternions (w, x, y, z) and rotation vectors.
"""

from __future__ import annotations

from math import atan2, sqrt

import motionloom.rotation_kernels as rk
from motionloom.compiling import full_kernel


@full_kernel()
def turn_by(turn, vector):  # pragma: no cover - compiled
    """Turn a quaternion, in place, by a rotation vector applied after it."""
    a = rk.normalize(rk.multiply(rk.from_rotvec(vector), turn))
    turn[0], turn[1], turn[2], turn[3] = a


@full_kernel()
def way_between(before, after):  # pragma: no cover - compiled
    """Rotation vector that turns one quaternion into another, the short way."""
    return vector_of(rk.multiply(after, rk.conjugate(before)))


@full_kernel()
def vector_of(turn):  # pragma: no cover - compiled
    """Rotation vector of a quaternion, the short way."""
    s = sqrt(turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3])
    f = 2 * atan2(s, abs(turn[0])) / s if s > 1e-9 else 2.0
    f = f if turn[0] >= 0 else -f
    return f * turn[1], f * turn[2], f * turn[3]


@full_kernel()
def run_forward(rig, work, root, turns):  # pragma: no cover - compiled
    """World places and axes of all nodes and places of all markers, of a pose."""
    for k in range(len(rig.parents)):
        w, x, y, z = turns[k, 0], turns[k, 1], turns[k, 2], turns[k, 3]
        own = (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
        p = rig.parents[k]
        ox, oy, oz = rig.offsets[k, 0], rig.offsets[k, 1], rig.offsets[k, 2]
        for i in range(3):
            if p < 0:
                a, b, c = 1.0 * (i == 0), 1.0 * (i == 1), 1.0 * (i == 2)
                work.centres[k, i] = root[i]
            else:
                a, b, c = work.frames[p, i, 0], work.frames[p, i, 1], work.frames[p, i, 2]
                work.centres[k, i] = work.centres[p, i] + a * ox + b * oy + c * oz
            for j in range(3):
                work.frames[k, i, j] = a * own[0][j] + b * own[1][j] + c * own[2][j]
    for m in range(len(rig.nodes)):
        k = rig.nodes[m]
        frame = work.frames[k]
        ox, oy, oz = rig.places[m, 0], rig.places[m, 1], rig.places[m, 2]
        for i in range(3):
            work.seen[m, i] = (
                work.centres[k, i] + frame[i, 0] * ox + frame[i, 1] * oy + frame[i, 2] * oz
            )


@full_kernel()
def from_root(work, place):  # pragma: no cover - compiled
    """A world place relative to the root's."""
    root = work.centres[0]
    return place[0] - root[0], place[1] - root[1], place[2] - root[2]


@full_kernel()
def add_moments(s, w, x, y, z):  # pragma: no cover - compiled
    """Add a marker of weight w at (x, y, z): w, w x (3), w x x^T (xx yy zz xy yz zx)."""
    s[0] += w
    s[1] += w * x
    s[2] += w * y
    s[3] += w * z
    s[4] += w * x * x
    s[5] += w * y * y
    s[6] += w * z * z
    s[7] += w * x * y
    s[8] += w * y * z
    s[9] += w * z * x


@full_kernel()
def sum_moments(rig, work):  # pragma: no cover - compiled
    """Sums over the markers below every node, of places relative to the root.

    Sixteen numbers each: those of `add_moments`, w e (3), w x times e (3), with e the way from
    where the pose has a marker to where it was seen.
    """
    moments = work.moments
    moments[:] = 0.0
    for m in range(len(rig.nodes)):
        w = work.trust[m] * rig.weights[m]
        if w == 0.0:
            continue
        s = moments[rig.nodes[m]]
        place = from_root(work, work.seen[m])
        miss = rk.scale(w, work.misses[m])
        turned = rk.cross(place, miss)
        add_moments(s, w, place[0], place[1], place[2])
        for i in range(3):
            s[10 + i] += miss[i]
            s[13 + i] += turned[i]
    for k in range(len(rig.parents) - 1, 0, -1):
        p = rig.parents[k]
        moments[p] += moments[k]


@full_kernel()
def fill_block(work, a, b):  # pragma: no cover - compiled
    """Block of the turns of nodes a and b, with b above a or a itself."""
    s = work.moments[a]
    ca = from_root(work, work.centres[a])
    cb = from_root(work, work.centres[b])
    second = ((s[4], s[7], s[9]), (s[7], s[5], s[8]), (s[9], s[8], s[6]))
    h = work.matrix
    trace = 0.0
    for i in range(3):
        for j in range(3):
            part = second[i][j] - cb[i] * s[1 + j] + (s[0] * cb[i] - s[1 + i]) * ca[j]
            h[3 + 3 * a + i, 3 + 3 * b + j] = -part
            trace += part if i == j else 0.0
    for i in range(3):
        h[3 + 3 * a + i, 3 + 3 * b + i] += trace


@full_kernel()
def fill_equations(rig, work):  # pragma: no cover - compiled
    """Matrix and right side of all unknowns from the moments, without any prior."""
    h = work.matrix
    g = work.step
    s = work.moments[0]
    for i in range(3):
        for j in range(3):
            h[i, j] = s[0] if i == j else 0.0
        g[i] = s[10 + i]
    for a in range(len(rig.parents)):
        b = a
        while b >= 0:
            fill_block(work, a, b)
            b = rig.parents[b]
        s = work.moments[a]
        c = from_root(work, work.centres[a])
        x = s[1] - s[0] * c[0]
        y = s[2] - s[0] * c[1]
        z = s[3] - s[0] * c[2]
        i = 3 + 3 * a
        h[i, 0], h[i, 1], h[i, 2] = 0.0, -z, y
        h[i + 1, 0], h[i + 1, 1], h[i + 1, 2] = z, 0.0, -x
        h[i + 2, 0], h[i + 2, 1], h[i + 2, 2] = -y, x, 0.0
        lever = rk.cross(c, s[10:13])
        for j in range(3):
            g[i + j] = s[13 + j] - lever[j]


@full_kernel()
def solve_equations(above, h, g):  # pragma: no cover - compiled
    """Solve in place: factor ``h = l^T l`` along the tree, then two sweeps over `g`."""
    n = len(above)
    for k in range(n - 1, -1, -1):
        row = h[k]
        d = 1.0 / row[k] ** 0.5
        row[k] = d  # its inverse is what is needed
        i = above[k]
        while i >= 0:
            row[i] *= d
            i = above[i]
        i = above[k]
        while i >= 0:
            f = row[i]
            other = h[i]
            j = i
            while j >= 0:
                other[j] -= f * row[j]
                j = above[j]
            i = above[i]
    for k in range(n - 1, -1, -1):
        row = h[k]
        g[k] *= row[k]
        f = g[k]
        i = above[k]
        while i >= 0:
            g[i] -= f * row[i]
            i = above[i]
    for k in range(n):
        row = h[k]
        f = g[k]
        i = above[k]
        while i >= 0:
            f -= row[i] * g[i]
            i = above[i]
        g[k] = f * row[k]


@full_kernel()
def rank_of_turn(h, i, least):  # pragma: no cover - compiled
    """How many eigenvalues of the 3 x 3 block at i are above `least`, by Sylvester's inertia."""
    a = h[i, i] - least
    b = h[i + 1, i]
    c = h[i + 2, i]
    d = h[i + 1, i + 1] - least
    e = h[i + 2, i + 1]
    f = h[i + 2, i + 2] - least
    # Signs of leading minors; a zero pivot only happens at the border and is taken as below it.
    minor2 = a * d - b * b
    minor3 = f * minor2 - a * e * e + 2 * b * c * e - d * c * c
    return int(a > 0) + int(a * minor2 > 0) + int(minor2 * minor3 > 0)


@full_kernel()
def count_ranks(rig, work, lever, ranks):  # pragma: no cover - compiled
    """Directions of each node's turn that trusted markers tell; overwrites moments and matrix.

    A marker counts where it is at least half trusted, and all count alike.
    """
    moments = work.moments
    moments[:] = 0.0
    for m in range(len(rig.nodes)):
        if work.trust[m] < 0.5:
            continue
        x, y, z = from_root(work, work.seen[m])
        add_moments(moments[rig.nodes[m]], 1.0, x, y, z)
    for k in range(len(rig.parents) - 1, -1, -1):
        p = rig.parents[k]
        if p >= 0:
            moments[p] += moments[k]
        fill_block(work, k, k)
        ranks[k] = rank_of_turn(work.matrix, 3 + 3 * k, lever * lever)
