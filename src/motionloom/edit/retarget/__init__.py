"""Retargeting: motion of one body carried over to another, by the roles of their joints."""

from motionloom.edit.retarget.frames import RoleFrames, fit_role_frames
from motionloom.edit.retarget.report import RetargetReport, report_retargeting
from motionloom.edit.retarget.retarget import (
    Retargeted,
    group_by_skeleton,
    retarget_clips,
    retarget_motion,
)

__all__ = [
    "RetargetReport",
    "Retargeted",
    "RoleFrames",
    "fit_role_frames",
    "group_by_skeleton",
    "report_retargeting",
    "retarget_clips",
    "retarget_motion",
]
