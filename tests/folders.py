"""The bytes of a folder."""

import hashlib
import os
from pathlib import Path


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path from there; empty folders too."""
    found = {
        str(p.relative_to(folder)): p.read_bytes() if p.is_file() else b""
        for p in folder.rglob("*")
    }
    assert found
    return found


def state_of(root: Path) -> dict[str, tuple[str, str]]:
    """What is at every path below a folder; no link is followed."""
    found = {}
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = os.path.join(folder, name)
            if os.path.islink(path):
                state = ("link", os.readlink(path))
            elif os.path.isdir(path):
                state = ("folder", "")
            else:
                state = ("file", hashlib.sha256(Path(path).read_bytes()).hexdigest())
            found[os.path.relpath(path, root)] = state
    return found
