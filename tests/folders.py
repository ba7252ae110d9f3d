"""The bytes of a folder."""

from pathlib import Path


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path from there; empty folders too."""
    found = {
        str(p.relative_to(folder)): p.read_bytes() if p.is_file() else b""
        for p in folder.rglob("*")
    }
    assert found
    return found
