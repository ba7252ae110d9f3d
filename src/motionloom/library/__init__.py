"""A catalogue of clips on disk: read once, ready for use, opened without reading everything."""

from motionloom.library._add import (
    AddReport,
    Problem,
    RepairReport,
    add_clips,
    check_library,
    remove_clips,
    repair_library,
    set_labels,
)
from motionloom.library._library import ClipFrames, Library, create_library, open_library

__all__ = [
    "AddReport",
    "ClipFrames",
    "Library",
    "Problem",
    "RepairReport",
    "add_clips",
    "check_library",
    "create_library",
    "open_library",
    "remove_clips",
    "repair_library",
    "set_labels",
]
