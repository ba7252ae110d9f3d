"""The line protocol: one message per line of text or per datagram.

``rate FPS``, ``markers LABEL ...``, ``frame NUMBER TIME X Y Z X Y Z ...`` and ``end``. Places are
in metres, +Y up; a marker that was not seen is ``- - -``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.io.limits import MOST_MARKERS
from motionloom.marker_motion import MarkerSequence
from motionloom.typing import Array, Bools

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
