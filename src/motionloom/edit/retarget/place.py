"""Places: the body as far and as high as its legs are long, and the feet on the ground."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis import contacts as contacts_of
from motionloom.analysis.hinges import Hinge, find_limbs
from motionloom.analysis.soles import Soles, point_velocity
from motionloom.curves import smoothstep
from motionloom.edit.banded import bands, solve, step_rhs
from motionloom.edit.foot_tracks import taper
from motionloom.edit.footlock import find_legs
from motionloom.edit.limbs import solve_limb, swing_between, turn_joints
from motionloom.edit.retarget._samples import farthest_end, sample_clips, standing
from motionloom.edit.retarget.captured import SIDES
from motionloom.edit.retarget.frames import RoleFrames
from motionloom.edit.root import move_body
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.two_bones import unit
from motionloom.typing import Array, Bools

#: So much standing, seconds, is enough to tell where the ground is.
ENOUGH = 0.5
#: Height in leg lengths over which feet come to count less by their height than their legs by their
#: direction.
NEAR = 0.08


def _between_hips(posed: PosedMotion) -> Array:
    """Point between the hip joints, shape (T, 3), metres."""
    joints = [posed.roles.joints[f"{side}_hip"] for side in SIDES]
    return posed.positions[:, joints].mean(axis=1)


def place_root(
    carried: PosedMotion, source: PosedMotion, own: RoleFrames, target: RoleFrames, ground: float
) -> PosedMotion:
    """Move the body as the source moves, scaled by the length of the legs.

    Parameters
    ----------
    carried : PosedMotion
        The target in the source's poses.
    source : PosedMotion
        The motion.
    own, target : RoleFrames
        Of both skeletons.
    ground : float, metres
        Height of the ground below the source.

    Returns
    -------
    PosedMotion
        Above a ground at height 0. What the ankles of the two differ in height, besides scale, is
        added while the body stands, and less of it the lower the hips are.
    """
    ratio = target.leg / own.leg
    hips = _between_hips(source) - [0.0, ground, 0.0]
    standing = np.clip(hips[:, 1] / own.leg, 0.0, 1.0)
    gap = float(np.mean(list(target.ankles.values()))) - ratio * float(
        np.mean(list(own.seen.ankles.values()))
    )
    wanted = ratio * hips
    wanted[:, 1] += gap * standing
    return move_body(carried, wanted - _between_hips(carried))


def place_legs(
    placed: PosedMotion,
    source: PosedMotion,
    own: RoleFrames,
    target: RoleFrames,
    hinges: dict[str, Hinge],
    ground: float,
) -> PosedMotion:
    """Put the feet as far above the ground as the source's are.

    Parameters
    ----------
    placed : PosedMotion
        The target, with its root in place.
    source : PosedMotion
        The motion.
    own, target : RoleFrames
        Of both skeletons.
    hinges : dict of str to Hinge
        How far the target's limbs may bend, by the role of their tip.
    ground : float, metres
        Height of the ground below the source.

    Returns
    -------
    PosedMotion
        Near the ground the lowest point of each sole is as high as the source's, scaled; high above
        it legs keep their directions.
    """
    theirs = find_legs(source.roles)
    local: dict[int, Array] = {}
    for foot, leg in find_legs(placed.roles).items():
        if foot not in theirs:
            continue
        goal = placed.positions[:, leg.tip].copy()
        low = (_lowest_of(source, own.seen.soles, foot) - ground) * target.leg / own.leg
        gap = low - _lowest_of(placed, target.soles, foot)
        goal[:, 1] += gap * np.exp(-((low / (NEAR * target.leg)) ** 2))
        local |= solve_limb(placed, leg, goal, placed.rotations[:, leg.tip], hinges.get(foot))
    return placed.with_local(local)


def _lowest_of(posed: PosedMotion, soles: Soles, foot: str) -> Array:
    """Height of a sole's lowest point above where it rests, shape (T,), metres, in the world."""
    own = list(soles.of(foot))
    rest = np.array([soles.points[i].rest for i in own])
    return (soles.positions(posed)[:, own, 1] - rest).min(axis=1)


def contacts_for(source: contacts_of.FootContacts, soles: Soles) -> contacts_of.FootContacts:
    """The contacts of one body as those of another.

    Parameters
    ----------
    source : FootContacts
        Of the body that was captured.
    soles : Soles
        Of the other body.

    Returns
    -------
    FootContacts
        Above a ground at height 0. A toe that the source does not have bears on the ground whenever
        its foot does, and a heel that it does not have never.
    """
    known = {(p.foot, p.part): k for k, p in enumerate(source.soles.points)}
    feet = source.by_foot()
    none = np.zeros(len(source.down), bool)
    columns = []
    for point in soles.points:
        column = known.get((point.foot, point.part))
        if column is None and (point.foot, "toe") in known:
            # Of a paw, and of who stands on the toes, nothing else is known to be down.
            columns.append(none)
            continue
        columns.append(feet.get(point.foot, none) if column is None else source.down[:, column])
    return contacts_of.FootContacts(soles, np.column_stack(columns), 0.0)


