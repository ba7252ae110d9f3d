"""What tells a search the time: handed in, so that nothing but the options decides when it ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Clock:
    """What tells a search the time.

    Parameters
    ----------
    passed : callable
        Seconds that have passed, for when the state is written.
    worked : callable
        Seconds that the processor has worked for this thread, for when the search ends; those of
        others on a busy machine do not count.
    """

    passed: Callable[[], float] = time.perf_counter
    worked: Callable[[], float] = time.thread_time


#: The clock of options that name none.
SYSTEM = Clock()


def system_clock() -> Clock:
    """The clock of options that name none."""
    return SYSTEM
