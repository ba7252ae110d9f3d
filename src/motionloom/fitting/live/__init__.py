"""Live tracking: frames of markers as lines of text, poses as they are solved, and a replayer."""

from motionloom.fitting.live._session import LiveSession, MarkerFrame, format_frame, read_message
from motionloom.fitting.live.network import replay_frames

__all__ = ["LiveSession", "MarkerFrame", "format_frame", "read_message", "replay_frames"]
