"""Track: where the main joints of a body are, thirty times a second."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.soles import leg_length
from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform, resampling
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Ints

#: Frames per second of a track.
RATE = 30.0
#: Roles whose joints are looked at, as far as a body has them; limbs from the trunk to their tips.
TRUNK = ("hips", "chest", "head")
ARM, LEG = ("shoulder", "elbow", "hand"), ("hip", "knee", "foot", "toe")
POINTS = (*TRUNK, *(f"{side}_{part}" for side in ("left", "right") for part in (*ARM, *LEG)))
#: Of the heights of a body's lowest joint this quantile is taken for the ground.
_LOWEST = 0.02


@dataclass(frozen=True, eq=False)
class Track:
    """Positions of P joints in N frames, `RATE` a second.

    Parameters
    ----------
    roles : tuple of str
        Of the joints, in the order of `POINTS`.
    places : array of shape (N, P, 3), leg lengths
        In the world, y up from the ground.
    trunk : array of shape (N, 2, 3, 3)
        Rotation matrices of hips and chest; legs hang on the first, arms on the other.
    """

    roles: tuple[str, ...]
    places: Array
    trunk: Array

    def __len__(self) -> int:
        return len(self.places)

    def columns(self, *endings: str) -> list[int]:
        """Joints whose roles end so."""
        return [i for i, role in enumerate(self.roles) if role.endswith(endings)]

    def limb(self, side: str, parts: tuple[str, ...]) -> list[int]:
        """Joints of an arm or a leg.

        Parameters
        ----------
        side : str
            ``"left"`` or ``"right"``.
        parts : tuple of str
            `ARM` or `LEG`.

        Returns
        -------
        list of int
            Columns of the parts that are there, from the trunk outwards.
        """
        return [self.roles.index(r) for p in parts if (r := f"{side}_{p}") in self.roles]

    def facing(self) -> Array:
        """Where the body faces, shape (N,), radians from +Z towards +X."""
        pairs = [self.columns(f"_{part}") for part in ("hip", "shoulder")]
        left = sum(self.places[:, p[0]] - self.places[:, p[1]] for p in pairs if len(p) == 2)
        left = np.asarray(left)
        return np.arctan2(-left[:, 2], left[:, 0])

    def seen(self, vectors: Array) -> Array:
        """Vectors (N, K, 3) to the left, up and ahead of where the body faces."""
        return GroundTransform(self.facing()[:, None]).seen(vectors)

    def above_ground(self) -> Track:
        """The same with its ground at height 0."""
        # A low quantile rather than the minimum: one glitch below the floor would lift all else.
        low = float(np.quantile(self.places[..., 1].min(axis=1), _LOWEST))
        return replace(self, places=self.places - np.array([0.0, low, 0.0]))


def make_track(posed: PosedMotion, leg: float | None = None) -> Track:
    """Track of a motion.

    Parameters
    ----------
    posed : PosedMotion
        A motion with frames, of a body with a whole leg.
    leg : float, metres, optional
        Length of a leg, where it is known.

    Returns
    -------
    Track
        Between frames places are interpolated.

    Raises
    ------
    InvalidInputError
        When the body has no whole leg, or no left and right.
    """
    joints = posed.roles.joints
    if not any({f"left_{part}", f"right_{part}"} <= joints.keys() for part in ("hip", "shoulder")):
        raise InvalidInputError(
            "motion is judged of bodies with left and right hips or shoulders, and none were found;"
            " name them in a roles table"
        )
    roles = tuple(role for role in POINTS if role in joints)
    leg = leg or leg_length(posed)
    frames, fractions = resampling(posed.n_frames, posed.motion.frame_time, 1 / RATE)
    after = np.minimum(frames + 1, posed.n_frames - 1)
    own = [joints[role] for role in roles]
    places = posed.positions[:, own]
    share = fractions[:, None, None]
    places = ((1 - share) * places[frames] + share * places[after]) / leg
    nearest = nearest_frames(posed)
    frame_of = [joints["hips"], joints.get("chest", joints["hips"])]
    trunk = rot.to_matrix(posed.rotations[nearest][:, frame_of])
    return Track(roles, places, trunk).above_ground()


def nearest_frames(posed: PosedMotion) -> Ints:
    """Frame of a motion that is nearest to each of its track's."""
    frames, fractions = resampling(posed.n_frames, posed.motion.frame_time, 1 / RATE)
    return np.minimum(frames + (fractions >= 0.5), posed.n_frames - 1)
