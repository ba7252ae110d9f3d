"""The body laid on its way, and where its feet have to be: what a plan says, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.gait.path.footprints import FootSteps, Way
from motionloom.gait.path.plan import GaitPlan
from motionloom.gait.path.stance import PIECE, roll
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
        turned = turned + weight[:, None, None] * table.rotations[i, k]
        moved = moved + weight[:, None] * table.deviations[i, k]
    return rot.normalize(turned), np.asarray(moved)


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
    from_old = _track(table, speeds, 1.0 + 2.0 * steps.share, foot)
    from_new = _track(table, speeds, np.maximum(2.0 * steps.share - 1.0, 0.0), foot)
    begin, end = (0.5 + 0.5 * x for x in OVER)
    over = _eased((steps.share - begin) / (end - begin))
    places = [_on_print(old, from_old[0]), _on_print(new, from_new[0])]
    turned = [
        rot.multiply(rot.yaw(prints[:, 2]), turn)
        for prints, (_, turn) in ((old, from_old), (new, from_new))
    ]
    ankles = (1 - over)[:, None] * places[0] + over[:, None] * places[1]
    return ankles, rot.slerp(turned[0], turned[1], over)


def _eased(u: Array) -> Array:
    """From 0 to 1 without speed and acceleration at both ends."""
    u = np.clip(u, 0.0, 1.0)
    eased: Array = u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
    return eased


def _on_print(prints: Array, track: Array) -> Array:
    """Places (T, 3) of tracks told relative to footprints (T, 3)."""
    c = np.cos(prints[:, 2])
    s = np.sin(prints[:, 2])
    x = prints[:, 0] + c * track[:, 0] + s * track[:, 2]
    z = prints[:, 1] - s * track[:, 0] + c * track[:, 2]
    return np.column_stack([x, track[:, 1], z])


def _track(table: GaitTable, speeds: Array, piece: Array, foot: int) -> tuple[Array, Array]:
    """Ankle relative to its footprint and turn of a foot at speeds, planted while it stands.

    `piece` counts pieces from the begin of the track: a swing, a stance and a swing. What planting
    changes at the ends of the stance dies away in the air.
    """
    ankle, turn, soles = _sampled(table, speeds, piece, foot)
    stands = (piece >= 1.0) & (piece <= 2.0)
    change = np.zeros_like(ankle)
    for edge, away in ((1.0, 1.0 - piece), (2.0, piece - 2.0)):
        near = (away > 0.0) & (away < 1.0)
        at, own, sole = _sampled(table, speeds[near], np.full(near.sum(), edge), foot)
        fade = 1.0 - _eased(away[near])
        change[near] = fade[:, None] * (_rolled(table, speeds[near], own, sole, foot) - at)
    planted = _rolled(table, speeds[stands], turn[stands], soles[stands], foot)
    ankle = ankle + change
    ankle[stands] = planted
    return _cleared(table, ankle, turn, soles, foot), turn


def _rolled(table: GaitTable, speeds: Array, turn: Array, soles: Array, foot: int) -> Array:
    """Ankle of a foot that stands, relative to where it is flat: it turns about heel or toe."""
    points = rot.rotate(turn[:, None], soles)
    return roll(points, table.mixed(table.flat_soles[:, foot], speeds), table.rests[foot])


def _cleared(
    table: GaitTable, ankle: Array, turn: Array, soles: Array, foot: int
) -> Array:
    """The ankle no lower than heel and toe are allowed."""
    points = rot.rotate(turn[:, None], soles)[..., 1] - table.rests[foot]
    low = np.minimum(ankle[:, 1] + points.min(axis=1), 0.0)
    return ankle - low[:, None] * [0.0, 1.0, 0.0]


def _sampled(
    table: GaitTable, speeds: Array, piece: Array, foot: int
) -> tuple[Array, Array, Array]:
    """Track, turn and soles of a foot as the table has them."""
    place = np.clip(piece, 0.0, 3.0) * PIECE
    before = np.minimum(np.floor(place).astype(int), 3 * PIECE - 1)
    share = place - before
    node, part = table.bracket(speeds)
    ankle = np.zeros((len(speeds), 3))
    turn = np.zeros((len(speeds), 4))
    soles = np.zeros((len(speeds), 2, 3))
    for i, w in ((node, 1 - part), (node + 1, part)):
        for k, r in ((before, 1 - share), (before + 1, share)):
            weight = w * r
            ankle += weight[:, None] * table.tracks[i, foot, k]
            turn += weight[:, None] * table.turns[i, foot, k]
            soles += weight[:, None, None] * table.soles[i, foot, k]
    return ankle, rot.normalize(turn), soles
