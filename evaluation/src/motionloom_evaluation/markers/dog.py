"""Markers on dogs whose skeletons are known.

Each marker is stuck beside a joint or between two of the clip's own skeleton, in the frame in which
the dog stands tallest: to the outside, upwards, ahead. These distances are not those of the
prototype that is to be tested.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.kinematics import WorldPose, end_site_positions, forward_kinematics
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion

Array = NDArray[np.float64]

#: Joints of the clips of dogs, and where markers sit about them: joint, the next joint on the way
#: to which the marker sits, how far on the way, and outside, up, ahead in metres.
_MIDDLE = {
    "HEAD_TOP": ("Head", "", 0.0, (0.0, 0.05, 0.03)),
    "NOSE": ("Head", "tip", 0.9, (0.0, 0.01, 0.0)),
    "NECK": ("Neck", "", 0.0, (0.0, 0.055, 0.01)),
    "WITHERS": ("Spine1", "Neck", 0.9, (0.0, 0.06, 0.0)),
    "BREASTBONE": ("Spine1", "Neck", 0.8, (0.0, -0.09, 0.0)),
    "BACK": ("Spine1", "", 0.0, (0.0, 0.04, 0.01)),
    "CROUP": ("Hips", "", 0.0, (0.0, 0.03, 0.05)),
    "TAIL_BASE": ("Hips", "", 0.0, (0.0, 0.015, -0.01)),
    "TAIL_MID": ("Tail", "Tail1", 1.0, (0.0, 0.012, 0.0)),
    "TAIL_TIP": ("Tail1", "tip", 1.0, (0.0, 0.0, 0.0)),
}
_SIDED = {
    "EAR": ("Head", "", 0.0, (0.04, 0.035, 0.0)),
    "RIB": ("Spine1", "Neck", 0.5, (0.075, -0.02, 0.0)),
    "HIP_BONE": ("Hips", "", 0.0, (0.05, 0.01, 0.075)),
    "BLADE": ("{s}Shoulder", "", 0.0, (0.022, 0.0, 0.0)),
    "SHOULDER_POINT": ("{s}Shoulder", "{s}Arm", 1.0, (0.03, 0.0, 0.012)),
    "UPPER_ARM": ("{s}Arm", "{s}ForeArm", 0.5, (0.03, 0.0, 0.0)),
    "ELBOW": ("{s}Arm", "{s}ForeArm", 1.0, (0.027, 0.0, -0.005)),
    "FOREARM": ("{s}ForeArm", "{s}Hand", 0.5, (0.02, 0.0, 0.006)),
    "WRIST": ("{s}ForeArm", "{s}Hand", 1.0, (0.018, 0.0, 0.0)),
    "FRONT_PAW": ("{s}Hand", "tip", 0.9, (0.008, 0.012, 0.0)),
    "HIP": ("{s}UpLeg", "", 0.0, (0.045, 0.0, 0.0)),
    "THIGH": ("{s}UpLeg", "{s}Leg", 0.5, (0.045, 0.0, 0.0)),
    "STIFLE": ("{s}UpLeg", "{s}Leg", 1.0, (0.03, 0.0, 0.008)),
    "SHANK": ("{s}Leg", "{s}Foot", 0.5, (0.024, 0.0, 0.0)),
    "HOCK": ("{s}Leg", "{s}Foot", 1.0, (0.02, 0.0, 0.0)),
    "HIND_FOOT": ("{s}Foot", "tip", 0.5, (0.016, 0.0, 0.0)),
    "HIND_PAW": ("{s}Foot", "tip", 1.0, (0.01, 0.01, 0.015)),
}
#: Joints that are compared, by the role of the fitted body's joint; tips by its end.
COMPARED = {
    "shoulder": "{s}Arm",
    "elbow": "{s}ForeArm",
    "wrist": "{s}Hand",
    "hip": "{s}UpLeg",
    "knee": "{s}Leg",
    "hock": "{s}Foot",
}
#: Standard deviations of where a marker is stuck and of how far skin moves it, metres.
_MISPLACED = 0.005
_SKIN = 0.005


@dataclass(frozen=True, eq=False)
class Dog:
    """A dog with markers whose joints are known.

    Parameters
    ----------
    name : str
        Of the clip.
    markers : MarkerSequence
        Put on it.
    joints : dict of str to array of shape (T, 3), metres
        ``"left elbow"`` ... ``"left front paw"``.
    """

    name: str
    markers: MarkerSequence
    joints: dict[str, Array]


def is_dog(motion: Motion) -> bool:
    """Whether a motion's skeleton is that of the clips of dogs."""
    wanted = {joint.format(s=s) for joint in COMPARED.values() for s in ("Left", "Right")}
    return wanted | {"Spine1", "Tail", "Tail1"} <= set(motion.skeleton.names)


