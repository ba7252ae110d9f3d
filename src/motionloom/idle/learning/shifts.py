"""Shifts from one resting posture to another: kept as they were recorded, fitted to new postures.

After Egges, Molet & Magnenat-Thalmann (2004, section 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from motionloom.declared import LENGTH, NUMBER, Normalized, Shape
from motionloom.idle.learning.spans import Category
from motionloom.motion import GroundTransform
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array

#: Frames over which a shift takes over from the rest before it, as a share of its length, and most
#: seconds.
EASE, LONGEST_EASE = 0.25, 0.4


@dataclass(frozen=True, eq=False)
class Shift:
    """A recorded way from one posture to another.

    Parameters
    ----------
    postures : array of shape (n, K)
        Components, seen from a place that goes from the stance before it to the one behind it, as
        a cubic eases; the shift's share of time is the share of the way.
    begin, end : str
        Categories of balance before and after.
    feet : array of shape (n, 2, 3), metres, optional
        Places of both ankles seen from the stance before it, where a foot steps.
    turns : array of shape (n, 2, 4), optional
        Rotations of both feet likewise.
    moved : GroundTransform
        The stance after it, seen from the stance before it.
    """

    postures: Annotated[Array, Shape("n", "K"), NUMBER]
    begin: Category
    end: Category
    feet: Annotated[Array, Shape("n", 2, 3), LENGTH] | None = None
    turns: Annotated[Array, Shape("n", 2, 4), Normalized()] | None = None
    moved: GroundTransform = field(default_factory=GroundTransform)
    __setstate__ = restore_read_only

    @property
    def n_frames(self) -> int:
        """How long it takes."""
        return len(self.postures)

    @property
    def steps(self) -> bool:
        """Whether a foot steps."""
        return self.feet is not None


def choose_shift(
    shifts: Sequence[Shift], start: ArrayLike, end: ArrayLike, weights: ArrayLike
) -> int:
    """The shift that fits best between two postures (section 5.4.3).

    Parameters
    ----------
    shifts : sequence of Shift
        At least one.
    start, end : array of shape (K,)
        Postures.
    weights : array of shape (K,)
        Of the components in the distance (equation 4).

    Returns
    -------
    int
        The one whose larger distance, at its first and its last frame, is least.
    """
    weights = np.asarray(weights, float)
    firsts = np.array([shift.postures[0] for shift in shifts])
    lasts = np.array([shift.postures[-1] for shift in shifts])
    at_start = np.sum(weights * (firsts - start) ** 2, axis=1)
    at_end = np.sum(weights * (lasts - end) ** 2, axis=1)
    return int(np.argmin(np.maximum(at_start, at_end)))
