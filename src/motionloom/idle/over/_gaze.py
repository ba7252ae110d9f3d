"""Looking at a point: neck and head turn towards it while the rest of the body waits on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.edit.limbs import swing_between
from motionloom.errors import InvalidInputError
from motionloom.idle.model import IdleModel
from motionloom.kinematics import chain_kinematics
from motionloom.motion import Motion
from motionloom.two_bones import unit
from motionloom.typing import Array

#: Farthest that neck and head turn for it, radians.
FARTHEST = float(np.radians(60.0))
#: Speed of the turn for each radian that is left, 1/s, and the time within which a new speed is
#: come to, seconds: together critically damped.
PULL, LAG = 2.5, 0.1
#: Fastest turn of a head where no shift shows one, radians per second.
USUAL_SPEED = float(np.radians(60.0))
#: Points are within this of the origin, metres.
_LARGEST = 1000.0


class Gaze:
    """Where somebody looks, followed from frame to frame.

    Parameters
    ----------
    model : IdleModel
        Of the person; the fastest that their head turned in a shift is the fastest it turns here.
    """

    def __init__(self, model: IdleModel) -> None:
        roles = model.space.roles
        head = roles.joint("head")
        if head is None:
            raise InvalidInputError(
                "no head is known among the joints, and nobody looks without one; name it in a"
                " roles table when the model is fitted"
            )
        chain = list(model.space.coordinates.skeleton.chain(head))
        neck = roles.joint("neck")
        self._chain = chain
        #: Where in the chain the joints that share the turn are.
        self._turning = sorted({chain.index(j) for j in (neck, head) if j in chain})
        still = _shown(model, np.zeros((1, model.space.n_components)), head)
        # The person faces +Z of their stance on average.
        self._ahead = rot.rotate(rot.conjugate(still[0]), np.array([0.0, 0.0, 1.0]))
        self.speed = _fastest_head(model, head)
        self.point: Array | None = None
        self._turn = np.zeros(3)
        self._rate = np.zeros(3)

    @property
    def at_rest(self) -> bool:
        """Whether nothing is looked at any more."""
        return self.point is None and float(np.abs(self._turn).max()) < 1e-6

    def look_at(self, point: Sequence[float] | Array | None) -> None:
        """Look at a point from the next frame on.

        Parameters
        ----------
        point : array of shape (3,), metres, optional
            In the world; where the person would look anyway when None.

        Raises
        ------
        InvalidInputError
            When it is no point.
        """
        if point is None:
            self.point = None
            return
        place = np.array(point, float)
        if place.shape != (3,) or not (np.abs(place) <= _LARGEST).all():
            raise InvalidInputError(
                f"expected a point to look at, three numbers of metres within {_LARGEST:g},"
                f" got {point}"
            )
        self.point = place

    def turn(self, motion: Motion) -> Motion:
        """The next frames with neck and head turned.

        Parameters
        ----------
        motion : Motion
            Follows the frames of the last call.

        Returns
        -------
        Motion
        """
        pose = chain_kinematics(motion, self._chain[-1])
        wanted = self._wanted(pose.positions[:, -1], pose.rotations[:, -1])
        turns = np.array([self._follow(one, motion.frame_time) for one in wanted])
        part = rot.from_rotvec(turns / len(self._turning))
        rotations = motion.rotations.copy()
        for k in self._turning:
            above = pose.rotations[:, k - 1] if k else rot.identity(motion.n_frames)
            own = rot.multiply(rot.conjugate(above), rot.multiply(part, above))
            joint = self._chain[k]
            rotations[:, joint] = rot.multiply(own, rotations[:, joint])
        return replace(motion, rotations=rotations)

    def _wanted(self, places: Array, heads: Array) -> Array:
        """Turn of the head that would look at the point, in every frame, (T, 3)."""
        if self.point is None:
            return np.zeros((len(places), 3))
        swing = swing_between(rot.rotate(heads, self._ahead), unit(self.point - places))
        turns = rot.to_rotvec(swing)
        angle = np.linalg.norm(turns, axis=1, keepdims=True)
        return np.asarray(turns * (FARTHEST / np.maximum(angle, FARTHEST)))

    def _follow(self, wanted: Array, seconds: float) -> Array:
        """The turn a frame later: slower where less is left, begun gently, never too fast."""
        left = wanted - self._turn
        speed = min(PULL, 1.0 / seconds) * left
        speed = speed * min(1.0, self.speed / max(float(np.linalg.norm(speed)), 1e-12))
        self._rate = self._rate + (1.0 - float(np.exp(-seconds / LAG))) * (speed - self._rate)
        self._turn = self._turn + self._rate * seconds
        return self._turn


def _fastest_head(model: IdleModel, head: int) -> float:
    """Fastest that a head turned in any shift, radians per second.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    head : int
        The joint.
    """
    speeds = [USUAL_SPEED] if not model.shifts else []
    for shift in model.shifts:
        heads = _shown(model, shift.postures, head)
        speeds.append(float(rot.angle_between(heads[1:], heads[:-1]).max()) * model.fps)
    return max(speeds)


def _shown(model: IdleModel, postures: Array, head: int) -> Array:
    """World rotations of the head in postures, seen from the stance, shape (n, 4)."""
    motion = model.space.to_motion(postures, 1.0 / model.fps)
    return chain_kinematics(motion, head).rotations[:, -1]
