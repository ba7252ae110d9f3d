"""Clips and targets in, one pose out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, NamedTuple

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

#: Starts that are no frames of motions.
STARTS = {"standing": standing_start, "zero": zero_start}


class Captured(NamedTuple):
    """Captured poses, what is known of their naturalness, and the clips where they are at hand."""

    space: PoseSpace
    model: NaturalnessModel | None = None
    motions: Sequence[Motion] = ()


def pose(
    clips: Clips | PoseSpace | Captured,
    constraints: ConstraintSet | Mapping[str, Any] | str | PathLike[str],
    *,
    start: str | tuple[Motion, int] = "standing",
    method: str = "natural",
    progress: Progress = silent,
    **reading: Any,
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
    progress : Progress
        Told while clips are read and naturalness is learned.
    **reading
        Fields of `motionloom.reading.ReadOptions`: `roles`, `only`, `without`, `unit` ...

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
    captured = _captured(clips, ReadOptions(**reading), progress)
    begin = _start(captured, start)
    with names_in(constraints):
        answer = find_pose(
            captured.space,
            asked,
            begin,
            method=method,
            naturalness=captured.model,
            progress=progress,
        )
    motions = captured.motions
    source = replace(motions[0].source, warnings=()) if motions else None
    return Result({"pose": answer.to_motion("pose", source)}, answer.report, answer, asked)


def _captured(
    clips: Clips | PoseSpace | Captured, options: ReadOptions, progress: Progress
) -> Captured:
    if isinstance(clips, (PoseSpace, Captured)):
        _refuse_roles(options)
        return Captured(clips) if isinstance(clips, PoseSpace) else clips
    if isinstance(clips, (str, PathLike)) and str(clips).lower().endswith(".npz"):
        _refuse_roles(options)
        kept = load_naturalness(clips)
        return Captured(kept.space, kept.model) if kept else Captured(load_pose_space(clips))
    motions = motions_of(clips, options, progress)
    roles = options.read_roles(motions[0].skeleton)
    return Captured(fit_pose_space(motions, roles=roles, progress=progress), motions=motions)


def _refuse_roles(options: ReadOptions) -> None:
    if options != ReadOptions():
        raise InvalidInputError("a pose space has its clips and roles; leave out how they are read")


def _start(captured: Captured, start: str | tuple[Motion, int]) -> Start:
    if not isinstance(start, str):
        return captured_start(captured.space, *start)
    if start not in STARTS:
        raise InvalidInputError(
            f"start: expected {' or '.join(STARTS)}, or a motion and a frame of it, got {start!r}"
        )
    return STARTS[start](captured.space, captured.motions)
