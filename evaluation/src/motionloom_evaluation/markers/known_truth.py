"""Markers of known truth: put on a skeleton that moves, with skin that moves over it.

A subject is a motion's skeleton brought to a stature, with limbs a little longer or shorter, and 41
markers on it. Where these sit is taken from the built-in performer, not from the prototypes that
are to be tested, each misplaced at random. Soft tissue moves every marker with the turning of the
joints nearby, so that its error lasts and repeats with the motion.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from motionloom import rotations as rot
from motionloom.kinematics import forward_kinematics
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.performer import Performer, make_performer
from motionloom.performer.markers import marker_layout
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton

Array = NDArray[np.float64]

SIDES = ("left", "right")
#: Joints whose centres are compared.
CENTRES = (
    *(f"{s}_{part}" for s in SIDES for part in ("hip", "knee", "foot")),
    *(f"{s}_{part}" for s in SIDES for part in ("shoulder", "elbow", "hand")),
    "neck",
)
LEGS = CENTRES[:6]
#: Segments whose lengths are compared, by the roles of their ends.
SEGMENTS = {
    "thigh": ("hip", "knee"),
    "shank": ("knee", "foot"),
    "upper arm": ("shoulder", "elbow"),
    "forearm": ("elbow", "hand"),
}
#: Joints of the performer, and the roles that they play.
_ROLE_OF = {
    "Hips": "hips",
    "Spine1": "chest",
    "Spine2": "chest",
    "Head": "head",
    "Shoulder": "shoulder",
    "Arm": "shoulder",
    "ForeArm": "elbow",
    "Hand": "hand",
    "UpLeg": "hip",
    "Leg": "knee",
    "Foot": "foot",
}
#: Thigh and shank, and forearm, as shares of stature.
_LEG = 0.491
_FOREARM = 0.146
#: Standard deviations: of lengths among subjects (share), of where a marker is stuck (metres), of
#: cameras (metres).
_DIFFERS = 0.03
_MISPLACED = 0.005
_CAMERA = 0.0005
#: How far beside an elbow's centre its lateral epicondyle is marked, share of stature.
_EPICONDYLE = 0.024
#: Standard deviation (radians) of a hinge's bending from which its axis is told by the motion.
_BENDS = 0.08


@dataclass(frozen=True, eq=False)
class Subject:
    """Markers whose joint centres are known.

    Parameters
    ----------
    name : str
        For people.
    stature : float, metres
        Of the subject.
    markers : MarkerSequence
        41 markers.
    centres : mapping of str to array of shape (T, 3), metres
        By role.
    lengths : mapping of str to float, metres
        Such as ``"left thigh"``.
    motion : Motion
        The subject's true motion.
    """

    name: str
    stature: float
    markers: MarkerSequence
    centres: dict[str, Array]
    lengths: dict[str, float]
    motion: Motion


def make_subject(
    motion: Motion, stature: float, rng: np.random.Generator, soft_tissue: float = 0.005
) -> Subject:
    """Put markers on a motion's skeleton, brought to a stature.

    Parameters
    ----------
    motion : Motion
        Of a person, with legs, arms and neck.
    stature : float, metres
        Of the subject.
    rng : numpy Generator
        Decides lengths, places and how skin moves.
    soft_tissue : float, metres, optional
        Root mean square of the distance that skin moves a marker.

    Returns
    -------
    Subject
    """
    roles = find_roles(motion.skeleton)
    scale = stature * _LEG / leg_of(motion.skeleton, roles)
    own = _varied(_scaled(motion, scale), roles, stature, rng)
    pose = forward_kinematics(own)
    hinges = {
        part: _hinge(own, roles, part)
        for part in ("left_elbow", "right_elbow", "left_knee", "right_knee")
    }
    labels, joints, places = _layout(own.skeleton, roles, stature, hinges)
    places = places + rng.normal(0, _MISPLACED, places.shape)
    moved = _soft_tissue(own, joints, rng, soft_tissue)
    positions = pose.positions[:, joints] + rot.rotate(pose.rotations[:, joints], places + moved)
    positions += rng.normal(0, _CAMERA, positions.shape)
    markers = MarkerSequence(
        labels, positions, np.ones(positions.shape[:2], bool), own.frame_time, name=motion.name
    )
    centres = {role: pose.positions[:, roles.joints[role]] for role in CENTRES}
    return Subject(
        name=motion.name,
        stature=stature,
        markers=markers,
        centres=centres,
        lengths=lengths_between(centres),
        motion=own,
    )


def lengths_between(centres: dict[str, Array]) -> dict[str, float]:
    """Mean distances of joint centres, by segment and side."""
    found = {}
    for name, (top, end) in SEGMENTS.items():
        for side in SIDES:
            apart = centres[f"{side}_{top}"] - centres[f"{side}_{end}"]
            found[f"{side} {name}"] = float(np.nanmean(np.linalg.norm(apart, axis=-1)))
    return found


def leg_of(skeleton: Skeleton, roles: Roles) -> float:
    """Thigh and shank of the left leg, metres."""
    chain = skeleton.chain(roles.joints["left_foot"])
    below = [j for j in chain if j > roles.joints["left_hip"]]
    return float(np.linalg.norm(skeleton.offsets[below], axis=1).sum())


def _scaled(motion: Motion, scale: float) -> Motion:
    s = motion.skeleton
    skeleton = replace(s, offsets=s.offsets * scale, end_offsets=s.end_offsets * scale)
    return replace(motion, skeleton=skeleton, translations=motion.translations * scale)


def _varied(motion: Motion, roles: Roles, stature: float, rng: np.random.Generator) -> Motion:
    """Limbs and shoulders a little longer or shorter, both sides alike."""
    offsets = motion.skeleton.offsets.copy()
    for side in SIDES:  # some skeletons have a joint in the middle of the forearm for a wrist
        bone = offsets[roles.joints[f"{side}_hand"]]
        bone *= _FOREARM * stature / np.linalg.norm(bone)
    for part in ("knee", "foot", "elbow", "hand", "shoulder", "hip"):
        factor = 1 + _DIFFERS * rng.standard_normal()
        for side in SIDES:
            offsets[roles.joints[f"{side}_{part}"]] *= factor
    return replace(motion, skeleton=replace(motion.skeleton, offsets=offsets))


def _layout(
    skeleton: Skeleton, roles: Roles, stature: float, hinges: Mapping[str, Array | None]
) -> tuple[tuple[str, ...], NDArray[np.intp], Array]:
    """Labels, joints, and places in the joints' frames of the performer's markers on a skeleton."""
    performer = make_performer(stature)
    body = performer.skeleton
    rest = _rest(body)
    ours = _rest(skeleton)
    own_roles = find_roles(body)
    labels, joints, places = [], [], []
    for label, (joint, place) in _stuck(performer).items():
        at = rest[body.index(joint)] + place
        role, carrier, anchor = _carried(joint, roles, skeleton)
        end = _bone_end(role)
        away = at - _place_of(anchor, rest, own_roles)
        turn = _aligned(
            joint,
            _direction(role, end, rest, own_roles),
            _direction(role, end, ours, roles),
            hinges,
        )
        labels.append(label)
        joints.append(carrier)
        places.append(_place_of(anchor, ours, roles) + turn.apply(away) - ours[carrier])
    return tuple(labels), np.array(joints), np.array(places)


def _stuck(performer: Performer) -> dict[str, tuple[str, Array]]:
    """The performer's markers, those of the elbows on the axis that they bend about."""
    beside = np.array([0.0, _EPICONDYLE * performer.height, 0.0])
    return {
        label: (joint, beside if label[1:] == "ELB" else place)
        for label, (joint, place) in marker_layout(performer).items()
    }


