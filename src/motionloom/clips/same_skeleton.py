"""Clips that share a skeleton, and which of them does not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.clips.prepare import different_joint, label_of
from motionloom.edit.bones import SAME_BONE, mean_bones
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion

#: Clips of another skeleton are strays where they are no more than one in so many.
FEW = 4


def check_same_skeleton(motions: Sequence[Motion]) -> None:
    """Refuse clips of several skeletons.

    Parameters
    ----------
    motions : sequence of Motion
        At least one.

    Raises
    ------
    InvalidInputError
        In one sentence that names a clip of those that are like few others, and one of the rest.

    Examples
    --------
    >>> check_same_skeleton([walk, walk[:10]])  # nothing to refuse
    """
    if not any(skeletons_differ(motions[0], other) for other in motions[1:]):
        return
    groups = _by_skeleton(motions)
    usual = max(groups, key=len)
    odd = next(group for group in groups if group is not usual)[0]
    many = len(motions) - len(usual)
    more = "" if many == 1 else f" and {many - 1} more"
    raise InvalidInputError(
        f"clips must share one skeleton, but {label_of(usual[0])} and {label_of(odd)}"
        f" {skeletons_differ(usual[0], odd)}; leave out {label_of(odd)}{more}, or retarget what is"
        " not of the one skeleton",
        hint="retarget",
    )


def without_strays(motions: Sequence[Motion]) -> tuple[list[Motion], list[Motion]]:
    """Clips of the skeleton that nearly all have, and those few that have another.

    Parameters
    ----------
    motions : sequence of Motion
        At least one.

    Returns
    -------
    kept, strays : list of Motion
        No strays where more than one in `FEW` would be: then nobody can say which are meant.
    """
    groups = _by_skeleton(motions)
    usual = max(groups, key=len)
    if FEW * (len(motions) - len(usual)) > len(motions):
        return list(motions), []
    strays = [one for group in groups if group is not usual for one in group]
    return usual, strays


def _by_skeleton(motions: Sequence[Motion]) -> list[list[Motion]]:
    groups: list[list[Motion]] = []
    for motion in motions:
        same = (group for group in groups if not skeletons_differ(group[0], motion))
        found = next(same, None)
        if found is None:
            groups.append([motion])
        else:
            found.append(motion)
    return groups


def skeletons_differ(first: Motion, other: Motion) -> str:
    """In what the skeletons of two clips differ, as the end of a sentence; empty where they do not.

    Parameters
    ----------
    first, other : Motion
        Bones may be in the skeleton or in the motion.

    Returns
    -------
    str

    Examples
    --------
    >>> from motionloom.edit.reroot import scaled
    >>> skeletons_differ(walk, scaled(walk, 1.1)) != ""
    True
    """
    a = first.skeleton
    b = other.skeleton
    if a.n_joints != b.n_joints:
        return f"have {a.n_joints} and {b.n_joints} joints"
    if not a.has_topology_of(b):
        return f"differ at joint {different_joint(a, b)}"
    gap = np.abs(mean_bones(first) - mean_bones(other)).max(axis=1)
    if gap.max() <= SAME_BONE:
        return ""
    return (
        f"have different bones (that to {a.names[int(gap.argmax())]!r} differs by"
        f" {gap.max() * 1000:.1f} mm)"
    )
