"""Trunk, head and arms: they answer the legs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.performer.body import SIGN
from motionloom.performer.curves import smooth
from motionloom.performer.pelvis import PelvisPath

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Carriage:
    """How the upper body is carried.

    Parameters
    ----------
    lean : float, radians
        Forward lean of the trunk.
    counter : float, radians per metre
        Turn of the shoulders against a stride.
    arm_swing : float, radians per metre
        Flexion of the shoulder per metre that the opposite foot is ahead.
    arm_rest : float, radians
        Mean flexion of the shoulder.
    elbow : float, radians
        Mean bend of the elbow.
    elbow_swing : float
        Radians of elbow bend per radian of shoulder flexion.
    abduction : float, radians
        How far the upper arms stand off the trunk.
    """

    lean: float = np.radians(2.0)
    counter: float = np.radians(7.5)
    arm_swing: float = np.radians(30.0)
    arm_rest: float = np.radians(-3.0)
    elbow: float = np.radians(18.0)
    elbow_swing: float = 0.55
    abduction: float = np.radians(7.0)


#: Trunk upright; shoulder 20-25 degrees each way and elbow 10-40 degrees at 1.3 m/s (Murray et al. 1967).
WALKING = Carriage()
#: Trunk leaning 5-8 degrees, elbows near a right angle (Novacheck 1998; Hinrichs 1987).
RUNNING = Carriage(
    lean=np.radians(8.0), arm_swing=np.radians(38.0), arm_rest=np.radians(-8.0), elbow=np.radians(85.0),
    elbow_swing=0.25, abduction=np.radians(14.0), counter=np.radians(10.0),
)  # fmt: skip

#: The gaze leads a turn by about a quarter of a second (Grasso et al. 1998; Hicheur & Berthoz 2005).
GAZE_LEAD = 0.25


def trunk_rotations(pelvis: PelvisPath, carriage: Carriage, breath: Array, dt: float) -> dict[str, Array]:
    """World rotations of the spine's joints, neck and head, (T, 4) each."""
    stride = smooth(pelvis.stride, 0.04, dt)
    heading = pelvis.heading + carriage.counter * stride
    pitch = carriage.lean + 0.35 * pelvis.lean[:, 0] - 0.012 * breath
    roll = -0.35 * pelvis.lean[:, 1] + np.radians(1.2) * pelvis.shift
    chest = rot.from_euler(np.stack([heading, pitch, roll], axis=-1), "YXZ")
    lead = int(round(GAZE_LEAD / dt))
    gaze = np.concatenate([pelvis.heading[lead:], np.full(lead, pelvis.heading[-1])])
    # The head turns ahead of the body, but not beyond what is comfortable.
    gaze = pelvis.heading + 0.9 * np.tanh((gaze - pelvis.heading) / 0.9)
    head = rot.from_euler(
        np.stack([gaze, np.radians(2.0) + 0.25 * (pitch - carriage.lean), 0.2 * roll], axis=-1), "YXZ"
    )
    return {
        "Hips": pelvis.rotation,
        "Spine": rot.slerp(pelvis.rotation, chest, 0.35),
        "Spine1": rot.slerp(pelvis.rotation, chest, 0.70),
        "Spine2": chest,
        "Neck": rot.slerp(chest, head, 0.45),
        "Head": head,
    }


def arm_rotations(
    side: int, pelvis: PelvisPath, carriage: Carriage, chest: Array, breath: Array, dt: float
) -> dict[str, Array]:
    """World rotations of clavicle, upper arm, forearm and hand as they swing with the stride."""
    sign = SIGN[side]
    # The arm follows the other leg, a little late.
    lag = int(round(0.04 / dt))
    stride = smooth(pelvis.stride, 0.05, dt)
    stride = np.concatenate([np.full(lag, stride[0]), stride[:-lag]])
    swing = -sign * carriage.arm_swing * stride
    flexion = carriage.arm_rest + swing
    elbow = carriage.elbow + carriage.elbow_swing * swing + 0.25 * np.abs(swing)
    shrug = np.radians(1.0) * breath
    clavicle = rot.multiply(chest, _about("Z", sign * shrug))
    upper = rot.multiply(chest, hanging_arm(side, flexion, carriage.abduction, np.radians(-20.0)))
    forearm = rot.multiply(upper, _about("Y", -sign * elbow))
    hand = rot.multiply(forearm, _about("Z", np.full(len(elbow), -sign * np.radians(4.0))))
    name = ("Left", "Right")[side]
    return {f"{name}Shoulder": clavicle, f"{name}Arm": upper, f"{name}ForeArm": forearm, f"{name}Hand": hand}


def hanging_arm(side: int, flexion: Array, abduction: float, inward: float) -> Array:
    """Rotation of an upper arm against the chest: flexed forwards, off the trunk, turned about its own axis."""
    sign = SIGN[side]
    n = len(flexion)
    angles = np.stack([-flexion, np.full(n, sign * abduction), np.full(n, sign * inward)], axis=-1)
    hang = _about("Z", np.full(n, -sign * np.pi / 2))
    return rot.multiply(rot.from_euler(angles, "XZY"), hang)


def _about(axis: str, angle: Array) -> Array:
    return rot.from_euler(np.asarray(angle, float)[..., None], axis)
