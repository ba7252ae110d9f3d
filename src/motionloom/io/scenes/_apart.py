"""Read strangers' files in a process of its own: when that crashes, only it ends.

One process serves many files, so that a folder of them does not start one for each. It ends with
the process that started it, whose pipe it reads.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.errors import FormatError, InvalidInputError, MissingExtraError, MotionloomError
from motionloom.io.files import DAMAGED_NPZ, read_bytes
from motionloom.io.scenes._reading import FileScene, motion_of_scene, pack_scene, unpack_scene
from motionloom.motion import Motion

#: Seconds after which nothing more is expected of the other process.
_PATIENCE = 600.0
#: Bytes that the other process may map.
_MOST_MEMORY = 16 * 2**30
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    " from motionloom.io.scenes._apart import serve; serve(sys.argv[2])"
)


@dataclass(frozen=True)
class Extractor:
    """A module whose ``extract(path, number)`` gives the arrays of one skeleton of a file.

    It uses a library that may crash.

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

    def crash(self, code: int | None) -> str:
        """What to say when the library crashed."""
        return (
            f"{self.package} crashed on this file (exit code {code}); it is damaged, or beyond"
            " what that library can read: open it in Blender and export it again, or export BVH"
        )


_UFBX = Extractor("motionloom.io.fbx._scene", "FBX", "ufbx", "fbx")
_USD = Extractor("motionloom.io.usd._stage", "USD", "usd-core", "usd")


def read_fbx(
    path: str | PathLike[str],
    *,
    unit: float | str | None = None,
    up: str | None = None,
    strict: bool = False,
    number: int | None = None,
) -> Motion:
    """Read the skeleton and the first animation of an FBX file, binary or text.

    The bones are the limb nodes and those that carry a skin, or else the animated nodes; nodes
    above them are folded into the root. Our own files give back the skeleton and rotations that
    were written. Of others, at rest every joint's frame has the world's axes.

    The file is read by ufbx in a process of its own, so that a crash ends in a sentence.

    Parameters
    ----------
    path : path-like
        The FBX file.
    unit : float or str, metres, optional
        Length of the file's unit, where it is known better than the file says.
    up : str, optional
        The file's up axis, likewise.
    strict : bool, optional
        Refuse what would otherwise be mended with a warning.
    number : int, optional
        Of the skeleton, the largest first, as ``source.skeletons`` lists them; otherwise the first,
        with a warning about the others.

    Returns
    -------
    Motion
        In metres, +Y up, sampled at the keys where they are even.

    Raises
    ------
    FormatError
        When the file cannot be read or holds no skeleton.
    MissingExtraError
        When ufbx is not installed.
    """
    return _read(_UFBX, path, unit=unit, up=up, strict=strict, number=number)


def read_usd(
    path: str | PathLike[str],
    *,
    unit: float | str | None = None,
    up: str | None = None,
    strict: bool = False,
    number: int | None = None,
) -> Motion:
    """Read the largest UsdSkel skeleton of a USD file and its animation.

    Prims above the skeleton are folded into the root. Our own files give back the skeleton and
    rotations that were written. Of others, at rest every joint's frame has the world's axes.

    The file is read by usd-core in a process of its own, so that a crash ends in a sentence.

    Parameters
    ----------
    path : path-like
        The ``.usda``, ``.usdc`` or ``.usd`` file.
    unit : float or str, metres, optional
        Length of the file's unit, where it is known better than the file says.
    up : str, optional
        The file's up axis, likewise.
    strict : bool, optional
        Refuse what would otherwise be mended with a warning.
    number : int, optional
        Of the skeleton, the largest first, as ``source.skeletons`` lists them; otherwise the first,
        with a warning about the others.

    Returns
    -------
    Motion
        In metres, +Y up, sampled at the time samples where they are even.

    Raises
    ------
    FormatError
        When the file cannot be read or holds no skeleton.
    MissingExtraError
        When usd-core is not installed.
    """
    return _read(_USD, path, unit=unit, up=up, strict=strict, number=number)


def _read(
    extractor: Extractor, path: str | PathLike[str], *, number: int | None, **told: Any
) -> Motion:
    read_bytes(path, limit=1)
    scene = extract_apart(extractor, path, number or 0)
    return motion_of_scene(scene, path, extractor.format.lower(), number=number, **told)


