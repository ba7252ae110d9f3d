"""LiveSession: messages in, poses out, whatever is wrong with the messages counted.

The line protocol has one message per line of text or per datagram: ``rate FPS``, ``markers LABEL
...``, ``frame NUMBER TIME X Y Z X Y Z ...`` and ``end``. Places are in metres, +Y up; a marker that
was not seen is ``- - -``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from motionloom.fitting.limbs import match_labels
from motionloom.fitting.marker_model import MarkerModel
from motionloom.fitting.tracking import MarkerTracker, TrackedPose, TrackingOptions
from motionloom.io.limits import MOST_MARKERS
from motionloom.marker_motion import MarkerSequence
from motionloom.typing import Array, Bools, Ints

#: A message has at most so many bytes; what is longer is ignored unread.
MOST_BYTES = 65_000
#: Frames are counted up to this number.
_MOST_FRAMES = 1e15
#: No marker is farther from the origin than this, metres.
_FARTHEST = 1e4
_MISSING = b"-"


@dataclass(frozen=True, eq=False)
class MarkerFrame:
    """One frame of markers.

    Parameters
    ----------
    number : int
        Counted by the sender; frames that were lost on the way leave numbers out.
    time : float, seconds
        By the sender's clock.
    positions : array of shape (M, 3), metres
        +Y up, in the order of the labels told last.
    valid : bool array of shape (M,)
        Whether each was seen.
    """

    number: int
    time: float
    positions: Array
    valid: Bools


@dataclass(frozen=True)
class Rate:
    """Frames per second of what follows."""

    fps: float


@dataclass(frozen=True)
class Labels:
    """Names of the markers in the order of what follows."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class End:
    """Nothing follows."""


Message = MarkerFrame | Rate | Labels | End


def read_message(line: bytes) -> Message | None:
    """Read a message.

    Parameters
    ----------
    line : bytes
        One line or datagram, with or without its end.

    Returns
    -------
    MarkerFrame, Rate, Labels, End or None
        None when it is no message: whoever reads from a network counts these and goes on.
    """
    if len(line) > MOST_BYTES:
        return None
    words = line.split()
    if not words:
        return None
    if words[0] == b"frame":
        return _read_frame(words)
    try:
        return _read_other([word.decode() for word in words])
    except (UnicodeDecodeError, ValueError):
        return None


def _read_frame(words: list[bytes]) -> MarkerFrame | None:
    count, rest = divmod(len(words) - 3, 3)
    if rest or not 1 <= count <= MOST_MARKERS:
        return None
    try:
        head = (float(words[1]), float(words[2]))
        values = np.array([np.nan if w == _MISSING else float(w) for w in words[3:]])
    except ValueError:
        return None
    if not (0 <= head[0] < _MOST_FRAMES and head[0] == int(head[0]) and np.isfinite(head[1])):
        return None
    positions = values.reshape(count, 3)
    valid = (np.abs(positions) < _FARTHEST).all(axis=1)
    positions[~valid] = 0.0
    return MarkerFrame(int(head[0]), head[1], positions, valid)


def _read_other(words: list[str]) -> Message | None:
    if words[0] == "rate" and len(words) == 2:
        fps = float(words[1])
        return Rate(fps) if 1 <= fps <= 10_000 else None
    if words[0] == "markers" and 1 < len(words) <= MOST_MARKERS + 1:
        labels = tuple(word.replace("%20", " ") for word in words[1:])
        return Labels(labels) if len(set(labels)) == len(labels) else None
    return End() if words == ["end"] else None


def format_frame(number: int, time: float, positions: Array, valid: Sequence[bool]) -> str:
    """The line of a frame, without its end; tenths of millimetres.

    Parameters
    ----------
    number : int
        Of the frame.
    time : float, seconds
        Of the frame.
    positions : array of shape (M, 3), metres
        +Y up.
    valid : sequence of M bool
        Whether each was seen.

    Returns
    -------
    str
        41 markers take about 1 kB, which fits one packet of a network.
    """
    cells = [
        f"{x:.4f} {y:.4f} {z:.4f}" if seen else "- - -"
        for (x, y, z), seen in zip(positions.tolist(), valid, strict=True)
    ]
    return f"frame {number} {time:.6f} {' '.join(cells)}"


def format_head(markers: MarkerSequence) -> tuple[str, str]:
    """The lines that come before the frames of a trial: its rate and its labels."""
    labels = " ".join(label.replace(" ", "%20") for label in markers.labels)
    return f"rate {markers.fps:.10g}", f"markers {labels}"


#: So many frames that come late, one after the other, are a stream that began anew.
_LATE_IN_A_ROW = 30
#: Frames that got lost are passed over one by one up to this many seconds.
_LONGEST_LEAP = 0.2


