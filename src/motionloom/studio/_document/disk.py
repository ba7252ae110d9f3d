"""The file that is edited: written whole, and never over what another program has put there."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from motionloom.io.files import read_text, write_file
from motionloom.io.limits import MOST_CHARACTERS
from motionloom.io.written import is_recorded, note_written


@dataclass
class DiskFile:
    """A text file that this process writes, and perhaps another.

    Parameters
    ----------
    path : Path
        Where it is.
    """

    path: Path
    _hash: bytes = b""
    _stamp: tuple[int, int, int] = (0, 0, 0)
    _newline: str = "\n"

    def read(self) -> str:
        """Its text, that from now on counts as known.

        Raises
        ------
        FormatError
            When it cannot be read.
        """
        if self.path.is_file():
            raw = self.path.read_bytes()
            self._newline = "\r\n" if b"\r\n" in raw else "\n"
            self._know(raw)
        return read_text(self.path, most=4 * MOST_CHARACTERS)

    @property
    def written(self) -> int:
        """When it was last written, nanoseconds."""
        return self._stamp[0]

    def write(self, text: str) -> None:
        """Put a text there.

        Raises
        ------
        MotionloomError, OSError
            When it cannot be written; then what was there is.
        """
        raw = text.replace("\n", self._newline).encode()
        ours = is_recorded(self.path)
        write_file(self.path, raw)
        if ours:
            note_written(self.path)
        self._know(raw)

    def is_changed(self) -> bool:
        """Whether it holds something else than was last read or written here."""
        try:
            stamp = self._stamp_now()
            if stamp == self._stamp:
                return False
            found = hashlib.sha256(self.path.read_bytes()).digest()
        except OSError:
            return False
        if found == self._hash:
            self._stamp = stamp
        return found != self._hash

    def _know(self, raw: bytes) -> None:
        self._hash = hashlib.sha256(raw).digest()
        self._stamp = self._stamp_now()

    def _stamp_now(self) -> tuple[int, int, int]:
        about = os.stat(self.path)
        return about.st_mtime_ns, about.st_size, about.st_ino
