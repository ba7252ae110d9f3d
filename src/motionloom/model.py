"""Motion models in two verbs: learn one from takes of an action, and make new takes with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from motionloom.constraints import ConstraintSet
from motionloom.constraints.files import constraints_of, names_in
from motionloom.errors import InvalidInputError
from motionloom.io.result import Learned, Result, model_of
from motionloom.models import EditOptions, fitted_model
from motionloom.models.learn import learn_model, read_tool
from motionloom.models.overview import survey_model
from motionloom.models.solving.problem import REACH, SOFTEST
from motionloom.models.take import edit_take, start_of
from motionloom.options import take_options
from motionloom.progress import Progress, as_warning, silent, warn
from motionloom.reading import Clips, ReadOptions, motions_of
from motionloom.spaces.motion_space import (
    MotionSpace,
    MotionSpaceOptions,
    load_motion_space,
    read_key_file,
    save_motion_space,
)
from motionloom.synthesis.driver import synthesize

__all__ = ["fit", "make"]


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name[:2] == "__")})


def fit(
    clips: Clips,
    *,
    keys: str | PathLike[str] | None = None,
    tool: Sequence[str] = (),
    labels: str | PathLike[str] | None = None,
    progress: Progress = silent,
    **options: Any,
) -> Learned:
    """Learn a motion model from takes of one action.

    Parameters
    ----------
    clips : path-like, Motion, or sequence of these
        Takes of one skeleton.
    keys : path-like, optional
        Key postures of the takes, or how they are found; guessed when not given.
    tool : sequence of str
        What a joint holds, ``NAME=JOINT:x,y,z`` in metres in the joint's frame.
    labels : path-like, optional
        Labels of takes: their styles.
    progress : Progress
        Told of every file.
    **options
        Fields of `motionloom.spaces.motion_space.MotionSpaceOptions`: `kind` (``"pca"`` or
        ``"ppca"``), `components`, `n_frames`, `align`; and of `motionloom.reading.ReadOptions`:
        `roles`, `only`, `without`, `unit` ...

    Returns
    -------
    Learned
        Its model is a `MotionSpace`.

    Raises
    ------
    InvalidInputError
        When takes are too few, differ, or do not show the same key postures.
    FormatError
        When a file cannot be read.

    Notes
    -----
    After Carvalho, Boulic & Thalmann (2007).

    Examples
    --------
    >>> learned = ml.model.fit(demo / "clips/reach_right_*.bvh")
    >>> learned.model.n_components  # of five takes
    4
    >>> learned.model.key_names
    ('start', 'leave', 'up', 'hold', 'down', 'back', 'end')
    >>> learned.save("reaches.npz")
    """
    reading = take_options(ReadOptions, options)
    how = MotionSpaceOptions(**options)
    tools = [read_tool(text) for text in tool]
    known = None if keys is None else read_key_file(keys)
    motions = motions_of(clips, reading, progress)
    styles = None if labels is None else Path(labels)
    roles = reading.read_roles(motions[0].skeleton)
    space = learn_model(motions, known, how, tools=tools, styles=styles, roles=roles)
    warn(space.notes, as_warning)
    return Learned(space, survey_model(space), save_motion_space, space.notes)


def make(
    model: MotionSpace | Learned | str | PathLike[str],
    constraints: ConstraintSet | Mapping[str, Any] | str | PathLike[str],
    *,
    at: str | float | None = None,
    begin: str | None = None,
    seconds: float | None = None,
    soft: float | None = None,
    pure: bool = False,
) -> Result:
    """Make a new take: postures as constraints say, and the rest of the motion follows.

    Parameters
    ----------
    model : MotionSpace, Learned or path-like
        What `fit` learned.
    constraints : ConstraintSet, mapping or path-like
        What joints shall do. Without `at` its own times count, and it may be about several
        postures.
    at : str or float, optional
        The key posture, or normalised frame, that the constraints are about.
    begin : str, optional
        Take or style that is edited; the mean when not given. Needs `at`.
    seconds : float, optional
        How long the new take lasts; predicted when not given. Needs `at`.
    soft : float, metres, optional
        The model may miss by about that, and the arm does the rest.
    pure : bool
        Only what takes show, no displacement about the posture.

    Returns
    -------
    Result
        `details` is the `Synthesis`.

    Raises
    ------
    InvalidInputError
        For a constraint that a model cannot honour.
    UnknownNameError
        For an unknown key posture, take or joint.
    SynthesisError
        When the action does not last so long or short.
    FormatError
        When a file cannot be read.

    Examples
    --------
    >>> reach = {"joints": [{"joint": "right_hand", "position": [-0.2, 1.2, 0.5]}]}
    >>> result = ml.model.make(demo / "reaches.npz", reach, at="hold")
    >>> result.report.generator, result.problems
    ('model', ())
    """
    if soft is not None and not 0 < soft <= SOFTEST:
        raise InvalidInputError(f"soft: expected metres above 0, at most {SOFTEST:g}, got {soft:g}")
    if at is None and (begin is not None or seconds is not None):
        raise InvalidInputError("begin and seconds need at, a key posture")
    space = model_of(model, load_motion_space, MotionSpace)
    asked = constraints_of(constraints, still=at is not None)
    start = None if begin is None else start_of(space, begin)
    frame = None if at is None else space.frame_of(at)
    with names_in(constraints):
        fitted = fitted_model(space, EditOptions(soft=soft, local=None if pure else REACH))
        if frame is None:
            made = synthesize(fitted, asked)
        else:
            made, asked = edit_take(fitted, asked, frame, start=start, duration=seconds)
    return Result({made.motion.name or "take": made.motion}, made.report, made, asked)
