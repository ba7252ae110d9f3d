"""TrackedMotion: a trial as it was fitted, and what happened to its markers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.curves import runs_of
from motionloom.fitting.marker_model import MarkerModel
from motionloom.kinematics import forward_kinematics
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.typing import Array, Bools, Ints

#: Name of the events of frames in which no joint is told.
WHOLE_BODY = "the whole body"


@dataclass(frozen=True)
class MarkerEvent:
    """Something that happened to a marker, or to a segment.

    Parameters
    ----------
    kind : str
        ``"gap"``: not seen. ``"swap"``: another marker's label stood where it was. ``"jump"``: seen
        where it cannot be. ``"segment"``: the markers that were left did not tell a joint's turn.
    name : str
        The marker, of ``"segment"`` the joint, or ``the whole body`` where no joint is told.
    first, last : int
        First and last frame.
    start, end : float, seconds
        Times of these frames.
    other : str
        Of ``"swap"`` the label that it was found under; else empty.
    """

    kind: str
    name: str
    first: int
    last: int
    start: float
    end: float
    other: str = ""

    def in_words(self) -> str:
        """One line for people."""
        span = f"{self.start:.3f}-{self.end:.3f} s"
        said = {
            "gap": "was not seen",
            "swap": f"was found under the label {self.other}",
            "jump": "was seen where it cannot be, and left out",
            "segment": "was not told by the markers that were left: masked",
        }
        return f"{span}: {self.name} {said[self.kind]}"


@dataclass(frozen=True, eq=False)
class TrackedMotion:
    """A body's motion as its markers tell it.

    Parameters
    ----------
    model : MarkerModel
        What was fitted.
    motion : Motion
        Of the model's skeleton, frame by frame with the markers.
    observed : bool array of shape (T, J)
        Whether markers tell a joint's turn; where not, the motion is a guess between what is told.
    residuals : array of shape (T, M, 3), metres
        From a marker's place on the body to where it was seen; NaN where it was not.
    trusted : bool array of shape (T, M)
        Whether the marker was seen and agreed with its segment.
    sources : int array of shape (T, M)
        Which of the trial's labels each marker was found under, an index into the model's labels;
        -1 where it was found under none.
    events : tuple of MarkerEvent
        In the order of time.
    """

    model: MarkerModel
    motion: Motion
    observed: Bools
    residuals: Array
    trusted: Bools
    sources: Ints
    events: tuple[MarkerEvent, ...] = ()

    @property
    def rms(self) -> float:
        """Root mean square distance of trusted markers from their places, metres."""
        squares = np.sum(self.residuals[self.trusted] ** 2, axis=-1)
        return float(np.sqrt(squares.mean())) if len(squares) else float("nan")

    def marker_rms(self) -> Array:
        """The same for every marker, shape (M,), metres; NaN for one that was never trusted."""
        squares = np.where(self.trusted, np.sum(self.residuals**2, axis=-1), 0.0)
        counts = self.trusted.sum(axis=0)
        found = np.sqrt(squares.sum(axis=0) / np.maximum(counts, 1))
        return np.where(counts > 0, found, np.nan)

    def fitted_markers(self) -> MarkerSequence:
        """Markers where the body has them, all seen except those of masked joints."""
        pose = forward_kinematics(self.motion)
        joints = self.model.joints
        turned = rot.rotate(pose.rotations[:, joints], self.model.offsets)
        return MarkerSequence(
            self.model.labels,
            pose.positions[:, joints] + turned,
            self.observed[:, joints],
            self.motion.frame_time,
            name=self.motion.name,
        )


def take_sources(positions: Array, valid: Bools, sources: Ints) -> tuple[Array, Bools]:
    """Observations (T, M, 3) that markers are taken from, and whether there was one (T, M)."""
    at = np.maximum(sources, 0)
    seen = np.take_along_axis(valid, at, axis=1) & (sources >= 0)
    return np.take_along_axis(positions, at[..., None], axis=1), seen


def find_events(tracked: TrackedMotion, valid: Bools) -> tuple[MarkerEvent, ...]:
    """What happened to markers and segments, in the order of time.

    Parameters
    ----------
    tracked : TrackedMotion
        Still without events.
    valid : bool array of shape (T, M)
        Whether a label was seen.

    Returns
    -------
    tuple of MarkerEvent
        Those a frame or two apart count as one.
    """
    found: list[MarkerEvent] = []
    model, observed = tracked.model, tracked.observed
    trusted, sources = tracked.trusted, tracked.sources
    frame_time = tracked.motion.frame_time
    own = np.arange(valid.shape[1])
    swapped = (sources != own) & (sources >= 0) & trusted
    joining = max(round(0.02 / frame_time), 1)

    def add(kind: str, name: str, flags: Bools, other: str = "") -> None:
        for first, stop in runs_of(flags, joining=joining):
            ends = (first, stop - 1, first * frame_time, (stop - 1) * frame_time)
            found.append(MarkerEvent(kind, name, *ends, other))

    for m, label in enumerate(model.labels):
        add("gap", label, ~valid[:, m] & ~swapped[:, m])
        for other in np.unique(sources[swapped[:, m], m]):
            add("swap", label, swapped[:, m] & (sources[:, m] == other), model.labels[other])
        add("jump", label, valid[:, m] & ~trusted[:, m] & ~swapped[:, m])
    nobody: Bools = ~np.asarray(observed.any(axis=1))
    add("segment", WHOLE_BODY, nobody)
    for j in np.flatnonzero(observed.any(axis=0)):
        add("segment", model.skeleton.names[j], ~observed[:, j] & ~nobody)
    return tuple(sorted(found, key=lambda event: (event.first, event.kind, event.name)))
