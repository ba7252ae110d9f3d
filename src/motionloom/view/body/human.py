"""Parts of a human body around a skeleton that stands in a T-pose: trunk, head, limbs.

A shoe with a flat sole around ankle and toes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Ints
from motionloom.view.body.lofts import (
    Part,
    Rings,
    carried_along,
    carried_by_one,
    loft,
    straight_rings,
)

#: Outline of a sole: how far ahead from heel to tip as a share, half width inside and outside,
#: height of the upper above the sole; metres.
_OUTLINE = np.array(
    [
        [0.0, 0.016, 0.05],
        [0.05, 0.03, 0.068],
        [0.2, 0.036, 0.088],
        [0.4, 0.037, 0.07],
        [0.62, 0.046, 0.05],
        [0.8, 0.046, 0.038],
        [0.93, 0.034, 0.028],
        [1.0, 0.014, 0.02],
    ]
)
#: How far the heel lies behind the ankle and the tip of the shoe ahead of the toes' end, metres.
_HEEL, _TIP = 0.06, 0.02
#: A shoe's shortest length, metres, and its widest part as shares of the sole's half width.
_SHORTEST = 0.2
_BULGE = 0.92

#: Leg from hip to ankle of the body that the radii below are of, metres.
_LEG = 0.82
_SIDES = 14
_UP, _AHEAD, _LEFT = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
#: Share of the way, half width and half depth (metres): thigh and shin, upper and lower arm, hand.
_THIGH = np.array(
    [
        [-0.1, 0.03, 0.035],
        [-0.06, 0.075, 0.08],
        [0.06, 0.088, 0.09],
        [0.3, 0.08, 0.084],
        [0.65, 0.062, 0.066],
        [0.9, 0.052, 0.056],
        [1.0, 0.05, 0.054],
    ]
)
_SHIN = np.array(
    [
        [0.08, 0.048, 0.052],
        [0.28, 0.052, 0.058],
        [0.55, 0.043, 0.046],
        [0.85, 0.032, 0.035],
        [1.0, 0.031, 0.035],
        [1.04, 0.02, 0.02],
    ]
)
_UPPER_ARM = np.array(
    [
        [-0.2, 0.02, 0.02],
        [-0.12, 0.047, 0.047],
        [0.05, 0.056, 0.056],
        [0.35, 0.047, 0.047],
        [0.75, 0.039, 0.039],
        [1.0, 0.036, 0.036],
    ]
)
_FOREARM = np.array(
    [[0.12, 0.037, 0.038], [0.35, 0.038, 0.039], [0.75, 0.029, 0.026], [1.0, 0.026, 0.02]]
)
_HAND = np.array(
    [
        [-0.06, 0.024, 0.018],
        [0.15, 0.034, 0.018],
        [0.45, 0.042, 0.018],
        [0.75, 0.036, 0.014],
        [0.95, 0.024, 0.01],
        [1.0, 0.008, 0.006],
    ]
)
#: Height from the hips to the neck as a share, half width as a share of hips or shoulders, half
#: depth in metres, shift ahead in metres.
_TRUNK = (
    (-0.2, 0.35, 0.05, 0.0),
    (-0.16, 0.85, 0.09, 0.0),
    (-0.05, 1.6, 0.115, -0.005),
    (0.1, 1.62, 0.11, 0.0),
    (0.32, 1.36, 0.1, 0.01),
    (0.55, 1.5, 0.115, 0.01),
    (0.72, 1.68, 0.118, 0.005),
    (0.86, 1.66, 0.1, -0.005),
    (0.94, 1.2, 0.075, -0.012),
    (1.0, 0.62, 0.058, -0.01),
    (1.06, 0.5, 0.05, -0.005),
)


@dataclass(frozen=True, eq=False)
class Standing:
    """A skeleton at rest: joints (J, 3) and end sites (E, 3) in the world (metres), and roles."""

    skeleton: Skeleton
    joints: Array
    ends: Array
    roles: Mapping[str, int]

    def at(self, role: str) -> Array:
        """Where a role's joint is."""
        place: Array = self.joints[self.roles[role]]
        return place

    def has(self, *roles: str) -> bool:
        """Whether all of these roles are played."""
        return all(role in self.roles for role in roles)

    @property
    def scale(self) -> float:
        """Size beside that of the body the radii are of."""
        legs = [
            float(np.linalg.norm(self.at(f"{side}_hip") - self.at(f"{side}_knee")))
            + float(np.linalg.norm(self.at(f"{side}_knee") - self.at(f"{side}_foot")))
            for side in ("left", "right")
        ]
        return max(float(np.mean(legs)) / _LEG, 1e-3)

    def chain(self, top: int, bottom: int) -> Ints:
        """Joints from one down to another that hangs on it."""
        path = self.skeleton.chain(bottom)
        return np.array(path[list(path).index(top) :], int)

    def tip(self, joint: int, forth: Array) -> Array | None:
        """The farthest place below a joint in a direction; None where nothing hangs on it."""
        below = [j for j in self.skeleton.descendants(joint) if j != joint]
        carried = np.isin(self.skeleton.end_parents, [joint, *below])
        places = np.concatenate([self.joints[below], self.ends[carried]])
        if not len(places):
            return None
        tip: Array = places[int(np.argmax((places - self.joints[joint]) @ forth))]
        return tip


