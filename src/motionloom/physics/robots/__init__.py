"""Bodies and their loads for robotics: MJCF models, and motions in their coordinates."""

from motionloom.physics.robots.mjcf import body_to_mjcf, save_robot_motion

__all__ = ["body_to_mjcf", "save_robot_motion"]
