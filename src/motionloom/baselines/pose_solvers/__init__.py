"""Pose solvers of the publications, and trials, registered by name."""

from __future__ import annotations

from motionloom.baselines.pose_solvers.latent import solve_multiple, solve_single, solve_single_plus
from motionloom.baselines.pose_solvers.local import LocalPrior, solve_local
from motionloom.baselines.pose_solvers.lookup import PoseTables, solve_lookup
from motionloom.ik.joint_space import solve_ccd, solve_jacobian
from motionloom.ik.solve import Solve, register_solver
from motionloom.spaces.effector_space import EffectorSpace, fit_effector_space
from motionloom.spaces.pose_space import PoseSpace


def _learn_local(space: PoseSpace) -> Solve:
    priors = LocalPrior(space)
    return lambda problem: solve_local(problem, priors)


def _learn_single_plus(space: PoseSpace) -> Solve:
    effectors = fit_effector_space(space)
    return lambda problem: solve_single_plus(problem, space, effectors)


def _learn_multiple(space: PoseSpace) -> Solve:
    effectors: EffectorSpace = fit_effector_space(space)
    return lambda problem: solve_multiple(problem, space, effectors)


def _learn_lookup(space: PoseSpace, solve: Solve) -> Solve:
    tables = PoseTables(space)
    return lambda problem: solve_lookup(problem, tables, solve)


register_solver("natural-local", _learn_local)
register_solver("single", lambda space: lambda problem: solve_single(problem, space))
register_solver("single-plus", _learn_single_plus)
register_solver("multiple", _learn_multiple)
register_solver("lookup-jacobian", lambda space: _learn_lookup(space, solve_jacobian))
register_solver("lookup-ccd", lambda space: _learn_lookup(space, solve_ccd))
