"""Changing a library: one process at a time, and whole at every moment."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from filelock import Timeout

from motionloom.errors import InvalidInputError
from motionloom.io.files import PART, cannot_write, sync_file_system, sync_folder
from motionloom.io.owned import leftovers, lock_of, not_ours, refuse_links, tell_left
from motionloom.io.written import is_replaceable
from motionloom.library.manifest import (
    FILE_NAME,
    ClipEntry,
    Manifest,
    read_manifest,
    write_manifest,
)

CLIPS = "clips"
#: What was learned of naturalness from the clips; it goes when they change.
NATURALNESS = "naturalness.npz"
_LOCK = ".lock"
#: Folders that are being written or thrown away; nothing in it belongs to the library.
_SCRATCH = f".scratch{PART}"
#: What the folder of that purpose was called before; nothing in it can be told from files of
#: others.
_OLD_SCRATCH = ".scratch"
#: Names of the folders of clips that this program is about to make or to throw away, a line each.
_JOURNAL = f".journal{PART}"
_JOURNAL_HEAD = "motionloom library journal 1\n"
#: Writing the manifest while clips arrive may take this share of the time. Clips that are not in it
#: when a process dies are made again.
_SHARE = 0.05


class InWayError(InvalidInputError):
    """Something that is not ours is where a clip belongs."""


class Writer:
    """A library that this process alone may change.

    A clip is a folder that never changes, named after its content, and belongs to the library when
    the manifest says so. New folders are written aside. Then the journal names them and those that
    go, everything is brought to the disk, new folders are renamed into place, the manifest names
    them, and what it no longer names is removed. So whatever is named by neither manifest nor
    journal was made by somebody else, and stays.

    Parameters
    ----------
    folder : Path
        The library's folder.
    manifest : Manifest
        As it is on disk. What it says about the library as a whole may be replaced, and entries of
        `clips` replaced or taken out; `flush` writes it.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self.clips = {entry.name: entry for entry in manifest.clips}
        self.left: set[Path] = set()
        self._on_disk = manifest
        named = {entry.folder for entry in manifest.clips if _is_clip_name(entry.folder)}
        self._ours = named | _read_journal(folder / _JOURNAL)
        self._written: dict[str, Path] = {}
        self._due = monotonic()

    def scratch(self) -> Path:
        """A path that does not exist, for a new clip's folder."""
        place = self.folder / _SCRATCH
        place.mkdir(exist_ok=True)
        return place / f"{uuid.uuid4().hex}{PART}"

    def put(self, entry: ClipEntry, written: Path) -> None:
        """Take a clip whose arrays are in the folder `written`, in place of one of the same name.

        Parameters
        ----------
        entry : ClipEntry
            What the manifest is to say about the clip.
        written : Path
            Folder of its arrays, from `scratch`; it is renamed into place.

        Raises
        ------
        InWayError
            When something that is not ours is where the clip belongs.
        """
        target = self.folder / CLIPS / entry.folder
        if os.path.lexists(target):
            self._check_replaceable(target, written)
        self._written[entry.folder] = written
        self.clips[entry.name] = entry
        began = monotonic()
        if began >= self._due:
            self.flush()
            ended = monotonic()
            self._due = ended + (ended - began) / _SHARE

    def _check_replaceable(self, target: Path, written: Path) -> None:
        if target.name in self._ours:
            others = survey(target).others
        else:
            others = () if is_same(target, written) else (target,)
        if others:
            message = f"{others[0]}: this is in the way of a clip, and is not part of the library;"
            raise InWayError(f"{message} move it elsewhere, and run the same command again")

    def flush(self) -> None:
        """Bring all that was changed to the disk, and then have the manifest say so.

        Raises
        ------
        InvalidInputError
            When the disk is full or cannot be written to.
        """
        labels = {n: own for n, own in sorted(self.manifest.labels.items()) if n in self.clips}
        self.manifest = self.manifest.with_clips(self.clips.values(), labels=labels)
        try:
            self._note({*self._written, *(_folders(self._on_disk) - _folders(self.manifest))})
            self._place()
        except OSError as error:
            raise cannot_write(error.filename or self.folder, error) from None
        if self.manifest != self._on_disk:
            write_manifest(self.folder, self.manifest)
        if _contents(self.manifest) != _contents(self._on_disk):
            self._drop_naturalness()
        self._on_disk = self.manifest

    def _drop_naturalness(self) -> None:
        """Remove what was learned from other clips; readers would not use it anyway."""
        path = self.folder / NATURALNESS
        if path.exists() and is_replaceable(path):
            with suppress(OSError):
                path.unlink()

    def _note(self, names: set[str]) -> None:
        """Name folders in the journal, before anything happens to them."""
        if not names:
            return
        journal = self.folder / _JOURNAL
        head = "" if journal.exists() else _JOURNAL_HEAD
        with journal.open("a", encoding="utf-8") as file:
            file.write(head + "".join(f"{name}\n" for name in sorted(names)))
        self._ours |= {name for name in names if _is_clip_name(name)}

    def _place(self) -> None:
        """Rename new clips into place, once their files and the journal are on the disk."""
        if not self._written:
            return
        sync_file_system(self.folder)
        for name, written in list(self._written.items()):
            target = self.folder / CLIPS / name
            if target.is_dir() and not is_same(target, written):
                os.replace(target, self.scratch())
            if not target.is_dir():
                os.replace(written, target)
            del self._written[name]
        sync_folder(self.folder / CLIPS)

    def sweep(self) -> None:
        """Remove what is ours and not in the manifest on disk; `left` are things not ours."""
        clips = self.folder / CLIPS
        scratch = self.folder / _SCRATCH
        wanted = _folders(self._on_disk)
        for name in sorted(self._ours - wanted):
            remove(clips / name)
        if scratch.is_dir():
            for place in [p for p in scratch.iterdir() if _SCRATCH_NAME.fullmatch(p.name)]:
                remove(place, unfinished=True)
            self.left.update(scratch.iterdir())
            with suppress(OSError):  # something of somebody else is in it
                scratch.rmdir()
        names = "|".join(name.replace(".", r"\.") for name in (FILE_NAME, NATURALNESS))
        for file in leftovers(self.folder, names):
            file.unlink(missing_ok=True)
        (self.folder / _JOURNAL).unlink(missing_ok=True)
        self._ours &= wanted
        self.left |= {path for path in clips.iterdir() if path.name not in {*wanted, "zarr.json"}}
        if os.path.lexists(self.folder / _OLD_SCRATCH):
            self.left.add(self.folder / _OLD_SCRATCH)


