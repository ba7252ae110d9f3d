"""What a calibration found, and how it compares with what bodies are like."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from motionloom.fitting.marker_model import MarkerModel
from motionloom.fitting.misplaced import misplaced_in_words
from motionloom.skeleton import few

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
    """

    name: str
    length: float
    expected: float
    differs: float
    varies: float = 0.0

    @property
    def deviation(self) -> float:
        """How far it is from what is expected, in standard deviations among bodies."""
        return (self.length - self.expected) / self.differs

    @property
    def out_of_range(self) -> bool:
        """Whether that is more than two."""
        return abs(self.deviation) > OUT_OF_RANGE


@dataclass(frozen=True, eq=False)
class Calibration:
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

    def to_text(self) -> str:
        """For people."""
        lines = [
            f"markers    {len(self.model.labels)} of the set {self.model.marker_set}; method"
            f" {self.method}, {self.frames} frames",
            f"size       {self.size:.3f} m; markers lie {100 * self.rms:.2f} cm (rms) from the"
            " model",
        ]
        if self.missing:
            lines.append(f"missing    {', '.join(self.missing)}")
        if self.left_out:
            lines.append(f"left out   {len(self.left_out)} labels: {few(self.left_out)}")
        lines += ["segment               length cm  by size cm  differs by (sd)"]
        lines += [_length_line(row) for row in self.lengths]
        if self.confidence:
            lines.append("joint centre known within cm (sd)")
            lines += [f"  {name:<18} {100 * sd:6.2f}" for name, sd in self.confidence.items()]
        lines += [f"note       {note}" for note in self.notes]
        lines += [f"problem    {problem}" for problem in self.problems]
        return "\n".join(lines) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "method": self.method,
            "body": self.body,
            "marker_set": self.model.marker_set,
            "markers": list(self.model.labels),
            "size": self.size,
            "lengths": [
                {**asdict(row), "deviation": row.deviation, "out_of_range": row.out_of_range}
                for row in self.lengths
            ],
            "confidence": dict(self.confidence),
            "rms": self.rms,
            "marker_rms": dict(self.marker_rms),
            "frames": self.frames,
            "missing": list(self.missing),
            "left_out": list(self.left_out),
            "notes": list(self.notes),
            "problems": list(self.problems),
        }

    def to_json(self) -> str:
        """All of it."""
        return json.dumps(self.to_dict(), indent=1) + "\n"


def _length_line(row: LengthRow) -> str:
    mark = "  out of range" if row.out_of_range else ""
    if row.varies > 0:
        mark += f"  varies by {100 * row.varies / row.length:.1f} % over frames"
    return (
        f"  {row.name:<20} {100 * row.length:8.1f} {100 * row.expected:10.1f}"
        f" {row.deviation:12.1f}{mark}"
    )
