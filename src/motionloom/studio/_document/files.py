"""The file that is edited, and the journal of every edit beside it, so that none is lost."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from motionloom.errors import InvalidInputError
from motionloom.io.files import read_text, write_file
from motionloom.io.limits import MOST_CHARACTERS
from motionloom.io.owned import refuse_links
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
        with suppress(OSError):
            stamp = self._stamp_now()
            if stamp != self._stamp:
                if hashlib.sha256(self.path.read_bytes()).digest() != self._hash:
                    return True
                self._stamp = stamp
        return False

    def _know(self, raw: bytes) -> None:
        self._hash = hashlib.sha256(raw).digest()
        self._stamp = self._stamp_now()

    def _stamp_now(self) -> tuple[int, int, int]:
        about = os.stat(self.path)
        return about.st_mtime_ns, about.st_size, about.st_ino


#: Most edits that can be undone.
MOST_STEPS = 1000


@dataclass(frozen=True)
class Step:
    """The document after one edit.

    Parameters
    ----------
    label : str
        What the edit did, in words.
    text : str
        The whole file.
    """

    label: str
    text: str


@dataclass(frozen=True)
class History:
    """All edits that can be undone or done again.

    Parameters
    ----------
    steps : tuple of Step
        The first is what there was before any edit.
    now : int
        Index of the present one.
    """

    steps: tuple[Step, ...]
    now: int = 0

    @classmethod
    def of(cls, text: str) -> History:
        """History of a document that nobody has edited."""
        return cls((Step("", text),))

    @property
    def text(self) -> str:
        """The document now."""
        return self.steps[self.now].text

    @property
    def undo_label(self) -> str | None:
        """What would be undone."""
        return self.steps[self.now].label if self.now else None

    @property
    def redo_label(self) -> str | None:
        """What would be done again."""
        return self.steps[self.now + 1].label if self.now + 1 < len(self.steps) else None

    def edited(self, label: str, text: str) -> History:
        """With one more edit; what was undone before is gone."""
        steps = (*self.steps[: self.now + 1], Step(label, text))[-MOST_STEPS - 1 :]
        return History(steps, len(steps) - 1)

    def moved(self, by: int) -> History:
        """Undone (-1) or done again (+1); as it is where there is nothing."""
        return replace(self, now=min(max(self.now + by, 0), len(self.steps) - 1))


_HEAD = '{"motionloom_studio_journal": 1}'
#: A journal that is larger is not read, bytes.
_MOST_BYTES = 500_000_000


@dataclass
class Journal:
    """The journal of one shot.

    Parameters
    ----------
    path : Path
        Its file.
    """

    path: Path

    @property
    def written(self) -> int:
        """When it was last written, nanoseconds; 0 where there is none."""
        return self.path.stat().st_mtime_ns if self.path.exists() else 0

    def read(self) -> History | None:
        """What was done; None where there is no journal.

        Raises
        ------
        InvalidInputError
            When the file is not a journal of ours.
        """
        refuse_links([self.path])
        size = self.path.stat().st_size if self.path.exists() else 0
        if not 0 < size <= _MOST_BYTES:
            return None
        lines = self.path.read_bytes().decode(errors="replace").splitlines()
        if lines[0] != _HEAD:
            raise InvalidInputError(
                f"{self.path}: this is not a file that motionloom made; move it elsewhere"
            )
        history = None
        for line in lines[1:]:
            row = _row(line)
            if row is None:  # cut short by a process that died
                break
            history = _after(history, row)
        return history

    def begin(self, history: History) -> None:
        """Write a journal anew."""
        first, *rest = history.steps
        rows: list[dict[str, Any]] = [{"begin": first.text}]
        rows += [{"edit": step.label, "text": step.text} for step in rest]
        rows += [{"move": -1}] * (len(rest) - history.now)
        write_file(self.path, "\n".join([_HEAD, *map(json.dumps, rows)]) + "\n")

    def note(self, row: dict[str, Any]) -> None:
        """Note an edit and its text, or a move by an undo (-1) or redo (+1)."""
        refuse_links([self.path])
        with self.path.open("ab") as stream:
            stream.write(json.dumps(row).encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())


def _row(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) else None


def _after(history: History | None, row: dict[str, Any]) -> History | None:
    if "begin" in row:
        return History.of(str(row["begin"]))
    if history is None:
        return None
    if "edit" in row:
        return history.edited(str(row["edit"]), str(row.get("text", "")))
    return history.moved(-1 if row.get("move") == -1 else 1)
