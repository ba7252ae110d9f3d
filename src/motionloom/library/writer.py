"""Changing a library: one process at a time, and whole at every moment."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from filelock import FileLock, Timeout

from motionloom.errors import InvalidInputError
from motionloom.library.manifest import FILE_NAME, ClipEntry, Manifest, read_manifest, write_manifest

CLIPS = "clips"
_LOCK = ".lock"
#: Folders that are being written or thrown away; nothing in it belongs to the library.
_SCRATCH = ".scratch"
#: Writing the manifest while clips arrive may take this share of the time. Clips that are not in it when a process
#: dies are made again.
_SHARE = 0.05


class Writer:
    """A library that this process alone may change.

    A clip is a folder that never changes, named after its content, and belongs to the library when the manifest says
    so. New folders are written aside and renamed into place before the manifest names them; folders that are no
    longer named are deleted after. Whatever is not named is a leftover of a process that died.

    Parameters
    ----------
    folder : Path
    manifest : Manifest
        As it is on disk. What it says about the library as a whole may be replaced; `flush` writes it.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        self.clips = {entry.name: entry for entry in manifest.clips}
        self._on_disk = manifest
        self._due = monotonic()

    def scratch(self) -> Path:
        """A path that does not exist, for a new clip's folder."""
        place = self.folder / _SCRATCH
        place.mkdir(exist_ok=True)
        return place / uuid.uuid4().hex

    def put(self, entry: ClipEntry, written: Path) -> None:
        """Take a clip whose arrays are in the folder `written`, in place of one of the same name."""
        target = self.folder / CLIPS / entry.folder
        if target.exists():
            os.replace(target, self.scratch())
        os.replace(written, target)
        self.clips[entry.name] = entry
        began = monotonic()
        if began >= self._due:
            self.flush()
            ended = monotonic()
            self._due = ended + (ended - began) / _SHARE

    def update(self, entry: ClipEntry) -> None:
        """Change what is said about a clip, not its arrays."""
        self.clips[entry.name] = entry

    def drop(self, name: str) -> None:
        """Take a clip out."""
        del self.clips[name]

    def flush(self) -> None:
        """Write the manifest, if anything changed."""
        labels = {name: self.manifest.labels[name] for name in sorted(self.manifest.labels) if name in self.clips}
        self.manifest = self.manifest.with_clips(self.clips.values()).model_copy(update={"labels": labels})
        if self.manifest != self._on_disk:
            write_manifest(self.folder, self.manifest)
        self._on_disk = self.manifest

    def sweep(self) -> None:
        """Delete what the manifest on disk does not name."""
        wanted = {entry.folder for entry in self._on_disk.clips}
        for place in (self.folder / CLIPS).iterdir():
            if place.is_dir() and place.name not in wanted:
                os.replace(place, self.scratch())
        shutil.rmtree(self.folder / _SCRATCH, ignore_errors=True)
        for part in self.folder.glob(f".{FILE_NAME}.*.part"):
            part.unlink(missing_ok=True)


@contextmanager
def writing(folder: Path, on_wait: Callable[[], None] | None = None) -> Iterator[Writer]:
    """Hold a library for changes; another process waits until this one is done or has died.

    Parameters
    ----------
    folder : Path
    on_wait : callable, optional
        Called once when another process holds the library.

    Raises
    ------
    MotionloomError
        When there is no library, or it cannot be read or written.
    """
    read_manifest(folder)
    lock = FileLock(folder / _LOCK)
    try:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            if on_wait is not None:
                on_wait()
            lock.acquire()
    except OSError as error:
        raise InvalidInputError(f"{folder}: this library cannot be changed ({error.strerror or error})") from None
    try:
        writer = Writer(folder, read_manifest(folder))
        writer.sweep()
        try:
            yield writer
        finally:
            writer.flush()
            writer.sweep()
    finally:
        lock.release()