def _folders(manifest: Manifest) -> set[str]:
    return {entry.folder for entry in manifest.clips}


def _contents(manifest: Manifest) -> set[tuple[str, str]]:
    return {(entry.name, entry.hash) for entry in manifest.clips}


def _read_journal(path: Path) -> set[str]:
    """Names in a journal; its last line may be cut short."""
    if not path.exists():
        return set()
    text = path.read_bytes().decode(errors="replace") if path.is_file() else "other"
    lines = text.splitlines(keepends=True)
    if lines and not _JOURNAL_HEAD.startswith(lines[0]):
        raise not_ours(path)
    return {name for line in lines[1:] if _is_clip_name(name := line.rstrip("\n"))}


@contextmanager
def writing(
    folder: Path,
    on_wait: Callable[[], None] | None = None,
    on_left: Callable[[str], None] | None = None,
) -> Iterator[Writer]:
    """Hold a library for changes; another process waits until this one is done or has died.

    Parameters
    ----------
    folder : Path
        The library's folder.
    on_wait : callable, optional
        Called once when another process holds the library.
    on_left : callable, optional
        Called with a sentence when things are in the library that are not part of it, and stay.

    Returns
    -------
    context manager of Writer
        What was changed is on the disk when the block ends, also when it fails.

    Raises
    ------
    MotionloomError
        When there is no library, or it cannot be read or written.
    """
    read_manifest(folder)
    refuse_links(folder / name for name in (FILE_NAME, CLIPS, _SCRATCH, _JOURNAL))
    for name in (CLIPS, _SCRATCH):
        if (folder / name).exists() and not (folder / name).is_dir():
            message = f"{folder / name}: this is a file where the library has a folder;"
            raise InvalidInputError(f"{message} move it elsewhere")
    lock = lock_of(folder / _LOCK)
    try:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            if on_wait is not None:
                on_wait()
            lock.acquire()
        (folder / CLIPS).mkdir(exist_ok=True)
    except OSError as error:
        message = f"{folder}: this library cannot be changed ({error.strerror or error})"
        raise InvalidInputError(message) from None
    try:
        writer = Writer(folder, read_manifest(folder))
        writer.sweep()
        try:
            yield writer
        finally:
            try:
                writer.flush()
            finally:
                writer.sweep()
                sentence = tell_left(filter(os.path.lexists, writer.left), "this library")
                if sentence and on_left is not None:
                    on_left(sentence)
    finally:
        lock.release()


