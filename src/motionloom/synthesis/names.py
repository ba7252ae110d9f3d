"""Names in constraints, checked before any long work begins."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.clips.clip_set import ClipSet
from motionloom.clips.labels import Label, find_label, label_clips
from motionloom.clips.nearest import pose_target
from motionloom.constraints import ConstraintSet, check_joints
from motionloom.synthesis.costs import find_cost


def check_names(constraints: ConstraintSet, clips: ClipSet, labels: Sequence[Label] = ()) -> None:
    """Check that every joint, clip, label and cost that constraints name exists.

    Parameters
    ----------
    constraints : ConstraintSet
    clips : ClipSet
    labels : sequence of Label
        Of the clips, besides those that the set has.

    Raises
    ------
    UnknownNameError
        For the first that does not; it lists the nearest names.
    InvalidInputError
        When none of the labels is for a clip of the set.
    """
    check_joints(constraints, clips.skeleton, clips.roles)
    for pose in constraints.poses:
        clips.frame_of_file(pose.clip, pose.frame)
    for key in constraints.key_poses:
        pose_target(clips, key, constraints.frame_of(key.time))
    known = label_clips(clips, labels).labels
    for style in constraints.style:
        find_label(known, style.label)
    for cost in constraints.costs:
        find_cost(cost.name)
