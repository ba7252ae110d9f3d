"""Legs bent so that both ankles are where they should be, frame by frame.

What `edit.limbs` does for a limb of any motion is done here for the legs alone, without kinematics
of all other joints: one frame costs microseconds.
"""

from __future__ import annotations

import math

import numpy as np

from motionloom.compiling import kernel, part
from motionloom.rotation_kernels import (
    add,
    conjugate,
    cross,
    dot,
    multiply,
    norm,
    normalize,
    rotate,
    scale,
    subtract,
    turn_at,
    unit,
    vector_at,
)

#: Legs are never stretched beyond this share of their length.
LONGEST_REACH = 0.999
#: As in `edit.limbs`.
STRAIGHT = 0.05
OPPOSITE = 1e-12


@kernel
def plant(rotations, roots, body, feet, turns):  # pragma: no cover - compiled
    """Change `rotations` (T, J, 4) of both legs and `roots` (T, 3) in place.

    `body` holds the offsets of all joints (J, 3), the chains (2, L) of joints from the root down to
    each ankle, filled up with -1, where each has its hip, knee and ankle (2, 3), and the knees'
    axes (2, 3). `feet` (T, 2, 3) and `turns` (T, 2, 4) are where the ankles shall be.
    """
    offsets, chains, ends, knees = body
    places = np.empty((2, chains.shape[1], 3))
    world = np.empty((2, chains.shape[1], 4))
    for t in range(len(rotations)):
        shift = (0.0, 0.0, 0.0)
        for f in range(2):
            _carry(
                rotations[t], roots[t], offsets, chains[f, : ends[f, 2] + 1], places[f], world[f]
            )
            away = subtract(vector_at(feet[t, f]), vector_at(places[f, ends[f, 2]]))
            shift = add(shift, scale(0.5, away))
        drop = 0.0
        for f in range(2):
            drop = max(drop, _drop(places[f], ends[f], shift, vector_at(feet[t, f])))
        shift = (shift[0], shift[1] - drop, shift[2])
        for c in range(3):
            roots[t, c] += shift[c]
        for f in range(2):
            target = subtract(vector_at(feet[t, f]), shift)
            own = chains[f, : ends[f, 2] + 1]
            _bend(rotations[t], own, ends[f], places[f], world[f], target, turns[t, f], knees[f])


@part
def _carry(local, root, offsets, chain, places, world):  # pragma: no cover - compiled
    """World places and rotations along a chain from the root on."""
    place = vector_at(root)
    turn = turn_at(local[chain[0]])
    _put(places, world, 0, place, turn)
    for k in range(1, len(chain)):
        place = add(place, rotate(turn, vector_at(offsets[chain[k]])))
        turn = multiply(turn, turn_at(local[chain[k]]))
        _put(places, world, k, place, turn)


@part
def _put(places, world, k, place, turn):  # pragma: no cover - compiled
    for c in range(3):
        places[k, c] = place[c]
    for c in range(4):
        world[k, c] = turn[c]


@part
def _drop(places, ends, shift, foot):  # pragma: no cover - compiled
    """How far the hips sink for a leg to be long enough."""
    hip, knee, ankle = _leg(places, ends)
    reach = LONGEST_REACH * (norm(subtract(knee, hip)) + norm(subtract(ankle, knee)))
    away = subtract(add(hip, shift), foot)
    aside = away[0] * away[0] + away[2] * away[2]
    return away[1] - math.sqrt(max(reach * reach - aside, 0.0))


@part
def _leg(places, ends):  # pragma: no cover - compiled
    """Places of hip, knee and ankle."""
    return (
        vector_at(places[ends[0]]),
        vector_at(places[ends[1]]),
        vector_at(places[ends[2]]),
    )


@part
def _bend(
    local, chain, ends, places, world, target, turn, knee_axis
):  # pragma: no cover - compiled
    """Turn a leg's joints so that its ankle is at a target, as `edit.limbs.solve_limb` does."""
    hip, knee, ankle = _leg(places, ends)
    hip_turn = turn_at(world[ends[0]])
    upper_bone = subtract(knee, hip)
    lower_bone = subtract(ankle, knee)
    a = norm(upper_bone)
    b = norm(lower_bone)
    ahead = unit(subtract(ankle, hip))
    wanted = subtract(target, hip)
    nearest = abs(a - b) + 1e-6
    distance = min(max(norm(wanted), nearest), (a + b) * (1 - 1e-9))
    normal = _normal(upper_bone, lower_bone, rotate(hip_turn, vector_at(knee_axis)))
    upper = _upper(distance, ahead, cross(ahead, normal), a, b)
    lower = subtract(scale(distance, ahead), upper)
    swing = _swing(ahead, unit(wanted))
    above = turn_at(world[ends[0] - 1]) if ends[0] > 0 else (1.0, 0.0, 0.0, 0.0)
    turned = (1.0, 0.0, 0.0, 0.0)
    for k in range(ends[0], ends[2] + 1):
        own = turn_at(world[k])
        if k == ends[0]:
            turned = multiply(swing, _swing(unit(upper_bone), unit(upper)))
        elif k == ends[1]:
            turned = multiply(swing, _swing(unit(lower_bone), unit(lower)))
        # Joints between them (twist bones) go along.
        own = turn_at(turn) if k == ends[2] else multiply(turned, own)
        told = multiply(conjugate(above), own)
        for c in range(4):
            local[chain[k], c] = told[c]
        above = own


@part
def _normal(upper_bone, lower_bone, usual):  # pragma: no cover - compiled
    """Normal of the plane that a knee bends in; see `edit.limbs.bend_normals`."""
    normal = cross(unit(upper_bone), unit(lower_bone))
    bend = dot(normal, usual)
    kept = 0.5 * (bend + math.sqrt(bend * bend + 4 * STRAIGHT * STRAIGHT))
    return unit(add(normal, scale(kept - bend, usual)))


@part
def _upper(distance, ahead, pole, a, b):  # pragma: no cover - compiled
    """The upper of two bones that span a distance; see `two_bones.solve_two_bones`."""
    aside = unit(subtract(pole, scale(dot(pole, ahead), ahead)))
    along = (distance * distance + a * a - b * b) / (2.0 * distance)
    off = math.sqrt(max(a * a - along * along, 0.0))
    return add(scale(along, ahead), scale(off, aside))


@part
def _swing(a, b):  # pragma: no cover - compiled
    """Shortest rotation from one direction to another; see `edit.limbs.swing_between`."""
    w = 1.0 + dot(a, b)
    if w >= OPPOSITE:
        axis = cross(a, b)
        return normalize((w, axis[0], axis[1], axis[2]))
    x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
    least = (1.0, 0.0, 0.0)
    if y < x and y <= z:
        least = (0.0, 1.0, 0.0)
    elif z < x and z < y:
        least = (0.0, 0.0, 1.0)
    axis = cross(a, least)
    return normalize((0.0, axis[0], axis[1], axis[2]))
