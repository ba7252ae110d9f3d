"""What a command is to the system: its signals, and standard input, output and error."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TextIO

#: Signals that ask a command to end.
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """Whether a signal came, and the exit code that says so."""

    def __init__(self) -> None:
        self.came = False
        self.code = 128 + signal.SIGINT

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal."""
        self.came = True
        self.code = 128 + number
        raise KeyboardInterrupt


@contextmanager
def stoppable(stop: Stop, last: bool) -> Iterator[None]:
    """Let SIGINT and SIGTERM raise KeyboardInterrupt; a signal that is ignored stays ignored.

    Only in the main thread; in others nothing is changed.

    Parameters
    ----------
    stop : Stop
        Will know whether a signal came.
    last : bool
        Whether the process ends after this; then a signal ends it without a word.

    Returns
    -------
    context manager
        At its end the handlers from before come back, or with `last` those of the system.
    """
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {s: signal.getsignal(s) for s in _SIGNALS}
        before = {
            s: handler for s, handler in before.items() if handler not in (signal.SIG_IGN, None)
        }
    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if last else handler)


#: What writing fails with.
_OF_WRITING = (errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EPIPE, errno.EBADF)


def fill_streams() -> None:
    """Fill standard streams that are closed, else the next file that is opened becomes one."""
    for descriptor, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        with suppress(OSError):
            _fill(descriptor)
            if getattr(sys, name) is None:
                setattr(sys, name, _stream(descriptor, mode))
    if isinstance(sys.stdout, io.TextIOWrapper):
        # File and joint names may hold characters that the terminal's encoding has not.
        sys.stdout.reconfigure(errors="backslashreplace")


def _stream(descriptor: int, mode: str) -> io.TextIOWrapper:
    """Text stream on an open descriptor, for as long as the process lives."""
    file = io.FileIO(descriptor, mode, closefd=False)
    buffer = io.BufferedReader(file) if mode == "r" else io.BufferedWriter(file)
    return io.TextIOWrapper(buffer, encoding="utf-8", errors="backslashreplace")


def _fill(descriptor: int) -> None:
    try:
        os.fstat(descriptor)
    except OSError:
        nothing = os.open(os.devnull, os.O_RDWR)
        if nothing != descriptor:
            os.dup2(nothing, descriptor)
            os.close(nothing)
        os.set_inheritable(descriptor, True)


def stdout_refuses(error: OSError) -> OSError | None:
    """The reason why standard output takes nothing, if that is where an error came from."""
    try:
        sys.stdout.flush()
    except OSError as refused:
        return refused
    # Where nothing is buffered (python -u) nothing is left to try it with.
    unbuffered = getattr(sys.stdout, "write_through", False)
    return error if unbuffered and error.filename is None and error.errno in _OF_WRITING else None


def discard(stream: TextIO) -> None:
    """Let what is left in a stream go nowhere, so that Python does not write it at its end."""
    with suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)
