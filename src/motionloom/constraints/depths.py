"""How deep points of a body are in obstacles: compiled, so imported where it is used."""

import numpy as np

from motionloom.compiling import kernel, part
from motionloom.constraints.obstacles import PRESS


@part
def outside(solid, place):  # pragma: no cover - compiled
    """Distance on the ground from a solid's side, negative inside."""
    away = (place - solid.center) * solid.turn.conjugate()
    dx = abs(away.imag) - solid.half_x
    dz = abs(away.real) - solid.half_z
    out_x = max(dx, 0.0)
    out_z = max(dz, 0.0)
    return np.sqrt(out_x * out_x + out_z * out_z) + min(max(dx, dz), 0.0) - solid.radius


@part
def depth_in(solid, place, height):  # pragma: no cover - compiled
    """How deep a point is in a solid, the shortest way out; 0 outside."""
    below = height - solid.bottom
    above = solid.top - height
    if below <= 0.0 or above <= 0.0:
        return 0.0
    return max(min(-outside(solid, place), below, above), 0.0)


@part
def ground_under(ground, heights, place):  # pragma: no cover - compiled
    """Height of a map under a place (bilinear); far below outside the map."""
    away = (place - ground.origin) / ground.cell
    r = away.real
    c = away.imag
    if not (0.0 <= r <= ground.rows - 1 and 0.0 <= c <= ground.columns - 1):
        return -np.inf
    i = min(int(r), ground.rows - 2)
    j = min(int(c), ground.columns - 2)
    u = r - i
    v = c - j
    k = ground.offset + i * ground.columns + j
    near = heights[k] * (1 - v) + heights[k + 1] * v
    far = heights[k + ground.columns] * (1 - v) + heights[k + ground.columns + 1] * v
    return near * (1 - u) + far * u


@kernel
def deepest_points(obstacles, points):  # pragma: no cover - compiled
    """Deepest point of every frame in every obstacle, solids first, shape (T, Q + M)."""
    solids = obstacles.solids
    maps = obstacles.maps
    deepest = np.zeros((len(points), len(solids) + len(maps)))
    for t in range(len(points)):
        for b in range(points.shape[1]):
            place = complex(points[t, b, 2], points[t, b, 0])
            height = points[t, b, 1]
            for q in range(len(solids)):
                deepest[t, q] = max(deepest[t, q], depth_in(solids[q], place, height))
            for m in range(len(maps)):
                rise = ground_under(maps[m], obstacles.heights, place) - height - PRESS
                deepest[t, len(solids) + m] = max(deepest[t, len(solids) + m], rise)
    return deepest