#: Arrays that a clip may have.
ARRAYS = ("rotations", "translations", "positions", "body", "contacts")
_ANY = f"(?:{'|'.join(ARRAYS)})"
_FILE = re.compile(rf"(?:{_ANY}/)?zarr\.json|{_ANY}/c(?:/\d+)+")
_FOLDER = re.compile(rf"{_ANY}(?:/c(?:/\d+)*)?")
#: Files that Zarr had not finished when the process was killed.
_UNFINISHED = re.compile(
    rf"(?:{_ANY}/)?zarr\.[0-9a-f]{{32}}\.partial|{_ANY}/c(?:/\d+)+\.[0-9a-f]{{32}}\.partial"
)
#: What `motionloom.library._ingest` calls the folder of a clip: its name made plain, and part of a
#: hash.
_NAME = re.compile(r"[A-Za-z0-9_-]*-[0-9a-f]{12}")
_SCRATCH_NAME = re.compile(rf"[0-9a-f]{{32}}{re.escape(PART)}")


@dataclass(frozen=True)
class Contents:
    """What is in the folder of a clip.

    Parameters
    ----------
    files, folders : tuple of Path
        Of the format; folders come after those in them.
    others : tuple of Path
        Everything else, and every link.
    """

    files: tuple[Path, ...]
    folders: tuple[Path, ...]
    others: tuple[Path, ...]


def _is_clip_name(name: str) -> bool:
    """Whether a name is one that folders of clips have."""
    return _NAME.fullmatch(name) is not None


def survey(folder: Path, *, unfinished: bool = False) -> Contents:
    """Tell the files of a clip from those of others; no link is followed.

    Parameters
    ----------
    folder : Path
        Of the clip; may be missing.
    unfinished : bool
        Whether files that Zarr had not finished count as the clip's.

    Returns
    -------
    Contents
        Paths that begin with `folder`.
    """
    if folder.is_symlink() or not folder.is_dir():
        return Contents((), (), (folder,) if os.path.lexists(folder) else ())
    files: list[Path] = []
    folders = [folder]
    others: list[Path] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        known = _FILE.fullmatch(name) or (unfinished and _UNFINISHED.fullmatch(name))
        if path.is_dir() and not path.is_symlink() and _FOLDER.fullmatch(name):
            folders.append(path)
        elif path.is_file() and not path.is_symlink() and known:
            files.append(path)
        else:
            others.append(path)
    return Contents(tuple(files), tuple(reversed(folders)), tuple(others))


def remove(folder: Path, *, unfinished: bool = False) -> tuple[Path, ...]:
    """Remove a clip's files, and its folders where they are empty then.

    Parameters
    ----------
    folder : Path
        Of the clip; may be missing.
    unfinished : bool, optional
        Whether files that Zarr had not finished count as the clip's.

    Returns
    -------
    tuple of Path
        What is not the clip's, and stays.
    """
    found = survey(folder, unfinished=unfinished)
    for file in found.files:
        with suppress(OSError):  # gone, or in a folder that may not be changed
            file.unlink()
    for empty in found.folders:
        with suppress(OSError):  # something is in it that stays
            empty.rmdir()
    return found.others


def is_same(one: Path, other: Path) -> bool:
    """Whether two folders hold the same clip, byte for byte, and nothing else.

    Parameters
    ----------
    one, other : Path
        Folders of clips.

    Returns
    -------
    bool
        False also when either holds anything else.
    """
    a = survey(one)
    b = survey(other)
    names = {p.relative_to(one) for p in a.files}
    if a.others or b.others or names != {p.relative_to(other) for p in b.files}:
        return False
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in names)
