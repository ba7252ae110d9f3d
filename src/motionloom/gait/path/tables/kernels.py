"""Compiled sampling of a gait table: poses of the body, and where feet belong, frame by frame."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.compiling import kernel, part
from motionloom.gait.path.stance import OVER, PIECE, ROLLS
from motionloom.typing import Array

#: Begin and end of the part of a step in which a foot goes over to its next footprint.
BEGIN, END = 0.5 + 0.5 * OVER[0], 0.5 + 0.5 * OVER[1]


class FootArrays(NamedTuple):
    """One foot of a table; see `GaitTable`."""

    tracks: Array
    turns: Array
    soles: Array
    flat_soles: Array
    rests: Array


@kernel
def sample_poses(
    node, share, phases, rotations, deviations, poses, places
):  # pragma: no cover - compiled
    """Fill local rotations (T, J, 4) and deviations (T, 3), linear between nodes and samples."""
    n = rotations.shape[1]
    for t in range(len(node)):
        x = (phases[t] - np.floor(phases[t])) * n
        k = int(x)
        r = x - k
        k = k % n
        m = (k + 1) % n
        i = node[t]
        w = share[t]
        a, b = (1 - w) * (1 - r), (1 - w) * r
        c, d = w * (1 - r), w * r
        for q in range(3):
            places[t, q] = (
                a * deviations[i, k, q]
                + b * deviations[i, m, q]
                + c * deviations[i + 1, k, q]
                + d * deviations[i + 1, m, q]
            )
        for j in range(rotations.shape[2]):
            # The cycle closes up to signs.
            sign = 1.0
            if k + 1 == n:
                dot = 0.0
                for q in range(4):
                    dot += rotations[i, k, j, q] * rotations[i, m, j, q]
                if dot < 0:
                    sign = -1.0
            size = 0.0
            for q in range(4):
                value = (
                    a * rotations[i, k, j, q]
                    + sign * b * rotations[i, m, j, q]
                    + c * rotations[i + 1, k, j, q]
                    + sign * d * rotations[i + 1, m, j, q]
                )
                poses[t, j, q] = value
                size += value * value
            size = 1.0 / np.sqrt(size)
            for q in range(4):
                poses[t, j, q] *= size


@part
def _turn(q, v, out):  # pragma: no cover - compiled
    """Rotate v by q."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    tx = 2 * (y * v[2] - z * v[1])
    ty = 2 * (z * v[0] - x * v[2])
    tz = 2 * (x * v[1] - y * v[0])
    out[0] = v[0] + w * tx + y * tz - z * ty
    out[1] = v[1] + w * ty + z * tx - x * tz
    out[2] = v[2] + w * tz + x * ty - y * tx


@part
def _eased(u):  # pragma: no cover - compiled
    u = min(max(u, 0.0), 1.0)
    return u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)


@part
def _read(i, w, piece, foot, work):  # pragma: no cover - compiled
    """Read a foot's track into `work`: rows ankle, turn, heel, toe in the ankle's frame."""
    x = min(max(piece, 0.0), 3.0) * PIECE
    k = min(int(x), 3 * PIECE - 1)
    r = x - k
    a, b = (1 - w) * (1 - r), (1 - w) * r
    c, d = w * (1 - r), w * r
    for q in range(3):
        work[0, q] = (
            a * foot.tracks[i, k, q]
            + b * foot.tracks[i, k + 1, q]
            + c * foot.tracks[i + 1, k, q]
            + d * foot.tracks[i + 1, k + 1, q]
        )
        for p in range(2):
            work[2 + p, q] = (
                a * foot.soles[i, k, p, q]
                + b * foot.soles[i, k + 1, p, q]
                + c * foot.soles[i + 1, k, p, q]
                + d * foot.soles[i + 1, k + 1, p, q]
            )
    size = 0.0
    for q in range(4):
        work[1, q] = (
            a * foot.turns[i, k, q]
            + b * foot.turns[i, k + 1, q]
            + c * foot.turns[i + 1, k, q]
            + d * foot.turns[i + 1, k + 1, q]
        )
        size += work[1, q] * work[1, q]
    size = 1.0 / np.sqrt(size)
    for q in range(4):
        work[1, q] *= size


