"""Which joint plays which part of a body, found from names and tree, or told by a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.joint_names import JointName, read_joint_names
from motionloom.skeleton import Skeleton

TRUNK = ("hips", "spine", "chest", "neck", "head")
LIMB = ("shoulder", "elbow", "hand", "hip", "knee", "foot", "toe")
#: What people call the ends of a quadruped's legs, and their roles.
PAWS = {
    f"{side}_{leg}_{word}": f"{side}_{part}"
    for side in ("left", "right")
    for leg, part in (("front", "hand"), ("hind", "foot"))
    for word in ("paw", "foot", "hoof")
}
#: How a sentence about roles in doubt begins.
DOUBT = "roles in doubt"
#: Every role a joint can have. On a quadruped the front legs are the arms: a paw is a ``hand``.
ROLE_NAMES = (*TRUNK, *(f"{side}_{part}" for side in ("left", "right") for part in LIMB))

#: A limb's end, and what the two joints above it are called, nearest first.
_LIMBS = {"hand": ("elbow", "shoulder"), "foot": ("knee", "hip")}
#: Joints in a limb that only turn or divide a bone.
_TWIST = re.compile(r"twist|roll|捩|part\d*(_|$)", re.IGNORECASE)
#: Upper and lower half of a limb differ by less than this factor: a person's by 1.3, a dog's by 2.
_HALVES = 3.0
#: Joints besides the legs from which a body without arms is worth a word.
_MORE_THAN_LEGS = 6


@dataclass(frozen=True)
class Limb:
    """Three joints of a limb, top down: hip, knee, ankle or shoulder, elbow, wrist."""

    root: int
    middle: int
    tip: int


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
        Joint and axis in its frame that point where the body faces, for skeletons without hips and
        shoulders.
    doubts : tuple of str
        What names or bones leave in doubt, one sentence each.
    """

    joints: Mapping[str, int]
    kind: str = "human"
    forward: tuple[int, tuple[float, float, float]] | None = None
    doubts: tuple[str, ...] = field(default=(), metadata={"stored": False})

    def joint(self, role: str) -> int | None:
        """Joint index of a role, or None where the skeleton has none.

        Examples
        --------
        >>> roles = find_roles(walk.skeleton)
        >>> walk.skeleton.names[roles.joint("left_hand")], roles.joint("tail")
        ('LeftHand', None)
        """
        return self.joints.get(role)

    @property
    def named(self) -> dict[str, int]:
        """Joints by every name a user may give them.

        These are the roles, and on a quadruped ``left_front_paw`` and such too.

        Examples
        --------
        >>> "left_foot" in find_roles(walk.skeleton).named
        True
        """
        paws = PAWS if self.kind == "quadruped" else {}
        own = {paw: self.joints[role] for paw, role in paws.items() if role in self.joints}
        return {**self.joints, **own}

    @property
    def feet(self) -> tuple[str, ...]:
        """Roles of the joints that bear weight on the ground.

        These are the ankles, and on a quadruped the front paws too.

        Examples
        --------
        >>> find_roles(walk.skeleton).feet
        ('left_foot', 'right_foot')
        """
        parts = ("hand", "foot") if self.kind == "quadruped" else ("foot",)
        return tuple(
            r for s in ("left", "right") for p in parts if (r := f"{s}_{p}") in self.joints
        )


def check_roles(roles: Roles, skeleton: Skeleton) -> None:
    """Refuse roles that are none of a skeleton's joints.

    Parameters
    ----------
    roles : Roles
        Roles to check, such as those of a stored file.
    skeleton : Skeleton
        The skeleton whose joints should play them.

    Raises
    ------
    InvalidInputError
        When a role or kind is unknown, the hips are missing, a joint is out of range, or the
        forward axis is zero or not finite.

    Examples
    --------
    >>> check_roles(find_roles(walk.skeleton), walk.skeleton)  # nothing to refuse
    """
    known = set(roles.joints) <= set(ROLE_NAMES) and "hips" in roles.joints
    if not known or roles.kind not in ("human", "quadruped", "other"):
        raise InvalidInputError("roles must be those that motionloom knows, the hips among them")
    forward, axis = roles.forward or (0, (1.0, 0.0, 0.0))
    if not all(0 <= j < skeleton.n_joints for j in (*roles.joints.values(), forward)):
        raise InvalidInputError("roles must be played by joints of the skeleton")
    if not (np.isfinite(axis).all() and np.any(axis)):
        raise InvalidInputError("the forward axis must be three numbers that are not all zero")


def _names_of(skeleton: Skeleton) -> tuple[JointName, ...]:
    return read_joint_names(skeleton.names)


