"""Trunk, head and arm swing: they answer the legs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from motionloom import rotations as rot
from motionloom.curves import gaussian_average
from motionloom.performer._body import SIDES, SIGN, Performer
from motionloom.performer._curves import shifted
from motionloom.performer._drive import Drive
from motionloom.performer._pelvis import PelvisPath
from motionloom.typing import Array

#: How the upper body is carried in walking and in running, radians: forward lean of the trunk; turn
#: of the shoulders against a stride as long as half the stature; flexion of the shoulder when the
#: opposite foot is ahead by that, and its mean; mean bend of the elbow; how far upper arms stand
#: off the trunk. Walking: trunk upright, shoulder 20-25 degrees each way and elbow 10-40 degrees at
#: 1.3 m/s (Murray et al. 1967). Running: trunk leaning 5-10 degrees, elbows near a right angle
#: (Novacheck 1998; Hinrichs 1987).
_CARRIAGE = {
    "lean": np.radians([2.0, 8.0]),
    "counter": np.radians([6.6, 10.0]),
    "arm_swing": np.radians([27.0, 36.0]),
    "arm_rest": np.radians([-3.0, -8.0]),
    "elbow": np.radians([17.0, 85.0]),
    "elbow_swing": np.array([0.5, 0.25]),  # bend of the elbow per flexion of the shoulder
    "abduction": np.radians([7.0, 14.0]),
}

#: The gaze leads a turn by about a quarter of a second (Grasso et al. 1998; Hicheur & Berthoz
#: 2005).
GAZE_LEAD = 0.25
#: The arms follow the legs a little late.
ARM_LAG = 0.04
#: How far an arm yields to gravity, 0 to 1, when the trunk bends.
PLUMB = 0.8


def carriage_of(running: Array) -> dict[str, Array]:
    """Every quantity of `_CARRIAGE` over time, given the share of running (T,), 0 to 1."""
    return {name: walk + running * (run - walk) for name, (walk, run) in _CARRIAGE.items()}


def trunk_rotations(
    pelvis: PelvisPath,
    carriage: dict[str, Array],
    breath: Array,
    drive: Drive,
    height: float,
    dt: float,
) -> dict[str, Array]:
    """World rotations of the pelvis, spine, collar bones, neck and head.

    Parameters
    ----------
    pelvis : PelvisPath
        Heading, stride and lean that the trunk answers.
    carriage : dict of str to array of shape (T,)
        As `carriage_of` gives it.
    breath : array of shape (T,)
        -1 to 1; 1 straightens the trunk by 0.008 rad.
    drive : Drive
        What gestures add to trunk and head.
    height : float, metres
        Stature.
    dt : float, seconds
        Time between frames.

    Returns
    -------
    dict of str to array of shape (T, 4)
        By joint.
    """
    stride = gaussian_average(pelvis.stride, 0.04 / dt) / (0.5 * height)
    turn = pelvis.heading + carriage["counter"] * stride + drive.trunk[:, 0]
    pitch = carriage["lean"] + 0.35 * pelvis.lean[:, 0] - 0.008 * breath + drive.trunk[:, 1]
    roll = -0.35 * pelvis.lean[:, 1] + np.radians(1.2) * pelvis.shift + drive.trunk[:, 2]
    chest = rot.from_euler(np.stack([turn, pitch, roll], axis=-1), "YXZ")
    # The head turns ahead of the body, but not beyond what is comfortable.
    to_come = shifted(pelvis.heading, GAZE_LEAD, dt) - pelvis.heading
    gaze = pelvis.heading + 0.9 * np.tanh(to_come / 0.9)
    nod = np.radians(2.0) + 0.25 * (pitch - carriage["lean"] - drive.trunk[:, 1]) + drive.head[:, 1]
    head = rot.from_euler(np.stack([gaze + drive.head[:, 0], nod, 0.2 * roll], axis=-1), "YXZ")
    spine = spine_rotations(pelvis.rotation, chest)
    return {**spine, "Neck": rot.slerp(chest, head, 0.45), "Head": head}


def spine_rotations(hips: Array, chest: Array) -> dict[str, Array]:
    """World rotations between hips and chest: the joints of the spine share the bend.

    Parameters
    ----------
    hips : array of shape (..., 4)
        World rotation of the pelvis.
    chest : array of shape (..., 4)
        World rotation of the chest, which the collar bones get too.

    Returns
    -------
    dict of str to array of shape (..., 4)
        By joint, from the hips to the chest and the collar bones.
    """
    return {
        "Hips": hips,
        "Spine": rot.slerp(hips, chest, 0.35),
        "Spine1": rot.slerp(hips, chest, 0.70),
        "Spine2": chest,
        **{f"{side}Shoulder": chest for side in SIDES},
    }


def joint_position(performer: Performer, root: Array, world: dict[str, Array], joint: str) -> Array:
    """World position of a joint, down the tree from the root.

    Parameters
    ----------
    performer : Performer
        Gives the skeleton.
    root : array of shape (..., 3), metres
        World position of the root.
    world : dict of str to array of shape (..., 4)
        World rotations of all joints above it, by joint.
    joint : str
        Name of the joint.

    Returns
    -------
    array of shape (..., 3), metres
    """
    skeleton = performer.skeleton
    chain = skeleton.chain(skeleton.index(joint))
    position = root
    for above, below in pairwise(chain):
        position = position + rot.rotate(world[skeleton.names[above]], skeleton.offsets[below])
    return position


def arm_angles(
    side: int,
    pelvis: PelvisPath,
    carriage: dict[str, Array],
    drive: Drive,
    height: float,
    dt: float,
) -> tuple[Array, Array]:
    """Shoulder flexion and elbow bend: the arm follows the opposite leg.

    From a trunk that bends forward it hangs nearly plumb.

    Parameters
    ----------
    side : int
        0 left, 1 right.
    pelvis : PelvisPath
        Its stride swings the arm.
    carriage : dict of str to array of shape (T,)
        As `carriage_of` gives it.
    drive : Drive
        Its pitch of the trunk counts.
    height : float, metres
        Stature.
    dt : float, seconds
        Time between frames.

    Returns
    -------
    flexion, elbow : array of shape (T,), radians
    """
    stride = shifted(gaussian_average(pelvis.stride, 0.05 / dt), -ARM_LAG, dt) / (0.5 * height)
    swing = -SIGN[side] * carriage["arm_swing"] * stride
    # A square root that is smooth at 0 stands for |swing|: the elbow bends a little at both ends of
    # the swing.
    bend = 0.25 * (np.sqrt(swing**2 + 0.05**2) - 0.05)
    elbow = carriage["elbow"] + carriage["elbow_swing"] * swing + bend
    return carriage["arm_rest"] + swing + PLUMB * drive.trunk[:, 1], elbow
