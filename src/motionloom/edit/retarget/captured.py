"""Body parts as captures show them: what no rest pose says of a skeleton."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.hinges import Hinge
from motionloom.analysis.soles import Soles
from motionloom.edit.retarget._samples import UP, Samples, farthest_end
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.two_bones import unit
from motionloom.typing import Array

#: Mean sine of a limb's bend (about 4 degrees) below which its hinge is not seen.
LEAST_BEND = 0.07
#: A foot's toe is this share of its length ahead of the ankle, or nothing is known of where it
#: points.
LEAST_AHEAD = 0.3
#: A body stands that is upright by this share: who sits or crawls rests feet otherwise.
UPRIGHT = 0.9
#: A joint of a limb is on the limb's line, so that it has no direction of its own, metres.
NO_LENGTH = 1e-3


def basis(first: Array, second: Array, order: str) -> Array:
    """The rotation whose axes are one direction exactly and another as nearly as can be.

    Parameters
    ----------
    first, second : array of shape (..., 3)
        Directions of two of the axes; only the first is exact.
    order : str
        Which axes they are, such as ``"xy"``.

    Returns
    -------
    array of shape (..., 4)
        Unit quaternions that take x, y, z to these axes.
    """
    i, j = ("xyz".index(axis) for axis in order)
    exact = unit(first)
    across = unit(second - np.sum(second * exact, axis=-1, keepdims=True) * exact)
    third = np.cross(exact, across) if (j - i) % 3 == 1 else np.cross(across, exact)
    axes = np.empty((*exact.shape, 3))
    axes[..., :, i] = exact
    axes[..., :, j] = across
    axes[..., :, 3 - i - j] = third
    return rot.from_matrix(axes)


class Captured:
    """Frames of body parts as captures show them, one part after the other.

    Parameters
    ----------
    samples : Samples
        The captures.
    hinges : mapping of str to Hinge
        Knees and elbows of the same, by the role of the limb's tip.
    soles : Soles
        Feet of the same.
    skeleton : Skeleton
        Its mean bones.
    """

    def __init__(
        self, samples: Samples, hinges: Mapping[str, Hinge], soles: Soles, skeleton: Skeleton
    ) -> None:
        self.samples = samples
        self.roles = samples.roles
        self.hinges = dict(hinges)
        self.soles = soles
        self.joints, self.along = find_parts(skeleton, samples.roles)
        self.frames: dict[str, Array] = {}
        self.ankles: dict[str, float] = {}
        self.guessed: list[str] = []
        #: Feet that were seen to stand flat.
        self.flat: set[str] = set()
        #: Heights of their joints above the ground while the body stood, metres.
        self.standing: dict[str, float] = {}

    def find(self) -> None:
        """Find all frames."""
        self.trunk()
        for side in SIDES:
            self.limb(side, "leg")
            self.limb(side, "arm")
        for foot in self.roles.feet:
            self.foot(foot)
        # A hand is on average turned as its forearm.
        for side in SIDES:
            if f"{side}_hand" in self.joints and f"{side}_hand" not in self.frames:
                self.average(f"{side}_hand", self.world(f"{side}_elbow"))
        # Joints between two parts are turned between them, by how far up they are.
        for part, share in self.along.items():
            low, high = (self.world(end) for end in CHAINS[part.rpartition("_")[0]])
            self.average(part, rot.slerp(low, high, np.full(len(low), share)))
        # Joints that play no part, such as fingers and tails: on average as what carries them.
        for part in self.joints:
            if part.startswith("name:"):
                carrier = carrier_of(self.samples.skeleton, self.joints, part)
                self.average(part, self.world(carrier))

    def world(self, part: str) -> Array:
        """World rotation (N, 4) of a part whose frame is known."""
        return rot.multiply(self.samples.rotations[:, self.joints[part]], self.frames[part])

    def average(self, part: str, world: Array, weight: Array | None = None) -> None:
        """Frame of a part that is on average turned as `world` (N, 4)."""
        weight = self.samples.upright if weight is None else weight
        turned = self.samples.rotations[:, self.joints[part]]
        self.frames[part] = rot.mean(rot.multiply(rot.conjugate(turned), world), weight)

    # --- trunk

    def trunk(self) -> None:
        """Pelvis and chest by their lines from side to side and the bones that go up from them."""
        for part, pair, above in (("hips", "hip", "chest"), ("chest", "shoulder", "head")):
            if part in self.joints:
                self.frames[part] = self._girdle(part, pair, above)
        for part in ("left_clavicle", "right_clavicle", "head"):
            if part in self.joints:
                self.average(part, self.world("chest"))

    def _girdle(self, part: str, pair: str, above: str) -> Array:
        samples = self.samples
        joint = self.joints[part]
        line = samples.across(pair if samples.has_pair(pair) else "hip")
        left = samples.local_mean(joint, line, np.ones(len(line)))
        if self.roles.kind == "quadruped":
            return basis(left, samples.local_mean(joint, samples.trunk, samples.upright), "xz")
        below = samples.middle("hip") if part == "hips" else samples.positions[:, joint]
        end = self._joint_above(joint, self.joints.get(above))
        way = samples.trunk if end is None else samples.positions[:, end] - below
        return basis(left, samples.local_mean(joint, way, samples.upright), "xy")

    def _joint_above(self, joint: int, end: int | None) -> int | None:
        """The first joint apart from another on the way up to an end."""
        skeleton = self.samples.skeleton
        chain = [] if end is None else list(skeleton.chain(end))
        after = chain[chain.index(joint) + 1 :] if joint in chain else []
        long = (k for k in after if np.linalg.norm(skeleton.offsets[k]) > NO_LENGTH)
        return next(long, None)

    # --- limbs

    def limb(self, side: str, limb: str) -> None:
        """Both bones of a limb: each by its direction and the limb's hinge."""
        parts = ("hip", "knee", "foot") if limb == "leg" else ("shoulder", "elbow", "hand")
        root, middle, tip = (self.roles.joint(f"{side}_{part}") for part in parts)
        if root is None or middle is None:
            return
        samples = self.samples
        upper = samples.positions[:, middle] - samples.positions[:, root]
        lower = samples.tip(middle, tip) - samples.positions[:, middle]
        # Elbows bend ahead and knees back: about axes to the right and to the left.
        sign = 1.0 if limb == "leg" else -1.0
        normal = sign * np.cross(unit(upper), unit(lower))
        if np.linalg.norm(samples.local(root, normal).mean(axis=0)) < LEAST_BEND:
            normal = sign * self._expected_normal(unit(upper), limb)
            axis = samples.local(root, sign * normal).mean(axis=0)
            if (end := f"{side}_{parts[2]}") in self.hinges:
                self.hinges[end] = usual_hinge(self.hinges[end], axis)
            self.guessed.append(
                f"the {side} {parts[1]} is never seen to bend, so it is taken to bend"
                f" {'back' if limb == 'leg' else 'ahead'}"
            )
        for part, joint, bone in ((parts[0], root, upper), (parts[1], middle, lower)):
            up = -samples.local(joint, bone).mean(axis=0)
            axis = samples.local(joint, normal).mean(axis=0)
            self.frames[f"{side}_{part}"] = basis(up, axis, "yx")

    def _expected_normal(self, upper: Array, limb: str) -> Array:
        """Normal (N, 3) of a limb that bends as limbs do on someone who stands."""
        trunk = "hips" if limb == "leg" or "chest" not in self.joints else "chest"
        ahead = rot.rotate(self.world(trunk), np.array([0.0, 0.0, 1.0]))
        return np.cross(upper, -ahead if limb == "leg" else ahead)

    def foot(self, foot: str) -> None:
        """A foot by the ground while it stands: up is up, ahead is where its toe points."""
        joint = self.roles.joints[foot]
        samples = self.samples
        flat = samples.flat(self.soles, foot)
        if flat.any():
            self.flat.add(foot)
        else:
            flat = samples.upright > 0
            self.guessed.append(f"the {foot.replace('_', ' ')} is never seen to stand flat")
        weight = flat.astype(float)
        heights = samples.positions[:, joint, 1] - self.soles.ground
        self.ankles[foot] = float(np.average(heights, weights=weight))
        stood = flat & (samples.upright > UPRIGHT) & (foot in self.flat)
        if stood.any():
            self.standing[foot] = float(np.median(heights[stood]))
        up = samples.local_mean(joint, np.broadcast_to(UP, (len(flat), 3)), weight)
        toe = samples.toe(self.soles, foot) - samples.positions[:, joint]
        level = toe * np.array([1.0, 0.0, 1.0])
        share = np.linalg.norm(level, axis=-1) / np.maximum(np.linalg.norm(toe, axis=-1), NO_LENGTH)
        if np.average(share, weights=weight) < LEAST_AHEAD:
            level = rot.rotate(self.world("hips"), np.array([0.0, 0.0, 1.0]))
        ahead = samples.local_mean(joint, level, weight)
        if self.roles.kind == "quadruped":
            self._paw(foot, joint)
        else:
            self.frames[foot] = basis(up, ahead, "yz")
        part = foot.replace("foot", "toe")
        if part != foot and part in self.joints:
            self.average(part, self.world(foot), weight)

    def _paw(self, foot: str, joint: int) -> None:
        """A paw by its bone, which has any slope while it stands, and by the limb's hinge."""
        limb = foot.replace("hand", "elbow").replace("foot", "knee")
        tip = farthest_end(self.samples.skeleton, joint)
        if np.linalg.norm(tip) < NO_LENGTH:
            self.average(foot, self.world(limb))
            return
        left = rot.rotate(self.world(limb), np.array([1.0, 0.0, 0.0]))
        axis = self.samples.local_mean(joint, left, self.samples.upright)
        self.frames[foot] = basis(-tip, axis, "yx")


