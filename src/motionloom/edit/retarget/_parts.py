"""Which joints of a skeleton are which parts of the body: roles, and what lies between them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from motionloom.roles import Roles
from motionloom.skeleton import Skeleton

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
