"""Motion files in and out."""

from motionloom.io.registry import load, load_markers, load_motion, save

__all__ = ["load", "load_markers", "load_motion", "save"]
