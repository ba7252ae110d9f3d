"""What was learned of naturalness from the clips of a library, kept beside them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from motionloom.analysis.judge_store import KeptNaturalness, save_naturalness
from motionloom.errors import InvalidInputError
from motionloom.io.owned import not_ours
from motionloom.io.written import is_recorded, is_replaceable, note_written
from motionloom.library._library import Library
from motionloom.library.writer import NATURALNESS, writing
from motionloom.roles import Roles


def naturalness_key(library: Library, names: Sequence[str], roles: Roles) -> str:
    """What stands for clips of a library, in their order, and for the roles of their joints.

    Parameters
    ----------
    library : Library
        Gives the hashes of the clips and the frame rate.
    names : sequence of str
        Of the clips.
    roles : Roles
        Of the library's joints.

    Returns
    -------
    str
        SHA-256, as hexadecimal digits.
    """
    clips = [(name, library.hash(name)) for name in names]
    parts = sorted(roles.joints.items())
    facts = [clips, library.fps, parts, roles.kind, roles.forward]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def keep_naturalness(
    library: Library,
    names: Sequence[str],
    roles: Roles,
    kept: KeptNaturalness,
    on_wait: Callable[[], None] | None = None,
) -> Path:
    """Write what was learned from clips of a library into its folder, in place of what was there.

    Parameters
    ----------
    library : Library
        As it was when the clips were read.
    names : sequence of str
        The clips.
    roles : Roles
        Those that it was learned with.
    kept : KeptNaturalness
        What was learned; its key is that of these clips and roles.
    on_wait : callable, optional
        Called once when another process is changing the library, and this one waits for it.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InvalidInputError
        When the library cannot be changed, has changed since it was opened, or somebody else's file
        is in the way.
    """
    path = library.path / NATURALNESS
    with writing(library.path, on_wait) as writer:
        now = Library(library.path, writer.manifest)
        gone = not set(names) <= set(now.names)
        if gone or naturalness_key(now, names, roles) != kept.key:
            message = f"{library.path}: this library has changed since it was read; ask again"
            raise InvalidInputError(message)
        ours = is_replaceable(path) or (is_recorded(path) and not path.is_symlink())
        if os.path.lexists(path) and not ours:
            raise not_ours(path)
        save_naturalness(kept, path)
        note_written(path)
    return path
