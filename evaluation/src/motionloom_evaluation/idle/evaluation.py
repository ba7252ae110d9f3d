"""Idle motion on given recordings: what ``motionloom evaluate idle`` does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.idle import IdleModel, IdleStream, begin_idle, fit_idle
from motionloom.idle.learning.recording import Recording, prepare_recording
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.roles import Roles
from motionloom_evaluation.idle.gestures import GestureTable, play_schedules
from motionloom_evaluation.idle.long_run import LongRun, run_long
from motionloom_evaluation.idle.measures import (
    bootstrap_interval,
    distance_of_rates,
    nearest_earlier,
    spectrum_difference,
)
from motionloom_evaluation.idle.pieces import components_of, plans_of
from motionloom_evaluation.idle.results import (
    COMPONENTS,
    DECIBELS,
    IdleEvaluation,
    PersonRow,
    Rates,
    Spectra,
    Stays,
)
from motionloom_evaluation.idle.rivals import joint_noise, looped_clip
from motionloom_evaluation.idle.telling import mean_telling, tell

Array = NDArray[np.float64]

#: Windows in which repeats are looked for, seconds.
REPEAT = 5.0
#: Recordings shorter than this cannot be halved, seconds.
SHORTEST = 30.0


@dataclass(frozen=True)
class IdleEvaluationOptions:
    """How much is measured.

    Parameters
    ----------
    seeds : int
        Motions made of each person, and averaged.
    minutes : float
        How long stays and repeats are looked for.
    schedules : int
        Random schedules of gestures that are played.
    hours : float
        How long everybody is let wait, to see what drifts; 0 to leave it out.
    """

    seeds: int = 3
    minutes: float = 10.0
    schedules: int = 0
    hours: float = 0.0


def evaluate_idle(
    motions: Sequence[Motion],
    roles: Roles | None = None,
    options: IdleEvaluationOptions | None = None,
    progress: Progress = silent,
) -> IdleEvaluation:
    """Learn from one half of each recording, compare what is made with the other.

    Parameters
    ----------
    motions : sequence of Motion
        People who stand about, one recording each.
    roles : Roles, optional
        Which joint is which part of the body.
    options : IdleEvaluationOptions, optional
        How much is measured.
    progress : Progress
        Told of every recording.

    Returns
    -------
    IdleEvaluation

    Raises
    ------
    InvalidInputError
        When a recording is shorter than half a minute, or cannot be learned from.
    """
    options = options or IdleEvaluationOptions()
    rows = []
    films: list[Films] = []
    for i, motion in enumerate(motions):
        progress("measuring", i, len(motions))
        check_length(motion)
        row, film = _measure(motion, roles, options)
        rows.append(row)
        films.append(film)
    progress("measuring", len(motions), len(motions))
    result = IdleEvaluation(tuple(rows), None)
    if len(motions) > 1:
        first = [film.known for film in films]
        second = [film.unknown for film in films]
        seeds = zip(*(film.made for film in films), strict=True)
        result = replace(result, telling=mean_telling([tell(first, second, m) for m in seeds]))
    if options.schedules:
        result = replace(result, gestures=_gestures(films, options.schedules))
    return replace(result, hours=_hours(films, options.hours, progress))


def check_length(motion: Motion) -> None:
    """Check that a recording can be halved.

    Parameters
    ----------
    motion : Motion
        The recording.

    Raises
    ------
    InvalidInputError
        When it is shorter than half a minute.
    """
    if motion.duration < SHORTEST:
        raise InvalidInputError(
            f"{motion.name} lasts {motion.duration:.0f} s; halves of at least"
            f" {SHORTEST / 2:g} s are compared"
        )


@dataclass(frozen=True, eq=False)
class Films:
    """Both halves of a recording, and what was learned and made of the first.

    Parameters
    ----------
    name : str
        Of the recording.
    model : IdleModel
        Of the first half.
    known, unknown : Motion
        The halves.
    made : tuple of Motion
        As long as the second half, of several seeds.
    """

    name: str
    model: IdleModel
    known: Motion
    unknown: Motion
    made: tuple[Motion, ...]


def _gestures(films: Sequence[Films], count: int) -> GestureTable:
    return play_schedules([f.model for f in films], [f.unknown for f in films], count)


def _hours(
    films: Sequence[Films], hours: float, progress: Progress
) -> tuple[tuple[str, LongRun], ...]:
    if not hours:
        return ()
    return tuple((f.name, run_long(f.model, f.known, hours, progress=progress)) for f in films)


def _measure(
    motion: Motion, roles: Roles | None, options: IdleEvaluationOptions
) -> tuple[PersonRow, Films]:
    middle = motion.n_frames // 2
    parts = (motion.cut(0, middle), motion.cut(middle, motion.n_frames))
    first, second = (prepare_recording(part, roles) for part in parts)
    known, unknown = first.posed.motion, second.posed.motion
    model = fit_idle([first])
    rng = np.random.default_rng(0)
    made = [_stream(model, seed, unknown.n_frames) for seed in range(options.seeds)]
    between = distance_of_rates(known, unknown)
    noise = joint_noise(known, unknown.n_frames, rng)
    loop = looped_clip(known, unknown.n_frames)
    whole = prepare_recording(motion, roles)
    everything = fit_idle([whole])
    rates = Rates(
        halves=between,
        made=_mean_share([distance_of_rates(m, unknown) for m in made], between),
        noise=_mean_share([distance_of_rates(noise, unknown)], between),
        loop=_mean_share([distance_of_rates(loop, unknown)], between),
    )
    spectra = _spectra(everything, whole, options)
    row = PersonRow(motion.name, rates, spectra, _stays(everything, options, rng))
    return row, Films(motion.name, model, known, unknown, tuple(made))


def _stream(model: IdleModel, seed: int, n_frames: int) -> Motion:
    return IdleStream(model, None, begin_idle(model, seed)).frames(n_frames)


def _mean_share(
    distances: Sequence[tuple[float, float]], between: tuple[float, float]
) -> tuple[float, float]:
    speed, acceleration = np.mean(distances, axis=0) / np.maximum(between, 1e-12)
    return float(speed), float(acceleration)


def _spectra(model: IdleModel, recording: Recording, options: IdleEvaluationOptions) -> Spectra:
    recorded = model.space.to_components(recording.seen_from_stances())
    frames = round(options.minutes * 60.0 * model.fps)
    made = components_of(model, 1, frames)
    difference = spectrum_difference(made[:, :COMPONENTS], recorded[:, :COMPONENTS], model.fps)
    middle = len(recorded) // 2
    halves = spectrum_difference(
        recorded[:middle, :COMPONENTS], recorded[middle:, :COMPONENTS], model.fps
    )
    worst = difference.ravel()[int(np.argmax(np.abs(difference)))]
    window = round(REPEAT * model.fps)
    stride = max(1, round(0.25 * model.fps))
    return Spectra(
        within=float((np.abs(difference) <= DECIBELS).mean()),
        halves=float((np.abs(halves) <= DECIBELS).mean()),
        worst=float(worst),
        nearest=nearest_earlier(recorded, window, stride),
        made_nearest=nearest_earlier(made[: len(recorded)], window, stride),
    )


def _stays(model: IdleModel, options: IdleEvaluationOptions, rng: np.random.Generator) -> Stays:
    stays = [rest.stay for rest in model.rests]
    gaps = [shift.n_frames / model.fps for shift in model.shifts]
    gap = float(np.mean(gaps)) if gaps else 0.0
    low, high = bootstrap_interval(stays, rng)
    rate = 60.0 * len(gaps) / model.seconds
    # Time before the first and behind the last rest counts for neither.
    share = rate * (float(np.mean(stays)) + gap) / 60.0
    made: list[float] = []
    seconds = 0.0
    plans = plans_of(model, 2)
    while seconds < 60.0 * options.minutes:
        plan = next(plans)
        seconds += plan.n_frames / model.fps
        made.append(plan.stay / model.fps)
    return Stays(
        stay=float(np.mean(stays)),
        made_stay=float(np.mean(made)),
        stay_range=(low, high),
        shifts=rate,
        made_shifts=60.0 * len(made) / seconds,
        shift_range=(60.0 * share / (high + gap), 60.0 * share / (low + gap)),
    )
