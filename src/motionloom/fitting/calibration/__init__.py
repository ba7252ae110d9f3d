"""Calibration: skeleton, marker places and poses from trials of markers."""
