"""Frames of bodies whose rest pose says nothing, so that all their clips give the same.

Captures show how body parts lie in such joints only as well as somebody stood. Where bones lie
along the axes of their joints, as programs write them, four directions about a bone are possible,
and captures only say which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.edit.retarget.captured import Captured, basis
from motionloom.edit.retarget.neutral import (
    ANKLE,
    is_along_axis,
    lies_along_axes,
    nearest_about,
    nearest_turn,
)
from motionloom.edit.retarget.parts import SIDES, carrier_of
from motionloom.skeleton import Skeleton
from motionloom.two_bones import unit
from motionloom.typing import Array

#: Heads are held by less than this on average in any clip, radians; other axes are a quarter turn.
MOST_HELD = float(np.radians(60.0))
#: Heights of ankles that no rest pose shows are whole steps of this share of a leg from those of
#: people, so that all clips of one body give the same: who stands shows them within .006.
STEP = 0.06
#: So many steps at most.
MOST_STEPS = 2


@dataclass(frozen=True, eq=False)
class Settled:
    """Frames that do not depend on what somebody did in a clip, as far as that can be.

    Parameters
    ----------
    frames : mapping of str to array of shape (4,)
        By part.
    ankle : float, metres
        Height of the ankles above the ground.
    guessed : tuple of str
        What was guessed, one sentence each.
    """

    frames: Mapping[str, Array]
    ankle: float
    guessed: tuple[str, ...] = ()


def settle(captured: Captured, skeleton: Skeleton) -> Settled:
    """Settle the frames that captures show.

    Parameters
    ----------
    captured : Captured
        Frames of all parts.
    skeleton : Skeleton
        Its bones.

    Returns
    -------
    Settled
    """
    ankle = _ankle_height(captured) * captured.soles.leg
    if not lies_along_axes(skeleton):
        said = (
            "its rest pose does not stand and its bones lie along no axes of its joints, so how"
            " head, neck and back are held is taken from the clips"
        )
        return Settled(dict(captured.frames), ankle, (said,))
    if captured.roles.kind == "quadruped":
        return Settled({p: _nearest(p, frame) for p, frame in captured.frames.items()}, ankle)
    frames = dict(captured.frames)
    for part in ("hips", "chest"):
        if part in frames:
            frames[part] = nearest_turn(frames[part])
    for part in (*captured.parts.along, "head"):
        if part in frames:
            frames[part] = _as_below(frames[part], frames["chest"])
    for side in SIDES:
        _settle_side(captured, skeleton, side, frames, ankle)
    for part in frames:
        if part.startswith("name:"):
            frames[part] = frames[carrier_of(skeleton, captured.parts, part)]
    return Settled(frames, ankle)


def _nearest(part: str, frame: Array) -> Array:
    """A part of an animal as the axes of its joint lie; bones of limbs keep their direction."""
    limb = part.endswith(("hip", "knee", "shoulder", "elbow", "hand", "foot"))
    return _about_y(frame) if limb else nearest_turn(frame)


def _as_below(frame: Array, chest: Array) -> Array:
    """Back, neck and head have the axes of the chest, unless they are clearly others.

    How somebody holds the head in a clip does not count.
    """
    held = rot.angle_between(frame, chest) < MOST_HELD
    return chest if held else nearest_turn(frame)


def _ankle_height(captured: Captured) -> float:
    """Of both feet, in legs."""
    seen = list(captured.standing.values())
    if not seen:
        return ANKLE
    steps = round((float(np.mean(seen)) / captured.soles.leg - ANKLE) / STEP)
    return ANKLE + STEP * min(max(steps, 0), MOST_STEPS)


def _about_y(frame: Array) -> Array:
    """Along its bone exactly, and about it as the joint's axes lie."""
    return nearest_about(frame, "y", rot.rotate(frame, np.array([0.0, 1.0, 0.0])))


def _settle_side(
    captured: Captured, skeleton: Skeleton, side: str, frames: dict[str, Array], ankle: float
) -> None:
    for part in ("hip", "knee", "shoulder", "elbow"):
        if f"{side}_{part}" in frames:
            frames[f"{side}_{part}"] = _about_y(frames[f"{side}_{part}"])
    if f"{side}_hand" in frames:
        frames[f"{side}_hand"] = frames[f"{side}_elbow"]
    clavicle = f"{side}_clavicle"
    if clavicle in frames:
        bone = skeleton.offsets[captured.roles.joints[f"{side}_shoulder"]]
        if np.linalg.norm(bone) > 0:
            left = bone if side == "left" else -bone
            frames[clavicle] = nearest_about(frames[clavicle], "x", left)
    if f"{side}_knee" in frames:
        _settle_foot(captured, skeleton, side, frames, ankle)


def _settle_foot(
    captured: Captured, skeleton: Skeleton, side: str, frames: dict[str, Array], ankle: float
) -> None:
    """A foot whose ball is as far below the ankle as people's, and a level toe."""
    foot, toe = f"{side}_foot", f"{side}_toe"
    shank = frames[f"{side}_knee"]
    left = rot.rotate(shank, np.array([1.0, 0.0, 0.0]))
    if toe not in frames:
        frames[foot] = shank
        return
    bone = skeleton.offsets[captured.joints[toe]]
    if not is_along_axis(bone):
        # Such a foot is drawn as it stands.
        frames[foot], frames[toe] = nearest_turn(frames[foot]), nearest_turn(frames[toe])
        return
    length = float(np.linalg.norm(bone))
    level = basis(bone, left, "zx")
    down = np.arcsin(np.clip(min(ANKLE * captured.soles.leg, ankle) / max(length, 1e-9), 0.0, 0.9))
    frames[foot] = rot.multiply(level, rot.from_rotvec(np.array([-down, 0.0, 0.0])))
    ends = skeleton.end_offsets[skeleton.end_parents == captured.joints[toe]]
    tip = max([*ends, np.zeros(3)], key=lambda end: float(np.linalg.norm(end)))
    ahead = tip if np.linalg.norm(tip) > 0.01 * length else bone
    frames[toe] = basis(unit(ahead), left, "zx")
