"""Real trials: how near markers lie, and how angles agree with what others made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import MotionloomError
from motionloom.fitting import FittedTrial, fit_markers, recognise
from motionloom.fitting.calibration.calibrate import calibrate
from motionloom.io import load_markers
from motionloom.kinematics import forward_kinematics
from motionloom.marker_motion import MarkerSequence
from motionloom.progress import Progress, silent
from motionloom_evaluation.markers.angles import (
    Agreement,
    beside,
    compare,
    flexion,
    gait_output_angles,
    read_opensim_angles,
)

Array = NDArray[np.float64]

#: Roles of the joints whose centres files may hold.
_ROLES = {"ankle": "foot", "wrist": "hand"}


@dataclass(frozen=True, eq=False)
class TrialRow:
    """One trial.

    Parameters
    ----------
    path : str
        Its file.
    refused : str
        Why it was not fitted; else empty.
    marker_set : str
        That was recognised.
    markers, frames : int
        Number of markers that were used, and of frames.
    size : float, metres
        Of the body.
    rms : float, metres
        Of the markers about the body.
    reference : str
        What angles are compared with; empty where there is nothing.
    angles : tuple of Agreement
        Beside that reference.
    centres : mapping of str to float, metres
        Mean distance from the joint centres that the file has.
    seconds : float
        Processor time of calibration.
    flexion : mapping of str to array of shape (T,), degrees
        Of the fitted motion.
    """

    path: str
    refused: str = ""
    marker_set: str = ""
    markers: int = 0
    frames: int = 0
    size: float = 0.0
    rms: float = 0.0
    reference: str = ""
    angles: tuple[Agreement, ...] = ()
    centres: dict[str, float] | None = None
    seconds: float = 0.0
    flexion: dict[str, Array] | None = None

    @property
    def name(self) -> str:
        """Of the file, without folder and suffix."""
        return Path(self.path).stem


def evaluate_trials(paths: Sequence[str], progress: Progress = silent) -> tuple[TrialRow, ...]:
    """Fit trials, each calibrated by itself.

    Parameters
    ----------
    paths : sequence of str
        Marker files.
    progress : Progress
        Told of trials.

    Returns
    -------
    tuple of TrialRow
        Of those that cannot be fitted the reason.
    """
    rows = []
    for i, path in enumerate(paths):
        progress("trials", i, len(paths))
        try:
            rows.append(_evaluate(path))
        except MotionloomError as error:
            rows.append(TrialRow(path, refused=str(error)))
    progress("trials", len(paths), len(paths))
    return tuple(rows)


def _evaluate(path: str) -> TrialRow:
    markers = load_markers(path)
    fitted = fit_markers(markers, partial=True)  # only what is observed is compared
    began = process_time()
    calibrate(markers)  # once more: what is compiled is loaded by now
    seconds = process_time() - began
    ours = flexion(fitted.motion, fitted.model.roles) if _is_person(fitted) else {}
    reference, theirs = _reference(path, markers)
    return TrialRow(
        path=path,
        marker_set=fitted.model.marker_set,
        markers=len(fitted.model.labels),
        frames=fitted.motion.n_frames,
        size=fitted.calibration.size if fitted.calibration else 0.0,
        rms=fitted.tracked.rms,
        reference=reference,
        angles=compare(ours, theirs),
        centres=_centres(markers, fitted),
        seconds=seconds,
        flexion=ours,
    )


def _is_person(fitted: FittedTrial) -> bool:
    return fitted.model.roles.kind == "human"


def _reference(path: str, markers: MarkerSequence) -> tuple[str, dict[str, Array]]:
    """Angles that others found for the same trial."""
    angles = beside(path)
    if angles is not None:
        return "OpenSim", read_opensim_angles(angles)
    output = gait_output_angles(markers)
    return ("its own", output) if output else ("", {})


def _centres(markers: MarkerSequence, fitted: FittedTrial) -> dict[str, float]:
    """Mean distance from joint centres that the file has, metres."""
    pose = forward_kinematics(fitted.motion)
    found = {}
    for name, i in recognise(markers.labels).centres.items():
        side, part = name.split("_")
        joint = fitted.model.roles.joints[f"{side}_{_ROLES.get(part, part)}"]
        known = markers.valid[:, i]
        apart = np.linalg.norm(pose.positions[:, joint] - markers.positions[:, i], axis=-1)
        if known.any():
            found[name] = float(apart[known].mean())
    return found


def find_pairs(rows: Sequence[TrialRow]) -> list[tuple[TrialRow, TrialRow]]:
    """Trials of one movement from two systems: their names differ in the last word, their lengths
    do not.
    """
    found = []
    fitted = [row for row in rows if row.flexion]
    for i, one in enumerate(fitted):
        for other in fitted[i + 1 :]:
            stems = {row.name.rpartition("-")[0] for row in (one, other)}
            if len(stems) == 1 and "" not in stems and one.frames == other.frames:
                found.append((one, other))
    return found


def format_trials(rows: Sequence[TrialRow]) -> str:
    """Tables of trials, angles, joint centres, pairs and refusals."""
    lines = [
        "Trials",
        f"{'':<28}{'set':<15}{'markers':>8}{'frames':>8}{'size m':>8}{'rms cm':>8}{'calib s':>9}",
    ]
    for row in rows:
        if not row.refused:
            lines.append(
                f"{row.name[:27]:<28}{row.marker_set:<15}{row.markers:8}{row.frames:8}"
                f"{row.size:8.2f}{100 * row.rms:8.2f}{row.seconds:9.2f}"
            )
    lines += _angle_lines(rows)
    lines += _centre_lines(rows)
    for one, other in find_pairs(rows):
        lines += _pair_lines(one, other)
    refused = [row for row in rows if row.refused]
    if refused:
        lines += ["Refused", *(f"  {Path(row.path).name}: {row.refused}" for row in refused)]
    return "\n".join(lines)


def _angle_lines(rows: Sequence[TrialRow]) -> list[str]:
    told = [row for row in rows if row.angles]
    if not told:
        return []
    lines = [
        "Flexion beside others, rms degrees with the mean difference taken off (that difference)"
    ]
    for row in told:
        cells = [f"{a.name} {a.rms:.1f} ({a.offset:+.0f})" for a in row.angles]
        lines.append(f"{row.name[:27]:<28}{row.reference:<14}" + "  ".join(cells))
    return lines


def _centre_lines(rows: Sequence[TrialRow]) -> list[str]:
    told = [row for row in rows if row.centres]
    if not told:
        return []
    lines = ["Joint centres that files have, mean distance from ours, cm"]
    for row in told:
        cells = [f"{name} {100 * apart:.1f}" for name, apart in (row.centres or {}).items()]
        lines.append(f"{row.name[:27]:<28}" + "  ".join(cells))
    return lines


def _pair_lines(one: TrialRow, other: TrialRow) -> list[str]:
    agreed = compare(one.flexion or {}, other.flexion or {})
    cells = [f"{a.name} {a.rms:.1f} ({a.offset:+.0f})" for a in agreed]
    return [f"{one.name} beside {other.name}, rms degrees: " + "  ".join(cells)]
