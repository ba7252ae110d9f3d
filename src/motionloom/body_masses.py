"""How a human body's mass is shared among its segments (Winter 2009, table 4.1)."""

from __future__ import annotations

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.roles import Roles
from motionloom.typing import Array

#: Segment mass as a share of body mass, and how far along the segment its centre lies (Winter 2009,
#: table 4.1). A segment runs between two roles; the first of several far ends that exists is taken.
SEGMENTS: tuple[tuple[float, float, str, tuple[str, ...]], ...] = (
    (0.081, 1.000, "neck", ("head",)),
    (0.497, 0.500, "hips", ("neck", "chest")),
    *(
        row
        for side in ("left", "right")
        for row in (
            (0.0280, 0.436, f"{side}_shoulder", (f"{side}_elbow",)),
            (0.0160, 0.430, f"{side}_elbow", (f"{side}_hand",)),
            (0.0060, 0.000, f"{side}_hand", (f"{side}_hand",)),
            (0.1000, 0.433, f"{side}_hip", (f"{side}_knee",)),
            (0.0465, 0.433, f"{side}_knee", (f"{side}_foot",)),
            (0.0145, 0.500, f"{side}_foot", (f"{side}_toe", f"{side}_foot")),
        )
    ),
)


def joint_shares(roles: Roles, n_joints: int) -> Array:
    """Shares of the joints' places in the centre of mass of a human.

    A segment's centre lies between its two ends, so that it is a weighted mean of their places.

    Parameters
    ----------
    roles : Roles
        Which joint is which part of the body.
    n_joints : int
        J.

    Returns
    -------
    array of shape (J,)
        They add up to 1.

    Raises
    ------
    InvalidInputError
        When a segment's joints are not among the roles.

    Examples
    --------
    >>> shares = joint_shares(posed.roles, walk.skeleton.n_joints)
    >>> round(float(shares.sum()), 6)  # the whole body
    1.0
    """
    shares = np.zeros(n_joints)
    for share, along, near, far in SEGMENTS:
        ends = [f for f in far if f in roles.joints]
        if near not in roles.joints or not ends:
            raise InvalidInputError(
                f"the centre of mass needs the roles {near} and {far[0]}; add them to the roles"
                " table"
            )
        shares[roles.joints[near]] += share * (1 - along)
        shares[roles.joints[ends[0]]] += share * along
    return np.asarray(shares / shares.sum())
