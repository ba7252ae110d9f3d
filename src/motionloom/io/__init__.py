"""Motion files in and out."""

from motionloom.io.registry import Format, load, load_markers, load_motion, register_format, save

__all__ = ["Format", "load", "load_markers", "load_motion", "register_format", "save"]
