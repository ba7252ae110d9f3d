"""Anatomical frames: how the axes of a skeleton's joints lie in the body parts that they move.

Rest poses differ from rig to rig, and so do the axes of joints. Bodies do not: a thigh points from
hip to knee, and a knee bends about one axis. For every role a frame is read off captures, in the
joint's own axes: x to the body's left, y up and z ahead on someone who stands with hanging arms.
Two skeletons are in the same pose when these frames are turned alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.hinges import Hinge, fit_hinges
from motionloom.analysis.soles import Soles, fit_soles
from motionloom.edit.retarget.samples import Samples, farthest_end, rest_clip, sample_clips
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.threads import one_thread
from motionloom.two_bones import unit

Array = NDArray[np.float64]

UP = np.array([0.0, 1.0, 0.0])
SIDES = ("left", "right")
#: Mean sine of a limb's bend (about 4 degrees) below which its hinge is not seen.
LEAST_BEND = 0.07
#: A foot's toe is this share of its length ahead of the ankle, or nothing is known of where it
#: points.
LEAST_AHEAD = 0.3
#: A joint of a limb is on the limb's line, so that it has no direction of its own, metres.
NO_LENGTH = 1e-3


@dataclass(frozen=True, eq=False)
class RoleFrames:
    """How the body parts of one skeleton lie in its joints.

    Parameters
    ----------
    skeleton : Skeleton
        Whose joints they are.
    roles : Roles
        Which joint plays which part.
    joints : mapping of str to int
        Joint of every part: roles, ``left_clavicle`` and ``right_clavicle``, ``spine_1`` ... and
        ``neck_1`` ... for joints between hips, chest and head, and ``name:...`` for others that
        have no role.
    frames : mapping of str to array of shape (4,)
        For the same parts the quaternion that takes the body part's axes (left, up, ahead) to the
        joint's own.
    along : mapping of str to float
        How far up between hips and chest, or chest and head, a joint of spine or neck lies, from 0
        to 1.
    hinges : mapping of str to Hinge
        Axes of knees and elbows and how far they bent, by the role of the limb's tip.
    rest : array of shape (J, 4)
        Usual rotation of every joint relative to its parent: what joints keep that play no part.
    soles : Soles
        Where the feet meet the ground.
    ankles : mapping of str to float, metres
        Height above the ground of every foot's joint while it stands, by the foot's role.
    guessed : tuple of str
        What the captures did not show, one sentence each.
    """

    skeleton: Skeleton
    roles: Roles
    joints: Mapping[str, int]
    frames: Mapping[str, Array]
    along: Mapping[str, float]
    hinges: Mapping[str, Hinge]
    rest: Array
    soles: Soles
    ankles: Mapping[str, float]
    guessed: tuple[str, ...] = ()

    @property
    def leg(self) -> float:
        """Length of a straight leg from hip to ankle, metres."""
        return self.soles.leg

    def world(self, part: str, rotations: Array) -> Array:
        """World rotation of a body part.

        Parameters
        ----------
        part : str
            One of `joints`.
        rotations : array of shape (T, J, 4)
            World rotations of the joints.

        Returns
        -------
        array of shape (T, 4)
            Of its axes: left, up, ahead.
        """
        return rot.multiply(rotations[:, self.joints[part]], self.frames[part])


@one_thread()
def fit_role_frames(
    clips: Sequence[Motion | PosedMotion] | Skeleton, roles: Roles | None = None
) -> RoleFrames:
    """Find the anatomical frames of a skeleton.

    Parameters
    ----------
    clips : sequence of Motion or PosedMotion, or Skeleton
        Motions of one skeleton, a rest pose among them; or a skeleton of which only the rest pose
        is known: someone who stands with arms aside, ahead or hanging.
    roles : Roles, optional
        Which joint plays which part; found from the skeleton when not given.

    Returns
    -------
    RoleFrames

    Raises
    ------
    InvalidInputError
        When there is no frame, the clips do not share a skeleton, legs are missing, or the rest
        pose of a skeleton is not that of somebody who stands.
    """
    posed = _posed(clips, roles)
    samples = sample_clips(posed)
    fitting = _Fitting(samples, fit_hinges(posed), fit_soles(posed))
    fitting.trunk()
    for side in SIDES:
        fitting.limb(side, "leg")
        fitting.limb(side, "arm")
    for foot in samples.roles.feet:
        fitting.foot(foot)
    fitting.hands()
    fitting.chain("spine", "hips", "chest")
    fitting.chain("neck", "chest", "head")
    fitting.others()
    return RoleFrames(
        skeleton=samples.clips[0].motion.mean_skeleton(samples.roles.joints["hips"]),
        roles=samples.roles,
        joints=fitting.joints,
        frames=fitting.frames,
        along=fitting.along,
        hinges=fitting.hinges,
        rest=samples.mean_local(),
        soles=fitting.soles,
        ankles=fitting.ankles,
        guessed=tuple(fitting.guessed),
    )


def _posed(
    clips: Sequence[Motion | PosedMotion] | Skeleton, roles: Roles | None
) -> list[PosedMotion]:
    if isinstance(clips, Skeleton):
        return [rest_clip(clips, roles)]
    posed = [
        c if isinstance(c, PosedMotion) else pose_motion(c, roles) for c in clips if c.n_frames
    ]
    if not posed:
        raise InvalidInputError("frames of body parts need a motion with at least one frame")
    for other in posed[1:]:
        if not other.skeleton.has_topology_of(posed[0].skeleton):
            raise InvalidInputError("frames of body parts need motions that share a skeleton")
    return posed


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


class _Fitting:
    """Frames found so far, one part of the body after the other."""

    def __init__(self, samples: Samples, hinges: Mapping[str, Hinge], soles: Soles) -> None:
        self.samples = samples
        self.roles = samples.roles
        self.hinges = dict(hinges)
        self.soles = soles
        self.joints: dict[str, int] = {}
        self.frames: dict[str, Array] = {}
        self.along: dict[str, float] = {}
        self.ankles: dict[str, float] = {}
        self.guessed: list[str] = []

    def set(self, part: str, joint: int, frame: Array) -> None:
        self.joints[part] = joint
        self.frames[part] = frame

    def world(self, part: str) -> Array:
        """World rotation (N, 4) of a part whose frame is known."""
        return rot.multiply(self.samples.rotations[:, self.joints[part]], self.frames[part])

    def average(self, part: str, joint: int, world: Array, weight: Array | None = None) -> None:
        """Frame of a joint that is on average turned as `world` (N, 4)."""
        weight = self.samples.upright if weight is None else weight
        local = rot.multiply(rot.conjugate(self.samples.rotations[:, joint]), world)
        self.set(part, joint, rot.mean(local, weight))

    # --- trunk

    def trunk(self) -> None:
        """Pelvis by its hip line, chest by its shoulder line, both by the trunk's direction."""
        samples = self.samples
        axis = "xz" if self.roles.kind == "quadruped" else "xy"
        for part, pair in (("hips", "hip"), ("chest", "shoulder")):
            joint = self.roles.joint(part)
            if joint is None:
                continue
            line = samples.across(pair) if samples.has_pair(pair) else samples.across("hip")
            left = samples.local_mean(joint, line, np.ones(len(line)))
            ahead = samples.local_mean(joint, samples.trunk, samples.upright)
            self.set(part, joint, basis(left, ahead, axis))
        for side in SIDES:
            self._clavicle(side)
        head = self.roles.joint("head")
        if head is not None and "chest" in self.joints and head != self.joints["chest"]:
            self.average("head", head, self.world("chest"))

    def _clavicle(self, side: str) -> None:
        shoulder = self.roles.joint(f"{side}_shoulder")
        chest = self.roles.joint("chest")
        if shoulder is None or chest is None:
            return
        above = int(self.samples.skeleton.parents[shoulder])
        taken = set(self.roles.joints.values())
        if above not in taken and chest in self.samples.skeleton.chain(above):
            self.average(f"{side}_clavicle", above, self.world("chest"))

    def chain(self, name: str, low: str, high: str) -> None:
        """Joints between two parts: turned between them, by how far up they are."""
        if low not in self.joints or high not in self.joints:
            return
        chain = self.samples.skeleton.chain(self.joints[high])
        if self.joints[low] not in chain:
            return
        chain = chain[chain.index(self.joints[low]) :]
        offsets = self.samples.skeleton.offsets[list(chain[1:])]
        way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(offsets, axis=-1))])
        way = way / max(float(way[-1]), 1e-9)
        ends = (self.world(low), self.world(high))
        for k, joint in enumerate(chain[1:-1], start=1):
            # A joint turns what lies above it, up to the next.
            share = float(0.5 * (way[k] + way[k + 1]))
            self.along[f"{name}_{k}"] = share
            self.average(f"{name}_{k}", joint, rot.slerp(*ends, np.full(len(ends[0]), share)))

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
            self._unseen(f"{side}_{parts[2]}", samples.local(root, sign * normal).mean(axis=0))
            self.guessed.append(
                f"the {side} {parts[1]} is never seen to bend, so it is taken to bend"
                f" {'back' if limb == 'leg' else 'ahead'}"
            )
        for part, joint, bone in ((parts[0], root, upper), (parts[1], middle, lower)):
            up = -samples.local(joint, bone).mean(axis=0)
            axis = samples.local(joint, normal).mean(axis=0)
            self.set(f"{side}_{part}", joint, basis(up, axis, "yx"))

    def _expected_normal(self, upper: Array, limb: str) -> Array:
        """Normal (N, 3) of a limb that bends as limbs do on someone who stands."""
        trunk = "hips" if limb == "leg" or "chest" not in self.joints else "chest"
        ahead = rot.rotate(self.world(trunk), np.array([0.0, 0.0, 1.0]))
        return np.cross(upper, -ahead if limb == "leg" else ahead)

    def _unseen(self, tip: str, axis: Array) -> None:
        """A hinge that was not seen has an expected axis, and the range that people's have."""
        if tip in self.hinges:
            x, y, z = unit(axis)
            known = replace(self.hinges[tip], axis=(float(x), float(y), float(z)))
            self.hinges[tip] = replace(known, least=0.0, most=0.0).widened(np.pi)

    def foot(self, foot: str) -> None:
        """A foot by the ground while it stands: up is up, ahead is where its toe points."""
        joint = self.roles.joints[foot]
        samples = self.samples
        flat = samples.flat(self.soles, foot)
        if not flat.any():
            flat = samples.upright > 0
            self.guessed.append(f"the {foot.replace('_', ' ')} is never seen to stand flat")
        weight = flat.astype(float)
        heights = samples.positions[:, joint, 1] - self.soles.ground
        self.ankles[foot] = float(np.average(heights, weights=weight))
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
            self.set(foot, joint, basis(up, ahead, "yz"))
        part = foot.replace("foot", "toe")
        below = self.roles.joint(part)
        if below is not None and part != foot and below != joint:
            self.average(part, below, self.world(foot), weight)

    def _paw(self, foot: str, joint: int) -> None:
        """A paw by its bone, which has any slope while it stands, and by the limb's hinge."""
        limb = foot.replace("hand", "elbow").replace("foot", "knee")
        tip = farthest_end(self.samples.skeleton, joint)
        if np.linalg.norm(tip) < NO_LENGTH:
            self.average(foot, joint, self.world(limb))
            return
        left = rot.rotate(self.world(limb), np.array([1.0, 0.0, 0.0]))
        axis = self.samples.local_mean(joint, left, self.samples.upright)
        self.set(foot, joint, basis(-tip, axis, "yx"))

    def hands(self) -> None:
        """A hand is on average turned as its forearm."""
        for side in SIDES:
            hand = self.roles.joint(f"{side}_hand")
            part = f"{side}_hand"
            if hand is not None and part not in self.joints and f"{side}_elbow" in self.joints:
                self.average(part, hand, self.world(f"{side}_elbow"))

    def others(self) -> None:
        """Joints that play no part, such as fingers and tails: on average as what carries them."""
        known = {joint: part for part, joint in self.joints.items()}
        for joint, name in enumerate(self.samples.skeleton.names):
            above = self.samples.skeleton.chain(joint)[:-1]
            carrier = next((known[j] for j in reversed(above) if j in known), None)
            if joint not in known and carrier is not None and not self._inside(joint):
                self.average(f"name:{name}", joint, self.world(carrier))

    def _inside(self, joint: int) -> bool:
        """Whether a joint lies between two of one limb or of the trunk: a twist bone."""
        below = set(self.samples.skeleton.descendants(joint)) - {joint}
        return bool(below & set(self.joints.values()))
