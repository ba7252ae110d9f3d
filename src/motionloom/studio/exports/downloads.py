"""Files that wait to be fetched."""

from __future__ import annotations

import secrets
import shutil
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

#: How long a file waits to be fetched, seconds.
KEPT = 600.0


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
