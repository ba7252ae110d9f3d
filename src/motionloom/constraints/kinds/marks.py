"""What a constraint looks like: small records that every picture draws without knowing kinds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.motion import GroundTransform

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Point:
    """Something at a moment.

    Parameters
    ----------
    time : float, seconds
    at : tuple of float, metres, optional
        x and z on the ground, where the body is to be; or x, y and z, where a joint is to be.
        Without it the point is where the joint, else the body, is at that time.
    facing : float, degrees, optional
        Where the body is to face, from +Z towards +X.
    velocity : tuple of (float, float, float), metres per second, optional
    joint : str
        Name or role of the joint that is meant; empty for the body.
    text : str
        What is written beside it.
    """

    time: float
    at: tuple[float, ...] | None = None
    facing: float | None = None
    velocity: tuple[float, float, float] | None = None
    joint: str = ""
    text: str = ""

    @property
    def is_on_ground(self) -> bool:
        """Whether it is a place of the body."""
        return self.at is not None and len(self.at) == 2

    @property
    def is_in_space(self) -> bool:
        """Whether it is a place of a joint."""
        return self.at is not None and len(self.at) == 3

    @property
    def stand(self) -> GroundTransform:
        """Its place, and where the body is to face there; ahead when any direction will do."""
        x, z = self.ground or (0.0, 0.0)
        return GroundTransform(float(np.radians(self.facing or 0.0)), x, z)

    @property
    def ground(self) -> tuple[float, float] | None:
        """Its place on the ground, x and z, metres; None where it has none of its own."""
        return None if self.at is None else (self.at[0], self.at[-1])


@dataclass(frozen=True, eq=False)
class Line:
    """A way along the ground.

    Parameters
    ----------
    places : array of shape (T, 2), metres
        x and z, frame by frame.
    knots : tuple of (float, float), metres
        The points it was given by.
    """

    places: Array
    knots: tuple[tuple[float, float], ...]


@dataclass(frozen=True, eq=False)
class Solid:
    """Something upright that the body keeps out of.

    Parameters
    ----------
    center : tuple of (float, float), metres
        x and z.
    outline : array of shape (K, 2), metres
        Corners seen from above, anticlockwise with +Z up and +X right; convex.
    bottom, top : float, metres, optional
        Without end when not given.
    """

    center: tuple[float, float]
    outline: Array
    bottom: float | None
    top: float | None


@dataclass(frozen=True, eq=False)
class Surface:
    """Ground that is not level.

    Parameters
    ----------
    grid : array of shape (R, C, 3), metres
        Rows along +Z, each along +X.
    """

    grid: Array


@dataclass(frozen=True)
class Stretch:
    """A span of time.

    Parameters
    ----------
    begin, end : float, seconds
    text : str
    """

    begin: float
    end: float
    text: str


Mark = Point | Line | Solid | Surface | Stretch
