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
        Only its joint constraints count.
    skeleton : Skeleton
        The skeleton of the motion.
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

    Examples
    --------
    >>> hand = {"time": 1.0, "joint": "left_hand", "position": [0, 1, 0]}
    >>> wish = ConstraintSet(duration=2.0, joints=[hand])
    >>> [walk.skeleton.names[j] for j in check_joints(wish, walk.skeleton, posed.roles)]
    ['LeftHand']
    """
    return find_joints([c.joint for c in constraints.joints], skeleton, roles)


def find_joints(names: Sequence[str], skeleton: Skeleton, roles: Roles) -> tuple[int, ...]:
    """Joints by their names, or by their roles where no joint has the name.

    Parameters
    ----------
    names : sequence of str
        Names of joints, or roles such as ``right_hand``.
    skeleton : Skeleton
        Its names come first.
    roles : Roles
        Which joint plays which part.

    Returns
    -------
    tuple of int
        Index of every joint, in the order of the names.

    Raises
    ------
    UnknownJointError
        For a name that is neither a joint nor a role of this skeleton.

    Examples
    --------
    >>> find_joints(["right_hand", "Hips"], walk.skeleton, posed.roles)
    (21, 0)
    """
    known = {**roles.named, **{name: j for j, name in enumerate(skeleton.names)}}
    for name in names:
        if name not in known:
            raise UnknownJointError(name, (*skeleton.names, *roles.joints))
    return tuple(known[name] for name in names)
