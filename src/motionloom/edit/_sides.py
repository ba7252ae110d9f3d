"""Which joint is whose counterpart on the other side of the body."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.joint_names import read_joint_names
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Ints

_OTHER = {"left": "right", "right": "left"}
#: A side that is one letter with nothing between it and the word, as in ``lfingers`` or ``handR``.
_LETTER = {"l": "r", "r": "l", "L": "R", "R": "L"}


def find_partners(skeleton: Skeleton, roles: Roles | None = None) -> Ints:
    """Counterpart of every joint on the other side of the body.

    Sides are read from the roles, then from names; joints below a pair that have no side in their
    names are paired when there is one on each side.

    Parameters
    ----------
    skeleton : Skeleton
        J joints.
    roles : Roles, optional
        Found from the skeleton when not given.

    Returns
    -------
    int array of shape (J,)
        Index of the counterpart; a joint of the trunk is its own.

    Raises
    ------
    InvalidInputError
        When a joint has a side but no counterpart, when a pair does not hang below a pair, or when
        no joint has a counterpart at all.

    Examples
    --------
    >>> partners = find_partners(walk.skeleton)
    >>> walk.skeleton.names[partners[walk.skeleton.index("LeftFoot")]]
    'RightFoot'
    """
    roles = roles or find_roles(skeleton)
    partners = _from_names(skeleton)
    for role, joint in roles.joints.items():
        side, _, part = role.partition("_")
        other = roles.joint(f"{_OTHER.get(side, '')}_{part}")
        if other is not None:
            partners[joint] = other
    sided = [
        bool(name.side) or j in partners for j, name in enumerate(read_joint_names(skeleton.names))
    ]
    for j in range(skeleton.n_joints):  # parents come first
        if j not in partners:
            partners[j] = _below_a_pair(skeleton, partners, sided, j)
    lonely = [skeleton.names[j] for j, other in partners.items() if other < 0]
    if lonely:
        raise InvalidInputError(
            f"cannot mirror: no counterpart on the other side was found for {_listed(lonely)}; name"
            " pairs alike (LeftArm, RightArm) or tell the sides in a table of roles"
        )
    found = np.array([partners[j] for j in range(skeleton.n_joints)])
    _check_tree(skeleton, found)
    return found


def _from_names(skeleton: Skeleton) -> dict[int, int]:
    """Pairs by name; -1 where a name has a side and no other name is its counterpart."""
    by_name = {name: j for j, name in enumerate(skeleton.names)}
    split = [(name.side, name.rest) for name in read_joint_names(skeleton.names)]
    by_split = {key: j for j, key in reversed(list(enumerate(split)))}
    partners: dict[int, int] = {}
    for j, (name, (side, rest)) in enumerate(zip(skeleton.names, split, strict=True)):
        if side:
            partners[j] = by_split.get((_OTHER[side], rest), -1)
            continue
        swapped = [
            re.sub(pattern, lambda m: _LETTER[m[0]], name)
            for pattern in ("^[lr](?=[a-z])", "[LR]$")
        ]
        other = next((by_name[s] for s in swapped if s != name and s in by_name), None)
        if other is not None:
            partners[j] = other
    return partners


def _below_a_pair(
    skeleton: Skeleton, partners: dict[int, int], sided: Sequence[bool], joint: int
) -> int:
    """Counterpart of a joint whose name has no side: itself on the trunk, the only other one below
    a pair; else -1.
    """
    parent = int(skeleton.parents[joint])
    opposite = partners.get(parent, parent)
    if opposite == parent:
        return joint
    alike, others = ([c for c in skeleton.children[p] if not sided[c]] for p in (parent, opposite))
    return others[0] if opposite >= 0 and len(alike) == len(others) == 1 else -1


def _check_tree(skeleton: Skeleton, partners: Ints) -> None:
    names = skeleton.names
    for j, other in enumerate(partners):
        if partners[other] != j:
            raise InvalidInputError(
                f"cannot mirror: {names[other]!r} is the counterpart of both {names[j]!r} and "
                f"{names[partners[other]]!r}; tell the sides in a table of roles"
            )
        above = int(skeleton.parents[j])
        opposite = int(skeleton.parents[other])
        if (partners[above] if above >= 0 else -1) != opposite:
            raise InvalidInputError(
                f"cannot mirror: {names[j]!r} and {names[other]!r} are left and right, but hang"
                f" below {names[above]!r} and {names[opposite]!r}, which are not; tell the sides in"
                " a table of roles"
            )
    if skeleton.n_joints > 1 and np.array_equal(partners, np.arange(skeleton.n_joints)):
        raise InvalidInputError(
            f"cannot mirror: no joint of {_listed(names)} has a left or right; tell the sides in a"
            " table of roles"
        )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:6]))
    return f"{shown} and {len(names) - 6} more" if len(names) > 6 else shown