def _hinge(motion: Motion, roles: Roles, role: str) -> Array | None:
    """Axis that an elbow or knee bends about, in the frame above it; None where it hardly bends."""
    turned = rot.to_rotvec(motion.rotations[:, roles.joints[role]])
    _, values, axes = np.linalg.svd(turned - turned.mean(axis=0), full_matrices=False)
    if values[0] < _BENDS * np.sqrt(len(turned)):
        return None
    most = turned[np.argmax(np.linalg.norm(turned, axis=1))]
    return np.asarray(axes[0] * np.sign(axes[0] @ most))


def _aligned(
    joint: str, before: Array, after: Array, hinges: Mapping[str, Array | None]
) -> Rotation:
    """Turn from the performer's segment to another's: bone on bone, and in limbs hinge on hinge."""
    side = "left" if joint.startswith("Left") else "right"
    arm = joint.removeprefix("Left").removeprefix("Right") in ("Arm", "ForeArm")
    leg = joint.removeprefix("Left").removeprefix("Right") in ("UpLeg", "Leg")
    hinge = hinges[f"{side}_{'elbow' if arm else 'knee'}"] if arm or leg else None
    if hinge is None:
        return Rotation.align_vectors(after[None], before[None])[0]
    sign = -1.0 if side == "left" else 1.0
    own = np.array([0.0, sign, 0.0]) if arm else np.array([1.0, 0.0, 0.0])
    return Rotation.align_vectors([after, hinge], [before, own], weights=[1e6, 1.0])[0]