def _called(skeleton: Skeleton, side: str, part: str, below: int = -1) -> list[int]:
    """Joints of a side that are called so, nearest to the root first."""
    names = _names_of(skeleton)
    inside = range(skeleton.n_joints) if below < 0 else skeleton.descendants(below)
    found = [j for j in inside if j != below and names[j].side == side and names[j].says(part)]
    return sorted(found, key=skeleton.depths.__getitem__)


def _first_called(skeleton: Skeleton, side: str, part: str, below: int = -1) -> int | None:
    """The first of the joints that are called so."""
    return next(iter(_called(skeleton, side, part, below)), None)


def _fork(skeleton: Skeleton, a: int, b: int) -> int:
    """Deepest joint above both."""
    shared = set(skeleton.chain(a)) & set(skeleton.chain(b))
    return max(shared, key=skeleton.depths.__getitem__)


def _way(skeleton: Skeleton, above: int, below: int) -> float:
    """Length of the bones from one joint down to another."""
    chain = skeleton.chain(below)
    bones = skeleton.offsets[list(chain[chain.index(above) + 1 :])]
    return float(np.linalg.norm(bones, axis=-1).sum())


#: Joints that are looked at as the end of a limb.
_CANDIDATES = 8


def _find_limb(skeleton: Skeleton, side: str, end: str) -> tuple[Limb, str] | None:
    """The limb of the first joint with a fitting name whose bones are as a limb's, and nothing;
    else the first, and what speaks against it.
    """
    # Files of strangers may call any number of joints so.
    likely = _called(skeleton, side, end)[:_CANDIDATES]
    found = []
    for joint in likely:
        above = _bends_above(skeleton, side, joint)
        if len(above) > 1:
            limb = Limb(above[1], above[0], joint)
            found.append((limb, _doubt_of_limb(skeleton, side, end, limb)))
    return next((one for one in found if not one[1]), found[0] if found else None)


def _bends_above(skeleton: Skeleton, side: str, joint: int) -> list[int]:
    """Joints above a limb's end, nearest first, without those that only turn or divide a bone."""
    names = _names_of(skeleton)
    parents = skeleton.parents
    above = [
        j for j in reversed(skeleton.chain(joint)[:-1]) if not _TWIST.search(skeleton.names[j])
    ]
    whole = [j for j in above if parents[j] < 0 or not _divides(names[j], names[parents[j]])]
    return whole if sum(names[j].side == side for j in whole) >= 2 else above


def _divides(name: JointName, parent: JointName) -> bool:
    """Whether a joint only divides its parent's bone: it has the parent's name with a number."""
    return bool(name.side) and name.side == parent.side and _unnumbered(name) == _unnumbered(parent)


def _unnumbered(name: JointName) -> str:
    return name.part.rstrip("0123456789")


def _doubt_of_limb(skeleton: Skeleton, side: str, end: str, limb: Limb) -> str:
    """What speaks against a limb, or nothing."""
    names = _names_of(skeleton)
    top, middle = limb.root, limb.middle
    below = _way(skeleton, middle, limb.tip)
    above = _way(skeleton, top, middle)
    if below > 0 and above > 0 and not 1 / _HALVES < above / below < _HALVES:
        return f"its upper bone is {above / below:.2g} times as long as the lower"
    if names[middle].side == side and names[middle].says(end):
        return f"{skeleton.names[middle]!r} sounds like the {end}"
    if names[top].side == side and names[top].says(_LIMBS[end][0]):
        return f"{skeleton.names[top]!r} sounds like the {_LIMBS[end][0]}"
    return ""


def _find_limbs(skeleton: Skeleton, doubts: dict[str, str]) -> dict[str, int]:
    joints: dict[str, int] = {}
    for side, end in product(("left", "right"), _LIMBS):
        found = _find_limb(skeleton, side, end)
        if found is None:
            continue
        limb, doubt = found
        middle, top = _LIMBS[end]
        parts = {end: limb.tip, middle: limb.middle, top: limb.root}
        own = {f"{side}_{part}": joint for part, joint in parts.items()}
        joints |= own
        if doubt:
            doubts |= dict.fromkeys(own, doubt)
        if end == "foot" and (toe := _find_toe(skeleton, side, limb.tip)) is not None:
            joints[f"{side}_toe"] = toe
    for side in ("left", "right"):
        if f"{side}_hand" not in joints:
            joints |= _find_arm_without_hand(skeleton, side)
    return joints


