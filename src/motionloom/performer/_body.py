"""The performer's body: segment lengths and masses by proportion, and the skeleton made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.skeleton import Skeleton
from motionloom.typing import Array

SIDES = ("Left", "Right")
#: +1 for the left side of the body (+X when facing +Z), -1 for the right.
SIGN = (1.0, -1.0)

_Offset = tuple[str, str, tuple[float, float, float]]

#: Lengths as shares of stature. Limbs: Drillis & Contini (1966) as given by Winter (2009, fig.
#: 4.1); the foot's inner points, the joint centres of hips and shoulders and the trunk's division
#: are rounded choices within that frame.
PROPORTIONS: Mapping[str, float] = MappingProxyType(
    {"thigh": 0.245, "shank": 0.246, "ankle_height": 0.039, "foot_length": 0.152}
    | {"heel_to_ankle": 0.036, "heel_to_ball": 0.112, "ball_height": 0.013}
    | {"hip_half_width": 0.049, "pelvis_to_spine": 0.057, "spine": 0.080, "spine1": 0.080}
    | {"spine2_to_neck": 0.090, "neck": 0.045, "head": 0.118}
    | {"clavicle_inner": 0.020, "clavicle_rise": 0.066, "clavicle": 0.090}
    | {"upper_arm": 0.186, "forearm": 0.146, "hand": 0.108}
)


@dataclass(frozen=True, eq=False)
class Performer:
    """A person of given height.

    Parameters
    ----------
    height : float, metres
        Stature.
    skeleton : Skeleton
        22 joints in a T-pose that stands on the ground when the hips are at their offset.
    lengths : mapping of str to float, metres
        The entries of `PROPORTIONS` times stature.
    """

    height: float
    skeleton: Skeleton
    lengths: Mapping[str, float]

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


def make_performer(height: float = 1.75) -> Performer:
    """Make a person of a given stature.

    Parameters
    ----------
    height : float, metres
        Stature, which all lengths scale with.

    Returns
    -------
    Performer
        With a skeleton of 22 joints.

    Raises
    ------
    InvalidInputError
        When height is outside 0.8-2.5 m.

    Examples
    --------
    >>> round(make_performer(height=1.92).lengths["thigh"], 2)  # metres
    0.47
    """
    if not 0.8 <= height <= 2.5:
        raise InvalidInputError(
            f"a performer's height must be between 0.8 and 2.5 metres, got {height}"
        )
    lengths = {name: share * height for name, share in PROPORTIONS.items()}
    return Performer(float(height), _make_skeleton(lengths), lengths)


def _make_skeleton(n: Mapping[str, float]) -> Skeleton:
    ball = (0.0, n["ball_height"] - n["ankle_height"], n["heel_to_ball"] - n["heel_to_ankle"])
    rows = [
        ("Hips", "", (0.0, n["thigh"] + n["shank"] + n["ankle_height"], 0.0)),
        *_both_sides(
            ("{}UpLeg", "Hips", (n["hip_half_width"], 0.0, 0.0)),
            ("{}Leg", "{}UpLeg", (0.0, -n["thigh"], 0.0)),
            ("{}Foot", "{}Leg", (0.0, -n["shank"], 0.0)),
            ("{}ToeBase", "{}Foot", ball),
        ),
        ("Spine", "Hips", (0.0, n["pelvis_to_spine"], -0.05 * n["spine"])),
        ("Spine1", "Spine", (0.0, n["spine"], -0.08 * n["spine"])),
        ("Spine2", "Spine1", (0.0, n["spine1"], -0.08 * n["spine1"])),
        ("Neck", "Spine2", (0.0, n["spine2_to_neck"], 0.02 * n["spine"])),
        ("Head", "Neck", (0.0, n["neck"], 0.25 * n["neck"])),
        *_both_sides(
            ("{}Shoulder", "Spine2", (n["clavicle_inner"], n["clavicle_rise"], 0.0)),
            ("{}Arm", "{}Shoulder", (n["clavicle"], 0.0, 0.0)),
            ("{}ForeArm", "{}Arm", (n["upper_arm"], 0.0, 0.0)),
            ("{}Hand", "{}ForeArm", (n["forearm"], 0.0, 0.0)),
        ),
    ]
    toe_tip = (0.0, -n["ball_height"], n["foot_length"] - n["heel_to_ball"])
    tips = [
        *_both_sides(("", "{}ToeBase", toe_tip)),
        ("", "Head", (0.0, n["head"], 0.0)),
        *_both_sides(("", "{}Hand", (n["hand"], 0.0, 0.0))),
    ]
    names, parents, offsets = zip(*rows, strict=True)
    _, tipped, tip_offsets = zip(*tips, strict=True)
    return Skeleton(
        names,
        np.array([names.index(parent) if parent else -1 for parent in parents]),
        np.array(offsets),
        np.array([names.index(name) for name in tipped]),
        np.array(tip_offsets),
    )


def _both_sides(*rows: _Offset) -> list[_Offset]:
    """Joints, their parents and places in them, of the left side and mirrored for the right."""
    return [
        (joint.format(side), parent.format(side), (sign * x + 0.0, y, z))
        for side, sign in zip(SIDES, SIGN, strict=True)
        for joint, parent, (x, y, z) in rows
    ]
