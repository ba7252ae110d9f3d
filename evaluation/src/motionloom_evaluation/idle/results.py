"""What was measured of idle motion, and how it is told."""

from __future__ import annotations

import json
from dataclasses import dataclass

from motionloom.reports import plain
from motionloom_evaluation.idle.gestures import GestureTable
from motionloom_evaluation.idle.long_run import LongRun
from motionloom_evaluation.idle.measures import BANDS
from motionloom_evaluation.idle.telling import Telling

#: What is wanted of ours beside two halves of the recording, and of the bands, dB.
RATIO, DECIBELS = 1.5, 2.0
#: Leading components whose spectra are compared.
COMPONENTS = 4


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
    halves : float
        The same share between both halves of the recording.
    worst : float, dB
        Largest difference.
    nearest, made_nearest : float
        How near any 5 s come to earlier ones, recorded and made.
    """

    within: float
    halves: float
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
    gestures : GestureTable or None
        What random schedules of gestures showed, where they were asked for.
    hours : tuple of (str, LongRun)
        Hours of each person, where they were asked for.
    """

    rows: tuple[PersonRow, ...]
    telling: Telling | None
    gestures: GestureTable | None = None
    hours: tuple[tuple[str, LongRun], ...] = ()

    def to_json(self) -> str:
        """For programs."""
        return json.dumps(plain(self), indent=1) + "\n"

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
            f"{'':24} {'within 2 dB':>11} {'halves':>6} {'worst':>7} {'stay, s':>20}"
            f" {'shifts/min':>20}"
            f" {'nearest, was':>16}",
        ]
        lines += [_stays_line(row) for row in self.rows]
        within = sum(row.stays.alike for row in self.rows)
        lines.append(f"stays and shifts within: {within} of {len(self.rows)}")
        if self.telling is not None:
            lines += ["", self.telling.to_text().rstrip()]
        if self.gestures is not None:
            lines += ["", self.gestures.to_text().rstrip()]
        for name, run in self.hours:
            lines += ["", f"{name}: {run.to_text().rstrip()}"]
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
        f"{row.name[:24]:24} {100 * spectra.within:9.0f} % {100 * spectra.halves:4.0f} %"
        f" {spectra.worst:+7.1f}"
        f" {stays.made_stay:6.1f} [{stays.stay_range[0]:4.1f} {stays.stay_range[1]:5.1f}]"
        f" {stays.made_shifts:7.1f} [{stays.shift_range[0]:4.1f} {stays.shift_range[1]:4.1f}]"
        f" {spectra.made_nearest:8.3f} {spectra.nearest:7.3f}"
    )


def _two(values: tuple[float, float], digits: int = 2, width: int = 5) -> str:
    return " ".join(f"{value:{width + (digits > 2)}.{digits}f}" for value in values)
