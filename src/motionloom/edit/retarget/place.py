"""Places: the body as far and as high as its legs are long, and the feet on the ground."""

from __future__ import annotations

import numpy as np

from motionloom.analysis.contacts import FootContacts, detect_contacts, estimate_ground
from motionloom.analysis.hinges import Hinge
from motionloom.analysis.soles import Soles, point_velocity
from motionloom.edit.footlock import find_legs
from motionloom.edit.limbs import solve_limb
from motionloom.edit.retarget._samples import sample_clips, standing
from motionloom.edit.retarget.captured import SIDES
from motionloom.edit.retarget.frames import RoleFrames
from motionloom.edit.root import move_body
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: So much standing, seconds, is enough to tell where the ground is.
ENOUGH = 0.5
#: Height in leg lengths over which feet come to count less by their height than their legs by their
#: direction.
NEAR = 0.08


def _between_hips(posed: PosedMotion) -> Array:
    """Point between the hip joints, shape (T, 3), metres."""
    joints = [posed.roles.joints[f"{side}_hip"] for side in SIDES]
    middle: Array = posed.positions[:, joints].mean(axis=1)
    return middle


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
    lowest: Array = (soles.positions(posed)[:, own, 1] - rest).min(axis=1)
    return lowest


def contacts_for(source: FootContacts, soles: Soles) -> FootContacts:
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
    return FootContacts(soles, np.column_stack(columns), 0.0)


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
    return estimate_ground(points[..., 1], speed, soles, posed.fps)


def find_contacts(posed: PosedMotion, soles: Soles) -> FootContacts:
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
    return detect_contacts(posed, soles=soles, ground=_find_ground(posed, soles))
