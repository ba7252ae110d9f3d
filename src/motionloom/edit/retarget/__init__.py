"""Retargeting: motion of one body carried over to another, by the roles of their joints."""

from motionloom.edit.retarget.frames import RoleFrames, fit_role_frames

__all__ = ["RoleFrames", "fit_role_frames"]
