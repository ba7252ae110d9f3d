"""The version of the code: a hash of its sources, part of the key of everything kept on disk."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path


@cache
def code_version(package: Path = Path(__file__).parent) -> str:
    """Hash of all sources of motionloom; they are read once in a process.

    Parameters
    ----------
    package : Path, optional
        Folder of the sources.

    Returns
    -------
    str
        32 hexadecimal digits. Another after every change of a source file, whatever version number
        the package has, so that nothing made by other code is taken for what this code would make.
    """
    digest = blake2b(digest_size=16)
    for path in sorted(package.rglob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()
