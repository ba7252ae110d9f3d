"""What front ends need: clips opened by place, results checked, written; a callback is told."""

from motionloom.workspace.checks import check_outputs
from motionloom.workspace.clips import ReadOptions, read_clip_set, read_files, read_motions
from motionloom.workspace.motion_outputs import Outputs
from motionloom.workspace.places import Place, find_clips, find_graph, find_place, find_readable
from motionloom.workspace.scene_outputs import SceneOutputs
from motionloom.workspace.tell import Tell, quiet
from motionloom.workspace.writing import Writer

__all__ = [
    "Outputs",
    "Place",
    "ReadOptions",
    "SceneOutputs",
    "Tell",
    "Writer",
    "check_outputs",
    "find_clips",
    "find_graph",
    "find_place",
    "find_readable",
    "quiet",
    "read_clip_set",
    "read_files",
    "read_motions",
]
