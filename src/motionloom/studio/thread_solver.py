"""Motions made in a thread of this process: simple, for tests and where no process can be had."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError, MotionloomError
from motionloom.shot import Stage, make_shot
from motionloom.shot.live.results import LiveCharacterReport, LiveResult, Series
from motionloom.shot.making import MadeShot
from motionloom.studio.events import (
    Event,
    Failed,
    Idle,
    Job,
    Planned,
    Progressed,
    Solved,
    StateOf,
)
from motionloom.studio.solver.told import told_clips, told_plan
from motionloom.workspace.shots import find_cast, open_stages, plan_of


class ThreadSolver:
    """Makes whole shots, one after the other, the newest first.

    Parameters
    ----------
    tell : callable
        Takes events, in the thread.
    folder : Path, optional
        Where spans are kept.
    budget : float, seconds
        How long walks are searched for.
    """

    def __init__(
        self, tell: Callable[[Event], None], folder: Path | None = None, budget: float = 5.0
    ) -> None:
        self._tell = tell
        self._folder = folder
        self._budget = budget
        self._job: Job | None = None
        self._wake = threading.Condition()
        self._stages: dict[str, Stage] = {}
        self._opened_for: object = None
        self._is_closed = False

    def start(self) -> None:
        """Begin."""
        threading.Thread(target=self._run, daemon=True).start()

    def submit(self, job: Job) -> None:
        """Take a wish."""
        with self._wake:
            self._job = job
            self._wake.notify()

    def reload(self) -> None:
        """Read clips anew with the next wish."""
        self._opened_for = None

    def cancel(self) -> None:
        """Forget a wish that is not begun."""
        with self._wake:
            self._job = None

    def close(self) -> None:
        """End."""
        with self._wake:
            self._is_closed = True
            self._wake.notify()

    def _run(self) -> None:
        self._tell(StateOf("ready"))
        while True:
            with self._wake:
                while self._job is None and not self._is_closed:
                    self._wake.wait()
                job, self._job = self._job, None
            if job is None or self._is_closed:
                return
            try:
                self._work(job)
            except MotionloomError as error:
                line = error.line if isinstance(error, FormatError) else None
                text = error.message if isinstance(error, FormatError) else str(error)
                self._tell(Failed(job.rev, text, error.hint, line=line))
            if self._job is None:
                self._tell(Idle(job.rev))

    def _work(self, job: Job) -> None:
        stages = self._open(job)
        for stage in stages.values():
            stage.file = job.file
        plan = plan_of(job.file, stages)
        self._tell(Planned(job.rev, told_plan(plan)))
        made = make_shot(plan, stages, self._folder)
        self._tell(Solved(job.rev, _result(made)))

    def _open(self, job: Job) -> dict[str, Stage]:
        shot = job.file.shot
        wanted = (shot.library, shot.fps, tuple(sorted(shot.cast.items())))
        if repr(wanted) == self._opened_for:
            return self._stages

        def progress(stage: str, done: float, total: float) -> None:
            self._tell(Progressed(job.rev, stage, "", done, total))

        places = find_cast(job.file)
        self._stages = open_stages(job.file, places, None, self._budget, progress)
        self._opened_for = repr(wanted)
        self._tell(told_clips(self._stages))
        return self._stages


def _result(made: MadeShot) -> LiveResult:
    report = {}
    for who, one in made.report.characters.items():
        empty = np.zeros(0)
        series = Series(empty, empty, empty)
        problems = tuple(one.problems())
        report[who] = LiveCharacterReport(one.spans, one.joins, series, None, (), (), (), problems)
    changed = {who: (0, motion.n_frames) for who, motion in made.motions.items()}
    return LiveResult("final", made.motions, made.contacts, changed, report=report)
