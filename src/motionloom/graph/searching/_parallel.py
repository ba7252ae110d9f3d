"""The streams of a search in several processes. They know nothing of each other, so the result
stays the same.

Objects with large arrays handed to other processes: the arrays lie in shared memory once, the
rest is pickled.

Only for processes of one run that trust each other; nothing of it is ever written to disk.

Run the streams of a search with one of the methods until their budget is spent.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.context import SpawnProcess
from multiprocessing.shared_memory import SharedMemory
from queue import Empty
from typing import Any, cast

import numpy as np
from numba.core.event import Event, Listener, install_listener

from motionloom.errors import SynthesisError
from motionloom.graph.searching.problem import Problem
from motionloom.graph.searching.results import SearchOptions, find_method
from motionloom.graph.searching.rounds import give_up
from motionloom.graph.searching.state import Stream
from motionloom.processes import end_with_parent, noted, undisturbed
from motionloom.progress import Progress, breathe

#: Arrays begin at multiples of this, bytes.
_ALIGN = 64
#: Seconds between the states that a process sends home while it works.
REPORT_EVERY = 10.0


#: Name of a shared memory block, a pickle, and where in the block its arrays lie.
Shared = tuple[str, bytes, list[tuple[int, int]]]


def advance_in_processes(
    problem: Problem,
    options: SearchOptions,
    state: list[Stream],
    progress: Progress,
    changed: Callable[[], None],
) -> str:
    """Bring all streams to the limit, shared out among processes; like `advance`.

    Parameters
    ----------
    problem : Problem
        The graph and what is asked for; its arrays go to shared memory.
    options : SearchOptions
        Its `workers` says how many processes, at most one for each stream.
    state : list of Stream
        Changed in place.
    progress : Progress
        Told of the iterations of all processes.
    changed : callable
        Called when streams of `state` were replaced by what a process sent.

    Returns
    -------
    {"iterations", "time", "interrupted"}
        ``"time"`` when the clock ended any of the processes.

    Raises
    ------
    SynthesisError
        When a process dies.
    """
    context = multiprocessing.get_context(
        "spawn"
    )  # the same on all systems, and safe beside threads
    workers = min(options.workers, len(state))
    block: SharedMemory | None = None
    processes: list[SpawnProcess] = []
    try:
        with undisturbed():
            shared, block = share(problem)
            queue = context.Queue()
            stop = context.Event()
            done: Any = context.Array("q", workers)
            for w in range(workers):
                streams = pickle.dumps(state[w::workers])
                given = (shared, options, streams, w, queue, stop, done)
                process = context.Process(target=_work, args=given, daemon=True)
                process.start()
                processes.append(process)
        total = options.limit * len(state)
        with noted(once=True) as signals:

            def look() -> None:
                if signals:
                    stop.set()
                if not stop.is_set():
                    progress("searching", min(sum(done), total), total)

            return _collect(state, processes, queue, stop, look, changed)
    finally:
        for process in processes:
            process.terminate()
            process.join()
        if block is not None:
            block.close()
            block.unlink()


def _collect(
    state: list[Stream],
    processes: list[SpawnProcess],
    queue: Any,
    stop: Any,
    look: Callable[[], None],
    changed: Callable[[], None],
) -> str:
    """Wait for the processes and put what they send into the state; a signal stops them in
    order.
    """
    reasons: dict[int, str] = {}
    while len(reasons) < len(processes):
        try:
            look()
            w, streams, reason = queue.get(timeout=0.1)
            state[w :: len(processes)] = pickle.loads(streams)
            if reason:
                reasons[w] = reason
            changed()
        except KeyboardInterrupt:
            stop.set()
        except Empty:
            for w, process in enumerate(processes):
                if w not in reasons and process.exitcode not in (None, 0):
                    raise SynthesisError(
                        "a process of the search ended unexpectedly (exit status"
                        f" {process.exitcode}); use fewer workers if memory is short"
                    ) from None
    if stop.is_set():
        return "interrupted"
    return "time" if "time" in reasons.values() else "iterations"


def _work(
    shared: Shared,
    options: SearchOptions,
    streams: bytes,
    w: int,
    queue: Any,
    stop: Any,
    counts: Any,
) -> None:
    """What one process does: advance its streams and send them home."""
    end_with_parent()
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # where it could not be blocked; the first process tells the others
    loaded, block = attach(shared)
    state = pickle.loads(streams)
    sent = options.clock.passed()

    def report(stage: str, done: float, total: float) -> None:
        nonlocal sent
        counts[w] = int(done)
        if stop.is_set():
            raise KeyboardInterrupt
        if options.clock.passed() - sent > REPORT_EVERY:
            queue.put((w, pickle.dumps(state), ""))
            sent = options.clock.passed()

    reason = advance(cast(Problem, loaded), options, state, report)
    queue.put((w, pickle.dumps(state), reason))
    queue.close()
    queue.join_thread()
    del loaded
    with suppress(BufferError):  # while views of it live, the end of the process closes it
        block.close()


def share(value: object) -> tuple[Shared, SharedMemory]:
    """Take an object apart; the block is to be closed and unlinked when the processes are done."""
    buffers: list[pickle.PickleBuffer] = []
    rest = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    arrays = [buffer.raw() for buffer in buffers]
    places = []
    size = 0
    for array in arrays:
        places.append((size, size + array.nbytes))
        size += -(-array.nbytes // _ALIGN) * _ALIGN
    block = SharedMemory(create=True, size=max(size, 1))
    whole = np.ndarray(size, np.uint8, block.buf)
    for array, (begin, end) in zip(arrays, places, strict=True):
        whole[begin:end] = array
    return (block.name, rest, places), block


def attach(shared: Shared) -> tuple[object, SharedMemory]:
    """Put an object together; it is valid as long as the block is."""
    name, rest, places = shared
    block = SharedMemory(name=name)
    whole = np.ndarray(block.size, np.uint8, block.buf)
    return pickle.loads(rest, buffers=[whole[a:b] for a, b in places]), block


class _Compiling(Listener):
    """Adds up the seconds that compiling takes, by a clock."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.depth = 0
        self.began = 0.0
        self.seconds = 0.0

    def on_start(self, event: Event) -> None:
        """Compiling begins, perhaps within other compiling."""
        if self.depth == 0:
            self.began = self.clock()
        self.depth += 1

    def on_end(self, event: Event) -> None:
        """And ends."""
        self.depth -= 1
        if self.depth == 0:
            self.seconds += self.clock() - self.began


