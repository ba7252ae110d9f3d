"""Hulls and distances in compiled code."""

from __future__ import annotations

import numpy as np

from motionloom.compiling import kernel, part


@part
def _turn(a, b, c):  # pragma: no cover - compiled
    """Twice the area of a triangle, positive counterclockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


@part
def _sort(points, down, order):  # pragma: no cover - compiled
    """Fill indices of the points that are down, by x, then by z; give their number."""
    n = 0
    for c in range(len(points)):
        if not down[c]:
            continue
        k = n
        while k > 0:
            o = order[k - 1]
            x = points[o, 0] - points[c, 0]
            if x < 0 or (x == 0 and points[o, 1] <= points[c, 1]):
                break
            order[k] = o
            k -= 1
        order[k] = c
        n += 1
    return n


@part
def _push(stack, size, least, point):  # pragma: no cover - compiled
    """Put a point on a chain that turns left, which keeps `least` points; give its length."""
    while size > least and _turn(stack[size - 2], stack[size - 1], point) <= 0:
        size -= 1
    stack[size, 0] = point[0]
    stack[size, 1] = point[1]
    return size + 1


@kernel
def hulls(points, down, vertices, counts):  # pragma: no cover - compiled
    """Fill the convex hulls of the points that are down (Andrew 1979), counterclockwise."""
    n_points = points.shape[1]
    order = np.empty(n_points, np.int64)
    stack = np.empty((2 * n_points + 2, 2))
    for t in range(len(points)):
        n = _sort(points[t], down[t], order)
        size = 0
        for i in range(n):
            size = _push(stack, size, 1, points[t, order[i]])
        lower = size
        for i in range(n - 2, -1, -1):
            size = _push(stack, size, lower, points[t, order[i]])
        if n > 1:
            size -= 1
        counts[t] = size
        for k in range(n_points if size > 0 else 0):
            i = min(k, size - 1)
            vertices[t, k, 0] = stack[i, 0]
            vertices[t, k, 1] = stack[i, 1]


@kernel
def distances(vertices, counts, points, inside):  # pragma: no cover - compiled
    """Fill the distance of each point to its polygon's nearest edge, negative outside."""
    for t in range(len(points)):
        n = counts[t]
        if n == 0 or np.isnan(points[t, 0] + points[t, 1]):
            inside[t] = np.nan
            continue
        nearest = np.inf
        within = n > 2
        for k in range(n):
            a = vertices[t, k]
            b = vertices[t, (k + 1) % n]
            ex = b[0] - a[0]
            ez = b[1] - a[1]
            px = points[t, 0] - a[0]
            pz = points[t, 1] - a[1]
            if ex * pz - ez * px < 0:
                within = False
            length = ex * ex + ez * ez
            share = 0.0
            if length > 0:
                share = min(max((px * ex + pz * ez) / length, 0.0), 1.0)
            dx = px - share * ex
            dz = pz - share * ez
            nearest = min(nearest, np.sqrt(dx * dx + dz * dz))
        inside[t] = nearest if within else -nearest
