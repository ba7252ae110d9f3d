"""Inverse dynamics: states, loads, and their derivatives."""

from motionloom.physics.dynamics._inverse import Dynamics, differentiate_dynamics, inverse_dynamics
from motionloom.physics.dynamics.state import BodyState, Smoothing, differentiate, state_of

__all__ = ["BodyState", "Dynamics", "Smoothing", "differentiate"]
__all__ += ["differentiate_dynamics", "inverse_dynamics", "state_of"]
