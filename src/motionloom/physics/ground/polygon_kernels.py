"""Hulls and distances in compiled code."""

from __future__ import annotations

import numpy as np

from motionloom.compiling import kernel, part


@part
def _turn(a, b, c):  # pragma: no cover - compiled
    """Twice the area of a triangle, positive counterclockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


@kernel
def hulls(points, down, vertices, counts):  # pragma: no cover - compiled
    """Fill the convex hulls of the points that are down (Andrew 1979), counterclockwise."""
    n_points = points.shape[1]
    order = np.empty(n_points, np.int64)
    stack = np.empty((2 * n_points + 2, 2))
    for t in range(len(points)):
        n = 0
        for c in range(n_points):
            if down[t, c]:
                # Insertion by x, then by z.
                k = n
                while k > 0:
                    o = order[k - 1]
                    x = points[t, o, 0]
                    if x < points[t, c, 0] or (
                        x == points[t, c, 0] and points[t, o, 1] <= points[t, c, 1]
                    ):
                        break
                    order[k] = o
                    k -= 1
                order[k] = c
                n += 1
        size = 0
        for i in range(n):
            p = points[t, order[i]]
            while size >= 2 and _turn(stack[size - 2], stack[size - 1], p) <= 0:
                size -= 1
            stack[size, 0] = p[0]
            stack[size, 1] = p[1]
            size += 1
        lower = size
        for i in range(n - 2, -1, -1):
            p = points[t, order[i]]
            while size > lower and _turn(stack[size - 2], stack[size - 1], p) <= 0:
                size -= 1
            stack[size, 0] = p[0]
            stack[size, 1] = p[1]
            size += 1
        if n > 1:
            size -= 1
        counts[t] = size
        for k in range(n_points):
            i = min(k, size - 1)
            if size > 0:
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
