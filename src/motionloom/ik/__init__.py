"""Poses that meet targets: one interface for all solvers, and the likeliest-pose solver that is the default."""

from motionloom.ik.problem import IkOptions, IkResult, Target
from motionloom.ik.solve import METHODS, PoseSolver

__all__ = ["METHODS", "IkOptions", "IkResult", "PoseSolver", "Target"]
