"""Knees and elbows: which joints a limb has, how far its middle joint bends, and how far it bent in
the captures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.kinematics import WorldPose
from motionloom.roles import Roles
from motionloom.two_bones import unit

Array = NDArray[np.float64]


#: How far a target may bend a knee or elbow beyond what was captured: clips show what people did,
#: not all that they can.
MARGIN = float(np.radians(15.0))
#: Flexion up to which it may do so; people's knees and elbows bend by about 150 degrees.
FULL = float(np.radians(150.0))


@dataclass(frozen=True)
class Limb:
    """Three joints of a limb, top down: hip, knee, ankle or shoulder, elbow, wrist."""

    root: int
    middle: int
    tip: int


@dataclass(frozen=True)
class Hinge:
    """The middle joint of a limb, and how far it bent in captures.

    Parameters
    ----------
    limb : Limb
    axis : tuple of float
        Unit axis about which the lower bone usually bends, in the frame of the limb's root.
    least, most : float, radians
        Smallest and largest flexion; 0 is straight, negative is bent the wrong way.
    """

    limb: Limb
    axis: tuple[float, float, float]
    least: float
    most: float

    def flexion(self, pose: WorldPose) -> Array:
        """Angle between the bones, shape (T,), radians; negative where bent against the axis."""
        upper, lower = _bones(pose, self.limb)
        normal = np.cross(upper, lower)
        angle: Array = np.arctan2(np.linalg.norm(normal, axis=-1), np.sum(upper * lower, axis=-1))
        usual = rot.rotate(pose.rotations[:, self.limb.root], np.array(self.axis))
        return np.where(np.sum(normal * usual, axis=-1) < 0, -angle, angle)

    def excess(self, pose: WorldPose) -> Array:
        """How far the flexion is outside the captured range, shape (T,), radians; 0 inside."""
        flexion = self.flexion(pose)
        return np.maximum(np.maximum(flexion - self.most, self.least - flexion), 0.0)

    def widened(self, margin: float = MARGIN) -> Hinge:
        """The same hinge with a wider range: by `margin` (radians) at both ends, but neither bent
        backwards nor, unless it was captured so, beyond `FULL`.
        """
        most = max(self.most, min(self.most + margin, FULL))
        return replace(self, least=max(self.least - margin, 0.0), most=most)


def find_limbs(roles: Roles) -> dict[str, Limb]:
    """Arms and legs whose three joints are known, by the role of their tip (``"left_hand"``,
    ``"right_foot"`` ...).
    """
    limbs = {}
    for side in ("left", "right"):
        for parts in (("shoulder", "elbow", "hand"), ("hip", "knee", "foot")):
            joints = [j for part in parts if (j := roles.joint(f"{side}_{part}")) is not None]
            if len(joints) == 3:
                limbs[f"{side}_{parts[2]}"] = Limb(*joints)
    return limbs


def fit_hinges(poses: Sequence[WorldPose], roles: Roles) -> dict[str, Hinge]:
    """Axes and ranges of knees and elbows over all frames of some motions, by the role of the
    limb's tip.
    """
    return {role: _fit_hinge(poses, limb) for role, limb in find_limbs(roles).items()}


def widen_hinges(hinges: Mapping[str, Hinge], others: Mapping[str, Hinge]) -> dict[str, Hinge]:
    """Hinges that bend as far as they or others do.

    Motion that comes from another performer bends as that one's captures do, which may be farther
    than in the few captures of the body that it goes to.

    Parameters
    ----------
    hinges : mapping of str to Hinge
        By the role of the limb's tip; limb and axis stay.
    others : mapping of str to Hinge
        Of any skeleton; those of other roles are passed over.

    Returns
    -------
    dict of str to Hinge
        None is bent backwards unless it was so in its own captures.
    """
    return {
        role: replace(
            hinge,
            least=min(hinge.least, max(others[role].least, 0.0)),
            most=max(hinge.most, others[role].most),
        )
        if role in others
        else hinge
        for role, hinge in hinges.items()
    }


def _fit_hinge(poses: Sequence[WorldPose], limb: Limb) -> Hinge:
    normals = []
    for pose in poses:
        upper, lower = _bones(pose, limb)
        normals.append(
            rot.rotate(rot.conjugate(pose.rotations[:, limb.root]), np.cross(upper, lower)).sum(
                axis=0
            )
        )
    x, y, z = unit(np.sum(normals, axis=0))
    hinge = Hinge(limb, (float(x), float(y), float(z)), -np.pi, np.pi)
    flexion = np.concatenate([hinge.flexion(pose) for pose in poses])
    return Hinge(limb, hinge.axis, float(flexion.min()), float(flexion.max()))


def _bones(pose: WorldPose, limb: Limb) -> tuple[Array, Array]:
    """Directions of the upper and the lower bone, shape (T, 3) each."""
    upper = pose.positions[:, limb.middle] - pose.positions[:, limb.root]
    lower = pose.positions[:, limb.tip] - pose.positions[:, limb.middle]
    return unit(upper), unit(lower)
