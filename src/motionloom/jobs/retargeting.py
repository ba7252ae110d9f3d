"""Clips of one body carried over to another, or to a robot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom import robots
from motionloom.clips.prepare import prepare_clip, without_calibration_pose
from motionloom.edit.retarget import (
    Retargeted,
    RetargetReport,
    RoleFrames,
    fit_role_frames,
    group_by_skeleton,
    report_retargeting,
    retarget_motion,
)
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.io.registry import save
from motionloom.io.result import Result
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.progress import Progress, as_warning, silent, warn
from motionloom.reading import Clips, ReadOptions, motions_of
from motionloom.robots import RobotOptions, RobotResult
from motionloom.robots.motion import SUFFIXES
from motionloom.robots.report import RobotReports
from motionloom.workspace.bodies import Body, is_robot, read_body

if TYPE_CHECKING:
    from motionloom.roles import Roles

#: Takes the error, and the clips of a skeleton that are left out for it; none for one clip alone.
Refuse = Callable[[MotionloomError, Sequence[int]], None]


def retarget(
    clips: Clips,
    to: str | PathLike[str] | Motion,
    *,
    roles: Roles | str | PathLike[str] | None = None,
    to_roles: Roles | str | PathLike[str] | None = None,
    fps: float | None = None,
    joint_speed: float | None = None,
    progress: Progress = silent,
) -> Result:
    """Carry clips over to another body, or to a robot, by the roles of their joints.

    Parameters
    ----------
    clips : path-like, Motion, or sequence of these
        The clips, of any skeletons.
    to : Motion or path-like
        The body: a motion (one frame of a T-pose will do), clips of it, a library,
        ``"performer"`` or ``"performer:1.68"``, or the MJCF model of a robot (``.xml``).
    roles : Roles or path-like, optional
        Which joint of the clips plays which part, or a table of that; found from the skeleton when
        not given.
    to_roles : Roles or path-like, optional
        The same of the target.
    fps : float, optional
        Frames per second of a robot's motion; 30 when not given. Others keep the clip's.
    joint_speed : float, radians per second, optional
        Fastest speed of a robot's joints; 20 when not given.
    progress : Progress
        Told of every clip.

    Returns
    -------
    Result
        `motions` by the names of the clips; `details` has a `Retargeted` or `RobotResult` for
        each. A robot's can be saved as ``.csv`` and ``.npz``, too.

    Raises
    ------
    FormatError
        When a file cannot be read.
    InvalidInputError
        When roles are missing, or an option is for robots only.

    Examples
    --------
    >>> result = ml.retarget(demo / "clips/reach_right_low.bvh", to="performer:1.45")
    >>> thigh = result.motion.skeleton.offsets[result.motion.skeleton.index("RightLeg")]
    >>> before = ml.load(demo / "clips/reach_right_low.bvh").skeleton
    >>> round(float(thigh[1] / before.offsets[before.index("RightLeg")][1]), 3)  # 1.45 / 1.75
    0.829
    >>> result.save("small.bvh")
    """
    motions = motions_of(clips, ReadOptions(roles=roles), progress)
    target = find_target(to, ReadOptions(roles=to_roles), fps=fps, joint_speed=joint_speed)
    made = carry_over(dict(enumerate(motions)), target, roles, progress)
    named = {motions[i].name or f"clip {i}": target.motion_of(one) for i, (one, _) in made.items()}
    pairs = list(made.values())

    def write(motion: Motion, path: Path, **options: Any) -> None:
        at = next(i for i, one in enumerate(named.values()) if one is motion)
        target.write(pairs[at][0], path, **options)

    return Result(named, target.report(pairs), tuple(one for one, _ in pairs), write=write)


class ToBody:
    """Carries clips over to a body."""

    def __init__(self, body: Body) -> None:
        self._body = body

    def prepare(self, motion: Motion, roles: Roles | None) -> tuple[PosedMotion, Sequence[str]]:
        """A clip with its roles, and what was changed."""
        return without_calibration_pose(pose_motion(motion, roles))

    def carry(self, clip: PosedMotion, frames: RoleFrames) -> Retargeted:
        """One clip on the body."""
        return retarget_motion(clip, frames, self._body.frames)

    def motion_of(self, one: Retargeted) -> Motion:
        """The motion of a result."""
        return self._body.as_its_own(one.motion)

    def write(self, one: Retargeted, path: Path, **options: Any) -> None:
        """Write a result."""
        save(self.motion_of(one), path, **options)

    def beside(self, one: Retargeted) -> tuple[Motion, Motion, str, Any]:
        """For a picture: the clip, what was made of it, its name, and contacts of both."""
        contacts = [one.source_contacts.by_foot(), one.contacts.by_foot()]
        return one.source.motion, self.motion_of(one), self._body.name, contacts

    def report(self, made: Sequence[tuple[Retargeted, RoleFrames]]) -> RetargetReport:
        """The report of results, each with the frames of its source."""
        results, frames = zip(*made, strict=True)
        return report_retargeting(results, frames, self._body.frames, self._body.name)


class ToRobot:
    """Gives clips to a robot."""

    def __init__(self, model: str, fps: float | None, joint_speed: float | None) -> None:
        told: dict[str, Any] = {"fps": fps, "fastest": joint_speed}
        self._options = RobotOptions(**{n: value for n, value in told.items() if value is not None})
        self._robot = robots.fit_robot_frames(robots.read_robot(model))

    def prepare(self, motion: Motion, roles: Roles | None) -> tuple[PosedMotion, Sequence[str]]:
        """A clip at the robot's rate, and what was changed."""
        posed, _, notes = prepare_clip(motion, self._options.fps, roles)
        return posed, notes

    def carry(self, clip: PosedMotion, frames: RoleFrames) -> RobotResult:
        """One clip on the robot."""
        return robots.retarget_to_robot(clip, self._robot, self._options, frames)

    def motion_of(self, one: RobotResult) -> Motion:
        """The motion of a result."""
        return robots.robot_as_motion(one.motion)

    def write(self, one: RobotResult, path: Path, **options: Any) -> None:
        """Write a result, in a format of motions or of robots."""
        if path.suffix.lower() in SUFFIXES:
            robots.write_robot_motion(path, one.motion)
        else:
            save(self.motion_of(one), path, **options)

    def beside(self, one: RobotResult) -> tuple[Motion, Motion, str, Any]:
        """For a picture: the clip, what was made of it, its name, and contacts of both."""
        name = one.motion.robot.name
        made = replace(robots.robot_as_body(one.motion, one.frames), name=name)
        return one.source.motion, made, name, [one.contacts, one.contacts]

    def report(self, made: Sequence[tuple[RobotResult, RoleFrames]]) -> RobotReports:
        """The report of results, each with the frames of its source."""
        return RobotReports(tuple(one.report for one, _ in made))


