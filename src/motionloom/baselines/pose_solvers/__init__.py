"""Pose solvers of the publications."""
