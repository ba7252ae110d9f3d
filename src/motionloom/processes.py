"""Worker processes that end with the command: when it is interrupted, when it fails, and when it
dies.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def worker_pool(count: int) -> Iterator[ProcessPoolExecutor]:
    """Pool of processes; work must be handed to it within `undisturbed`.

    When the block fails or is interrupted the processes are ended at once, whatever they do.
    """
    before = set(multiprocessing.active_children())
    # Started anew: a copy of this process would also copy locks that its threads hold.
    pool = ProcessPoolExecutor(
        count, multiprocessing.get_context("spawn"), initializer=end_with_parent
    )
    try:
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back Ctrl-C while processes are started, and start them deaf to it.

    Ctrl-C reaches all processes of a terminal. The one that started the others is interrupted at
    the end of the block, and ends them.
    """
    with noted(once=False) as came:
        # A blocked signal stays blocked in a process that is started, whatever handlers there are.
        can_block = hasattr(signal, "pthread_sigmask")
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if can_block else None
        try:
            yield
        finally:
            if blocked is not None:
                signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    if came:
        signal.raise_signal(came[0])


@contextmanager
def noted(once: bool) -> Iterator[list[int]]:
    """Write down Ctrl-C and SIGTERM instead of being interrupted by them.

    Parameters
    ----------
    once : bool
        Whether the next one interrupts all the same.

    Yields
    ------
    list of int
        Numbers of the signals that came. Only the main thread is sent any.
    """
    came: list[int] = []
    handlers: dict[int, Any] = {}

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if once and len(came) > 1:
            handlers[number](number, frame)

    if threading.current_thread() is threading.main_thread():
        handlers = {s: signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)}
        handlers = {s: handler for s, handler in handlers.items() if callable(handler)}
    for number in handlers:
        signal.signal(number, note)
    try:
        yield came
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def end_with_parent() -> None:
    """Let this process end as soon as the one that started it has died."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        assert parent is not None
        parent.join()
        os._exit(1)

    if parent is not None:
        threading.Thread(target=watch, daemon=True).start()
