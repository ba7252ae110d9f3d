"""Motion for robots: an MJCF or URDF model in, poses of its hinges out."""

from motionloom.robots._frames import RobotFrames, fit_robot_frames
from motionloom.robots._reading import read_robot
from motionloom.robots._retarget import RobotResult, retarget_to_robot
from motionloom.robots._robot import Robot, example_robot
from motionloom.robots.motion import RobotMotion, robot_as_body, robot_as_motion, write_robot_motion
from motionloom.robots.report import RobotReport
from motionloom.robots.solving._solve import RobotOptions

__all__ = ["Robot", "RobotFrames", "RobotMotion", "RobotOptions", "RobotReport", "RobotResult"]
__all__ += ["example_robot", "fit_robot_frames", "read_robot", "retarget_to_robot"]
__all__ += ["robot_as_body", "robot_as_motion", "write_robot_motion"]
