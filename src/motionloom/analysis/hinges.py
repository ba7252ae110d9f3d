"""Knees and elbows: how far its middle joint bends, and how far it bent in
the captures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.declared import Finite
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb, Roles
from motionloom.two_bones import cross, unit
from motionloom.typing import Array

#: Least flexion (radians) of a frame that counts for the axis of a hinge. Captured knees of 35
#: walks, runs and dances: axes from 15 to 20 degrees are within 17 degrees of the axis from 35
#: degrees on, axes from 10 to 12 degrees within 37, axes from 2 to 4 degrees up to 151 off.
BENT = float(np.radians(15.0))
#: Fewest such frames; with fewer the axis is that of the anatomy, within 28 degrees for knees.
FEWEST_BENT = 10
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
    axis: tuple[Finite, Finite, Finite]
    least: Finite
    most: Finite

    def flexion(self, posed: PosedMotion) -> Array:
        """Angle between the bones, shape (T,), radians; negative where bent against the axis.

        Examples
        --------
        >>> knee = fit_hinges([posed])["left_foot"]
        >>> bool(np.degrees(knee.flexion(posed)).max() > 40.0)
        True
        """
        upper, lower = _bones(posed, self.limb)
        normal = cross(upper, lower)
        angle = _angle(upper, lower)
        usual = rot.rotate(posed.rotations[:, self.limb.root], np.array(self.axis))
        return np.where(np.sum(normal * usual, axis=-1) < 0, -angle, angle)

    def excess(self, posed: PosedMotion) -> Array:
        """How far the flexion is outside the captured range, shape (T,), radians; 0 inside.

        Examples
        --------
        >>> knee = fit_hinges([posed])["left_foot"]
        >>> float(knee.excess(posed).max())  # never beyond what was captured
        0.0
        """
        flexion = self.flexion(posed)
        return np.maximum(np.maximum(flexion - self.most, self.least - flexion), 0.0)

    def widened(self, margin: float = MARGIN) -> Hinge:
        """The same hinge with a wider range: by `margin` (radians) at both ends.

        But neither bent backwards nor, unless it was captured so, beyond `FULL`.

        Examples
        --------
        >>> knee = fit_hinges([posed])["left_foot"]
        >>> round(knee.widened(0.1).most - knee.most, 6)  # radians
        0.1
        """
        most = max(self.most, min(self.most + margin, FULL))
        return replace(self, least=max(self.least - margin, 0.0), most=most)


def find_limbs(roles: Roles) -> dict[str, Limb]:
    """Arms and legs whose three joints are known.

    Returns
    -------
    dict of str to Limb
        By the role of their tip (``"left_hand"``, ``"right_foot"`` ...).

    Examples
    --------
    >>> sorted(find_limbs(posed.roles))
    ['left_foot', 'left_hand', 'right_foot', 'right_hand']
    """
    limbs = {}
    for side in ("left", "right"):
        for parts in (("shoulder", "elbow", "hand"), ("hip", "knee", "foot")):
            known = [roles.joints[r] for p in parts if (r := f"{side}_{p}") in roles.joints]
            if len(known) == 3:
                limbs[f"{side}_{parts[2]}"] = Limb(*known)
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

    Examples
    --------
    >>> knee = fit_hinges([posed])["left_foot"]
    >>> bool(np.degrees(knee.most) > 40.0)  # knees bend that far in a walk
    True
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
    wider = dict(hinges)
    for role in hinges.keys() & others.keys():
        own, other = hinges[role], others[role]
        least = min(own.least, max(other.least, 0.0))
        wider[role] = replace(own, least=least, most=max(own.most, other.most))
    return wider


def usual_axis(posed: Sequence[PosedMotion], limb: Limb) -> Array:
    """Axis about which the lower bone of a limb bends, in the frame of the limb's root.

    Learned from the frames in which the limb is bent by `BENT` or more. A limb that never bends so
    far has the axis of the anatomy: knees bend back and elbows bend ahead. The bend of a nearly
    straight limb is noise, and its axis may point to any side.

    Parameters
    ----------
    posed : sequence of PosedMotion
        Motions of one skeleton, at least one.
    limb : Limb
        Its root, middle and tip joints.

    Returns
    -------
    array of shape (3,)
        Unit vector; 0 where the limb is exactly straight and its anatomy is not known.

    Examples
    --------
    >>> axis = usual_axis([posed], find_limbs(posed.roles)["left_foot"])
    >>> round(float(abs(axis[0])), 1)  # knees bend about the axis from side to side
    1.0
    """
    normals = np.concatenate([_local(own, limb, cross(*_bones(own, limb))) for own in posed])
    bends = np.concatenate([_angle(*_bones(own, limb)) for own in posed])
    bent = bends >= BENT
    if bent.sum() >= min(FEWEST_BENT, len(bent)):
        return unit(normals[bent].sum(axis=0))
    expected = [_expected_normals(own, limb) for own in posed]
    known = [_local(own, limb, n) for own, n in zip(posed, expected, strict=True) if n is not None]
    return unit(np.concatenate(known or [normals]).sum(axis=0))


def _expected_normals(posed: PosedMotion, limb: Limb) -> Array | None:
    """Normals (T, 3) of knees that bend back and elbows that bend ahead; None for other limbs."""
    role = next((role for role, own in find_limbs(posed.roles).items() if own == limb), None)
    if role is None:
        return None
    ahead = np.stack([np.sin(posed.facing), np.zeros(posed.n_frames), np.cos(posed.facing)], -1)
    upper, _ = _bones(posed, limb)
    return cross(upper, -ahead if role.endswith("foot") else ahead)


def _fit_hinge(motions: Sequence[PosedMotion], limb: Limb) -> Hinge:
    x, y, z = usual_axis(motions, limb)
    hinge = Hinge(limb, (float(x), float(y), float(z)), -np.pi, np.pi)
    flexion = np.concatenate([hinge.flexion(posed) for posed in motions])
    return Hinge(limb, hinge.axis, float(flexion.min()), float(flexion.max()))


def _angle(upper: Array, lower: Array) -> Array:
    """Angle between two directions, shape (T,), radians."""
    sine = np.linalg.norm(cross(upper, lower), axis=-1)
    return np.asarray(np.arctan2(sine, np.sum(upper * lower, axis=-1)))


def _local(posed: PosedMotion, limb: Limb, directions: Array) -> Array:
    """World directions (T, 3) in the frame of the limb's root."""
    return rot.rotate(rot.conjugate(posed.rotations[:, limb.root]), directions)


def _bones(posed: PosedMotion, limb: Limb) -> tuple[Array, Array]:
    """Directions of the upper and the lower bone, shape (T, 3) each."""
    upper = posed.positions[:, limb.middle] - posed.positions[:, limb.root]
    lower = posed.positions[:, limb.tip] - posed.positions[:, limb.middle]
    return unit(upper), unit(lower)
