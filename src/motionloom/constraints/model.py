"""The vocabulary of constraints as frozen, validated models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from motionloom.constraints.key_poses import KeyPose
from motionloom.constraints.obstacles import Obstacle
from motionloom.constraints.spans import (
    CostConstraint,
    PathConstraint,
    StillConstraint,
    StyleConstraint,
)
from motionloom.constraints.values import (
    MAX_DURATION,
    MAX_FPS,
    Degrees,
    Ground,
    Model,
    Name,
    Number,
    Point,
    Quaternion,
    Time,
    Weight,
    field_error,
)


class Held(Model):
    """Something at a time, or held from a time to another.

    In a file ``from`` may stand for ``time``; ``to`` is `end`.
    """

    time: Time
    end: Time | None = Field(default=None, alias="to")

    @model_validator(mode="before")
    @classmethod
    def _take_from(cls, data: Any) -> Any:
        if isinstance(data, dict) and "from" in data and "time" not in data:
            return {"time" if name == "from" else name: value for name, value in data.items()}
        return data

    @model_validator(mode="after")
    def _check_end(self) -> Self:
        if self.end is not None and self.end <= self.time:
            raise field_error(
                ("to",),
                f"expected a time after the begin of {self.time:g} s, got {self.end:g} s; swap"
                " the two",
            )
        return self


class BodyConstraint(Held):
    """Where the body is and where it faces at a time, or stands from a time to another.

    Parameters
    ----------
    time : float, seconds
    end : float, seconds, optional
        ``to`` in a file: until then the body stays.
    position : tuple of (float, float), metres
        x and z on the ground plane, below the hips.
    facing : float, degrees, optional
        From +Z towards +X; any direction will do when not given.
    """

    position: Ground = Field(
        description="two numbers [x, z] in metres, within 1000 m",
        json_schema_extra={"example": [1.0, 2.5]},
    )
    facing: Degrees | None = Field(
        default=None,
        description="an angle in degrees from +Z towards +X",
        json_schema_extra={"example": 90},
    )


class JointConstraint(Held):
    """What a joint does at a time, or from a time to another: where it is, how fast it moves, how
    it is turned.

    Parameters
    ----------
    time : float, seconds
    end : float, seconds, optional
        ``to`` in a file: until then the joint stays at its position.
    joint : str
        Name of a joint, or of a role such as ``right_hand``.
    position : tuple of (float, float, float), metres, optional
        x, y, z in the world, y up.
    velocity : tuple of (float, float, float), metres per second, optional
    orientation : tuple of (float, float, float, float), optional
        Rotation w, x, y, z of the joint in the world; ``[1, 0, 0, 0]`` as in the skeleton's rest
        pose.
    look_at : tuple of (float, float, float), metres, optional
        Point that the joint's `axis` points at.
    axis : tuple of (float, float, float), optional
        Axis in the joint's frame that looks at `look_at`; where it points when people look ahead
        when not given.
    priority : int
        1 is met first; honoured by methods that solve for one pose, the motion graph treats all
        alike.
    weight : float
        Importance beside other constraints of the same priority.
    """

    joint: Name = Field(
        description="the name of a joint or a role such as right_hand",
        json_schema_extra={"example": "RightHand"},
    )
    position: Point | None = Field(
        default=None,
        description="three numbers [x, y, z] in metres, y up, within 1000 m",
        json_schema_extra={"example": [0.3, 1.2, 2.5]},
    )
    velocity: Point | None = Field(
        default=None,
        description="three numbers [x, y, z] in metres per second, y up",
        json_schema_extra={"example": [0.0, 0.0, 1.5]},
    )
    orientation: Quaternion | None = Field(
        default=None,
        description="a rotation [w, x, y, z] of the joint in the world",
        json_schema_extra={"example": [1.0, 0.0, 0.0, 0.0]},
    )
    look_at: Point | None = Field(
        default=None,
        description="three numbers [x, y, z] in metres, y up, within 1000 m",
        json_schema_extra={"example": [0.5, 1.6, 3.0]},
    )
    axis: Point | None = Field(
        default=None,
        description="three numbers [x, y, z], an axis in the joint's frame",
        json_schema_extra={"example": [0.0, 0.0, 1.0]},
    )
    priority: Annotated[int, Field(strict=True, ge=1, le=100)] = Field(
        default=1,
        description="a whole number from 1 (met first) to 100",
        json_schema_extra={"example": 1},
    )
    weight: Weight = 1.0

    @model_validator(mode="after")
    def _check_wish(self) -> Self:
        if (
            self.position is None
            and self.velocity is None
            and self.orientation is None
            and self.look_at is None
        ):
            raise field_error(
                ("position",),
                "missing; expected a position or a velocity, or of a pose an orientation or"
                " look_at; write for example 'position: [0.3, 1.2, 2.5]'",
            )
        if self.end is not None and (self.position is None or self.velocity is not None):
            raise field_error(
                ("to",),
                "only a position can be held; give one, and leave out the velocity, or leave out"
                " 'to'",
            )
        if self.axis is not None and self.look_at is None:
            raise field_error(
                ("axis",),
                "an axis without look_at means nothing; say what it points at, or leave it out",
            )
        for name, value in (("axis", self.axis), ("orientation", self.orientation)):
            if value is not None and max(map(abs, value)) < 1e-6:
                raise field_error(
                    (name,),
                    "all numbers are 0, which is no direction; write '[1, 0, 0, 0]' for an"
                    " orientation, '[0, 0, 1]' for an axis",
                )
        return self


class PoseConstraint(Model):
    """A frame of a clip that is shown at a time, exactly.

    Parameters
    ----------
    time : float, seconds
    clip : str
        Name of the clip: its file's name without the suffix.
    frame : int
        Counted from 0 in the clip's file, at the file's own rate.
    """

    time: Time
    clip: Name = Field(description="the name of a clip", json_schema_extra={"example": "walk_3"})
    frame: Annotated[int, Field(strict=True, ge=0, le=100_000_000)] = Field(
        description="a frame of the clip, counted from 0", json_schema_extra={"example": 40}
    )


class ConstraintSet(Model):
    """Everything that is asked of one motion.

    Parameters
    ----------
    duration : float, seconds
        The last frame is at this time, so a motion has ``round(duration * fps) + 1`` frames.
    fps : float
        Frames per second.
    body : tuple of BodyConstraint
        At most one per frame; kept in the order of time.
    joints : tuple of JointConstraint
        At most one per joint and frame; kept in the order of time.
    poses : tuple of PoseConstraint
        Hard; at most one per frame; kept in the order of time.
    key_poses : tuple of KeyPose
        Poses of one's own; at most one per frame; kept in the order of time.
    avoid : tuple of Cylinder, Box or HeightMap
        What the whole body keeps out of.
    still : tuple of StillConstraint
    style : tuple of StyleConstraint
    paths : tuple of PathConstraint
    costs : tuple of CostConstraint
    frame : {"world", "root"}, optional
        What places and rotations of joints are relative to: the world, or the joint that carries
        the body. Of poses only; the world when not given.

    Raises
    ------
    InvalidInputError
        In one sentence: which field, what was given and what was expected.
    """

    duration: Annotated[Number, Field(gt=0, le=MAX_DURATION)] = Field(
        description="a number of seconds above 0, at most 3600", json_schema_extra={"example": 8.0}
    )
    fps: Annotated[Number, Field(gt=0, le=MAX_FPS)] = Field(
        default=30.0,
        description="frames per second above 0, at most 1000",
        json_schema_extra={"example": 30},
    )
    body: tuple[BodyConstraint, ...] = Field(
        default=(),
        description="a list of body constraints",
        json_schema_extra={"example": "[{time: 0.0, position: [0.0, 0.0], facing: 0}]"},
    )
    joints: tuple[JointConstraint, ...] = Field(
        default=(),
        description="a list of joint constraints",
        json_schema_extra={"example": "[{time: 5.0, joint: RightHand, position: [1.2, 1.1, 1.9]}]"},
    )
    poses: tuple[PoseConstraint, ...] = Field(
        default=(),
        description="a list of poses",
        json_schema_extra={"example": "[{time: 5.0, clip: walk_3, frame: 40}]"},
    )
    key_poses: tuple[KeyPose, ...] = Field(
        default=(),
        description="a list of poses out of files",
        json_schema_extra={"example": "[{time: 3.0, file: crouch.bvh, frame: 0}]"},
    )
    avoid: tuple[Obstacle, ...] = Field(
        default=(),
        description="a list of obstacles",
        json_schema_extra={"example": "[{shape: cylinder, center: [1.0, 1.5], radius: 0.4}]"},
    )
    still: tuple[StillConstraint, ...] = Field(
        default=(),
        description="a list of spans",
        json_schema_extra={"example": "[{from: 6.0, to: 8.0}]"},
    )
    style: tuple[StyleConstraint, ...] = Field(
        default=(),
        description="a list of styles",
        json_schema_extra={"example": "[{from: 2.0, to: 6.0, label: elderly}]"},
    )
    paths: tuple[PathConstraint, ...] = Field(
        default=(),
        description="a list of paths",
        json_schema_extra={"example": "[{points: [[0, 0], [1, 2], [3, 2]], from: 0.0, to: 5.0}]"},
    )
    costs: tuple[CostConstraint, ...] = Field(
        default=(),
        description="a list of costs",
        json_schema_extra={"example": "[{name: hands_low, weight: 0.5}]"},
    )
    frame: Literal["world", "root"] | None = Field(
        default=None, description="'world' or 'root'", json_schema_extra={"example": "root"}
    )

    @property
    def n_frames(self) -> int:
        """Number of frames of a motion that answers this set."""
        return round(self.duration * self.fps) + 1

    def frame_of(self, time: float) -> int:
        """Frame nearest to a time."""
        return min(round(time * self.fps), self.n_frames - 1)

    def frames_of(self, constraint: Held) -> range:
        """Frames for which a constraint is asked: one, or all of its span."""
        first = self.frame_of(constraint.time)
        last = first if constraint.end is None else self.frame_of(constraint.end)
        return range(first, last + 1)

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.n_frames < 2:
            raise field_error(
                ("duration",),
                f"{self.duration:g} s at {self.fps:g} fps is not even two frames; make it longer",
            )
        for name in ("body", "joints", "poses", "key_poses"):
            self._check_times(name)
            ordered = tuple(sorted(getattr(self, name), key=lambda c: c.time))
            object.__setattr__(self, name, ordered)
        for name in ("still", "style", "paths", "costs"):
            for i, span in enumerate(getattr(self, name)):
                self._check_end((name, i), span)
        return self

    def _check_end(self, where: tuple[str | int, ...], span: Any) -> None:
        times = {
            "to": getattr(span, "end", None),
            "times": max(getattr(span, "times", None) or (0.0,)),
        }
        for name, time in times.items():
            if time is not None and time > self.duration:
                raise field_error((*where, name), self._too_late(time))

    def _too_late(self, time: float) -> str:
        return (
            f"{time:g} s is after the end of the motion; expected a time from 0 to the duration "
            f"of {self.duration:g} s; move the constraint or make the duration longer"
        )

    def _check_times(self, name: str) -> None:
        spans: dict[str, list[tuple[int, int, int]]] = {}
        for i, constraint in enumerate(getattr(self, name)):
            end = getattr(constraint, "end", None)
            for field, time in (("time", constraint.time), ("to", end)):
                if time is not None and time > self.duration:
                    raise field_error((name, i, field), self._too_late(time))
            first = self.frame_of(constraint.time)
            last = first if end is None else self.frame_of(end)
            spans.setdefault(getattr(constraint, "joint", ""), []).append((first, i, last))
        overlaps = [pair for own in spans.values() for pair in _overlaps(own)]
        if overlaps:
            i, other = min(overlaps)
            constraint = getattr(self, name)[i]
            plural = {"body": "the body", "poses": "poses", "key_poses": "key poses"}
            what = plural.get(name) or f"joint {constraint.joint!r}"
            raise field_error(
                (name, i, "time"),
                f"{constraint.time:g} s falls on the same frame as {name}[{other}]; "
                f"expected at most one constraint of {what} per frame, so remove one of the two",
            )


def _overlaps(spans: list[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """Later and earlier index of spans (first frame, index, last frame) that share a frame with one
    before.
    """
    reach = -1
    holder = -1
    for first, i, last in sorted(spans):
        if first <= reach:
            yield max(i, holder), min(i, holder)
        if last > reach:
            reach = last
            holder = i
