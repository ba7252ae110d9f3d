"""Ctrl-C and SIGTERM: both end a command in order, with its files whole and its processes gone."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

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
