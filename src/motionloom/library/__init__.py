"""A catalogue of clips on disk: read once, ready for use, opened without reading everything."""

from motionloom.library.add import AddReport, add_clips, remove_clips
from motionloom.library.create import create_library
from motionloom.library.library import ClipFrames, Library, open_library

__all__ = ["AddReport", "ClipFrames", "Library", "add_clips", "create_library", "open_library", "remove_clips"]
