"""Lookup: a grid of natural poses in a spatial index, the best match refined (the thesis' pose
generator, FE3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from motionloom import rotations as rot
from motionloom.compiling import full_kernel
from motionloom.errors import InvalidInputError
from motionloom.ik.problem import IkResult, PoseProblem
from motionloom.ik.rig import make_rig
from motionloom.jacobian_kernels import make_stance, run
from motionloom.spaces.pca import PCA
from motionloom.spaces.pose_space import PoseSpace
from motionloom.spaces.segments import TIPS

Array = NDArray[np.float64]

#: Points of the grid over the low dimensions of a segment's space; 4 * 4 * 4 * 4 * 4 * 4 * 13 is
#: about 53,000.
GRID = (13, 4, 4, 4, 4, 4, 4)
#: Squared metres that a unit of dissimilarity to the nearest captured pose is worth.
NATURAL_WEIGHT = 0.01
#: Nearest grid points that are weighed against each other.
CONSIDERED = 64
#: Captured poses that the grid's points are compared with.
COMPARED = 1500


@dataclass(frozen=True, eq=False)
class PoseTable:
    """Grid of natural poses of one segment.

    Parameters
    ----------
    joint : int
        The joint at the segment's tip.
    columns : int array of shape (C,)
        Columns of a pose.
    values : array of shape (G, C), radians
        The grid, within the effective limits.
    oddness : array of shape (G,)
        Dissimilarity to the nearest captured pose: the sum over joints of ``1 - |q1 . q2|``.
    index : cKDTree
        Of the tip's places in root coordinates, metres.
    """

    joint: int
    columns: NDArray[np.int64]
    values: Array
    oddness: Array
    index: cKDTree

    def nearest(self, place: Array) -> Array:
        """Values (C,) of the columns that come nearest to a place and are like captured ones."""
        found = self.index.query(place, k=np.arange(1, min(CONSIDERED, len(self.values)) + 1))
        distance = np.asarray(found[0])
        near = np.asarray(found[1])
        nearest: Array = self.values[
            near[np.argmin(distance**2 + NATURAL_WEIGHT * self.oddness[near])]
        ]
        return nearest


def make_table(space: PoseSpace, segment: str, joint: int) -> PoseTable:
    """Grid of one segment's space between its captured extremes; its first component is densest.

    Parameters
    ----------
    space : PoseSpace
        The captured poses; joints outside the segment stand as in their mean.
    segment : str
        Name in ``space.segments``.
    joint : int
        Joint at the segment's tip.

    Returns
    -------
    PoseTable
        Each component from the 0.5th to the 99.5th percentile, about 50,000 points in all.
    """
    columns = space.segments[segment]
    own = space.poses[:, columns]
    varies = len(PCA.fit(own).components_)
    grid = GRID[: min(len(GRID), varies)]
    if len(grid) < len(GRID):  # few dimensions, such as a leg's: as many points in all
        side = round(np.prod(GRID) ** (1 / len(grid)))
        grid = (side,) * len(grid)
    pca = PCA.fit(own, len(grid))
    low, high = np.quantile(pca.transform(own), [0.005, 0.995], axis=0)
    axes = [np.linspace(a, b, n) for a, b, n in zip(low, high, grid, strict=True)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(grid))
    values = np.clip(pca.inverse_transform(points), space.lower[columns], space.upper[columns])
    rig = make_rig(space.coordinates)
    places = tip_places(rig, make_stance(rig), space.mean, columns, values, joint)
    return PoseTable(joint, columns, values, _oddness(space, columns, values), cKDTree(places))


class PoseTables(dict[int, PoseTable]):
    """Lookup tables of the limbs, by the joint at their tip; each is made when first asked for.

    Parameters
    ----------
    space : PoseSpace
        Whose segments the tables are of.
    """

    def __init__(self, space: PoseSpace) -> None:
        super().__init__()
        self.space = space
        self.tips = {
            space.roles.joints[role]: name
            for name, role in TIPS.items()
            if role in space.roles.joints
        }

    def __missing__(self, joint: int) -> PoseTable:
        self[joint] = make_table(self.space, self.tips[joint], joint)
        return self[joint]

    def __contains__(self, joint: object) -> bool:
        return joint in self.tips


def _oddness(space: PoseSpace, columns: NDArray[np.int64], values: Array) -> Array:
    """Dissimilarity of every grid point to the nearest captured pose of the segment, shape (G,)."""
    joints = np.unique(space.coordinates.joints[columns])

    def turns(own: Array) -> Array:
        poses = np.tile(space.mean, (len(own), 1))
        poses[:, columns] = own
        local = space.coordinates.coordinates.local_pose(space.coordinates.to_values(poses))[0][
            :, joints
        ]
        # One sign for each rotation makes |q1 - q2|^2 / 2 = 1 - |q1 . q2| nearly everywhere.
        reference = rot.mean(local) if len(own) > COMPARED // 8 else local[0]
        return local * np.where(np.sum(local * reference, axis=-1, keepdims=True) < 0, -1.0, 1.0)

    step = max(len(space.poses) // COMPARED, 1)
    both = turns(np.concatenate([space.poses[::step, columns], values]))
    captured = len(space.poses[::step])
    flat = both.reshape(len(both), -1)
    return np.asarray(cKDTree(flat[:captured]).query(flat[captured:])[0]) ** 2 / 2


@full_kernel()
def tip_places(rig, stance, pose, columns, values, joint):  # pragma: no cover - compiled
    """Place of a joint for every row of values of some columns, shape (G, 3), metres.

    `values` (G, C) replace the `columns` (C,) of `pose` (P,), radians.
    """
    own = pose.copy()
    places = np.zeros((len(values), 3))
    for g in range(len(values)):
        for c in range(len(columns)):
            own[columns[c]] = values[g, c]
        run(rig, own, stance)
        places[g] = stance.place[joint]
    return places


def solve_lookup(
    problem: PoseProblem, tables: Mapping[int, PoseTable], refine: Callable[[PoseProblem], IkResult]
) -> IkResult:
    """Begin at the best grid point of every target's segment and refine.

    Parameters
    ----------
    problem : PoseProblem
        Positions of joints that have a table.
    tables : mapping of int to PoseTable
        By joint.
    refine : callable
        A solver, such as `solve_jacobian` or `solve_ccd`.

    Returns
    -------
    IkResult
        What `refine` makes of it.

    Raises
    ------
    InvalidInputError
        For a target that no table is about.
    """
    pose = problem.start.copy()
    for target in problem.targets:
        if target.kind != "position" or target.joint not in tables:
            name = problem.body.coordinates.skeleton.names[target.joint]
            raise InvalidInputError(
                f"lookup has no table for the {target.kind} of {name}; use another method"
            )
        table = tables[target.joint]
        pose[table.columns] = table.nearest(np.asarray(target.value))
    return refine(replace(problem, start=pose))
