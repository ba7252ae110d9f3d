"""Solvers of the thesis: one PCA, one PCA with guidance, overlapping segments (FE5 to FE8)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionloom.ik.problem import IkResult, PoseProblem, Target, make_aims
from motionloom.ik.rig import measure
from motionloom.jacobian_kernels import make_stance, run
from motionloom.spaces.pca import PCA
from motionloom.spaces.pose_space import PoseSpace
from motionloom_evaluation.pose_solvers.effector_space import EffectorSpace
from motionloom_evaluation.pose_solvers.iterate import DAMPING, capped, iterate, row_weights

Array = NDArray[np.float64]

#: A joint at its limit is pushed towards mid-range when ``step mod CYCLE == joint mod CYCLE``, for
#: WINDOW steps.
CYCLE, WINDOW = 10, 5
#: Weight of that push beside the damping.
PUSH = 0.01
#: Estimated places nearer than this are left alone, metres.
NEAR = 0.05
#: Weights of a segment: whose turn it is, of others with a target of the user, of those with an
#: estimate only.
TURN, SERVING, GUIDED = 1.0, 0.8, 0.4
#: Steps after which another segment has its turn.
TURN_STEPS = 10
#: Dimensions of the whole body, and of an arm (or the head) and a leg (Ferrydiansyah 2011, sections
#: 4.3 and 4.4).
WHOLE_DIMENSIONS, LIMB_DIMENSIONS = 30, (12, 5)


class Rows(NamedTuple):
    """Rows of a step: what is asked (R,), its Jacobian (R, P), weights (R,), joint of each row."""

    pull: Array
    jacobian: Array
    weights: Array
    joint: NDArray[np.int64]


@dataclass(eq=False)
class LatentStep:
    """One damped least-squares step of some columns of a pose inside a PCA space.

    Parameters
    ----------
    pca : PCA
        Of C angles, radians.
    columns : int array of shape (C,)
        Columns of the pose that the space is about.
    """

    pca: PCA
    columns: NDArray[np.int64]

    def solve(self, pose: Array, rows: Rows, push: Array, damping: float) -> Array:
        """New values of the columns.

        Minimizes ``|J da - dP|^2 + damping |da|^2 + PUSH |M T^t da - dm|^2`` over the change da of
        the coordinates (Ferrydiansyah 2011). J is the Jacobian in these coordinates, dP the pull,
        its squares weighed by row; the rows of T are the components, M picks the columns that are
        pushed.

        Parameters
        ----------
        pose : array of shape (P,), radians
            Where the step begins; projected to the space first.
        rows : Rows
            What is asked for.
        push : array of shape (P,), radians
            dm, the change wanted of every angle; not a number where nothing is pushed.
        damping : float
            Weight of the squared change of the coordinates.

        Returns
        -------
        array of shape (C,), radians
            Inside the PCA space; limits are not looked at.
        """
        basis = self.pca.components_
        jacobian = rows.jacobian[:, self.columns] @ basis.T
        system = (jacobian.T * rows.weights) @ jacobian + damping * np.eye(len(basis))
        right = (jacobian.T * rows.weights) @ rows.pull
        pushed = ~np.isnan(push[self.columns])
        if pushed.any():
            active = basis[:, pushed]
            system += PUSH * active @ active.T
            right += PUSH * active @ push[self.columns][pushed]
        here = self.pca.transform(pose[self.columns])
        return self.pca.inverse_transform(here + np.linalg.solve(system, right))


@lru_cache(maxsize=8)
def pca_of(space: PoseSpace, name: str, count: int | None = None) -> PCA:
    """Principal components of a segment or ``"whole"``; as many as the thesis has, or there are."""
    whole = name == "whole"
    rows = space.poses if whole else space.poses[:, space.segments[name]]
    usual = WHOLE_DIMENSIONS if whole else LIMB_DIMENSIONS[name.endswith("leg")]
    return PCA.fit(rows, min(count or usual, len(PCA.fit(rows).components_)))


def solve_single(problem: PoseProblem, space: PoseSpace, count: int | None = None) -> IkResult:
    """Damped least squares in one space of the whole body ("single PCA") of so many dimensions."""
    whole = _whole(space, count)
    nothing = np.full(len(problem.start), np.nan)

    def advance(pose: Array, residual: Array, jacobian: Array, n: int) -> Array:
        return whole.solve(pose, _user_rows(problem, residual, jacobian), nothing, DAMPING)

    return iterate(problem, advance)


def solve_single_plus(problem: PoseProblem, space: PoseSpace, effectors: EffectorSpace) -> IkResult:
    """Single PCA, with the effector space's estimates; joints at their limits are perturbed.

    Parameters
    ----------
    problem : PoseProblem
        Targets and start.
    space : PoseSpace
        Of the captures.
    effectors : EffectorSpace
        Estimates places of the joints that have no target (Ferrydiansyah 2011, equation 4-35).

    Returns
    -------
    IkResult
        The pose that comes nearest to the targets.
    """
    whole = _whole(space)
    guide = Guide(problem, effectors)
    limits = LimitPush(problem)

    def advance(pose: Array, residual: Array, jacobian: Array, n: int) -> Array:
        rows = guide.rows(pose, residual, jacobian, n)
        return whole.solve(pose, rows, limits.push(pose, n), DAMPING)

    return iterate(problem, advance)


def solve_multiple(problem: PoseProblem, space: PoseSpace, effectors: EffectorSpace) -> IkResult:
    """Each overlapping segment steps alone; shared angles become weighted means (section 4.3).

    Parameters
    ----------
    problem : PoseProblem
        Targets and start.
    space : PoseSpace
        Of the captures.
    effectors : EffectorSpace
        Estimates places of the joints that have no target (Ferrydiansyah 2011, equation 4-35).

    Returns
    -------
    IkResult
        The pose that comes nearest to the targets.
    """
    guide = Guide(problem, effectors)
    limits = LimitPush(problem)
    spaces = {
        name: LatentStep(pca_of(space, name), columns) for name, columns in space.segments.items()
    }
    asked = {t.joint for t in problem.targets}
    moves = problem.rig.moves
    # A segment serves the joints that its own limb, not only the shared trunk, carries.
    shared = (
        np.sum(
            [np.isin(np.arange(space.coordinates.size), c) for c in space.segments.values()], axis=0
        )
        > 1
    )
    own = {name: columns[~shared[columns]] for name, columns in space.segments.items()}
    serving = [name for name in spaces if any(moves[j, own[name]].any() for j in asked)]

    def advance(pose: Array, residual: Array, jacobian: Array, n: int) -> Array:
        rows = guide.rows(pose, residual, jacobian, n)
        push = limits.push(pose, n)
        first = serving[(n // TURN_STEPS) % len(serving)] if serving else ""
        total = np.zeros(len(pose))
        weight = np.zeros(len(pose))
        for name, step in spaces.items():
            mine = np.array([bool(moves[j, own[name]].any()) for j in rows.joint])
            if not mine.any():
                continue
            part = Rows(rows.pull[mine], rows.jacobian[mine], rows.weights[mine], rows.joint[mine])
            importance = TURN if name == first else SERVING if name in serving else GUIDED
            total[step.columns] += importance * step.solve(pose, part, push, DAMPING)
            weight[step.columns] += importance
        return np.where(weight > 0, total / np.maximum(weight, 1e-12), pose)

    return iterate(problem, advance)


class Guide:
    """Adds to the user's targets the places that the effector space estimates for other joints."""

    def __init__(self, problem: PoseProblem, effectors: EffectorSpace) -> None:
        self.problem = problem
        self.effectors = effectors
        self.wanted = {t.joint: t.value for t in problem.targets if t.kind == "position"}
        known = {int(j) for j in effectors.joints}
        self.usable = bool(known & self.wanted.keys())
        self.free = [
            e
            for e, j in enumerate(effectors.joints)
            if int(j) not in {t.joint for t in problem.targets}
        ]
        self.stance = make_stance(problem.rig)

    def rows(self, pose: Array, residual: Array, jacobian: Array, n: int) -> Rows:
        """Rows of the user's targets, and below them those of the estimates.

        Parameters
        ----------
        pose : array of shape (P,), radians
            Where the step begins.
        residual : array of shape (R,)
            What the user's targets lack there, metres.
        jacobian : array of shape (R, P)
            Of the residual.
        n : int
            Number of the step, from 0; the pull of the estimates falls as ``1 / (n + 1)``.

        Returns
        -------
        Rows
            Three rows of weight 1 for every joint that is farther than `NEAR` from its estimate;
            none where no joint of the effector space has a position to reach.
        """
        user = _user_rows(self.problem, residual, jacobian)
        if not self.usable or not self.free:
            return user
        run(self.problem.rig, pose, self.stance)
        joints = self.effectors.joints
        places = self.stance.place[joints]
        known = {j: p for j, p in self.wanted.items() if j in joints}
        estimate = self.effectors.estimate(places, known)
        far = [e for e in self.free if np.linalg.norm(estimate[e] - places[e]) > NEAR]
        if not far:
            return user
        aims = make_aims([Target(int(joints[e]), "position", estimate[e]) for e in far])
        lacking = np.zeros(3 * len(far))
        slopes = np.zeros((3 * len(far), len(pose)))
        measure(self.problem.rig, aims, self.stance, lacking, slopes)
        # Their pull fades: step n moves them by at most 1 / n of what a target of the user may
        # move.
        pull = capped(lacking, aims, self.problem.options.step / (n + 1))
        return Rows(
            np.concatenate([user.pull, pull]),
            np.concatenate([user.jacobian, slopes]),
            np.concatenate([user.weights, np.ones(len(pull))]),
            np.concatenate([user.joint, np.repeat(joints[far], 3)]),
        )


