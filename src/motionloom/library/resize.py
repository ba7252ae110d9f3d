"""Clips of others with the same joints, brought to the size of the library's performer."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.analysis.soles import Soles, fit_soles
from motionloom.clips.prepare import different_joint, label_of
from motionloom.edit.bones import SAME_BONE, mean_bones
from motionloom.edit.root import align_ground
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Bools

#: Bones of arms and legs that point this far elsewhere at rest belong to another rest pose,
#: degrees. The legs and arms of captures with one rest pose agree within 0.1 degrees, whoever
#: performs.
_LIMB_TURN = 10.0
#: Other bones (where hips and shoulders sit) differ with the body, by up to 18 degrees between
#: captured performers.
_BONE_TURN = 45.0
#: Shorter bones have no direction, metres.
_SHORT = 0.01


@dataclass(frozen=True, eq=False)
class Resized:
    """A clip on the library's skeleton.

    Parameters
    ----------
    motion : Motion
        The clip with the library's bones.
    scale : float
        Leg length of the library's performer over that of the clip's; 1 for the same bones.
    raised : float, metres
        How far the clip was moved up, so that its feet are on the ground.
    notes : tuple of str
        What was done, one sentence; empty for the same bones.
    """

    motion: Motion
    scale: float = 1.0
    raised: float = 0.0
    notes: tuple[str, ...] = ()


def own_skeleton(motion: Motion) -> Skeleton:
    """The skeleton of a motion with its bones, kept as OFFSET lines or position channels."""
    bones = mean_bones(motion)
    offsets = np.where(np.any(bones != 0, axis=1, keepdims=True), bones, motion.skeleton.offsets)
    return replace(motion.skeleton, offsets=offsets)


def fit_to(motion: Motion, skeleton: Skeleton, roles: Roles) -> Resized:
    """Bring a clip to the skeleton of a library.

    A clip of the same bones stays as it is. In one of other bones every joint keeps its rotation
    and takes the library's bones, the way of the root is scaled by the ratio of the legs, and the
    body is moved up or down until the soles rest as high above the ground as those of the clip did,
    by the same ratio.

    Parameters
    ----------
    motion : Motion
        The clip, with the same joints as `skeleton`.
    skeleton : Skeleton
        From `own_skeleton`.
    roles : Roles
        Of `skeleton`.

    Returns
    -------
    Resized
        On `skeleton`, with the scale and the height that it was raised by.

    Raises
    ------
    InvalidInputError
        When joints differ, or the rest pose does.
    """
    odd = different_joint(skeleton, motion.skeleton)
    if odd:
        raise InvalidInputError(
            f"{label_of(motion)}: its skeleton is not the library's; the first joint that differs"
            f" is {odd} (library / file); retarget it, or make a library of its own for it",
            hint="retarget into library",
        )
    bones = mean_bones(motion)
    has_bone = np.any(bones != 0, axis=1)
    gap = np.where(has_bone, np.abs(bones - skeleton.offsets).max(axis=1), 0.0)
    if gap.max() <= SAME_BONE:
        return Resized(_on_skeleton(motion, skeleton))
    _check_rest_pose(motion, bones, skeleton, roles)
    scale = _length(skeleton.offsets, skeleton, roles) / _length(bones, skeleton, roles)
    resized = _resize(motion, has_bone, skeleton, scale)
    raised = _rise(motion, resized, roles, scale)
    note = (
        f"{label_of(motion)}: another performer (bone to {skeleton.names[int(gap.argmax())]!r}"
        f" differs by {gap.max() * 1000:.0f} mm); rotations kept, the way of the root scaled by"
        f" {scale:.3f} (leg lengths), moved up or down until the feet are on the ground"
    )
    return Resized(align_ground(resized, -raised), scale, raised, (note,))


def _on_skeleton(motion: Motion, skeleton: Skeleton) -> Motion:
    """The same world poses on another skeleton of the same bones; translations keep the rest."""
    elsewhere = np.abs(motion.skeleton.offsets - skeleton.offsets).max(axis=1) > SAME_BONE
    translated = tuple(sorted({*motion.translated, *np.flatnonzero(elsewhere).tolist()}))
    translations = motion.local_translations()[:, list(translated)]
    return replace(motion, skeleton=skeleton, translations=translations, translated=translated)


def _check_rest_pose(motion: Motion, bones: Array, skeleton: Skeleton, roles: Roles) -> None:
    """Refuse bones that point elsewhere at rest: the same rotations would be another pose."""
    ends = ("elbow", "hand", "knee", "foot")
    limbs = {j for role, j in roles.joints.items() if role.endswith(ends)}
    lengths = np.linalg.norm(bones, axis=1) * np.linalg.norm(skeleton.offsets, axis=1)
    cosine = np.sum(bones * skeleton.offsets, axis=1) / np.where(lengths > 0, lengths, 1.0)
    turn = np.where(lengths > _SHORT**2, np.degrees(np.arccos(np.clip(cosine, -1, 1))), 0.0)
    limit = np.array([_LIMB_TURN if j in limbs else _BONE_TURN for j in range(skeleton.n_joints)])
    worst = int(np.argmax(turn / limit))
    if turn[worst] > limit[worst]:
        raise InvalidInputError(
            f"{label_of(motion)}: its rest pose is not the library's (the bone to"
            f" {skeleton.names[worst]!r} points {turn[worst]:.0f} degrees elsewhere), so the same"
            " rotations would be another pose; retarget it, or make a library of its own for it",
            hint="retarget into library",
        )


def _length(bones: Array, skeleton: Skeleton, roles: Roles) -> float:
    """Length of the leg, the mean of both sides; of all bones where there is no leg. Metres."""
    lengths = np.linalg.norm(bones, axis=1)
    legs = []
    for side in ("left", "right"):
        hip = roles.joint(f"{side}_hip")
        foot = roles.joint(f"{side}_foot")
        if hip is not None and foot is not None:
            below = set(skeleton.descendants(hip)) - {hip}
            legs.append(float(lengths[[j for j in skeleton.chain(foot) if j in below]].sum()))
    return float(np.mean(legs)) if legs else float(lengths.sum())


def _resize(motion: Motion, has_bone: Bools, skeleton: Skeleton, scale: float) -> Motion:
    """The same rotations on other bones; joints that travel (root, sliding) do so by the ratio."""
    full = np.where(has_bone[:, None], skeleton.offsets, scale * motion.local_translations())
    travels = np.ptp(full, axis=0).max(axis=1) > 0
    elsewhere = np.abs(full[0] - skeleton.offsets).max(axis=1) > 1e-9
    translated = tuple(np.flatnonzero(travels | elsewhere).tolist())
    return replace(
        motion, skeleton=skeleton, translations=full[:, list(translated)], translated=translated
    )


def _rise(motion: Motion, resized: Motion, roles: Roles, scale: float) -> float:
    """How far up (metres) the resized clip goes so that its soles rest as the clip's did."""
    if not roles.feet:
        return 0.0
    wanted = _rests(fit_soles([PosedMotion(motion, roles)]))
    found = _rests(fit_soles([PosedMotion(resized, roles)]))
    shared = wanted.keys() & found.keys()
    rises = [scale * wanted[key] - found[key] for key in sorted(shared)]
    return float(np.median(rises)) if rises else 0.0


def _rests(soles: Soles) -> dict[tuple[str, str], float]:
    """World height at which every point of the soles rests, metres."""
    return {(p.foot, p.part): p.rest + soles.ground for p in soles.points}