def find_target(
    to: Motion | str | PathLike[str],
    reading: ReadOptions,
    *,
    fps: float | None = None,
    joint_speed: float | None = None,
) -> ToBody | ToRobot:
    """What clips are carried over to.

    Parameters
    ----------
    to : Motion or path-like
        As of `retarget`.
    reading : ReadOptions
        How its file is read, with its roles.
    fps, joint_speed : float, optional
        Of robots.

    Raises
    ------
    InvalidInputError
        When an option is for the other kind of target.
    """
    if not isinstance(to, Motion) and is_robot(fspath(to)):
        _refuse(f"{to}: the parts of a robot are found from its tree", to_roles=reading.roles)
        return ToRobot(fspath(to), fps, joint_speed)
    name = to.name if isinstance(to, Motion) else to
    _refuse(f"{name} is no robot's model", fps=fps, joint_speed=joint_speed)
    if not isinstance(to, Motion):
        return ToBody(read_body(fspath(to), reading, as_warning))
    known = reading.read_roles(to.skeleton)
    posed = without_calibration_pose(pose_motion(to, known))[0]
    frames = fit_role_frames([posed] if posed.n_frames else to.skeleton, known)
    return ToBody(Body(to.name or "body", frames, to.source))


def _refuse(why: str, **options: object) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise InvalidInputError(f"{why}; leave {' and '.join(given)} out")


def carry_over(
    motions: Mapping[int, Motion],
    target: ToBody | ToRobot,
    roles: Any,
    progress: Progress = silent,
    refuse: Refuse | None = None,
) -> dict[int, tuple[Any, RoleFrames]]:
    """Carry clips over, those of one skeleton together.

    Parameters
    ----------
    motions : mapping of int to Motion
        The clips.
    target : ToBody or ToRobot
        What they are carried over to.
    roles : Roles or path-like, optional
        Of the clips.
    progress : Progress
        Told of every clip.
    refuse : callable, optional
        Told of clips that cannot be carried over; without it they are errors.

    Returns
    -------
    dict of int to (object, RoleFrames)
        What the target makes of each clip, with the frames of the clip's body; in order.
    """
    made: dict[int, tuple[Any, RoleFrames]] = {}
    indices = list(motions)
    for group in group_by_skeleton(list(motions.values())):
        own = [indices[i] for i in group]
        with _refusing(refuse, own):
            known = ReadOptions(roles=roles).read_roles(motions[own[0]].skeleton)
            posed = {}
            for i in own:
                with _refusing(refuse, ()):
                    posed[i], notes = target.prepare(motions[i], known)
                    warn(notes, as_warning)
            if not posed:
                continue
            frames = fit_role_frames(list(posed.values()))
            for i, clip in posed.items():
                progress("retargeting", len(made), len(motions))
                made[i] = target.carry(clip, frames), frames
    progress("retargeting", len(motions), len(motions))
    return {i: made[i] for i in sorted(made)}


@contextmanager
def _refusing(refuse: Refuse | None, clips: Sequence[int]) -> Iterator[None]:
    try:
        yield
    except MotionloomError as error:
        if refuse is None:
            raise
        refuse(error, clips)