def human_parts(body: Standing) -> Iterator[Part]:
    """Every part of a human that its roles allow.

    Parameters
    ----------
    body : Standing
        In a T-pose that faces +Z, with hips, knees and feet.

    Yields
    ------
    Part
        Trunk, head, then limbs.
    """
    size = body.scale
    yield from _trunk(body, size)
    for side in ("left", "right"):
        yield _leg(body, side, size)
        foot = body.roles[f"{side}_foot"]
        yield build_shoe(body.joints, foot, body.roles.get(f"{side}_toe"), _sole(body, foot), size)
        if body.has(f"{side}_shoulder", f"{side}_elbow", f"{side}_hand"):
            yield _arm(body, side, size)
            yield _hand(body, side, size)


def _sole(body: Standing, foot: int) -> Array:
    """The farthest place of a foot ahead."""
    tip = body.tip(foot, _AHEAD)
    return body.joints[foot] + [0, 0, 0.1] if tip is None else tip


def _leg(body: Standing, side: str, size: float) -> Part:
    joints = [body.roles[f"{side}_{part}"] for part in ("hip", "knee", "foot")]
    return _limb(body, joints, (_THIGH, _SHIN), size, _LEFT)


def _arm(body: Standing, side: str, size: float) -> Part:
    joints = [body.roles[f"{side}_{part}"] for part in ("shoulder", "elbow", "hand")]
    return _limb(body, joints, (_UPPER_ARM, _FOREARM), size, _AHEAD)


def _limb(
    body: Standing, joints: list[int], halves: Sequence[Array], size: float, aside: Array
) -> Part:
    top, middle, bottom = joints
    scale = np.array([1.0, size, size])
    pieces = [
        straight_rings(stations * scale, body.joints[a], body.joints[b], aside)
        for stations, a, b in zip(halves, (top, middle), (middle, bottom), strict=True)
    ]
    rings = Rings(
        *(
            np.concatenate([getattr(piece, name) for piece in pieces])
            for name in ("centers", "across", "along")
        )
    )
    chain = body.chain(top, bottom)
    return carried_along(*loft(rings, _SIDES), chain, body.joints[chain], blend=0.35)


def _hand(body: Standing, side: str, size: float) -> Part:
    wrist = body.roles[f"{side}_hand"]
    start = body.joints[wrist]
    forth = start - body.at(f"{side}_elbow")
    forth = forth / max(float(np.linalg.norm(forth)), 1e-9)
    stations = _HAND * np.array([1.0, size, size])
    rings = straight_rings(stations, start, start + 0.18 * size * forth, _AHEAD)
    return carried_by_one(*loft(rings, _SIDES), wrist)


