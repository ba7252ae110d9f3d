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

from math import atan2, cos, sin, sqrt

from motionloom.compiling import full_kernel


@full_kernel()
def turn_by(turn, x, y, z):  # pragma: no cover - compiled
    """Turn a quaternion, in place, by the rotation vector (x, y, z) applied after it."""
    angle = sqrt(x * x + y * y + z * z)
    s = sin(0.5 * angle) / angle if angle > 1e-9 else 0.5
    w, x, y, z = cos(0.5 * angle), s * x, s * y, s * z
    a, b, c, d = turn[0], turn[1], turn[2], turn[3]
    p = w * a - x * b - y * c - z * d
    q = w * b + x * a + y * d - z * c
    r = w * c - x * d + y * a + z * b
    t = w * d + x * c - y * b + z * a
    # One step of normalising: the length is 1 up to rounding.
    f = 1.5 - 0.5 * (p * p + q * q + r * r + t * t)
    turn[0], turn[1], turn[2], turn[3] = f * p, f * q, f * r, f * t


@full_kernel()
def way_between(before, after):  # pragma: no cover - compiled
    """Rotation vector that turns one quaternion into another, the short way."""
    a, b, c, d = before[0], -before[1], -before[2], -before[3]
    p, q, r, t = after[0], after[1], after[2], after[3]
    w = p * a - q * b - r * c - t * d
    x = p * b + q * a + r * d - t * c
    y = p * c - q * d + r * a + t * b
    z = p * d + q * c - r * b + t * a
    if w < 0:
        w, x, y, z = -w, -x, -y, -z
    s = sqrt(x * x + y * y + z * z)
    f = 2 * atan2(s, w) / s if s > 1e-9 else 2.0
    return f * x, f * y, f * z


@full_kernel()
def vector_of(turn):  # pragma: no cover - compiled
    """Rotation vector of a quaternion, the short way."""
    w, x, y, z = turn[0], turn[1], turn[2], turn[3]
    if w < 0:
        w, x, y, z = -w, -x, -y, -z
    s = sqrt(x * x + y * y + z * z)
    f = 2 * atan2(s, w) / s if s > 1e-9 else 2.0
    return f * x, f * y, f * z


#: Kernels are read and written in place: they return nothing and allocate nothing.


@full_kernel()
def run_forward(rig, work, root, turns):  # pragma: no cover - compiled
    """World places and axes of all nodes and places of all markers, of a pose."""
    for k in range(len(rig.parents)):
        w, x, y, z = turns[k, 0], turns[k, 1], turns[k, 2], turns[k, 3]
        m00 = 1 - 2 * (y * y + z * z)
        m01 = 2 * (x * y - w * z)
        m02 = 2 * (x * z + w * y)
        m10 = 2 * (x * y + w * z)
        m11 = 1 - 2 * (x * x + z * z)
        m12 = 2 * (y * z - w * x)
        m20 = 2 * (x * z - w * y)
        m21 = 2 * (y * z + w * x)
        m22 = 1 - 2 * (x * x + y * y)
        p = rig.parents[k]
        frame = work.frames[k]
        if p < 0:
            work.centres[k, 0] = root[0]
            work.centres[k, 1] = root[1]
            work.centres[k, 2] = root[2]
            frame[0, 0], frame[0, 1], frame[0, 2] = m00, m01, m02
            frame[1, 0], frame[1, 1], frame[1, 2] = m10, m11, m12
            frame[2, 0], frame[2, 1], frame[2, 2] = m20, m21, m22
            continue
        upper = work.frames[p]
        ox, oy, oz = rig.offsets[k, 0], rig.offsets[k, 1], rig.offsets[k, 2]
        for i in range(3):
            a, b, c = upper[i, 0], upper[i, 1], upper[i, 2]
            work.centres[k, i] = work.centres[p, i] + a * ox + b * oy + c * oz
            frame[i, 0] = a * m00 + b * m10 + c * m20
            frame[i, 1] = a * m01 + b * m11 + c * m21
            frame[i, 2] = a * m02 + b * m12 + c * m22
    for m in range(len(rig.nodes)):
        k = rig.nodes[m]
        frame = work.frames[k]
        ox, oy, oz = rig.places[m, 0], rig.places[m, 1], rig.places[m, 2]
        for i in range(3):
            work.seen[m, i] = (
                work.centres[k, i] + frame[i, 0] * ox + frame[i, 1] * oy + frame[i, 2] * oz
            )


