"""Prioritized inverse kinematics over eigen-poses."""
