"""Standard input, output and error, which a caller may have closed, or which may be full."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from typing import TextIO

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
