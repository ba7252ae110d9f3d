"""Cycles as rows of numbers: rotation vectors about a mean cycle, and the root's deviations.

PCA of cycles (Xiao 2009, section 4.2.1): the leading components and their energy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom import rotations as rot
from motionloom.declared import LARGEST, NORMALIZED, NUMBER, PART, SINGLE, SIZE, Range, Shape, below
from motionloom.gait.cycle import GaitBody, GaitCycle
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array

#: A mean of rotations is found in so many steps: cycles of one behaviour are near to each other.
_STEPS = 3
#: A joint on which nothing hangs still turns: levers are at least this, in hip heights.
LEAST_LEVER = 0.01


@dataclass(frozen=True, eq=False)
class CycleCoordinates:
    """Cycles as rows of D = N (3 J + 3) numbers.

    Parameters
    ----------
    reference : array of shape (N, J, 4)
        Mean local rotations of cycles; rows hold rotation vectors from it, in the joints' frames.
    levers : array of shape (J,)
        What joints' vectors are multiplied by: how far what hangs on a joint reaches, in hip
        heights, so that rows differ as much as bodies do.
    root : int
        The joint that carries the body.
    """

    reference: Annotated[Array, Shape("N", "J", 4), NORMALIZED]
    levers: Annotated[Array, Shape("J"), Range(1e-6, LARGEST)]
    root: Annotated[int, below("J")]
    __setstate__ = restore_read_only

    @property
    def size(self) -> int:
        """Numbers of a row, D."""
        n, joints, _ = self.reference.shape
        return int(n * (3 * joints + 3))

    def to_row(self, cycle: GaitCycle, hip_height: float) -> Array:
        """A cycle's row, shape (D,); lengths become shares of the hips' height."""
        turned = rot.multiply(rot.conjugate(self.reference), cycle.rotations)
        vectors = rot.to_rotvec(turned) * self.levers[:, None]
        return np.concatenate([vectors.ravel(), (cycle.deviations / hip_height).ravel()])

    def to_pose(self, row: Array, hip_height: float) -> tuple[Array, Array]:
        """Rotations (N, J, 4) and deviations (N, 3), metres, of a row."""
        n, joints, _ = self.reference.shape
        vectors = row[: 3 * n * joints].reshape(n, joints, 3) / self.levers[:, None]
        rotations = rot.multiply(self.reference, rot.from_rotvec(vectors))
        deviations = row[3 * n * joints :].reshape(n, 3) * hip_height
        return rot.unroll(rotations), deviations


def leg_swing(coordinates: CycleCoordinates, body: GaitBody) -> Callable[[Array], Array]:
    """What a row gains, per unit, when its legs swing farther about their mean over the cycle.

    Parameters
    ----------
    coordinates : CycleCoordinates
        Of the rows.
    body : GaitBody
        Whose joints are the hips.

    Returns
    -------
    callable
        From rows to rows.
    """
    hips = [body.roles.joints[role] for role in ("left_hip", "right_hip")]

    def swing(row: Array) -> Array:
        rotations, deviations = coordinates.to_pose(row, 1.0)
        gained = np.zeros((*rotations.shape[:2], 3))
        for joint in hips:
            mean = rot.mean(rotations[:, joint])
            away = rot.to_rotvec(rot.multiply(rot.conjugate(mean), rotations[:, joint]))
            gained[:, joint] = coordinates.levers[joint] * away
        return np.concatenate([gained.ravel(), np.zeros(deviations.size)])

    return swing


def _measure_levers(body: GaitBody) -> Array:
    """How far what hangs on each joint reaches, shape (J,), in hip heights.

    The root of the mean squared distance, standing at rest, of all that moves with the joint.
    """
    skeleton = body.skeleton
    places = np.zeros((skeleton.n_joints, 3))
    for j, parent in enumerate(skeleton.parents):
        if parent >= 0:
            places[j] = places[parent] + skeleton.offsets[j]
    tips = places[skeleton.end_parents] + skeleton.end_offsets
    levers = np.zeros(skeleton.n_joints)
    for j in range(skeleton.n_joints):
        below = skeleton.descendants(j)
        hangs = np.isin(skeleton.end_parents, [j, *below])
        reach = np.concatenate([places[list(below)], tips[hangs]]) - places[j]
        if len(reach):
            levers[j] = np.sqrt((reach**2).sum(axis=1).mean())
    return np.maximum(levers / body.hip_height, LEAST_LEVER)


def mean_coordinates(cycles: Sequence[GaitCycle], body: GaitBody) -> CycleCoordinates:
    """Coordinates about the mean of cycles.

    Parameters
    ----------
    cycles : sequence of GaitCycle
        Of skeletons with the same joints.
    body : GaitBody
        Whose levers count.

    Returns
    -------
    CycleCoordinates
    """
    rotations = np.stack([cycle.rotations for cycle in cycles])
    mean = rotations[0]
    for _ in range(_STEPS):
        away = rot.to_rotvec(rot.multiply(rot.conjugate(mean), rotations))
        mean = rot.multiply(mean, rot.from_rotvec(away.mean(axis=0)))
    return CycleCoordinates(rot.unroll(mean), _measure_levers(body), cycles[0].root)


@dataclass(frozen=True, eq=False)
class GaitBasis:
    """Leading components of rows.

    Parameters
    ----------
    mean : array of shape (D,)
        Mean row.
    axes : array of shape (K, D)
        Orthonormal, by decreasing variance.
    variances : array of shape (M,)
        Of all components that there are, M at least K.
    """

    mean: Annotated[Array, Shape("D"), NUMBER, SINGLE]
    axes: Annotated[Array, Shape("k", "D"), PART, SINGLE]
    variances: Annotated[Array, Shape("m"), SIZE]
    __setstate__ = restore_read_only

    @property
    def energy(self) -> Array:
        """Share of the variance in the first 1, 2 ... components, shape (M,); eq. 4.4."""
        total = float(self.variances.sum())
        return np.cumsum(self.variances) / max(total, 1e-30)

    def coefficients(self, rows: Array) -> Array:
        """Coefficients of rows (..., D), shape (..., K)."""
        return (rows - self.mean) @ self.axes.T

    def keep(self, rows: Array) -> Array:
        """The part of differences (..., D) that lies in the basis."""
        return (rows @ self.axes.T) @ self.axes

    def count_for(self, share: float) -> int:
        """Number of components that hold a share of the variance."""
        return int(np.searchsorted(self.energy, share - 1e-12)) + 1


def fit_basis(rows: Array, most: int) -> GaitBasis:
    """Principal components of rows.

    Parameters
    ----------
    rows : array of shape (R, D)
        Far fewer rows than numbers in each.
    most : int
        Components kept, where there are as many.

    Returns
    -------
    GaitBasis
    """
    mean = rows.mean(axis=0)
    away = rows - mean
    values, vectors = np.linalg.eigh(away @ away.T)
    order = np.argsort(values)[::-1]
    values = np.maximum(values[order], 0.0)
    real = values > 1e-9 * max(float(values[0]), 1e-30)
    kept = order[: min(most, int(real.sum()))]
    axes = vectors[:, kept].T @ away
    axes /= np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), 1e-30)
    return GaitBasis(mean, axes, values[real] / len(rows))
