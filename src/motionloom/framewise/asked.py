"""From a constraint file to the goals of an edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from motionloom import rotations as rot
from motionloom.constraints import ConstraintSet, JointConstraint, check_joints
from motionloom.constraints.files import check_constraints, in_mapping
from motionloom.constraints.kinds.joints import CenterOfMassConstraint
from motionloom.constraints.kinds.table import refuse_unhonoured
from motionloom.errors import FormatError, InvalidInputError
from motionloom.framewise._goals import Goal, GoalKind
from motionloom.io.document import Document, read_document
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.two_bones import unit
from motionloom.typing import Array

#: Kinds of constraints that an edit of a clip can honour.
EDIT_KINDS = frozenset(
    {
        *("joints", "position", "shift", "orientation", "look_at", "tool", "ease", "hold"),
        *("center_of_mass", "feet", "balance"),
    }
)
#: Time in which a clip goes over into a constraint and back unless it says otherwise, seconds.
EASE = 0.4
#: Frame rates that differ by less than this share are the same.
_SAME_RATE = 1e-3


def read_edit(
    given: ConstraintSet | Mapping[str, Any] | str | PathLike[str], motion: Motion
) -> ConstraintSet:
    """Read what a clip is to be edited to.

    Parameters
    ----------
    given : ConstraintSet, mapping or path-like
        A constraint file, or its fields; its duration and rate are those of the clip, and may be
        left out.
    motion : Motion
        The clip.

    Returns
    -------
    ConstraintSet

    Raises
    ------
    FormatError
        In one sentence: file, line, field, what was read, what was expected and what to do.
    InvalidInputError
        The same of what is no file.

    Examples
    --------
    >>> lift = {"time": 1.0, "joint": "right_hand", "shift": [0.0, 0.1, 0.0]}
    >>> asked = read_edit({"joints": [lift]}, walk)
    >>> asked.fps, round(asked.duration, 2)  # those of the clip
    (30.0, 7.7)
    """
    if isinstance(given, ConstraintSet):
        with in_mapping():
            _check_times({"fps": given.fps, "duration": given.duration}, motion)
        return given
    if isinstance(given, Mapping):
        with in_mapping():
            return _edit_of(Document(dict(given), {}), "constraints", motion)
    return _edit_of(read_document(given), given, motion)


def _edit_of(document: Document, path: str | PathLike[str], motion: Motion) -> ConstraintSet:
    value = document.value
    if not isinstance(value, dict):
        return check_constraints(document, path)
    _check_times(value, motion, path, document)
    whole = {**value, "fps": motion.fps, "duration": max(motion.duration, motion.frame_time)}
    return check_constraints(replace(document, value=whole), path)


def _check_times(
    value: dict[str, Any],
    motion: Motion,
    path: str | PathLike[str] = "constraints",
    document: Document | None = None,
) -> None:
    """Refuse another rate than the clip's, and a longer time."""
    document = document or Document(value, {})
    rate = value.get("fps", motion.fps)
    if isinstance(rate, (int, float)) and abs(rate / motion.fps - 1) > _SAME_RATE:
        raise FormatError(
            f"fps: an edit keeps the clip's {motion.fps:g} frames per second, got {rate:g}; leave"
            " it out, or convert the clip",
            path,
            document.line_of(("fps",)),
        )
    length = value.get("duration", motion.duration)
    if isinstance(length, (int, float)) and length > motion.duration + motion.frame_time:
        raise FormatError(
            f"duration: the clip lasts {motion.duration:.6g} s, got {length:g} s; leave it out",
            path,
            document.line_of(("duration",)),
        )


def goals_of(
    constraints: ConstraintSet, posed: PosedMotion, ease: float = EASE
) -> tuple[Goal, ...]:
    """Goals of a constraint set.

    Parameters
    ----------
    constraints : ConstraintSet
        At the rate of the clip.
    posed : PosedMotion
        The clip: its joints, and for gazes where it faces.
    ease : float, seconds
        Easing in and out where a constraint does not say.

    Returns
    -------
    tuple of Goal
        In the order of the constraints; one with a position, an orientation and a gaze gives three.

    Raises
    ------
    InvalidInputError
        For what an edit cannot honour, and when nothing is asked for.
    UnknownJointError
        For a joint that the skeleton does not have.
    """
    refuse_unhonoured(constraints, "an edit", EDIT_KINDS)
    joints = check_joints(constraints, posed.skeleton, posed.roles)
    goals: list[Goal] = []
    for c, joint in zip(constraints.joints, joints, strict=True):
        goals += _goals_of_joint(constraints, c, joint, posed, ease)
    for m in constraints.center_of_mass:
        name = f"centre of mass at {m.time:g} s"
        common = _common(constraints, m, ease)
        goals.append(Goal("mass", m.position, axes=m.axes, name=name, **common))
    if not goals:
        raise InvalidInputError(
            "joints: an edit needs at least one constraint of a joint or the centre of mass; add"
            " one",
            field="joints",
        )
    return tuple(goals)


