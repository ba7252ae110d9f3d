"""Clips edited frame by frame, by strict layers of tasks."""

from motionloom.framewise._edit import ClipEdit, EditOptions, edit_clip
from motionloom.framewise._goals import Goal, GoalOutcome

__all__ = ["ClipEdit", "EditOptions", "Goal", "GoalOutcome", "edit_clip"]
