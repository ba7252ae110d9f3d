"""Where a robot's own parts go into each other, as MuJoCo sees it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from motionloom.robots.reading.model import mujoco_warnings
from motionloom.robots.robot import Robot
from motionloom.typing import Array

#: Shapes less deep in each other than this do not count, metres.
TOUCH = 1e-3


@dataclass(frozen=True)
class SelfTouch:
    """How often and how deep parts are in each other.

    Parameters
    ----------
    frames : int or None
        Frames in which any are; None where that is not known.
    deepest : float, metres
        How deep at most; 0 where none are.
    pairs : tuple of (str, str, int)
        Names of the bodies and in how many frames, the most frequent first.
    unknown : str
        Why it is not known; empty where it is.
    """

    frames: int | None
    deepest: float
    pairs: tuple[tuple[str, str, int], ...]
    unknown: str = ""


def find_self_touch(robot: Robot, qpos: Array) -> SelfTouch:
    """Count frames in which geoms of a robot are in each other.

    As in MuJoCo neighbours do not count, nor bodies that the model excludes or whose bits do not
    meet; besides, nor pairs that are in each other as the model is drawn. Nothing is counted where
    meshes that can touch cannot be read.

    Parameters
    ----------
    robot : Robot
        The robot.
    qpos : array of shape (T, 7 + H)
        MuJoCo's coordinates: place and turn of the base, angles.

    Returns
    -------
    SelfTouch
    """
    unknown = _untested(robot)
    if unknown:
        return SelfTouch(None, np.nan, (), unknown)
    drawn = [robot.base_place, robot.base_turn, robot.neutral]
    at_rest, *depths = _depths(robot, np.vstack([np.concatenate(drawn), qpos]))
    found = [{k: deep for k, deep in frame.items() if k not in at_rest} for frame in depths]
    counted: Counter[tuple[str, str]] = Counter()
    for frame in found:
        counted.update({_names(robot, pair) for pair in frame})
    return SelfTouch(
        sum(bool(frame) for frame in found),
        max((deep for frame in found for deep in frame.values()), default=0.0),
        tuple((*names, frames) for names, frames in counted.most_common()),
    )


def _untested(robot: Robot) -> str:
    """Why touching cannot be counted; empty where it can."""
    if robot.left_out:
        is_one = robot.left_out == 1
        return f"{robot.left_out} {'shape is a mesh' if is_one else 'shapes are meshes'} not read"
    model = robot.model
    meet = model.geom_contype[:, None] & model.geom_conaffinity
    meet = (meet | meet.T) * (model.geom_bodyid[:, None] != model.geom_bodyid)
    return "" if meet.any() else "no two shapes of the model can touch"


def _depths(robot: Robot, qpos: Array) -> list[dict[tuple[int, int], float]]:
    """How deep geoms are in each other by pairs of their numbers, frame by frame, metres."""
    import mujoco

    data = mujoco.MjData(robot.model)
    found = []
    with mujoco_warnings():
        for row in qpos:
            data.qpos[:] = row
            mujoco.mj_kinematics(robot.model, data)
            mujoco.mj_comPos(robot.model, data)
            mujoco.mj_collision(robot.model, data)
            deep: dict[tuple[int, int], float] = {}
            for pair, distance in zip(data.contact.geom, data.contact.dist, strict=True):
                if distance < -TOUCH:
                    pair = tuple(pair.tolist())
                    deep[pair] = max(deep.get(pair, 0.0), -float(distance))
            found.append(deep)
    return found


def _names(robot: Robot, pair: tuple[int, int]) -> tuple[str, str]:
    first, second = (robot.model.body(robot.model.geom_bodyid[geom]).name for geom in pair)
    return first, second
