"""Problems of robots for `toys`: they run the compiled inverse kinematics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.edit.retarget import fit_role_frames
from motionloom.motion import Motion
from motionloom.performer import make_performer
from motionloom.posed_motion import pose_motion
from motionloom.robots._frames import fit_robot_frames
from motionloom.robots._parts import SIDES
from motionloom.robots._planting import plan_foot
from motionloom.robots._reading import read_robot
from motionloom.robots._source import make_source
from motionloom.robots.solving._solve import RobotOptions, RobotTask, solve_robot
from robots.models import HUMANOID


def robot_that_sinks(folder):
    """A robot follows someone who stands, turns the arms and goes down through the floor."""
    skeleton = make_performer(1.75).skeleton
    turns = rot.identity(4, skeleton.n_joints)
    arm = skeleton.names.index("LeftArm")
    turns[:, arm] = rot.from_rotvec(np.linspace(0, 3.0, 4)[:, None] * np.array([0, 0, -1.0]))
    places = np.repeat(skeleton.offsets[None, :1], 4, axis=0)
    places[3, 0, 1] -= 0.9
    posed = pose_motion(Motion(skeleton, turns, places, 1 / 30))
    robot = fit_robot_frames(read_robot(HUMANOID))
    standing = fit_role_frames([posed.with_motion(posed.motion[:2])])
    source = make_source(posed, standing, robot)
    source = replace(source, pads={"left_knee": np.array([False, False, True, True])})
    feet = {side: plan_foot(source, side, robot.feet[side]) for side in SIDES}
    options = RobotOptions(passes=2, iterations=2, fastest=40.0)
    solved = solve_robot(RobotTask(robot, source, feet, options))
    return solved.places, solved.turns, solved.angles


TOYS = (robot_that_sinks,)
