"""Motion for robots: an MJCF or URDF model in, poses of its hinges out."""

from motionloom.robots.example import example_robot
from motionloom.robots.frames import RobotFrames, fit_robot_frames
from motionloom.robots.motion import RobotMotion, robot_as_body, robot_as_motion, write_robot_motion
from motionloom.robots.reading import read_robot
from motionloom.robots.report import RobotReport
from motionloom.robots.retarget import RobotResult, retarget_to_robot
from motionloom.robots.robot import Robot
from motionloom.robots.solving.solve import RobotOptions

__all__ = [
    "Robot",
    "RobotFrames",
    "RobotMotion",
    "RobotOptions",
    "RobotReport",
    "RobotResult",
    "example_robot",
    "fit_robot_frames",
    "read_robot",
    "retarget_to_robot",
    "robot_as_body",
    "robot_as_motion",
    "write_robot_motion",
]