def make_dog(motion: Motion, rng: np.random.Generator) -> Dog:
    """Put markers on a clip of a dog.

    Parameters
    ----------
    motion : Motion
        See `is_dog`.
    rng : numpy Generator
        Decides where markers are stuck, and how skin moves.

    Returns
    -------
    Dog
    """
    pose = forward_kinematics(motion)
    tips = end_site_positions(motion, pose)
    still = _tallest(motion, pose)
    ahead, left = _directions(motion, pose, still)
    labels, joints, places = [], [], []
    for label, side, row in _rows():
        joint, end, share, away = row
        own = motion.skeleton.index(joint.format(s=side))
        base = pose.positions[still, own]
        to = _end_of(motion, pose, tips, end.format(s=side), own, still)
        sign = -1.0 if side == "Right" else 1.0
        at = base + share * (to - base)
        at = at + sign * away[0] * left + away[1] * np.array([0.0, 1.0, 0.0]) + away[2] * ahead
        at = at + rng.normal(0, _MISPLACED, 3)
        labels.append(label)
        joints.append(own)
        places.append(rot.rotate(rot.conjugate(pose.rotations[still, own]), at - base))
    numbers = np.array(joints)
    moved = np.stack(places) + _skin(motion, numbers, rng)
    positions = pose.positions[:, numbers] + rot.rotate(pose.rotations[:, numbers], moved)
    markers = MarkerSequence(
        tuple(labels),
        positions,
        np.ones(positions.shape[:2], bool),
        motion.frame_time,
        name=motion.name,
    )
    return Dog(motion.name, markers, _truth(motion, pose, tips))


def _rows() -> list[tuple[str, str, tuple[str, str, float, tuple[float, float, float]]]]:
    middle = [(label, "", row) for label, row in _MIDDLE.items()]
    sided = [
        (f"{side[0]}_{label}", side, row)
        for label, row in _SIDED.items()
        for side in ("Left", "Right")
    ]
    return middle + sided


def _tallest(motion: Motion, pose: WorldPose) -> int:
    """Frame in which hips and chest are highest above the lowest joint: the dog stands, so that
    what is beside its trunk is beside its legs too.
    """
    index = motion.skeleton.index
    heights = pose.positions[..., 1]
    low = np.minimum(heights[:, index("Hips")], heights[:, index("Spine1")])
    return int(np.argmax(low - heights.min(axis=1)))


def _directions(motion: Motion, pose: WorldPose, frame: int) -> tuple[Array, Array]:
    """Ahead and to the left on the ground."""
    index = motion.skeleton.index
    ahead = pose.positions[frame, index("Spine1")] - pose.positions[frame, index("Hips")]
    ahead = ahead * [1.0, 0.0, 1.0]
    ahead /= np.linalg.norm(ahead)
    return ahead, np.array([ahead[2], 0.0, -ahead[0]])


def _end_of(motion: Motion, pose: WorldPose, tips: Array, end: str, own: int, frame: int) -> Array:
    if not end:
        return np.asarray(pose.positions[frame, own])
    if end == "tip":
        number = int(np.flatnonzero(motion.skeleton.end_parents == own)[0])
        return np.asarray(tips[frame, number])
    return np.asarray(pose.positions[frame, motion.skeleton.index(end)])


def _skin(motion: Motion, joints: NDArray[np.intp], rng: np.random.Generator) -> Array:
    """How skin moves markers, shape (T, M, 3): with the turning of their own joint."""
    turned = rot.to_rotvec(motion.rotations[:, joints])
    turned = turned - turned.mean(axis=0)
    mixing = rng.standard_normal((len(joints), 3, 3))
    moved = np.einsum("tma,mab->tmb", turned, mixing)
    size = np.sqrt(np.mean(np.sum(moved**2, axis=-1), axis=0))
    return np.asarray(moved * (_SKIN / np.maximum(size, 1e-9))[:, None])


def _truth(motion: Motion, pose: WorldPose, tips: Array) -> dict[str, Array]:
    found = {}
    for side in ("Left", "Right"):
        for part, joint in COMPARED.items():
            number = motion.skeleton.index(joint.format(s=side))
            found[f"{side.lower()} {part}"] = pose.positions[:, number]
        for paw, joint in (("front paw", "Hand"), ("hind paw", "Foot")):
            number = motion.skeleton.index(side + joint)
            tip = int(np.flatnonzero(motion.skeleton.end_parents == number)[0])
            found[f"{side.lower()} {paw}"] = tips[:, tip]
    return found
