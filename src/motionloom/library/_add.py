"""Changing what a library holds: clips added, removed, checked and mended, and their labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from math import inf
from pathlib import Path
from typing import Any

from motionloom.clips.labels import Label
from motionloom.errors import FormatError, InvalidInputError, MotionloomError
from motionloom.io.files import name_of
from motionloom.io.owned import real_path
from motionloom.io.trees import read_tree
from motionloom.io.units import check_unit, is_insisted
from motionloom.library._arrays import DamageError
from motionloom.library._ingest import Failure, Order, find_performer, ingest_all
from motionloom.library._library import Library, open_library
from motionloom.library.manifest import (
    ClipEntry,
    ClipLabel,
    SourceOptions,
    hash_files,
    hash_source,
    load_options,
    path_from,
    path_of,
    refuse_inside,
)
from motionloom.library.writer import CLIPS, Writer, writing
from motionloom.progress import Progress, silent
from motionloom.reports import shown
from motionloom.typing import PathName

#: Name and parent of every joint.
Tree = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class AddReport:
    """What came of adding files.

    Parameters
    ----------
    added, replaced, moved, kept : tuple of ClipEntry
        New clips; clips that were read again, because their file or how to read it had changed;
        clips whose file is elsewhere now; clips that were there already.
    failed : tuple of Failure
        Files that could not become clips.
    notes : tuple of str
        Whose skeleton the library has got, where the first files differ.
    """

    added: tuple[ClipEntry, ...] = ()
    replaced: tuple[ClipEntry, ...] = ()
    moved: tuple[ClipEntry, ...] = ()
    kept: tuple[ClipEntry, ...] = ()
    failed: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()


def add_clips(
    path: PathName,
    files: Iterable[PathName],
    *,
    workers: int = 1,
    strict: bool = False,
    retarget: bool = False,
    progress: Progress = silent,
    on_wait: Callable[[], None] | None = None,
    on_left: Callable[[str], None] | None = None,
    **reading: Any,
) -> AddReport:
    """Add files to a library; interrupted at any moment, the same call goes on where it stopped.

    A file that is in the library already is read again when its bytes have changed, or when it is
    to be read with other options than before. A clip is called after its file; where that name is
    taken, after its folder too.

    Parameters
    ----------
    path : path-like
        The library.
    files : iterable of path-like
        Motion files; none may lie in the library's folder.
    workers : int
        Processes that read files; the result does not depend on it.
    strict : bool
        Stop at the first file that cannot be added, instead of naming it in the report.
    retarget : bool
        Carry clips of other skeletons over to the library's, which must have clips of its own.
    progress : Progress
        Told how far the work is.
    on_wait : callable, optional
        Called once when another process is changing the library, and this one waits for it.
    on_left : callable, optional
        Called with a sentence when things are in the library that are not part of it, and stay.
    **reading
        `unit`, `up`, `skeleton` and `frame_time` as for `load_motion`.

    Returns
    -------
    AddReport
        What became of each file.

    Raises
    ------
    MotionloomError
        When there is no library, it cannot be changed, or a file lies in it; when `strict`, for the
        first bad file.
    """
    folder = Path(path)
    sources = [Path(file) for file in files]
    refuse_inside(folder, sources)
    options = _read_options(folder, **reading)
    with writing(folder, on_wait, on_left) as writer:
        plan = _Plan(writer, options)
        for file in sources:
            plan.consider(file)
        orders, unread, notes = _settle_performer(writer, plan.orders, strict)
        before = set(writer.clips)
        made, failed = ingest_all(writer, orders, workers, strict and not retarget, progress)
        if retarget:
            odd = {one.path for one in failed if one.hint == "retarget into library"}
            again = [
                replace(order, options=order.options.model_copy(update={"retarget": True}))
                for order in orders
                if order.path in odd
            ]
            more, still = ingest_all(writer, again, workers, strict, progress)
            made += more
            failed = [*(one for one in failed if one.path not in odd), *still]
    place = {order.path: i for i, order in enumerate(plan.orders)}
    failed = [*plan.failed, *unread, *failed]
    return AddReport(
        added=tuple(entry for entry in made if entry.name not in before),
        replaced=tuple(entry for entry in made if entry.name in before),
        moved=tuple(plan.moved),
        kept=tuple(plan.kept),
        failed=tuple(sorted(failed, key=lambda one: place.get(one.path, -1))),
        notes=notes,
    )


def _read_options(
    folder: Path,
    unit: float | str | None = None,
    up: str | None = None,
    skeleton: PathName | None = None,
    frame_time: float | None = None,
) -> SourceOptions:
    """Options as a library at `folder` keeps them."""
    asf = None if skeleton is None else path_from(folder, Path(skeleton))
    told = unit if unit is None or is_insisted(unit) else check_unit(unit)
    return SourceOptions(unit=told, up=up, skeleton=asf, frame_time=frame_time)


def remove_clips(
    path: PathName, patterns: Sequence[str], *, on_left: Callable[[str], None] | None = None
) -> tuple[str, ...]:
    """Remove clips from a library by name or pattern.

    Parameters
    ----------
    path : path-like
        The library.
    patterns : sequence of str
        Names, or patterns with ``*``, ``?`` and ``[...]``; each has to fit a clip.
    on_left : callable, optional
        Called with a sentence when things are in the library that are not part of it, and stay.

    Returns
    -------
    tuple of str
        Names of the clips that were removed, sorted.

    Raises
    ------
    InvalidInputError
        When a pattern fits no clip; then nothing is removed.
    MotionloomError
        When there is no library, or it cannot be read or changed.
    """
    from motionloom.library._library import Library

    folder = Path(path)
    with writing(folder, on_left=on_left) as writer:
        names = Library(folder, writer.manifest).select(patterns)
        for name in names:
            del writer.clips[name]
    return names


class _Plan:
    """Which files must be read, and what their clips are called."""

    def __init__(self, writer: Writer, options: SourceOptions) -> None:
        self.orders: list[Order] = []
        self.kept: list[ClipEntry] = []
        self.moved: list[ClipEntry] = []
        self.failed: list[Failure] = []
        self._writer = writer
        self._options = options
        self._by_source = {entry.source.path: entry for entry in writer.clips.values()}
        self._taken = set(writer.clips)
        self._seen: set[str] = set()

    def consider(self, file: Path) -> None:
        """Sort one file into one of the lists."""
        source = path_from(self._writer.folder, file)
        if source in self._seen:
            return
        self._seen.add(source)
        known = self._by_source.get(source)
        if known is not None and self._is_current(known):
            self.kept.append(known)
        elif known is not None:
            told = self._options if self._options != SourceOptions() else known.source.options
            self.orders.append(Order(known.name, file, told))
        elif (moved := self._moved_here(file, source)) is not None:
            self._writer.clips[moved.name] = moved
            self.moved.append(moved)
        else:
            self._order_new(file)

    def _is_current(self, entry: ClipEntry) -> bool:
        told = entry.source.options.model_copy(update={"retarget": False})
        wanted = self._options in (SourceOptions(), told)
        if not wanted or not (self._writer.folder / CLIPS / entry.folder).is_dir():
            return False
        try:
            return hash_source(self._writer.folder, entry.source) == entry.source.hash
        except FormatError:
            return False

    def _moved_here(self, file: Path, path: str) -> ClipEntry | None:
        """The clip of that name whose file is gone, if this is it: it need not be read again."""
        entry = self._writer.clips.get(name_of(file))
        folder = self._writer.folder
        if entry is None or path_of(folder, entry.source.path).exists():
            return None
        old = entry.source.skeleton
        beside = None if old is None else file.parent / path_of(folder, old).name
        try:
            if hash_files(file, beside) != entry.source.hash:
                return None
        except FormatError:
            return None
        skeleton = None if beside is None else path_from(folder, beside)
        source = entry.source.model_copy(update={"path": path, "skeleton": skeleton})
        return entry.model_copy(update={"source": source})

    def _order_new(self, file: Path) -> None:
        name = name_of(file)
        for parent in real_path(file).parents:
            if name not in self._taken:
                break
            name = f"{parent.name}-{name}"
        if name in self._taken:
            message = f"{file}: there is a clip {name!r} in this library already"
            self.failed.append(Failure(file, message))
        else:
            self._taken.add(name)
            self.orders.append(Order(name, file, self._options))


def _settle_performer(
    writer: Writer, orders: list[Order], strict: bool
) -> tuple[list[Order], Sequence[Failure], tuple[str, ...]]:
    """Give an empty library the skeleton that most of the files have, of those that can be read.

    What remains to be read, files that failed, and what to say.
    """
    if writer.clips:
        return orders, (), ()
    trees, failed = _read_trees(writer, orders)
    if strict and failed and not trees:
        raise InvalidInputError(failed[0].message)
    readable = [order for order in orders if order.path in trees]
    every = list(trees.values())
    most = max(dict.fromkeys(every), key=every.count, default=())
    for order in [order for order in readable if trees[order.path] == most]:
        try:
            performer = find_performer(order, writer.folder, writer.manifest)
        except MotionloomError as error:
            if strict:
                raise
            failed.append(Failure(order.path, str(error)))
            readable.remove(order)
            continue
        writer.manifest = writer.manifest.model_copy(update={"performer": performer})
        writer.flush()
        # When strict, the first bad file stops the adding in its turn.
        note = f"the library has the skeleton of {order.path} ({len(most)} joints),"
        note = f"{note} as {every.count(most)} of {len(every)} files do"
        notes = () if every.count(most) == len(every) else (note,)
        return (orders, (), notes) if strict else (readable, failed, notes)
    left = (
        Failure(order.path, f"{order.path}: its skeleton is not that of most files, which failed")
        for order in readable
    )
    return [], (*failed, *left), ()


def _read_trees(writer: Writer, orders: list[Order]) -> tuple[dict[Path, Tree], list[Failure]]:
    """Tree of joints of each file that has one."""
    trees: dict[Path, Tree] = {}
    failed: list[Failure] = []
    for order in orders:
        try:
            trees[order.path] = read_tree(order.path, **load_options(writer.folder, order.options))
        except MotionloomError as error:
            failed.append(Failure(order.path, str(error)))
    return trees, failed


def set_labels(path: PathName, rows: Iterable[Label]) -> tuple[str, ...]:
    """Give the clips of a library that rows name these labels instead of those they had.

    Parameters
    ----------
    path : path-like
        The library.
    rows : iterable of Label
        Such as `motionloom.clips.label_files.read_labels` reads them.

    Returns
    -------
    tuple of str
        Names of the clips with new labels, sorted.

    Raises
    ------
    InvalidInputError
        When no row is for a clip of the library.
    MotionloomError
        When there is no library, or it cannot be read or changed.
    """
    folder = Path(path)
    with writing(folder) as writer:
        found = _labels_of(writer.clips, rows)
        if not found:
            raise InvalidInputError(f"{folder}: none of the labels is for a clip of this library")
        labels = {**writer.manifest.labels, **found}
        writer.manifest = writer.manifest.model_copy(update={"labels": labels})
    return tuple(sorted(found))


def _labels_of(names: Iterable[str], rows: Iterable[Label]) -> dict[str, tuple[ClipLabel, ...]]:
    """Labels of each clip that has any, in their order; only patterns meet every name."""
    found: dict[str, list[ClipLabel]] = {name: [] for name in names}
    for row in rows:
        end = None if row.end == inf else row.end
        label = ClipLabel(label=row.label, begin=row.begin, end=end)
        own = [n for n in found if fnmatchcase(n, row.clips)] if row.is_pattern else [row.clips]
        for name in own:
            if name in found:
                found[name].append(label)
    return {name: tuple(own) for name, own in found.items() if own}


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
