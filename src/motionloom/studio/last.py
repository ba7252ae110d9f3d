"""What windows were shown last, kept beside the shot: who opens it again sees that at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack

from motionloom.errors import MotionloomError
from motionloom.io.files import atomic_write, read_bytes
from motionloom.studio.shown import Message
from motionloom.studio.web.protocol import write_message

#: The file in the studio's folder, the version of what is in it, and the most bytes of it.
NAME, VERSION, MOST = "shown.msgpack", 2, 200_000_000
#: What may be told again.
KINDS = ("character", "motion", "report", "naturalness")


@dataclass(frozen=True)
class Last:
    """What windows were shown last.

    Parameters
    ----------
    messages : tuple of dict
        What they were told.
    is_same : bool
        Whether the shot still is what it was made of.
    plan : mapping, optional
        When its spans were.
    """

    messages: tuple[Message, ...]
    is_same: bool
    plan: Mapping[str, Any] | None = None


def keep_last(
    folder: Path, text: str, messages: Iterable[Message], plan: Mapping[str, Any] | None = None
) -> None:
    """Keep what is shown.

    Parameters
    ----------
    folder : Path
        Of the studio, beside the shot.
    text : str
        The shot file that it was made of.
    messages : iterable of dict
        What windows were told; characters, motions, and what was measured of them are kept.
    plan : mapping, optional
        When spans are.
    """
    told = [write_message(one) for one in messages if one["type"] in KINDS]
    when = write_message({"type": "plan", "plan": plan})
    kept = {"version": VERSION, "key": _key_of(text), "told": told, "plan": when}
    packed: bytes = msgpack.packb(kept)
    if len(packed) > MOST:
        return
    with atomic_write(folder / NAME) as file:
        file.write(packed)


def load_last(folder: Path, text: str) -> Last | None:
    """What was shown last of a shot; nothing where none was, or it cannot be read.

    Parameters
    ----------
    folder : Path
        Of the studio, beside the shot.
    text : str
        The shot file as it is now.

    Returns
    -------
    Last or None
    """
    try:
        kept = msgpack.unpackb(read_bytes(folder / NAME, most=MOST), raw=False)
        if kept["version"] != VERSION:
            return None
        told = [msgpack.unpackb(one, raw=False) for one in kept["told"]]
        messages = tuple(one for one in told if one["type"] in KINDS)
        plan = msgpack.unpackb(kept["plan"], raw=False)["plan"]
        return Last(messages, kept["key"] == _key_of(text), plan) if messages else None
    except (OSError, ValueError, KeyError, TypeError, MotionloomError):
        return None
    except msgpack.exceptions.UnpackException:
        return None


def _key_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def stamp_of(folder: Path) -> Any:
    """What tells whether it was kept anew."""
    try:
        facts = (folder / NAME).stat()
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size