def _find_arm_without_hand(skeleton: Skeleton, side: str) -> dict[str, int]:
    """Shoulder and elbow of an arm whose last joint is the elbow; nothing where there is none."""
    elbow = _first_called(skeleton, side, "elbow")
    if elbow is None:
        return {}
    above = _bends_above(skeleton, side, elbow)
    if not above or _names_of(skeleton)[above[0]].side != side:
        return {}
    return {f"{side}_shoulder": above[0], f"{side}_elbow": elbow}


def _find_toe(skeleton: Skeleton, side: str, foot: int) -> int | None:
    below = skeleton.children[foot]
    named = _first_called(skeleton, side, "toe", below=foot)
    return below[0] if named is None and len(below) == 1 else named


def _find_head(
    skeleton: Skeleton, limbs: Mapping[str, int], doubts: dict[str, str]
) -> dict[str, int]:
    """Neck and head by name; else the one chain of joints that goes on above the shoulders, with a
    doubt.
    """
    head = _first_called(skeleton, "", "head")
    if head is None:
        head = _first_called(skeleton, "", "face")
    neck = _first_called(skeleton, "", "neck")
    chain = skeleton.chain
    if head is not None:
        on_way = neck is not None and neck in chain(head)
        above = max(int(skeleton.parents[head]), 0)
        return {"head": head, "neck": neck if on_way and neck is not None else above}
    if not {"left_shoulder", "right_shoulder"} <= limbs.keys():
        return {}
    fork = _fork(skeleton, limbs["left_shoulder"], limbs["right_shoulder"])
    going_on = _only_chain(skeleton, fork)
    if len(going_on) < 2:
        return {}
    why = "no joint is called head, and these go on above the shoulders"
    doubts |= {"neck": why, "head": why}
    return {"neck": going_on[0], "head": going_on[-1]}


def _only_chain(skeleton: Skeleton, top: int) -> list[int]:
    """Joints without side below `top`, one below the other; ends where none or several go on."""
    names = _names_of(skeleton)
    found: list[int] = []
    while True:
        last = found[-1] if found else top
        below = [j for j in skeleton.children[last] if not names[j].side]
        if len(below) != 1:
            return found
        found += below


def _find_chest(skeleton: Skeleton, limbs: Mapping[str, int], neck: int | None) -> int | None:
    parents = skeleton.parents
    if {"left_shoulder", "right_shoulder"} <= limbs.keys():
        fork = _fork(skeleton, limbs["left_shoulder"], limbs["right_shoulder"])
        # Some rigs hang the collar bones on the neck.
        return int(parents[fork]) if fork == neck and parents[fork] >= 0 else fork
    return int(parents[neck]) if neck is not None and parents[neck] >= 0 else None


def _find_hips(skeleton: Skeleton, limbs: Mapping[str, int], chest: int | None) -> int:
    """The joint called hips that carries legs and chest; else one that carries the legs; else where
    they part.
    """
    if not {"left_hip", "right_hip"} <= limbs.keys():
        named = _first_called(skeleton, "", "hips")
        return 0 if named is None else named
    legs = _fork(skeleton, limbs["left_hip"], limbs["right_hip"])
    both = legs if chest is None else _fork(skeleton, legs, chest)
    for stem in (both, legs):
        called = [j for j in skeleton.chain(stem) if _names_of(skeleton)[j].says("hips")]
        if called:
            return called[-1]
    return legs


def _find_trunk(
    skeleton: Skeleton, limbs: Mapping[str, int], doubts: dict[str, str]
) -> dict[str, int]:
    joints = _find_head(skeleton, limbs, doubts)
    chest = _find_chest(skeleton, limbs, joints.get("neck"))
    joints["hips"] = _find_hips(skeleton, limbs, chest)
    if chest is None:
        return joints
    joints["chest"] = chest
    chain = skeleton.chain(chest)
    legs = {j for r in ("left_hip", "right_hip") if r in limbs for j in skeleton.chain(limbs[r])}
    if joints["hips"] in chain:
        above_hips = [j for j in chain[chain.index(joints["hips"]) + 1 :] if j not in legs]
        if above_hips:
            joints["spine"] = above_hips[0]
    return joints


def _kind(skeleton: Skeleton, joints: Mapping[str, int]) -> str:
    if not {"left_hip", "left_knee", "left_foot"} <= joints.keys():
        return "other"
    if not {"left_shoulder", "left_elbow", "left_hand"} <= joints.keys():
        return "human"
    # A person's arm is about two thirds of the leg; an animal that walks on four has front legs as
    # long as the hind.
    front, hind = (
        np.linalg.norm(skeleton.offsets[[joints[f"left_{part}"] for part in leg]], axis=-1).sum()
        for leg in (("elbow", "hand"), ("knee", "foot"))
    )
    tail = any("tail" in name.part for name in _names_of(skeleton))
    return "quadruped" if tail and front > 0.8 * hind else "human"