def usual_hinge(hinge: Hinge, axis: Array) -> Hinge:
    """A hinge about an expected axis, with the range that people's have."""
    x, y, z = (float(v) for v in unit(axis))
    return replace(hinge, axis=(x, y, z), least=0.0, most=0.0).widened(np.pi)


SIDES = ("left", "right")
#: Chains of joints whose number differs from body to body, with what they lie between.
CHAINS = {"spine": ("hips", "chest"), "neck": ("chest", "head")}


def find_parts(skeleton: Skeleton, roles: Roles) -> tuple[dict[str, int], dict[str, float]]:
    """Find the parts of a body.

    Parameters
    ----------
    skeleton : Skeleton
        Whose joints they are.
    roles : Roles
        Which joint plays which part.

    Returns
    -------
    joints : dict of str to int
        Joint of every part: roles, ``left_clavicle`` and ``right_clavicle``, ``spine_1`` ... and
        ``neck_1`` ... for joints between hips, chest and head, and ``name:...`` for others that
        have no role.
    along : dict of str to float
        How far up between hips and chest, or chest and head, a joint of spine or neck lies, from 0
        to 1.
    """
    joints = {part: roles.joints[part] for part in ("hips", "chest") if part in roles.joints}
    head = roles.joint("head")
    if head is not None and "chest" in joints and head != joints["chest"]:
        joints["head"] = head
    for side in SIDES:
        joints |= _arm_and_leg(skeleton, roles, side)
    for foot in roles.feet:
        joints[foot] = roles.joints[foot]
        toe = roles.joint(foot.replace("foot", "toe"))
        if toe is not None and toe != joints[foot]:
            joints[foot.replace("foot", "toe")] = toe
    along: dict[str, float] = {}
    for name, (low, high) in CHAINS.items():
        if low in joints and high in joints:
            _add_chain(skeleton, name, (joints[low], joints[high]), joints, along)
    return joints | _others(skeleton, joints), along


