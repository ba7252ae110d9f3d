"""What front ends need: results checked and written; a callback is told."""

from motionloom.workspace.checks import check_outputs
from motionloom.workspace.motion_outputs import Outputs
from motionloom.workspace.places import find_graph
from motionloom.workspace.scene_outputs import SceneOutputs
from motionloom.workspace.writing import Writer

__all__ = ["Outputs", "SceneOutputs", "Writer", "check_outputs", "find_graph"]