def _find_ground(posed: PosedMotion, soles: Soles) -> float:
    """Height of the ground under a motion.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    soles : Soles
        Of its skeleton.

    Returns
    -------
    float, metres
        Where the soles rest while the body stands; the soles' own ground where it hardly does.
    """
    stands = standing(sample_clips([posed], most=posed.n_frames)) > 0.5
    if stands.sum() < ENOUGH * posed.fps:
        return soles.ground
    points = soles.positions(posed)
    speed = np.linalg.norm(point_velocity(points, posed.fps), axis=-1) / soles.leg
    speed[~stands] = np.inf
    return contacts_of.estimate_ground(points[..., 1], speed, soles, posed.fps)


def find_contacts(posed: PosedMotion, soles: Soles) -> contacts_of.FootContacts:
    """Contacts of the feet with the ground that `_find_ground` finds.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    soles : Soles
        Of its skeleton.

    Returns
    -------
    FootContacts
    """
    return contacts_of.detect_contacts(posed, soles=soles, ground=_find_ground(posed, soles))


#: Roles that may bear on the ground besides the feet.
PARTS = tuple(
    f"{side}_{part}" for side in ("left", "right") for part in ("knee", "hand", "elbow", "hip")
)
#: Height below which a joint bears on the ground, to enter and to leave, in leg lengths.
LOW = (0.13, 0.17)
#: Speed below which it does, in leg lengths per second.
SLOW = (0.2, 0.35)
#: Time over which a correction grows and fades, seconds.
FADE = 0.2
#: Time over which a hand takes hold and lets go, seconds.
EDGE = 0.1
#: Speed below which a hand on the ground is meant to rest, metres per second.
RESTING = 0.12
#: Weight of a hand's height and rest on the ground against the size of its correction.
HOLD = 3e4
#: Hands shorter than this have no direction, metres.
SHORT = 0.03
#: Fingers on the ground are this high, metres.
THICK = 0.01
#: Weight of a body that stays at its height, against that of a part that bears on the ground.
STAY = 0.02


@dataclass(frozen=True, eq=False)
class Supports:
    """What bears on the ground besides the feet.

    Parameters
    ----------
    down : mapping of str to bool array of shape (T,)
        By role; those that never bear on the ground are not there.
    heights : mapping of str to array of shape (T,), metres
        How high the target's joint shall be then.
    """

    down: Mapping[str, Bools]
    heights: Mapping[str, Array]


def find_supports(
    source: PosedMotion, own: RoleFrames, target: RoleFrames, ground: float
) -> Supports:
    """Find knees, hands, elbows and hips of the source that bear on the ground.

    Parameters
    ----------
    source : PosedMotion
        The motion.
    own, target : RoleFrames
        Of its skeleton and of the one that it goes to.
    ground : float, metres
        Height of the ground below the source.

    Returns
    -------
    Supports
        Of roles that both have; the front legs of animals are feet.
    """
    down: dict[str, Bools] = {}
    heights: dict[str, Array] = {}
    known = target.joints.keys() & source.roles.joints.keys()
    for role in (r for r in PARTS if r in known and source.roles.kind != "quadruped"):
        places = source.positions[:, source.roles.joints[role]]
        height = places[:, 1] - ground
        speed = np.linalg.norm(point_velocity(places, source.fps), axis=-1)
        enters, stays = (
            (height < low * own.leg) & (speed < slow * own.leg)
            for low, slow in zip(LOW, SLOW, strict=True)
        )
        bears = contacts_of.contact_runs(stays, enters, source.fps)
        if bears.any():
            down[role] = bears
            heights[role] = height * target.leg / own.leg
    return Supports(down, heights)


def lower_body(placed: PosedMotion, supports: Supports) -> PosedMotion:
    """Raise or lower the whole body so that knees and hips that bear on the ground touch it.

    Parameters
    ----------
    placed : PosedMotion
        The target in the source's poses, with its root in place.
    supports : Supports
        What bears on the ground.

    Returns
    -------
    PosedMotion
    """
    weight = np.full(placed.n_frames, STAY)
    pull = np.zeros(placed.n_frames)
    for role, bears in supports.down.items():
        if role.endswith(("knee", "hip")):
            held = taper(bears, FADE * placed.fps)
            now = placed.positions[:, placed.roles.joints[role], 1]
            weight += held
            pull += held * (supports.heights[role] - now)
    if not pull.any():
        return placed
    rise = solve(bands(weight, np.zeros(len(weight) - 1), (FADE * placed.fps) ** 4), pull)
    return move_body(placed, rise[:, None] * [0.0, 1.0, 0.0])


