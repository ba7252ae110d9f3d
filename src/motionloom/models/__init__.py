"""Motion models with prioritized inverse kinematics, after Carvalho, Boulic & Thalmann (2007)."""

from motionloom.models.edit import (
    EditOptions,
    KeyTasks,
    ModelEdit,
    TaskOutcome,
    edit_motion,
)

__all__ = ["EditOptions", "KeyTasks", "ModelEdit", "TaskOutcome", "edit_motion"]
