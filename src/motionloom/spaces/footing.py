"""How a body stands over its floor: height and tilt of its root, how low its points come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom import rotations as rot
from motionloom.declared import LENGTH, NORMALIZED, NUMBER, Shape, below
from motionloom.kinematics import WorldPose, compute_facing, end_site_positions, forward_kinematics
from motionloom.motion import Motion
from motionloom.roles import Roles
from motionloom.spaces.pose_coordinates import RATE, PoseCoordinates, thin
from motionloom.typing import Array

#: Numbers of the root beside a pose: its place (metres) and a rotation vector.
ROOT_NUMBERS = 6
#: A floor nearer than this to zero is at zero: no file has its floor under the skin, metres.
_AT_ZERO = 0.12
#: Share of a clip's frames whose lowest point may be below its floor.
_BELOW = 0.1
#: Quantile of captured heights that a point is kept above, and the most that it can be kept above
#: by role: half the thickness of the flesh around it, metres.
_LOWEST = 0.005
_FLESH = {"foot": 0.12, "toe": 0.04, "hips": 0.08, "hip": 0.08, "spine": 0.08, "chest": 0.08}
_LEAST_FLESH = 0.03
#: Height of points that are kept above nothing, metres.
NOWHERE = -1000.0
#: Hands hang up to this share of the height of the hips above those.
_HANGING = 0.1
#: A foot is flat where its joints are this near to the lowest that they usually are, metres; people
#: stand where their hips are this high, as a share of the highest, and their feet this near to each
#: other, as a share of the height of the hips.
_FLAT, _STRAIGHT, _BESIDE = 0.025, 0.92, 0.45


@dataclass(frozen=True, eq=False)
class Footing:
    """How captured bodies stood over their floors.

    Parameters
    ----------
    left : array of shape (3,)
        Direction to the body's left in the root's frame.
    upright : array of shape (4,)
        Mean rotation (w, x, y, z) of the root of a body that faces +Z.
    root : array of shape (N, 6)
        Of every captured pose: place of the root above the floor (0, height, 0), metres, and the
        rotation vector from `upright` to its rotation, turned to face +Z.
    clearance : array of shape (J + E,), metres
        How high above the floor every joint and end site stays; `NOWHERE` for what is no part of
        the body.
    standing : int
        The most neutral captured pose with both feet flat on the floor.
    """

    left: Annotated[Array, Shape(3), NORMALIZED]
    upright: Annotated[Array, Shape(4), NORMALIZED]
    root: Annotated[Array, Shape("N", ROOT_NUMBERS), NUMBER]
    clearance: Annotated[Array, Shape("q"), LENGTH]
    standing: Annotated[int, below("N")]

    def facing(self, rotation: Array) -> Array:
        """Direction in which the hips face, radians, of rotations (..., 4) of the root."""
        left = rot.rotate(rotation, self.left)
        return np.arctan2(-left[..., 2], left[..., 0])

    def tilt(self, rotation: Array) -> Array:
        """Rotation vectors (..., 3) from `upright` to rotations (..., 4) of the root."""
        return rot.to_rotvec(rot.multiply(rotation, rot.conjugate(self.upright)))


def gather_footing(
    coordinates: PoseCoordinates, motions: Sequence[Motion], roles: Roles
) -> Footing:
    """Learn how bodies stand from captures.

    Parameters
    ----------
    coordinates : PoseCoordinates
        Gives the joint that the body hangs on.
    motions : sequence of Motion
        The captures; each has one floor.
    roles : Roles
        Tell left from right, and feet from hands.

    Returns
    -------
    Footing
    """
    root = coordinates.root
    worlds = []
    heights = []
    for motion in (thin(m, RATE) for m in motions):
        world = forward_kinematics(motion)
        points = np.concatenate([world.positions, end_site_positions(motion, world)], axis=1)
        worlds.append(world)
        heights.append(points[..., 1] - floor_height(points[..., 1]))
    turn = np.concatenate([w.rotations[:, root] for w in worlds])
    ahead = np.concatenate([facing_of(w, roles) for w in worlds])
    away = rot.conjugate(rot.yaw(ahead))
    left = rot.rotate(rot.conjugate(turn), rot.rotate(rot.yaw(ahead), [1.0, 0.0, 0.0])).mean(axis=0)
    height = np.concatenate(heights)
    footing = Footing(
        left / np.linalg.norm(left),
        rot.mean(rot.multiply(away, turn)),
        np.zeros((len(turn), ROOT_NUMBERS)),
        _clearance(coordinates, roles, height),
        _standing(coordinates, roles, worlds, height),
    )
    turned = rot.multiply(rot.conjugate(rot.yaw(footing.facing(turn))), turn)
    footing.root[:, 1] = height[:, root]
    footing.root[:, 3:] = footing.tilt(turned)
    return footing


def facing_of(world: WorldPose, roles: Roles) -> Array:
    """Direction in which the hips face in every frame, radians.

    Unless the roles name a forward axis, a human's hip joints alone tell it, so that a twist of the
    trunk makes no difference; the shoulders count only where a hip joint has no role.

    Parameters
    ----------
    world : WorldPose
        Kinematics.
    roles : Roles
        Of the joints.

    Returns
    -------
    array of shape (T,)

    Examples
    --------
    >>> np.degrees(facing_of(posed.world, posed.roles)).round()[:2] + 0.0
    array([0., 0.])
    """
    if {"left_hip", "right_hip"} <= roles.joints.keys():
        kept = {name: joint for name, joint in roles.joints.items() if "shoulder" not in name}
        roles = Roles(kept, roles.kind, roles.forward)
    return compute_facing(world, roles)


def floor_height(heights: Array) -> float:
    """Height of the floor under a clip: what nearly all of its lowest points are above.

    Parameters
    ----------
    heights : array of shape (T, M), metres
        Of all points of the body.

    Returns
    -------
    float, metres
        0 where that is about it.
    """
    lowest = float(np.quantile(heights.min(axis=1), _BELOW))
    return 0.0 if abs(lowest) < _AT_ZERO else lowest


def _clearance(coordinates: PoseCoordinates, roles: Roles, heights: Array) -> Array:
    """How high every joint and end site is kept: as captured, but at most the flesh around it."""
    skeleton = coordinates.skeleton
    flesh = np.full(heights.shape[1], _LEAST_FLESH)
    for role, joint in roles.joints.items():
        flesh[joint] = _FLESH.get(role.split("_")[-1], _LEAST_FLESH)
    for joint in skeleton.chain(coordinates.root)[:-1]:
        flesh[joint] = NOWHERE
    return np.minimum(flesh, np.maximum(np.quantile(heights, _LOWEST, axis=0), 0.0))


def _standing(
    coordinates: PoseCoordinates, roles: Roles, worlds: Sequence[WorldPose], heights: Array
) -> int:
    """The most neutral captured pose with both feet flat and hands that hang: that in the middle of
    all such poses.

    Where there are few of them, the nearest to it.
    """
    joints = roles.joints
    feet = [j for r, j in joints.items() if r.split("_")[-1] in ("foot", "toe")]
    places = np.concatenate([w.positions for w in worlds])
    usual = np.quantile(heights[:, feet], 0.25, axis=0)
    lifted = np.maximum(heights[:, feet] - usual, 0.0).max(axis=1, initial=0.0) / _FLAT
    hips = heights[:, roles.joints["hips"]]
    bent = np.maximum(_STRAIGHT - hips / np.quantile(hips, 0.98), 0.0) / (1 - _STRAIGHT)
    ankles = [roles.joints[r] for r in ("left_foot", "right_foot") if r in roles.joints]
    ground = places[:, ankles][..., [0, 2]]
    apart = np.linalg.norm(ground[:, 0] - ground[:, -1], axis=-1) if ankles else np.zeros(len(hips))
    apart = np.maximum(apart / np.maximum(_BESIDE * hips, 1e-6) - 1.0, 0.0)
    hands = [joints[r] for r in ("left_hand", "right_hand") if r in joints]
    raised = heights[:, hands].max(axis=1, initial=-np.inf) - (1.0 + _HANGING) * hips
    raised = np.maximum(raised, 0.0) / np.maximum(_HANGING * hips, 1e-6)
    doubt = np.maximum(lifted - 1.0, 0.0) + bent + apart + raised
    few = max(len(doubt) // 200, 3)
    chosen = np.flatnonzero(doubt <= np.partition(doubt, few - 1)[few - 1])
    # Turned to face the same way, by the place of every joint relative to the hips.
    ahead = np.concatenate([facing_of(w, roles) for w in worlds])[chosen]
    own = places[chosen] - places[chosen][:, [coordinates.root]]
    own = rot.rotate(rot.yaw(-ahead)[:, None], own)
    away = np.linalg.norm(own - np.median(own, axis=0), axis=-1).sum(axis=-1)
    return int(chosen[np.argmin(away)])
