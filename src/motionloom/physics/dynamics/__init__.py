"""Inverse dynamics: states, loads, and their derivatives."""

from motionloom.physics.dynamics._inverse import (
    Derivatives,
    Dynamics,
    differentiate_dynamics,
    inverse_dynamics,
)
from motionloom.physics.dynamics.state import BodyState, Smoothing, differentiate, state_of

__all__ = [
    "BodyState",
    "Derivatives",
    "Dynamics",
    "Smoothing",
    "differentiate",
    "differentiate_dynamics",
    "inverse_dynamics",
    "state_of",
]
