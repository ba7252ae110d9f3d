"""What a calibration found, and how it compares with what bodies are like.

Markers that are not where their labels say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from motionloom.fitting.marker_model import MarkerModel
from motionloom.reports import Column, Report, Reported, Row, Table, fields_of, shown, table_of
from motionloom.skeleton import few
from motionloom.typing import Array, Bools

#: Median distance (metres) from the body beyond which a marker is not where its label says. In 19
#: captured trials of eight data sets (walks, turns, stairs, a run, squats, standing; 400 frames
#: each) no marker lies farther off than 1.1 cm, the one on a sternum in a turn. The limit is nearly
#: three times that: loose skin and plates shall not be called wrong labels.
MOST_OFF = 0.03

#: Standard deviations among bodies from which a length is said to be out of range.
OUT_OF_RANGE = 2.0


@dataclass(frozen=True)
class LengthRow:
    """A distance between two joint centres beside what goes with the body's size.

    Parameters
    ----------
    name : str
        Such as ``"left thigh"``.
    length : float, metres
        As found.
    expected : float, metres
        As it goes with the size.
    differs : float, metres
        Standard deviation among bodies of that size.
    varies : float, metres
        Standard deviation over the frames; 0 where the skeleton is rigid by construction.
    deviation : float
        How far it is from what is expected, in standard deviations among bodies.
    out_of_range : bool
        Whether that is more than two.
    """

    name: str = field(metadata=shown("segment"))
    length: float = field(metadata=shown("length", "cm", ".1f", 100))
    expected: float = field(metadata=shown("by size", "cm", ".1f", 100))
    differs: float = field(metadata=shown("sd among bodies", "cm", ".1f", 100))
    varies: float = field(metadata=shown("over frames", "cm", ".1f", 100))
    deviation: float = field(metadata=shown("differs by", "sd", ".1f"))
    out_of_range: bool = field(metadata=shown("out of range"))


@dataclass(frozen=True, eq=False)
class Calibration(Reported):
    """A marker model, and how it was found.

    Parameters
    ----------
    model : MarkerModel
        The skeleton with its markers.
    method : str
        ``"joint"``, ``"rule"`` or ``"functional"``.
    body : str
        ``"human"`` or ``"dog"``.
    size : float, metres
        Of the body: stature of a person.
    lengths : tuple of LengthRow
        Beside proportions of the size.
    confidence : mapping of str to float, metres
        Standard deviation of each joint's centre, by joint; empty where the method has none.
    rms : float, metres
        Of the markers about the model, in the frames that were used.
    marker_rms : mapping of str to float, metres
        The same for each marker.
    frames : int
        Frames that were used.
    missing : tuple of str
        Labels of the marker set that the trial does not have.
    left_out : tuple of str
        Labels that were not used.
    notes : tuple of str
        What was decided or is to be looked at.
    doubts : tuple of str
        Why this can hardly be the body that was captured.
    misplaced : mapping of str to float, metres
        Markers that are not where their labels say: median distance by label.
    """

    model: MarkerModel
    method: str
    body: str
    size: float
    lengths: tuple[LengthRow, ...]
    confidence: Mapping[str, float]
    rms: float
    marker_rms: Mapping[str, float]
    frames: int
    missing: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    misplaced: Mapping[str, float] = field(default_factory=dict)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with it, a sentence each."""
        return (*self.doubts, *misplaced_in_words(self.misplaced))

    def as_report(self) -> Report:
        """Markers, lengths beside those of the size, and how well joint centres are known."""
        known = list(self.confidence.items())
        centres = [Column("", "joint centre"), Column("", "known within", "cm", factor=100)]
        markers = f"{len(self.model.labels)} markers of {self.model.marker_set}"
        return Report(
            "",
            [
                Row("", "marker set", markers),
                Row("method", "method", self.method),
                Row("body", "body", self.body),
                Row("frames", "frames", self.frames),
                Row("size", "size", self.size, "m", ".3f"),
                Row("rms", "markers from the model, rms", self.rms, "cm", factor=100),
                Row("", "missing", self.missing),
                Row("", "labels left out", few(self.left_out) if self.left_out else None),
                table_of("Lengths", self.lengths, "lengths"),
                Table("Joint centres, standard deviation", centres, known),
            ],
            data={
                **fields_of(self, "model", "lengths", "doubts", "misplaced"),
                "marker_set": self.model.marker_set,
                "markers": self.model.labels,
            },
            problems=self.problems,
            notes=self.notes,
        )


def misplaced_markers(labels: Sequence[str], away: Array, seen: Bools) -> dict[str, float]:
    """Markers that lie too far from the body in most frames in which they are seen.

    The median counts, so that a marker that jumps or swaps for some time does not.

    Parameters
    ----------
    labels : sequence of str
        Of the M markers.
    away : array of shape (T, M), metres
        Distance of each marker from its place on the body.
    seen : bool array of shape (T, M)
        Where that is known.

    Returns
    -------
    dict of str to float
        Median distance (metres) by label.
    """
    usual = {k: np.median(away[seen[:, m], m]) for m, k in enumerate(labels) if seen[:, m].any()}
    return {label: float(off) for label, off in usual.items() if off > MOST_OFF}


def misplaced_in_words(markers: Mapping[str, float]) -> tuple[str, ...]:
    """One sentence for each of `misplaced_markers`, the farthest first."""
    return tuple(
        f"{label} lies {100 * off:.1f} cm (median) from where its label says, more than"
        f" {100 * MOST_OFF:.0f} cm; look at its label, or leave it out"
        for label, off in sorted(markers.items(), key=lambda item: -item[1])
    )
