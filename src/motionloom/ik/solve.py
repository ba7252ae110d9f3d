"""Solvers by name, and solving for one pose space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from motionloom.errors import InvalidInputError
from motionloom.ik import problem as problems
from motionloom.ik._body import Body, free_body, held_body
from motionloom.ik.natural import solve_natural, solve_priorities
from motionloom.ik.prior import Prior, make_prior
from motionloom.plugins import SOLVERS, load_plugins, names_of
from motionloom.spaces.pose_space import PoseSpace
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

Solve = Callable[[problems.PoseProblem], problems.IkResult]
#: Learns from a pose space what a solver needs, and gives the solver.
Learn = Callable[[PoseSpace], Solve]

_registered: dict[str, Learn] = {}
#: Solvers that know a free root; the others hold it.
FREE_METHODS = ("natural", "natural-whole", "natural-segments")


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
    """Names of all solvers; the first is the one to use, the others are there to compare with.

    Examples
    --------
    >>> solver_names()[0]
    'natural'
    """
    return tuple(dict.fromkeys((*_registered, *names_of(SOLVERS))))


def _find_solver(name: str) -> Learn:
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
    if name not in _registered:
        load_plugins(SOLVERS, register_solver, name)
    if name not in _registered:
        raise InvalidInputError(f"method must be one of {', '.join(solver_names())}, got {name!r}")
    return _registered[name]


class _Natural:
    """The default solver of a pose space, for its root held and free; each is learned when it is
    first asked for.
    """

    def __init__(self, space: PoseSpace, *, joining: float | None, local: bool) -> None:
        self.space = space
        self.joining = joining
        self.local = local
        self.priors: dict[bool, Prior] = {}

    def __call__(self, problem: problems.PoseProblem) -> problems.IkResult:
        free = problem.body.free
        if free not in self.priors:
            self.priors[free] = make_prior(self.space, problem.body, joining=self.joining)
        return solve_natural(problem, self.priors[free], local=self.local)


register_solver("natural", lambda space: _Natural(space, joining=None, local=True))
register_solver("natural-whole", lambda space: _Natural(space, joining=0.0, local=False))
register_solver("natural-segments", lambda space: _Natural(space, joining=1.0, local=False))


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
    free : bool
        Whether the root is free above a floor: poses then have six more numbers, and targets are in
        coordinates of the floor.

    Raises
    ------
    InvalidInputError
        For an unknown method, or one that holds the root.
    """

    def __init__(
        self,
        space: PoseSpace,
        method: str = "natural",
        options: problems.IkOptions | None = None,
        *,
        free: bool = False,
    ) -> None:
        if free and method not in FREE_METHODS:
            raise InvalidInputError(
                f"{method} holds the root; with a free one use one of {', '.join(FREE_METHODS)}"
            )
        self.free = free
        self._learn = _find_solver(method)
        self.space = space
        self.method = method
        self.options = options or problems.IkOptions()

    @one_thread()
    def solve(
        self,
        targets: Sequence[problems.Target],
        start: ArrayLike | None = None,
        *,
        fixed: Bools | None = None,
    ) -> problems.IkResult:
        """Find a pose.

        Parameters
        ----------
        targets : sequence of Target
            What joints shall do, in root coordinates, or in those of the floor.
        start : array of shape (P,), radians, optional
            The mean captured pose when not given.
        fixed : bool array of shape (P,), optional
            Numbers that keep their value of the start.

        Returns
        -------
        IkResult
            Within the effective limits, reached or not.

        Raises
        ------
        InvalidInputError
            As of `make_problem`, and when there is no target.
        """
        begin = self._mean if start is None else start
        problem = problems.make_problem(
            self.body, targets, begin, self.options, seeds=self._seeds, fixed=fixed
        )
        if problem.layered and self.method not in FREE_METHODS:
            return solve_priorities(problem, self._solver, self._prior)
        return self._solver(problem)

    @cached_property
    def body(self) -> Body:
        """Kinematics, effective limits and floor."""
        return free_body(self.space) if self.free else held_body(self.space)

    @cached_property
    def _mean(self) -> Array:
        root = self.space.footing.root.mean(axis=0)
        return np.concatenate([self.space.mean, *([root] if self.free else [])])

    @cached_property
    def _seeds(self) -> problems.Seeds:
        return problems.find_seeds(self.space, self.free)

    @cached_property
    def _prior(self) -> Prior:
        return make_prior(self.space, self.body)

    @cached_property
    def _solver(self) -> Solve:
        return self._learn(self.space)
