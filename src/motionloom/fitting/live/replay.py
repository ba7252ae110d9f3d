"""A trial sent at its own rate, as a live system would send it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from motionloom.fitting.live.protocol import format_frame, format_head
from motionloom.marker_motion import MarkerSequence

#: The last stretch before a frame is due is waited for without sleeping, seconds.
_AWAKE = 0.0003


@dataclass(frozen=True)
class Replayed:
    """How a replay went.

    Parameters
    ----------
    frames : int
        Frames that were sent.
    late : int
        Frames sent more than one frame time after they were due.
    latest : float, seconds
        Longest delay of a frame.
    """

    frames: int
    late: int
    latest: float


def replay_frames(
    markers: MarkerSequence,
    send: Callable[[str], object],
    *,
    fps: float | None = None,
    seconds: float | None = None,
    clock: Callable[[], float] = time.perf_counter,
    sleep: Callable[[float], object] = time.sleep,
) -> Replayed:
    """Send a trial's frames when they are due.

    Parameters
    ----------
    markers : MarkerSequence
        The trial.
    send : function
        Takes one line.
    fps : float, optional
        Frames per second; the trial's own when not given. The trial is resampled to it.
    seconds : float, optional
        How long; the trial starts again as often as it takes. Once when not given.
    clock, sleep : functions, optional
        Time in seconds, and waiting.

    Returns
    -------
    Replayed
        With the number of frames that were late.
    """
    if fps is not None and abs(fps * markers.frame_time - 1) > 1e-6:
        markers = markers.resample(1 / fps)
    count = markers.n_frames if seconds is None else round(seconds * markers.fps)
    lines = [
        format_frame(0, 0.0, positions, valid.tolist()).split(" ", 3)[3]
        for positions, valid in zip(markers.positions, markers.valid, strict=True)
    ]
    for line in format_head(markers):
        send(line)
    start = clock() + 0.05
    delays = np.zeros(count)
    for i in range(count):
        due = start + i * markers.frame_time
        if (wait := due - clock()) > _AWAKE:
            sleep(wait - _AWAKE)
        while (now := clock()) < due:
            pass
        send(f"frame {i} {i * markers.frame_time:.6f} {lines[i % len(lines)]}")
        delays[i] = now - due
    send("end")
    late = int((delays > markers.frame_time).sum())
    return Replayed(count, late, float(delays.max(initial=0.0)))
