"""What joints do: where they are, how fast they move, how they are turned.

What joints carry, and how an edited clip goes over into a constraint.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

import numpy as np
from pydantic import model_validator

from motionloom.constraints.kinds._kind import Kind, entries
from motionloom.constraints.kinds.marks import Point as PointMark
from motionloom.constraints.kinds.measures import ConstraintError, Shown
from motionloom.constraints.values import (
    MAX_DURATION,
    Held,
    Model,
    Name,
    Number,
    Point,
    Priority,
    Quaternion,
    Weight,
    expects,
    field_error,
)
from motionloom.errors import Hint

Ease = Annotated[
    Number | None, expects("a number of seconds, at least 0", 0.4, ge=0, le=MAX_DURATION)
]


class Tool(Model):
    """Something that a joint carries and that moves with it, such as a club or a racket.

    Parameters
    ----------
    offset : tuple of (float, float, float), metres, optional
        The point of the tool that counts, in the joint's frame; the joint itself when not given.
    orientation : tuple of (float, float, float, float), optional
        Rotation w, x, y, z of the tool in the joint's frame; as the joint when not given.
    """

    offset: Point | None = expects(
        "three numbers [x, y, z] in metres, in the joint's frame", [0.0, 0.0, 0.3], None
    )
    orientation: Quaternion | None = expects(
        "a rotation [w, x, y, z] of the tool in the joint's frame", [1.0, 0.0, 0.0, 0.0], None
    )


class Eased(Held):
    """Something held that an edited clip goes over into, and back.

    Parameters
    ----------
    ease_in, ease_out : float, seconds, optional
        Time before and after; that of the edit when not given.
    """

    ease_in: Ease = None
    ease_out: Ease = None


class JointConstraint(Eased):
    """What a joint does at a time or over a span: where it is, how it moves, how it is turned.

    Parameters
    ----------
    time : float, seconds
        From the begin of the motion.
    end : float, seconds, optional
        ``to`` in a file: until then the joint stays at its position.
    joint : str
        Name of a joint, or of a role such as ``right_hand``.
    position : tuple of (float, float, float), metres, optional
        x, y, z in the world, y up.
    shift : tuple of (float, float, float), metres, optional
        How far the joint is moved from where an edited clip has it.
    velocity : tuple of (float, float, float), metres per second, optional
        Along x, y and z in the world, with which it passes there.
    orientation : tuple of (float, float, float, float), optional
        Rotation w, x, y, z of the joint in the world; ``[1, 0, 0, 0]`` as in the skeleton's rest
        pose.
    look_at : tuple of (float, float, float), metres, optional
        Point that the joint's `axis` points at.
    axis : tuple of (float, float, float), optional
        Axis in the joint's frame that looks at `look_at`; where it points when people look ahead
        when not given.
    tool : Tool, optional
        What the joint carries: `position`, `shift` and `orientation` are then the tool's.
    ease_in, ease_out : float, seconds, optional
        Time before and after in which an edited clip goes over into the constraint and back.
    priority : int
        1 is met first; honoured by methods that solve for one pose, the motion graph treats all
        alike.
    weight : float
        Importance beside other constraints of the same priority.
    """

    joint: Name = expects("the name of a joint or a role such as right_hand", "RightHand")
    position: Point | None = expects(
        "three numbers [x, y, z] in metres, y up, within 1000 m", [0.3, 1.2, 2.5], None
    )
    shift: Point | None = expects(
        "three numbers [x, y, z] in metres, y up, within 1000 m", [0.0, 0.1, 0.0], None
    )
    velocity: Point | None = expects(
        "three numbers [x, y, z] in metres per second, y up", [0.0, 0.0, 1.5], None
    )
    orientation: Quaternion | None = expects(
        "a rotation [w, x, y, z] of the joint in the world", [1.0, 0.0, 0.0, 0.0], None
    )
    look_at: Point | None = expects(
        "three numbers [x, y, z] in metres, y up, within 1000 m", [0.5, 1.6, 3.0], None
    )
    axis: Point | None = expects(
        "three numbers [x, y, z], an axis in the joint's frame", [0.0, 0.0, 1.0], None
    )
    tool: Tool | None = expects(
        "what the joint carries: an offset in its frame, and how it is turned there",
        {"offset": [0.0, 0.0, 0.3]},
        None,
    )
    priority: Priority = 1
    weight: Weight = 1.0

    @model_validator(mode="after")
    def _check_wish(self) -> Self:
        asked = (self.position, self.shift, self.velocity, self.orientation, self.look_at)
        if all(wish is None for wish in asked):
            raise field_error(
                ("position",),
                "missing; expected a position or a velocity, or of a pose an orientation or"
                " look_at; write for example 'position: [0.3, 1.2, 2.5]'",
            )
        self._check_place()
        if self.axis is not None and self.look_at is None:
            raise field_error(
                ("axis",),
                "an axis without look_at means nothing; say what it points at, or leave it out",
            )
        self._check_tool()
        held = None if self.tool is None else self.tool.orientation
        for name, value in (
            (("axis",), self.axis),
            (("orientation",), self.orientation),
            (("tool", "orientation"), held),
        ):
            if value is not None and max(map(abs, value)) < 1e-6:
                raise field_error(
                    name,
                    "all numbers are 0, which is no direction; write '[1, 0, 0, 0]' for an"
                    " orientation, '[0, 0, 1]' for an axis",
                )
        return self

    def _check_tool(self) -> None:
        if self.tool is None:
            return
        if self.tool.offset is None and self.tool.orientation is None:
            raise field_error(
                ("tool",),
                "empty; expected an offset or an orientation; write for example 'tool: {offset:"
                " [0, 0, 0.25]}', or leave it out",
            )
        placed = self.position is not None or self.shift is not None
        for mine, wanted, asked in (
            ("offset", "position", placed),
            ("orientation", "orientation", self.orientation is not None),
        ):
            if getattr(self.tool, mine) is not None and not asked:
                raise field_error(
                    ("tool", mine),
                    f"a tool's {mine} means nothing where no {wanted} is asked for; say its"
                    f" {wanted}, or leave it out",
                )

    def _check_place(self) -> None:
        if self.position is not None and self.shift is not None:
            raise field_error(
                ("shift",), "a joint with a position is not shifted, too; leave one of them out"
            )
        if self.end is not None and self.velocity is not None:
            raise field_error(
                ("to",),
                "only a position can be held; give one, and leave out the velocity, or leave out"
                " 'to'",
            )


def _error(c: JointConstraint, index: int, shown: Shown) -> ConstraintError:
    frames = shown.constraints.frames_of(c)
    joint = shown.lookup.joint(c.joint)
    far = 0.0
    if c.position is not None:
        far = max(float(np.linalg.norm(shown.place(frame, joint) - c.position)) for frame in frames)
    rate = None
    if c.velocity is not None:
        rate = float(np.linalg.norm(shown.velocity(frames.start, joint) - c.velocity))
    return ConstraintError("joint", index, frames.start, far, velocity=rate)


def _of_joints(name: str, advice: str = "", hint: Hint | None = "make motion") -> Kind:
    """The kind that is about one field of joint constraints."""
    return Kind(
        name,
        is_asked=lambda asked: any(getattr(c, name) is not None for c in asked.joints),
        advice=advice or "leave it out, or ask for a motion",
        hint=hint,
    )


_FOR_POSES = "it is for single poses; leave it out, or ask for one pose"
JOINTS = Kind(
    name="joints",
    item="joint",
    model=JointConstraint,
    field=entries(
        "a list of joint constraints", "[{time: 5.0, joint: RightHand, position: [1.2, 1.1, 1.9]}]"
    ),
    alone=lambda c: f"joint {c.joint!r}" + ("" if c.tool is None else " with a tool"),
    label=lambda c, _: f"{c.joint} at {c.time:g} s",
    check=lambda c, _, lookup: lookup.joint(c.joint),
    error=_error,
    marks=lambda c, _: (
        PointMark(c.time, at=c.position, velocity=c.velocity, joint=c.joint, text=c.joint),
    ),
    asks="deed",
    aside="then",
    retimed=True,
)
POSITION = _of_joints("position")
VELOCITY = _of_joints("velocity")
_FOR_EDITS = "it is for clips that are edited; leave it out"
SHIFT = _of_joints("shift", _FOR_EDITS, "edit clip")
TOOL = _of_joints(
    "tool", "it is for poses and edited clips; leave it out, or ask for one of these", "edit clip"
)
EASE = Kind(
    "ease",
    fields=("ease_in", "ease_out"),
    advice=_FOR_EDITS,
    hint="edit clip",
    is_asked=lambda asked: any(
        c.ease_in is not None or c.ease_out is not None
        for c in (*asked.joints, *asked.center_of_mass)
    ),
)
ORIENTATION = _of_joints("orientation", _FOR_POSES, "make pose")
LOOK_AT = _of_joints("look_at", _FOR_POSES, "make pose")
HOLD = Kind(
    "hold",
    fields=("from", "to"),
    advice="give a time instead",
    hint=None,
    is_asked=lambda asked: any(
        c.end is not None for c in (*asked.body, *asked.joints, *asked.center_of_mass)
    ),
)


class CenterOfMassConstraint(Eased):
    """Where the centre of mass of the body is at a time or over a span.

    Parameters
    ----------
    time : float, seconds
        From the begin of the motion.
    end : float, seconds, optional
        ``to`` in a file: until then it stays there.
    position : tuple of (float, float, float), metres
        x, y, z in the world, y up.
    axes : {"xz", "y", "xyz"}
        What of it is asked for: above which place, how high, or both.
    ease_in, ease_out : float, seconds, optional
        Time before and after in which an edited clip goes over into the constraint and back.
    priority : int
        1 is met first.
    weight : float
        Importance beside other constraints of the same priority.
    """

    position: Point = expects(
        "three numbers [x, y, z] in metres, y up, within 1000 m", [0.0, 0.9, 0.1]
    )
    axes: Literal["xz", "y", "xyz"] = expects("'xz', 'y' or 'xyz'", "xz", "xz")
    priority: Priority = 1
    weight: Weight = 1.0


CENTER_OF_MASS = Kind(
    name="center_of_mass",
    item="center_of_mass",
    model=CenterOfMassConstraint,
    field=entries(
        "a list of constraints of the centre of mass", "[{time: 1.5, position: [0.0, 0.9, 0.1]}]"
    ),
    advice="it is for poses and edited clips; leave it out",
    hint="edit clip",
    alone=lambda c: "the centre of mass",
    label=lambda c, _: f"centre of mass at {c.time:g} s",
    marks=lambda c, _: (PointMark(c.time, at=c.position, text="centre of mass"),),
    asks="deed",
)
