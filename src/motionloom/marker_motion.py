"""MarkerSequence: labelled points over time, with a mask for what was not seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.motion import Source, Timed, frames_of, length_of, resampling
from motionloom.skeleton import few, frozen_array, restore_read_only
from motionloom.typing import Array, Bools


@dataclass(frozen=True)
class Event:
    """Something that happens at a time, such as a foot strike.

    Parameters
    ----------
    time : float, seconds
        From the first frame of its sequence.
    label : str
        What happens, as the file has it.
    context : str
        Where it happens, such as a side of the body; empty where the file does not say.
    """

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
    values: Array
    frame_time: float
    units: tuple[str, ...] = ()
    __setstate__ = restore_read_only


@dataclass(frozen=True, eq=False)
class MarkerSequence(Timed):
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
        In the time of the frames, seconds.
    analog : Analog or None
        Channels recorded together with the markers.
    force_plates : tuple of mapping
        Plate geometry as the file has it (corners in metres, type, channels).
    name : str
        A short name, such as the file's stem.
    source : Source
        The file it came from.

    Examples
    --------
    >>> seen = np.ones((4, 1), bool)
    >>> seen[2] = False  # the third frame misses the marker
    >>> markers = MarkerSequence(("LASI",), np.zeros((4, 1, 3)), seen, 1 / 100)
    >>> markers.n_frames, int(markers.valid.sum())
    (4, 3)
    """

    labels: tuple[str, ...]
    positions: Array
    valid: Bools
    frame_time: float
    events: tuple[Event, ...] = ()
    analog: Analog | None = None
    force_plates: tuple[Mapping[str, Any], ...] = ()
    name: str = ""
    source: Source = field(default_factory=Source)

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))
        positions = np.asarray(self.positions, float)
        valid = np.asarray(self.valid, bool)
        if positions.ndim != 3 or positions.shape[1:] != (len(self.labels), 3):
            raise InvalidInputError(
                f"positions must have shape (T, {len(self.labels)}, 3), got {positions.shape}"
            )
        if valid.shape != positions.shape[:2]:
            raise InvalidInputError(
                f"valid must have shape {positions.shape[:2]}, got {valid.shape}"
            )
        self._check_frame_time()
        positions = np.where(valid[..., None], positions, 0.0)
        if not np.isfinite(positions).all():
            raise InvalidInputError("valid markers must have finite positions")
        object.__setattr__(self, "positions", frozen_array(positions))
        object.__setattr__(self, "valid", frozen_array(valid, bool))

    def __repr__(self) -> str:
        seen = f"{100 * self.valid.mean():.3g} % seen" if self.valid.size else "none seen"
        more = [f"{len(self.events)} events"] if self.events else []
        more += [f"{len(self.analog.labels)} analog channels"] if self.analog is not None else []
        more += [f"{len(self.force_plates)} force plates"] if self.force_plates else []
        return (
            f"<MarkerSequence {self.name!r}: {length_of(self)}\n"
            f"  {'; '.join([f'{len(self.labels)} markers, {seen}: {few(self.labels)}', *more])}\n"
            f"  {self.source.in_words()}>"
        )

    def __getitem__(self, frames: slice) -> MarkerSequence:
        start, stop, step = frames_of(frames, self.n_frames)
        return self.cut(start, stop).every(step)

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return len(self.positions)

    def cut(self, start: int, stop: int) -> MarkerSequence:
        """Frames ``start <= i < stop``, with the events and analog samples of that time.

        Parameters
        ----------
        start : int
            First frame that is kept; it becomes time 0.
        stop : int
            Frame behind the last that is kept.

        Returns
        -------
        MarkerSequence
            Force plates stay as they are.

        Raises
        ------
        InvalidInputError
            When the sequence does not have these frames.

        Examples
        --------
        >>> ml.load(demo / "markers.trc").cut(0, 30).n_frames
        30
        """
        self._check_cut(start, stop)
        begin = start * self.frame_time
        end = stop * self.frame_time
        tiny = 1e-9 * self.frame_time
        inside = (e for e in self.events if begin - tiny <= e.time < end - tiny)
        events = tuple(replace(e, time=e.time - begin) for e in inside)
        analog = self.analog
        if analog is not None:
            first, last = (round(t / analog.frame_time) for t in (begin, end))
            analog = replace(analog, values=frozen_array(analog.values[first:last]))
        positions, valid = self.positions[start:stop], self.valid[start:stop]
        return replace(self, positions=positions, valid=valid, events=events, analog=analog)

    def every(self, step: int) -> MarkerSequence:
        """Every `step`-th frame, beginning with the first; analog channels keep their own rate.

        Examples
        --------
        >>> markers = ml.load(demo / "markers.trc")
        >>> round(markers.fps / markers.every(2).fps, 6)
        2.0
        """
        if step == 1:
            return self
        positions, valid = self.positions[::step], self.valid[::step]
        longer = self.frame_time * step
        return replace(self, positions=positions, valid=valid, frame_time=longer)

    def resample(self, frame_time: float) -> MarkerSequence:
        """Same markers at another frame time, on straight lines between frames.

        It never goes beyond the last frame. A marker is seen where it was seen in the frames on
        both sides. Analog channels keep their own rate.

        Parameters
        ----------
        frame_time : float, seconds
            Time between frames: ``1 / 30`` for 30 frames per second.

        Returns
        -------
        MarkerSequence
            Events and analog samples stay as they are.

        Raises
        ------
        InvalidInputError
            When `frame_time` is no positive number, or above a second where the markers' own is
            not.

        Examples
        --------
        >>> markers = ml.load(demo / "markers.trc").cut(0, 31)
        >>> markers.resample(markers.frame_time / 2).n_frames
        61
        """
        i, f = resampling(self.n_frames, self.frame_time, frame_time)
        if not len(i):
            return replace(self, frame_time=float(frame_time))
        j = np.minimum(i + 1, self.n_frames - 1)
        valid = (self.valid[i] | (f == 1)[:, None]) & (self.valid[j] | (f == 0)[:, None])
        share = f[:, None, None]
        positions = self.positions[i] * (1 - share) + self.positions[j] * share
        return replace(self, positions=positions, valid=valid, frame_time=float(frame_time))

    def index(self, label: str) -> int:
        """Index of a marker by label.

        Parameters
        ----------
        label : str
            Name of the marker, exactly as in `labels`.

        Returns
        -------
        int
            Its place in `labels`.

        Raises
        ------
        InvalidInputError
            When there is no such marker.

        Examples
        --------
        >>> markers = ml.load(demo / "markers.trc")
        >>> markers.labels[markers.index("LASI")]
        'LASI'
        """
        if label not in self.labels:
            known = ", ".join(self.labels)
            raise InvalidInputError(f"unknown marker {label!r}; the file has: {known}")
        return self.labels.index(label)
