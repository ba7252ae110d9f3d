"""The process in which files of a shot are made, so that windows are answered meanwhile."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from motionloom.errors import MotionloomError, SynthesisError
from motionloom.processes import LinedProcess, end_with_parent
from motionloom.studio.exports.export_shot import ExportJob, export_shot


@dataclass(eq=False)
class Exporter:
    """Makes one file after the other in a process; it is begun when one is asked for."""

    _process: LinedProcess | None = None
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def export(self, job: ExportJob) -> Path:
        """Make a shot and write one file of it; see `export_shot`.

        Raises
        ------
        MotionloomError
            When it cannot be made, or the process has died.
        """
        async with self._turn:
            if self._process is None:
                self._process = LinedProcess.start(_serve, name="motionloom export")
            try:
                answer = await asyncio.to_thread(_ask, self._process.line, job)
            except (EOFError, OSError):
                self.close()
                raise SynthesisError(
                    "the process that writes files ended; export it again, or make it on the"
                    " command line"
                ) from None
        if isinstance(answer, MotionloomError):
            raise answer
        return answer

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            self._process.process.terminate()
            self._process = None


def _ask(line: Connection, job: ExportJob) -> Path | MotionloomError:
    """The file that the process has written, or why it has not."""
    line.send(job)
    answer: Path | MotionloomError = line.recv()
    return answer


def _serve(line: Connection) -> None:
    """Runs in the process, until it is ended."""
    end_with_parent()
    while True:
        try:
            line.send(export_shot(line.recv()))
        except MotionloomError as error:
            line.send(error)
