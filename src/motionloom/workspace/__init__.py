"""What front ends need: clips opened by place, results checked, written; a callback is told."""

from motionloom.workspace.checks import check_outputs
from motionloom.workspace.clips import ReadOptions, read_clip_set, read_files, read_motions
from motionloom.workspace.outputs import CastPaths, motion_files, synthesis_files
from motionloom.workspace.places import Place, find_clips, find_graph, find_place, find_readable
from motionloom.workspace.tell import Tell, quiet
from motionloom.workspace.writing import Writer

__all__ = [
    "CastPaths",
    "Place",
    "ReadOptions",
    "Tell",
    "Writer",
    "check_outputs",
    "find_clips",
    "find_graph",
    "find_place",
    "find_readable",
    "motion_files",
    "quiet",
    "read_clip_set",
    "read_files",
    "read_motions",
    "synthesis_files",
]
