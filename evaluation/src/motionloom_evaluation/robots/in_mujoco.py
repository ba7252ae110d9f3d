"""A robot's motion played in MuJoCo: are bodies where ours are, and do its parts touch?"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from os import PathLike, fspath

import numpy as np

from motionloom.robots.motion import RobotMotion
from motionloom.robots.report import TOUCH


@dataclass(frozen=True)
class Played:
    """What MuJoCo says of a motion.

    Parameters
    ----------
    version : str
        MuJoCo's; empty where it is not installed, and nothing was played.
    off : float, metres
        How far bodies are from ours at most.
    touching : int
        Frames in which parts of the robot are in each other by more than `TOUCH`.
    lowest : float, metres
        Deepest contact with the ground; 0 where nothing is below it.
    """

    version: str = ""
    off: float = 0.0
    touching: int = 0
    lowest: float = 0.0


def play_in_mujoco(model: str | PathLike[str], motion: RobotMotion) -> Played:
    """Play a motion, frame by frame.

    Parameters
    ----------
    model : path-like
        The MJCF file that the robot was read from.
    motion : RobotMotion
        Its motion.

    Returns
    -------
    Played
    """
    if find_spec("mujoco") is None:
        return Played()
    import mujoco

    loaded = mujoco.MjModel.from_xml_path(fspath(model))
    data = mujoco.MjData(loaded)
    bodies = motion.robot.bodies
    poses = motion.poses()
    ours = poses.points([b.link for b in bodies], np.array([b.place for b in bodies]))
    numbers = [loaded.body(body.name).id for body in bodies]
    off = 0.0
    touching = 0
    lowest = 0.0
    for t, qpos in enumerate(motion.qpos):
        data.qpos[:] = qpos
        mujoco.mj_forward(loaded, data)
        off = max(off, float(np.abs(data.xpos[numbers] - ours[t]).max()))
        contacts = [
            (contact.dist, min(loaded.geom_bodyid[[contact.geom1, contact.geom2]]))
            for contact in data.contact[: data.ncon]
        ]
        touching += any(dist < -TOUCH and body > 0 for dist, body in contacts)
        lowest = min([lowest, *(dist for dist, body in contacts if body == 0)])
    return Played(str(mujoco.__version__), off, touching, float(lowest))