@full_kernel()
def sum_moments(rig, work):  # pragma: no cover - compiled
    """Sums over the markers below every node, of places relative to the root.

    Sixteen numbers each: w, w x (3), w x x^T (xx yy zz xy yz zx), w e (3), w x times e (3), with e
    the way from where the pose has a marker to where it was seen.
    """
    moments = work.moments
    moments[:] = 0.0
    rx, ry, rz = work.centres[0, 0], work.centres[0, 1], work.centres[0, 2]
    for m in range(len(rig.nodes)):
        w = work.trust[m] * rig.weights[m]
        if w == 0.0:
            continue
        s = moments[rig.nodes[m]]
        x = work.seen[m, 0] - rx
        y = work.seen[m, 1] - ry
        z = work.seen[m, 2] - rz
        a = w * work.misses[m, 0]
        b = w * work.misses[m, 1]
        c = w * work.misses[m, 2]
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
        s[10] += a
        s[11] += b
        s[12] += c
        s[13] += y * c - z * b
        s[14] += z * a - x * c
        s[15] += x * b - y * a
    for k in range(len(rig.parents) - 1, 0, -1):
        p = rig.parents[k]
        for i in range(16):
            moments[p, i] += moments[k, i]


@full_kernel()
def fill_block(work, a, b):  # pragma: no cover - compiled
    """Block of the turns of nodes a and b, with b above a or a itself."""
    s = work.moments[a]
    ax = work.centres[a, 0] - work.centres[0, 0]
    ay = work.centres[a, 1] - work.centres[0, 1]
    az = work.centres[a, 2] - work.centres[0, 2]
    bx = work.centres[b, 0] - work.centres[0, 0]
    by = work.centres[b, 1] - work.centres[0, 1]
    bz = work.centres[b, 2] - work.centres[0, 2]
    # With u = w (c_b c_a^T) - ..., entry (i, j) of A: S2_ij - S1_i a_j - b_i S1_j + S0 b_i a_j.
    hx = s[0] * bx - s[1]
    hy = s[0] * by - s[2]
    hz = s[0] * bz - s[3]
    xx = s[4] - bx * s[1] + hx * ax
    xy = s[7] - bx * s[2] + hx * ay
    xz = s[9] - bx * s[3] + hx * az
    yx = s[7] - by * s[1] + hy * ax
    yy = s[5] - by * s[2] + hy * ay
    yz = s[8] - by * s[3] + hy * az
    zx = s[9] - bz * s[1] + hz * ax
    zy = s[8] - bz * s[2] + hz * ay
    zz = s[6] - bz * s[3] + hz * az
    h = work.matrix
    i = 3 + 3 * a
    j = 3 + 3 * b
    h[i, j], h[i, j + 1], h[i, j + 2] = yy + zz, -xy, -xz
    h[i + 1, j], h[i + 1, j + 1], h[i + 1, j + 2] = -yx, xx + zz, -yz
    h[i + 2, j], h[i + 2, j + 1], h[i + 2, j + 2] = -zx, -zy, xx + yy


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
        cx = work.centres[a, 0] - work.centres[0, 0]
        cy = work.centres[a, 1] - work.centres[0, 1]
        cz = work.centres[a, 2] - work.centres[0, 2]
        x = s[1] - s[0] * cx
        y = s[2] - s[0] * cy
        z = s[3] - s[0] * cz
        i = 3 + 3 * a
        h[i, 0], h[i, 1], h[i, 2] = 0.0, -z, y
        h[i + 1, 0], h[i + 1, 1], h[i + 1, 2] = z, 0.0, -x
        h[i + 2, 0], h[i + 2, 1], h[i + 2, 2] = -y, x, 0.0
        g[i] = s[13] - (cy * s[12] - cz * s[11])
        g[i + 1] = s[14] - (cz * s[10] - cx * s[12])
        g[i + 2] = s[15] - (cx * s[11] - cy * s[10])


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
    rank = 0
    if a > 0:
        rank += 1
    if a * minor2 > 0:
        rank += 1
    if minor2 * minor3 > 0:
        rank += 1
    return rank


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
        s = moments[rig.nodes[m]]
        x = work.seen[m, 0] - work.centres[0, 0]
        y = work.seen[m, 1] - work.centres[0, 1]
        z = work.seen[m, 2] - work.centres[0, 2]
        s[0] += 1.0
        s[1] += x
        s[2] += y
        s[3] += z
        s[4] += x * x
        s[5] += y * y
        s[6] += z * z
        s[7] += x * y
        s[8] += y * z
        s[9] += z * x
    for k in range(len(rig.parents) - 1, -1, -1):
        p = rig.parents[k]
        if p >= 0:
            for i in range(10):
                moments[p, i] += moments[k, i]
        fill_block(work, k, k)
        ranks[k] = rank_of_turn(work.matrix, 3 + 3 * k, lever * lever)


@full_kernel()
def tell_ranks(rig, work, lever, ranks):  # pragma: no cover - compiled
    """Ranks of the rest pose with all markers seen."""
    for k in range(len(rig.parents)):
        work.frames[k] = 0.0
        for i in range(3):
            work.frames[k, i, i] = 1.0
            p = rig.parents[k]
            work.centres[k, i] = rig.offsets[k, i] + (work.centres[p, i] if p >= 0 else 0.0)
    for m in range(len(rig.nodes)):
        work.trust[m] = 1.0
        for i in range(3):
            work.seen[m, i] = work.centres[rig.nodes[m], i] + rig.places[m, i]
    count_ranks(rig, work, lever, ranks)
