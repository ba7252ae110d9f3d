"""Which joint plays which part of a body, found from names and the tree, or told by a user's table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.skeleton import Skeleton

TRUNK = ("hips", "spine", "chest", "neck", "head")
LIMB = ("shoulder", "elbow", "hand", "hip", "knee", "foot", "toe")
#: Every role a joint can have. On a quadruped the front legs are the arms: a paw is a ``hand``.
ROLE_NAMES = (*TRUNK, *(f"{side}_{part}" for side in ("left", "right") for part in LIMB))

_WORDS = {
    "hips": {"hips", "hip", "pelvis"},
    "neck": {"neck", "lowerneck", "neck1", "neck0"},
    "head": {"head"},
    "hand": {"hand", "wrist", "paw", "frontpaw", "frontfoot", "forepaw"},
    "foot": {"foot", "ankle", "hindfoot", "hindpaw", "backfoot"},
    "toe": {"toe", "toes", "toebase", "toe0", "toe1", "ball", "forefoot"},
}
_SIDED = {
    "femur",
    "tibia",
    "foot",
    "toes",
    "toe",
    "humerus",
    "radius",
    "wrist",
    "hand",
    "clavicle",
    "hipjoint",
    "ankle",
}
_TWIST = re.compile("twist|roll", re.IGNORECASE)


@dataclass(frozen=True)
class Roles:
    """Joints by the part they play.

    Parameters
    ----------
    joints : mapping of str to int
        Role name to joint index; roles that were not found are absent.
    kind : str
        ``"human"``, ``"quadruped"`` or ``"other"``.
    forward : tuple of (int, tuple of float), optional
        Joint and axis in its frame that point where the body faces, for skeletons without hips and shoulders.
    """

    joints: Mapping[str, int]
    kind: str = "human"
    forward: tuple[int, tuple[float, float, float]] | None = None

    def joint(self, role: str) -> int | None:
        """Joint index of a role, or None where the skeleton has none."""
        return self.joints.get(role)

    @property
    def feet(self) -> tuple[str, ...]:
        """Roles of the joints that bear weight on the ground: ankles, and on a quadruped the front paws too."""
        parts = ("hand", "foot") if self.kind == "quadruped" else ("foot",)
        return tuple(r for s in ("left", "right") for p in parts if (r := f"{s}_{p}") in self.joints)


def split_side(name: str) -> tuple[str, str]:
    """Side (``"left"``, ``"right"`` or ``""``) and the rest of a joint name, in lower case."""
    bare = re.sub(r"^.*[:|]", "", name)
    bare = re.sub(r"^(mixamorig|bip0*1|bn|def|org|mch)(?=[_\-. A-Z0-9])[_\-. ]?", "", bare, flags=re.IGNORECASE) or bare
    tokens = re.findall(r"[A-Z]?[a-z]+\d*|[A-Z]+\d*(?![a-z])|\d+", bare)
    low = [t.lower() for t in tokens]
    for i, token in enumerate(low):
        for side in ("left", "right"):
            if token in (side, side[0]):
                return side, "".join(low[:i] + low[i + 1 :])
            if token.startswith(side) and len(token) > len(side):
                return side, "".join([*low[:i], token[len(side) :], *low[i + 1 :]])
    word = "".join(low)
    if word[:1] in ("l", "r") and word[1:] in _SIDED:
        return ("left" if word[0] == "l" else "right"), word[1:]
    return "", word


def _shallowest(skeleton: Skeleton, names: list[tuple[str, str]], side: str, part: str, below: int = -1) -> int | None:
    inside = range(skeleton.n_joints) if below < 0 else skeleton.descendants(below)
    found = [j for j in inside if j != below and names[j][0] == side and names[j][1] in _WORDS[part]]
    return min(found, key=skeleton.depths.__getitem__, default=None)


def _limb_above(skeleton: Skeleton, tip: int) -> list[int]:
    """The two joints above a wrist or ankle, nearest first, twist joints left out."""
    above = [j for j in reversed(skeleton.chain(tip)[:-1]) if not _TWIST.search(skeleton.names[j])]
    return above[:2]


def _common(skeleton: Skeleton, a: int, b: int) -> int:
    """Deepest joint above both."""
    shared = set(skeleton.chain(a)) & set(skeleton.chain(b))
    return max(shared, key=skeleton.depths.__getitem__)


def _find_limbs(skeleton: Skeleton, names: list[tuple[str, str]]) -> dict[str, int]:
    joints: dict[str, int] = {}
    for side in ("left", "right"):
        for tip, upper in (("hand", ("elbow", "shoulder")), ("foot", ("knee", "hip"))):
            end = _shallowest(skeleton, names, side, tip)
            if end is None:
                continue
            above = _limb_above(skeleton, end)
            if len(above) < 2:
                continue
            joints[f"{side}_{tip}"] = end
            joints.update({f"{side}_{part}": j for part, j in zip(upper, above, strict=True)})
            if tip == "foot":
                below = skeleton.children[end]
                toe = _shallowest(skeleton, names, side, "toe", below=end)
                toe = below[0] if toe is None and len(below) == 1 else toe
                if toe is not None:
                    joints[f"{side}_toe"] = toe
    return joints


def _find_trunk(skeleton: Skeleton, names: list[tuple[str, str]], limbs: Mapping[str, int]) -> dict[str, int]:
    joints: dict[str, int] = {}
    named = _shallowest(skeleton, names, "", "hips")
    if {"left_hip", "right_hip"} <= limbs.keys():
        fork = _common(skeleton, limbs["left_hip"], limbs["right_hip"])
        above = [j for j in skeleton.chain(fork) if names[j][1] in _WORDS["hips"]]
        joints["hips"] = above[-1] if above else fork
    else:
        joints["hips"] = 0 if named is None else named
    hips = joints["hips"]
    neck, head = (_shallowest(skeleton, names, "", part) for part in ("neck", "head"))
    if head is not None:
        joints["head"] = head
        parent = int(skeleton.parents[head])
        joints["neck"] = neck if neck is not None and neck in skeleton.chain(head) else max(parent, 0)
    if {"left_shoulder", "right_shoulder"} <= limbs.keys():
        fork = _common(skeleton, limbs["left_shoulder"], limbs["right_shoulder"])
        # Some rigs hang the collar bones on the neck.
        on_neck = fork == joints.get("neck") and skeleton.parents[fork] >= 0
        joints["chest"] = int(skeleton.parents[fork]) if on_neck else fork
    elif "neck" in joints and skeleton.parents[joints["neck"]] >= 0:
        joints["chest"] = int(skeleton.parents[joints["neck"]])
    if "chest" in joints:
        chain = skeleton.chain(joints["chest"])
        legs = {j for r in ("left_hip", "right_hip") if r in limbs for j in skeleton.chain(limbs[r])}
        above_hips = [j for j in chain[chain.index(hips) + 1 :] if j not in legs] if hips in chain else []
        if above_hips:
            joints["spine"] = above_hips[0]
    return joints


def _limb_length(skeleton: Skeleton, chain: tuple[int, ...]) -> float:
    return float(np.linalg.norm(skeleton.offsets[list(chain)], axis=-1).sum())


def _kind(skeleton: Skeleton, names: list[tuple[str, str]], joints: Mapping[str, int]) -> str:
    arms = {"left_shoulder", "left_elbow", "left_hand"} <= joints.keys()
    legs = {"left_hip", "left_knee", "left_foot"} <= joints.keys()
    if not legs:
        return "other"
    if not arms:
        return "human"
    # A person's arm is about two thirds of the leg; an animal that walks on four has front legs as long as the hind.
    front = _limb_length(skeleton, (joints["left_elbow"], joints["left_hand"]))
    hind = _limb_length(skeleton, (joints["left_knee"], joints["left_foot"]))
    tail = any("tail" in base for _, base in names)
    return "quadruped" if tail and front > 0.8 * hind else "human"


def find_roles(skeleton: Skeleton, table: Mapping[str, Any] | None = None) -> Roles:
    """Find the roles of a skeleton's joints.

    Parameters
    ----------
    skeleton : Skeleton
    table : mapping, optional
        What the user knows better: role name to joint name, ``kind`` (``human``, ``quadruped``, ``other``) and
        ``forward: {joint: NAME, axis: [x, y, z]}``. Everything else is found from names and the tree.

    Returns
    -------
    Roles

    Raises
    ------
    InvalidInputError
        For a role, joint or kind in the table that does not exist.
    """
    names = [split_side(name) for name in skeleton.names]
    limbs = _find_limbs(skeleton, names)
    joints = {**_find_trunk(skeleton, names, limbs), **limbs}
    kind, forward = _kind(skeleton, names, joints), None
    for key, value in (table or {}).items():
        if key == "kind":
            if value not in ("human", "quadruped", "other"):
                raise InvalidInputError(f"roles table: kind must be human, quadruped or other, got {value!r}")
            kind = value
        elif key == "forward":
            forward = _read_forward(skeleton, value)
        elif key in ROLE_NAMES:
            if not isinstance(value, str | int):  # some rigs number their joints
                raise InvalidInputError(f"roles table: {key} must be the name of a joint, got {value!r}")
            joints[key] = skeleton.index(str(value))
        else:
            raise InvalidInputError(f"roles table: unknown role {key!r}; known: {', '.join(ROLE_NAMES)}, kind, forward")
    ordered = {role: joints[role] for role in ROLE_NAMES if role in joints}
    return Roles(ordered, kind, forward)


def _read_forward(skeleton: Skeleton, value: Any) -> tuple[int, tuple[float, float, float]]:
    try:
        joint, (x, y, z) = skeleton.index(str(value["joint"])), map(float, value["axis"])
    except (TypeError, KeyError, ValueError) as error:
        raise InvalidInputError(
            f"roles table: forward must be {{joint: NAME, axis: [x, y, z]}}, got {value!r}"
        ) from error
    if not np.isfinite([x, y, z]).all() or np.allclose([x, y, z], 0):
        raise InvalidInputError("roles table: the forward axis must be three numbers that are not all zero")
    return joint, (x, y, z)
