"""A shot as files to take away, made by the same functions as on the command line."""

from __future__ import annotations

import asyncio
import multiprocessing
import secrets
import shutil
import signal
import tempfile
import time
import zipfile
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path

from motionloom.errors import SynthesisError
from motionloom.processes import end_with_parent

#: How long a file waits to be fetched, seconds.
KEPT = 600.0
#: What a report and a picture are called.
_SUFFIXES = {"report": ".txt"}


@dataclass(frozen=True)
class Download:
    """A file that waits.

    Parameters
    ----------
    place : Path
        Where it is.
    name : str
        What it is called.
    until : float
        When it is gone, by the monotonic clock.
    """

    place: Path
    name: str
    until: float


@dataclass
class Downloads:
    """Files that wait, each for one request by a name that nobody can guess."""

    _folder: Path | None = None
    _waiting: dict[str, Download] = field(default_factory=dict)

    def folder(self) -> Path:
        """A new folder for a file."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="motionloom-studio-"))
        return Path(tempfile.mkdtemp(dir=self._folder))

    def add(self, place: Path) -> str:
        """Let a file wait; its address."""
        key = secrets.token_urlsafe(24)
        self._waiting[key] = Download(place, place.name, time.monotonic() + KEPT)
        return f"exports/{key}/{place.name}"

    def take(self, key: str, name: str) -> Download | None:
        """The file of an address, once."""
        for old, late in list(self._waiting.items()):
            if late.until < time.monotonic():
                del self._waiting[old]
                shutil.rmtree(late.place.parent, ignore_errors=True)
        one = self._waiting.get(key)
        if one is None or one.name != name:
            return None
        return self._waiting.pop(key)

    def close(self) -> None:
        """Remove all."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


@dataclass
class Exporter:
    """A process that writes files, so that windows are answered meanwhile; begun when asked for."""

    _pool: ProcessPoolExecutor | None = None

    async def export(
        self, shot: Path, kind: str, folder: Path, pieces: Path, budget: float
    ) -> Path:
        """Make a shot and write one file of it; see `export_shot`.

        Raises
        ------
        MotionloomError
            When it cannot be made, or the process has died.
        """
        loop = asyncio.get_running_loop()
        work = (shot, kind, folder, pieces, budget)
        try:
            if self._pool is None:
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(1, context, initializer=_begin)
            return await loop.run_in_executor(self._pool, export_shot, *work)
        except BrokenProcessPool:
            self.close()
            raise SynthesisError(
                "the process that writes files ended; export it again, or make it on the command"
                " line"
            ) from None

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._pool is None:
            return
        for process in list((self._pool._processes or {}).values()):
            process.terminate()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None


def _begin() -> None:
    """Ctrl-C reaches all processes of a terminal; the studio ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def export_shot(shot: Path, kind: str, folder: Path, pieces: Path, budget: float) -> Path:
    """Make a shot as the command line makes it, and write one file of it.

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

    Returns
    -------
    Path
        The file; of several characters with a file each, an archive of them.

    Raises
    ------
    MotionloomError
        When it cannot be made.
    """
    from motionloom.shot import make_shot, read_shot
    from motionloom.workspace.shots import ShotOutputs, find_cast, open_stages, plan_of
    from motionloom.workspace.writing import Writer

    file = read_shot(shot)
    is_motion = kind in ("glb", "bvh", "fbx", "usda")
    motion = folder / "motion" / f"{shot.stem}.{kind if is_motion else 'glb'}"
    wanted = folder / f"{shot.stem}{_SUFFIXES.get(kind, f'.{kind}')}"
    outputs = ShotOutputs(
        motion,
        tuple(file.shot.cast),
        report=wanted if kind == "report" else None,
        html=wanted if kind == "html" else None,
        png=wanted if kind == "png" else None,
    )
    outputs.check([], force=True)
    stages = open_stages(file, find_cast(file), budget=budget, learned=pieces)
    made = make_shot(plan_of(file, stages), stages, pieces)
    outputs.write(made, Writer(force=True))
    if not is_motion:
        return wanted
    if outputs.has_scene or len(outputs.cast) == 1:
        return motion
    return _archive([outputs.of(who) for who in outputs.cast], wanted.with_suffix(".zip"))


def _archive(files: list[Path], place: Path) -> Path:
    """An archive whose bytes depend on the files alone."""
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name), file.read_bytes())
    return place
