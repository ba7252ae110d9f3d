"""Clips of one body carried over to another, or to a robot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.clips.prepare import prepare_clip, without_calibration_pose
from motionloom.edit.retarget import (
    Retargeted,
    RoleFrames,
    fit_role_frames,
    group_by_skeleton,
    report_retargeting,
    retarget_motion,
)
from motionloom.errors import InvalidInputError
from motionloom.io.result import Result
from motionloom.motion import Motion
from motionloom.posed_motion import pose_motion
from motionloom.progress import Progress, as_warning, silent, warn
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
    of_robots = {"fps": fps, "joint_speed": joint_speed}
    if not isinstance(to, Motion) and Path(to).suffix.lower() in _MODELS:
        _refuse(f"{to}: the parts of a robot are found from its tree", to_roles=to_roles)
        options = RobotOptions()
        if fps is not None:
            options = replace(options, fps=fps)
        if joint_speed is not None:
            options = replace(options, fastest=joint_speed)
        return _to_robot(motions, fit_robot_frames(read_robot(to)), options, roles, progress)
    _refuse(f"{to if not isinstance(to, Motion) else to.name} is no robot's model", **of_robots)
    return _to_body(motions, _body_of(to, to_roles), roles, progress)


def _refuse(why: str, **options: object) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise InvalidInputError(f"{why}; leave {' and '.join(given)} out")


def _body_of(to: Motion | str | PathLike[str], roles: Any) -> Body:
    options = ReadOptions(roles=roles)
    if not isinstance(to, Motion):
        return read_body(fspath(to), options, as_warning)
    known = options.read_roles(to.skeleton)
    posed = without_calibration_pose(pose_motion(to, known))[0]
    frames = fit_role_frames([posed] if posed.n_frames else to.skeleton, known)
    return Body(to.name or "body", frames, to.source)


def _groups(motions: Sequence[Motion], roles: Any) -> Iterator[tuple[list[int], Roles | None]]:
    """Clips of one skeleton, which are looked at together, and their roles."""
    for group in group_by_skeleton(motions):
        yield list(group), ReadOptions(roles=roles).read_roles(motions[group[0]].skeleton)


def _to_body(motions: list[Motion], body: Body, roles: Any, progress: Progress) -> Result:
    made: dict[int, Retargeted] = {}
    own: dict[int, RoleFrames] = {}
    for group, known in _groups(motions, roles):
        posed = {}
        for i in group:
            posed[i], notes = without_calibration_pose(pose_motion(motions[i], known))
            warn(notes, as_warning)
        frames = fit_role_frames(list(posed.values()))
        for i, clip in posed.items():
            progress("retargeting", len(made), len(motions))
            made[i] = retarget_motion(clip, frames, body.frames)
            own[i] = frames
    progress("retargeting", len(motions), len(motions))
    order = sorted(made)
    results = [made[i] for i in order]
    report = report_retargeting(results, [own[i] for i in order], body.frames, body.name)
    named = {motions[i].name or f"clip {i}": body.as_its_own(made[i].motion) for i in order}
    return Result(named, report, tuple(results))


def _to_robot(
    motions: list[Motion], robot: RobotFrames, options: RobotOptions, roles: Any, progress: Progress
) -> Result:
    made: dict[int, RobotResult] = {}
    for group, known in _groups(motions, roles):
        posed = {}
        for i in group:
            posed[i], _, notes = prepare_clip(motions[i], options.fps, known)
            warn(notes, as_warning)
        frames = fit_role_frames(list(posed.values()))
        for i, clip in posed.items():
            progress("retargeting", len(made), len(motions))
            made[i] = retarget_to_robot(clip, robot, options, frames)
    progress("retargeting", len(motions), len(motions))
    named = {motions[i].name or f"clip {i}": made[i] for i in sorted(made)}
    shown = {name: robot_as_motion(one.motion) for name, one in named.items()}
    reports = RobotReports(tuple(one.report for one in named.values()))
    return _RobotMotions(shown, reports, tuple(named.values()))


class _RobotMotions(Result):
    """Motions of a robot, which its own formats hold, too."""

    def _save_one(self, motion: Motion, path: Path, **options: Any) -> None:
        if path.suffix.lower() not in SUFFIXES:
            super()._save_one(motion, path, **options)
            return
        at = next(i for i, one in enumerate(self.motions.values()) if one is motion)
        write_robot_motion(path, self.details[at].motion)