def _common(
    constraints: ConstraintSet, c: JointConstraint | CenterOfMassConstraint, ease: float
) -> dict[str, Any]:
    """When a goal is asked for and how it counts."""
    frames = constraints.frames_of(c)
    return {
        "first": frames.start,
        "last": frames.stop - 1,
        "layer": c.priority,
        "weight": c.weight,
        "ease_in": ease if c.ease_in is None else c.ease_in,
        "ease_out": ease if c.ease_out is None else c.ease_out,
    }


def _goals_of_joint(
    constraints: ConstraintSet, c: JointConstraint, joint: int, posed: PosedMotion, ease: float
) -> list[Goal]:
    when = f"at {c.time:g} s" if c.end is None else f"from {c.time:g} to {c.end:g} s"
    common = {"joint": joint, **_common(constraints, c, ease)}
    offset, turn = (None, None) if c.tool is None else (c.tool.offset, c.tool.orientation)
    asked: tuple[tuple[GoalKind, str, Any, Any], ...] = (
        ("position", "position", c.position, offset),
        ("position", "shift", c.shift, offset),
        ("orientation", "orientation", c.orientation, turn),
    )
    where = f"{c.joint} tool" if c.tool is not None else c.joint
    goals = []
    for kind, what, value, local in asked:
        if value is not None:
            own = {"shift": what == "shift", "name": f"{where} {what} {when}", **common}
            goals.append(Goal(kind, value, local=local, **own))
    if c.look_at is not None:
        axis = _looking_axis(posed, joint) if c.axis is None else c.axis
        name = f"{c.joint} look_at {when}"
        goals.append(Goal("gaze", c.look_at, local=axis, name=name, **common))
    return goals


def _looking_axis(posed: PosedMotion, joint: int) -> Array:
    """Axis of a joint's frame that on average points where the body faces."""
    facing = posed.facing
    ahead = np.stack([np.sin(facing), np.zeros(len(facing)), np.cos(facing)], axis=-1)
    return unit(rot.rotate(rot.conjugate(posed.rotations[:, joint]), ahead).mean(axis=0))


#: Steepest slope, degrees.
STEEPEST = 30.0
#: Feet that move farther than this over a clip do not stand, metres.
_STANDS = 0.05


def slope_turn(degrees: float, facing: float = 0.0) -> Array:
    """Rotation (4,) of ground that rises to the left of who faces that way (radians, from +Z)."""
    ahead = np.array([np.sin(facing), 0.0, np.cos(facing)])
    return rot.from_rotvec(np.radians(degrees) * ahead)


def slope_goals(posed: PosedMotion, degrees: float, facing: float = 0.0) -> tuple[Goal, ...]:
    """Feet of a whole clip on ground that is tilted about the line ahead, between the feet.

    Parameters
    ----------
    posed : PosedMotion
        The clip.
    degrees : float
        Slope; above 0 it rises to the left.
    facing : float, radians
        Which way is ahead, from +Z.
    """
    turn = slope_turn(degrees, facing)
    joints = [posed.roles.joints[role] for role in posed.roles.feet]
    middle = posed.positions[:, joints].mean(axis=(0, 1)) * [1.0, 0.0, 1.0]
    last = posed.n_frames - 1
    goals = []
    for joint in joints:
        at = posed.positions[:, joint].mean(axis=0)
        away = middle + rot.rotate(turn, at - middle) - at
        name = posed.skeleton.names[joint]
        kinds: tuple[tuple[GoalKind, Array], ...] = (("position", away), ("orientation", turn))
        for kind, value in kinds:
            told = f"{name} {kind} on the slope"
            goals.append(Goal(kind, value, 0, last, joint=joint, shift=True, name=told))
    return tuple(goals)


def stand_on_slope(posed: PosedMotion, degrees: float) -> tuple[Goal, ...]:
    """The same, across the way that the body faces on average.

    Raises
    ------
    InvalidInputError
        For a slope that nobody stands on, a body without feet, or feet that do not stay.
    """
    if not abs(degrees) <= STEEPEST:
        raise InvalidInputError(f"a slope has at most {STEEPEST:g} degrees, got {degrees:g}")
    joints = [posed.roles.joints[role] for role in posed.roles.feet]
    if not joints:
        raise InvalidInputError("the clip's joints do not say where its feet are; name their roles")
    moved = float(np.ptp(posed.positions[:, joints][..., [0, 2]], axis=0).max())
    if moved > _STANDS:
        raise InvalidInputError(
            f"the feet move by {100 * moved:.0f} cm; only who stands can be put on a slope, so cut"
            " the clip to where they stand"
        )
    facing = float(np.angle(np.exp(1j * posed.facing).mean()))
    return slope_goals(posed, degrees, facing)
