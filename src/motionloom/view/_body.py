"""The body that page and studio draw around a skeleton: a mesh of tubes carried by its joints.

A human has trunk, head, limbs and shoes; all others have a tapered tube around every bone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from motionloom import rotations as rot
from motionloom.io.scenes.rest_pose import find_rest_pose
from motionloom.motion import Motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.two_bones import unit
from motionloom.typing import Array, Ints

_LEG, _ARM = ("hip", "knee", "foot"), ("shoulder", "elbow", "hand")
_SIDES = ("left", "right")
#: Without these a body is drawn bone by bone.
_NEEDED = ("hips", *(f"{side}_{part}" for side in _SIDES for part in _LEG))
#: Leg from hip to ankle of the body that the profiles are of, metres.
_LENGTH = 0.82
_LEFT, _UP, _AHEAD = np.eye(3)
#: Profiles of tubes: share of the way, half width and half depth (metres).
_THIGH = np.c_[
    [-0.1, -0.06, 0.06, 0.3, 0.65, 0.9, 1.0],
    [0.03, 0.075, 0.088, 0.08, 0.062, 0.052, 0.05],
    [0.035, 0.08, 0.09, 0.084, 0.066, 0.056, 0.054],
]
_SHIN = np.c_[
    [0.08, 0.28, 0.55, 0.85, 1.0, 1.04],
    [0.048, 0.052, 0.043, 0.032, 0.031, 0.02],
    [0.052, 0.058, 0.046, 0.035, 0.035, 0.02],
]
_UPPER_ARM = np.transpose(
    [[-0.2, -0.12, 0.05, 0.35, 0.75, 1.0], *2 * [[0.02, 0.047, 0.056, 0.047, 0.039, 0.036]]]
)
_FOREARM = np.c_[[0.12, 0.35, 0.75, 1.0], [0.037, 0.038, 0.029, 0.026], [0.038, 0.039, 0.026, 0.02]]
_HAND = np.c_[
    [-0.06, 0.15, 0.45, 0.75, 0.95, 1.0],
    [0.024, 0.034, 0.042, 0.036, 0.024, 0.008],
    [0.018, 0.018, 0.018, 0.014, 0.01, 0.006],
]
_NECK = np.array([[-0.5, 0.066, 0.06], [0.2, 0.056, 0.058], [1.0, 0.054, 0.06]])
_NOSE = np.array([[0.0, 0.008, 0.016], [0.5, 0.014, 0.03], [1.0, 0.006, 0.008]])
#: A shoe from heel to tip: as above, the depth its height above the sole.
_SHOE = np.c_[
    [0.0, 0.05, 0.2, 0.4, 0.62, 0.8, 0.93, 1.0],
    [0.016, 0.03, 0.036, 0.037, 0.046, 0.046, 0.034, 0.014],
    [0.05, 0.068, 0.088, 0.07, 0.05, 0.038, 0.028, 0.02],
]
#: Of the trunk the half width is a share of that of hips and shoulders; last its shift ahead.
_TRUNK = np.c_[
    [-0.2, -0.16, -0.05, 0.1, 0.32, 0.55, 0.72, 0.86, 0.94, 1.0, 1.06],
    [0.35, 0.85, 1.6, 1.62, 1.36, 1.5, 1.68, 1.66, 1.2, 0.62, 0.5],
    [0.05, 0.09, 0.115, 0.11, 0.1, 0.115, 0.118, 0.1, 0.075, 0.058, 0.05],
    [0.0, 0.0, -0.005, 0.0, 0.01, 0.01, 0.005, -0.005, -0.012, -0.01, -0.005],
]
#: Any other bone: share of the way and radius as a share of the thickest.
_BONE = np.array([[-0.1, 0.35], [0.0, 0.8], [0.15, 1.0], [0.6, 0.75], [1.0, 0.55], [1.07, 0.2]])
#: Its radius as a share of its length, and the bounds of that as shares of the body's height.
_WIDTH, _THINNEST, _THICKEST = 0.16, 0.008, 0.05
#: Bones shorter than this (metres) are not drawn.
_SHORTEST = 1e-3
#: How far the heel lies behind the ankle and the tip of a shoe ahead of the toes, and a shoe's
#: shortest length; metres.
_HEEL, _TIP, _LEAST_SHOE = 0.06, 0.02, 0.2


@dataclass(frozen=True, eq=False)
class Skin:
    """A mesh carried by joints, in the pose it is bound in.

    Parameters
    ----------
    vertices : array of shape (V, 3), metres
        World places in the rest pose.
    faces : int array of shape (F, 3)
        Anticlockwise seen from outside.
    joints : int array of shape (V, 2)
        The joints that carry each vertex.
    weights : array of shape (V, 2)
        Of those joints; they add up to 1.
    positions, rotations : arrays of shape (J, 3) and (J, 4)
        World places (metres) and rotations of all joints in the rest pose.
    """

    vertices: Array
    faces: Ints
    joints: Ints
    weights: Array
    positions: Array
    rotations: Array


def build_skin(motion: Motion, roles: Roles | None = None) -> Skin:
    """Build the body around a motion's skeleton.

    Parameters
    ----------
    motion : Motion
        Its frames say how the body stands; see `find_rest_pose`.
    roles : Roles, optional
        Found from names and bones when not given.

    Returns
    -------
    Skin
        In the rest pose: a T-pose of a human.
    """
    roles = find_roles(motion.skeleton) if roles is None else roles
    rest = find_rest_pose(motion)
    body = _Body(motion.skeleton, rest.positions, rest.ends, roles.joints)
    if roles.kind == "human" and body.has(*_NEEDED):
        body.add_human()
    else:
        body.add_bones()
    parts: tuple[Any, ...] = (body.vertices, body.faces, body.carriers, body.weights)
    vertices, faces, joints, weights = map(np.concatenate, parts)
    turned = rot.normalize(rest.rotations)
    return Skin(vertices, faces, joints, weights, rest.positions, turned)


#: Middles and half axes of ellipses (R, 3), metres; ``across x along`` points to the next one.
_Rings = tuple[Array, Array, Array]


@dataclass(eq=False)
class _Body:
    """A skeleton at rest: joints (J, 3) and end sites (E, 3) in metres, and its mesh."""

    skeleton: Skeleton
    joints: Array
    ends: Array
    roles: Mapping[str, int]
    vertices: list[Array] = field(default_factory=lambda: [np.zeros((0, 3))])
    faces: list[Ints] = field(default_factory=lambda: [np.zeros((0, 3), int)])
    carriers: list[Ints] = field(default_factory=lambda: [np.zeros((0, 2), int)])
    weights: list[Array] = field(default_factory=lambda: [np.zeros((0, 2))])

    def at(self, role: str) -> Array:
        """Where a role's joint is."""
        return np.asarray(self.joints[self.roles[role]])

    def has(self, *roles: str) -> bool:
        """Whether all of these roles are played."""
        return all(role in self.roles for role in roles)

    def add(self, rings: _Rings, chain: Sequence[int], slots: Array | float = 0.0) -> None:
        """Add a closed tube; slot 1.5 is carried half by the second joint of a chain, half by the
        third.
        """
        centers, across, along = rings
        count, sides = len(centers), 14
        angles = 2 * np.pi * np.arange(sides)[:, None] / sides
        around = np.cos(angles) * across[:, None] + np.sin(angles) * along[:, None]
        points = (centers[:, None] + around).reshape(-1, 3)
        ring = np.arange(sides)
        after = (ring + 1) % sides
        below = np.arange(count - 1)[:, None] * sides
        a, b = below + ring, below + after
        walls = np.stack([a, b, b + sides, a, b + sides, a + sides], -1).reshape(-1, 3)
        first = np.full(sides, count * sides)
        low = np.column_stack([first, after, ring])
        high = np.column_stack([first + 1, (count - 1) * sides + np.array([ring, after]).T])
        start = sum(map(len, self.vertices))
        self.vertices.append(np.concatenate([points, centers[[0, -1]]]))
        self.faces.append(start + np.concatenate([walls, low, high]))
        of_rings = np.clip(np.broadcast_to(slots, (count,)), 0.0, len(chain) - 1.0)
        own = np.concatenate([np.repeat(of_rings, sides), of_rings[[0, -1]]])
        lower = np.floor(own).astype(int)
        pair = np.column_stack([lower, np.minimum(lower + 1, len(chain) - 1)])
        self.carriers.append(np.array(chain, int)[pair])
        self.weights.append(np.column_stack([1 - (own - lower), own - lower]))

    def add_bones(self) -> None:
        """A tapered tube around every bone; none above the hips."""
        owners = np.concatenate([self.skeleton.parents[1:], self.skeleton.end_parents])
        tips = np.concatenate([self.joints[1:], self.ends])
        above = self.skeleton.chain(self.roles.get("hips", 0))[:-1]
        top = self.roles.get("neck", self.roles.get("chest", 0))
        trunk = self.skeleton.chain(top)[len(above) : -1] if "hips" in self.roles else ()
        everything = np.concatenate([self.joints, self.ends])
        tall = max(float(np.ptp(everything, axis=0).max()), 0.1)
        for owner, tip in zip(owners.tolist(), tips, strict=True):
            bone = tip - self.joints[owner]
            length = float(np.linalg.norm(bone))
            if length < _SHORTEST or owner in above:
                continue
            radius = float(np.clip(_WIDTH * length, _THINNEST * tall, _THICKEST * tall))
            radius *= 2.4 if owner in trunk else 1.0
            profile = _BONE[:, [0, 1, 1]] * [1, radius, radius]
            aside = np.eye(3)[np.argmin(np.abs(bone))]
            self.add(_straight(profile, self.joints[owner], tip, aside), [owner])

    def add_human(self) -> None:
        """Trunk, head, legs with shoes, and arms with hands as far as there are any."""
        bones = [np.diff([self.at(f"{side}_{part}") for part in _LEG], axis=0) for side in _SIDES]
        legs = [np.linalg.norm(own, axis=1).sum() for own in bones]
        size = max(float(np.mean(legs)) / _LENGTH, 1e-3)
        self._add_trunk(size)
        for side in _SIDES:
            self._add_limb([self.roles[f"{side}_{part}"] for part in _LEG], (_THIGH, _SHIN), size)
            self._add_shoe(self.roles[f"{side}_foot"], self.roles.get(f"{side}_toe"), size)
            if self.has(*(f"{side}_{part}" for part in _ARM)):
                arm = [self.roles[f"{side}_{part}"] for part in _ARM]
                self._add_limb(arm, (_UPPER_ARM, _FOREARM), size, _AHEAD)
                wrist = self.joints[arm[2]]
                tip = wrist + 0.18 * size * unit(wrist - self.joints[arm[1]])
                self.add(_straight(_scaled(_HAND, size), wrist, tip, _AHEAD), arm[2:])

    def _add_limb(
        self, chain: list[int], halves: Sequence[Array], size: float, aside: Array = _LEFT
    ) -> None:
        ends = [self.joints[joint] for joint in chain]
        rings = [
            _straight(_scaled(profile, size), start, end, aside)
            for profile, start, end in zip(halves, ends, ends[1:], strict=False)
        ]
        # Near a joint both bones carry.
        slots = [
            np.interp(profile[:, 0], [0, 0.175, 0.825, 1], [k - 0.5, k, k, k + 0.5])
            for k, profile in enumerate(halves)
        ]
        middles, across, along = (np.concatenate(pair) for pair in zip(*rings, strict=True))
        self.add((middles, across, along), chain, np.concatenate(slots))

    def _add_shoe(self, foot: int, toe: int | None, size: float) -> None:
        """A shoe that stands on the ground at rest, from behind the ankle to ahead of the toes."""
        ankle = self.joints[foot]
        inside = [joint for joint in self.skeleton.descendants(foot) if joint != foot]
        carried = np.isin(self.skeleton.end_parents, [foot, *inside])
        tips = np.concatenate([self.joints[inside], self.ends[carried], [ankle + 0.1 * _AHEAD]])
        tip = tips[int(np.argmax(tips[:-1, 2]))] if len(tips) > 1 else tips[0]
        way = (tip - ankle) * [1, 0, 1]
        length = float(np.linalg.norm(way))
        ahead = way / length if length > 0.03 * size else _AHEAD
        floor = min(0.0, float(ankle[1]))
        heel = (ankle - _HEEL * size * ahead) * [1, 0, 1] + floor * _UP
        span = max(length + (_HEEL + _TIP) * size, _LEAST_SHOE * size)
        high = np.clip((ankle[1] - floor) / (0.08 * size), 0.6, 1.6)
        profile = _scaled(_SHOE, size) * [1, 1, high]
        rings = _straight(profile, heel, heel + span * ahead, np.cross(_UP, ahead))
        chain = [foot] if toe is None else [foot, toe]
        bend = 0.0 if toe is None else float((self.joints[toe] - heel) @ ahead)
        self.add(rings, chain, 0.5 + (span * profile[:, 0] - bend) / (0.03 * size))
        # The lower half lies flat on the ground: the sole.
        self.vertices[-1][:, 1] = np.maximum(self.vertices[-1][:, 1], floor)

    def _add_trunk(self, size: float) -> None:
        top = self._top_of_trunk()
        chain = self.skeleton.chain(top)[len(self.skeleton.chain(self.roles["hips"])) - 1 :]
        if len(chain) < 2:
            return
        shoulders = self.joints[top] + 0.18 * size * np.array([_LEFT, -_LEFT])
        if self.has("left_shoulder", "right_shoulder"):
            shoulders = np.array([self.at(f"{side}_shoulder") for side in _SIDES])
        hips = np.array([self.at(f"{side}_hip") for side in _SIDES])
        low = hips.mean(axis=0) + 0.06 * size * _UP
        high = shoulders.mean(axis=0) + size * np.array([0.0, 0.05, -0.01])
        share, width, depth, ahead = _TRUNK.T[..., None]
        narrow = np.clip(abs(hips[0, 0] - hips[1, 0]) / 2, 0.07 * size, 0.12 * size)
        wide = np.clip(0.31 * abs(shoulders[0, 0] - shoulders[1, 0]), 0.09 * size, 0.13 * size)
        width = width * (narrow + np.clip(share / 0.7, 0.0, 1.0) * (wide - narrow))
        centers = low + share * (high - low) + size * ahead * _AHEAD
        heights = np.maximum.accumulate(self.joints[list(chain), 1])
        slots = np.interp(centers[:, 1], heights, np.arange(len(chain))) - 0.5
        self.add((centers, -width * _LEFT, size * depth * _AHEAD), chain, slots)
        self._add_head(size, top, high)

    def _top_of_trunk(self) -> int:
        """The joint that carries both shoulders, else the neck, chest or head."""
        if self.has("left_shoulder", "right_shoulder"):
            left, right = (self.skeleton.chain(self.roles[f"{s}_shoulder"]) for s in _SIDES)
            return [joint for joint in left if joint in right][-1]
        names = ("neck", "chest", "head", "hips")
        return next(self.roles[role] for role in names if role in self.roles)

    def _add_head(self, size: float, below: int, collar: Array) -> None:
        head = self.roles.get("head", below)
        base = self.joints[head]
        if head != below and base[1] > collar[1] - 0.03 * size:
            top = base + size * np.array([0.0, 0.05, 0.005])
            neck = _straight(_scaled(_NECK, size), collar, top, _LEFT)
            self.add(neck, [below, head], _NECK[:, 0])
        # Narrower towards the chin, deeper at the back.
        angles = np.linspace(-0.47 * np.pi, 0.47 * np.pi, 9)[:, None]
        middle = base + size * np.array([0.0, 0.09, 0.02])
        width = np.cos(angles) * np.where(angles < 0, 0.068, 0.075)
        shift = 0.125 * np.sin(angles) * _UP - 0.02 * np.minimum(np.sin(angles), 0) * _AHEAD
        depth = 0.095 * np.cos(angles)
        self.add((middle + size * shift, -size * width * _LEFT, size * depth * _AHEAD), [head])
        # A nose says where the face is.
        root, tip = (middle + size * np.array(at) for at in ((0, -0.01, 0.07), (0, -0.015, 0.112)))
        self.add(_straight(_scaled(_NOSE, size), root, tip, _LEFT), [head])


def _scaled(profile: Array, size: float) -> Array:
    return np.asarray(profile * [1, size, size])


def _straight(profile: Array, start: Array, end: Array, aside: Array) -> _Rings:
    """Ellipses across a line, their widths roughly along `aside`."""
    forth = unit(end - start)
    side = unit(aside - (aside @ forth) * forth)
    share, width, depth = profile.T[..., None]
    return start + share * (end - start), width * side, depth * np.cross(forth, side)
