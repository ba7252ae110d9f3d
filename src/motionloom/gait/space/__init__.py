"""Gait spaces: cycles of any speed, person and style."""
