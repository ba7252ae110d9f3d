"""From a constraint file to what a solver gets."""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.constraints import ConstraintSet, JointConstraint, check_joints
from motionloom.constraints.kinds.joints import CenterOfMassConstraint
from motionloom.constraints.kinds.table import refuse_unhonoured
from motionloom.errors import InvalidInputError
from motionloom.ik._body import mass_of
from motionloom.ik.placing import ORIGIN, Placing
from motionloom.ik.problem import Target
from motionloom.kinematics import WorldPose, forward_kinematics
from motionloom.spaces.pose_space import PoseSpace
from motionloom.typing import Array

#: Kinds of constraints that one pose can honour.
POSE_KINDS = frozenset(
    {
        *("body", "joints", "position", "orientation", "look_at", "tool"),
        *("frame", "feet", "balance", "center_of_mass"),
    }
)


def check_pose_constraints(constraints: ConstraintSet) -> None:
    """Refuse what one pose cannot honour: whatever is about time, ways, obstacles or style.

    Raises
    ------
    InvalidInputError
        In one sentence.
    """
    refuse_unhonoured(constraints, "a pose", POSE_KINDS)
    body, joints, masses = constraints.body, constraints.joints, constraints.center_of_mass
    times = sorted({c.time for c in (*body, *joints, *masses)}) or [0.0]
    span = f"{times[0]:g} s and {times[-1]:g} s"
    no_up = "root coordinates know no up; leave out frame or center_of_mass"
    no_place = "root coordinates know no place of the body; leave out frame or body"
    inside = constraints.frame == "root"
    for is_refused, field, why in (
        (len(body) > 1, "body", f"a pose has one place, got {len(body)}; keep one of them"),
        (len(masses) > 1, "center_of_mass", f"a pose has one, got {len(masses)}; keep one of them"),
        (len(times) > 1, "time", f"a pose is about one moment, got {span}; give all the same time"),
        (not (joints or masses), "joints", "a pose needs at least one joint constraint; add one"),
        (inside and masses, "center_of_mass", no_up),
        (inside and body, "frame", no_place),
    ):
        if is_refused:
            raise InvalidInputError(f"{field}: {why}", field=field)


def make_targets(
    space: PoseSpace, constraints: ConstraintSet, placing: Placing
) -> tuple[Target, ...]:
    """Targets of a constraint set, in root coordinates or in those of the floor.

    Parameters
    ----------
    space : PoseSpace
        Gives the skeleton, its roles and, for gazes, the captured poses.
    constraints : ConstraintSet
        Joint constraints of one moment.
    placing : Placing
        Of those coordinates in the world.

    Returns
    -------
    tuple of Target
        In the order of the constraints; one with a position, an orientation and a gaze gives three.

    Raises
    ------
    InvalidInputError
        For what a pose cannot honour.
    UnknownJointError
        For a joint that the skeleton does not have.
    """
    check_pose_constraints(constraints)
    joints = check_joints(constraints, space.coordinates.skeleton, space.roles)
    targets: list[Target] = []
    inside = constraints.frame == "root"
    for c, joint in zip(constraints.joints, joints, strict=True):
        targets += _targets_of(space, c, joint, None if inside else placing)
    targets += [_mass_target(space, c, placing) for c in constraints.center_of_mass]
    return tuple(targets)


def _mass_target(space: PoseSpace, c: CenterOfMassConstraint, placing: Placing) -> Target:
    """The centre of mass at a place of the floor, at a height, or both."""
    if not mass_of(space).any():
        raise InvalidInputError(
            "center_of_mass: how this skeleton's mass is shared is not known, as joints of a human"
            " are missing; name them in a roles table, or leave it out",
            field="center_of_mass",
        )
    asked = np.array([float(a in c.axes) for a in "xyz"])
    at = placing.to_root(c.position)
    return Target(space.coordinates.root, "balance", at, asked, c.weight, c.priority)


def _targets_of(
    space: PoseSpace, c: JointConstraint, joint: int, placing: Placing | None
) -> list[Target]:
    """Targets of one joint; without a placing they are in root coordinates already."""
    found = []
    counts = (c.weight, c.priority)
    placing = ORIGIN if placing is None else placing
    if c.position is not None:
        at = placing.to_root(c.position)
        tip = (0.0, 0.0, 0.0) if c.tool is None or c.tool.offset is None else c.tool.offset
        found.append(Target(joint, "position", at, np.array(tip), *counts))
    if c.orientation is not None:
        turn = placing.turn_to_root(rot.normalize(np.array(c.orientation)))
        if c.tool is not None and c.tool.orientation is not None:
            # The tool is turned right when its joint is turned by this.
            held = rot.normalize(np.array(c.tool.orientation))
            turn = rot.multiply(turn, rot.conjugate(held))
        found.append(Target(joint, "orientation", turn, np.zeros(3), *counts))
    if c.look_at is not None:
        at = placing.to_root(c.look_at)
        axis = _looking_axis(space, joint) if c.axis is None else np.array(c.axis)
        found.append(Target(joint, "gaze", at, axis, *counts))
    return found


def _looking_axis(space: PoseSpace, joint: int) -> Array:
    """Axis of a joint's frame that on average points where the trunk faces.

    People look ahead on average, so for the head it is the line of sight, whatever axes a rig has
    at rest.

    Parameters
    ----------
    space : PoseSpace
        The captured poses that are averaged.
    joint : int
        Index in the skeleton.

    Returns
    -------
    array of shape (3,)
        Unit vector in the joint's frame.

    Raises
    ------
    InvalidInputError
        When the skeleton has no hips, shoulders or chest by which a direction ahead could be told.
    """
    world, left, up = _trunk_directions(space)
    ahead = np.cross(left, up)
    ahead /= np.maximum(np.linalg.norm(ahead, axis=-1, keepdims=True), 1e-9)
    mean: Array = rot.rotate(rot.conjugate(world.rotations[:, joint]), ahead).mean(axis=0)
    return mean / np.linalg.norm(mean)


def _trunk_directions(space: PoseSpace) -> tuple[WorldPose, Array, Array]:
    """Kinematics of all captured poses in root coordinates, and where the trunk's left and up are
    in each, (N, 3).

    Raises
    ------
    InvalidInputError
        When the skeleton has no hips, shoulders or chest by which that could be told.
    """
    roles = space.roles.joints
    sides = ("hip", "shoulder")
    pairs = [
        (roles[f"right_{s}"], roles[f"left_{s}"])
        for s in sides
        if {f"right_{s}", f"left_{s}"} <= roles.keys()
    ]
    top = next((roles[name] for name in ("neck", "chest", "head") if name in roles), None)
    if not pairs or top is None:
        raise InvalidInputError(
            "cannot tell what is up and ahead on this skeleton; name its hips, shoulders and neck"
            " in a roles table"
        )
    world = forward_kinematics(space.coordinates.to_motion(space.poses))
    left = np.mean([world.positions[:, b] - world.positions[:, a] for a, b in pairs], axis=0)
    return world, left, world.positions[:, top] - world.positions[:, roles["hips"]]
