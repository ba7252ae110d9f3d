"""What a shot asks for at a time, each with its field in the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from motionloom.constraints import ConstraintSet, JointConstraint, check_joints
from motionloom.io.field_path import Path
from motionloom.posed_motion import PosedMotion
from motionloom.shot.plan import Plan, PlannedSpan, place_of, point_of
from motionloom.shot.script import GAZE, BetweenSpan, EditSpan, GaitSpan, ReachSpan, WalkSpan
from motionloom.shot.script.times import LONGEST
from motionloom.shot.spans.asked import constraints_of
from motionloom.typing import Array


@dataclass(frozen=True, eq=False)
class AskedKey:
    """A place for the body or a joint, at a frame or over some.

    Parameters
    ----------
    span : str
        Name of the span that asks for it.
    path : tuple of str and int
        The field of the file.
    kind : str
        ``"body"`` or the joint's name.
    frame, last : int
        From frame to frame, both included.
    position : tuple of float, metres
        x and z of the body, or x, y and z of the joint.
    joint : int
        -1 for the body.
    facing : float, degrees, optional
        Of the body.
    """

    span: str
    path: Path
    kind: str
    frame: int
    last: int
    position: tuple[float, ...]
    joint: int = -1
    facing: float | None = None

    def distances(self, posed: PosedMotion) -> Array:
        """How far the body or joint is from there in every frame, shape (T,), metres."""
        places = posed.body[:, :2] if self.joint < 0 else posed.positions[:, self.joint]
        away: Array = np.linalg.norm(places - np.array(self.position), axis=-1)
        return away

    def turned(self, posed: PosedMotion) -> float:
        """How far the body faces elsewhere, degrees; 0 where no facing is asked for."""
        if self.facing is None:
            return 0.0
        off = np.degrees(posed.body[self.frame, 2]) - self.facing
        return float(abs((off + 180.0) % 360.0 - 180.0))


def keys_of(plan: Plan, who: str, posed: PosedMotion) -> tuple[AskedKey, ...]:
    """Everything that a shot asks of a character at a time.

    Parameters
    ----------
    plan : Plan
        What happens when.
    who : str
        The character.
    posed : PosedMotion
        Its motion in the end: names of joints are looked up in its body.

    Returns
    -------
    tuple of AskedKey
        In the order of time.
    """
    found = []
    for planned in (*plan.tracks[who], *plan.layers[who]):
        found += list(_keys(plan, planned, posed))
    last = posed.n_frames - 1
    inside = [key for key in found if key.last <= last]
    return tuple(sorted(inside, key=lambda key: key.frame))


def _keys(plan: Plan, planned: PlannedSpan, posed: PosedMotion) -> Iterator[AskedKey]:
    span = planned.span
    where = planned.where
    file = plan.file
    last = planned.last
    if isinstance(span, WalkSpan) and span.to is not None:
        place, facing = place_of(file, (*where, "to"), span.to, span.facing)
        yield AskedKey(planned.name, (*where, "to"), "body", last, last, place, -1, facing)
    if isinstance(span, GaitSpan) and span.path:
        path = (*where, "path", len(span.path) - 1)
        place, _ = place_of(file, path, span.path[-1])
        if span.speed is None:
            yield AskedKey(planned.name, path, "body", last, last, place)
    if isinstance(span, BetweenSpan):
        for i, (key, time) in enumerate(zip(span.keys, planned.keys, strict=True)):
            if key.position is not None:
                path = (*where, "keys", i, "position")
                place, facing = place_of(file, path, key.position, key.facing)
                frame = round(time * plan.fps)
                yield AskedKey(planned.name, path, "body", frame, frame, place, -1, facing)
    if isinstance(span, ReachSpan) and span.joint != GAZE:
        point = point_of(file, (*where, "target"), span.target)
        joint = _joint(posed, span.joint, point)
        path = (*where, "target")
        yield AskedKey(planned.name, path, span.joint, planned.first, planned.last, point, joint)
    if isinstance(span, (WalkSpan, EditSpan)):
        yield from _constrained(plan, planned, span, posed)


def _constrained(
    plan: Plan, planned: PlannedSpan, span: WalkSpan | EditSpan, posed: PosedMotion
) -> Iterator[AskedKey]:
    """Keys among the constraints of a span."""
    name = planned.name
    where = (*planned.where, "constraints")
    begin = planned.first
    for i, entry in enumerate(span.constraints.get("body", ())):
        asked = constraints_of(plan.file, planned, {"body": [entry]})
        body = asked.body[0]
        first, last = (begin + asked.frames_of(body)[k] for k in (0, -1))
        path = (*where, "body", i)
        yield AskedKey(name, path, "body", first, last, body.position, -1, body.facing)
    for i, entry in enumerate(span.constraints.get("joints", ())):
        asked = constraints_of(plan.file, planned, {"joints": [entry]})
        one = asked.joints[0]
        if one.position is None:
            continue
        first, last = (begin + asked.frames_of(one)[k] for k in (0, -1))
        joint = check_joints(asked, posed.skeleton, posed.roles)[0]
        yield AskedKey(name, (*where, "joints", i), one.joint, first, last, one.position, joint)


def _joint(posed: PosedMotion, name: str, point: tuple[float, float, float]) -> int:
    """The joint of a name or role."""
    target = JointConstraint.model_validate({"time": 0.0, "joint": name, "position": point})
    asked = ConstraintSet(duration=LONGEST, fps=posed.fps, joints=(target,))
    return int(check_joints(asked, posed.skeleton, posed.roles)[0])
