"""Parts of a body, by the roles of its joints."""

from __future__ import annotations

from motionloom.roles import Roles
from motionloom.skeleton import Skeleton

#: Parts in the order in which they are shown; ``"all"`` is the whole body.
PARTS = ("feet", "legs", "hips", "upper body", "all")
#: Joints of a limb that bears weight, by the word that its end's role ends in.
_LIMBS = {"foot": ("hip", "knee", "foot", "toe"), "hand": ("shoulder", "elbow", "hand")}


def find_parts(skeleton: Skeleton, roles: Roles) -> dict[str, tuple[int, ...]]:
    """Joints of every part of a body.

    Parameters
    ----------
    skeleton : Skeleton
        J joints.
    roles : Roles
        They name at least the hips.

    Returns
    -------
    dict of str to tuple of int
        By the names of `PARTS`; a part without joints is absent. The joints above the hips carry
        nothing and belong to no part.
    """
    hips = roles.joints["hips"]
    feet: set[int] = set()
    legs: set[int] = set()
    for foot in roles.feet:
        side, _, end = foot.rpartition("_")
        limb = [roles.joint(f"{side}_{part}") for part in _LIMBS[end]]
        ends = [roles.joints[foot], roles.joint(f"{side}_toe") if end == "foot" else None]
        chain = skeleton.chain(roles.joints[foot])
        top = hips if end == "foot" else roles.joint(f"{side}_shoulder")
        # Joints without a role, between the hips and a leg or within it, are of the leg too.
        between = chain[chain.index(top) :] if top in chain else ()
        legs |= {j for j in (*limb, *between) if j is not None} - {hips}
        feet |= {j for j in ends if j is not None}
    body = {hips, *skeleton.descendants(hips)}
    below_feet = {j for foot in feet for j in skeleton.descendants(foot)}
    found = {
        "feet": feet,
        "legs": legs,
        "hips": {hips},
        "upper body": body - legs - below_feet - {hips},
        "all": body,
    }
    return {name: tuple(sorted(found[name])) for name in PARTS if found[name]}
