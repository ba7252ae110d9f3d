"""MJCF models read without MuJoCo."""

from motionloom.robots.mjcf.read import is_mjcf, read_mjcf

__all__ = ["is_mjcf", "read_mjcf"]
