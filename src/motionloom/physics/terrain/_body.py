"""How the body goes along: on its way, as high as its legs reach, leaning into what it climbs, and
shifted so that it keeps its balance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import scipy

from motionloom import rotations as rot
from motionloom.curves import gaussian_average, minimum_jerk
from motionloom.edit.limbs import bone_lengths
from motionloom.edit.root import move_body
from motionloom.physics.body import Body
from motionloom.physics.dynamics._inverse import GRAVITY
from motionloom.physics.ground import Balance, GroundContacts, analyse_balance
from motionloom.physics.terrain._footholds import Foothold
from motionloom.physics.terrain._stances import Way
from motionloom.physics.terrain._swing.track import curve_above
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.typing import Array

#: Time over which changes of pace are smoothed, and of height, seconds.
PACE, CLIMB = 0.15, 0.2
#: What is quicker than this about the height of hips is their bobbing with steps, seconds.
BOB = 0.4
#: Lean of the trunk as a share of how steep the way is, up and down (captured on stairs: 10 degrees
#: forward at 29 degrees up, 2 back at 29 degrees down), smoothed over so long, seconds.
LEAN_UP, LEAN_DOWN, LEAN_TIME = 0.34, 0.07, 0.35
#: The head turns back by this share of the lean.
HEAD_BACK = 0.7
#: Share of its length that a leg may take beyond what it took; knees straighter than that pop.
EXTENSION = 0.992
#: A foot that is this far from where it was captured is elsewhere, metres.
MOVED = 0.02
#: Time over which hips sink for a leg that is too short, seconds.
SINK = 0.3
#: How far inside the polygon the zero moment point is wanted, metres.
MARGIN = 0.01
#: Weight of a zero moment point that is inside already, of the shift itself and of its changes
#: (second differences in seconds).
INSIDE, SHIFT, CHANGE = 0.05, 0.02, 0.004
#: Height of the centre of mass above the feet in leg lengths.
HIGH = 1.05


def carry_along(
    posed: PosedMotion, way: Way, holds: Sequence[Foothold], floor: float
) -> tuple[PosedMotion, Array]:
    """Move the body along its way as its footholds are moved, and up with them.

    Parameters
    ----------
    posed : PosedMotion
        The level motion.
    way : Way
        Its way.
    holds : sequence of Foothold
        Of all feet, in the order in which they begin.
    floor : float, metres
        Height of the level ground.

    Returns
    -------
    PosedMotion
        The body on its way, at the height of the ground.
    steepness : array of shape (T,), radians
        Of the way that the body takes.
    """
    frames = np.arange(posed.n_frames, dtype=float)
    offset = _through([h.stance.way for h in holds], [h.offset for h in holds], way.lengths)
    offset = gaussian_average(offset, PACE * posed.fps)
    height = _through([h.stance.middle for h in holds], [h.height - floor for h in holds], frames)
    height = gaussian_average(height, CLIMB * posed.fps)
    # Hips bob as high as steps are long, squared.
    going = gaussian_average(np.gradient(way.lengths), PACE * posed.fps)
    faster = gaussian_average(np.gradient(offset), PACE * posed.fps)
    ratio = 1.0 + faster / np.maximum(going, 0.1 / posed.fps)
    bob = posed.hips[:, 1] - gaussian_average(posed.hips[:, 1], BOB * posed.fps)
    rise = height - (1.0 - np.clip(ratio, 0.0, 1.0) ** 2) * bob
    was = way.at(way.lengths)
    now = way.at(way.lengths + offset)
    shift = np.stack([now.x - was.x, rise, now.z - was.z], axis=-1)
    pivot = np.stack([was.x, 0 * rise, was.z], axis=-1)
    carried = move_body(posed, shift, now.angle - was.angle, pivot)
    pace = gaussian_average(np.gradient(way.lengths + offset), LEAN_TIME * posed.fps)
    climb = gaussian_average(np.gradient(height), LEAN_TIME * posed.fps)
    # Where nobody goes on, nothing is steep.
    steep = np.arctan2(climb, np.maximum(pace, 0.1 / posed.fps))
    return carried, steep


def _through(at: Sequence[float], values: Sequence[float], where: Array) -> Array:
    """A curve through values that overshoots none of them, constant beyond the ends."""
    x = np.asarray(at, float)
    order = np.argsort(x, kind="stable")
    x, first = np.unique(x[order], return_index=True)
    y = np.asarray(values, float)[order][first]
    if len(x) < 2:
        return np.full(len(where), float(y[0]) if len(y) else 0.0)
    return np.asarray(scipy.interpolate.PchipInterpolator(x, y)(np.clip(where, x[0], x[-1])))


def lean_trunk(posed: PosedMotion, steep: Array) -> PosedMotion:
    """Lean the trunk forward where the way rises, and a little back where it falls.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    steep : array of shape (T,), radians
        Of the way.

    Returns
    -------
    PosedMotion
    """
    roles = posed.roles
    chest = roles.joint("chest")
    if chest is None or not np.any(np.abs(steep) > 1e-4):
        return posed
    chain = posed.skeleton.chain(chest)
    spine = chain[chain.index(roles.joints["hips"]) + 1 :]
    lean = np.where(steep > 0, LEAN_UP, LEAN_DOWN) * steep
    facing = posed.facing
    across = np.stack([np.cos(facing), 0 * facing, -np.sin(facing)], axis=-1)
    turns = {joint: lean * (i + 1) / len(spine) for i, joint in enumerate(spine)}
    head = roles.joint("head")
    if head is not None:
        turns[head] = (1.0 - HEAD_BACK) * lean
    local = {}
    for joint, angle in turns.items():
        parent = int(posed.skeleton.parents[joint])
        above = turns.get(parent, lean if joint == head else np.zeros_like(lean))
        up = rot.multiply(rot.from_rotvec(above[:, None] * across), posed.rotations[:, parent])
        own = rot.multiply(rot.from_rotvec(angle[:, None] * across), posed.rotations[:, joint])
        local[joint] = rot.multiply(rot.conjugate(up), own)
    return posed.with_local(local)


def sink_for_legs(
    posed: PosedMotion,
    level: PosedMotion,
    legs: Mapping[str, Limb],
    targets: Mapping[str, Array],
) -> Array:
    """How far the hips sink for every leg to reach its foot, smooth in time.

    Parameters
    ----------
    posed : PosedMotion
        The motion on its way.
    level : PosedMotion
        The level motion: legs may be as straight as there.
    legs : mapping of str to Limb
        By the roles of the feet.
    targets : mapping of str to array of shape (T, 3), metres
        Where the ankles go.

    Returns
    -------
    array of shape (T,), metres
        Nowhere negative.
    """
    need = np.full(posed.n_frames, -np.inf)
    for foot, leg in legs.items():
        a, b = bone_lengths(posed, leg)
        own = np.linalg.norm(level.positions[:, leg.tip] - level.positions[:, leg.root], axis=1)
        usual = EXTENSION * (a + b)
        # As straight as it was captured only where the foot is where it was.
        away = np.linalg.norm(targets[foot] - level.positions[:, leg.tip], axis=1)
        longest = usual + np.maximum(own - usual, 0.0) * (1.0 - minimum_jerk(away / MOVED))
        span = targets[foot] - posed.positions[:, leg.root]
        across = span[:, 0] ** 2 + span[:, 2] ** 2
        below = np.sqrt(np.maximum(longest**2 - across, 0.0))
        need = np.maximum(need, -(span[:, 1] + below))
    place = np.ones(posed.n_frames)
    return curve_above(np.where(need > 1e-4, need, -np.inf), place, (SINK * posed.fps) ** 4)


def analyse_standing(posed: PosedMotion, body: Body, contacts: GroundContacts) -> Balance:
    """Zero moment point and support where feet stand at different heights: the mean of theirs.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    body : Body
        Its masses.
    contacts : GroundContacts
        Points that bear.

    Returns
    -------
    Balance
    """
    down = contacts.bearing.down
    heights = contacts.soles.positions(posed)[..., 1] - [p.rest for p in contacts.soles.points]
    height = np.where(down, heights, 0.0).sum(axis=1) / np.maximum(down.sum(axis=1), 1)
    return analyse_balance(posed, body, contacts=contacts, height=height)


def shift_for_balance(standing: Balance, allowed: float, leg: float, fps: float) -> Array:
    """How the body is shifted on the ground for its zero moment point to come inside.

    A body of one mass at height h, shifted by x, shifts its zero moment point by ``x - h/g x''``.

    Parameters
    ----------
    standing : Balance
        Where it is.
    allowed : float, metres
        How far outside it may stay.
    leg : float, metres
        Length of a leg.
    fps : float
        Frames per second.

    Returns
    -------
    array of shape (T, 2), metres
        Along x and z; 0 where the point is nowhere farther outside than allowed.
    """
    outside = np.nan_to_num(standing.distance, nan=1.0) < -allowed
    n = len(outside)
    if not outside.any():
        return np.zeros((n, 2))
    deep = np.where(outside, np.nan_to_num(-standing.distance) + MARGIN, 0.0)
    wanted = deep[:, None] * standing.polygons.inward(np.nan_to_num(standing.zmp))
    weight = np.where(outside, 1.0, np.where(np.isfinite(standing.distance), INSIDE, 0.0))
    one = scipy.sparse.eye_array(n)
    step = scipy.sparse.eye_array(n - 1, n, k=1) - scipy.sparse.eye_array(n - 1, n)
    second = -(step.T @ step) * fps**2
    moved = one - (HIGH * leg / GRAVITY) * second
    matrix = moved.T @ scipy.sparse.diags_array(weight) @ moved + SHIFT * one
    matrix = matrix + CHANGE * (second.T @ second) / GRAVITY**2
    pull = moved.T @ (weight[:, None] * wanted)
    return np.asarray(scipy.sparse.linalg.spsolve(matrix.tocsc(), pull))