class LimitPush:
    """Pushes angles at their limits towards mid-range, a few at a time."""

    def __init__(self, problem: PoseProblem) -> None:
        self.body = problem.body
        self.until = np.full(len(problem.start), -1)

    def push(self, pose: Array, n: int) -> Array:
        """Change wanted of every angle, radians; not a number for those that are left alone.

        Parameters
        ----------
        pose : array of shape (P,), radians
            Angles at their effective limits may begin to be pushed.
        n : int
            Number of the step; angle k may begin where ``n % CYCLE == k % CYCLE``.

        Returns
        -------
        array of shape (P,), radians
            To the middle between its limits for each angle that is pushed.
        """
        space = self.body
        at_limit = (pose <= space.lower + 1e-9) | (pose >= space.upper - 1e-9)
        begins = at_limit & (np.arange(len(pose)) % CYCLE == n % CYCLE)
        self.until = np.where(begins, n + WINDOW, self.until)
        return np.where(self.until > n, 0.5 * (space.lower + space.upper) - pose, np.nan)


def _whole(space: PoseSpace, count: int | None = None) -> LatentStep:
    return LatentStep(pca_of(space, "whole", count), np.arange(space.coordinates.size))


def _user_rows(problem: PoseProblem, residual: Array, jacobian: Array) -> Rows:
    joint = np.repeat(problem.aims.joint, np.diff(problem.aims.rows))
    return Rows(
        capped(residual, problem.aims, problem.options.step), jacobian, row_weights(problem), joint
    )
