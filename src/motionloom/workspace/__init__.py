"""What front ends need: results checked and written; a callback is told."""

from motionloom.workspace.outputs import CastPaths, motion_files, synthesis_files
from motionloom.workspace.shots import find_graph
from motionloom.workspace.writing import Writer, check_outputs

__all__ = ["CastPaths", "Writer", "check_outputs", "find_graph", "motion_files", "synthesis_files"]
