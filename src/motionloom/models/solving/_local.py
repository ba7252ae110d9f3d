"""What takes do not know: a smooth displacement about the edited frames."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from motionloom.spaces.motion_space import MotionSpace
from motionloom.typing import Array

#: Rounding that keeps frames which nearly coincide apart.
_RIDGE = 1e-6


@dataclass(frozen=True, eq=False)
class Local:
    """Displacements of whole poses that fade from the edited frames on, as a Gaussian process.

    Its F D unknowns are independent standard deviations: what a take that was left out differs by
    from all that the others can show, spread evenly over frames and numbers.

    Parameters
    ----------
    space : MotionSpace
        The model.
    frames : tuple of float
        The F edited frames.
    width : float
        How far a displacement reaches, as a share of all frames (standard deviation).
    """

    space: MotionSpace
    frames: tuple[float, ...]
    width: float

    @cached_property
    def size(self) -> Array:
        """One standard deviation of every number of a pose, shape (D,), metres or radians."""
        scaled = left_out_distance(self.space) / np.sqrt(self.space.mean.size)
        return scaled / self.space.scale

    def shares(self, frames: ArrayLike) -> Array:
        """Share of the unknowns of each edited frame at others, shape (T, F)."""
        own = np.asarray(self.frames)
        kernel = self._kernel(own, own) + _RIDGE * np.eye(len(own))
        half = np.linalg.cholesky(kernel)
        return np.linalg.solve(half, self._kernel(own, np.asarray(frames, float))).T

    def matrices(self) -> Array:
        """Poses of the edited frames as functions of the unknowns, shape (F, D, F D)."""
        shares = self.shares(self.frames)
        count, numbers = len(self.frames), len(self.size)
        matrices = np.zeros((count, numbers, count * numbers))
        for f in range(count):
            for g in range(count):
                block = slice(g * numbers, (g + 1) * numbers)
                matrices[f, :, block] = np.diag(shares[f, g] * self.size)
        return matrices

    def displacement(self, unknowns: Array, frames: ArrayLike) -> Array:
        """What is added to poses (T, D) at frames (T,)."""
        moved = unknowns.reshape(len(self.frames), -1) * self.size
        return self.shares(frames) @ moved

    def _kernel(self, a: Array, b: Array) -> Array:
        reach = self.width * self.space.n_frames
        return np.exp(-0.5 * ((a[:, None] - b) / reach) ** 2)


def left_out_distance(space: MotionSpace) -> float:
    """How far a take is from all that the others can show, root mean square over takes, in the
    space's metric.

    It is the height of each take over the others in the simplex that they span, by the inverse of
    the Gram matrix.
    """
    sigmas = np.sqrt(space.spectrum[: space.n_components])
    motions = space.coefficients * sigmas
    centred = motions - motions.mean(axis=0)
    inverse = np.linalg.pinv(centred @ centred.T, hermitian=True)
    return float(np.sqrt(np.mean(1.0 / np.maximum(np.diag(inverse), 1e-12))))
