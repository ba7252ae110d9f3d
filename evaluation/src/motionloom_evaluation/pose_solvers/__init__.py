"""Pose solvers of the publications, and trials: what learns each, by entry points."""

from __future__ import annotations

from motionloom.ik.solve import Solve
from motionloom.spaces.pose_space import PoseSpace
from motionloom_evaluation.pose_solvers.effector_space import EffectorSpace, fit_effector_space
from motionloom_evaluation.pose_solvers.joint_space import solve_ccd, solve_jacobian
from motionloom_evaluation.pose_solvers.latent import (
    solve_multiple,
    solve_single,
    solve_single_plus,
)
from motionloom_evaluation.pose_solvers.local import LocalPrior, solve_local
from motionloom_evaluation.pose_solvers.lookup import PoseTables, solve_lookup


def learn_local(space: PoseSpace) -> Solve:
    """``natural-local``."""
    priors = LocalPrior(space)
    return lambda problem: solve_local(problem, priors)


def learn_single_plus(space: PoseSpace) -> Solve:
    """``single-plus``."""
    effectors = fit_effector_space(space)
    return lambda problem: solve_single_plus(problem, space, effectors)


def learn_multiple(space: PoseSpace) -> Solve:
    """``multiple``."""
    effectors: EffectorSpace = fit_effector_space(space)
    return lambda problem: solve_multiple(problem, space, effectors)


def _learn_lookup(space: PoseSpace, solve: Solve) -> Solve:
    tables = PoseTables(space)
    return lambda problem: solve_lookup(problem, tables, solve)


def learn_single(space: PoseSpace) -> Solve:
    """``single``."""
    return lambda problem: solve_single(problem, space)


def learn_jacobian(space: PoseSpace) -> Solve:
    """``jacobian``."""
    return solve_jacobian


def learn_ccd(space: PoseSpace) -> Solve:
    """``ccd``."""
    return solve_ccd


def learn_lookup_jacobian(space: PoseSpace) -> Solve:
    """``lookup-jacobian``."""
    return _learn_lookup(space, solve_jacobian)


def learn_lookup_ccd(space: PoseSpace) -> Solve:
    """``lookup-ccd``."""
    return _learn_lookup(space, solve_ccd)
