"""Compiled sampling of a gait table: poses of the body, and where feet belong, frame by frame."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.compiling import kernel, part
from motionloom.gait.path._stance import OVER, PIECE, ROLLS
from motionloom.rotation_kernels import (
    about_up,
    add,
    multiply,
    put,
    rotate,
    scale,
    subtract,
    weighted,
    weighted_turn,
)
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
    for t in range(len(node)):
        place = sample_pose((node[t], share[t]), phases[t], rotations, deviations, poses[t])
        put(places[t], place)


@part
def sample_pose(node, phase, rotations, deviations, pose):  # pragma: no cover - compiled
    """Fill the local rotations (J, 4) of one frame; its deviation is returned.

    `node` is a node of the table and the share of the next one.
    """
    n = rotations.shape[1]
    x = (phase - np.floor(phase)) * n
    k = int(x)
    at = (node[0], k % n, (k + 1) % n)
    weights = _weights(node[1], x - k)
    for j in range(len(pose)):
        put(pose[j], _turn(rotations[:, :, j], at, weights))
    return _vector(deviations, at, weights)


@part
def _weights(node, sample):  # pragma: no cover - compiled
    """Of two samples of a node and of the next one, from the shares of the second ones."""
    return ((1 - node) * (1 - sample), (1 - node) * sample, node * (1 - sample), node * sample)


@part
def _vector(rows, at, weights):  # pragma: no cover - compiled
    i, k, m = at
    return weighted(weights, rows[i, k], rows[i, m], rows[i + 1, k], rows[i + 1, m])


@part
def _turn(rows, at, weights):  # pragma: no cover - compiled
    """The same of rotations; a cycle closes up to signs."""
    i, k, m = at
    a, b, c, d = weights
    if _along(rows[i, k], rows[i, m]) < 0:
        b, d = -b, -d
    return weighted_turn((a, b, c, d), rows[i, k], rows[i, m], rows[i + 1, k], rows[i + 1, m])


@part
def _along(a, b):  # pragma: no cover - compiled
    """Scalar product of quaternions."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@part
def mix(share, a, b):  # pragma: no cover - compiled
    """So much of a vector b, and the rest of a."""
    return add(scale(1 - share, a), scale(share, b))


@part
def mix_turns(share, a, b):  # pragma: no cover - compiled
    """The same of rotations near to each other."""
    other = -share if _along(a, b) < 0 else share
    return weighted_turn((1 - share, other, 0.0, 0.0), a, b, a, b)


@part
def _eased(u):  # pragma: no cover - compiled
    u = min(max(u, 0.0), 1.0)
    return u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)


@part
def _read(node, piece, foot):  # pragma: no cover - compiled
    """A moment of a foot's track: ankle, its turn, and heel and toe in the ankle's frame."""
    x = min(max(piece, 0.0), 3.0) * PIECE
    k = min(int(x), 3 * PIECE - 1)
    at = (node[0], k, k + 1)
    weights = _weights(node[1], x - k)
    return (
        _vector(foot.tracks, at, weights),
        _turn(foot.turns, at, weights),
        _vector(foot.soles[:, :, 0], at, weights),
        _vector(foot.soles[:, :, 1], at, weights),
    )


@part
def _roll(node, foot, moment):  # pragma: no cover - compiled
    """Ankle of a foot while it stands, turning about heel or toe; see `stance.roll`."""
    i, w = node
    flat = foot.flat_soles
    heel, toe = rotate(moment[1], moment[2]), rotate(moment[1], moment[3])
    above_heel = heel[1] - foot.rests[0]
    above_toe = toe[1] - foot.rests[1]
    lean = min(max((above_toe - above_heel) / ROLLS, -30.0), 30.0)
    about_heel = subtract(mix(w, flat[i, 0], flat[i + 1, 0]), heel)
    about_toe = subtract(mix(w, flat[i, 1], flat[i + 1, 1]), toe)
    x, _, z = mix(1.0 / (1.0 + np.exp(-lean)), about_toe, about_heel)
    return (x, -min(above_heel, above_toe), z)


@part
def _place(node, piece, foot):  # pragma: no cover - compiled
    """Ankle relative to its footprint, planted while it stands, and its turn.

    What planting changes at the ends of the stance dies away in the air.
    """
    moment = _read(node, piece, foot)
    planted = _roll(node, foot, moment)
    if 1.0 <= piece <= 2.0:
        return planted, moment[1]
    edge = 1.0 if piece < 1.0 else 2.0
    there = _read(node, edge, foot)
    change = subtract(_roll(node, foot, there), there[0])
    x, y, z = add(moment[0], scale(1.0 - _eased(abs(piece - edge)), change))
    return (x, max(y, planted[1]), z), moment[1]


@part
def _on_print(mark, placed):  # pragma: no cover - compiled
    """An ankle told relative to a footprint (x, z, direction), in the world."""
    facing = about_up(mark[2])
    x, y, z = rotate(facing, placed[0])
    return (mark[0] + x, y, mark[1] + z), multiply(facing, placed[1])


@part
def place_foot(node, step, old, new, foot):  # pragma: no cover - compiled
    """Place of an ankle in one frame and the world rotation of its joint; see `place_feet`."""
    ankle, facing = _on_print(old, _place(node, 1.0 + 2.0 * step, foot))
    if step <= BEGIN:
        return ankle, facing
    later, turned = _on_print(new, _place(node, max(2.0 * step - 1.0, 0.0), foot))
    over = _eased((step - BEGIN) / (END - BEGIN))
    return mix(over, ankle, later), mix_turns(over, facing, turned)


@kernel
def place_feet(node, share, step, old, new, foot, ankles, facings):  # pragma: no cover - compiled
    """Fill places (T, 3) of an ankle and world rotations (T, 4) of its joint.

    `step` (T,) is where in its step the foot is, `old` and `new` (T, 3) the footprints it stands
    on or has left, and comes to.
    """
    for t in range(len(node)):
        ankle, facing = place_foot((node[t], share[t]), step[t], old[t], new[t], foot)
        put(ankles[t], ankle)
        put(facings[t], facing)