def _arm_and_leg(skeleton: Skeleton, roles: Roles, side: str) -> dict[str, int]:
    """Collar bone, both bones of arm and leg, and the hand of one side."""
    clavicle = _find_clavicle(skeleton, roles, side)
    found = {} if clavicle is None else {f"{side}_clavicle": clavicle}
    for pair, end in ((("hip", "knee"), ""), (("shoulder", "elbow"), "hand")):
        names = [f"{side}_{part}" for part in pair]
        if all(name in roles.joints for name in names):
            known = [*names, f"{side}_{end}"]
            found |= {name: roles.joints[name] for name in known if name in roles.joints}
    return found


def _find_clavicle(skeleton: Skeleton, roles: Roles, side: str) -> int | None:
    """The joint between chest and shoulder that has no role.

    Parameters
    ----------
    skeleton : Skeleton
        Whose joints they are.
    roles : Roles
        Which joint plays which part.
    side : str
        ``"left"`` or ``"right"``.

    Returns
    -------
    int or None
        None where the shoulder hangs on a part of its own.
    """
    shoulder = roles.joint(f"{side}_shoulder")
    chest = roles.joint("chest")
    if shoulder is None or chest is None:
        return None
    above = int(skeleton.parents[shoulder])
    free = above not in set(roles.joints.values()) and chest in skeleton.chain(above)
    return above if free else None


def _add_chain(
    skeleton: Skeleton,
    name: str,
    ends: tuple[int, int],
    joints: dict[str, int],
    along: dict[str, float],
) -> None:
    """Joints between two parts, and how far up they are."""
    chain = list(skeleton.chain(ends[1]))
    if ends[0] not in chain:
        return
    chain = chain[chain.index(ends[0]) :]
    lengths = np.linalg.norm(skeleton.offsets[chain[1:]], axis=-1)
    way = np.concatenate([[0.0], np.cumsum(lengths)])
    way = way / max(float(way[-1]), 1e-9)
    for k, joint in enumerate(chain[1:-1], start=1):
        # A joint turns what lies above it, up to the next.
        along[f"{name}_{k}"] = float(0.5 * (way[k] + way[k + 1]))
        joints[f"{name}_{k}"] = joint


def _others(skeleton: Skeleton, joints: Mapping[str, int]) -> dict[str, int]:
    """Joints that play no part but hang on one that does, such as fingers and tails."""
    known = set(joints.values())
    found = {}
    for joint, name in enumerate(skeleton.names):
        below = set(skeleton.descendants(joint)) - {joint}
        # A joint between two of one limb or of the trunk is a twist bone.
        if joint not in known and known & set(skeleton.chain(joint)) and not below & known:
            found[f"name:{name}"] = joint
    return found


def carrier_of(skeleton: Skeleton, joints: Mapping[str, int], part: str) -> str:
    """The part that a joint without a role hangs on.

    Parameters
    ----------
    skeleton : Skeleton
        Whose joints they are.
    joints : mapping of str to int
        Joint of every part.
    part : str
        A ``name:...`` of them.

    Returns
    -------
    str
        The nearest part above it that is no ``name:...``.
    """
    known = {j: other for other, j in joints.items() if not other.startswith("name:")}
    above = skeleton.chain(joints[part])[:-1]
    return next(known[joint] for joint in reversed(above) if joint in known)