def advance(
    problem: Problem, options: SearchOptions, state: list[Stream], progress: Progress
) -> str:
    """Bring all streams to the limit, in turn, changing `state`; returns why it stopped.

    A stream that met no motion by then gives up a hard constraint and goes on for as long again,
    and so on.

    Parameters
    ----------
    problem : Problem
        The graph and what is asked for.
    options : SearchOptions
        The method, the budget and the clock.
    state : list of Stream
        Changed in place.
    progress : Progress
        Told of the iterations of all streams; a KeyboardInterrupt that it raises ends the search.

    Returns
    -------
    {"iterations", "time", "interrupted"}
        Which limit ended it, or that it was stopped.
    """
    clock = options.clock.worked
    step = find_method(options.method).step
    deadline = np.inf if options.iterations else clock() + 2 * options.budget * len(state)
    total = options.limit * len(state)
    compiling = _Compiling(clock)
    try:
        while unfinished := [s for s in state if _goes_on(problem, options, s)]:
            for stream in unfinished:
                breathe()
                # The first search on a machine compiles; that time is no search.
                with install_listener("numba:compile", compiling):
                    step(problem, options, stream)
            done = sum(min(s.iterations, options.limit) for s in state)
            progress("searching", done, total)
            if clock() - compiling.seconds > deadline and done < total:
                return "time"
    except KeyboardInterrupt:
        return "interrupted"
    return "iterations"


def _goes_on(problem: Problem, options: SearchOptions, stream: Stream) -> bool:
    """Whether a stream has something left to do."""
    if stream.iterations < options.limit * (1 + stream.extra):
        return True
    if stream.minima or not give_up(problem, stream):
        return False
    stream.extra += 1
    return True
