"""A clip and constraints in, the edited clip out."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.constraints import ConstraintSet
from motionloom.constraints.files import names_in
from motionloom.errors import InvalidInputError
from motionloom.framewise import EditOptions, Goal, edit_clip
from motionloom.framewise.asked import EASE, goals_of, read_edit, stand_on_slope
from motionloom.framewise.report import compare_naturalness, report_edit
from motionloom.io.result import Result
from motionloom.places import Names, Place, find_place, names_of
from motionloom.posed_motion import pose_motion
from motionloom.progress import Progress, as_warning, silent
from motionloom.reading import ReadOptions, motion_of
from motionloom.workspace.naturalness import Naturalness

if TYPE_CHECKING:
    from motionloom.motion import Motion


def edit(
    clip: Motion | str | PathLike[str],
    constraints: ConstraintSet | Mapping[str, Any] | str | PathLike[str] | None = None,
    *,
    slope: float | None = None,
    ease: float | None = None,
    reference: Names | Place | None = None,
    space: str | PathLike[str] | None = None,
    progress: Progress = silent,
    **reading: Any,
) -> Result:
    """Edit a clip so that joints, tools, gaze or the centre of mass do what constraints say.

    Parameters
    ----------
    clip : Motion or path-like
        The clip.
    constraints : ConstraintSet, mapping or path-like, optional
        Constraints of joints and of the centre of mass, in the time and at the rate of the clip. A
        file or mapping need not say duration and rate.
    slope : float, degrees, optional
        Put the person on ground that rises to the left; below 0, to the right.
    ease : float, seconds, optional
        Time to ease in and out where a constraint does not say; 0.4 when not given.
    reference : path-like or sequence of path-like, optional
        A library or captured clips: the report says how natural the edit is among them.
    space : path-like, optional
        Keep what is learned from them: read if it is of these, else written.
    progress : Progress
        Told of frames.
    **reading
        Fields of `motionloom.reading.ReadOptions`: `roles`, `only`, `without`, `unit` ...

    Returns
    -------
    Result
        `details` is the `ClipEdit`.

    Raises
    ------
    FormatError
        When a file cannot be read; the sentence has its line.
    InvalidInputError
        When nothing is asked for, or an edit cannot honour it.
    UnknownJointError
        For a joint that the skeleton does not have.

    Notes
    -----
    Every frame by itself serves strict layers of tasks, after Le Callennec & Boulic (2006).

    Examples
    --------
    >>> lift = {"time": 1.0, "joint": "right_hand", "shift": [0.0, 0.1, 0.0]}
    >>> result = ml.edit(demo / "clips/stand.bvh", {"joints": [lift]})
    >>> before, after = result.details.before, result.details.motion
    >>> hand = ml.load(demo / "clips/stand.bvh").skeleton.index("RightHand")
    >>> height = pose_motion(after).positions[30, hand, 1] - before.positions[30, hand, 1]
    >>> round(float(height), 3)
    0.1
    """
    if constraints is None and slope is None:
        raise InvalidInputError("say what is to be edited: constraints, or a slope")
    options = ReadOptions(**reading)
    motion = motion_of(clip, options, progress)
    posed = pose_motion(motion, options.read_roles(motion.skeleton))
    goals: tuple[Goal, ...] = () if slope is None else stand_on_slope(posed, slope)
    how = EditOptions()
    with names_in(constraints):
        if constraints is not None:
            asked = read_edit(constraints, posed.motion)
            goals += goals_of(asked, posed, EASE if ease is None else ease)
            how = EditOptions(asked.feet or how.feet, asked.balance or how.balance)
        made = edit_clip(posed, goals, how, progress)
        natural = {}
        if reference is not None or space is not None:
            if reference is not None and not isinstance(reference, Place):
                reference = find_place(names_of(reference))
            kept = Naturalness(
                reference,
                ReadOptions(roles=options.roles),
                file=None if space is None else Path(space),
                progress=progress,
                tell=as_warning,
            ).get()
            assert kept.judge is not None
            natural = compare_naturalness(made, kept.judge, kept.motion, progress)
    report = report_edit(made, natural)
    return Result({made.motion.name or "clip": made.motion}, report, made)
