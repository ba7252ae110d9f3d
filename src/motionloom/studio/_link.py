"""The link of a studio kept from one start to the next, so that a page that is open comes back."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

#: Name of the file, beside the journal.
FILE = "link.json"
#: More bytes than that are no link.
_MOST = 2_000


@dataclass(frozen=True)
class Link:
    """Where a studio can be found, and by whom.

    Parameters
    ----------
    shot : str
        Absolute path of the shot; a folder that was copied elsewhere says another one.
    port : int
        Where it listened.
    token : str
        In its link.
    """

    shot: str
    port: int
    token: str


def read_link(folder: Path, shot: Path) -> Link | None:
    """The link of the last studio on a shot.

    Parameters
    ----------
    folder : Path
        Of what the studio keeps.
    shot : Path
        Absolute path of the shot file.

    Returns
    -------
    Link or None
        None where there is none, where others could have read or written it, and where it is of
        another shot.
    """
    try:
        descriptor = os.open(folder / FILE, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as file:
            if not _is_private(os.fstat(descriptor)):
                return None
            told = json.loads(file.read(_MOST))
        link = Link(str(told["shot"]), int(told["port"]), str(told["token"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    is_ours = link.shot == str(shot) and 0 < link.port < 65536
    return link if is_ours else None


def keep_link(folder: Path, link: Link) -> None:
    """Keep a link where only this user can read it; that it cannot be kept is no fault."""
    place = folder / FILE
    part = folder / f".{FILE}.part"
    with suppress(OSError):
        part.unlink(missing_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(asdict(link), file)
        part.replace(place)


def _is_private(about: os.stat_result) -> bool:
    """Whether a file is this user's alone."""
    if not hasattr(os, "getuid"):
        return True
    others = stat.S_IRWXG | stat.S_IRWXO
    return about.st_uid == os.getuid() and not about.st_mode & others
