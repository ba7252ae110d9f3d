"""What a constraint looks like: small records that every picture draws without knowing kinds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.constraints.kinds.avoid import Solid
from motionloom.constraints.kinds.ground import Uneven
from motionloom.motion import GroundTransform
from motionloom.typing import Array


@dataclass(frozen=True)
class Point:
    """Something at a moment, or over a span of time.

    Parameters
    ----------
    time : float, seconds
        From the begin of the motion.
    at : tuple of float, metres, optional
        x and z on the ground, where the body is to be; or x, y and z, where a joint is to be.
        Without it the point is where the joint, else the body, is at that time.
    facing : float, degrees, optional
        Where the body is to face, from +Z towards +X.
    velocity : tuple of (float, float, float), metres per second, optional
        Along x, y and z in the world, asked of the joint.
    joint : str
        Name or role of the joint that is meant; empty for the body.
    text : str
        What is written beside it.
    end : float, seconds, optional
        Until then, of a span.
    """

    time: float
    at: tuple[float, ...] | None = None
    facing: float | None = None
    velocity: tuple[float, float, float] | None = None
    joint: str = ""
    text: str = ""
    end: float | None = None

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


#: Obstacles are drawn as they are.
Mark = Point | Line | Solid | Uneven
