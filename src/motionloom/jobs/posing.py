"""Clips and targets in, one pose out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from motionloom.analysis.judge_store import load_naturalness
from motionloom.analysis.naturalness import NaturalnessModel
from motionloom.constraints import ConstraintSet
from motionloom.constraints.files import constraints_of, names_in
from motionloom.errors import InvalidInputError
from motionloom.ik.pose import find_pose
from motionloom.ik.start import Start, captured_start, standing_start, zero_start
from motionloom.ik.targets import check_pose_constraints
from motionloom.io.result import Result
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.reading import Clips, ReadOptions, motions_of
from motionloom.spaces.pose_space import PoseSpace, fit_pose_space
from motionloom.spaces.store import load_pose_space

if TYPE_CHECKING:
    from motionloom.roles import Roles


#: Starts that are no frames of motions.
_STARTS = {"standing": standing_start, "zero": zero_start}


def pose(
    clips: Clips | PoseSpace,
    constraints: ConstraintSet | Mapping[str, Any] | str | PathLike[str],
    *,
    start: str | tuple[Motion, int] = "standing",
    method: str = "natural",
    roles: Roles | str | PathLike[str] | None = None,
    progress: Progress = silent,
) -> Result:
    """Find a pose that puts joints where constraints say and looks like people in clips.

    Parameters
    ----------
    clips : path-like, Motion, sequence of these, or PoseSpace
        Captured clips, or the ``.npz`` file of a pose space that was learned from them.
    constraints : ConstraintSet, mapping or path-like
        Constraints of joints at one moment, which need no times; a body constraint places the
        hips.
    start : str or (Motion, int)
        Where the solver begins: ``"standing"``, ``"zero"``, or a frame of a motion.
    method : str
        Solver, one of `motionloom.ik.solver_names`.
    roles : Roles or path-like, optional
        Which joint plays which part, or a table of that; found from the skeleton when not given.
    progress : Progress
        Told while clips are read and naturalness is learned.

    Returns
    -------
    Result
        The motion has one frame; `details` is the `PoseAnswer`.

    Raises
    ------
    FormatError
        When a file cannot be read; the sentence has its line.
    InvalidInputError
        When a pose cannot honour a constraint, or there are too few poses.
    UnknownJointError
        For a joint that the skeleton does not have.

    Notes
    -----
    The default solver looks for the likeliest pose among captured ones that meets the targets;
    `motionloom.ik.natural` describes it.

    Examples
    --------
    >>> reach = {"joints": [{"joint": "right_hand", "position": [-0.2, 1.2, 0.45]}]}
    >>> result = ml.pose(demo / "poses.npz", reach)  # kept by 'motionloom pose --space'
    >>> result.motion.n_frames, result.problems
    (1, ())
    """
    asked = constraints_of(constraints, still=True)
    with names_in(constraints):
        check_pose_constraints(asked)
    space, natural, motions = _captured(clips, ReadOptions(roles=roles), progress)
    begin = _start(space, motions, start)
    with names_in(constraints):
        answer = find_pose(
            space, asked, begin, method=method, naturalness=natural, progress=progress
        )
    source = replace(motions[0].source, warnings=()) if motions else None
    return Result({"pose": answer.to_motion("pose", source)}, answer.report, answer)


def _captured(
    clips: Clips | PoseSpace, options: ReadOptions, progress: Progress
) -> tuple[PoseSpace, NaturalnessModel | None, list[Motion]]:
    """Captured poses, what is known of their naturalness, and the clips where they are at hand."""
    if isinstance(clips, PoseSpace):
        _refuse_roles(options)
        return clips, None, []
    if isinstance(clips, (str, PathLike)) and str(clips).lower().endswith(".npz"):
        _refuse_roles(options)
        kept = load_naturalness(clips)
        return (load_pose_space(clips), None, []) if kept is None else (kept.space, kept.model, [])
    motions = motions_of(clips, options, progress)
    roles = options.read_roles(motions[0].skeleton)
    return fit_pose_space(motions, roles=roles, progress=progress), None, motions


def _refuse_roles(options: ReadOptions) -> None:
    if options.roles is not None:
        raise InvalidInputError("a pose space has its roles; leave roles out")


def _start(space: PoseSpace, motions: list[Motion], start: str | tuple[Motion, int]) -> Start:
    if not isinstance(start, str):
        return captured_start(space, *start)
    if start not in _STARTS:
        raise InvalidInputError(
            f"start: expected {' or '.join(_STARTS)}, or a motion and a frame of it, got {start!r}"
        )
    return _STARTS[start](space, motions)
