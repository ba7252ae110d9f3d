"""Overlapping parts of the body: each limb with what joins it to the root (Ferrydiansyah 2011,
table 3-1).
"""

from __future__ import annotations

from motionloom.roles import Roles
from motionloom.skeleton import Skeleton

#: Segments by the role at their tip.
TIPS = {
    "right_arm": "right_hand",
    "left_arm": "left_hand",
    "right_leg": "right_foot",
    "left_leg": "left_foot",
    "head": "head",
}


def find_segments(
    skeleton: Skeleton, roles: Roles, root: int | None = None
) -> dict[str, tuple[int, ...]]:
    """Joints of every segment, from just below the root to the tip and all that hangs on it.

    The trunk belongs to both arms and the head. What belongs to no limb (a tail, a prop) joins the
    segment that its parent belongs to, or makes a segment ``"other"`` of its own.

    Parameters
    ----------
    skeleton : Skeleton
        The tree of joints.
    roles : Roles
        Tell the hips and the tips of the limbs.
    root : int, optional
        The joint that the segments begin below; the hips when not given.

    Returns
    -------
    dict of str to tuple of int
        Segments that the skeleton has, joints ascending.

    Examples
    --------
    >>> segments = find_segments(walk.skeleton, posed.roles)
    >>> [walk.skeleton.names[j] for j in segments["left_leg"]]
    ['LeftUpLeg', 'LeftLeg', 'LeftFoot', 'LeftToeBase']
    """
    above = set(skeleton.chain(roles.joints["hips"] if root is None else root))
    found: dict[str, set[int]] = {}
    for name, role in TIPS.items():
        tip = roles.joint(role)
        if tip is not None:
            found[name] = (set(skeleton.chain(tip)) | set(skeleton.descendants(tip))) - above
    for joint in range(skeleton.n_joints):
        if joint in above or any(joint in joints for joints in found.values()):
            continue
        parent = int(skeleton.parents[joint])
        owners = [joints for joints in found.values() if parent in joints]
        # A thumb hangs on one limb; what hangs on the shared trunk belongs to no limb.
        owner = (
            owners[0]
            if len(owners) == 1
            else found.setdefault("other", set(skeleton.chain(joint)) - above)
        )
        owner.add(joint)
    return {name: tuple(sorted(joints)) for name, joints in found.items()}
