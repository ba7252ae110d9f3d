"""Joints brought to points, a stretch of the motion at a time, and kept by what that was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from motionloom.constraints import ConstraintSet, JointConstraint
from motionloom.constraints.joints import find_joints
from motionloom.declared import Range
from motionloom.errors import InvalidInputError
from motionloom.framewise import EditOptions, edit_clip
from motionloom.framewise.asked import EASE, goals_of
from motionloom.io.field_path import Path as FieldPath
from motionloom.io.kept import KeptFolder
from motionloom.io.stored import Fault
from motionloom.posed_motion import PosedMotion
from motionloom.shot._keeping import KeptFrames, kept_or_made, key_of_layer
from motionloom.shot.stage import Stage, overwritten

#: So much of the motion before and behind a stretch is looked at with it, seconds.
AROUND = 1.0
#: The hand of somebody who stands accelerates no harder than this on its way to a point, metres per
#: second squared, but that takes at most so long, seconds.
CALM, LONGEST = 2.2, 1.4
#: The largest acceleration on the way of `minimum_jerk`, in lengths of the way over time squared.
PEAK = 10.0 / np.sqrt(3.0)
#: Hips that are slower stand, metres per second, over this time before and after, seconds.
STANDS, STANDS_FOR = 0.2, 0.2


@dataclass(frozen=True, eq=False)
class Reached:
    """A stretch in which joints are where they were asked to be.

    Parameters
    ----------
    motion : KeptFrames
        The motion.
    missed : tuple of float, metres or radians
        How far each is off.
    reasons : tuple of str
        Why; empty where it is there.
    """

    motion: KeptFrames
    missed: tuple[Annotated[float, Range(0)], ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """A joint that is wanted somewhere.

    Parameters
    ----------
    name : str
        Of the span that asks; empty for a meeting.
    where : tuple of str and int
        Its path in the file.
    joint : JointConstraint
        What it asks.
    """

    name: str
    where: FieldPath
    joint: JointConstraint

    @property
    def told(self) -> str:
        """What it is called in a report."""
        joint = self.joint
        name = joint.joint if joint.look_at is None else "gaze"
        if joint.end is None:
            return f"{name} at {joint.time:.2f} s"
        return f"{name} from {joint.time:.2f} to {joint.end:.2f} s"

    def far(self, missed: float) -> str:
        """How far off it is, in words."""
        if self.joint.look_at is not None:
            return f"{np.degrees(missed):.1f} degrees"
        return f"{1000 * missed:.1f} mm"

    def frames(self, fps: float) -> tuple[int, int]:
        """First and last frame in which it is there."""
        return round(self.joint.time * fps), round((self.joint.end or self.joint.time) * fps)

    @property
    def begin(self) -> float:
        """When the motion begins to change, seconds."""
        return self.joint.time - (self.joint.ease_in or EASE)

    @property
    def end(self) -> float:
        """When it is as before, seconds."""
        return (self.joint.end or self.joint.time) + (self.joint.ease_out or EASE)


def near_each_other(asked: Sequence[Asked]) -> list[tuple[Asked, ...]]:
    """Those that change the same stretch of a motion, together.

    Parameters
    ----------
    asked : sequence of Asked
        In any order.

    Returns
    -------
    list of tuple of Asked
        In the order of time.
    """
    groups: list[list[Asked]] = []
    end = -np.inf
    for one in sorted(asked, key=lambda one: one.begin):
        if one.begin > end:
            groups.append([])
        groups[-1].append(one)
        end = max(end, one.end)
    return [tuple(sorted(group, key=lambda one: one.joint.time)) for group in groups]


def unhurried(joint: JointConstraint, posed: PosedMotion) -> JointConstraint:
    """The same, with time for a far way where the body stands.

    On a way of length d that begins and ends at rest and takes T seconds a hand accelerates up to
    ``10 / sqrt(3) d / T^2`` (Flash and Hogan 1985, of the smoothest such way), so T grows with the
    root of d.

    Parameters
    ----------
    joint : JointConstraint
        Where it is wanted; eyes, and who walks, take as long as it says.
    posed : PosedMotion
        The motion.

    Returns
    -------
    JointConstraint
    """
    if joint.position is None:
        return joint
    places = posed.positions[:, find_joints([joint.joint], posed.skeleton, posed.roles)[0]]
    times = {}
    for name, time in (("ease_in", joint.time), ("ease_out", joint.end or joint.time)):
        frame = min(round(time * posed.fps), posed.n_frames - 1)
        least = getattr(joint, name) or EASE
        if _stands(posed, frame):
            far = float(np.linalg.norm(np.asarray(joint.position) - places[frame]))
            least = max(least, min(float(np.sqrt(PEAK * far / CALM)), LONGEST))
        times[name] = round(least, 3)
    return joint.model_copy(update=times)


def _stands(posed: PosedMotion, frame: int) -> bool:
    """Whether the hips stay where they are about a frame."""
    lag = round(STANDS_FOR * posed.fps)
    first, last = max(frame - lag, 0), min(frame + lag, posed.n_frames - 1)
    way = (posed.hips[last] - posed.hips[first])[[0, 2]]
    return float(np.hypot(*way)) * posed.fps < STANDS * max(last - first, 1)


def reach_for(
    stage: Stage, asked: Sequence[Asked], posed: PosedMotion, kept: KeptFolder | None = None
) -> tuple[PosedMotion, Reached]:
    """Bring joints to where they are wanted.

    Parameters
    ----------
    stage : Stage
        For its lines, and its progress.
    asked : sequence of Asked
        In the order of time.
    posed : PosedMotion
        The motion.
    kept : KeptFolder, optional
        Where the result is kept.

    Returns
    -------
    posed : PosedMotion
        The motion.
    reached : Reached
        How far joints are off.

    Raises
    ------
    FormatError
        When two ask for the same joint in a frame.
    """
    fps = posed.fps
    first = max(int(np.floor((min(one.begin for one in asked) - AROUND) * fps)), 0)
    stop = min(int(np.ceil((max(one.end for one in asked) + AROUND) * fps)) + 1, posed.n_frames)
    window = posed.cut(first, stop)
    joints = tuple(_earlier(one.joint, first / fps) for one in asked)
    facts = json.dumps([joint.model_dump(mode="json") for joint in joints])
    key = key_of_layer("reach", window, facts)
    make = partial(_reach, stage, asked, joints, window)
    found = kept_or_made(kept, key, Reached, make, partial(check_reached, window, len(asked)))
    return overwritten(posed, first, found.motion.on(window.motion)), found


def check_reached(window: PosedMotion, asked: int, found: Reached) -> None:
    """Refuse what was kept of other joints or another motion."""
    found.motion.check(window.motion, window.n_frames)
    if not len(found.missed) == len(found.reasons) == asked:
        raise Fault("it is of other joints")


def _earlier(joint: JointConstraint, shift: float) -> JointConstraint:
    """The same in a motion that begins later."""
    end = None if joint.end is None else joint.end - shift
    return joint.model_copy(update={"time": joint.time - shift, "end": end})


def _reach(
    stage: Stage, asked: Sequence[Asked], joints: tuple[JointConstraint, ...], window: PosedMotion
) -> Reached:
    fps = window.fps
    try:
        wanted = ConstraintSet(duration=(window.n_frames - 1) / fps, fps=fps, joints=joints)
        goals = goals_of(wanted, window)
        edited = edit_clip(window, goals, EditOptions(), stage.progress)
    except InvalidInputError as error:
        raise stage.file.fault(asked[0].where, str(error)) from None
    return Reached(
        KeptFrames.of(edited.after.motion),
        tuple(float(one.residual) for one in edited.outcomes),
        tuple(one.reason for one in edited.outcomes),
    )