@part
def _roll(i, w, foot, work, out):  # pragma: no cover - compiled
    """Ankle of the foot in `work` while it stands, turning about heel or toe; see `stance.roll`."""
    heel, toe = work[4], work[5]
    _turn(work[1], work[2], heel)
    _turn(work[1], work[3], toe)
    above_heel = heel[1] - foot.rests[0]
    above_toe = toe[1] - foot.rests[1]
    lean = min(max((above_toe - above_heel) / ROLLS, -30.0), 30.0)
    share = 1.0 / (1.0 + np.exp(-lean))
    for q in range(3):
        flat_heel = (1 - w) * foot.flat_soles[i, 0, q] + w * foot.flat_soles[i + 1, 0, q]
        flat_toe = (1 - w) * foot.flat_soles[i, 1, q] + w * foot.flat_soles[i + 1, 1, q]
        out[q] = share * (flat_heel - heel[q]) + (1 - share) * (flat_toe - toe[q])
    out[1] = -min(above_heel, above_toe)


@part
def _place(i, w, piece, foot, work, out):  # pragma: no cover - compiled
    """Ankle relative to its footprint, planted while it stands; its turn is left in ``work[1]``.

    What planting changes at the ends of the stance dies away in the air.
    """
    change = work[6]
    change[:3] = 0.0
    if piece < 1.0 or piece > 2.0:
        edge = 1.0 if piece < 1.0 else 2.0
        _read(i, w, edge, foot, work)
        _roll(i, w, foot, work, change)
        fade = 1.0 - _eased(abs(piece - edge))
        for q in range(3):
            change[q] = fade * (change[q] - work[0, q])
    _read(i, w, piece, foot, work)
    _roll(i, w, foot, work, out)
    if piece < 1.0 or piece > 2.0:
        lowest = out[1]
        for q in range(3):
            out[q] = work[0, q] + change[q]
        out[1] = max(out[1], lowest)


@part
def _on_print(mark, track, turn, ankle, facing):  # pragma: no cover - compiled
    """A track told relative to a footprint (x, z, direction), in the world."""
    c, s = np.cos(mark[2]), np.sin(mark[2])
    ankle[0] = mark[0] + c * track[0] + s * track[2]
    ankle[1] = track[1]
    ankle[2] = mark[1] - s * track[0] + c * track[2]
    a, b = np.cos(0.5 * mark[2]), np.sin(0.5 * mark[2])
    w, x, y, z = turn[0], turn[1], turn[2], turn[3]
    facing[0] = a * w - b * y
    facing[1] = a * x + b * z
    facing[2] = a * y + b * w
    facing[3] = a * z - b * x


@kernel
def place_feet(node, share, step, old, new, foot, ankles, facings):  # pragma: no cover - compiled
    """Fill places (T, 3) of an ankle and world rotations (T, 4) of its joint.

    `step` (T,) is where in its step the foot is, `old` and `new` (T, 3) the footprints it stands
    on or has left, and comes to.
    """
    work = np.zeros((7, 4))
    track = np.zeros(3)
    ankle = np.zeros(3)
    facing = np.zeros(4)
    for t in range(len(node)):
        i, w = node[t], share[t]
        _place(i, w, 1.0 + 2.0 * step[t], foot, work, track)
        _on_print(old[t], track, work[1], ankles[t], facings[t])
        if step[t] <= BEGIN:
            continue
        piece = max(2.0 * step[t] - 1.0, 0.0)
        _place(i, w, piece, foot, work, track)
        _on_print(new[t], track, work[1], ankle, facing)
        over = _eased((step[t] - BEGIN) / (END - BEGIN))
        dot = 0.0
        for q in range(4):
            dot += facing[q] * facings[t, q]
        sign = -1.0 if dot < 0 else 1.0
        size = 0.0
        for q in range(4):
            facings[t, q] = (1 - over) * facings[t, q] + sign * over * facing[q]
            size += facings[t, q] * facings[t, q]
        for q in range(4):
            facings[t, q] /= np.sqrt(size)
        for q in range(3):
            ankles[t, q] = (1 - over) * ankles[t, q] + over * ankle[q]
