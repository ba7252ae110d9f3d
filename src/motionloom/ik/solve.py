"""Solvers by name, and solving for one pose space."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import cached_property

from numpy.typing import ArrayLike

from motionloom.errors import InvalidInputError
from motionloom.ik.joint_space import solve_ccd, solve_jacobian
from motionloom.ik.layered import solve_in_layers
from motionloom.ik.natural import Prior, make_prior, solve_natural
from motionloom.ik.problem import IkOptions, IkResult, PoseProblem, Target, make_problem
from motionloom.ik.rig import Rig, make_rig
from motionloom.spaces.pose_space import PoseSpace

Solve = Callable[[PoseProblem], IkResult]
#: Learns from a pose space what a solver needs, and gives the solver.
Learn = Callable[[PoseSpace], Solve]

#: Where the solvers of the publications register themselves, which ours are compared with.
_BASELINES = "motionloom.baselines.pose_solvers"
_BASELINE_NAMES = (
    "natural-local",
    "single",
    "single-plus",
    "multiple",
    "lookup-jacobian",
    "lookup-ccd",
)
_registered: dict[str, Learn] = {}


def register_solver(name: str, learn: Learn) -> None:
    """Make a solver known by a name; a later one of the same name replaces it.

    Parameters
    ----------
    name : str
        The method that `PoseSolver` and `find_pose` know it by.
    learn : callable
        From a pose space to a function that solves a problem of that space; called once for each
        space.
    """
    _registered[name] = learn


def solver_names() -> tuple[str, ...]:
    """Names of all solvers; the first is the one to use, the others are there to compare with."""
    return tuple(dict.fromkeys((*_registered, *_BASELINE_NAMES)))


def find_solver(name: str) -> Learn:
    """What makes the solver of a name.

    Parameters
    ----------
    name : str
        One of `solver_names`.

    Raises
    ------
    InvalidInputError
        When there is none; it lists those there are.
    """
    if name in _BASELINE_NAMES:
        importlib.import_module(_BASELINES)
    if name not in _registered:
        raise InvalidInputError(f"method must be one of {', '.join(solver_names())}, got {name!r}")
    return _registered[name]


def _learn_natural(space: PoseSpace, whole: bool) -> Solve:
    prior = make_prior(space, whole=whole)
    return lambda problem: solve_natural(problem, prior)


register_solver("natural", lambda space: _learn_natural(space, whole=False))
register_solver("natural-whole", lambda space: _learn_natural(space, whole=True))
register_solver("jacobian", lambda space: solve_jacobian)
register_solver("ccd", lambda space: solve_ccd)


class PoseSolver:
    """A solver for one pose space; what it needs is learned when it is first used.

    Parameters
    ----------
    space : PoseSpace
        Captured poses that solutions come from.
    method : str
        One of `solver_names`.
    options : IkOptions, optional
        Of every solution; the defaults when not given.

    Raises
    ------
    InvalidInputError
        For an unknown method.
    """

    def __init__(
        self, space: PoseSpace, method: str = "natural", options: IkOptions | None = None
    ) -> None:
        self._learn = find_solver(method)
        self.space = space
        self.method = method
        self.options = options or IkOptions()

    def solve(self, targets: Sequence[Target], start: ArrayLike | None = None) -> IkResult:
        """Find a pose.

        Parameters
        ----------
        targets : sequence of Target
            What joints shall do, in root coordinates.
        start : array of shape (P,), radians, optional
            The mean captured pose when not given.

        Returns
        -------
        IkResult
            Within the effective limits, reached or not.

        Raises
        ------
        InvalidInputError
            As of `make_problem`, and when there is no target.
        """
        problem = make_problem(self.space, targets, start, self.options)
        problem.__dict__["rig"] = self.rig
        if problem.layered:
            return solve_in_layers(problem, self._solver, self._prior)
        return self._solver(problem)

    @cached_property
    def rig(self) -> Rig:
        """Compiled kinematics."""
        return make_rig(self.space.coordinates)

    @cached_property
    def _prior(self) -> Prior:
        return make_prior(self.space)

    @cached_property
    def _solver(self) -> Solve:
        return self._learn(self.space)
