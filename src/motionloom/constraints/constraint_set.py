"""Everything that is asked of one motion: the lists of all kinds, validated together."""

from __future__ import annotations

from collections.abc import Iterator
from types import GenericAlias
from typing import Any, Literal, Self

from pydantic import model_validator
from pydantic.fields import FieldInfo

from motionloom.constraints.kinds._kind import Kind
from motionloom.constraints.kinds._style import COSTS, STYLE, CostConstraint, StyleConstraint
from motionloom.constraints.kinds.avoid import AVOID, Obstacle
from motionloom.constraints.kinds.body import BODY, BodyConstraint
from motionloom.constraints.kinds.ground import GROUND, Surface
from motionloom.constraints.kinds.joints import (
    CENTER_OF_MASS,
    JOINTS,
    CenterOfMassConstraint,
    JointConstraint,
)
from motionloom.constraints.kinds.paths import PATHS, PathConstraint
from motionloom.constraints.kinds.poses import KEY_POSES, POSES, KeyPose, PoseConstraint
from motionloom.constraints.kinds.speeds import SPEEDS, STILL, SpeedConstraint, StillConstraint
from motionloom.constraints.kinds.table import KINDS
from motionloom.constraints.values import (
    Duration,
    FramesPerSecond,
    Held,
    Model,
    expects,
    field_error,
)
from motionloom.errors import InvalidInputError
from motionloom.plugins import KINDS as PLUGINS
from motionloom.plugins import load_plugins, note_registered


