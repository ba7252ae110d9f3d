"""A prior that knows more: poses of people whose constrained joints were about where wanted.

The one Gaussian of all poses says that hands high up are rare; it does not say how people stand
when they are. So the captured poses are weighed by how near their joints are to the targets, and a
Gaussian is fitted to them, shrunk towards the one of all poses.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from motionloom.ik.natural import solve_likeliest
from motionloom.ik.prior import Gaussian, make_prior
from motionloom.ik.problem import IkResult, PoseProblem, Target
from motionloom.kinematics import forward_kinematics
from motionloom.spaces.pose_space import RIDGE, PoseSpace

Array = NDArray[np.float64]

#: Distance (root mean square over the targets) within which captured poses count, metres, at least.
NEAR = 0.08
#: Number of captured poses that count at least (the distance grows until they do).
NEIGHBOURS = 150
#: Share of the covariance of all poses that is mixed in.
SHRINKAGE = 0.3


class LocalPrior:
    """Priors from the captured poses near a problem's targets.

    Parameters
    ----------
    space : PoseSpace
        Its captured poses are weighed.
    """

    def __init__(self, space: PoseSpace) -> None:
        self.space = space
        self.prior = make_prior(space, joining=1.0)

    @cached_property
    def places(self) -> Array:
        """Place of every joint in every captured pose, root coordinates, (N, J, 3), metres."""
        world = forward_kinematics(self.space.coordinates.to_motion(self.space.poses)).positions
        return world - world[:, self.space.coordinates.root, None]

    def near(self, problem: PoseProblem) -> Gaussian:
        """Prior for one problem.

        Each part of the body (the upper body, each leg) looks at the targets of its own limbs; one
        without any keeps the prior of all poses.
        """
        space = self.space
        size = self.space.coordinates.size
        mean = self.prior.everywhere.mean.copy()
        spread = np.zeros((size, size))
        asked = [t for t in problem.targets if t.kind == "position"]
        for columns in parts_of(space):
            aims = [t for t in asked if problem.rig.moves[t.joint, columns].any()]
            weight = (
                self._weights(aims) if aims else np.full(len(space.poses), 1 / len(space.poses))
            )
            own = space.poses[:, columns]
            mean[columns] = weight @ own
            away = own - mean[columns]
            local = (away * weight[:, None]).T @ away
            shrinkage = SHRINKAGE if aims else 0.0
            everywhere = np.cov(own, rowvar=False, bias=True)
            spread[np.ix_(columns, columns)] = (1 - shrinkage) * local + shrinkage * everywhere
        spread += RIDGE**2 * np.eye(size)
        precision = space.join_precisions(lambda columns: spread[np.ix_(columns, columns)])
        return Gaussian(mean, np.ascontiguousarray(np.linalg.inv(precision)))

    def _weights(self, aims: list[Target]) -> Array:
        """Weights of the captured poses (N,), summing to 1, by how near joints are to targets."""
        joints = [t.joint for t in aims]
        wanted = np.array([t.value for t in aims])
        distance = np.sqrt(((self.places[:, joints] - wanted) ** 2).sum(axis=-1).mean(axis=1))
        count = min(NEIGHBOURS, len(distance))
        width = max(NEAR, float(np.partition(distance, count - 1)[count - 1]))
        weight = np.exp(-0.5 * (distance / width) ** 2)
        weights: Array = weight / weight.sum()
        return weights


def solve_local(problem: PoseProblem, priors: LocalPrior) -> IkResult:
    """Solve for the likeliest pose under the prior near the targets.

    Parameters
    ----------
    problem : PoseProblem
        Its positions say which captured poses count.
    priors : LocalPrior
        Made from the pose space of the problem.

    Returns
    -------
    IkResult
        As `solve_likeliest` gives it.
    """
    return solve_likeliest(problem, priors.near(problem), priors.prior.oddness(problem.start))


def parts_of(space: PoseSpace) -> list[NDArray[np.int64]]:
    """Columns of the segments that share some, together: the upper body and each leg."""
    parts: list[NDArray[np.int64]] = []
    for columns in space.segments.values():
        touching = [p for p in parts if len(np.intersect1d(p, columns))]
        parts = [p for p in parts if not any(p is t for t in touching)]
        parts.append(np.unique(np.concatenate([*touching, columns])))
    return parts
