"""Whether a library holds what was put in and its sources are unchanged; and mending it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from motionloom.errors import FormatError
from motionloom.library._arrays import DamageError
from motionloom.library._ingest import Failure, Order, ingest_all
from motionloom.library._library import Library, open_library
from motionloom.library.sources import hash_source, path_of
from motionloom.library.writer import CLIPS, writing
from motionloom.progress import Progress, silent
from motionloom.reports import shown
from motionloom.typing import PathName


@dataclass(frozen=True)
class Problem:
    """What is wrong with a clip.

    Parameters
    ----------
    clip : str
        Its name.
    kind : str
        ``"damaged"``: its arrays are not those that were written. ``"changed"``: its file is not
        the one that was read. ``"missing"``: its file is gone.
    message : str
        One sentence.
    """

    clip: str = field(metadata=shown("clip"))
    kind: str = field(metadata=shown("kind"))
    message: str = field(metadata=shown("problem"))


@dataclass(frozen=True)
class RepairReport:
    """What mending did.

    Parameters
    ----------
    restored : tuple of str
        Clips that were read again from their files.
    dropped : tuple of str
        Damaged clips whose files are gone or cannot be read.
    failed : tuple of Failure
        Files that could not be read again.
    """

    restored: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    failed: tuple[Failure, ...] = ()


def check_library(path: PathName, progress: Progress = silent) -> tuple[Problem, ...]:
    """Read every array and every source file of a library, and compare them with their hashes.

    Parameters
    ----------
    path : path-like
        The library.
    progress : Progress, optional
        Told how far the work is.

    Returns
    -------
    tuple of Problem
        By the names of the clips; empty when all is well.

    Raises
    ------
    MotionloomError
        When there is no library or its manifest cannot be read.
    """
    library = open_library(path)
    found: list[Problem] = []
    for i, name in enumerate(library.names):
        progress("checking clips", i, len(library))
        problems = (_check_arrays(library, name), _check_source(library, name))
        found += [problem for problem in problems if problem is not None]
    progress("checking clips", len(library), len(library))
    return tuple(found)


def repair_library(
    path: PathName,
    *,
    workers: int = 1,
    progress: Progress = silent,
    on_wait: Callable[[], None] | None = None,
    on_left: Callable[[str], None] | None = None,
) -> RepairReport:
    """Read damaged and changed clips again from their files as before; drop those that are lost.

    A clip whose file is gone stays, as long as its arrays are whole; so does the old clip of a
    changed file that cannot be read. For `on_wait` and `on_left` see `add_clips`.

    Parameters
    ----------
    path : path-like
        The library.
    workers : int, optional
        Processes that read files.
    progress : Progress, optional
        Told how far the work is.
    on_wait : callable, optional
        Called once when another process is changing the library, and this one waits for it.
    on_left : callable, optional
        Called with a sentence when things are in the library that are not part of it, and stay.

    Returns
    -------
    RepairReport
        Clips that were read again, dropped or could not be read.

    Raises
    ------
    MotionloomError
        When there is no library, it cannot be read or changed, or a worker process dies.
    """
    folder = Path(path)
    with writing(folder, on_wait, on_left) as writer:
        kinds: dict[str, set[str]] = {}
        for problem in check_library(folder, progress):
            kinds.setdefault(problem.clip, set()).add(problem.kind)
        again = sorted(name for name, found in kinds.items() if "missing" not in found)
        sources = {name: writer.clips[name].source for name in again}
        orders = [Order(n, path_of(folder, s.path), s.options) for n, s in sources.items()]
        made, failed = ingest_all(writer, orders, workers, False, progress)
        restored = {entry.name for entry in made}
        blocked = {failure.path for failure in failed if failure.blocked}
        kept = restored | {order.name for order in orders if order.path in blocked}
        damaged = sorted(name for name, found in kinds.items() if "damaged" in found)
        dropped = [name for name in damaged if name not in kept]
        for name in dropped:
            del writer.clips[name]
    return RepairReport(tuple(sorted(restored)), tuple(dropped), tuple(failed))


def _check_arrays(library: Library, name: str) -> Problem | None:
    entry = library.entry(name)
    if not (library.path / CLIPS / entry.folder).is_dir():
        return Problem(name, "damaged", f"its folder {CLIPS}/{entry.folder} is gone")
    try:
        for what in library.facts(name).files:
            library.array(name, what)
    except DamageError as error:
        return Problem(name, "damaged", f"{error.path}: {error.reason}")
    return None


def _check_source(library: Library, name: str) -> Problem | None:
    source = library.entry(name).source
    files = [path_of(library.path, p) for p in (source.path, source.skeleton) if p is not None]
    gone = [file for file in files if not file.is_file()]
    if gone:
        return Problem(name, "missing", f"its source {gone[0]} is gone")
    try:
        same = hash_source(library.path, source) == source.hash
    except FormatError as error:
        return Problem(name, "missing", f"its source cannot be read ({error})")
    changed = f"its source {files[0]} has changed since it was read"
    return None if same else Problem(name, "changed", changed)
