"""Frames of captures from which the anatomical frames of a skeleton are read off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.soles import STILL_SPEED, Soles, point_velocity
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.two_bones import unit
from motionloom.typing import Array, Bools

UP = np.array([0.0, 1.0, 0.0])
#: So many frames of all captures together are looked at.
MOST = 4000
#: Cosine of the slope at which a trunk is not upright, and that at which it is fully so.
UPRIGHT = (0.85, 0.97)
#: Sine of the slope up to which the trunk of an animal is level, and that at which it is not.
LEVEL = (0.25, 0.45)
#: Hips this low are not those of someone who stands, and this high they are, as shares of a leg.
STANDS = (0.75, 0.9)
#: So many upright frames, in all, are enough to go by.
ENOUGH = 5.0
#: Height of the unit vector from hip to foot above which a rest pose is none of standing.
STANDING = -0.8
#: A foot is flat while each of its points is within this share of a leg of where it rests.
FLAT = 0.02


@dataclass(frozen=True, eq=False)
class Samples:
    """World poses from the captures of one skeleton.

    Parameters
    ----------
    clips : tuple of PosedMotion
        The captures, thinned to N frames in all.
    roles : Roles
        Which joint plays which part.
    positions : array of shape (N, J, 3), metres
        World positions of the joints.
    rotations : array of shape (N, J, 4)
        World rotations of the joints.
    still : bool array of shape (N, J)
        Whether a joint is slow enough to stand.
    upright : array of shape (N,)
        From 0 to 1: whether the body stands; 1 everywhere where it never does.
    """

    clips: tuple[PosedMotion, ...]
    roles: Roles
    positions: Array
    rotations: Array
    still: Bools
    upright: Array = field(default_factory=lambda: np.ones(0))

    @property
    def skeleton(self) -> Skeleton:
        """Whose joints they are."""
        return self.clips[0].skeleton

    def has_pair(self, part: str) -> bool:
        """Whether both sides have a joint of this name."""
        return {f"left_{part}", f"right_{part}"} <= self.roles.joints.keys()

    def across(self, part: str) -> Array:
        """From the right joint of a pair to the left one, shape (N, 3), metres."""
        left, right = (self.roles.joints[f"{side}_{part}"] for side in ("left", "right"))
        return self.positions[:, left] - self.positions[:, right]

    def middle(self, part: str) -> Array:
        """Between the joints of a pair, shape (N, 3), metres."""
        joints = [self.roles.joints[f"{side}_{part}"] for side in ("left", "right")]
        return self.positions[:, joints].mean(axis=1)

    @property
    def trunk(self) -> Array:
        """Direction of the trunk from between the hips to between the shoulders, shape (N, 3)."""
        known = [j for r in ("neck", "head", "chest", "spine") if (j := self.roles.joint(r))]
        if self.has_pair("shoulder"):
            top = self.middle("shoulder")
        elif known:
            top = self.positions[:, known[0]]
        else:
            top = self.middle("hip") + UP
        return unit(top - self.middle("hip"))

    def local(self, joint: int, directions: Array) -> Array:
        """World directions (N, 3) in a joint's own axes."""
        return rot.rotate(rot.conjugate(self.rotations[:, joint]), directions)

    def local_mean(self, joint: int, directions: Array, weight: Array) -> Array:
        """Mean of world directions (N, 3) in a joint's own axes, by weight (N,), shape (3,)."""
        return (weight[:, None] * self.local(joint, unit(directions))).sum(axis=0)

    def tip(self, middle: int, tip: int | None) -> Array:
        """End of the bone below a joint, (N, 3), metres: a joint, else an end site."""
        if tip is not None:
            return self.positions[:, tip]
        offset = farthest_end(self.skeleton, middle)
        return self.positions[:, middle] + rot.rotate(self.rotations[:, middle], offset)

    def toe(self, soles: Soles, foot: str) -> Array:
        """Where a foot's toe is, else its heel or paw, shape (N, 3), metres."""
        return self._sole_point(soles, soles.of(foot)[-1])

    def _sole_point(self, soles: Soles, index: int) -> Array:
        point = soles.points[index]
        turned = rot.rotate(self.rotations[:, point.joint], np.array(point.local))
        return self.positions[:, point.joint] + turned

    def flat(self, soles: Soles, foot: str) -> Bools:
        """Whether a foot stands with its whole sole on the ground, shape (N,)."""
        flat = self.still[:, self.roles.joints[foot]].copy()
        for index in soles.of(foot):
            rest = soles.ground + soles.points[index].rest
            height = self._sole_point(soles, index)[:, 1] - rest
            flat &= np.abs(height) < FLAT * soles.leg
        return flat


