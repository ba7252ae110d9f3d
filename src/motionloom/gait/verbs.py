"""Gait in three verbs: learn it from clips, make it, and stream it."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from motionloom.constraints import ConstraintSet
from motionloom.constraints.files import constraints_of, names_in
from motionloom.constraints.kinds.table import refuse_unhonoured
from motionloom.errors import InvalidInputError
from motionloom.gait._stream import GaitStream
from motionloom.gait.cycles.told import read_told
from motionloom.gait.make import HONOURED, make_at_speed, make_for
from motionloom.gait.path.tables._mix import table_of
from motionloom.gait.report import report_gait
from motionloom.gait.space.fit import learn_gait
from motionloom.gait.space.gather import gather_examples
from motionloom.gait.space.space import GaitSpace, Walker
from motionloom.gait.store import load_gait, save_gait
from motionloom.gait.survey import survey_gait
from motionloom.io.result import Learned, Result, model_of
from motionloom.motion import GroundTransform
from motionloom.progress import Progress, as_warning, silent, warn
from motionloom.reading import Clips, ReadOptions, motions_of

#: What the verbs take for a gait space.
Space = GaitSpace | Learned | str | PathLike[str]


def fit(
    clips: Clips,
    *,
    told: str | PathLike[str] | None = None,
    progress: Progress = silent,
    **reading: Any,
) -> Learned:
    """Learn a gait space from walks and runs, of one person or more.

    Parameters
    ----------
    clips : path-like, Motion, or sequence of these
        Walks and runs of one skeleton; clips without strides are left out.
    told : path-like, optional
        YAML: whose clips they are, their styles, strikes that were found wrongly.
    progress : Progress
        Told of every clip.
    **reading
        Fields of `motionloom.reading.ReadOptions`: `roles`, `only`, `without`, `unit` ...

    Returns
    -------
    Learned
        Its model is a `GaitSpace`; `details` are the strides that were found in each clip.

    Raises
    ------
    InvalidInputError
        When no clip has strides.
    FormatError
        When a file cannot be read.

    Examples
    --------
    >>> learned = ml.gait.fit([demo / "clips/walk_1.1.bvh", demo / "clips/walk_1.6.bvh"])
    >>> learned.model.persons
    ('walk_1',)
    >>> learned.save("gait.npz")
    """
    options = ReadOptions(**reading)
    rows = () if told is None else read_told(Path(told))
    motions = motions_of(clips, options, progress)
    known = options.read_roles(motions[0].skeleton)
    examples = gather_examples(motions, rows, known, progress=progress)
    space = learn_gait(examples)
    warn(space.notes, as_warning)
    return Learned(space, survey_gait(space), save_gait, space.notes, examples.found)


def make(
    model: Space,
    constraints: ConstraintSet | Mapping[str, Any] | str | PathLike[str] | None = None,
    *,
    speed: float | None = None,
    seconds: float | None = None,
    fps: float | None = None,
    **walker: Any,
) -> Result:
    """Walk or run: straight ahead at a speed, or along the paths of constraints.

    Parameters
    ----------
    model : GaitSpace, Learned or path-like
        What `fit` learned.
    constraints : ConstraintSet, mapping or path-like, optional
        Paths, body constraints, speeds and styles to follow.
    speed : float, metres per second, optional
        Straight ahead; with `seconds`, and without constraints.
    seconds : float, optional
        For so long.
    fps : float, optional
        Frames per second with `speed`; 30 when not given.
    **walker
        `person` (str), `height` (stature in metres), `style` (str) and `seed` (int: strides differ
        as a person's do), all optional.

    Returns
    -------
    Result
        `details` is the `MadeGait`.

    Raises
    ------
    InvalidInputError
        When it is not said where the gait leads, or a constraint cannot be honoured.
    SynthesisError
        When no gait can follow that path; the sentence has the nearest speed or radius that can.

    Examples
    --------
    >>> result = ml.gait.make(demo / "gait.npz", speed=1.3, seconds=2.0)
    >>> result.motion.n_frames, round(result.report.speed, 1)
    (61, 1.3)
    """
    space = model_of(model, load_gait, GaitSpace)
    who = Walker.of_stature(**walker)
    if constraints is None:
        if speed is None or seconds is None:
            raise InvalidInputError("gait needs speed and seconds, or constraints")
        made = make_at_speed(space, speed, seconds, 30.0 if fps is None else fps, who)
        asked = None
    else:
        if (speed, seconds, fps) != (None, None, None):
            raise InvalidInputError(
                "constraints have their own times and frames per second; leave speed, seconds and"
                " fps out"
            )
        asked = constraints_of(constraints)
        with names_in(constraints):
            refuse_unhonoured(asked, "'gait make'", HONOURED)
            made = make_for(space, asked, who)
    return Result({"gait": made.woven.posed.motion}, report_gait(made, asked), made, asked)


def stream(
    model: Space, fps: float = 60.0, *, at: GroundTransform | None = None, **walker: Any
) -> GaitStream:
    """Walk and run frame by frame, steered on the way.

    Parameters
    ----------
    model : GaitSpace, Learned or path-like
        What `fit` learned.
    fps : float
        Frames per second.
    at : GroundTransform, optional
        Where the body stands at first, and faces; the origin along +Z when not given.
    **walker
        `person`, `height` and `style` as of `make`.

    Returns
    -------
    GaitStream
        ``want(speed, heading)`` steers it, ``step()`` makes a frame.

    Raises
    ------
    InvalidInputError
        When the rate is not positive.
    UnknownNameError
        For a person or style that the model does not have.

    Examples
    --------
    >>> stream = ml.gait.stream(demo / "gait.npz", fps=60)
    >>> stream.want(speed=1.2)
    >>> frames = [stream.step() for _ in range(120)]
    >>> stream.collect(frames).n_frames, round(stream.speed, 1)
    (120, 1.2)
    """
    space = model_of(model, load_gait, GaitSpace)
    return GaitStream(table_of(space, Walker.of_stature(**walker)), fps, at)
