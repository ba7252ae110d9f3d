"""Motion models with prioritized inverse kinematics, after Carvalho, Boulic & Thalmann (2007)."""

from motionloom.models._edit import ModelEdit, TaskOutcome, edit_motion
from motionloom.models.generator import (
    FittedModel,
    ModelGenerator,
    ModelGeneratorOptions,
    fitted_model,
)
from motionloom.models.learn import Tool, attach_tool
from motionloom.models.solving.problem import EditOptions, EditProblem, KeyTasks, build_problem

__all__ = [
    "EditOptions",
    "EditProblem",
    "FittedModel",
    "KeyTasks",
    "ModelEdit",
    "ModelGenerator",
    "ModelGeneratorOptions",
    "TaskOutcome",
    "Tool",
    "attach_tool",
    "build_problem",
    "edit_motion",
    "fitted_model",
]
