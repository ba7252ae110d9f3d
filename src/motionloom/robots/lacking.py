"""Joints of a person that a robot does not have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.robots.parts import SIDES, RobotParts
from motionloom.robots.robot import Robot
from motionloom.typing import Array

#: Movements of trunk and ankles by the axis that they need in a robot's world.
_TRUNK = {"bends ahead": 1, "bends aside": 0, "turns about the vertical": 2}
_ANKLE = {"bends up and down": 1, "tilts aside": 0}
#: Hips and shoulders turn about so many axes.
_BALL = 3
#: Cosine of the angle to an axis up to which a hinge serves it: 60 degrees.
_SERVES = 0.5


def find_lacking(robot: Robot, parts: RobotParts, axes: Array) -> tuple[str, ...]:
    """What a person's joints can do and a robot's cannot.

    Parameters
    ----------
    robot : Robot
        The robot.
    parts : RobotParts
        Its legs, arms and trunk.
    axes : array of shape (L, 3)
        Axes of its links' hinges in the world, as the model is drawn.

    Returns
    -------
    tuple of str
        One sentence for every joint.
    """
    found = [_moves("waist", _between(robot, parts), axes, _TRUNK)]
    for side in SIDES:
        found.append(_ball(f"{side} hip", len(parts.legs[side].upper)))
        found.append(_moves(f"{side} ankle", parts.legs[side].lower, axes, _ANKLE))
        if side in parts.arms:
            found.append(_ball(f"{side} shoulder", len(parts.arms[side].upper)))
        else:
            found.append(f"the robot has no {side} arm that bends, so that of the clip is left out")
    found.append(_neck(robot, parts))
    return tuple(sentence for sentence in found if sentence)


def _between(robot: Robot, parts: RobotParts) -> list[int]:
    """Links whose hinges lie between pelvis and chest."""
    return sorted(set(robot.chain(parts.pelvis)) ^ set(robot.chain(parts.chest)))


def _moves(name: str, links: Sequence[int], axes: Array, wanted: dict[str, int]) -> str:
    """What a joint of these hinges cannot do."""
    if not links:
        return f"the robot has no {name}"
    served = np.abs(axes[list(links)]).max(axis=0) >= _SERVES
    lacking = [move for move, axis in wanted.items() if not served[axis]]
    return f"the robot has no hinge in its {name} that {' or '.join(lacking)}" if lacking else ""


def _ball(name: str, hinges: int) -> str:
    """What a hip or shoulder of so many hinges lacks."""
    if hinges >= _BALL:
        return ""
    return (
        f"the robot's {name} has {hinges} of {_BALL} hinges, so the limb below cannot point"
        " everywhere"
    )


def _neck(robot: Robot, parts: RobotParts) -> str:
    limbs = [limb.upper[0] for limb in (*parts.legs.values(), *parts.arms.values())]
    used = {*_between(robot, parts), *robot.chain(parts.pelvis), *robot.chain(parts.chest)}
    free = [
        link
        for link in range(1, robot.n_links)
        if link not in used and not any(top in robot.chain(link) for top in limbs)
    ]
    names = ", ".join(robot.joints[link - 1] for link in free)
    if not free:
        return "the robot has no neck, so its head goes along with its trunk"
    return f"hinges that play no part stay as the model is drawn: {names}"
