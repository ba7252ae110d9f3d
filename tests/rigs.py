"""Rigs of one and the same body: other axes, other bones, and the same motion in truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton


def with_other_axes(motion: Motion, turns: np.ndarray) -> Motion:
    """The same motion of a rig whose joints have other axes: each turned by `turns` (J, 4)."""
    skeleton = motion.skeleton
    parents = skeleton.parents
    above = np.where(parents[:, None] >= 0, turns[parents], rot.identity())
    back = rot.conjugate(above)
    rotations = rot.multiply(rot.multiply(back, motion.rotations), turns)
    offsets = rot.rotate(back, skeleton.offsets)
    ends = rot.rotate(rot.conjugate(turns[skeleton.end_parents]), skeleton.end_offsets)
    moved = replace(skeleton, offsets=offsets, end_offsets=ends)
    return replace(motion, skeleton=moved, rotations=rotations)


def scaled(motion: Motion, factor: float) -> Motion:
    """The same motion of a body that is larger as a whole."""
    skeleton = motion.skeleton
    larger = replace(
        skeleton, offsets=factor * skeleton.offsets, end_offsets=factor * skeleton.end_offsets
    )
    return replace(motion, skeleton=larger, translations=factor * motion.translations)


def with_twist_bones(motion: Motion, names: tuple[str, ...]) -> Motion:
    """The same motion with a joint half way down the bones that lead to some joints."""
    skeleton = motion.skeleton
    order: list[tuple[str, int, bool]] = []
    for joint, name in enumerate(skeleton.names):
        if name in names:
            order.append((f"{name}_twist", joint, True))
        order.append((name, joint, False))
    index = {(joint, twist): i for i, (_, joint, twist) in enumerate(order)}
    parents, offsets, rotations = [], [], []
    for _, joint, twist in order:
        parent = int(skeleton.parents[joint])
        has_twist = (joint, True) in index
        above = index[joint, True] if has_twist and not twist else index.get((parent, False), -1)
        parents.append(above)
        offsets.append(skeleton.offsets[joint] * (0.5 if has_twist else 1.0))
        still = rot.identity(motion.n_frames)
        rotations.append(still if twist else motion.rotations[:, joint])
    ends = np.array([index[int(j), False] for j in skeleton.end_parents], int)
    body = Skeleton(
        tuple(name for name, _, _ in order),
        np.array(parents),
        np.array(offsets),
        ends,
        skeleton.end_offsets,
    )
    return replace(motion, skeleton=body, rotations=np.stack(rotations, axis=1))


def without(motion: Motion, part: str) -> Motion:
    """The same motion without the joints whose names have a part; they must be leaves."""
    skeleton = motion.skeleton
    kept = [j for j, name in enumerate(skeleton.names) if part not in name]
    new = {j: i for i, j in enumerate(kept)}
    ends = [e for e, j in enumerate(skeleton.end_parents) if int(j) in new]
    body = Skeleton(
        tuple(skeleton.names[j] for j in kept),
        np.array([new.get(int(skeleton.parents[j]), -1) for j in kept]),
        skeleton.offsets[kept],
        np.array([new[int(skeleton.end_parents[e])] for e in ends], int),
        skeleton.end_offsets[ends],
    )
    return replace(motion, skeleton=body, rotations=motion.rotations[:, kept])


def with_fingers(motion: Motion) -> Motion:
    """The same motion with a finger of two joints on each hand, bent by a half right angle."""
    skeleton = motion.skeleton
    names, parents, offsets = list(skeleton.names), list(skeleton.parents), list(skeleton.offsets)
    rotations = list(motion.rotations.swapaxes(0, 1))
    bent = np.tile(rot.from_rotvec([0.0, 0.0, np.pi / 4]), (motion.n_frames, 1))
    for side in ("Left", "Right"):
        above = skeleton.index(f"{side}Hand")
        for k in (1, 2):
            names.append(f"{side}Finger{k}")
            parents.append(above)
            offsets.append(np.array([0.0, -0.03, 0.0]))
            rotations.append(bent)
            above = len(names) - 1
    body = Skeleton(
        tuple(names),
        np.array(parents),
        np.array(offsets),
        skeleton.end_parents,
        skeleton.end_offsets,
    )
    return replace(motion, skeleton=body, rotations=np.stack(rotations, axis=1))
