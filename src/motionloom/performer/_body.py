"""The performer's body: segment lengths and masses by proportion, and the skeleton made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from motionloom.body_masses import MASS_SHARES
from motionloom.errors import InvalidInputError
from motionloom.skeleton import Skeleton
from motionloom.typing import Array

SIDES = ("Left", "Right")
#: +1 for the left side of the body (+X when facing +Z), -1 for the right.
SIGN = (1.0, -1.0)

#: Lengths as shares of stature. Limbs: Drillis & Contini (1966) as given by Winter (2009, fig.
#: 4.1); the foot's inner points, the joint centres of hips and shoulders and the trunk's division
#: are rounded choices within that frame.
PROPORTIONS: Mapping[str, float] = MappingProxyType(
    {
        "thigh": 0.245,
        "shank": 0.246,
        "ankle_height": 0.039,
        "foot_length": 0.152,
        "heel_to_ankle": 0.036,
        "heel_to_ball": 0.112,
        "ball_height": 0.013,
        "hip_half_width": 0.049,
        "pelvis_to_spine": 0.057,
        "spine": 0.080,
        "spine1": 0.080,
        "spine2_to_neck": 0.090,
        "neck": 0.045,
        "head": 0.118,
        "clavicle_inner": 0.020,
        "clavicle_rise": 0.066,
        "clavicle": 0.090,
        "upper_arm": 0.186,
        "forearm": 0.146,
        "hand": 0.108,
    }
)


@dataclass(frozen=True, eq=False)
class Performer:
    """A person of given height and mass.

    Parameters
    ----------
    height : float, metres
        Stature.
    mass : float, kilograms
        Of the whole body.
    skeleton : Skeleton
        22 joints in a T-pose that stands on the ground when the hips are at their offset.
    lengths : mapping of str to float, metres
        The entries of `PROPORTIONS` times stature.
    segment_masses : mapping of str to float, kilograms
        Mass moved by each joint.
    """

    height: float
    mass: float
    skeleton: Skeleton
    lengths: Mapping[str, float]
    segment_masses: Mapping[str, float]

    @property
    def leg(self) -> float:
        """Thigh plus shank, metres.

        Examples
        --------
        >>> round(make_performer(1.75).leg, 2)  # metres
        0.86
        """
        return self.lengths["thigh"] + self.lengths["shank"]

    @property
    def heel(self) -> Array:
        """Heel's point of contact in the frame of the foot joint (the ankle), metres."""
        return np.array([0.0, -self.lengths["ankle_height"], -self.lengths["heel_to_ankle"]])

    @property
    def ball(self) -> Array:
        """Toe joint in the frame of the foot joint, metres."""
        n = self.lengths
        return np.array(
            [0.0, n["ball_height"] - n["ankle_height"], n["heel_to_ball"] - n["heel_to_ankle"]]
        )

    @property
    def toe_sole(self) -> Array:
        """Forefoot's point of contact, under the toe joint and in its frame, metres."""
        return np.array([0.0, -self.lengths["ball_height"], 0.0])

    @property
    def toe_tip(self) -> Array:
        """Tip of the toes in the frame of the toe joint, metres; on the sole's plane."""
        n = self.lengths
        return np.array([0.0, -n["ball_height"], n["foot_length"] - n["heel_to_ball"]])


def make_performer(height: float = 1.75, mass: float = 70.0) -> Performer:
    """Make a person of a given stature and mass.

    Parameters
    ----------
    height : float, metres
        Stature, which all lengths scale with.
    mass : float, kilograms
        Of the whole body, shared among the segments.

    Returns
    -------
    Performer
        With a skeleton of 22 joints.

    Raises
    ------
    InvalidInputError
        When height is outside 0.8-2.5 m or mass is not positive.

    Examples
    --------
    >>> tall = make_performer(height=1.92, mass=84.0)
    >>> round(sum(tall.segment_masses.values()), 1)
    84.0
    """
    if not 0.8 <= height <= 2.5:
        raise InvalidInputError(
            f"a performer's height must be between 0.8 and 2.5 metres, got {height}"
        )
    if not mass > 0:
        raise InvalidInputError(
            f"a performer's mass must be a positive number of kilograms, got {mass}"
        )
    lengths = {name: share * height for name, share in PROPORTIONS.items()}
    masses = {name: share * mass for name, share in MASS_SHARES.items()}
    return Performer(float(height), float(mass), _make_skeleton(lengths), lengths, masses)


def _make_skeleton(n: Mapping[str, float]) -> Skeleton:
    hip_height = n["thigh"] + n["shank"] + n["ankle_height"]
    joints: list[tuple[str, str, tuple[float, float, float]]] = [
        ("Hips", "", (0.0, hip_height, 0.0))
    ]
    for side, sign in zip(SIDES, SIGN, strict=True):
        joints += [
            (f"{side}UpLeg", "Hips", (sign * n["hip_half_width"], 0.0, 0.0)),
            (f"{side}Leg", f"{side}UpLeg", (0.0, -n["thigh"], 0.0)),
            (f"{side}Foot", f"{side}Leg", (0.0, -n["shank"], 0.0)),
            (
                f"{side}ToeBase",
                f"{side}Foot",
                (0.0, n["ball_height"] - n["ankle_height"], n["heel_to_ball"] - n["heel_to_ankle"]),
            ),
        ]
    joints += [
        ("Spine", "Hips", (0.0, n["pelvis_to_spine"], -0.05 * n["spine"])),
        ("Spine1", "Spine", (0.0, n["spine"], -0.08 * n["spine"])),
        ("Spine2", "Spine1", (0.0, n["spine1"], -0.08 * n["spine1"])),
        ("Neck", "Spine2", (0.0, n["spine2_to_neck"], 0.02 * n["spine"])),
        ("Head", "Neck", (0.0, n["neck"], 0.25 * n["neck"])),
    ]
    for side, sign in zip(SIDES, SIGN, strict=True):
        joints += [
            (f"{side}Shoulder", "Spine2", (sign * n["clavicle_inner"], n["clavicle_rise"], 0.0)),
            (f"{side}Arm", f"{side}Shoulder", (sign * n["clavicle"], 0.0, 0.0)),
            (f"{side}ForeArm", f"{side}Arm", (sign * n["upper_arm"], 0.0, 0.0)),
            (f"{side}Hand", f"{side}ForeArm", (sign * n["forearm"], 0.0, 0.0)),
        ]
    names = [name for name, _, _ in joints]
    tips = [
        *(
            (f"{s}ToeBase", (0.0, -n["ball_height"], n["foot_length"] - n["heel_to_ball"]))
            for s in SIDES
        ),
        ("Head", (0.0, n["head"], 0.0)),
        *((f"{s}Hand", (sign * n["hand"], 0.0, 0.0)) for s, sign in zip(SIDES, SIGN, strict=True)),
    ]
    return Skeleton(
        tuple(names),
        np.array([names.index(parent) if parent else -1 for _, parent, _ in joints]),
        np.array([offset for _, _, offset in joints]),
        np.array([names.index(name) for name, _ in tips]),
        np.array([offset for _, offset in tips]),
    )
