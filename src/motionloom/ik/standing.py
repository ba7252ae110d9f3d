"""Feet that stay where they stand, and the centre of mass over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.ik._body import floor_of, mass_of
from motionloom.ik.placing import Placing, world_pose
from motionloom.ik.problem import LEVER, Target
from motionloom.kinematics import WorldPose
from motionloom.polygons import convex_hull, distance_outside, nearest_on_outline
from motionloom.spaces.pose_space import PoseSpace
from motionloom.typing import Array

#: A foot stands where one of its points is this near to as low as it comes, metres.
_STANDS = 0.05
#: How much more a planted foot counts than a target, where not all can be met.
_PLANTED = 10.0
#: Standard deviation of a planted sole from flat, and of one that is put somewhere, radians.
_SOLE, _STEPPING = np.radians(8.0), np.radians(20.0)
#: Standard deviation of the centre of mass from above the middle of the feet, metres.
_SWAY = 0.06
#: How far inside the feet the centre of mass is kept, as a share of the way to their middle.
_INSIDE = 0.2


@dataclass(frozen=True, eq=False)
class Footwork:
    """What is asked of a body so that it stands.

    Parameters
    ----------
    planted : tuple of Target
        Feet that stay.
    wishes : tuple of Target
        How soles and the centre of mass should be; neither has to be met.
    support : array of shape (M, 2), metres
        Corners (x, z) of what the body will stand on; empty where that is nothing.
    """

    planted: tuple[Target, ...]
    wishes: tuple[Target, ...]
    support: Array


def heights_above_floor(space: PoseSpace, world: WorldPose, floor: float = 0.0) -> Array:
    """How much higher every joint and end site is than it has to be, metres.

    Parameters
    ----------
    space : PoseSpace
        Knows how low each comes.
    world : WorldPose
        Kinematics of one frame.
    floor : float, metres
        Height of the floor.

    Returns
    -------
    array of shape (M,)
        Below 0 for what is in the floor.
    """
    points = floor_of(space)
    turned = rot.rotate(world.rotations[0, points.joint], points.local)
    return (world.positions[0, points.joint] + turned)[:, 1] - points.clearance - floor


def plan_footwork(
    space: PoseSpace,
    pose: Array,
    placing: Placing,
    targets: Sequence[Target],
    *,
    planted: bool = True,
    balanced: bool = True,
) -> Footwork:
    """What keeps a body on its feet while other targets are met.

    Parameters
    ----------
    space : PoseSpace
        Gives skeleton, roles, and how feet stand.
    pose : array of shape (P,), radians
        Where the body begins.
    placing : Placing
        Of its root in coordinates of the floor.
    targets : sequence of Target
        What is asked; a foot whose place is asked for is not planted.
    planted : bool
        Whether feet that stand on the floor stay.
    balanced : bool
        Whether the centre of mass should be over the feet.

    Returns
    -------
    Footwork
        In coordinates of the floor.
    """
    world = world_pose(space, pose, placing)
    places = world.positions[0]
    kept: list[Target] = []
    wishes: list[Target] = []
    support: list[Array] = []
    before: list[Array] = []
    for joints in _feet(space):
        foot = joints[0]
        asked = {t.kind: t for t in targets if t.joint == foot}
        height = min(places[j, 1] - space.footing.clearance[j] for j in joints)
        before += [places[j] for j in joints] if height < _STANDS else []
        moved = "position" in asked
        shift = np.asarray(asked["position"].value) - places[foot] if moved else np.zeros(3)
        stands = height + shift[1] < _STANDS
        if stands and planted and not moved:
            kept.append(Target(foot, "position", places[foot], weight=_PLANTED, priority=0))
        if stands:
            support += [places[j] + shift for j in joints]
            if "orientation" not in asked and planted:
                sole = _STEPPING if moved else _SOLE
                turn = world.rotations[0, foot]
                wishes.append(Target(foot, "orientation", turn, wish=LEVER * sole))
    corners = _corners(support)
    if balanced and len(corners) and mass_of(space).any():
        mass = centre_of_mass(space, world)[[0, 2]]
        own = _corners(before)
        # Who walks is not over the feet; who stands stays as far as that is over them.
        if len(own) and distance_outside(own, mass) < _STANDS:
            over = distance_outside(corners, mass) < _STANDS
            place = mass if over else 0.5 * (corners.min(axis=0) + corners.max(axis=0))
            wishes.append(balance_target(space, place, wish=_SWAY))
    return Footwork(tuple(kept), tuple(wishes), corners)


def _corners(points: Sequence[Array]) -> Array:
    """Corners (x, z) of what points stand on, counterclockwise, metres."""
    return convex_hull(np.array(points)[:, [0, 2]]) if points else np.zeros((0, 2))


def balance_target(space: PoseSpace, place: Array, wish: float = 0.0) -> Target:
    """The centre of mass above a place (x, z) of the floor.

    Parameters
    ----------
    space : PoseSpace
        Gives the root.
    place : array of shape (2,), metres
        In coordinates of the floor.
    wish : float, metres
        As of `Target`.
    """
    above = np.array([place[0], 0.0, place[1]])
    return Target(space.coordinates.root, "balance", above, wish=wish, priority=0)


def balanced_place(corners: Array, place: Array) -> Array | None:
    """The nearest place that is safely inside what a body stands on; None where a place is.

    Parameters
    ----------
    corners : array of shape (M, 2), metres
        Of a convex polygon, counterclockwise as `convex_hull` has it.
    place : array of shape (2,), metres
        Of the centre of mass.
    """
    middle = corners.mean(axis=0)
    inner = middle + (1.0 - _INSIDE) * (corners - middle)
    if distance_outside(inner, place) < 0:
        return None
    return nearest_on_outline(inner, place)


def centre_of_mass(space: PoseSpace, world: WorldPose) -> Array:
    """Centre of mass (3,) of the first frame, metres."""
    return np.asarray(mass_of(space) @ world.positions[0], float)


def _feet(space: PoseSpace) -> list[list[int]]:
    """Joints of every foot: the ankle, then what is below it."""
    joints = space.roles.joints
    ankles = [joints[r] for r in ("left_foot", "right_foot") if r in joints]
    if space.roles.kind == "quadruped":
        ankles += [joints[r] for r in ("left_hand", "right_hand") if r in joints]
    below = space.coordinates.skeleton.descendants
    return [[a, *(j for j in below(a) if j != a)] for a in ankles]
