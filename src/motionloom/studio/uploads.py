"""Clips that a browser sends: into a temporary folder first, then beside the shot.

A file comes into the project only when all of it is there, its hash is right and the library has
read a motion from it. Its name is a name alone, whatever path it was sent with.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from motionloom.errors import InvalidInputError
from motionloom.places import MOTION_SUFFIXES
from motionloom.studio.web.protocol import MOST_UPLOAD, MOST_UPLOADS, Chunk, Upload

#: Most files on their way at a time.
MOST_OPEN = 4
#: Most bytes that come in all.
MOST_TOTAL = 5_000_000_000
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)", re.IGNORECASE)


@dataclass
class _Open:
    """A file on its way."""

    asked: Upload
    name: str
    place: Path
    stream: BinaryIO
    digest: Any
    received: int = 0


@dataclass(frozen=True)
class Arrived:
    """A file that is there whole, in a temporary folder.

    Parameters
    ----------
    id, name : str
        As it was announced; the name made safe.
    place : Path
        Where it is.
    """

    id: str
    name: str
    place: Path


@dataclass
class Uploads:
    """Files that a browser sends.

    Parameters
    ----------
    folder : Path
        Of the shot.
    """

    folder: Path
    count: int = 0
    total: int = 0
    _open: dict[str, _Open] = field(default_factory=dict)
    _refused: set[str] = field(default_factory=set)
    _temporary: Path | None = None

    def begin(self, asked: Upload) -> None:
        """A file is announced; of one that is refused no more is said when its bytes come.

        Raises
        ------
        InvalidInputError
            When it is too large, one too many, or no motion by its name.
        """
        name = safe_name(asked.name)
        if len(self._refused) < MOST_UPLOADS and asked.id not in self._open:
            self._refused.add(asked.id)
        self._check(asked, name)
        self._refused.discard(asked.id)
        self.count += 1
        self.total += asked.size
        if self._temporary is None:
            self._temporary = Path(tempfile.mkdtemp(prefix="motionloom-studio-"))
        own = Path(tempfile.mkdtemp(dir=self._temporary))
        stream = (own / name).open("xb")
        self._open[asked.id] = _Open(asked, name, own / name, stream, hashlib.sha256())

    def _check(self, asked: Upload, name: str) -> None:
        if asked.size > MOST_UPLOAD:
            raise InvalidInputError(
                f"{name}: has {asked.size} bytes; a file has at most {MOST_UPLOAD}, so put it into"
                " the folder of clips yourself"
            )
        if self.count >= MOST_UPLOADS:
            raise InvalidInputError(
                f"{name}: {MOST_UPLOADS} files were sent already; put more into the folder of clips"
                " yourself"
            )
        if self.total + asked.size > MOST_TOTAL:
            raise InvalidInputError(
                f"{name}: {MOST_TOTAL} bytes were sent already; put more into the folder of clips"
                " yourself"
            )
        if asked.id in self._open or len(self._open) >= MOST_OPEN:
            raise InvalidInputError(f"{name}: send at most {MOST_OPEN} files at a time")
        if Path(name).suffix.lower() not in MOTION_SUFFIXES:
            raise InvalidInputError(
                f"{name}: is no motion of a skeleton; expected one of {', '.join(MOTION_SUFFIXES)}"
            )
        if asked.size == 0:
            raise InvalidInputError(f"{name}: the file is empty")

    def take(self, chunk: Chunk) -> Arrived | None:
        """The next bytes of a file; the file, when these were the last.

        Raises
        ------
        InvalidInputError
            When they are not the next ones, too many, or not what was announced.
        """
        one = self._open.get(chunk.id)
        if one is None and chunk.id in self._refused:
            return None
        if one is None:
            raise InvalidInputError("bytes of a file that was not announced")
        left = one.asked.size - one.received
        if chunk.offset != one.received or not 0 < len(chunk.data) <= left:
            self.drop(chunk.id)
            raise InvalidInputError(f"{one.name}: came in pieces that do not fit; send it again")
        one.stream.write(chunk.data)
        one.digest.update(chunk.data)
        one.received += len(chunk.data)
        if one.received < one.asked.size:
            return None
        one.stream.close()
        del self._open[chunk.id]
        if one.digest.hexdigest() != one.asked.sha256:
            shutil.rmtree(one.place.parent, ignore_errors=True)
            raise InvalidInputError(f"{one.name}: was damaged on its way; send it again")
        return Arrived(chunk.id, one.name, one.place)

    def drop(self, name: str) -> None:
        """Forget a file on its way."""
        one = self._open.pop(name, None)
        if one is not None:
            one.stream.close()
            shutil.rmtree(one.place.parent, ignore_errors=True)

    def drop_all(self) -> None:
        """Forget all files on their way: the window that sent them is closed."""
        for name in list(self._open):
            self.drop(name)

    def close(self) -> None:
        """Remove the temporary folder."""
        self.drop_all()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)


def put_into(arrived: Arrived, clips: Path) -> Path:
    """Copy a file into a folder.

    Parameters
    ----------
    arrived : Arrived
        Is left where it is.
    clips : Path
        Is there.

    Returns
    -------
    Path
        Where it is now: under its name, or one beside it that was free.
    """
    return next(path for path in _names(clips / arrived.name) if _copied(arrived.place, path))


def free_name(place: Path) -> Path:
    """A path, or one beside it where no file is."""
    return next(path for path in _names(place) if not (path.exists() or path.is_symlink()))


def _names(place: Path) -> Iterator[Path]:
    yield place
    for i in range(2, 10_000):
        yield place.with_name(f"{place.stem}-{i}{place.suffix}")


def _copied(source: Path, place: Path) -> bool:
    """Copy a file to where none is; whether that was so."""
    try:
        with source.open("rb") as read, place.open("xb") as written:
            shutil.copyfileobj(read, written)
            written.flush()
            os.fsync(written.fileno())
    except FileExistsError:
        return False
    return True


def safe_name(told: str) -> str:
    """Name of a file without the path that it came with, fit for any file system.

    Parameters
    ----------
    told : str
        As a browser sends it.

    Returns
    -------
    str
        Of letters, digits and ``-_.()``, not hidden, of at most 100 characters.
    """
    last = told.replace("\\", "/").split("/")[-1]
    clean = re.sub(r"[^\w.()-]+", "_", last).lstrip("._-") or "clip"
    stem, dot, suffix = clean.rpartition(".")
    clean = f"{stem[:90]}{dot}{suffix[:9]}" if dot else clean[:100]
    return f"_{clean}" if _RESERVED.match(clean) else clean
