"""Cycles as rows of numbers: rotation vectors about a mean cycle, and the root's deviations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.gait.cycle import GaitCycle
from motionloom.skeleton import restore_read_only

Array = NDArray[np.float64]

#: A mean of rotations is found in so many steps: cycles of one behaviour are near to each other.
_STEPS = 3


@dataclass(frozen=True, eq=False)
class CycleCoordinates:
    """Cycles as rows of D = N (3 J + 3) numbers.

    Parameters
    ----------
    reference : array of shape (N, J, 4)
        Mean local rotations of cycles; rows hold rotation vectors from it, in the joints' frames.
    root : int
        The joint that carries the body.
    """

    reference: Array
    root: int
    __setstate__ = restore_read_only

    @property
    def size(self) -> int:
        """Numbers of a row, D."""
        n, joints, _ = self.reference.shape
        return int(n * (3 * joints + 3))

    def to_row(self, cycle: GaitCycle, hip_height: float) -> Array:
        """A cycle's row, shape (D,); lengths become shares of the hips' height."""
        turned = rot.multiply(rot.conjugate(self.reference), cycle.rotations)
        deviations = cycle.deviations / hip_height
        return np.concatenate([rot.to_rotvec(turned).ravel(), deviations.ravel()])

    def to_pose(self, row: Array, hip_height: float) -> tuple[Array, Array]:
        """Rotations (N, J, 4) and deviations (N, 3), metres, of a row."""
        n, joints, _ = self.reference.shape
        vectors = row[: 3 * n * joints].reshape(n, joints, 3)
        rotations = rot.multiply(self.reference, rot.from_rotvec(vectors))
        deviations = row[3 * n * joints :].reshape(n, 3) * hip_height
        return rot.unroll(rotations), deviations


def mean_coordinates(cycles: Sequence[GaitCycle]) -> CycleCoordinates:
    """Coordinates about the mean of cycles.

    Parameters
    ----------
    cycles : sequence of GaitCycle
        Of skeletons with the same joints.

    Returns
    -------
    CycleCoordinates
    """
    rotations = np.stack([cycle.rotations for cycle in cycles])
    mean = rotations[0]
    for _ in range(_STEPS):
        away = rot.to_rotvec(rot.multiply(rot.conjugate(mean), rotations))
        mean = rot.multiply(mean, rot.from_rotvec(away.mean(axis=0)))
    return CycleCoordinates(rot.unroll(mean), cycles[0].root)
