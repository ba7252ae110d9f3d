"""Lines from standard input and datagrams from a port, and the other way round."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import BinaryIO

from motionloom.errors import InvalidInputError
from motionloom.fitting.live.protocol import MOST_BYTES

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
