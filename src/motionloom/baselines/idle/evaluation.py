"""Idle motion on given recordings: what ``motionloom evaluate idle`` does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.baselines.idle.measures import (
    BANDS,
    bootstrap_interval,
    distance_of_rates,
    nearest_earlier,
    spectrum_difference,
)
from motionloom.baselines.idle.rivals import joint_noise, looped_clip
from motionloom.baselines.idle.telling import Telling, tell
from motionloom.errors import InvalidInputError
from motionloom.idle import IdleModel, IdleStream, begin_idle, fit_idle, next_piece
from motionloom.idle.recording import Recording, prepare_recording
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.roles import Roles

Array = NDArray[np.float64]

#: What is wanted of ours beside two halves of the recording, and of the bands, dB.
RATIO, DECIBELS = 1.5, 2.0
#: Leading components whose spectra are compared, and windows in which repeats are looked for.
COMPONENTS, REPEAT = 4, 5.0
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
    """

    seeds: int = 3
    minutes: float = 10.0


@dataclass(frozen=True)
class Rates:
    """How fast joints turn and change their speed.

    Parameters
    ----------
    halves : tuple of float
        Distance of speeds and accelerations between the first and the second half.
    made, noise, loop : tuple of float
        Distances to the second half, as shares of `halves`: what was made from the first half,
        noise on its joints, and its first seconds repeated.
    """

    halves: tuple[float, float]
    made: tuple[float, float]
    noise: tuple[float, float]
    loop: tuple[float, float]

    @property
    def alike(self) -> bool:
        """Whether speeds and accelerations are as near as wanted."""
        return max(self.made) <= RATIO


@dataclass(frozen=True)
class Spectra:
    """Power of the leading components, and whether anything comes twice.

    Parameters
    ----------
    within : float
        Share of bands of leading components within 2 dB of the recording.
    worst : float, dB
        Largest difference.
    nearest, made_nearest : float
        How near any 5 s come to earlier ones, recorded and made.
    """

    within: float
    worst: float
    nearest: float
    made_nearest: float


@dataclass(frozen=True)
class Stays:
    """How long postures are kept, and how often they shift.

    Parameters
    ----------
    stay, made_stay : float, seconds
        Mean stay recorded, and made.
    stay_range : tuple of float, seconds
        What the recorded mean may be, by resampling.
    shifts, made_shifts : float
        Shifts a minute.
    shift_range : tuple of float
        What the recorded rate may be, with stays in that range.
    """

    stay: float
    made_stay: float
    stay_range: tuple[float, float]
    shifts: float
    made_shifts: float
    shift_range: tuple[float, float]

    @property
    def alike(self) -> bool:
        """Whether stays and shifts are within what the recording may mean."""
        low, high = self.stay_range
        fewest, most = self.shift_range
        return low <= self.made_stay <= high and fewest <= self.made_shifts <= most


@dataclass(frozen=True)
class PersonRow:
    """One recording.

    Parameters
    ----------
    name : str
        Of the recording.
    rates : Rates
        Speeds and accelerations.
    spectra : Spectra
        Power of components.
    stays : Stays
        Rests and shifts.
    """

    name: str
    rates: Rates
    spectra: Spectra
    stays: Stays


@dataclass(frozen=True)
class IdleEvaluation:
    """Everything that was measured.

    Parameters
    ----------
    rows : tuple of PersonRow
        One for each recording.
    telling : Telling or None
        What classifiers tell; None of one recording only.
    """

    rows: tuple[PersonRow, ...]
    telling: Telling | None

    def to_json(self) -> str:
        """For programs."""
        return json.dumps(asdict(self), indent=1) + "\n"

    def to_text(self) -> str:
        """For people."""
        lines = [
            "Speeds and accelerations of joints: distance to the second half of the recording, as"
            " a share of that of its first half",
            f"{'':24} {'halves':>13} {'ours':>11} {'noise':>13} {'loop':>11}",
        ]
        lines += [_rates_line(row.name, row.rates) for row in self.rows]
        alike = sum(row.rates.alike for row in self.rows)
        lines += [
            f"within {RATIO:g}: {alike} of {len(self.rows)}",
            "",
            f"Leading {COMPONENTS} components in bands from {BANDS[0]:g} to {BANDS[-1]:g} Hz;"
            " stays and shifts beside what the recording may mean; nearest 5 s before",
            f"{'':24} {'within 2 dB':>11} {'worst':>7} {'stay, s':>20} {'shifts/min':>20}"
            f" {'nearest, was':>16}",
        ]
        lines += [_stays_line(row) for row in self.rows]
        within = sum(row.stays.alike for row in self.rows)
        lines.append(f"stays and shifts within: {within} of {len(self.rows)}")
        if self.telling is not None:
            told = self.telling
            lines += [
                "",
                f"person named right: recorded windows {told.person_recorded:.2f}, made"
                f" {told.person_made:.2f}",
                f"told from recorded windows of the same person: {told.made:.2f} (guessing .50)",
            ]
            lines += [f"  by {name}: {share:.2f}" for name, share in told.giveaways]
        return "\n".join(lines) + "\n"


