"""Coordinates as a linear function of unknowns."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.typing import Array


@dataclass(frozen=True, eq=False)
class LinearMap:
    """Coordinates as a linear function of unknowns: ``offset + matrix @ unknowns``.

    Parameters
    ----------
    offset : array of shape (D,)
        Coordinates where all unknowns are zero.
    matrix : array of shape (D, A), optional
        Change of the coordinates with each unknown; when not given the unknowns are what is added
        to the offset.
    """

    offset: Array
    matrix: Array | None = None

    @property
    def size(self) -> int:
        """Number of unknowns A."""
        return len(self.offset) if self.matrix is None else self.matrix.shape[1]

    def to_coordinates(self, unknowns: Array) -> Array:
        """Coordinates (D,) of unknowns (A,).

        Examples
        --------
        >>> LinearMap(np.array([1.0, 2.0])).to_coordinates(np.array([0.5, 0.5]))
        array([1.5, 2.5])
        """
        moved = unknowns if self.matrix is None else self.matrix @ unknowns
        return self.offset + moved

    def pull_back(self, jacobian: Array) -> Array:
        """Jacobian (R, A) in the unknowns from one in the coordinates (R, D)."""
        return jacobian if self.matrix is None else jacobian @ self.matrix