def _carried(joint: str, roles: Roles, skeleton: Skeleton) -> tuple[str, int, str]:
    """Role of a performer's joint, the joint that plays it, and the role that places are measured
    from.
    """
    side = next((s for s in SIDES if joint.lower().startswith(s)), "")
    part = joint[len(side) :]
    role = f"{side}_{_ROLE_OF[part]}" if side else _ROLE_OF[part]
    if part == "Shoulder":
        return role, int(skeleton.parents[roles.joints[role]]), role
    anchor = {"hips": "hips middle", "chest": "neck"}.get(role, role)
    return role, roles.joints[role], anchor


def _bone_end(role: str) -> str:
    """Role at the other end of the bone that a role's joint turns; nothing where it has none."""
    side, _, part = role.partition("_")
    ends = {"hip": "knee", "knee": "foot", "foot": "toe", "shoulder": "elbow", "elbow": "hand"}
    return f"{side}_{ends[part]}" if part in ends else ""


def _rest(skeleton: Skeleton) -> Array:
    places = np.zeros_like(skeleton.offsets)
    for j in range(1, skeleton.n_joints):
        places[j] = places[skeleton.parents[j]] + skeleton.offsets[j]
    return places


def _place_of(anchor: str, rest: Array, roles: Roles) -> Array:
    if anchor == "hips middle":
        hips = [rest[roles.joints[f"{side}_hip"]] for side in SIDES]
        return np.asarray(np.mean(hips, axis=0))
    return np.asarray(rest[roles.joints[anchor]])


def _direction(role: str, end: str, rest: Array, roles: Roles) -> Array:
    if not end or end not in roles.joints:
        return np.array([0.0, 1.0, 0.0])
    bone = rest[roles.joints[end]] - rest[roles.joints[role]]
    return np.asarray(bone / np.linalg.norm(bone))


def _soft_tissue(
    motion: Motion, joints: NDArray[np.intp], rng: np.random.Generator, size: float
) -> Array:
    """How skin moves each marker in its joint's frame, shape (T, M, 3): with how its own joint and
    those below it turn.
    """
    turned = rot.to_rotvec(motion.rotations)
    turned = turned - turned.mean(axis=0)
    found = np.empty((motion.n_frames, len(joints), 3))
    for m, joint in enumerate(joints):
        near = [int(joint), *motion.skeleton.children[int(joint)]]
        near = [j for j in near if j > 0] or [int(joint)]
        features = turned[:, near].reshape(motion.n_frames, -1)
        moved = features @ rng.standard_normal((features.shape[1], 3))
        root_mean_square = np.sqrt(np.mean(np.sum(moved**2, axis=1)))
        found[:, m] = moved * (size / max(root_mean_square, 1e-9))
    return found
