"""The process that makes motions for a studio, and who watches over it."""

from motionloom.studio.solver.process_solver import ProcessSolver

__all__ = ["ProcessSolver"]
