"""Poses that meet targets: one interface for all solvers, and the likeliest-pose solver that is the
default.
"""

from motionloom.ik.problem import IkOptions, IkResult, Target
from motionloom.ik.solve import PoseSolver, register_solver, solver_names

__all__ = ["IkOptions", "IkResult", "PoseSolver", "Target", "register_solver", "solver_names"]
