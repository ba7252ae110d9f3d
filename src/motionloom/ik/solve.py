"""All solvers by name, what each has to learn first, and solving for many poses at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom.baselines.pose_solvers.latent import solve_multiple, solve_single, solve_single_plus
from motionloom.baselines.pose_solvers.local import LocalPrior, solve_local
from motionloom.baselines.pose_solvers.lookup import PoseTable, make_table, solve_lookup
from motionloom.errors import InvalidInputError
from motionloom.ik.joint_space import solve_ccd, solve_jacobian
from motionloom.ik.natural import Prior, make_prior, solve_natural
from motionloom.ik.problem import IkOptions, IkResult, PoseProblem, Target, make_problem
from motionloom.ik.rig import Rig, make_rig
from motionloom.spaces.effector_space import EffectorSpace, fit_effector_space
from motionloom.spaces.pose_space import PoseSpace
from motionloom.spaces.segments import TIPS

Array = NDArray[np.float64]

METHODS = (
    "natural",
    "natural-whole",
    "natural-local",
    "jacobian",
    "ccd",
    "single",
    "single-plus",
    "multiple",
    "lookup-jacobian",
    "lookup-ccd",
)


class _Tables(dict[int, PoseTable]):
    """Lookup tables that make themselves."""

    def __init__(self, space: PoseSpace) -> None:
        super().__init__()
        self.space = space
        self.tips = {space.roles.joints[role]: name for name, role in TIPS.items() if role in space.roles.joints}

    def __missing__(self, joint: int) -> PoseTable:
        self[joint] = make_table(self.space, self.tips[joint], joint)
        return self[joint]

    def __contains__(self, joint: object) -> bool:
        return joint in self.tips


class PoseSolver:
    """Solvers for one pose space; what they need is learned when it is first used.

    Parameters
    ----------
    space : PoseSpace
    method : str
        One of `METHODS`. ``"natural"`` is the one to use; the others are there to compare with.
    options : IkOptions, optional
    """

    def __init__(self, space: PoseSpace, method: str = "natural", options: IkOptions | None = None) -> None:
        if method not in METHODS:
            raise InvalidInputError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
        self.space, self.method, self.options = space, method, options or IkOptions()

    def solve(self, targets: Sequence[Target], start: ArrayLike | None = None) -> IkResult:
        """Find a pose.

        Parameters
        ----------
        targets : sequence of Target
        start : array of shape (P,), radians, optional
            The mean captured pose when not given.
        """
        problem = make_problem(self.space, targets, start, self.options)
        problem.__dict__["rig"] = self.rig
        return self._solver(problem)

    @cached_property
    def rig(self) -> Rig:
        """Compiled kinematics."""
        return make_rig(self.space.coordinates)

    @cached_property
    def prior(self) -> Prior:
        """Prior of the default solver."""
        return make_prior(self.space, whole=self.method == "natural-whole")

    @cached_property
    def local(self) -> LocalPrior:
        """Priors near the targets."""
        return LocalPrior(self.space)

    @cached_property
    def effectors(self) -> EffectorSpace:
        """Effector space that guides what is left free."""
        return fit_effector_space(self.space)

    @cached_property
    def tables(self) -> Mapping[int, PoseTable]:
        """Lookup tables of the limbs, by the joint at their tip; each is made when it is first asked for."""
        return _Tables(self.space)

    @cached_property
    def _solver(self) -> Callable[[PoseProblem], IkResult]:
        by_name: dict[str, Callable[[PoseProblem], IkResult]] = {
            "natural": lambda p: solve_natural(p, self.prior),
            "natural-whole": lambda p: solve_natural(p, self.prior),
            "natural-local": lambda p: solve_local(p, self.local),
            "jacobian": solve_jacobian,
            "ccd": solve_ccd,
            "single": solve_single,
            "single-plus": lambda p: solve_single_plus(p, self.effectors),
            "multiple": lambda p: solve_multiple(p, self.effectors),
            "lookup-jacobian": lambda p: solve_lookup(p, self.tables, solve_jacobian),
            "lookup-ccd": lambda p: solve_lookup(p, self.tables, solve_ccd),
        }
        return by_name[self.method]
