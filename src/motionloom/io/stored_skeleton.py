"""A skeleton and its roles within a stored file, as every learned model keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.io.stored import Facts, Fault, Stored, StoredFile
from motionloom.roles import Roles, check_roles
from motionloom.skeleton import Skeleton

#: No length (metres) is larger.
LARGEST = 1e6
#: J joints, E end sites.
_ARRAYS = {
    "parents": Stored(np.int64, ("J",), -1, below="J"),
    "offsets": Stored(np.float64, ("J", 3), -LARGEST, LARGEST),
    "end_parents": Stored(np.int64, ("E",), 0, below="J"),
    "end_offsets": Stored(np.float64, ("E", 3), -LARGEST, LARGEST),
}


class RolesFacts(Facts):
    """Roles as they are kept in the facts of a file."""

    joints: dict[str, int]
    kind: str
    forward: tuple[int, tuple[float, float, float]] | None


def describe_roles(roles: Roles) -> dict[str, Any]:
    """Roles as plain values, for the facts of a file; doubts are left out.

    Parameters
    ----------
    roles : Roles
        Of a skeleton's joints.

    Returns
    -------
    dict
        What `RolesFacts` reads.
    """
    return {"joints": dict(roles.joints), "kind": roles.kind, "forward": roles.forward}


def skeleton_arrays(skeleton: Skeleton) -> dict[str, NDArray[Any]]:
    """A skeleton's tree as arrays by the names that they have in a file.

    Parameters
    ----------
    skeleton : Skeleton
        Its joints' names are kept in the facts.

    Returns
    -------
    dict of str to array
        What `read_skeleton` reads.
    """
    return {name: getattr(skeleton, name) for name in _ARRAYS}


def read_skeleton(
    names: Sequence[str], roles: RolesFacts, file: StoredFile
) -> tuple[Skeleton, Roles]:
    """Skeleton and roles out of a stored file.

    Parameters
    ----------
    names : sequence of str
        Of the joints, from the facts.
    roles : RolesFacts
        From the facts.
    file : StoredFile
        Open.

    Returns
    -------
    (Skeleton, Roles)

    Raises
    ------
    Fault
        When an array is missing or not of this form.
    InvalidInputError
        When they are no tree, or roles of other joints.
    """
    arrays = file.arrays(_ARRAYS, {"J": len(names)})
    skeleton = Skeleton(tuple(names), **arrays)
    found = Roles(roles.joints, roles.kind, roles.forward)
    check_roles(found, skeleton)
    return skeleton, found


def check_unit(quaternions: NDArray[np.float64], what: str) -> None:
    """Refuse quaternions that are no rotations.

    Parameters
    ----------
    quaternions : array of shape (..., 4)
        As they were read.
    what : str
        What they are, for the message.

    Raises
    ------
    Fault
        When the length of one is not 1.
    """
    if not (np.abs(np.linalg.norm(quaternions, axis=-1) - 1) < 1e-6).all():
        raise Fault(f"its {what} are none")
