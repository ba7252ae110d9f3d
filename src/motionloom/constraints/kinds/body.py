"""Where the body is and where it faces."""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.constraints.kinds._kind import Kind, entries
from motionloom.constraints.kinds.marks import Point
from motionloom.constraints.kinds.measures import ConstraintError, Shown
from motionloom.constraints.values import Degrees, Ground, Held, expects
from motionloom.motion import GroundTransform


class BodyConstraint(Held):
    """Where the body is and where it faces at a time, or stands from a time to another.

    Parameters
    ----------
    time : float, seconds
        From the begin of the motion.
    end : float, seconds, optional
        ``to`` in a file: until then the body stays.
    position : tuple of (float, float), metres
        x and z on the ground plane, below the hips.
    facing : float, degrees, optional
        From +Z towards +X; any direction will do when not given.

    Examples
    --------
    >>> BodyConstraint(time=2.0, position=(1.0, 3.0), facing=90).stand().ahead.round(6)
    array([1., 0.])
    """

    position: Ground = expects("two numbers [x, z] in metres, within 1000 m", [1.0, 2.5])
    facing: Degrees | None = expects("an angle in degrees from +Z towards +X", 90, None)

    def stand(self, heading: float = 0.0) -> GroundTransform:
        """Where the body is to be and to face.

        Parameters
        ----------
        heading : float, radians
            Where it faces when any direction will do.

        Examples
        --------
        >>> BodyConstraint(time=0.0, position=(1.0, 3.0)).stand(heading=90.0).ground
        array([1., 3.])
        """
        if self.facing is None:
            return GroundTransform(heading, *self.position)
        return GroundTransform(float(np.radians(self.facing)), *self.position)


def _error(c: BodyConstraint, index: int, shown: Shown) -> ConstraintError:
    frames = shown.constraints.frames_of(c)
    x, z, angle = shown.body[frames.start : frames.stop].T
    miss = np.hypot(x - c.position[0], z - c.position[1])
    off = None
    if c.facing is not None:
        off = float(np.degrees(np.abs(rot.wrap_angle(angle - np.radians(c.facing))).max()))
    return ConstraintError("body", index, frames.start, float(miss.max()), off)


BODY = Kind(
    name="body",
    item="body",
    model=BodyConstraint,
    field=entries("a list of body constraints", "[{time: 0.0, position: [0.0, 0.0], facing: 0}]"),
    alone=lambda c: "the body",
    label=lambda c, _: f"body at {c.time:g} s",
    error=_error,
    marks=lambda c, _: (Point(c.time, at=c.position, facing=c.facing),),
    asks="way",
    retimed=True,
)
