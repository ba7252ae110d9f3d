"""MarkerSequence: labelled points over time, with a mask for what was not seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.motion import Source
from motionloom.skeleton import frozen_array


@dataclass(frozen=True)
class Event:
    """Something that happens at a time, such as a foot strike."""

    time: float
    label: str
    context: str = ""


@dataclass(frozen=True, eq=False)
class Analog:
    """Analog channels (force plates, EMG) sampled at their own rate.

    Parameters
    ----------
    labels : tuple of str
        Channel names.
    values : array of shape (S, C)
        Samples in the units of the file.
    frame_time : float, seconds
        Time between samples.
    units : tuple of str
        One unit per channel, empty where the file does not say.
    """

    labels: tuple[str, ...]
    values: NDArray[np.float64]
    frame_time: float
    units: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class MarkerSequence:
    """Positions of labelled markers over time.

    Parameters
    ----------
    labels : tuple of str
        Marker names.
    positions : array of shape (T, M, 3), metres
        World positions, +Y up; rows where `valid` is false hold 0 and mean nothing.
    valid : bool array of shape (T, M)
        Whether the marker was seen.
    frame_time : float, seconds
        Time between frames.
    events : tuple of Event
    analog : Analog or None
    force_plates : tuple of mapping
        Plate geometry as the file has it (corners in metres, type, channels).
    name : str
    source : Source
    """

    labels: tuple[str, ...]
    positions: NDArray[np.float64]
    valid: NDArray[np.bool_]
    frame_time: float
    events: tuple[Event, ...] = ()
    analog: Analog | None = None
    force_plates: tuple[Mapping[str, Any], ...] = ()
    name: str = ""
    source: Source = field(default_factory=Source)
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))
        positions, valid = np.asarray(self.positions, float), np.asarray(self.valid, bool)
        if positions.ndim != 3 or positions.shape[1:] != (len(self.labels), 3):
            raise InvalidInputError(f"positions must have shape (T, {len(self.labels)}, 3), got {positions.shape}")
        if valid.shape != positions.shape[:2]:
            raise InvalidInputError(f"valid must have shape {positions.shape[:2]}, got {valid.shape}")
        if not (np.isfinite(self.frame_time) and self.frame_time > 0):
            raise InvalidInputError(f"frame_time must be a positive number of seconds, got {self.frame_time}")
        positions = np.where(valid[..., None], positions, 0.0)
        if not np.isfinite(positions).all():
            raise InvalidInputError("valid markers must have finite positions")
        object.__setattr__(self, "positions", frozen_array(positions))
        object.__setattr__(self, "valid", frozen_array(valid, bool))

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return len(self.positions)

    @property
    def fps(self) -> float:
        """Frames per second."""
        return 1.0 / self.frame_time

    @property
    def duration(self) -> float:
        """Time of the last frame, seconds."""
        return max(self.n_frames - 1, 0) * self.frame_time

    @property
    def times(self) -> NDArray[np.float64]:
        """Time of every frame, seconds, shape (T,)."""
        return np.arange(self.n_frames, dtype=float) * self.frame_time

    def index(self, label: str) -> int:
        """Index of a marker by label."""
        if label not in self.labels:
            raise InvalidInputError(f"unknown marker {label!r}; the file has: {', '.join(self.labels)}")
        return self.labels.index(label)
