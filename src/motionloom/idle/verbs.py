"""Waiting in three verbs: learn it from recordings, make it, and stream it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from motionloom.constraints.values import MAX_FPS
from motionloom.errors import InvalidInputError
from motionloom.idle._making import make_idle, measure_made
from motionloom.idle.continuing import wait_on_body
from motionloom.idle.learning.posture_space import fit_posture_space
from motionloom.idle.learning.recording import Recording, prepare_recording
from motionloom.idle.learning.spans import read_span_file
from motionloom.idle.model import IdleModel, find_rests, fit_idle
from motionloom.idle.overview import report_idle
from motionloom.idle.store import load_idle, save_idle
from motionloom.idle.streams.plans import IdleStreamOptions, begin_idle
from motionloom.idle.streams.stream import IdleStream
from motionloom.io.result import Learned, Result, model_of
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import pose_motion
from motionloom.progress import Progress, as_warning, silent, warn
from motionloom.reading import Clips, ReadOptions, motion_of, motions_of

#: Longest motion that is made in one call, seconds.
LONGEST = 36_000.0
#: What the verbs take for an idle model.
Model = IdleModel | Learned | str | PathLike[str]


def fit(
    clips: Clips,
    *,
    spans: str | PathLike[str] | None = None,
    person: str = "",
    progress: Progress = silent,
    **reading: Any,
) -> Learned:
    """Learn from recordings of a person who stands about how they wait.

    Parameters
    ----------
    clips : path-like, Motion, or sequence of these
        Recordings of one person; two minutes are plenty.
    spans : path-like, optional
        YAML: when the person rests; found when not given.
    person : str
        Name of the person; the first recording's when empty.
    progress : Progress
        Told of every recording.
    **reading
        Fields of `motionloom.reading.ReadOptions`: `roles`, `only`, `without`, `unit` ...

    Returns
    -------
    Learned
        Its model is an `IdleModel`; `details` are the spans in which the person rests.

    Raises
    ------
    InvalidInputError
        When the recordings do not fit each other, or nobody rests in them.
    FormatError
        When a file cannot be read.

    Notes
    -----
    After Egges, Molet & Magnenat-Thalmann (2004).

    Examples
    --------
    >>> learned = ml.idle.fit(demo / "clips/stand.bvh", person="Ada")
    >>> learned.model.person, learned.model.fps
    ('Ada', 30.0)
    >>> learned.save("ada.npz")
    """
    options = ReadOptions(**reading)
    marked = None if spans is None else read_span_file(Path(spans))
    motions = motions_of(clips, options, progress)
    told = None if marked is None else marked.spans_of(motions)
    known = options.read_roles(motions[0].skeleton)
    recordings = [prepare_recording(motion, known) for motion in motions]
    notes = _other_bones(recordings)
    if told is None:
        space = fit_posture_space(recordings)
        told = tuple(find_rests(recording, space) for recording in recordings)
    learned = fit_idle(recordings, told, person or motions[0].name, progress)
    learned = replace(learned, notes=(*learned.notes, *notes))
    warn(notes, as_warning)
    found = {motion.name: own for motion, own in zip(motions, told, strict=True)}
    return Learned(learned, report_idle(learned), save_idle, notes, found)


def _other_bones(recordings: Sequence[Recording]) -> tuple[str, ...]:
    first = recordings[0]
    name = first.posed.motion.name
    return tuple(
        f"{other.posed.motion.name} has legs of {100 * other.leg:.0f} cm and {name} of"
        f" {100 * first.leg:.0f} cm; the motion made has the bones of {name}"
        for other in recordings[1:]
        if abs(other.leg / first.leg - 1.0) > 0.02
    )


def make(
    model: Model,
    seconds: float,
    *,
    fps: float = 60.0,
    seed: int = 0,
    to: Motion | str | PathLike[str] | None = None,
    layer: Sequence[tuple[Motion, float]] = (),
    look: Sequence[tuple[Sequence[float] | None, float]] = (),
    progress: Progress = silent,
    **options: float,
) -> Result:
    """Make idle motion: feet where they stand, never the same twice.

    Parameters
    ----------
    model : IdleModel, Learned or path-like
        What `fit` learned.
    seconds : float
        How long the motion lasts.
    fps : float
        Frames per second.
    seed : int
        The same seed gives the same motion.
    to : Motion or path-like, optional
        A clip of another person who stands: the motion has their bones and posture. Gestures and
        looks are for the body that the model was learned on.
    layer : sequence of (Motion, float)
        Gestures: clips that are played over it, and when each begins, seconds.
    look : sequence of (point or None, float)
        Points that are looked at, metres, and from when on, seconds; None lets it be.
    progress : Progress
        Told of the frames.
    **options
        `liveliness` of the small variations, and `restlessness`, how often the posture shifts;
        both 1 when not given.

    Returns
    -------
    Result
        Its report is the `MadeIdle`.

    Raises
    ------
    InvalidInputError
        When a gesture begins at the end or later, or is of another skeleton.
    FormatError
        When a file cannot be read.

    Examples
    --------
    >>> result = ml.idle.make(demo / "idle.npz", seconds=2.0, fps=30, seed=7)
    >>> result.motion.n_frames, result.report.steps
    (60, 0)
    """
    learned = model_of(model, load_idle, IdleModel)
    lively = IdleStreamOptions(**options)
    if not (0.0 < seconds <= LONGEST and 0.0 < fps <= MAX_FPS):
        raise InvalidInputError(
            f"expected seconds above 0, at most {LONGEST:g}, and frames per second above 0, at"
            f" most {MAX_FPS:g}, got {seconds} and {fps}"
        )
    if to is None:
        made = make_idle(learned, seconds, fps, seed, lively, layer, progress=progress, looks=look)
        return Result({"idle": made.motion}, made, made)
    if layer or look:
        raise InvalidInputError(
            "layer and look are for the body that the model was learned on; leave them out, or"
            " leave out to"
        )
    posed = pose_motion(motion_of(to))
    motion = wait_on_body(learned, posed, seconds, fps, seed, lively)
    made = measure_made(posed.with_motion(motion), seed)
    return Result({"idle": motion}, made, made)


def stream(
    model: Model,
    fps: float = 60.0,
    *,
    seed: int = 0,
    at: GroundTransform | None = None,
    **options: float,
) -> IdleStream:
    """Wait frame by frame, for as long as it is needed.

    Parameters
    ----------
    model : IdleModel, Learned or path-like
        What `fit` learned.
    fps : float
        Frames per second.
    seed : int
        The same seed gives the same motion.
    at : GroundTransform, optional
        Where the body stands, and faces; the origin along +Z when not given.
    **options
        `liveliness` and `restlessness` as of `make`.

    Returns
    -------
    IdleStream
        ``frames(count)`` makes the next frames, ``play`` and ``look_at`` lay something over them.

    Raises
    ------
    InvalidInputError
        When the rate is not positive.

    Examples
    --------
    >>> stream = ml.idle.stream(demo / "idle.npz", fps=60, seed=7)
    >>> stream.frames(90).n_frames, stream.frames(30).n_frames
    (90, 30)
    """
    learned = model_of(model, load_idle, IdleModel)
    return IdleStream(learned, fps, begin_idle(learned, seed, at), IdleStreamOptions(**options))
