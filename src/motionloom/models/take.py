"""A new take from a model: one key posture edited, the whole motion finished and reported."""

from __future__ import annotations

from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike

from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.table import refuse_unhonoured
from motionloom.errors import InvalidInputError, UnknownNameError
from motionloom.models._asked import gather, tasks_of
from motionloom.models._edit import edit_motion, show_motion
from motionloom.models.generator import HONOURS, ROUNDS, FittedModel
from motionloom.spaces.motion_space import MotionSpace
from motionloom.synthesis.driver import Synthesis
from motionloom.synthesis.finish import finish
from motionloom.synthesis.report import make_report


def edit_take(
    model: FittedModel,
    constraints: ConstraintSet,
    at: str | float,
    *,
    start: ArrayLike | None = None,
    duration: float | None = None,
) -> tuple[Synthesis, ConstraintSet]:
    """Edit a motion at one key posture; the rest follows, feet are locked, and all is measured.

    Parameters
    ----------
    model : FittedModel
        What takes know.
    constraints : ConstraintSet
        Of one moment: what joints shall do at that posture, and perhaps where the body stands. Its
        times and duration do not count.
    at : str or float
        The key posture, or a normalised frame.
    start : array of shape (K,), optional
        Coefficients that are edited; the mean motion when not given.
    duration : float, seconds, optional
        Of the new take; as the model predicts when not given.

    Returns
    -------
    synthesis : Synthesis
        Its report's details are `ModelDetails`, measured on the finished motion: how far feet slide
        before and after the foot lock, and what every task is missed by.
    constraints : ConstraintSet
        With the time at which the take shows that posture.

    Raises
    ------
    InvalidInputError
        For a constraint that a model cannot honour, or a frame that there is not.
    UnknownNameError
        For an unknown key posture or joint.
    SynthesisError
        When the action does not last so long or short.
    """
    refuse_unhonoured(constraints, "a motion model", HONOURS)
    if duration is not None:
        model.check_duration(duration)
    space = model.space
    began = perf_counter()
    frame = space.frame_of(at)
    begin = np.zeros(space.n_components) if start is None else np.asarray(start, float)
    shown = space.shown_frames(begin, duration, space.frame_time, (frame,))
    edit = show_motion(space, begin, shown, space.frame_time)
    for _ in range(ROUNDS):
        # How the body leans depends on what it reaches for.
        standing = model.standing_at(constraints, frame, edit.coefficients)
        pairs = [(frame, t) for _, own in tasks_of(space, constraints, standing) for t in own]
        if pairs:
            edit = edit_motion(space, gather(pairs), model.options, start=start, duration=duration)
        if not (pairs and constraints.body):
            break
    draft = model.draft(edit, standing)
    found = perf_counter()
    dated = _dated(constraints, edit.frames, frame, edit.motion.fps)
    made = finish(draft, model.clips, dated)
    times = {"edit": found - began, "finish": perf_counter() - found}
    report = make_report(model, dated, 0, [made], times)
    return Synthesis(made.motion, report, (made,)), dated


def start_of(space: MotionSpace, name: str) -> ArrayLike:
    """Coefficients of a take, or of the mean of a style.

    Parameters
    ----------
    space : MotionSpace
        The model.
    name : str
        Of one of its takes or styles.

    Raises
    ------
    UnknownNameError
        When there is neither.
    """
    if name in space.styles:
        return space.coefficients[np.array(space.styles) == name].mean(axis=0)
    if name not in space.names:
        known = ", ".join([*dict.fromkeys(space.styles), *space.names][:8])
        raise UnknownNameError(
            name, f"the model has no take or style {name!r}; it has: {known} ..."
        )
    return space.coefficients[space.names.index(name)]


def _dated(
    constraints: ConstraintSet, frames: ArrayLike, frame: float, fps: float
) -> ConstraintSet:
    """The constraints at the time at which the motion shows the frame."""
    shown = np.asarray(frames, float)
    time = int(np.abs(shown - frame).argmin()) / fps
    if len(constraints.body) > 1:
        raise InvalidInputError(
            f"body: one posture has one place, got {len(constraints.body)}; keep one of them",
            field="body",
        )
    now = {"time": time, "end": None}
    return ConstraintSet(
        duration=(len(shown) - 1) / fps,
        fps=fps,
        body=tuple(c.model_copy(update=now) for c in constraints.body),
        joints=tuple(c.model_copy(update=now) for c in constraints.joints),
    )