def sample_clips(posed: Sequence[PosedMotion], most: int = MOST) -> Samples:
    """Frames of captures, spread evenly.

    Parameters
    ----------
    posed : sequence of PosedMotion
        Motions of one skeleton, at least one, each with a frame at least.
    most : int
        About so many frames in all.

    Returns
    -------
    Samples

    Raises
    ------
    InvalidInputError
        When the roles name no hips.
    """
    roles = posed[0].roles
    needed = {f"{side}_{part}" for side in ("left", "right") for part in ("hip", "foot")}
    if not needed <= roles.joints.keys():
        raise InvalidInputError(
            "a body's frames need hip and foot of both sides; name them in a roles table"
        )
    step = max(1, -(-sum(p.n_frames for p in posed) // most))
    still = [_still(p)[::step] for p in posed]
    clips = tuple(p.every(step) for p in posed)
    samples = Samples(
        clips=clips,
        roles=roles,
        positions=np.concatenate([p.positions for p in clips]),
        rotations=np.concatenate([p.rotations for p in clips]),
        still=np.concatenate(still),
    )
    return replace(samples, upright=_upright(samples))


def _still(posed: PosedMotion) -> Bools:
    """Whether joints are slow, shape (T, J)."""
    speed = np.linalg.norm(point_velocity(posed.positions, posed.fps), axis=-1)
    size = float(np.linalg.norm(posed.skeleton.offsets, axis=-1).max(initial=0.0))
    # Half of a leg is about the longest bone.
    return speed < STILL_SPEED * 2.0 * max(size, 1e-9)


def _upright(samples: Samples) -> Array:
    """How much the body stands in every frame, shape (N,); 1 everywhere where it never does."""
    weight = standing(samples)
    return weight if weight.sum() >= min(ENOUGH, 0.5 * len(weight)) else np.ones(len(weight))


def standing(samples: Samples) -> Array:
    """How much the body stands in every frame.

    Parameters
    ----------
    samples : Samples
        N frames.

    Returns
    -------
    array of shape (N,)
        From 0 to 1: by how upright the trunk is, and how high the hips are above the feet; of an
        animal on four legs, by how level the trunk is.
    """
    if samples.roles.kind == "quadruped":
        return 1.0 - _between(np.abs(samples.trunk[:, 1]), LEVEL)
    feet = [samples.roles.joints[foot] for foot in samples.roles.feet]
    legs = samples.middle("hip")[:, 1] - samples.positions[:, feet, 1].min(axis=1, initial=np.inf)
    longest = max(float(np.quantile(legs, 0.95)), 1e-9)
    return _between(samples.trunk[:, 1], UPRIGHT) * _between(legs / longest, STANDS)


def _between(values: Array, limits: tuple[float, float]) -> Array:
    low, high = limits
    return np.clip((values - low) / (high - low), 0.0, 1.0)


def farthest_end(skeleton: Skeleton, joint: int) -> Array:
    """The end site of a joint that is farthest from it, in its axes, shape (3,), metres.

    Parameters
    ----------
    skeleton : Skeleton
        The joints.
    joint : int
        One of them.

    Returns
    -------
    array of shape (3,), metres
        One as long as its own bone and in line with that where it has no end site.
    """
    ends = skeleton.end_offsets[skeleton.end_parents == joint]
    return max([*ends, 1e-6 * skeleton.offsets[joint]], key=lambda end: float(np.linalg.norm(end)))


def rest_clip(skeleton: Skeleton, roles: Roles | None = None) -> PosedMotion:
    """The rest pose of a skeleton as a motion of one frame that stands upright.

    Parameters
    ----------
    skeleton : Skeleton
        Its offsets are looked at.
    roles : Roles, optional
        Which joint plays which part; found from the skeleton when not given.

    Returns
    -------
    PosedMotion
        With its trunk upright, or level for an animal on four legs, wherever up is in its rest
        pose.

    Raises
    ------
    InvalidInputError
        When the roles name no hips, or the legs of the rest pose do not point down: files of
        some programs have no rest pose to speak of.
    """
    roles = roles or find_roles(skeleton)
    flat = _pose_at(skeleton, rot.identity())
    samples = sample_clips([pose_motion(flat, roles)])
    left = unit(samples.across("hip"))[0]
    trunk = samples.trunk[0]
    across = unit(trunk - (trunk @ left) * left)  # up, or ahead of an animal
    other = np.cross(left, across)
    lies = roles.kind == "quadruped"
    axes = np.stack([left, -other, across] if lies else [left, across, other])
    stood = pose_motion(_pose_at(skeleton, rot.from_matrix(axes)), roles)
    _check_stands(stood)
    return stood


def _check_stands(rest: PosedMotion) -> None:
    hips, feet = (
        rest.positions[0, [rest.roles.joints[f"{side}_{part}"] for side in ("left", "right")]]
        for part in ("hip", "foot")
    )
    legs = unit(feet - hips)
    if np.any(legs[:, 1] > STANDING):
        raise InvalidInputError(
            "the rest pose of this skeleton is not that of somebody who stands, so it does not say"
            " how the body lies in its joints; give a clip of it, such as a few steps or a T-pose"
        )


def _pose_at(skeleton: Skeleton, turn: Array) -> Motion:
    """The rest pose, turned as a whole, as one frame that lasts a second."""
    rotations = rot.identity(1, skeleton.n_joints)
    rotations[:, 0] = turn
    place = rot.rotate(turn, skeleton.offsets[:1])[None]
    return Motion(skeleton, rotations, place, 1.0, name="rest")
