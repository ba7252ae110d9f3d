"""What motionloom wrote in a folder: the record that keeps it from replacing other files.

The record is the file ``.motionloom`` beside them: a line of JSON for each file that was written,
with its SHA-256. A file that is not in it, or has changed since, is somebody else's.
"""

from __future__ import annotations

import hashlib
import json
import os
import unicodedata
from contextlib import suppress
from io import FileIO
from pathlib import Path

from motionloom.typing import PathName

#: Name of the record in the folder.
FILE_NAME = ".motionloom"
#: Its first line; a file of that name that begins otherwise is not ours, and is left alone.
_HEAD = b'{"motionloom_written": 1}\n'


def note_written(path: PathName) -> None:
    """Record a file that was just written.

    Where the record cannot be kept, the file will count as somebody else's; that is no error.
    """
    file = Path(path)
    record = file.parent / FILE_NAME
    if record.is_symlink():
        return
    with suppress(OSError):
        row = {"file": file.name, "sha256": _hash(file)}
        known = _read(record)
        if known is None or known.get(file.name) == row["sha256"]:
            return
        # One short write at the end: two processes do not mix their lines.
        descriptor = os.open(
            record, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666
        )
        with os.fdopen(descriptor, "a+b", buffering=0) as stream:
            line = json.dumps(row).encode() + b"\n"
            stream.write(_begin(stream) + line)


def _begin(stream: FileIO) -> bytes:
    """What goes before the next line, as a full disk may have cut short the last one."""
    size = stream.seek(0, os.SEEK_END)
    if size < len(_HEAD):
        stream.truncate(0)
        return _HEAD
    stream.seek(size - 1)
    return b"" if stream.read(1) == b"\n" else b"\n"


def is_replaceable(path: PathName) -> bool:
    """Whether replacing a file loses nothing: it is not there, is empty, or is as we wrote it.

    A link is never replaceable: it is not ours, whatever it leads to.
    """
    file = Path(path)
    if file.is_symlink() or not file.is_file():
        return not os.path.lexists(file)
    with suppress(OSError):
        return file.stat().st_size == 0 or _hash(file) in _hashes_of(file)
    return False


def is_recorded(path: PathName) -> bool:
    """Whether we wrote a file of this name here, whatever it holds by now."""
    file = Path(path)
    with suppress(OSError):
        return bool(_hashes_of(file))
    return False


def _hashes_of(file: Path) -> list[str]:
    """What was written to a file under its name, or under one that is the same file where case does
    not count.
    """
    known = _read(file.parent / FILE_NAME) or {}
    if file.name in known:
        return [known[file.name]]
    return [own for name, own in known.items() if _is_same(name, file)]


def _is_same(name: str, file: Path) -> bool:
    with suppress(OSError):
        return _folded(name) == _folded(file.name) and file.samefile(file.parent / name)
    return False


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _read(record: Path) -> dict[str, str] | None:
    """Hashes of files by name; None when the record is not ours, or cannot be read."""
    if not record.exists() and not record.is_symlink():
        return {}
    # With several links it has another name, of somebody's file.
    if record.is_symlink() or not record.is_file() or record.stat().st_nlink > 1:
        return None
    content = record.read_bytes()
    if _HEAD.startswith(content):  # it may have been cut short
        return {}
    if not content.startswith(_HEAD):
        return None
    known: dict[str, str] = {}
    for line in content.splitlines()[1:]:
        # A line may be cut short by a process that died.
        with suppress(ValueError, KeyError, TypeError):
            row = json.loads(line)
            known[str(row["file"])] = str(row["sha256"])
    return known


def _hash(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
