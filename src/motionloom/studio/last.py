"""What windows were shown last, kept beside the shot: who opens it again sees that at once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgpack

from motionloom.errors import MotionloomError
from motionloom.io.files import atomic_write, read_bytes
from motionloom.studio.shown import Message
from motionloom.studio.web.protocol import write_message

#: The file in the studio's folder, the version of what is in it, and the most bytes of it.
NAME, VERSION, MOST = "shown.msgpack", 1, 200_000_000
#: What may be told again.
KINDS = ("character", "motion", "report", "naturalness")


def keep_last(folder: Path, text: str, messages: Sequence[Message]) -> None:
    """Keep what is shown.

    Parameters
    ----------
    folder : Path
        Of the studio, beside the shot.
    text : str
        The shot file that it was made of.
    messages : sequence of dict
        What windows were told; characters, motions, and what was measured of them are kept.
    """
    told = [write_message(one) for one in messages if one["type"] in KINDS]
    packed: bytes = msgpack.packb({"version": VERSION, "key": _key_of(text), "told": told})
    if len(packed) > MOST:
        return
    with atomic_write(folder / NAME) as file:
        file.write(packed)


def load_last(folder: Path, text: str) -> list[Message]:
    """What was shown last of a shot; nothing where that was another one, or cannot be read.

    Parameters
    ----------
    folder : Path
        Of the studio, beside the shot.
    text : str
        The shot file as it is now.

    Returns
    -------
    list of dict
    """
    try:
        kept = msgpack.unpackb(read_bytes(folder / NAME, most=MOST), raw=False)
        if kept["version"] != VERSION or kept["key"] != _key_of(text):
            return []
        messages = [msgpack.unpackb(one, raw=False) for one in kept["told"]]
        return [one for one in messages if one["type"] in KINDS]
    except (OSError, ValueError, KeyError, TypeError, MotionloomError):
        return []
    except msgpack.exceptions.UnpackException:
        return []


def _key_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def stamp_of(folder: Path) -> Any:
    """What tells whether it was kept anew."""
    try:
        facts = (folder / NAME).stat()
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size
