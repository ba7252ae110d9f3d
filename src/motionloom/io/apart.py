"""Read a stranger's file in a process of its own: when it crashes, only that process ends."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.errors import (
    FormatError,
    InvalidInputError,
    MissingExtraError,
    MotionloomError,
)
from motionloom.io.files import DAMAGED_NPZ

#: Seconds after which nothing more is expected of the other process.
_PATIENCE = 600
#: Bytes that the other process may map.
_MOST_MEMORY = 16 * 2**30
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    " from motionloom.io.apart import serve; serve(*sys.argv[2:])"
)


@dataclass(frozen=True)
class Extractor:
    """A module whose ``extract(path)`` gives a file's arrays by a library that may crash.

    Parameters
    ----------
    module : str
        Its full name.
    format : str
        Of the files, as people call it.
    package : str
        The library.
    extra : str
        The extra of motionloom that installs it.
    """

    module: str
    format: str
    package: str
    extra: str

    def missing(self) -> MissingExtraError:
        """The error to raise where the library is not installed."""
        return MissingExtraError(self.package, self.extra, f"reading {self.format} files")


def extract_apart(extractor: Extractor, path: str | PathLike[str]) -> dict[str, Any]:
    """What an extractor gives, from another process.

    Parameters
    ----------
    extractor : Extractor
        Reads the file.
    path : path-like
        The file.

    Returns
    -------
    dict
        Arrays by name.

    Raises
    ------
    MotionloomError
        What was raised there.
    FormatError
        When that process crashed or did not end.
    """
    with tempfile.TemporaryDirectory(prefix="motionloom-") as folder:
        place = Path(folder) / "scene.npz"
        told = json.dumps([entry for entry in sys.path if entry] or ["."])
        arguments = [told, extractor.module, fspath(path), fspath(place)]
        command = [sys.executable, "-c", _PROGRAM, *arguments]
        try:
            done = subprocess.run(
                command, capture_output=True, stdin=subprocess.DEVNULL, timeout=_PATIENCE
            )
        except subprocess.TimeoutExpired:
            raise FormatError(
                f"{extractor.package} did not end within {_PATIENCE} s; the file is damaged, export"
                " it again",
                path,
            ) from None
        _raise_told(done.stdout, extractor, path)
        if done.returncode or not place.exists():
            raise FormatError(_crash(extractor, done.returncode), path)
        try:
            with np.load(place, allow_pickle=False) as found:
                return dict(found)
        except DAMAGED_NPZ:
            raise FormatError(_crash(extractor, done.returncode), path) from None


def serve(module: str, path: str, place: str) -> None:
    """Extract a file and save what it holds, or print the error; this runs in the other process.

    Parameters
    ----------
    module : str
        Of the extractor.
    path : str
        The file.
    place : str
        Where the arrays go, a new ``.npz`` file.
    """
    _limit_memory()
    try:
        np.savez(place, allow_pickle=False, **importlib.import_module(module).extract(path))
    except MotionloomError as error:
        message = error.message if isinstance(error, FormatError) else str(error)
        print(json.dumps({"error": type(error).__name__, "message": message}))
    except MemoryError:
        print(json.dumps({"error": "FormatError", "message": "there is not enough memory"}))


def _limit_memory() -> None:
    """Let what asks for absurd amounts of memory fail, where the system can be told so."""
    with suppress(ImportError, OSError, ValueError):
        resource = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def _crash(extractor: Extractor, code: int) -> str:
    return (
        f"{extractor.package} crashed on this file (exit code {code}); it is damaged, or beyond"
        " what that library can read: open it in Blender and export it again, or export BVH"
    )


def _raise_told(output: bytes, extractor: Extractor, path: str | PathLike[str]) -> None:
    try:
        told = json.loads(output.decode(errors="replace").strip().splitlines()[-1])
    except (ValueError, IndexError):
        return
    if told["error"] == "FormatError":
        raise FormatError(told["message"], path)
    if told["error"] == "MissingExtraError":
        raise extractor.missing()
    raise InvalidInputError(told["message"])