def _trunk(body: Standing, size: float) -> Iterator[Part]:
    hips = body.roles["hips"]
    top = _top_of_trunk(body)
    if top == hips:
        return
    chain = body.chain(hips, top)
    places = body.joints[chain]
    stations = np.array(_TRUNK)
    seat = (body.at("left_hip") + body.at("right_hip")) / 2
    low = seat + 0.06 * size * _UP
    high = _collar(body, size, top)
    rings = Rings(
        low + stations[:, :1] * (high - low) + size * stations[:, 3:] * _AHEAD,
        (_half_widths(body, size) * stations[:, 1])[:, None] * -_LEFT,
        (size * stations[:, 2:3]) * _AHEAD,
    )
    yield carried_along(*loft(rings, 18), chain, places, blend=1.0)
    yield from _head(body, size, top, high)


def _top_of_trunk(body: Standing) -> int:
    """The joint that carries both shoulders, else the neck, else the head."""
    if body.has("left_shoulder", "right_shoulder"):
        left = body.skeleton.chain(body.roles["left_shoulder"])
        right = set(body.skeleton.chain(body.roles["right_shoulder"]))
        return [joint for joint in left if joint in right][-1]
    names = ("neck", "chest", "head")
    return next((body.roles[r] for r in names if r in body.roles), body.roles["hips"])


def _collar(body: Standing, size: float, top: int) -> Array:
    """Where the trunk ends and the neck begins."""
    if not body.has("left_shoulder", "right_shoulder"):
        place: Array = body.joints[top]
        return place
    between = (body.at("left_shoulder") + body.at("right_shoulder")) / 2
    behind = between[2] - 0.01 * size
    return np.array([between[0], between[1] + 0.05 * size, behind])


def _half_widths(body: Standing, size: float) -> Array:
    """Half width of the trunk at each station, before its own shape; metres."""
    hips = abs(body.at("left_hip")[0] - body.at("right_hip")[0]) / 2
    shoulders = 0.18 * size
    if body.has("left_shoulder", "right_shoulder"):
        shoulders = abs(body.at("left_shoulder")[0] - body.at("right_shoulder")[0]) / 2
    low = np.clip(hips, 0.07 * size, 0.12 * size)
    high = np.clip(0.62 * shoulders, 0.09 * size, 0.13 * size)
    share = np.clip(np.array(_TRUNK)[:, 0] / 0.7, 0.0, 1.0)
    half: Array = (1 - share) * low + share * high
    return half


def _head(body: Standing, size: float, below: int, collar: Array) -> Iterator[Part]:
    head = body.roles.get("head", below)
    base = body.joints[head]
    neck = np.array([[-0.5, 0.066, 0.06], [0.2, 0.056, 0.058], [1.0, 0.054, 0.06]])
    if head != below and base[1] > collar[1] - 0.03 * size:
        top = base + size * np.array([0.0, 0.05, 0.005])
        tube = straight_rings(neck * [1, size, size], collar, top, _LEFT)
        chain = body.chain(below, head)
        yield carried_along(*loft(tube, _SIDES), chain, body.joints[chain], blend=1.0)
    angles = np.linspace(-0.47 * np.pi, 0.47 * np.pi, 9)
    middle = base + size * np.array([0.0, 0.09, 0.02])
    # Narrower towards the chin, deeper at the back.
    width = np.cos(angles) * np.where(angles < 0, 0.068, 0.075)
    depth = np.cos(angles) * 0.095
    centers = middle + size * np.column_stack(
        [0 * angles, 0.125 * np.sin(angles), np.where(angles < 0, -0.02 * np.sin(angles), 0.0)]
    )
    rings = Rings(centers, size * width[:, None] * -_LEFT, size * depth[:, None] * _AHEAD)
    yield carried_by_one(*loft(rings, _SIDES), head)
    # A nose says where the face is.
    tip = middle + size * np.array([0.0, -0.015, 0.112])
    nose = np.array([[0.0, 0.008, 0.016], [0.5, 0.014, 0.03], [1.0, 0.006, 0.008]])
    root = middle + size * np.array([0.0, -0.01, 0.07])
    yield carried_by_one(*loft(straight_rings(nose * [1, size, size], root, tip, _LEFT), 8), head)


