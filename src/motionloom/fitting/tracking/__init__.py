"""Tracking: markers into poses of a known body, frame by frame or over a whole trial."""

from motionloom.fitting.tracking.causal import MarkerTracker, TrackedPose
from motionloom.fitting.tracking.offline import follow, track
from motionloom.fitting.tracking.rig import TrackingOptions
from motionloom.fitting.tracking.tracked import MarkerEvent, TrackedMotion

__all__ = [
    "MarkerEvent",
    "MarkerTracker",
    "TrackedMotion",
    "TrackedPose",
    "TrackingOptions",
    "follow",
    "track",
]
