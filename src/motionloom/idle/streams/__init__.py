"""Waiting without end, of one or of many: plans, feet and legs, and frames between frames."""