def place_knees(kneeling: PosedMotion, legged: PosedMotion, supports: Supports) -> PosedMotion:
    """Put knees on the ground, with the shanks going on to where the ankles are.

    Parameters
    ----------
    kneeling : PosedMotion
        The target in the source's poses.
    legged : PosedMotion
        The same with its feet in place.
    supports : Supports
        What bears on the ground.

    Returns
    -------
    PosedMotion
        As `legged` where no knee bears on the ground.
    """
    local: dict[int, Array] = {}
    for foot, leg in find_legs(legged.roles).items():
        role = foot.replace("foot", "knee")
        if role in supports.down:
            share = smoothstep(taper(supports.down[role], FADE * legged.fps))
            knelt = _knelt(kneeling, legged, leg, supports.heights[role])
            for joint, turned in knelt.items():
                local[joint] = rot.slerp(legged.motion.rotations[:, joint], turned, share)
    return legged.with_local(local)


def _knelt(
    kneeling: PosedMotion, legged: PosedMotion, leg: Limb, height: Array
) -> dict[int, Array]:
    """Local rotations of a leg whose knee is at a height and whose ankle is as high as it is."""
    hip, knee, ankle = (kneeling.positions[:, j] for j in (leg.root, leg.middle, leg.tip))
    goal = legged.positions[:, leg.tip]
    new_knee = _at_height(hip, knee, height)
    thigh = swing_between(unit(knee - hip), unit(new_knee - hip))
    shank = np.linalg.norm(ankle - knee, axis=-1, keepdims=True)
    new_ankle = _at_height(new_knee, new_knee + shank * unit(goal - new_knee), goal[:, 1])
    turn = swing_between(unit(ankle - knee), unit(new_ankle - new_knee))
    world = {
        leg.root: rot.multiply(thigh, kneeling.rotations[:, leg.root]),
        leg.middle: rot.multiply(turn, kneeling.rotations[:, leg.middle]),
        leg.tip: legged.rotations[:, leg.tip],
    }
    return turn_joints(kneeling, leg, world)


def _at_height(center: Array, point: Array, height: Array) -> Array:
    """A point moved to a height about a centre, as near to where it was as can be, (T, 3)."""
    way = point - center
    length = np.linalg.norm(way, axis=-1)
    up = np.clip(height - center[:, 1], -length, length)
    level = way * [1.0, 0.0, 1.0]
    across = np.sqrt(length**2 - up**2)
    moved: Array = unit(level) * across[:, None]
    moved[:, 1] = up
    moved += center
    return moved


def place_hands(
    locked: PosedMotion, supports: Supports, hinges: Mapping[str, Hinge]
) -> PosedMotion:
    """Put hands and forearms that bear on the ground there, and keep them where they are put.

    Parameters
    ----------
    locked : PosedMotion
        The target with body and feet in place.
    supports : Supports
        What bears on the ground.
    hinges : mapping of str to Hinge
        How far the elbows may bend, by the role of the hand.

    Returns
    -------
    PosedMotion
    """
    local: dict[int, Array] = {}
    for role, limb in find_limbs(locked.roles).items():
        if role not in supports.down or role in locked.roles.feet:
            continue
        now = locked.positions[:, limb.tip]
        goal = now + _shift_of_hand(now, supports, role, locked.fps)
        turned = _level_hand(locked, limb.tip, goal)
        local |= solve_limb(locked, limb, goal, turned, hinges.get(role))
    return locked.with_local(local)


def _level_hand(locked: PosedMotion, hand: int, wrist: Array) -> Array:
    """World rotations (T, 4) of a hand whose fingers do not go through the ground."""
    turned: Array = locked.rotations[:, hand]
    reach = _fingers(locked, hand)
    if np.linalg.norm(reach) < SHORT:
        return turned
    way = rot.rotate(turned, reach)
    # Where the wrist itself is lower, the hand is level.
    lowest = np.minimum(wrist[:, 1], THICK)
    raised = _at_height(wrist, wrist + way, np.maximum(wrist[:, 1] + way[:, 1], lowest))
    return rot.multiply(swing_between(unit(way), unit(raised - wrist)), turned)


def _fingers(locked: PosedMotion, hand: int) -> Array:
    """Where the fingers of a hand end, in its axes, (3,), metres: as joints or as an end site."""
    back = rot.conjugate(locked.rotations[:, hand])
    ends = []
    for joint in locked.skeleton.descendants(hand):
        far = rot.rotate(locked.rotations[:, joint], farthest_end(locked.skeleton, joint))
        way = locked.positions[:, joint] + far - locked.positions[:, hand]
        ends.append(rot.rotate(back, way).mean(axis=0))
    return max(ends, key=lambda end: float(np.linalg.norm(end)))


def _shift_of_hand(now: Array, supports: Supports, role: str, fps: float) -> Array:
    """How a hand is taken to the ground and held there, shape (T, 3), metres."""
    held = taper(supports.down[role], EDGE * fps)
    rest = held * (np.linalg.norm(point_velocity(now, fps), axis=-1) < RESTING)
    still = HOLD * np.minimum(rest[1:], rest[:-1])
    bend = (FADE * fps) ** 4
    steps = step_rhs(-still[:, None] * np.diff(now, axis=0))
    shift: Array = solve(bands(np.ones(len(now)), still, bend), steps)
    up = HOLD * held
    none = np.zeros(len(now) - 1)
    shift[:, 1] = solve(bands(1.0 + up, none, bend), up * (supports.heights[role] - now[:, 1]))
    return shift
