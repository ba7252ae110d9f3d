"""Exports as windows ask for them, and are told how they went.

Files that wait to be fetched.

The process in which files of a shot are made, so that windows are answered meanwhile.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import tempfile
import time
import zipfile
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from motionloom.errors import MotionloomError, SynthesisError
from motionloom.processes import end_with_parent
from motionloom.studio._document.shot_document import Problem
from motionloom.studio._events import Progressed
from motionloom.studio._lined_process import LinedProcess, start_process
from motionloom.studio._making import Making, problem_message, progress_message
from motionloom.studio._web.protocol import Client, Clients

#: Files that hold the motion itself.
MOTIONS = ("glb", "bvh", "fbx", "usda")


@dataclass(frozen=True)
class ExportJob:
    """A file that is asked for.

    Parameters
    ----------
    shot : Path
        The shot file.
    kind : str
        ``glb``, ``bvh``, ``fbx``, ``usda``, ``html``, ``report`` or ``png``.
    folder : Path
        Where to; it is empty.
    pieces : Path
        Where spans are kept.
    budget : float, seconds
        How long walks are searched for.
    """

    shot: Path
    kind: str
    folder: Path
    pieces: Path
    budget: float

    @property
    def motion(self) -> Path:
        """Where the motion is written."""
        suffix = self.kind if self.kind in MOTIONS else "glb"
        return self.folder / "motion" / f"{self.shot.stem}.{suffix}"

    @property
    def wanted(self) -> Path:
        """Where the file is written, if it is no motion."""
        return self.folder / f"{self.shot.stem}.{'txt' if self.kind == 'report' else self.kind}"


def _export_shot(job: ExportJob) -> Path:
    """Make a shot as the command line makes it, and write one file of it.

    Parameters
    ----------
    job : ExportJob
        What is asked for.

    Returns
    -------
    Path
        The file; of several characters with a file each, an archive of them.

    Raises
    ------
    MotionloomError
        When it cannot be made.
    """
    from motionloom.io.kept import KeptFolder
    from motionloom.shot import make_shot, read_shot
    from motionloom.shot.plan.checking import plan_of
    from motionloom.workspace.outputs import CastPaths, Files, shot_files
    from motionloom.workspace.shots import find_cast, open_stages
    from motionloom.workspace.writing import Writer, check_outputs, save_report

    file = read_shot(job.shot)
    paths = CastPaths(job.motion, tuple(file.shot.cast))
    check_outputs([*paths.all, job.wanted], [], force=True)
    kept = KeptFolder(job.pieces)
    stages = open_stages(file, find_cast(file), budget=job.budget, learned=kept)
    made = make_shot(plan_of(file, stages), stages, kept)
    files: Files = {**shot_files(made, paths), "report": partial(save_report, made.report)}
    Writer(force=True).write_all(files, {job.kind: job.wanted})
    if job.kind not in MOTIONS:
        return job.wanted
    if paths.has_scene or len(paths.cast) == 1:
        return job.motion
    place = job.wanted.with_suffix(".zip")
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in map(paths.of, paths.cast):  # bytes that depend on the files alone
            archive.writestr(zipfile.ZipInfo(one.name), one.read_bytes())
    return place


@dataclass(eq=False)
class Exporter:
    """Makes one file after the other in a process; it is begun when one is asked for."""

    _process: LinedProcess | None = None
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def export(self, job: ExportJob) -> Path:
        """Make a shot and write one file of it; see `_export_shot`.

        Raises
        ------
        MotionloomError
            When it cannot be made, or the process has died.
        """
        async with self._turn:
            if self._process is None:
                self._process = start_process(_serve, name="motionloom export")
            line = self._process.line
            try:
                line.send(job)
                answer: Path | MotionloomError = await asyncio.to_thread(line.recv)
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


def _serve(line: Connection) -> None:
    """Runs in the process, until it is ended."""
    end_with_parent()
    while True:
        try:
            line.send(_export_shot(line.recv()))
        except MotionloomError as error:
            line.send(error)


#: How long a file waits to be fetched, seconds.
KEPT = 600.0


@dataclass
class Downloads:
    """Files that wait, each for one request by a name that nobody can guess."""

    _folder: Path | None = None
    _waiting: dict[str, tuple[Path, float]] = field(default_factory=dict)

    def folder(self) -> Path:
        """A new folder for a file."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="motionloom-studio-"))
        return Path(tempfile.mkdtemp(dir=self._folder))

    def add(self, place: Path) -> str:
        """Let a file wait; its address."""
        key = secrets.token_urlsafe(24)
        self._waiting[key] = place, time.monotonic() + KEPT
        return f"exports/{key}/{place.name}"

    def take(self, key: str, name: str) -> Path | None:
        """The file of an address, once."""
        for old, (late, until) in list(self._waiting.items()):
            if until < time.monotonic():
                del self._waiting[old]
                shutil.rmtree(late.parent, ignore_errors=True)
        place, _ = self._waiting.get(key, (None, 0.0))
        if place is not None and place.name == name:
            del self._waiting[key]
            return place
        return None

    def close(self) -> None:
        """Remove all."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


@dataclass(eq=False)
class Exporting:
    """Makes files of a shot that windows can fetch.

    Parameters
    ----------
    making : Making
        What is known of the making of the shot.
    clients : Clients
        The windows; all are told how far it is.
    pieces : Path
        Where spans are kept.
    budget : float, seconds
        How long walks are searched for.
    downloads : Downloads
        Files that wait.
    """

    making: Making
    clients: Clients
    pieces: Path
    budget: float
    downloads: Downloads = field(default_factory=Downloads)
    _exporter: Exporter = field(default_factory=Exporter)

    async def export(self, kind: str, client: Client) -> None:
        """Make a file, and tell who asked for it where it waits, or why there is none."""
        if not self.making.can_be_made:
            client.send(problem_message("first mend what is wrong with the shot", format=kind))
            return
        document = self.making.document
        self._tell(0)
        folder = self.downloads.folder()
        try:
            job = ExportJob(document.path, kind, folder, self.pieces, self.budget)
            place = await self._exporter.export(job)
        except MotionloomError as error:
            why = Problem.of(error)
            client.send(problem_message(why.message, line=why.line, hint=why.hint, format=kind))
            return
        finally:
            self._tell(1)
        url = self.downloads.add(place)
        client.send({"type": "exported", "format": kind, "url": url, "name": place.name})

    def _tell(self, done: int) -> None:
        rev = self.making.document.rev
        self.clients.tell([progress_message(Progressed(rev, "exporting", "", done, 1))])

    def close(self) -> None:
        """End the process, and remove files that wait."""
        self._exporter.close()
        self.downloads.close()
