"""The body laid on its way, and where its feet have to be: what a plan says, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.gait.path.footprints import FootSteps, Way
from motionloom.gait.path.plan import GaitPlan
from motionloom.gait.path.stance import PIECE
from motionloom.gait.path.table import GaitTable

Array = NDArray[np.float64]

#: In this part of its swing a foot goes over from the footprint it left to the one it comes to.
OVER = (0.1, 0.9)


@dataclass(frozen=True, eq=False)
class Laid:
    """Poses on their way, legs as they were captured, and where the ankles belong.

    Parameters
    ----------
    rotations : array of shape (T, J, 4)
        Local rotations, that of the root in the world.
    places : array of shape (T, 3), metres
        Of the root.
    ankles : array of shape (T, 2, 3), metres
        Where the left and the right ankle belong.
    turns : array of shape (T, 2, 4)
        World rotations that their joints shall have.
    """

    rotations: Array
    places: Array
    ankles: Array
    turns: Array


def lay(plan: GaitPlan) -> Laid:
    """Lay the body of a plan on its way.

    Parameters
    ----------
    plan : GaitPlan
        What is planned.

    Returns
    -------
    Laid
    """
    table = plan.table
    way = plan.way
    rotations, deviations = _sample(table, way)
    facing = way.stand.quaternion
    lean = rot.from_rotvec(np.outer(-way.leans, [0.0, 0.0, 1.0]))
    root = table.body.root
    rotations[:, root] = rot.multiply(facing, rot.multiply(lean, rotations[:, root]))
    ankles = np.empty((way.n_frames, 2, 3))
    turns = np.empty((way.n_frames, 2, 4))
    for foot, steps in enumerate(plan.steps):
        ankles[:, foot], turns[:, foot] = place_foot(table, way.speeds, steps, foot)
    return Laid(rotations, way.stand.apply(deviations), ankles, turns)


def _sample(table: GaitTable, way: Way) -> tuple[Array, Array]:
    """Local rotations (T, J, 4) and deviations (T, 3) at speeds and phases."""
    n = table.n_samples
    node, part = table.bracket(way.speeds)
    place = (way.phases % 1.0) * n
    before = np.floor(place).astype(int) % n
    after = (before + 1) % n
    share = place - np.floor(place)
    corners = (
        (node, before, (1 - part) * (1 - share)),
        (node, after, (1 - part) * share),
        (node + 1, before, part * (1 - share)),
        (node + 1, after, part * share),
    )
    turned = 0.0
    moved = 0.0
    for i, k, weight in corners:
        turned = turned + weight[:, None, None] * _closed(table, i, k)
        moved = moved + weight[:, None] * table.deviations[i, k]
    return rot.normalize(turned), np.asarray(moved)


def _closed(table: GaitTable, node: NDArray[np.intp], k: NDArray[np.intp]) -> Array:
    rotations: Array = table.rotations[node, k]
    return rotations


def place_foot(
    table: GaitTable, speeds: Array, steps: FootSteps, foot: int
) -> tuple[Array, Array]:
    """Where an ankle belongs, and how its joint is turned.

    Parameters
    ----------
    table : GaitTable
        How feet roll and swing.
    speeds : array of shape (T,), metres per second
        Frame by frame.
    steps : FootSteps
        The foot's steps.
    foot : int
        0 left, 1 right.

    Returns
    -------
    ankles : array of shape (T, 3), metres
    turns : array of shape (T, 4)
    """
    old = steps.prints[steps.number]
    new = steps.prints[np.minimum(steps.number + 1, len(steps.prints) - 1)]
    from_old = _track(table, speeds, 1.0 + steps.share * 2.0, foot)
    from_new = _track(table, speeds, np.maximum(2.0 * steps.share - 1.0, 0.0), foot)
    begin, end = (0.5 + 0.5 * x for x in OVER)
    u = np.clip((steps.share - begin) / (end - begin), 0.0, 1.0)
    over = u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
    places = [
        _on_print(prints, track) for prints, (track, _) in ((old, from_old), (new, from_new))
    ]
    turned = [
        rot.multiply(rot.yaw(prints[:, 2]), turn)
        for prints, (_, turn) in ((old, from_old), (new, from_new))
    ]
    ankles = (1 - over)[:, None] * places[0] + over[:, None] * places[1]
    return ankles, rot.slerp(turned[0], turned[1], over)


def _on_print(prints: Array, track: Array) -> Array:
    """Places (T, 3) of tracks told relative to footprints (T, 3)."""
    c = np.cos(prints[:, 2])
    s = np.sin(prints[:, 2])
    x = prints[:, 0] + c * track[:, 0] + s * track[:, 2]
    z = prints[:, 1] - s * track[:, 0] + c * track[:, 2]
    return np.column_stack([x, track[:, 1], z])


def _track(table: GaitTable, speeds: Array, piece: Array, foot: int) -> tuple[Array, Array]:
    """Track and turn of a foot at speeds; `piece` counts pieces from the begin of the track."""
    place = np.clip(piece, 0.0, 3.0) * PIECE
    before = np.minimum(np.floor(place).astype(int), 3 * PIECE - 1)
    share = place - before
    node, part = table.bracket(speeds)
    ankle = 0.0
    turn = 0.0
    for i, w in ((node, 1 - part), (node + 1, part)):
        for k, r in ((before, 1 - share), (before + 1, share)):
            weight = (w * r)[:, None]
            ankle = ankle + weight * table.tracks[i, foot, k]
            turn = turn + weight * table.turns[i, foot, k]
    return np.asarray(ankle), rot.normalize(turn)
