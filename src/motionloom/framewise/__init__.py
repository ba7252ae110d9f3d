"""Clips edited frame by frame, by strict layers of tasks."""

from motionloom.framewise.edit import ClipEdit, EditOptions, edit_clip
from motionloom.framewise.goals import Goal
from motionloom.framewise.outcomes import GoalOutcome

__all__ = ["ClipEdit", "EditOptions", "Goal", "GoalOutcome", "edit_clip"]