class _Server:
    """The other process, as this one sees it."""

    def __init__(self, module: str, told: str) -> None:
        self.key = (os.getpid(), module, told)
        self.process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, told, module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, path: str, number: int, place: str) -> dict[str, Any] | None:
        """What it answers about a file; nothing when it crashed or was ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        late = threading.Timer(_PATIENCE, self.process.kill)
        late.start()
        try:
            self.process.stdin.write(json.dumps([path, number, place]).encode() + b"\n")
            self.process.stdin.flush()
            answer = json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            self.end()
            return None
        finally:
            late.cancel()
        return dict(answer)

    def end(self) -> int | None:
        """End it; its exit code."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(2)
        self.process.kill()
        return self.process.wait()


#: The processes that were started, by extractor.
_servers: dict[str, _Server] = {}
_lock = threading.Lock()


@atexit.register
def end_servers() -> None:
    """End the other processes that this one started."""
    for module, server in list(_servers.items()):
        if server.key[0] == os.getpid():
            server.end()
        del _servers[module]


def extract_apart(extractor: Extractor, path: str | PathLike[str], number: int = 0) -> FileScene:
    """What an extractor gives, from another process.

    Parameters
    ----------
    extractor : Extractor
        Reads the file.
    path : path-like
        The file.
    number : int, optional
        Of the skeleton, the largest first.

    Returns
    -------
    FileScene
        What it found.

    Raises
    ------
    MotionloomError
        What was raised there.
    FormatError
        When that process crashed or did not end.
    """
    with tempfile.TemporaryDirectory(prefix="motionloom-") as folder:
        place = Path(folder) / "scene.npz"
        with _lock:
            _ask(extractor, path, number, fspath(place))
        try:
            with np.load(place, allow_pickle=False) as found:
                return unpack_scene(dict(found))
        except DAMAGED_NPZ:
            raise FormatError(extractor.crash(None), path) from None


def _ask(extractor: Extractor, path: str | PathLike[str], number: int, place: str) -> None:
    """Have a file extracted to `place`; where a process that read others crashed, by a new one."""
    fresh = False
    answer = None
    while answer is None:
        server, fresh = _server(extractor)
        answer = server.ask(fspath(Path(path).absolute()), number, place)
        if answer is None:
            del _servers[extractor.module]
            code = server.process.returncode
            if fresh:
                raise FormatError(extractor.crash(code), path)
    if answer.get("error") == "FormatError":
        raise FormatError(answer["message"], path)
    if answer.get("error") == "ImportError":
        what = f"reading {extractor.format} files"
        raise MissingExtraError(extractor.package, extractor.extra, what)
    if "error" in answer:
        raise InvalidInputError(answer["message"])


def _server(extractor: Extractor) -> tuple[_Server, bool]:
    """The extractor's process, and whether it was just started."""
    told = json.dumps([entry for entry in sys.path if entry] or ["."])
    known = _servers.get(extractor.module)
    key = (os.getpid(), extractor.module, told)
    if known is not None and known.key == key and known.process.poll() is None:
        return known, False
    if known is not None and known.key[0] == os.getpid():
        known.end()
    _servers[extractor.module] = _Server(extractor.module, told)
    return _servers[extractor.module], True


def serve(module: str) -> None:
    """Extract the files that are asked for, until the pipe ends; this runs in the other process.

    Parameters
    ----------
    module : str
        Of the extractor.
    """
    _limit_memory()
    # What libraries print must not get between the answers.
    with os.fdopen(os.dup(1), "wb") as answers, open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 1)
        for line in sys.stdin.buffer:
            path, number, place = json.loads(line)
            answers.write(json.dumps(_serve_one(module, path, number, place)).encode() + b"\n")
            answers.flush()


def _serve_one(module: str, path: str, number: int, place: str) -> dict[str, str]:
    try:
        scene = importlib.import_module(module).extract(path, number)
        np.savez(place, allow_pickle=False, **pack_scene(scene))
    except ImportError as error:
        return {"error": "ImportError", "message": str(error)}
    except MotionloomError as error:
        message = error.message if isinstance(error, FormatError) else str(error)
        return {"error": type(error).__name__, "message": message}
    except MemoryError:
        return {"error": "FormatError", "message": "there is not enough memory to read this"}
    return {}


def _limit_memory() -> None:
    """Let what asks for absurd amounts of memory fail, where the system can be told so."""
    with suppress(ImportError, OSError, ValueError):
        resource = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
