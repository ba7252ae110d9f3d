"""Trials of markers over force plates: a body is fitted, and what it must do is compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.errors import MotionloomError
from motionloom.fitting import calibrate, track
from motionloom.fitting.marker_model import MarkerModel
from motionloom.fitting.tracking import TrackingOptions
from motionloom.io import load_markers
from motionloom.marker_motion import MarkerSequence
from motionloom.physics.body import make_body
from motionloom.physics.dynamics import Smoothing
from motionloom.physics.ground import analyse_balance, balanced_share
from motionloom.physics.plates import (
    PlateComparison,
    PlateForces,
    compare_with_plates,
    read_plates,
)
from motionloom.physics.plates.compare import mass_from_plates
from motionloom.physics.plates.read import plates_of
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.progress import Progress, silent

#: Tracking takes what is faster for noise: forces need smoother poses than pictures, hertz.
TRACKED = 6.0
#: Cut-offs by what the person does: who stays within this many metres and is slower than this (95 %
#: of the time, metres per second) stands; who goes farther walks.
STANDS = (0.10, 0.06)
WALKS = 0.8
STANDING = Smoothing(poses=5.0, balance=5.0)
WALKING = Smoothing(poses=12.0, balance=8.0)
OTHERS = Smoothing(poses=8.0, balance=6.0)


@dataclass(frozen=True)
class TrialRow:
    """One trial.

    Parameters
    ----------
    path : str
        The marker file.
    refused : str
        Why it could not be measured; empty when it was.
    height, mass : float, metres and kilograms
        Of the body: as calibration finds it, and as the plates weigh it.
    balanced : float
        Share of support frames whose zero moment point is at most 5 cm outside.
    plates : PlateComparison, optional
        Against the plates.
    """

    path: str
    refused: str = ""
    height: float = 0.0
    mass: float = 0.0
    balanced: float = 0.0
    plates: PlateComparison | None = None

    @property
    def name(self) -> str:
        """Of the file, without folder and suffix."""
        return Path(self.path).stem


def evaluate_plates(paths: Sequence[str], progress: Progress = silent) -> tuple[TrialRow, ...]:
    """Compare trials with the force plates beside or in their files.

    Trials of one person (of one folder, with names alike up to the first ``_``) share a body; a
    trial whose name has ``static`` in it helps to find it.

    Parameters
    ----------
    paths : sequence of str
        Marker files (.trc with NAME_grf.mot beside, .c3d with plates).
    progress : Progress
        Told of trials.

    Returns
    -------
    tuple of TrialRow
        In the order of the paths.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for path in paths:
        stem = Path(path).stem
        group = stem.split("_")[0] if "_" in stem else ""
        groups.setdefault((str(Path(path).parent), group), []).append(path)
    rows: dict[str, TrialRow] = {}
    for own in groups.values():
        rows |= _evaluate_person(own, progress)
        progress("trials over plates", len(rows), len(paths))
    return tuple(rows[path] for path in paths)


def _evaluate_person(paths: Sequence[str], progress: Progress) -> dict[str, TrialRow]:
    rows = {}
    trials = {path: load_markers(path) for path in paths}
    try:
        model, height = _fit(trials, paths)
    except MotionloomError as error:
        return {path: TrialRow(path, refused=str(error)) for path in paths}
    for path, markers in trials.items():
        try:
            rows[path] = _evaluate(path, markers, model, height)
        except MotionloomError as error:
            rows[path] = TrialRow(path, refused=str(error))
    return rows


def _fit(trials: dict[str, MarkerSequence], paths: Sequence[str]) -> tuple[MarkerModel, float]:
    """The body from the trial with the most frames, and a static one."""
    static = next((p for p in paths if "static" in Path(p).stem.lower()), None)
    moving = [p for p in paths if p != static] or [paths[0]]
    longest = max(moving, key=lambda p: trials[p].n_frames)
    other = None if static in (None, longest) else trials[str(static)]
    found = calibrate(trials[longest], static=other)
    return found.model, found.size


def find_plates(path: str, markers: MarkerSequence) -> PlateForces:
    """Plates in a trial's file, or in NAME_grf.mot beside it."""
    for ending in ("_grf.mot", "_GRF.mot"):
        beside = Path(path).with_name(Path(path).stem + ending)
        if beside.exists():
            return read_plates(beside)
    return plates_of(markers)


def choose_smoothing(posed: PosedMotion) -> Smoothing:
    """Cut-offs by what a person does: stands, walks, or something else in place."""
    center = posed.center_of_mass[:, [0, 2]]
    gone = float(np.ptp(center, axis=0).max())
    speed = np.linalg.norm(np.gradient(posed.center_of_mass, axis=0), axis=-1) * posed.fps
    if gone < STANDS[0] and np.quantile(speed, 0.95) < STANDS[1]:
        return STANDING
    return WALKING if gone > WALKS else OTHERS


def _evaluate(path: str, markers: MarkerSequence, model: MarkerModel, height: float) -> TrialRow:
    plates = find_plates(path, markers)
    motion = track(model, markers, TrackingOptions(cutoff=TRACKED)).motion
    posed = pose_motion(motion, model.roles)
    smoothing = choose_smoothing(posed)
    light = make_body(posed, height)
    balance = analyse_balance(posed, light, smoothing)
    mass = mass_from_plates(balance, posed, plates)
    balance = analyse_balance(posed, make_body(posed, height, mass), smoothing)
    return TrialRow(
        path=path,
        height=height,
        mass=balance.body.mass,
        balanced=balanced_share(balance.distance),
        plates=compare_with_plates(balance, posed, plates),
    )


def format_plates(rows: Sequence[TrialRow]) -> str:
    """A table of trials.

    Parameters
    ----------
    rows : sequence of TrialRow
        What was measured.

    Returns
    -------
    str
    """
    lines = [
        "Against force plates (vertical force % body weight; pressure cm ahead, aside; contacts)",
        f"{'trial':<18}{'kg':>6}{'s':>6}{'force':>7}{'alike':>7}{'bias':>7}{'ahead':>7}{'aside':>7}"
        f"{'agree':>7}{'missed':>8}{'early':>7}{'flight':>8}{'balance':>9}",
    ]
    for row in rows:
        if row.plates is None:
            lines.append(f"{row.name:<18}{row.refused}")
            continue
        p = row.plates
        lines.append(
            f"{row.name:<18}{row.mass:>6.1f}{p.seconds:>6.1f}{p.force_rms:>7.2f}"
            f"{p.force_alike:>7.2f}{p.force_bias:>7.2f}{p.pressure_ahead:>7.2f}{p.pressure_aside:>7.2f}"
            f"{p.contacts:>7.3f}{f'{p.missed}/{p.stances}':>8}{_number(p.strike_early, 0):>7}"
            f"{_number(p.flight_load, 3):>8}{row.balanced:>9.3f}"
        )
    told = dict.fromkeys(row.plates.smoothing for row in rows if row.plates is not None)
    lines += [f"filters: {text}" for text in told]
    lines.append("alike: the plates' force smoothed as the poses are")
    lines.append(f"poses tracked with a cut-off of {TRACKED:g} Hz; masses as the plates weigh them")
    return "\n".join(lines) + "\n"


def _number(value: float, digits: int) -> str:
    return "-" if np.isnan(value) else f"{value:.{digits}f}"
