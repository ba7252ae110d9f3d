"""Motion models with prioritized inverse kinematics, after Carvalho, Boulic & Thalmann (2007)."""

from motionloom.models.edit import ModelEdit, TaskOutcome, edit_motion
from motionloom.models.problem import EditOptions, EditProblem, KeyTasks, build_problem

__all__ = [
    "EditOptions",
    "EditProblem",
    "KeyTasks",
    "ModelEdit",
    "TaskOutcome",
    "build_problem",
    "edit_motion",
]