def _sentences(
    skeleton: Skeleton, joints: Mapping[str, int], doubts: Mapping[str, str]
) -> tuple[str, ...]:
    """One sentence for each reason to doubt roles, naming roles and joints."""
    by_reason: dict[str, list[str]] = {}
    for role, why in doubts.items():
        by_reason.setdefault(why, []).append(f"{role} = {skeleton.names[joints[role]]}")
    told = [f"{DOUBT}: {', '.join(roles)}: {why}" for why, roles in by_reason.items()]
    legs = [s for s in ("left", "right") if f"{s}_foot" in joints]
    arms = [s for s in ("left", "right") if f"{s}_shoulder" in joints]
    for limb, sides in (("leg", legs), ("arm", arms)):
        if len(sides) == 1:
            told.append(f"{DOUBT}: a {sides[0]} {limb} was found and none on the other side")
    if len(legs) == 2 and not arms and _joints_besides_legs(skeleton, joints) >= _MORE_THAN_LEGS:
        told.append(f"{DOUBT}: legs were found and no arms")
    return tuple(f"{text}; a table of roles can tell" for text in told)


def _joints_besides_legs(skeleton: Skeleton, joints: Mapping[str, int]) -> int:
    legs = {j for s in ("left", "right") for j in skeleton.descendants(joints[f"{s}_hip"])}
    return skeleton.n_joints - len(legs)


def find_roles(skeleton: Skeleton, table: Mapping[str, Any] | None = None) -> Roles:
    """Find the roles of a skeleton's joints.

    Parameters
    ----------
    skeleton : Skeleton
        Its joint names and tree are looked at, and the lengths of its bones.
    table : mapping, optional
        What the user knows better: role name to joint name, ``kind`` (``human``, ``quadruped``,
        ``other``) and ``forward: {joint: NAME, axis: [x, y, z]}``. Everything else is found from
        names and the tree.

    Returns
    -------
    Roles
        With doubts where names or bones contradict a role.

    Raises
    ------
    InvalidInputError
        For a role, joint or kind in the table that does not exist.

    Examples
    --------
    >>> roles = find_roles(walk.skeleton)
    >>> roles.kind, walk.skeleton.names[roles.joints["right_foot"]]
    ('human', 'RightFoot')
    """
    table = table or {}
    doubts = dict[str, str]()
    limbs = _find_limbs(skeleton, doubts)
    joints = {**_find_trunk(skeleton, limbs, doubts), **limbs}
    kind = _read_kind(table["kind"]) if "kind" in table else _kind(skeleton, joints)
    forward = _read_forward(skeleton, table["forward"]) if "forward" in table else None
    named = {key: table[key] for key in table if key not in ("kind", "forward")}
    told = {role: _read_joint(skeleton, role, value) for role, value in named.items()}
    joints |= told
    ordered = {role: joints[role] for role in ROLE_NAMES if role in joints}
    open_doubts = {role: why for role, why in doubts.items() if role not in told}
    return Roles(ordered, kind, forward, _sentences(skeleton, joints, open_doubts))


def _read_kind(value: Any) -> str:
    if value not in ("human", "quadruped", "other"):
        told = f"kind must be human, quadruped or other, got {value!r}"
        raise InvalidInputError(f"roles table: {told}")
    return str(value)


def _read_joint(skeleton: Skeleton, role: str, value: Any) -> int:
    if role not in ROLE_NAMES:
        raise InvalidInputError(
            f"roles table: unknown role {role!r}; known: {', '.join(ROLE_NAMES)}, kind, forward"
        )
    if not isinstance(value, str | int):  # some rigs number their joints
        raise InvalidInputError(f"roles table: {role} must be the name of a joint, got {value!r}")
    return skeleton.index(str(value))


def _read_forward(skeleton: Skeleton, value: Any) -> tuple[int, tuple[float, float, float]]:
    try:
        joint, (x, y, z) = skeleton.index(str(value["joint"])), map(float, value["axis"])
    except (TypeError, KeyError, ValueError) as error:
        raise InvalidInputError(
            f"roles table: forward must be {{joint: NAME, axis: [x, y, z]}}, got {value!r}"
        ) from error
    if not np.isfinite([x, y, z]).all() or np.allclose([x, y, z], 0):
        raise InvalidInputError(
            "roles table: the forward axis must be three numbers that are not all zero"
        )
    return joint, (x, y, z)
