"""Kinematics of one pose of a tree of hinges, and how points and directions change, compiled."""

from __future__ import annotations

import math
from typing import NamedTuple

from motionloom.compiling import part
from motionloom.typing import Array


class Pose(NamedTuple):
    """One pose: base, angles, and all links' places (L, 3), turns (L, 3, 3) and axes (L, 3)."""

    place: Array
    turn: Array
    angles: Array
    places: Array
    turns: Array
    axes: Array


@part
def place_links(tree, pose):  # pragma: no cover - compiled
    """Run the kinematics of one pose."""
    for i in range(3):
        pose.places[0, i] = pose.place[i]
        for j in range(3):
            pose.turns[0, i, j] = pose.turn[i, j]
    for k in range(1, len(tree.parents)):
        above = tree.parents[k]
        for i in range(3):
            total = pose.places[above, i]
            for j in range(3):
                total += pose.turns[above, i, j] * tree.offsets[k, j]
            pose.places[k, i] = total
        _turn_link(tree, pose, k, above)


@part
def _turn_link(tree, pose, k, above):  # pragma: no cover - compiled
    """Turn of one link, and its hinge's axis in the world."""
    x, y, z = tree.axes[k]
    angle = pose.angles[k - 1]
    s = math.sin(angle)
    c = math.cos(angle)
    v = 1.0 - c
    hinge = (
        (c + v * x * x, v * x * y - s * z, v * x * z + s * y),
        (v * x * y + s * z, c + v * y * y, v * y * z - s * x),
        (v * x * z - s * y, v * y * z + s * x, c + v * z * z),
    )
    for i in range(3):
        a = 0.0
        b = 0.0
        d = 0.0
        for j in range(3):
            # Row i of the link at rest, in the world.
            rest = 0.0
            for m in range(3):
                rest += pose.turns[above, i, m] * tree.turns[k, m, j]
            a += rest * hinge[j][0]
            b += rest * hinge[j][1]
            d += rest * hinge[j][2]
        pose.turns[k, i, 0] = a
        pose.turns[k, i, 1] = b
        pose.turns[k, i, 2] = d
        pose.axes[k, i] = a * x + b * y + d * z


@part
def carried(pose, link, local):  # pragma: no cover - compiled
    """A vector of a link in the world."""
    t = pose.turns[link]
    return (
        t[0, 0] * local[0] + t[0, 1] * local[1] + t[0, 2] * local[2],
        t[1, 0] * local[0] + t[1, 1] * local[1] + t[1, 2] * local[2],
        t[2, 0] * local[0] + t[2, 1] * local[1] + t[2, 2] * local[2],
    )


@part
def point_row(tree, pose, link, at, i, row):  # pragma: no cover - compiled
    """How coordinate i of a point on a link changes with base and hinges."""
    j = (i + 1) % 3
    k = (i + 2) % 3
    row[:] = 0.0
    row[i] = 1.0
    arm_j = at[j] - pose.place[j]
    arm_k = at[k] - pose.place[k]
    row[3 + j] = arm_k
    row[3 + k] = -arm_j
    for h in range(len(tree.low)):
        if tree.above[link, h]:
            axis = pose.axes[h + 1]
            place = pose.places[h + 1]
            row[6 + h] = axis[j] * (at[k] - place[k]) - axis[k] * (at[j] - place[j])


@part
def direction_row(tree, pose, link, along, i, row):  # pragma: no cover - compiled
    """How coordinate i of a direction on a link changes with base and hinges."""
    j = (i + 1) % 3
    k = (i + 2) % 3
    row[:] = 0.0
    row[3 + j] = along[k]
    row[3 + k] = -along[j]
    for h in range(len(tree.low)):
        if tree.above[link, h]:
            axis = pose.axes[h + 1]
            row[6 + h] = axis[j] * along[k] - axis[k] * along[j]


@part
def copy_pose(source, target):  # pragma: no cover - compiled
    """Base and angles of a pose."""
    for i in range(3):
        target.place[i] = source.place[i]
        for j in range(3):
            target.turn[i, j] = source.turn[i, j]
    for h in range(len(source.angles)):
        target.angles[h] = source.angles[h]
