"""What windows were shown last, kept beside the shot: who opens it again sees that at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack

from motionloom.io.kept import SUFFIX, KeptFolder
from motionloom.studio.shown import Message
from motionloom.studio.web.protocol import write_message

#: The key in the studio's folder, and the most bytes that are kept.
KEY, MOST = "shown", 200_000_000
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
    packed: bytes = msgpack.packb({"key": _key_of(text), "told": told, "plan": when})
    if len(packed) <= MOST:
        KeptFolder(folder).save_bytes(KEY, packed)


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
    content = KeptFolder(folder).load_bytes(KEY)
    if content is None:
        return None
    try:
        kept = _unpack(content)
        told = [_unpack(one) for one in kept["told"]]
        messages = tuple(one for one in told if one["type"] in KINDS)
        plan = _unpack(kept["plan"])["plan"]
        return Last(messages, kept["key"] == _key_of(text), plan) if messages else None
    except (ValueError, LookupError, TypeError, msgpack.exceptions.UnpackException):
        return None


def _unpack(content: bytes) -> dict[str, Any]:
    found = msgpack.unpackb(content, raw=False)
    if not isinstance(found, dict):
        raise ValueError("no mapping")
    return found


def _key_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def stamp_of(folder: Path) -> Any:
    """What tells whether it was kept anew."""
    try:
        facts = (folder / f"{KEY}{SUFFIX}").lstat()
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size
