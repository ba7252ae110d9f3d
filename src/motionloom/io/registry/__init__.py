"""Load and save any known file: the table of formats, and what picks a row of it."""

from motionloom.io.registry._formats import (
    FORMATS,
    WRITTEN_ONLY,
    Format,
    known_formats,
    readable_formats,
    register_format,
)
from motionloom.io.registry._loading import find_format, load, load_all, load_markers, load_motion
from motionloom.io.registry._saving import SCENE_SUFFIXES, check_save, find_writer, save, save_scene

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
