"""Joints of the SMPL family by number of joints, and a plain skeleton with them.

The plain skeleton has the segment lengths of Drillis and Contini (1966), as shares of the standing
height; it is nobody's body, and not that of any body model.
"""

from __future__ import annotations

import numpy as np

from motionloom.skeleton import Skeleton
from motionloom.typing import Array

_SIDES = ("left", "right")
#: Parents of the joints that all models share.
_BODY = {
    "pelvis": "",
    "left_hip": "pelvis",
    "right_hip": "pelvis",
    "spine1": "pelvis",
    "left_knee": "left_hip",
    "right_knee": "right_hip",
    "spine2": "spine1",
    "left_ankle": "left_knee",
    "right_ankle": "right_knee",
    "spine3": "spine2",
    "left_foot": "left_ankle",
    "right_foot": "right_ankle",
    "neck": "spine3",
    "left_collar": "spine3",
    "right_collar": "spine3",
    "head": "neck",
    "left_shoulder": "left_collar",
    "right_shoulder": "right_collar",
    "left_elbow": "left_shoulder",
    "right_elbow": "right_shoulder",
    "left_wrist": "left_elbow",
    "right_wrist": "right_elbow",
}
_PALMS = {f"{side}_hand": f"{side}_wrist" for side in _SIDES}
_FACE = {"jaw": "head", "left_eye_smplhf": "head", "right_eye_smplhf": "head"}
_FINGERS = {
    f"{side}_{finger}{i}": f"{side}_{finger}{i - 1}" if i > 1 else f"{side}_wrist"
    for side in _SIDES
    for finger in ("index", "middle", "pinky", "ring", "thumb")
    for i in (1, 2, 3)
}
#: Parent of each joint, by number of joints: body only, SMPL, SMPL+H, SMPL-X.
MODELS: dict[int, dict[str, str]] = {
    22: _BODY,
    24: _BODY | _PALMS,
    52: _BODY | _FINGERS,
    55: _BODY | _FACE | _FINGERS,
}
MODEL_NAMES = {22: "SMPL body", 24: "SMPL", 52: "SMPL+H", 55: "SMPL-X"}

#: Places in the parent while standing with arms out, as shares of the height: left, up, ahead. Of
#: two sides the left one.
_PLACES = {
    "left_hip": (0.05, -0.05, 0.0),
    "left_knee": (0.0, -0.245, 0.0),
    "left_ankle": (0.0, -0.246, 0.0),
    "left_foot": (0.0, -0.025, 0.08),
    "spine1": (0.0, 0.06, 0.0),
    "spine2": (0.0, 0.075, 0.0),
    "spine3": (0.0, 0.03, 0.0),
    "neck": (0.0, 0.11, 0.0),
    "head": (0.0, 0.045, 0.01),
    "left_collar": (0.045, 0.06, 0.0),
    "left_shoulder": (0.0845, 0.013, 0.0),
    "left_elbow": (0.186, 0.0, 0.0),
    "left_wrist": (0.146, 0.0, 0.0),
    "left_hand": (0.05, 0.0, 0.0),
    "jaw": (0.0, 0.0, 0.02),
    "left_eye_smplhf": (0.018, 0.03, 0.05),
}
#: First knuckles in the hand, and how long the next two bones are.
_KNUCKLES = {
    "index": (0.054, 0.0, 0.013),
    "middle": (0.056, 0.0, 0.0),
    "ring": (0.052, 0.0, -0.011),
    "pinky": (0.047, -0.003, -0.021),
    "thumb": (0.016, -0.006, 0.016),
}
_PHALANGES = (0.022, 0.015)
#: End sites of the plain skeleton.
_TIPS = {"head": (0.0, 0.1, 0.0), "left_foot": (0.0, -0.01, 0.03)}
#: Height of the plain skeleton's toes' joint above its sole, as a share of its height.
SOLE = 0.014


def plain_skeleton(count: int, height: float) -> Skeleton:
    """A person of plain proportions with the joints of a body model.

    Parameters
    ----------
    count : int
        Number of joints, of `MODELS`.
    height : float, metres
        Standing height.

    Returns
    -------
    Skeleton
        In a T-pose that faces +Z.
    """
    parents = MODELS[count]
    offsets = {name: height * np.array(_place(name)) for name in parents}
    tips = [*_TIPS, "right_foot"]
    ends = [height * np.array(_sided(tip, _TIPS)) for tip in tips]
    return skeleton_of(count, offsets, tips, np.array(ends))


def skeleton_of(count: int, offsets: dict[str, Array], tips: list[str], ends: Array) -> Skeleton:
    """Skeleton of a body model's joints.

    Parameters
    ----------
    count : int
        Number of joints, of `MODELS`.
    offsets : dict of str to array of shape (3,), metres
        Place of each joint in its parent.
    tips : list of str
        Joints that have an end site.
    ends : array of shape (E, 3), metres
        Where these are in them.

    Returns
    -------
    Skeleton
        Joints in the model's order.
    """
    names = tuple(MODELS[count])
    return Skeleton(
        names,
        np.array([names.index(p) if p else -1 for p in MODELS[count].values()]),
        np.stack([offsets[name] for name in names]),
        np.array([names.index(tip) for tip in tips], int),
        ends.reshape(-1, 3),
    )


def _place(name: str) -> tuple[float, float, float]:
    if name == "pelvis":
        return (0.0, 0.0, 0.0)
    part = name.removeprefix("left_").removeprefix("right_")
    finger, number = part[:-1], part[-1]
    if finger not in _KNUCKLES:
        return _sided(name, _PLACES)
    sign = 1.0 if name.startswith("left") else -1.0
    if number == "1":
        x, y, z = _KNUCKLES[finger]
        return (sign * x, y, z)
    return (sign * _PHALANGES[int(number) - 2], 0.0, 0.0)


def _sided(name: str, places: dict[str, tuple[float, float, float]]) -> tuple[float, float, float]:
    """The place of a name, mirrored from the left one where it is a right one."""
    if name in places:
        return places[name]
    x, y, z = places[name.replace("right", "left")]
    return (-x, y, z)