class ConstraintSet(Model):
    """Everything that is asked of one motion.

    Its lists are those of the kinds in `motionloom.constraints.kinds.table`; a kind that is
    registered later adds its own.

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
    center_of_mass : tuple of CenterOfMassConstraint
        At most one per frame; kept in the order of time. Of edited clips only.
    poses : tuple of PoseConstraint
        Hard; at most one per frame; kept in the order of time.
    key_poses : tuple of KeyPose
        Poses of one's own; at most one per frame; kept in the order of time.
    avoid : tuple of Cylinder, Box or HeightMap
        What the whole body keeps out of.
    ground : tuple of HeightMap, Slope or Stairs
        What is walked on; heights add up over level ground.
    still : tuple of StillConstraint
        Spans in which the body stands still.
    style : tuple of StyleConstraint
        Spans in which frames with a label are shown.
    paths : tuple of PathConstraint
        Ways along the ground.
    speeds : tuple of SpeedConstraint
        How fast the body goes along a way.
    costs : tuple of CostConstraint
        Costs written in Python.
    frame : {"world", "root"}, optional
        What places and rotations of joints are relative to: the world, or the joint that carries
        the body. Of poses only; the world when not given.

    feet : {"planted", "free"}, optional
        Whether feet that stand on the floor stay where they are, unless their place is asked for;
        planted when not given. Of poses and edited clips only.
    balance : {"wished", "kept", "free"}, optional
        Whether the centre of mass should be, or has to be, above what the body stands on; wished
        when not given. Of poses and edited clips only.

    Raises
    ------
    InvalidInputError
        In one sentence: which field, what was given and what was expected.

    Examples
    --------
    >>> wish = ConstraintSet(duration=4.0, body=[{"time": 0.0, "position": [0, 0], "facing": 90}])
    >>> wish.n_frames, wish.body[0].facing
    (121, 90.0)
    """

    duration: Duration
    fps: FramesPerSecond = 30.0
    body: tuple[BodyConstraint, ...] = BODY.field
    joints: tuple[JointConstraint, ...] = JOINTS.field
    center_of_mass: tuple[CenterOfMassConstraint, ...] = CENTER_OF_MASS.field
    poses: tuple[PoseConstraint, ...] = POSES.field
    key_poses: tuple[KeyPose, ...] = KEY_POSES.field
    avoid: tuple[Obstacle, ...] = AVOID.field
    ground: tuple[Surface, ...] = GROUND.field
    still: tuple[StillConstraint, ...] = STILL.field
    style: tuple[StyleConstraint, ...] = STYLE.field
    paths: tuple[PathConstraint, ...] = PATHS.field
    speeds: tuple[SpeedConstraint, ...] = SPEEDS.field
    costs: tuple[CostConstraint, ...] = COSTS.field
    frame: Literal["world", "root"] | None = expects("'world' or 'root'", "root", None)
    feet: Literal["planted", "free"] | None = expects("'planted' or 'free'", "free", None)
    balance: Literal["wished", "kept", "free"] | None = expects(
        "'wished', 'kept' or 'free'", "kept", None
    )

    @property
    def n_frames(self) -> int:
        """Number of frames of a motion that answers this set.

        Examples
        --------
        >>> ConstraintSet(duration=2.0, fps=24.0).n_frames  # both ends are frames
        49
        """
        return round(self.duration * self.fps) + 1

    def frame_of(self, time: float) -> int:
        """Frame nearest to a time.

        Examples
        --------
        >>> ConstraintSet(duration=2.0, fps=30.0).frame_of(0.51)
        15
        """
        return min(round(time * self.fps), self.n_frames - 1)

    def frames_of(self, constraint: Held) -> range:
        """Frames for which a constraint is asked: one, or all of its span.

        Examples
        --------
        >>> hold = {"from": 1.0, "to": 2.0, "joint": "right_hand", "position": [0, 1, 0]}
        >>> wish = ConstraintSet(duration=4.0, joints=[hold])
        >>> wish.frames_of(wish.joints[0])
        range(30, 61)
        """
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
        for kind in KINDS.values():
            if kind.alone is not None:
                self._check_times(kind)
                ordered = tuple(sorted(kind.of(self), key=lambda c: c.time))
                object.__setattr__(self, kind.name, ordered)
            else:
                for i, span in enumerate(kind.of(self)):
                    self._check_end((kind.name, i), span)
        return self

    def _check_end(self, where: tuple[str | int, ...], span: Any) -> None:
        last = max(getattr(span, "times", None) or (0.0,))
        begin, end = getattr(span, "begin", None), getattr(span, "end", None)
        times = {"from": begin, "to": end, "times": last}
        for name, time in times.items():
            if time is not None and time > self.duration:
                raise field_error((*where, name), self._too_late(time))

    def _too_late(self, time: float) -> str:
        return (
            f"{time:g} s is after the end of the motion; expected a time from 0 to the duration "
            f"of {self.duration:g} s; move the constraint or make the duration longer"
        )

    def _check_times(self, kind: Kind) -> None:
        assert kind.alone is not None
        spans: dict[str, list[tuple[int, int, int]]] = {}
        for i, constraint in enumerate(kind.of(self)):
            end = getattr(constraint, "end", None)
            for field, time in (("time", constraint.time), ("to", end)):
                if time is not None and time > self.duration:
                    raise field_error((kind.name, i, field), self._too_late(time))
            first = self.frame_of(constraint.time)
            last = first if end is None else self.frame_of(end)
            spans.setdefault(kind.alone(constraint), []).append((first, i, last))
        overlaps = [pair for own in spans.values() for pair in _overlaps(own)]
        if overlaps:
            i, other = min(overlaps)
            constraint = kind.of(self)[i]
            raise field_error(
                (kind.name, i, "time"),
                f"{constraint.time:g} s falls on the same frame as {kind.name}[{other}]; "
                f"expected at most one constraint of {kind.alone(constraint)} per frame, so remove"
                " one of the two",
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


def register_kind(kind: Kind) -> None:
    """Make a kind of constraint known: constraint files and sets then have a field of its name.

    Parameters
    ----------
    kind : Kind
        A later one of the same name replaces it. Methods refuse it until they honour it.

    Raises
    ------
    InvalidInputError
        When it is no `Kind`, or has no list of its own.
    """
    if not isinstance(kind, Kind):
        raise InvalidInputError(
            f"{kind!r:.60} is no kind of constraint; expected a motionloom.constraints.Kind"
        )
    if kind.model is None or kind.field is None or not kind.name.isidentifier():
        raise InvalidInputError(
            f"the kind {kind.name!r} needs a name that is an identifier, a model and a field"
        )
    KINDS[kind.name] = kind
    _add_fields()
    note_registered(f"kind {kind.name}")


def load_kinds() -> None:
    """Register the kinds of installed plug-ins.

    Raises
    ------
    InvalidInputError
        For one that cannot be loaded.
    """
    load_plugins(PLUGINS, lambda name, thing: register_kind(thing))


def forget_kind(name: str) -> None:
    """Undo `register_kind`.

    Parameters
    ----------
    name : str
        `Kind.name`.
    """
    del KINDS[name]
    for model in _sets():
        model.__pydantic_fields__.pop(name, None)
    _build_again()


def _add_fields() -> None:
    """Give sets the lists of kinds that they do not have."""
    for kind in KINDS.values():
        if kind.model is None:
            continue
        for model in _sets():
            if kind.name not in model.model_fields:
                entries: Any = GenericAlias(tuple, (kind.model, ...))
                field = FieldInfo.from_annotated_attribute(entries, kind.field)
                model.__pydantic_fields__[kind.name] = field
    _build_again()


def _sets() -> list[type[ConstraintSet]]:
    """The constraint set and what is derived from it."""
    found: list[type[ConstraintSet]] = [ConstraintSet]
    for model in found:
        found += model.__subclasses__()
    return found


def _build_again() -> None:
    """Let the sets, and the models that have them as fields, follow changed fields."""
    others = [model for model in Model.__subclasses__() if model is not ConstraintSet]
    for model in (*_sets(), *others):
        model.model_rebuild(force=True)


if any(k.model is not None and k.name not in ConstraintSet.model_fields for k in KINDS.values()):
    _add_fields()
