"""Tracking: markers into poses of a known body, frame by frame or over a whole trial."""

from motionloom.fitting.tracking._causal import MarkerTracker, TrackedPose
from motionloom.fitting.tracking._offline import follow, track
from motionloom.fitting.tracking._rig import TrackingOptions
from motionloom.fitting.tracking._tracked import MarkerEvent, TrackedMotion

__all__ = ["MarkerEvent", "MarkerTracker", "TrackedMotion", "TrackedPose", "TrackingOptions"]
__all__ += ["follow", "track"]
