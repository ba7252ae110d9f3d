"""Watches over the process that makes motions: hands it the newest job, starts it anew."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from motionloom.studio._events import Done, Event, Failed, Job, Order, StateOf
from motionloom.studio._lined_process import LinedProcess, start_process

#: What is done first, of several jobs.
FIRST = ("preview", "alternatives", "final", "search")
#: A job that ended the process so often is not tried again; and a process that ends so often
#: within so many seconds is not started again.
TRIES, MOST_STARTS, WITHIN = 2, 5, 20.0
#: Seconds for which a process may take to end by itself.
PATIENCE = 0.5


@dataclass(eq=False)
class ProcessSolver:
    """Makes motions in another process; a `motionloom.studio._events.Solver`.

    One job is worked on at a time. Of jobs that wait only the newest of each kind is kept, and
    none that is for an older document. A preview interrupts all but previews. A process that dies
    is started anew, with the last document.

    Parameters
    ----------
    tell : callable
        Takes events, in a thread of this object.
    folder : Path, optional
        Where spans are kept.
    budget : float, seconds
        How long walks are searched for in the end.
    """

    tell: Callable[[Event], None]
    folder: Path | None = None
    budget: float = 5.0
    _lock: AbstractContextManager[bool] = field(default_factory=threading.RLock)
    _process: LinedProcess | None = None
    _number: int = 0
    _running: Order | None = None
    _last: Job | None = None
    _waiting: dict[str, Job] = field(default_factory=dict)
    _reload: bool = False
    _crashes: dict[int, int] = field(default_factory=dict)
    _starts: list[float] = field(default_factory=list)
    _is_closed: bool = False

    @property
    def pid(self) -> int | None:
        """Number of the process; None where there is none."""
        with self._lock:
            return None if self._process is None else self._process.process.pid

    def start(self) -> None:
        """Begin; returns at once."""
        threading.Thread(target=self._watch, name="solver", daemon=True).start()

    def submit(self, job: Job) -> None:
        """Take a job; returns at once."""
        with self._lock:
            waiting = {k: one for k, one in self._waiting.items() if one.rev >= job.rev}
            self._waiting = {**waiting, job.kind: job}
            if job.kind != "alternatives":
                self._last = job
            running = None if self._running is None else self._running.job
            if running is None:
                self._hand_on()
            elif running.kind != "preview" and (job.kind == "preview" or running.rev < job.rev):
                self._send()  # given up; what waits is next

    def reload(self) -> None:
        """Read clips anew with the next job."""
        with self._lock:
            self._reload = True

    def close(self) -> None:
        """End."""
        with self._lock:
            self._is_closed = True
            process = self._process
        if process is None:
            return
        for end in (process.process.terminate, process.process.kill):
            end()
            process.process.join(PATIENCE)

    # -- orders

    def _hand_on(self) -> None:
        """Hand the process what waits, if it has nothing to do."""
        kind = next((kind for kind in FIRST if kind in self._waiting), None)
        if kind is not None and self._process is not None:
            self._running = self._send(self._waiting.pop(kind), self._reload)
            self._reload = False

    def _send(self, job: Job | None = None, reload: bool = False) -> Order:
        self._number += 1
        order = Order(self._number, job, reload)
        if self._process is not None:
            with suppress(OSError):  # it has died; who listens to it starts another
                self._process.line.send(order)
        return order

    # -- the process

    def _watch(self) -> None:
        """Start the process, listen to it, and start it anew when it has died."""
        self.tell(StateOf("starting"))
        while self._begin():
            self._listen()
            if self._is_closed:
                return
            self._mourn()

    def _begin(self) -> bool:
        """Start the process; whether it may be."""
        now = time.monotonic()
        self._starts = [one for one in self._starts if now - one < WITHIN]
        if len(self._starts) >= MOST_STARTS:
            text = "the solver ended several times in a row; save what you have and open it anew"
            self.tell(StateOf("crashed", text))
            return False
        self._starts.append(now)
        started = start_process(_serve, self.folder, self.budget, name="motionloom solver")
        with self._lock:
            self._process = started
            self._hand_on()
        return True

    def _listen(self) -> None:
        """Pass on what the process says, until it has died."""
        process = self._process
        assert process is not None
        while True:
            try:
                said = process.line.recv()
            except (EOFError, OSError):
                return
            if isinstance(said, Done):
                self._on_done(said)
            elif not self._is_closed:
                self.tell(said)

    def _on_done(self, done: Done) -> None:
        with self._lock:
            if self._running is not None and self._running.number <= done.number:
                self._running = None
            if self._running is None:
                self._hand_on()

    def _mourn(self) -> None:
        """The process has died: say so, and have it begin with the last document again."""
        with self._lock:
            assert self._process is not None
            self._process.process.join(PATIENCE)
            self._process.line.close()
            self._process = None
            running = None if self._running is None else self._running.job
            self._running = None
            again = self._last
        self.tell(StateOf("crashed", "the solver ended; it is started anew"))
        if running is not None:
            self._crashes = {running.rev: self._crashes.get(running.rev, 0) + 1}
            if self._crashes[running.rev] >= TRIES:
                again = None
                each = "the solver ended each time while it made this; undo the last edit, or"
                self.tell(Failed(running.rev, f"{each} change it"))
        with self._lock:
            if again is not None and "preview" not in self._waiting:
                self._waiting["preview"] = Job(again.rev, "preview", again.file)
        self.tell(StateOf("restarted"))


def _serve(line: Connection, folder: Path | None, budget: float) -> None:
    """Runs in the process: what makes motions is loaded there, not here."""
    from motionloom.studio._worker import serve

    serve(line, folder, budget)
