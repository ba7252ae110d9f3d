"""Which joint of a skeleton every joint constraint speaks of."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.constraints.constraint_set import ConstraintSet
from motionloom.errors import UnknownJointError
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton


def check_joints(constraints: ConstraintSet, skeleton: Skeleton, roles: Roles) -> tuple[int, ...]:
    """Find the joint of every joint constraint.

    Parameters
    ----------
    constraints : ConstraintSet
    skeleton : Skeleton
    roles : Roles
        Where the skeleton has no joint of a constraint's name, the name may be a role, such as
        ``right_hand``, or ``left_front_paw`` on a quadruped.

    Returns
    -------
    tuple of int
        Joint index of every entry of ``constraints.joints``, in their order.

    Raises
    ------
    UnknownJointError
        For a name that is neither a joint nor a role of this skeleton.
    """
    return find_joints([c.joint for c in constraints.joints], skeleton, roles)


def find_joints(names: Sequence[str], skeleton: Skeleton, roles: Roles) -> tuple[int, ...]:
    """Joints by their names, or by their roles where no joint has the name.

    Parameters
    ----------
    names : sequence of str
    skeleton : Skeleton
    roles : Roles

    Raises
    ------
    UnknownJointError
        For a name that is neither a joint nor a role of this skeleton.
    """
    known = {**roles.named, **{name: j for j, name in enumerate(skeleton.names)}}
    for name in names:
        if name not in known:
            raise UnknownJointError(name, (*skeleton.names, *roles.joints))
    return tuple(known[name] for name in names)
