"""What kinds of constraints see of clips, when they look up names, and of motions, when they
measure them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.clips.labels import Label, find_label, label_clips
from motionloom.clips.nearest import own_pose
from motionloom.constraints import ConstraintSet, CostConstraint, KeyPose
from motionloom.constraints.joints import find_joints
from motionloom.constraints.kinds.measures import (
    Adherence,
    ConstraintError,
    FoundPose,
    Lookup,
    Shown,
)
from motionloom.constraints.kinds.table import check_found, measure_adherence, measure_errors
from motionloom.constraints.obstacles import body_points
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.synthesis.costs import frame_costs, kind_of_cost, path_cost
from motionloom.typing import Array, Ints


def check_names(constraints: ConstraintSet, clips: ClipSet, labels: Sequence[Label] = ()) -> None:
    """Check that every joint, clip, label and cost that constraints name exists.

    Parameters
    ----------
    constraints : ConstraintSet
        They name joints, clips, labels and costs.
    clips : ClipSet
        Where these are looked up, but for costs.
    labels : sequence of Label
        Of the clips, besides those that the set has.

    Raises
    ------
    UnknownNameError
        For the first that does not; it lists the nearest names.
    InvalidInputError
        When none of the labels is for a clip of the set.
    """
    check_found(constraints, _lookup_in(label_clips(clips, labels)))


def errors_of(posed: PosedMotion, constraints: ConstraintSet) -> tuple[ConstraintError, ...]:
    """Errors of a motion at every constraint of the body and of joints.

    Parameters
    ----------
    posed : PosedMotion
        The motion, at the frame rate of the constraints.
    constraints : ConstraintSet
        What was asked for.

    Returns
    -------
    tuple of ConstraintError
        Body constraints first, each kind in the constraint set's order.
    """
    lookup = Lookup(joint_finder(posed.skeleton, posed.roles))
    return measure_errors(_shown(posed, constraints, lookup))


def adherence_of(
    clips: ClipSet | None,
    constraints: ConstraintSet,
    posed: PosedMotion,
    source_frames: Ints | None = None,
    styles: Mapping[str, Array] | None = None,
) -> tuple[Adherence, ...]:
    """How a finished motion keeps to poses, obstacles, paths, styles and the user's costs.

    Parameters
    ----------
    clips : ClipSet or None
        Clips that the motion was made of; None where no constraint names one.
    constraints : ConstraintSet
        What was asked for.
    posed : PosedMotion
        The motion, at the frame rate of the constraints.
    source_frames : int array of shape (T,), optional
        Frame of the clip set (counted through all clips) that every frame shows: styles and costs
        are of these.
    styles : mapping of str to array of shape (T,), optional
        By label, how much of that style every frame has, where it shows none of a clip.

    Returns
    -------
    tuple of Adherence
        One for each such constraint.
    """
    joint = joint_finder(posed.skeleton, posed.roles)
    lookup = Lookup(joint) if clips is None else _lookup_in(clips)
    return measure_adherence(_shown(posed, constraints, lookup, source_frames, styles))


def _shown(
    posed: PosedMotion,
    constraints: ConstraintSet,
    lookup: Lookup,
    source_frames: Ints | None = None,
    styles: Mapping[str, Array] | None = None,
) -> Shown:
    def velocity(frame: int, joint: int) -> Array:
        near = posed.positions[max(frame - 1, 0) : frame + 2, joint]
        return np.asarray((near[-1] - near[0]) / ((len(near) - 1) * posed.motion.frame_time))

    # Hips, and feet: those of somebody who walks on the spot move though the hips do not.
    standing = [posed.roles.joints[role] for role in ("hips", *posed.roles.feet)]
    return Shown(
        constraints=constraints,
        lookup=lookup,
        body=posed.body,
        place=lambda frame, joint: posed.positions[frame, joint],
        velocity=velocity,
        standing=posed.positions[:, standing],
        rotations=posed.motion.rotations,
        points=lambda: body_points(posed.skeleton, posed.roles, posed.positions),
        source_frames=source_frames,
        styles=styles,
    )


def joint_finder(skeleton: Skeleton, roles: Roles) -> Callable[[str], int]:
    """Make a function that finds a joint by its name or role.

    Parameters
    ----------
    skeleton : Skeleton
        Its names come first.
    roles : Roles
        Which joint plays which part.

    Returns
    -------
    callable
        From a name to the joint's index; it raises as `find_joints`.
    """
    return lambda name: find_joints((name,), skeleton, roles)[0]


def _lookup_in(clips: ClipSet) -> Lookup:
    """What constraints may name, looked up in clips and among registered costs.

    Parameters
    ----------
    clips : ClipSet
        Clips with their labels.
    """

    def clip_pose(clip: str, frame: int) -> FoundPose:
        return _find_pose(clips, clip, frame)

    def found_pose(key: KeyPose) -> tuple[Ints, Array]:
        own = own_pose(clips, key)
        joints = find_joints(own.joints, clips.skeleton, clips.roles)
        return np.array(joints), np.array(own.rotations)

    return Lookup(
        joint=joint_finder(clips.skeleton, clips.roles),
        clip_pose=clip_pose,
        own_pose=found_pose,
        label=lambda name: find_label(clips.labels, name),
        cost=lambda constraint: _cost_of(clips, constraint),
    )


def _find_pose(clips: ClipSet, name: str, frame: int) -> FoundPose:
    """A frame of a clip's file; joints above the one that carries the body, and its own heading,
    are free.
    """
    found = clips.frame_of_file(name, frame)
    clip = int(clips.clip_of[found])
    own = int(found - clips.starts[clip])
    captured = clips.motions[clip]
    free = clips.skeleton.chain(captured.root_joint)
    below = np.array([j for j in range(clips.skeleton.n_joints) if j not in free])
    called = f"{clips.names[clip]} at {own / clips.fps:.2f} s"
    return found, called, below, captured.rotations[own, below]


def _cost_of(clips: ClipSet, constraint: CostConstraint) -> Callable[[Shown], float]:
    def of_path(shown: Shown) -> float:
        frames = shown.source_frames
        return path_cost(constraint.name, constraint.parameters, clips, frames, shown.body)

    def of_frames(shown: Shown) -> float:
        assert shown.source_frames is not None  # generators that show no clips honour no costs
        asked = shown.constraints
        first = 0 if constraint.begin is None else asked.frame_of(constraint.begin)
        last = asked.n_frames - 1 if constraint.end is None else asked.frame_of(constraint.end)
        rates = frame_costs(constraint.name, clips, constraint.parameters)
        return float(rates[shown.source_frames[first : last + 1]].sum() / clips.fps)

    return of_path if kind_of_cost(constraint.name) == "path" else of_frames
