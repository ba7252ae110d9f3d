"""MJCF and URDF models, parsed by MuJoCo."""

from motionloom.robots._reading.read import read_robot

__all__ = ["read_robot"]
