"""Arms: hanging and swinging, or taken to where a hand should be."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.performer.body import SIDES, SIGN, Performer
from motionloom.performer.curves import ramp
from motionloom.performer.drive import HandPath
from motionloom.two_bones import solve_two_bones, unit
from motionloom.typing import Array


def hanging_arm(
    side: int, chest: Array, flexion: Array, elbow: Array, abduction: Array, shrug: Array
) -> dict[str, Array]:
    """World rotations of an arm that hangs from the chest.

    Parameters
    ----------
    side : int
        0 left, 1 right.
    chest : array of shape (T, 4)
        World rotation of the chest.
    flexion, elbow, abduction, shrug : arrays of shape (T,), radians
        Forward flexion of the shoulder, bend of the elbow, how far the upper arm stands off the
        trunk, lift of the collar bone.

    Returns
    -------
    dict of str to array of shape (T, 4)
        Collar bone, upper arm, forearm and hand, by joint.
    """
    sign = SIGN[side]
    n = len(flexion)
    inward = -np.radians(20.0)
    angles = np.stack([-flexion, sign * abduction, np.full(n, sign * inward)], axis=-1)
    hang = rot.multiply(rot.from_euler(angles, "XZY"), turn("Z", -sign * np.pi / 2))
    upper = rot.multiply(chest, hang)
    forearm = rot.multiply(upper, turn("Y", -sign * elbow))
    hand = rot.multiply(forearm, turn("Z", -sign * np.radians(4.0)))
    clavicle = rot.multiply(chest, turn("Z", sign * shrug))
    return dict(zip(_joints(side), (clavicle, upper, forearm, hand), strict=True))


def reaching_arm(
    performer: Performer,
    path: HandPath,
    shoulders: tuple[Array, Array],
    chest: Array,
    hanging: dict[str, Array],
) -> dict[str, Array]:
    """Take a hanging arm's wrist along a path by inverse kinematics.

    Parameters
    ----------
    performer : Performer
        Gives the lengths of upper arm and forearm.
    path : HandPath
        Which arm, where its wrist goes, and how far it follows.
    shoulders : pair of arrays of shape (T, 3), metres
        World positions of the left and right shoulder joint.
    chest : array of shape (T, 4)
        World rotation of the chest.
    hanging : mapping of str to array
        World rotations of the arm where the path has no weight.

    Returns
    -------
    dict of str to array of shape (T, 4)
        World rotations of upper arm, forearm and hand, by joint; the collar bone stays.
    """
    side = path.side
    sign = SIGN[path.side]
    n = performer.lengths
    _, arm, forearm, hand = _joints(side)
    shoulder = shoulders[side]
    rest_elbow = shoulder + rot.rotate(hanging[arm], np.array([sign * n["upper_arm"], 0.0, 0.0]))
    rest_wrist = rest_elbow + rot.rotate(
        hanging[forearm], np.array([sign * n["forearm"], 0.0, 0.0])
    )
    target = path.target
    if path.on_chest:
        target = 0.5 * (shoulders[0] + shoulders[1]) + rot.rotate(chest, target)
    w = path.weight[:, None]
    span = target - shoulder
    if not path.on_chest:
        span = _settling(span, path.weight)
    wrist = shoulder + _arc(rest_wrist - shoulder, span, path.weight)
    # The elbow swivels from where it hangs to below and outside of the line from shoulder to hand.
    rest_pole = unit(rest_elbow - 0.5 * (shoulder + rest_wrist))
    pole = (1.0 - w) * rest_pole + w * rot.rotate(chest, np.array([sign * 0.50, -0.60, -0.60]))
    elbow, axis = solve_two_bones(shoulder, wrist, pole, n["upper_arm"], n["forearm"])
    wrist = elbow + unit(wrist - elbow) * n["forearm"]
    wrist_bend = rot.multiply(rot.conjugate(hanging[forearm]), hanging[hand])
    lower = _arm_frame(sign, wrist - elbow, axis)
    return {
        arm: _arm_frame(sign, elbow - shoulder, axis),
        forearm: lower,
        hand: rot.multiply(lower, wrist_bend),
    }


def _settling(span: Array, weight: Array) -> Array:
    """Vector from shoulder to target, (T, 3): that of arrival until the hand is nearly there.

    While the trunk still bends the target may be farther than the arm is long.
    """
    held = np.nonzero(weight >= weight.max() - 1e-9)[0]
    last = span[held[len(held) // 2]]
    pulled: Array = last + ramp(weight, 0.6, 1.0)[:, None] * (span - last)
    return pulled


def _arc(start: Array, stop: Array, w: Array) -> Array:
    """Between two vectors (T, 3), turning in the plane of both while the length changes evenly."""
    near, far = (np.linalg.norm(v, axis=-1) for v in (start, stop))
    a = start / near[:, None]
    b = stop / far[:, None]
    angle = np.arccos(np.clip(np.sum(a * b, axis=-1), -1.0, 1.0))
    sine = np.maximum(np.sin(angle), 1e-6)
    direction = (np.sin((1.0 - w) * angle) / sine)[:, None] * a + (np.sin(w * angle) / sine)[
        :, None
    ] * b
    reached: Array = unit(direction) * (near + w * (far - near))[:, None]
    return reached


def turn(axis: str, angle: ArrayLike) -> Array:
    """Rotation about one coordinate axis.

    Parameters
    ----------
    axis : {"X", "Y", "Z"}
        Which.
    angle : float or array of shape (...), radians
        Counterclockwise seen from the axis' tip.

    Returns
    -------
    array of shape (..., 4)
    """
    return rot.from_euler(np.asarray(angle, float)[..., None], axis)


def _joints(side: int) -> tuple[str, str, str, str]:
    name = SIDES[side]
    return f"{name}Shoulder", f"{name}Arm", f"{name}ForeArm", f"{name}Hand"


def _arm_frame(sign: float, bone: Array, axis: Array) -> Array:
    """World rotation of an arm segment that rests sideways along X with its hinge along Y."""
    x = sign * unit(bone)
    y = -sign * axis
    y = unit(y - np.sum(y * x, axis=-1, keepdims=True) * x)
    return rot.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))
