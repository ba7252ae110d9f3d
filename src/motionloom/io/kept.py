"""Results kept on disk to save work: the one owner of all such files.

A kept file says in its first line that motionloom wrote it, under which name, by which version of
the code, and the hash of what follows. Only a file that says so is read, replaced or removed,
whatever the other files in its folder are called. Links are neither followed nor removed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeVar

from motionloom.code_version import code_version
from motionloom.errors import FormatError, InvalidInputError, MotionloomError
from motionloom.io.files import atomic_write
from motionloom.io.owned import refuse_links
from motionloom.io.records import from_stored, to_bytes
from motionloom.io.stored import Facts, Fault, read_facts, stored_in

T = TypeVar("T")
#: Suffix of kept files.
SUFFIX = ".kept"
#: Bytes that the files in one folder may have together. A shot of ten minutes keeps about 100 MB of
#: pieces, and learning to fill gaps from one set of clips 20 to 60 MB.
MOST = 1 << 30
#: Bytes of the first line, at most.
_LONGEST_MARK = 600
_KEY = re.compile(r"[a-z0-9][a-z0-9-]{0,80}")
#: Backup programs leave out folders with this file; it marks the folders that motionloom made.
_TAG_NAME = "CACHEDIR.TAG"
_TAG = (
    b"Signature: 8a477f597d28d172789f06886806bc55\n"
    b"# motionloom keeps results here to save work. The folder may be removed at any time.\n"
)


class _Mark(Facts):
    """First line of a kept file."""

    motionloom_kept: Literal[1]
    name: str
    code: str
    sha256: str


@dataclass(eq=False)
class KeptFolder:
    """A folder in which results are kept by their keys, least recently used removed first.

    Parameters
    ----------
    path : Path
        The folder; made when the first result is kept. It may hold files of others.
    most : int or None
        Bytes that all kept files may have together; None for no limit.
    tell : callable, optional
        Takes a line for every file that is damaged, or that cannot be kept.
    """

    path: Path
    most: int | None = MOST
    tell: Callable[[str], None] = lambda line: None
    _told: set[str] = field(default_factory=set, init=False, repr=False)

    def check(self) -> None:
        """Refuse, before any work, a place in which nothing can be kept.

        Raises
        ------
        InvalidInputError
            When the folder is a link or a file, or cannot be made or written to.
        """
        refuse_links([self.path])
        own = self.path.absolute()
        folder = next(path for path in (own, *own.parents) if os.path.lexists(path))
        what = ""
        if not folder.is_dir():
            what = "expected a folder" if folder == own else f"{folder} is a file"
        elif not os.access(folder, os.W_OK | os.X_OK):
            what = f"the folder {folder} cannot be written to"
        if what:
            raise InvalidInputError(f"{self.path}: {what}; name another folder")

    def load(
        self, key: str, kind: type[T], check: Callable[[T], None] = lambda record: None
    ) -> T | None:
        """A record that was kept.

        Parameters
        ----------
        key : str
            Lower-case letters, digits and hyphens.
        kind : type
            The dataclass.
        check : callable, optional
            Raises `Fault` for a record that is not the one that is wanted.

        Returns
        -------
        dataclass or None
            None where there is none by this version of the code, or the file is damaged.
        """
        content = self.load_bytes(key)
        if content is None:
            return None
        path = self._path(key)
        try:
            with stored_in(content, path, "{reason}") as file:
                record = from_stored(kind, file)
                check(record)
                return record
        except FormatError as error:
            self._tell_damaged(path, error.message)
            return None

    def save(self, key: str, record: object, kind: type) -> None:
        """Keep a record; where that fails it is told, and it is made again the next time.

        Parameters
        ----------
        key : str
            Lower-case letters, digits and hyphens.
        record : object
            What is kept.
        kind : type
            The dataclass whose fields count.
        """
        self.save_bytes(key, to_bytes(record, kind))

    def load_bytes(self, key: str) -> bytes | None:
        """Bytes that were kept; None where there are none by this version of the code."""
        path = self._path(key)
        try:
            refuse_links([self.path])
            mark, content = _read(path)
        except FileNotFoundError:
            return None
        except (OSError, Fault, InvalidInputError) as error:
            self._tell(f"{path}: {error}; it is not used, and nothing is kept under this name")
            return None
        if mark.code != code_version():
            return None
        if sha256(content).hexdigest() != mark.sha256:
            self._tell_damaged(path, "its content has changed since it was written")
            return None
        with suppress(OSError):
            os.utime(path)
        return content

    def save_bytes(self, key: str, content: bytes) -> None:
        """Keep bytes; see `save`."""
        path = self._path(key)
        if os.path.lexists(path) and not _is_ours(path):
            self._tell(f"{path}: motionloom did not write this file; nothing is kept in its place")
            return
        told = {"code": code_version(), "sha256": sha256(content).hexdigest()}
        mark = _Mark(motionloom_kept=1, name=path.name, **told)
        try:
            self._make()
            with atomic_write(path) as file:
                file.write(mark.model_dump_json().encode() + b"\n")
                file.write(content)
            self._make_room(path)
        except (OSError, MotionloomError) as error:
            self._tell(f"{self.path}: nothing can be kept here ({error})")

    def clear(self) -> None:
        """Remove all results, and the folder if motionloom made it and nothing else is in it."""
        if self.path.is_symlink() or not self.path.is_dir():
            return
        try:
            for *_, path in [*self._files()]:
                if _is_ours(path):
                    path.unlink(missing_ok=True)
            tag = self.path / _TAG_NAME
            left = os.listdir(self.path)
            if left == [_TAG_NAME] and not tag.is_symlink() and tag.read_bytes() == _TAG:
                tag.unlink()
                self.path.rmdir()
        except OSError as error:
            self._tell(f"{self.path}: cannot be removed ({error}); remove it by hand")

    def _path(self, key: str) -> Path:
        if not _KEY.fullmatch(key):
            raise ValueError(f"{key!r} is no key")
        return self.path / f"{key}{SUFFIX}"

    def _make(self) -> None:
        refuse_links([self.path])
        if not self.path.exists():
            self.path.mkdir(parents=True)
            (self.path / _TAG_NAME).write_bytes(_TAG)

    def _make_room(self, newest: Path) -> None:
        """Remove what was used least recently, until the rest is within the limit."""
        if self.most is None:
            return
        files = [*self._files()]
        if sum(size for _, size, _ in files) <= self.most:
            return
        ours = sorted(one for one in files if _is_ours(one[2]))
        total = sum(size for _, size, _ in ours)
        for _, size, path in ours:
            if total > self.most and path != newest:
                path.unlink(missing_ok=True)
                total -= size

    def _files(self) -> Iterator[tuple[int, int, Path]]:
        """Time of the last use, bytes and path of every file that may be a kept one."""
        with os.scandir(self.path) as entries:
            for entry in entries:
                if entry.name.endswith(SUFFIX) and entry.is_file(follow_symlinks=False):
                    about = entry.stat(follow_symlinks=False)
                    yield about.st_mtime_ns, about.st_size, self.path / entry.name

    def _tell_damaged(self, path: Path, reason: str) -> None:
        self._tell(f"{path}: is damaged ({reason}); what it held is made again")

    def _tell(self, line: str) -> None:
        if line not in self._told:
            self._told.add(line)
            self.tell(line)


def _is_ours(path: Path) -> bool:
    """Whether motionloom kept this very file under this very name, whole or damaged since."""
    try:
        _read(path, head_only=True)
    except (OSError, Fault):
        return False
    return True


def _read(path: Path, head_only: bool = False) -> tuple[_Mark, bytes]:
    """Mark and content of a kept file.

    Raises
    ------
    FileNotFoundError
        When there is none.
    Fault
        When motionloom did not write it.
    """
    if path.is_symlink():
        raise Fault("this is a link")
    if os.path.lexists(path) and not path.is_file():
        raise Fault("this is no file")
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | _BINARY)
    with os.fdopen(descriptor, "rb") as file:
        first = file.readline(_LONGEST_MARK)
        try:
            mark = read_facts(_Mark, first)
        except Fault:
            mark = None
        if mark is None or mark.name != path.name or not first.endswith(b"\n"):
            raise Fault("motionloom did not write this file")
        return mark, b"" if head_only else file.read()


_BINARY = getattr(os, "O_BINARY", 0)
