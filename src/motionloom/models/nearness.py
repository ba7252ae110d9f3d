"""How far a motion is from the nearest take, beside how far takes are from each other.

Standard deviations take takes for one cloud. Where several players or styles are pooled there are
several, and what lies between them has few standard deviations although nobody moves like that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.spaces.motion_space import MotionSpace
from motionloom.typing import Array

#: A motion lies between takes where it is farther from the nearest one than so many times what
#: nine in ten takes are from theirs, or so many times what that one is from its own nearest.
#: Distances of takes that are left out and made again stay below (see docs).
OF_MOST, OF_ITS_OWN = 1.25, 2.5
_MOST = 0.9


@dataclass(frozen=True)
class Nearness:
    """Where a motion lies among the takes; distances are root mean squares over joints and frames.

    Parameters
    ----------
    take : str
        The nearest.
    distance : float, metres
        From it.
    usual : float, metres
        What nine in ten takes are from the nearest other one, at most.
    own : float, metres
        What the nearest take is from the nearest other one.
    """

    take: str
    distance: float
    usual: float
    own: float

    @property
    def is_between(self) -> bool:
        """Whether no take is like it, as between takes of different styles."""
        close = self.distance <= OF_MOST * self.usual
        # Of takes that nearly coincide the distance says nothing.
        close_to_its_own = self.distance <= max(OF_ITS_OWN * self.own, self.usual)
        return not (close and close_to_its_own)


def find_nearest(
    space: MotionSpace, coefficients: Array, displacement: Array | None = None
) -> Nearness:
    """The take that is nearest to a motion.

    Parameters
    ----------
    space : MotionSpace
        The model.
    coefficients : array of shape (K,)
        Of the motion, standard deviations.
    displacement : array of shape (N, D), optional
        What is added to its normalised frames, radians and metres.
    """
    takes = space.coefficients * space.sigmas
    own = coefficients * space.sigmas
    beside = 0.0
    if displacement is not None:
        weighted = displacement * space.scale**2
        along = np.tensordot(weighted, space.components, axes=((0, 1), (1, 2)))
        beside = max(float(np.sum(weighted * displacement) - along @ along), 0.0)
        own = own + along
    away = np.sqrt(np.sum((takes - own) ** 2, axis=1) + beside)
    nearest = int(np.argmin(away))
    apart = _apart(takes)
    unit = float(1.0 / np.sqrt(space.n_frames))
    return Nearness(
        space.names[nearest],
        unit * float(away[nearest]),
        unit * float(np.quantile(apart, _MOST)),
        unit * float(apart[nearest]),
    )


def _apart(takes: Array) -> Array:
    """Distance of every take (d, K) from the nearest other one, shape (d,)."""
    squares = np.sum(takes**2, axis=1)
    between = squares[:, None] + squares - 2.0 * takes @ takes.T
    np.fill_diagonal(between, np.inf)
    apart: Array = np.sqrt(np.maximum(between.min(axis=1), 0.0))
    return apart
