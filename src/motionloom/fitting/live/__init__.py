"""Live tracking: frames of markers as lines of text, poses as they are solved, and a replayer."""

from motionloom.fitting.live.network import replay_frames
from motionloom.fitting.live.protocol import MarkerFrame, format_frame, read_message
from motionloom.fitting.live.session import LiveSession

__all__ = ["LiveSession", "MarkerFrame", "format_frame", "read_message", "replay_frames"]