def build_shoe(joints: Array, foot: int, toe: int | None, tip: Array, size: float) -> Part:
    """A shoe that stands on the ground at rest.

    Parameters
    ----------
    joints : array of shape (J, 3), metres
        Where the joints are at rest, facing +Z, the ground at 0.
    foot : int
        The ankle.
    toe : int or None
        The joint that the front of the shoe turns about.
    tip : array of shape (3,), metres
        The farthest known place of the foot.
    size : float
        Of the body; 1 for one with legs of 0.82 m.

    Returns
    -------
    Part
        Vertices of the sole are not shared with the sides, so that its edge is sharp.
    """
    ankle = joints[foot]
    way = (tip - ankle) * [1, 0, 1]
    length = float(np.linalg.norm(way))
    ahead = way / length if length > 0.03 * size else np.array([0.0, 0.0, 1.0])
    side = np.array([ahead[2], 0.0, -ahead[0]])
    heel = (ankle - _HEEL * size * ahead) * [1, 0, 1]
    span = max(_HEEL * size + length + _TIP * size, _SHORTEST * size)
    floor = min(0.0, float(ankle[1])) + 0.0
    high = np.clip((ankle[1] - floor) / (0.08 * size), 0.6, 1.6)
    middles = heel + floor * np.array([0, 1, 0]) + span * _OUTLINE[:, :1] * ahead
    half = size * _OUTLINE[:, 1:2] * side
    top = size * high * _OUTLINE[:, 2:3] * np.array([0.0, 1.0, 0.0])
    # Round each cross-section: sole, side, shoulder, ridge, shoulder, side, sole.
    rows = np.stack(
        [
            middles - half,
            middles - half + 0.3 * top,
            middles - _BULGE * 0.8 * half + 0.8 * top,
            middles + top,
            middles + _BULGE * 0.8 * half + 0.8 * top,
            middles + half + 0.3 * top,
            middles + half,
        ],
        axis=1,
    )
    vertices, faces = _skin_of(rows)
    front = 0.5 if toe is None else float((joints[toe] - heel) @ ahead)
    where = (vertices - heel) @ ahead
    shares = np.clip((where - front + 0.015 * size) / (0.03 * size), 0.0, 1.0)
    if toe is None:
        shares = np.zeros(len(vertices))
    pair = np.array([foot, foot if toe is None else toe])
    return Part(vertices, faces, np.tile(pair, (len(vertices), 1)), shares)


def _skin_of(rows: Array) -> tuple[Array, Ints]:
    """Mesh over cross-sections (R, K, 3) open below, with a sole and closed ends."""
    count, around = rows.shape[:2]
    k, i = np.meshgrid(np.arange(count - 1), np.arange(around - 1), indexing="ij")
    a = k * around + i
    upper = np.stack([a, a + around, a + 1, a + 1, a + around, a + around + 1], -1).reshape(-1, 3)
    fan = np.column_stack(
        [np.zeros(around - 2, int), np.arange(1, around - 1), np.arange(2, around)]
    )
    last = (count - 1) * around
    sole = rows[:, [0, -1]].reshape(-1, 3)
    first = count * around
    b = first + 2 * np.arange(count - 1)
    below = np.stack([b, b + 1, b + 2, b + 1, b + 3, b + 2], -1).reshape(-1, 3)
    vertices = np.concatenate([rows.reshape(-1, 3), sole])
    return vertices, np.concatenate([upper, fan, last + fan[:, ::-1], below])
