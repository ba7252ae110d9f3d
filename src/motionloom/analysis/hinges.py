"""Knees and elbows: how far its middle joint bends, and how far it bent in
the captures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb, Roles
from motionloom.two_bones import cross, unit

Array = NDArray[np.float64]


#: How far a target may bend a knee or elbow beyond what was captured: clips show what people did,
#: not all that they can.
MARGIN = float(np.radians(15.0))
#: Flexion up to which it may do so; people's knees and elbows bend by about 150 degrees.
FULL = float(np.radians(150.0))


@dataclass(frozen=True)
class Hinge:
    """The middle joint of a limb, and how far it bent in captures.

    Parameters
    ----------
    limb : Limb
        Its root, middle and tip joints.
    axis : tuple of float
        Unit axis about which the lower bone usually bends, in the frame of the limb's root.
    least, most : float, radians
        Smallest and largest flexion; 0 is straight, negative is bent the wrong way.
    """

    limb: Limb
    axis: tuple[float, float, float]
    least: float
    most: float

    def flexion(self, posed: PosedMotion) -> Array:
        """Angle between the bones, shape (T,), radians; negative where bent against the axis."""
        upper, lower = _bones(posed, self.limb)
        normal = cross(upper, lower)
        angle: Array = np.arctan2(np.linalg.norm(normal, axis=-1), np.sum(upper * lower, axis=-1))
        usual = rot.rotate(posed.rotations[:, self.limb.root], np.array(self.axis))
        return np.where(np.sum(normal * usual, axis=-1) < 0, -angle, angle)

    def excess(self, posed: PosedMotion) -> Array:
        """How far the flexion is outside the captured range, shape (T,), radians; 0 inside."""
        flexion = self.flexion(posed)
        return np.maximum(np.maximum(flexion - self.most, self.least - flexion), 0.0)

    def widened(self, margin: float = MARGIN) -> Hinge:
        """The same hinge with a wider range: by `margin` (radians) at both ends.

        But neither bent backwards nor, unless it was captured so, beyond `FULL`.
        """
        most = max(self.most, min(self.most + margin, FULL))
        return replace(self, least=max(self.least - margin, 0.0), most=most)


def find_limbs(roles: Roles) -> dict[str, Limb]:
    """Arms and legs whose three joints are known.

    Returns
    -------
    dict of str to Limb
        By the role of their tip (``"left_hand"``, ``"right_foot"`` ...).
    """
    limbs = {}
    for side in ("left", "right"):
        for parts in (("shoulder", "elbow", "hand"), ("hip", "knee", "foot")):
            root, middle, tip = (roles.joint(f"{side}_{part}") for part in parts)
            if root is not None and middle is not None and tip is not None:
                limbs[f"{side}_{parts[2]}"] = Limb(root, middle, tip)
    return limbs


def fit_hinges(posed: Sequence[PosedMotion]) -> dict[str, Hinge]:
    """Axes and ranges of knees and elbows over all frames of some motions.

    Parameters
    ----------
    posed : sequence of PosedMotion
        Motions of one skeleton, at least one.

    Returns
    -------
    dict of str to Hinge
        By the role of the limb's tip.
    """
    return {role: _fit_hinge(posed, limb) for role, limb in find_limbs(posed[0].roles).items()}


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


def _fit_hinge(motions: Sequence[PosedMotion], limb: Limb) -> Hinge:
    normals = []
    for posed in motions:
        normal = cross(*_bones(posed, limb))
        local = rot.rotate(rot.conjugate(posed.rotations[:, limb.root]), normal)
        normals.append(local.sum(axis=0))
    x, y, z = unit(np.sum(normals, axis=0))
    hinge = Hinge(limb, (float(x), float(y), float(z)), -np.pi, np.pi)
    flexion = np.concatenate([hinge.flexion(posed) for posed in motions])
    return Hinge(limb, hinge.axis, float(flexion.min()), float(flexion.max()))


def _bones(posed: PosedMotion, limb: Limb) -> tuple[Array, Array]:
    """Directions of the upper and the lower bone, shape (T, 3) each."""
    upper = posed.positions[:, limb.middle] - posed.positions[:, limb.root]
    lower = posed.positions[:, limb.tip] - posed.positions[:, limb.middle]
    return unit(upper), unit(lower)