@dataclass(eq=False)
class LiveSession:
    """Follows a stream of messages.

    Parameters
    ----------
    model : MarkerModel
        The body.
    fps : float, optional
        Frames per second; else the stream's ``rate``, else the time between its first frames.
    options : TrackingOptions, optional
        Of the tracker.
    ended : bool
        Whether the stream said so.
    guessed : bool
        Whether the rate was taken from the first frames.
    counts : Counter
        Messages by what became of them.
    tracker : MarkerTracker or None
        None until the rate is known.
    """

    model: MarkerModel
    fps: float | None = None
    options: TrackingOptions | None = None
    ended: bool = False
    guessed: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    tracker: MarkerTracker | None = None
    _order: Ints | None = None
    _width: int = 0
    _before: MarkerFrame | None = None
    _late: int = 0

    def __post_init__(self) -> None:
        self._width = len(self.model.labels)
        if self.fps is not None:
            self.tracker = MarkerTracker(self.model, 1 / self.fps, self.options)

    def take(self, line: bytes) -> str | None:
        """Take a message.

        Parameters
        ----------
        line : bytes
            One line or datagram.

        Returns
        -------
        str or None
            The pose as a line of JSON when it was a frame that could be solved.
        """
        message = read_message(line)
        if message is None:
            self.counts["malformed"] += 1
            return None
        if isinstance(message, MarkerFrame):
            return self._solve(message)
        self._obey(message)
        return None

    def head(self) -> str:
        """The first line of what is written: skeleton and markers, as JSON."""
        skeleton = self.model.skeleton
        head = {"joints": list(skeleton.names), "parents": skeleton.parents.tolist()}
        head |= {"offsets": np.round(skeleton.offsets, 6).tolist()}
        return _as_line({**head, "markers": list(self.model.labels)})

    def _obey(self, message: Message) -> None:
        if isinstance(message, End):
            self.ended = True
        elif isinstance(message, Rate) and self.fps is None:
            if self.tracker is None or self.tracker.frame_time != 1 / message.fps:
                self.tracker = MarkerTracker(self.model, 1 / message.fps, self.options)
                self._before = None
        elif isinstance(message, Labels):
            self._order = match_labels(message.labels, self.model.labels)
            self._width = len(message.labels)
            # A stream that says its labels again begins again.
            self._before = None

    def _solve(self, frame: MarkerFrame) -> str | None:
        if len(frame.valid) != self._width:
            self.counts["wrong number of markers"] += 1
            return None
        if self._is_late(frame):
            return None
        tracker = self._tracker_of(frame)
        if tracker is None:
            return None
        self._leap(tracker, frame)
        self._before = frame
        pose = tracker.update(*self._sorted(frame))
        self.counts["solved" if pose.started else "waiting for enough markers"] += 1
        return _as_line(_describe_pose(self.model, frame, pose))

    def _is_late(self, frame: MarkerFrame) -> bool:
        """Whether a later frame has come already; one with a wrong number blocks no stream."""
        if self._before is None or frame.number > self._before.number:
            self._late = 0
            return False
        self._late += 1
        self.counts["late or twice"] += 1
        if self._late >= _LATE_IN_A_ROW:
            self._late = 0
            self._before = None
        return True

    def _tracker_of(self, frame: MarkerFrame) -> MarkerTracker | None:
        """The tracker; made when two frames have told the rate that nobody said."""
        if self.tracker is None:
            before = self._before
            self._before = frame
            if before is None or not 0 < frame.time - before.time <= 1:
                self.counts["before the rate was known"] += 1
                return None
            step = (frame.time - before.time) / (frame.number - before.number)
            self.tracker = MarkerTracker(self.model, step, self.options)
            self.guessed = True
        return self.tracker

    def _leap(self, tracker: MarkerTracker, frame: MarkerFrame) -> None:
        if self._before is None:
            return
        lost = frame.number - self._before.number - 1
        self.counts["lost on the way"] += lost
        unseen = np.zeros(len(self.model.labels), bool)
        nowhere = np.zeros((len(unseen), 3))
        for _ in range(min(lost, int(_LONGEST_LEAP / tracker.frame_time))):
            tracker.update(nowhere, unseen)

    def _sorted(self, frame: MarkerFrame) -> tuple[Array, Bools]:
        if self._order is None:
            return frame.positions, frame.valid
        at = np.maximum(self._order, 0)
        return frame.positions[at], frame.valid[at] & (self._order >= 0)


def _describe_pose(model: MarkerModel, frame: MarkerFrame, pose: TrackedPose) -> dict[str, Any]:
    """What is written of a pose.

    Parameters
    ----------
    model : MarkerModel
        Names joints and markers.
    frame : MarkerFrame
        What it was solved from.
    pose : TrackedPose
        As the tracker gave it.

    Returns
    -------
    dict
        ``frame``, ``time``, ``found``; with a body found also ``root`` (metres), ``rotations`` (w x
        y z of each joint relative to its parent), ``rms`` (metres), ``masked`` (joints),
        ``left_out`` (markers seen but not trusted) and ``swapped`` (marker: the label it was
        under).
    """
    told: dict[str, Any] = {"frame": frame.number, "time": frame.time, "found": pose.started}
    if not pose.started:
        return told
    squares = np.sum(pose.residuals[pose.trusted] ** 2, axis=-1)
    moved = (pose.sources >= 0) & (pose.sources != np.arange(len(pose.sources)))
    swapped = np.flatnonzero(pose.trusted & moved)
    left_out = np.flatnonzero(np.isfinite(pose.residuals[:, 0]) & ~pose.trusted)
    return told | {
        "root": np.round(pose.root, 5).tolist(),
        "rotations": np.round(pose.rotations, 6).tolist(),
        "rms": round(float(np.sqrt(squares.mean())), 5) if len(squares) else None,
        "masked": [model.skeleton.names[j] for j in np.flatnonzero(~pose.observable)],
        "left_out": [model.labels[m] for m in left_out],
        "swapped": {model.labels[m]: model.labels[pose.sources[m]] for m in swapped},
    }


def _as_line(told: dict[str, Any]) -> str:
    return json.dumps(told, separators=(",", ":"))
