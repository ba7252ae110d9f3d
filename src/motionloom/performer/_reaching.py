"""Reaching to a point: the least bending of the trunk that brings it within the arm's span."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import NonlinearConstraint, minimize

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform
from motionloom.performer._body import SIDES, Performer
from motionloom.performer._curves import pulse
from motionloom.performer._drive import Drive, HandPath
from motionloom.performer._pelvis import counterbalance, lean_of_pelvis, standing_height
from motionloom.performer._rolling import MIDFOOT
from motionloom.performer._upper_body import joint_position, spine_rotations
from motionloom.typing import Array

#: The arm is not stretched beyond this share of its length.
SPAN = 0.95
#: What costs one unit of effort: turn, pitch and roll of the chest (radians), lowering (shares of
#: stature).
_EFFORT = np.array([0.6, 0.45, 0.25, 0.035])
_LIMITS = ((-1.2, 1.2), (-0.25, 1.4), (-0.6, 0.6), (0.0, 0.28))


@dataclass(frozen=True)
class Reach:
    """Bring a wrist to a point, stay, return: minimum jerk in time (Flash & Hogan 1985), an arc.

    Parameters
    ----------
    side : int
        0 left, 1 right.
    target : tuple of float
        Point to the left, up and ahead of the ground between the feet, shares of stature.
    start, going, hold : float, seconds
        When it begins, how long the way takes (there and back), how long the hand stays.
    """

    side: int
    target: tuple[float, float, float]
    start: float
    going: float = 0.9
    hold: float = 0.5

    @property
    def arrival(self) -> float:
        """When the wrist is at the target, seconds."""
        return self.start + self.going

    def drive(self, performer: Performer, place: GroundTransform, times: Array) -> Drive:
        """Return what it adds at each time; the trunk starts early (Kaminski et al. 1995).

        Parameters
        ----------
        performer : Performer
            Who reaches.
        place : GroundTransform
            Ground between the feet, facing as the body does.
        times : array of shape (T,), seconds
            Of the whole clip.

        Returns
        -------
        Drive
            T frames.

        Raises
        ------
        InvalidInputError
            When the point is out of reach without a step.
        """
        leave = self.arrival + self.hold
        hand = pulse(times, self.start, self.arrival, leave, leave + self.going)
        body = pulse(times, self.start - 0.1, self.arrival - 0.05, leave, leave + 1.1 * self.going)
        turn, pitch, roll, drop = _reaching_posture(performer, self.side, self.target)
        drive = Drive.none(len(times))
        drive.trunk[:] = body[:, None] * np.array([turn, pitch, roll])
        drive.pelvis[:, 0] = 0.35 * turn * body
        drive.drop[:] = drop * performer.height * body
        drive.head[:, 0] = body * 0.6 * np.arctan2(self.target[0], max(self.target[2], 0.2))
        drive.head[:, 1] = body * np.clip(-0.7 * (self.target[1] - 0.93), -0.35, 0.7)
        target = place.apply(np.array(self.target) * performer.height)
        path = HandPath(self.side, hand, np.broadcast_to(target, (len(times), 3)))
        return replace(drive, hands=(path,))


def _reaching_posture(performer: Performer, side: int, target: tuple[float, float, float]) -> Array:
    """Bend of the trunk with the least effort that brings a point within the arm's span.

    Effort is the sum of squared shares of what each part gives easily, as postures of reaching are
    (Zhang & Chaffin 2000 use the like for lifting).

    Parameters
    ----------
    performer : Performer
        Gives stature and arm lengths.
    side : int
        Arm that reaches: 0 left, 1 right.
    target : tuple of float
        Point to the left, up and ahead of the ground between the feet, shares of stature.

    Returns
    -------
    array of shape (4,)
        Turn, pitch and roll of the chest, radians, and lowering of the pelvis, share of stature.

    Raises
    ------
    InvalidInputError
        When the point stays more than 1 mm out of reach.
    """
    goal = np.array(target) * performer.height
    span = SPAN * (performer.lengths["upper_arm"] + performer.lengths["forearm"])

    def effort(x: Array) -> float:
        return float(np.sum((x / _EFFORT) ** 2))

    def room(x: Array) -> Array:
        """Span that is left at a bend, metres."""
        return np.array([span - np.linalg.norm(goal - _shoulder(performer, side, x))])

    start = np.array([0.0, 0.1, 0.0, 0.01])
    within = NonlinearConstraint(room, 0.0, np.inf)
    found = minimize(effort, start, bounds=_LIMITS, constraints=within, method="SLSQP")
    missing = -float(room(found.x)[0])
    if missing > 1e-3:
        raise InvalidInputError(
            f"a reach to ({target[0]:g}, {target[1]:g}, {target[2]:g}) of stature is out of reach"
            f" by {missing:.2f} m; step closer or choose a nearer point"
        )
    return found.x


def _shoulder(performer: Performer, side: int, x: Array) -> Array:
    """Shoulder (3,) of a person who stands over the origin and bends by `x` (4,)."""
    turn, pitch, _, drop = x
    hips = rot.from_euler([0.35 * turn, lean_of_pelvis(pitch), 0.0], "YXZ")
    world = spine_rotations(hips, rot.from_euler(x[:3], "YXZ"))
    up = standing_height(performer) - drop * performer.height
    ahead = counterbalance(performer, pitch) + MIDFOOT * performer.height
    root = np.array([0.0, up, ahead])
    return joint_position(performer, root, world, f"{SIDES[side]}Arm")
