"""The neutral pose of a body: standing upright, arms hanging, feet flat, looking ahead.

It belongs to the skeleton and not to what somebody did in a clip: a person who bends the head all
through a clip has the same neutral pose as one who looks up. Most rest poses show it, whatever
arms and legs do in them. Others have all bones along one axis; there the axes of the joints say
how body parts lie, and a clip only which of the four directions about a bone is which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise, permutations, product

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.soles import leg_length
from motionloom.edit.limbs import swing_between
from motionloom.edit.retarget._samples import UP, farthest_end, rest_clip
from motionloom.edit.retarget.captured import LEAST_AHEAD, NO_LENGTH, SIDES
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.two_bones import unit
from motionloom.typing import Array, Bools

AHEAD = np.array([0.0, 0.0, 1.0])
#: An upright body is this near to an axis of its file's rest pose, or no axis is its vertical: the
#: rest poses of captured rigs are within 5 degrees, cosine of 15.
NEAR_AXIS = float(np.cos(np.radians(15.0)))
#: Height of ankles above the ground and above the ball of the foot, as a share of a leg: .079 of
#: people (Winter 2009), .07 to .10 of captured skeletons that show it.
ANKLE = 0.08
#: A bone is along an axis of its joint within this cosine: half a degree.
ALONG = float(np.cos(np.radians(0.5)))
#: All rotations that take axes to axes, shape (24, 3, 3).
_TURNS = np.array(
    [
        np.eye(3)[list(order)] * np.array(signs)[:, None]
        for order in permutations(range(3))
        for signs in product((1.0, -1.0), repeat=3)
    ]
)
_TURNS = _TURNS[np.linalg.det(_TURNS) > 0]


def stands_at_rest(skeleton: Skeleton, roles: Roles) -> bool:
    """Whether the rest pose of a skeleton is that of somebody who stands.

    Parameters
    ----------
    skeleton : Skeleton
        Its offsets are looked at.
    roles : Roles
        Which joint plays which part.

    Returns
    -------
    bool
    """
    try:
        rest_clip(skeleton, roles)
    except InvalidInputError:
        return False
    return True


def lies_along_axes(skeleton: Skeleton) -> bool:
    """Whether most bones lie along an axis of their joint, as programs write them.

    Parameters
    ----------
    skeleton : Skeleton
        Its offsets are looked at.

    Returns
    -------
    bool
    """
    lengths = np.linalg.norm(skeleton.offsets[1:], axis=-1)
    along = is_along_axis(skeleton.offsets[1:])
    long = lengths > NO_LENGTH
    return bool(np.sum(along & long) > 0.5 * np.sum(long))


def is_along_axis(bones: Array) -> Bools:
    """Whether bones (..., 3) lie along an axis of their joint."""
    return np.abs(bones).max(axis=-1) >= ALONG * np.linalg.norm(bones, axis=-1)


def stand_upright(skeleton: Skeleton, roles: Roles) -> PosedMotion:
    """The neutral pose of a person whose rest pose stands.

    Parameters
    ----------
    skeleton : Skeleton
        Whose rest pose it is.
    roles : Roles
        Which joint plays which part.

    Returns
    -------
    PosedMotion
        One frame: the rest pose with straight legs, hanging arms, and toes that point ahead. Feet
        keep their slope, and go along with shanks that stand apart.
    """
    axes = _upright_axes(skeleton, roles)
    rest = _posed(skeleton, roles, np.broadcast_to(axes, (skeleton.n_joints, 4)))
    places = rest.positions[0]
    turns: dict[int, Array] = {}
    for side in SIDES:
        for chain in (("hip", "knee", "foot"), ("shoulder", "elbow", "hand")):
            known = [roles.joint(f"{side}_{part}") for part in chain]
            for upper, lower in pairwise(known):
                end = _end_of_bone(rest, upper, lower)
                if upper is not None and end is not None:
                    turns[upper] = swing_between(unit(end - places[upper]), -UP)
        foot = roles.joint(f"{side}_foot")
        if foot is not None:
            turns[foot] = _stand_flat(rest, f"{side}_foot")
    posed = _posed(skeleton, roles, rot.multiply(_carried(skeleton, turns), axes))
    feet = [roles.joints[foot] for foot in roles.feet]
    # Toes of many skeletons are where bones end, not where soles are.
    low = ANKLE * leg_length(posed) - float(posed.positions[0, feet, 1].mean())
    return _raised(posed, max(low, 0.0))


def _raised(posed: PosedMotion, rise: float) -> PosedMotion:
    motion = posed.motion
    up = np.array([0.0, rise, 0.0])
    return posed.with_motion(replace(motion, translations=motion.translations + up))


def _upright_axes(skeleton: Skeleton, roles: Roles) -> Array:
    """Rotation that takes the rest pose to one that stands and faces ahead."""
    rest = rest_clip(skeleton, roles)
    stood: Array = rest.motion.rotations[0, 0]
    axes = rot.to_matrix(rot.conjugate(stood))
    feet = [roles.joints[f"{side}_foot"] for side in SIDES]
    line = rest.positions[0, [roles.joints[p] for p in _top(roles)]].mean(axis=0)
    line = rot.rotate(rot.conjugate(stood), unit(line - rest.positions[0, feet].mean(axis=0)))
    up = _nearest_axis(line)
    left = _nearest_axis(axes[:, 0] - (axes[:, 0] @ up) * up)
    return rot.from_matrix(np.stack([left, up, np.cross(left, up)]))


def _top(roles: Roles) -> list[str]:
    shoulders = [f"{side}_shoulder" for side in SIDES if f"{side}_shoulder" in roles.joints]
    return (
        shoulders
        or [r for r in ("neck", "head", "chest", "spine", "hips") if r in roles.joints][:1]
    )


def _nearest_axis(direction: Array) -> Array:
    """The axis of the file that a direction is near to; the direction itself where it is not."""
    direction = unit(direction)
    k = int(np.argmax(np.abs(direction)))
    if abs(direction[k]) < NEAR_AXIS:
        return direction
    return np.sign(direction[k]) * np.eye(3)[k]


def _end_of_bone(rest: PosedMotion, upper: int | None, lower: int | None) -> Array | None:
    """Where the bone below a joint ends: at a joint, else at an end site; in the world."""
    if upper is None:
        return None
    if lower is not None:
        end: Array = rest.positions[0, lower]
    else:
        far = farthest_end(rest.skeleton, upper)
        end = rest.positions[0, upper] + rot.rotate(rest.rotations[0, upper], far)
    return end if np.linalg.norm(end - rest.positions[0, upper]) > NO_LENGTH else None


def _stand_flat(rest: PosedMotion, foot: str) -> Array:
    """Turn of a foot in the rest pose that stands under a straight leg with its toe ahead."""
    places = rest.positions[0]
    ankle = rest.roles.joints[foot]
    knee = rest.roles.joint(foot.replace("foot", "knee"))
    shank = -UP if knee is None else places[ankle] - places[knee]
    aside = swing_between(unit(shank * [1.0, 1.0, 0.0]), -UP)
    toe = rest.roles.joint(foot.replace("foot", "toe"))
    end = _end_of_bone(rest, ankle, None if toe == ankle else toe)
    if end is None:
        return aside
    way = rot.rotate(aside, end - places[ankle])
    level = way * [1.0, 0.0, 1.0]
    if np.linalg.norm(level) < LEAST_AHEAD * np.linalg.norm(way):
        return aside
    return rot.multiply(swing_between(unit(level), AHEAD), aside)


def _carried(skeleton: Skeleton, turns: Mapping[int, Array]) -> Array:
    """World turns (J, 4) of all joints: of their own, else of the joint above."""
    world = np.empty((skeleton.n_joints, 4))
    for joint, parent in enumerate(skeleton.parents.tolist()):
        above = world[parent] if parent >= 0 else rot.identity()
        world[joint] = turns.get(joint, above)
    return world


def pose_of(
    skeleton: Skeleton,
    roles: Roles,
    joints: Mapping[str, int],
    frames: Mapping[str, Array],
    ankle: float,
) -> PosedMotion:
    """The pose in which all body parts are turned as those of somebody who stands.

    Parameters
    ----------
    skeleton : Skeleton
        Whose pose it is.
    roles : Roles
        Which joint plays which part.
    joints : mapping of str to int
        Joint of every part.
    frames : mapping of str to array of shape (4,)
        The part's axes in its joint.
    ankle : float, metres
        Height of the ankles.

    Returns
    -------
    PosedMotion
        One frame. Joints that are no part go along with the joint above.
    """
    turns = {joint: rot.conjugate(frames[part]) for part, joint in joints.items()}
    posed = _posed(skeleton, roles, _carried(skeleton, turns))
    feet = [roles.joints[foot] for foot in roles.feet]
    return _raised(posed, ankle - float(posed.positions[0, feet, 1].mean()))


def _posed(skeleton: Skeleton, roles: Roles, world: Array) -> PosedMotion:
    """One frame with these world rotations (J, 4), its lowest point at height 0."""
    parents = skeleton.parents
    above = np.where((parents >= 0)[:, None], world[parents], rot.identity())
    local = rot.multiply(rot.conjugate(above), world)[None]
    motion = Motion(skeleton, local, np.zeros((1, 1, 3)), 1.0, name="neutral")
    posed = PosedMotion(motion, roles)
    lowest = np.concatenate([posed.positions[0, :, 1], posed.end_sites[0, :, 1]]).min()
    return posed.with_motion(replace(motion, translations=np.array([[[0.0, -lowest, 0.0]]])))


def nearest_turn(frame: Array) -> Array:
    """The rotation that takes axes to axes nearest to another.

    Parameters
    ----------
    frame : array of shape (4,)
        A unit quaternion.

    Returns
    -------
    array of shape (4,)
    """
    matches = np.einsum("kij,ij->k", _TURNS, rot.to_matrix(frame))
    return rot.from_matrix(_TURNS[int(np.argmax(matches))])


def nearest_about(frame: Array, axis: str, bone: Array) -> Array:
    """Of four directions about a bone, set by its joint's axes, the one nearest to a frame.

    Parameters
    ----------
    frame : array of shape (4,)
        A unit quaternion: the part's axes in its joint, roughly.
    axis : str
        Which axis of the part lies along the bone: ``"x"`` or ``"y"``.
    bone : array of shape (3,)
        Its direction in the joint, exactly.

    Returns
    -------
    array of shape (4,)
    """
    k = "xyz".index(axis)
    along = unit(bone)
    across = np.eye(3)[int(np.argmin(np.abs(along)))]
    across = unit(across - (across @ along) * along)
    seen = rot.to_matrix(frame)
    turned = np.empty((4, 3, 3))
    turned[..., k] = along
    turned[..., (k + 1) % 3] = [across, np.cross(along, across), -across, -np.cross(along, across)]
    turned[..., (k + 2) % 3] = np.cross(along, turned[..., (k + 1) % 3])
    return rot.from_matrix(turned[np.argmax(np.sum(turned * seen, axis=(1, 2)))])
