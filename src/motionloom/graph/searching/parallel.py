"""The streams of a search in several processes. They know nothing of each other, so the result
stays the same.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.context import SpawnProcess
from multiprocessing.shared_memory import SharedMemory
from queue import Empty
from typing import Any, cast

from motionloom.errors import SynthesisError
from motionloom.graph.searching.methods import advance
from motionloom.graph.searching.problem import Problem
from motionloom.graph.searching.results import SearchOptions
from motionloom.graph.searching.sharing import Shared, attach, share
from motionloom.graph.searching.state import SearchState
from motionloom.processes import end_with_parent, noted, undisturbed
from motionloom.progress import Progress

#: Seconds between the states that a process sends home while it works.
REPORT_EVERY = 10.0


@dataclass(frozen=True, eq=False)
class _Team:
    """Processes that search, what they send, how they are told to stop, the iterations that each
    has done, and the signals that came meanwhile.
    """

    processes: list[SpawnProcess]
    queue: Any
    stop: Any
    done: Any
    signals: list[int]


def advance_in_processes(
    problem: Problem,
    options: SearchOptions,
    state: SearchState,
    progress: Progress,
    changed: Callable[[], None],
) -> str:
    """Bring all streams to the limit, shared out among processes; like `advance`.

    `changed` is called when streams of `state` were replaced by what a process sent.

    Raises
    ------
    SynthesisError
        When a process dies.
    """
    context = multiprocessing.get_context(
        "spawn"
    )  # the same on all systems, and safe beside threads
    workers = min(options.workers, len(state.streams))
    block: SharedMemory | None = None
    processes: list[SpawnProcess] = []
    try:
        with undisturbed():
            shared, block = share(problem)
            queue = context.Queue()
            stop = context.Event()
            done = context.Array("q", workers)
            for w in range(workers):
                streams = pickle.dumps(state.streams[w::workers])
                given = (shared, options, streams, w, queue, stop, done)
                process = context.Process(target=_work, args=given, daemon=True)
                process.start()
                processes.append(process)
        with noted(once=True) as signals:
            team = _Team(processes, queue, stop, done, signals)
            return _collect(options, state, progress, changed, team)
    finally:
        for process in processes:
            process.terminate()
            process.join()
        if block is not None:
            block.close()
            block.unlink()


def _collect(
    options: SearchOptions,
    state: SearchState,
    progress: Progress,
    changed: Callable[[], None],
    team: _Team,
) -> str:
    """Wait for the processes, put what they send into the state and report progress; a signal stops
    them in order.
    """
    processes = team.processes
    stop = team.stop
    reasons: dict[int, str] = {}
    total = options.limit * len(state.streams)
    while len(reasons) < len(processes):
        try:
            if team.signals:
                stop.set()
            if not stop.is_set():
                progress("searching", min(sum(team.done), total), total)
            w, streams, reason = team.queue.get(timeout=0.1)
            state.streams[w :: len(processes)] = pickle.loads(streams)
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
    state = SearchState(pickle.loads(streams))
    sent = options.clock.passed()

    def report(stage: str, done: float, total: float) -> None:
        nonlocal sent
        counts[w] = int(done)
        if stop.is_set():
            raise KeyboardInterrupt
        if options.clock.passed() - sent > REPORT_EVERY:
            queue.put((w, pickle.dumps(state.streams), ""))
            sent = options.clock.passed()

    reason = advance(cast(Problem, loaded), options, state, report)
    queue.put((w, pickle.dumps(state.streams), reason))
    queue.close()
    queue.join_thread()
    del loaded
    with suppress(BufferError):  # while views of it live, the end of the process closes it
        block.close()
