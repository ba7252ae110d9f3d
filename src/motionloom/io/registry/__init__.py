"""Load and save any known file: the table of formats, and what picks a row of it."""

from motionloom.io.registry._formats import (
    FORMATS,
    SCENE_SUFFIXES,
    WRITTEN_ONLY,
    Format,
    check_save,
    find_writer,
    known_formats,
    readable_formats,
    register_format,
    save,
    save_scene,
)
from motionloom.io.registry._loading import find_format, load, load_all, load_markers, load_motion

__all__ = [
    "FORMATS",
    "SCENE_SUFFIXES",
    "WRITTEN_ONLY",
    "Format",
    "check_save",
    "find_format",
    "find_writer",
    "known_formats",
    "load",
    "load_all",
    "load_markers",
    "load_motion",
    "readable_formats",
    "register_format",
    "save",
    "save_scene",
]