def _rates_line(name: str, rates: Rates) -> str:
    beyond = "" if rates.alike else f"  beyond {RATIO:g}"
    return (
        f"{name[:24]:24} {_two(rates.halves, 3)} {_two(rates.made)} {_two(rates.noise, 2, 6)}"
        f" {_two(rates.loop)}{beyond}"
    )


def _stays_line(row: PersonRow) -> str:
    spectra = row.spectra
    stays = row.stays
    return (
        f"{row.name[:24]:24} {100 * spectra.within:9.0f} % {spectra.worst:+7.1f}"
        f" {stays.made_stay:6.1f} [{stays.stay_range[0]:4.1f} {stays.stay_range[1]:5.1f}]"
        f" {stays.made_shifts:7.1f} [{stays.shift_range[0]:4.1f} {stays.shift_range[1]:4.1f}]"
        f" {spectra.made_nearest:8.3f} {spectra.nearest:7.3f}"
    )


def _two(values: tuple[float, float], digits: int = 2, width: int = 5) -> str:
    return " ".join(f"{value:{width + (digits > 2)}.{digits}f}" for value in values)


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
    halves: list[tuple[Motion, Motion, Motion]] = []
    for i, motion in enumerate(motions):
        progress("measuring", i, len(motions))
        if motion.duration < SHORTEST:
            raise InvalidInputError(
                f"{motion.name} lasts {motion.duration:.0f} s; halves of at least"
                f" {SHORTEST / 2:g} s are compared"
            )
        row, three = _measure(motion, roles, options)
        rows.append(row)
        halves.append(three)
    progress("measuring", len(motions), len(motions))
    telling = None
    if len(motions) > 1:
        first, second, made = zip(*halves, strict=True)
        telling = tell(first, second, made)
    return IdleEvaluation(tuple(rows), telling)


def _measure(
    motion: Motion, roles: Roles | None, options: IdleEvaluationOptions
) -> tuple[PersonRow, tuple[Motion, Motion, Motion]]:
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
    return row, (known, unknown, made[0])


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
    made = _components(model, 1, frames)
    difference = spectrum_difference(made[:, :COMPONENTS], recorded[:, :COMPONENTS], model.fps)
    worst = difference.ravel()[int(np.argmax(np.abs(difference)))]
    window = round(REPEAT * model.fps)
    stride = max(1, round(0.25 * model.fps))
    return Spectra(
        within=float((np.abs(difference) <= DECIBELS).mean()),
        worst=float(worst),
        nearest=nearest_earlier(recorded, window, stride),
        made_nearest=nearest_earlier(made[: len(recorded)], window, stride),
    )


def _components(model: IdleModel, seed: int, n_frames: int) -> Array:
    """Components of made postures as they are seen from their stances."""
    state = begin_idle(model, seed)
    parts: list[Array] = []
    count = 0
    while count < n_frames:
        place = state.place
        piece, state = next_piece(model, state)
        back = place.inverse()
        seen = piece.motion.transformed(back)
        parts.append(model.space.to_components(seen))
        count += len(parts[-1])
    return np.concatenate(parts)[:n_frames]


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
    state = begin_idle(model, 2)
    while seconds < 60.0 * options.minutes:
        piece, state = next_piece(model, state)
        seconds += piece.motion.n_frames / model.fps
        made.append(piece.stay / model.fps)
    return Stays(
        stay=float(np.mean(stays)),
        made_stay=float(np.mean(made)),
        stay_range=(low, high),
        shifts=rate,
        made_shifts=60.0 * len(made) / seconds,
        shift_range=(60.0 * share / (high + gap), 60.0 * share / (low + gap)),
    )
