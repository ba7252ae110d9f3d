"""Markers into a moving skeleton: marker sets, calibration, tracking."""
