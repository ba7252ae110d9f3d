"""Lines from standard input and datagrams from a port, and the other way round.

A trial sent at its own rate, as a live system would send it.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.fitting.live._session import MOST_BYTES, format_frame, format_head
from motionloom.marker_motion import MarkerSequence

#: This machine only.
LOOPBACK = "127.0.0.1"
#: Seconds without a datagram after which a caller may look whether to go on.
_PATIENCE = 0.5
#: Datagrams that wait while a frame is solved, bytes.
_WAITING = 1 << 20


def lines_of(stream: BinaryIO) -> Iterator[bytes]:
    """Lines of a stream; one that is too long comes cut off, which makes it no message.

    Parameters
    ----------
    stream : binary file
        Such as standard input.

    Yields
    ------
    bytes
        At most a little more than a message may have.
    """
    while line := stream.readline(MOST_BYTES + 1):
        yield line
        # The rest of a line that is too long is passed over.
        while line and not line.endswith(b"\n"):
            line = stream.readline(MOST_BYTES + 1)


def datagrams_of(
    port: int, host: str = LOOPBACK, ready: Callable[[int], object] | None = None
) -> Iterator[bytes]:
    """Datagrams that arrive at a port.

    Parameters
    ----------
    port : int
        0 for any that is free.
    host : str, optional
        Address to listen on: this machine only unless told.
    ready : function, optional
        Told the port once it is open.

    Yields
    ------
    bytes
        One datagram; empty when none came for half a second.

    Raises
    ------
    InvalidInputError
        When the port cannot be opened.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as inlet:
        inlet.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _WAITING)
        try:
            inlet.bind((host, port))
        except OSError as error:
            raise InvalidInputError(
                f"cannot listen on {host} port {port}: {error.strerror}; give another port"
            ) from None
        inlet.settimeout(_PATIENCE)
        if ready is not None:
            ready(inlet.getsockname()[1])
        while True:
            try:
                # A datagram that is longer is cut off, which makes it no message.
                yield inlet.recv(MOST_BYTES + 1)
            except TimeoutError:
                yield b""
            except ConnectionError:
                continue


def sender_to(host: str, port: int) -> Callable[[str], object]:
    """A function that sends lines to a port, one datagram each.

    Parameters
    ----------
    host : str
        Address.
    port : int
        Port there.

    Returns
    -------
    function
        Takes one line. That nobody listens is not noticed.
    """
    outlet = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def send(line: str) -> None:
        try:
            outlet.sendto(line.encode(), (host, port))
        except ConnectionError:
            pass
        except OSError as error:
            raise InvalidInputError(
                f"cannot send to {host} port {port}: {error.strerror}"
            ) from None

    return send


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
    frames = zip(markers.positions, markers.valid.tolist(), strict=True)
    lines = [format_frame(0, 0.0, *frame).split(" ", 3)[3] for frame in frames]
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
