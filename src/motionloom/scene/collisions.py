"""Do two bodies interpenetrate? Every bone is a capsule; the depth of the deepest pair is measured
in every frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from motionloom.polygons import segment_distance
from motionloom.posed_motion import PosedMotion
from motionloom.progress import breathe
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Bools, Ints

#: Radius of the flesh around a bone by the part that its upper joint plays, metres, for a body of
#: `_STATURE`.
_TRUNK = {"hips": 0.11, "spine": 0.11, "chest": 0.11, "neck": 0.06, "head": 0.085}
_ARM = {"shoulder": 0.045, "elbow": 0.038, "hand": 0.03}
_RADII = {**_TRUNK, **_ARM, "hip": 0.07, "knee": 0.05, "foot": 0.04, "toe": 0.03}
_STATURE = 1.7
#: Radius of bones from the trunk out to a shoulder or hip.
_YOKE = 0.07
#: Bones shorter than this (metres) are none.
_SHORTEST = 1e-3


@dataclass(frozen=True, eq=False)
class Capsules:
    """A body in motion as capsules.

    Parameters
    ----------
    starts, ends : array of shape (T, B, 3), metres
        Where each bone begins and ends, in every frame.
    radii : array of shape (B,), metres
        The same in all frames; scaled to the body's height.
    joints : int array of shape (B,)
        The joint that carries each bone.
    names : tuple of str
        Its name.
    """

    starts: Array
    ends: Array
    radii: Array
    joints: Ints
    names: tuple[str, ...]
    posed: PosedMotion

    def at(self, frames: Ints) -> Capsules:
        """Some frames of them."""
        return replace(self, starts=self.starts[frames], ends=self.ends[frames])


@dataclass(frozen=True)
class Overlap:
    """The deepest interpenetration of two bodies.

    Parameters
    ----------
    depth : float, metres
        0 when they never touch.
    frame : int
        Where it is deepest; the frame in which they are nearest otherwise.
    frames : int
        In how many frames they interpenetrate.
    bones : tuple of (str, str)
        Joints that carry the two bones.
    """

    depth: float
    frame: int
    frames: int
    bones: tuple[str, str]


def make_capsules(posed: PosedMotion) -> Capsules:
    """Wrap every bone of a motion's skeleton, in every frame, in a capsule.

    Parameters
    ----------
    posed : PosedMotion
        The motion.

    Returns
    -------
    Capsules
    """
    skeleton = posed.skeleton
    roles = posed.roles
    points = np.concatenate([posed.positions, posed.end_sites], axis=1)
    parents = np.concatenate([skeleton.parents, skeleton.end_parents])
    body = skeleton.descendants(roles.joints["hips"])
    tips = np.array([p for p in range(len(parents)) if parents[p] in body], int)
    owners = parents[tips]
    lengths = np.linalg.norm(points[0, tips] - points[0, owners], axis=-1)
    tips = tips[lengths > _SHORTEST]
    owners = owners[lengths > _SHORTEST]
    stature = float(np.median(np.ptp(points[:, tips, 1], axis=1)))
    part_of = _parts(skeleton, roles)
    radii = [
        _radius(part_of[j], part_of[p] if p < skeleton.n_joints else "")
        for j, p in zip(owners, tips, strict=True)
    ]
    names = tuple(skeleton.names[j] for j in owners)
    sizes = np.array(radii) * stature / _STATURE
    return Capsules(points[:, owners], points[:, tips], sizes, owners, names, posed)


def _parts(skeleton: Skeleton, roles: Roles) -> list[str]:
    """Part that every joint, or the nearest joint above it, plays (without its side)."""
    own = {j: role.removeprefix("left_").removeprefix("right_") for role, j in roles.joints.items()}
    parts: list[str] = []
    for j, parent in enumerate(skeleton.parents):
        parts.append(own.get(j, parts[parent] if parent >= 0 else "hips"))
    return parts


def _radius(part: str, far_part: str) -> float:
    if far_part in ("shoulder", "hip") and far_part != part:
        return _YOKE
    return _RADII.get(part, _RADII["hand"])


def find_overlap(a: Capsules, b: Capsules, allowed: Bools | None = None) -> Overlap:
    """Deepest interpenetration of two bodies.

    Parameters
    ----------
    a, b : Capsules
        With the same number of frames.
    allowed : bool array of shape (T, Ba, Bb), optional
        Pairs of bones that may touch.

    Returns
    -------
    Overlap
        The deepest of all frames and pairs of bones.
    """
    gap = np.concatenate([_gaps(a, b, rows) for rows in _chunks(len(a.starts))])
    if allowed is not None:
        gap = np.where(allowed, np.inf, gap)
    nearest = gap.reshape(len(gap), -1).min(axis=1)
    frame = int(nearest.argmin())
    i, j = np.unravel_index(int(gap[frame].argmin()), gap.shape[1:])
    depth = max(0.0, float(-nearest[frame]))
    return Overlap(depth, frame, int((nearest < 0).sum()), (a.names[i], b.names[j]))


#: Frames that are worked on at a time.
_CHUNK = 64


def _chunks(count: int) -> Iterator[slice]:
    for at in range(0, max(count, 1), _CHUNK):
        breathe()
        yield slice(at, at + _CHUNK)


def _gaps(a: Capsules, b: Capsules, rows: slice) -> Array:
    """How far every two capsules are apart in some frames; negative where they overlap."""
    first = np.stack([a.starts[rows], a.ends[rows]], axis=-2)
    second = np.stack([b.starts[rows], b.ends[rows]], axis=-2)
    between = segment_distance(first[:, :, None], second[:, None])
    return between - (a.radii[:, None] + b.radii)
