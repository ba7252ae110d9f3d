"""Which joint of a skeleton every joint constraint speaks of."""

from __future__ import annotations

from motionloom.constraints.model import ConstraintSet
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
        Where the skeleton has no joint of a constraint's name, the name may be a role, such as ``right_hand``, or
        ``left_front_paw`` on a quadruped.

    Returns
    -------
    tuple of int
        Joint index of every entry of ``constraints.joints``, in their order.

    Raises
    ------
    UnknownJointError
        For a name that is neither a joint nor a role of this skeleton.
    """
    known = {**roles.named, **{name: j for j, name in enumerate(skeleton.names)}}
    for constraint in constraints.joints:
        if constraint.joint not in known:
            raise UnknownJointError(constraint.joint, (*skeleton.names, *roles.joints))
    return tuple(known[constraint.joint] for constraint in constraints.joints)
