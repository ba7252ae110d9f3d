"""Read strangers' files in a process of its own: when that crashes, only it ends.

One process serves many files, so that a folder of them does not start one for each. It ends with
the process that started it, whose pipe it reads.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from os import fspath
from pathlib import Path
from typing import Any, Unpack

from motionloom.errors import FormatError, InvalidInputError, MissingExtraError, MotionloomError
from motionloom.io.files import read_bytes
from motionloom.io.scenes._reading import FileScene, SceneOptions, motion_of_scene
from motionloom.motion import Motion
from motionloom.typing import PathName

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
        Of the files, as people call it; in lower case the extra of motionloom that reads them.
    package : str
        The library.
    """

    module: str
    format: str
    package: str

    def crash(self, code: int | None) -> str:
        """What to say when the library crashed."""
        return (
            f"{self.package} crashed on this file (exit code {code}); it is damaged, or beyond"
            " what that library can read: open it in Blender and export it again, or export BVH"
        )


_UFBX = Extractor("motionloom.io.fbx._scene", "FBX", "ufbx")
_USD = Extractor("motionloom.io.usd", "USD", "usd-core")


def read_fbx(path: PathName, **options: Unpack[SceneOptions]) -> Motion:
    """Read the skeleton and the first animation of an FBX file, binary or text.

    The bones are the limb nodes and those that carry a skin, or else the animated nodes; nodes
    above them are folded into the root. Our own files give back the skeleton and rotations that
    were written. Of others, at rest every joint's frame has the world's axes.

    The file is read by ufbx in a process of its own, so that a crash ends in a sentence.

    Parameters
    ----------
    path : path-like
        The FBX file.
    **options
        Of `motionloom.io.scenes._reading.SceneOptions`: `unit`, `up`, `strict` and `number`.

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
    return _read(_UFBX, path, options)


def read_usd(path: PathName, **options: Unpack[SceneOptions]) -> Motion:
    """Read the largest UsdSkel skeleton of a USD file and its animation.

    Prims above the skeleton are folded into the root. Our own files give back the skeleton and
    rotations that were written. Of others, at rest every joint's frame has the world's axes.

    The file is read by usd-core in a process of its own, so that a crash ends in a sentence.

    Parameters
    ----------
    path : path-like
        The ``.usda``, ``.usdc`` or ``.usd`` file.
    **options
        Of `motionloom.io.scenes._reading.SceneOptions`: `unit`, `up`, `strict` and `number`.

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
    return _read(_USD, path, options)


def _read(extractor: Extractor, path: PathName, options: SceneOptions) -> Motion:
    read_bytes(path, limit=1)
    scene = extract_apart(extractor, path, options.get("number") or 0)
    return motion_of_scene(scene, path, extractor.format.lower(), **options)


#: The processes that were started, by their parent, extractor and search path.
_servers: dict[tuple[int, str, str], subprocess.Popen[bytes]] = {}
_lock = threading.Lock()


@atexit.register
def _end_servers() -> None:
    for (parent, *_), server in _servers.items():
        if parent == os.getpid():
            _end(server)


def extract_apart(extractor: Extractor, path: PathName, number: int = 0) -> FileScene:
    """What an extractor gives, from another process.

    Where a process that read other files crashes, the file is read by a new one.

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
    place = fspath(Path(path).absolute())
    with _lock:
        server, fresh = _server(extractor)
        answer = _ask(server, place, number)
        if answer is None and not fresh:
            server, _ = _server(extractor)
            answer = _ask(server, place, number)
    if answer is None:
        raise FormatError(extractor.crash(server.returncode), path)
    if isinstance(answer, FileScene):
        return answer
    kind, message = answer
    if kind == "ImportError":
        what = f"reading {extractor.format} files"
        raise MissingExtraError(extractor.package, extractor.format.lower(), what)
    raise FormatError(message, path) if kind == "FormatError" else InvalidInputError(message)


def _server(extractor: Extractor) -> tuple[subprocess.Popen[bytes], bool]:
    """The extractor's process, and whether it was just started."""
    told = json.dumps([entry for entry in sys.path if entry] or ["."])
    key = (os.getpid(), extractor.module, told)
    if key in _servers and _servers[key].poll() is None:
        return _servers[key], False
    _servers[key] = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, told, extractor.module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    return _servers[key], True


def _ask(server: subprocess.Popen[bytes], path: str, number: int) -> Any:
    """What a process answers about a file; nothing when it crashed or was ended."""
    assert server.stdin is not None
    assert server.stdout is not None
    late = threading.Timer(_PATIENCE, server.kill)
    late.start()
    try:
        pickle.dump((path, number), server.stdin)
        server.stdin.flush()
        return pickle.load(server.stdout)
    except (OSError, EOFError, pickle.UnpicklingError):
        _end(server)
        return None
    finally:
        late.cancel()


def _end(server: subprocess.Popen[bytes]) -> None:
    with suppress(OSError, ValueError, subprocess.TimeoutExpired):
        server.communicate(timeout=2)
    server.kill()
    server.wait()


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
        with suppress(EOFError):
            while True:
                pickle.dump(_extract(module, *pickle.load(sys.stdin.buffer)), answers)
                answers.flush()


def _extract(module: str, path: str, number: int) -> FileScene | tuple[str, str]:
    """The scene, or the kind of an error and its message."""
    try:
        return importlib.import_module(module).extract(path, number)
    except ImportError as error:
        return "ImportError", str(error)
    except MotionloomError as error:
        return type(error).__name__, getattr(error, "message", str(error))
    except MemoryError:
        return "FormatError", "there is not enough memory to read this"


def _limit_memory() -> None:
    """Let what asks for absurd amounts of memory fail, where the system can be told so."""
    with suppress(ImportError, OSError, ValueError):
        resource = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
