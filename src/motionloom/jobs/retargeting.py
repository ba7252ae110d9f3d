"""Clips of one body carried over to another, or to a robot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

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
from motionloom.io.result import Result
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.progress import Progress, Tell, as_warning, silent, warn
from motionloom.reading import Clips, ReadOptions, motions_of
from motionloom.robots import (
    RobotFrames,
    RobotOptions,
    RobotResult,
    fit_robot_frames,
    read_robot,
    retarget_to_robot,
    robot_as_motion,
    write_robot_motion,
)
from motionloom.robots.motion import SUFFIXES
from motionloom.robots.report import RobotReports
from motionloom.workspace.bodies import Body, read_body

if TYPE_CHECKING:
    from motionloom.roles import Roles
    from motionloom.skeleton import Skeleton

#: Suffixes of robot models.
_MODELS = (".xml", ".mjcf")


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
    to_one: ToBody | ToRobot
    if not isinstance(to, Motion) and Path(to).suffix.lower() in _MODELS:
        _refuse(f"{to}: the parts of a robot are found from its tree", to_roles=to_roles)
        to_one = ToRobot.of(fspath(to), fps, joint_speed)
    else:
        name = to.name if isinstance(to, Motion) else to
        _refuse(f"{name} is no robot's model", fps=fps, joint_speed=joint_speed)
        to_one = ToBody(_body_of(to, to_roles))
    read_roles = ReadOptions(roles=roles).read_roles
    made = carry_over(motions, to_one, read_roles, as_warning, progress, _raise)
    named = {motions[i].name or f"clip {i}": to_one.motion_of(one) for i, one in made.items()}
    results: list[Any] = list(made.values())
    kind = Result if isinstance(to_one, ToBody) else _RobotMotions
    return kind(named, to_one.report(results), tuple(to_one.details(one) for one in results))


def _refuse(why: str, **options: object) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise InvalidInputError(f"{why}; leave {' and '.join(given)} out")


def _raise(error: MotionloomError, _: Sequence[int]) -> NoReturn:
    raise error


def _body_of(to: Motion | str | PathLike[str], roles: Any) -> Body:
    options = ReadOptions(roles=roles)
    if not isinstance(to, Motion):
        return read_body(fspath(to), options, as_warning)
    known = options.read_roles(to.skeleton)
    posed = without_calibration_pose(pose_motion(to, known))[0]
    frames = fit_role_frames([posed] if posed.n_frames else to.skeleton, known)
    return Body(to.name or "body", frames, to.source)


@dataclass(frozen=True)
class ToBody:
    """Carries clips over to a body; results are what was made and the frames of its source."""

    body: Body

    def prepare(self, clip: Motion, roles: Roles | None) -> tuple[PosedMotion, tuple[str, ...]]:
        """A clip as it is carried over, and what was left out of it."""
        return without_calibration_pose(pose_motion(clip, roles))

    def carry(self, clip: PosedMotion, frames: RoleFrames) -> tuple[Retargeted, RoleFrames]:
        """One clip on the body, and the frames it had."""
        return retarget_motion(clip, frames, self.body.frames), frames

    def details(self, one: tuple[Retargeted, RoleFrames]) -> Retargeted:
        """All that is known of a result."""
        return one[0]

    def motion_of(self, one: tuple[Retargeted, RoleFrames]) -> Motion:
        """A result as a motion of the body."""
        return self.body.as_its_own(one[0].motion)

    def report(self, made: Sequence[tuple[Retargeted, RoleFrames]]) -> RetargetReport:
        """How all came over."""
        results, own = zip(*made, strict=True)
        return report_retargeting(results, own, self.body.frames, self.body.name)


@dataclass(frozen=True)
class ToRobot:
    """Gives clips to a robot."""

    robot: RobotFrames
    options: RobotOptions

    @classmethod
    def of(cls, path: str, fps: float | None, joint_speed: float | None) -> ToRobot:
        """The robot of a model, at a rate and a speed of its joints that may be left out."""
        given = {"fps": fps, "fastest": joint_speed}
        told: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return cls(fit_robot_frames(read_robot(path)), RobotOptions(**told))

    def prepare(self, clip: Motion, roles: Roles | None) -> tuple[PosedMotion, tuple[str, ...]]:
        """A clip at the robot's rate, and what was changed of it."""
        posed, _, notes = prepare_clip(clip, self.options.fps, roles)
        return posed, notes

    def carry(self, clip: PosedMotion, frames: RoleFrames) -> RobotResult:
        """One clip on the robot."""
        return retarget_to_robot(clip, self.robot, self.options, frames)

    def details(self, one: RobotResult) -> RobotResult:
        """All that is known of a result."""
        return one

    def motion_of(self, one: RobotResult) -> Motion:
        """A result as a motion of the robot's skeleton."""
        return robot_as_motion(one.motion)

    def report(self, made: Sequence[RobotResult]) -> RobotReports:
        """How all came over."""
        return RobotReports(tuple(one.report for one in made))


def carry_over(
    motions: Sequence[Motion],
    to: ToBody | ToRobot,
    read_roles: Callable[[Skeleton], Roles | None],
    say: Tell,
    progress: Progress,
    refuse: Callable[[MotionloomError, Sequence[int]], object],
) -> dict[int, Any]:
    """Carry clips over, those of one skeleton together.

    Parameters
    ----------
    motions : sequence of Motion
        The clips.
    to : ToBody or ToRobot
        Where they go.
    read_roles : callable
        Which joint of a skeleton plays which part.
    say : callable
        Told of what is left out of clips.
    progress : Progress
        Told of every clip.
    refuse : callable
        Told why clips are not carried over, and which; of one that its error names, of none.

    Returns
    -------
    dict of int to object
        What became of each, by its index.
    """
    made: dict[int, Any] = {}
    for group in group_by_skeleton(motions):
        try:
            roles = read_roles(motions[group[0]].skeleton)
            posed = {}
            for i in group:
                try:
                    posed[i], notes = to.prepare(motions[i], roles)
                except MotionloomError as error:
                    refuse(error, ())
                else:
                    warn(notes, say)
            if not posed:
                continue
            frames = fit_role_frames(list(posed.values()))
            for i, clip in posed.items():
                progress("retargeting", len(made), len(motions))
                made[i] = to.carry(clip, frames)
        except MotionloomError as error:
            refuse(error, group)
    progress("retargeting", len(motions), len(motions))
    return dict(sorted(made.items()))


class _RobotMotions(Result):
    """Motions of a robot, which its own formats hold, too."""

    def _save_one(self, motion: Motion, path: Path, **options: Any) -> None:
        if path.suffix.lower() not in SUFFIXES:
            super()._save_one(motion, path, **options)
            return
        at = next(i for i, one in enumerate(self.motions.values()) if one is motion)
        write_robot_motion(path, self.details[at].motion)
