"""What runs in the process that makes motions: one job at a time, given up when another comes."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from motionloom.errors import MotionloomError
from motionloom.io.kept import KeptFolder
from motionloom.processes import end_with_parent
from motionloom.progress import Progress
from motionloom.shot.live.live import Cancelled, LiveShot
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.stage import Stage
from motionloom.studio import _events as events
from motionloom.studio._document.shot_document import Problem
from motionloom.studio._events import Job
from motionloom.studio._making import told_clips, told_plan

#: A search begins when no job has come since, seconds.
QUIET = 0.15
#: Work tells how far it is no more often than this, seconds.
BETWEEN = 0.1


def serve(line: Connection, folder: Path | None, budget: float) -> None:
    """Carry out orders until the line is closed.

    Parameters
    ----------
    line : Connection
        Orders come in; events and `Done` go out.
    folder : Path, optional
        Where spans are kept.
    budget : float, seconds
        How long walks are searched for in the end.
    """
    # Ctrl-C in a terminal reaches all its processes; the studio ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    with suppress(EOFError, OSError):
        _Worker(line, None if folder is None else KeptFolder(folder, tell=_warn), budget).run()


@dataclass(eq=False)
class _Worker:
    """Carries out orders.

    Parameters
    ----------
    line : Connection
        Orders come in; events and `Done` go out.
    kept : KeptFolder or None
        Where spans are kept.
    budget : float, seconds
        How long walks are searched for in the end.
    """

    line: Connection
    kept: KeptFolder | None
    budget: float
    live: LiveShot = field(init=False)
    _rev: int = 0
    _is_dragged: bool = False
    _told: tuple[str, float] = ("", 0.0)

    def __post_init__(self) -> None:
        self.live = LiveShot(self.kept, self._open, self._progress)

    def run(self) -> None:
        """Carry out orders until the line is closed."""
        self.line.send(events.StateOf("ready"))
        while True:
            order: events.Order = self.line.recv()
            if order.reload:
                self.live.forget_clips()
            if order.job is not None:
                self._rev = order.job.rev
                # Who drags waits for nothing but the motion.
                self._is_dragged = order.job.transient and self.live.is_shown
                self._try(order.job, order.number)
                self._judge(order.job)
            else:
                self.line.send(events.Done(order.number))

    def _try(self, job: Job, number: int) -> None:
        """Carry a job out; what goes wrong with it is told, and ends nothing."""
        is_told = False
        try:
            self._work(job)
            if job.kind == "preview" and not job.transient:
                # Who waits for the preview need not wait for what follows.
                self.line.send(events.Done(number))
                is_told = True
                if not self.line.poll(QUIET):
                    self._search(job)
            self.line.send(events.Idle(job.rev))
        except Cancelled:
            pass
        except MotionloomError as error:
            why = Problem.of(error)
            self.line.send(events.Failed(job.rev, why.message, why.hint, why.line))
        finally:
            if not is_told:
                self.line.send(events.Done(number))

    def _work(self, job: Job) -> None:
        cancel = (lambda: False) if job.kind == "preview" else self.line.poll
        self.line.send(events.Planned(job.rev, told_plan(self.live.plan(job.file, cancel))))
        if job.kind == "preview":
            self.line.send(events.Solved(job.rev, self.live.preview(job.file)))
        elif job.kind == "search":
            self._search(job)
        elif job.kind == "final":
            self.line.send(events.Solved(job.rev, self.live.final(job.file, cancel)))
        else:
            others = self.live.alternatives(job.file, job.who, job.span, job.count, cancel)
            self.line.send(events.Found(job.rev, job.who, job.span, others))

    def _search(self, job: Job) -> None:
        for result in self.live.search(job.file, cancel=self.line.poll):
            self.line.send(events.Solved(job.rev, result))

    def _judge(self, job: Job) -> None:
        """Say how natural what was found is, as long as nothing else is wanted."""
        try:
            judged = self.live.naturalness(self.line.poll)
        except (Cancelled, MotionloomError):
            return
        if judged is not None:
            self.line.send(events.Judged(job.rev, judged))

    def _open(self, file: ShotFile, progress: Progress) -> Mapping[str, Stage]:
        """Read the clips of a cast."""
        from motionloom.workspace.shots import find_cast, open_stages

        cast = find_cast(file)
        stages = open_stages(file, cast, None, self.budget, progress, learned=self.kept)
        self.line.send(told_clips(stages))
        return stages

    def _progress(self, stage: str, done: float, total: float) -> None:
        if self._is_dragged:
            return
        now = time.monotonic()
        if stage == self._told[0] and now - self._told[1] < BETWEEN:
            return
        self._told = (stage, now)
        who, _, what = stage.rpartition(": ")
        self.line.send(events.Progressed(self._rev, what, who, done, total))


def _warn(line: str) -> None:
    """Say something in the terminal of the studio."""
    print(f"warning: {line}", file=sys.stderr, flush=True)
