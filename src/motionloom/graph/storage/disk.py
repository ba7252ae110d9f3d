"""A motion graph as a folder: what is computed is kept, what changes is computed anew, nothing
else.

``head.json`` holds the options and the calibration, which stay when clips come or go; ``rows/`` the
transitions, one file for each clip; ``graph.npz`` the graph that was last made of them all, ready
for a search. Every file is written under another name and renamed, so a build that is killed goes
on where it was.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.edit.mirror import SUFFIX
from motionloom.errors import FormatError, InvalidInputError
from motionloom.graph.storage._disk_head import (
    GRAPH,
    HEAD,
    LOCK,
    ROWS,
    Head,
    check_folder,
    is_graph,
    leftovers_of,
    load_graph,
    read_head,
    row_name,
    save_graph,
)
from motionloom.graph.storage._rows import (
    FrameTable,
    Row,
    RowJob,
    gather_edges,
    hash_clip,
    plan_rows,
    read_row,
    run_rows,
    write_row,
)
from motionloom.graph.transitions._threshold import Calibration
from motionloom.graph.transitions.build import MotionGraph, activate, fit_calibration
from motionloom.graph.transitions.options import GraphOptions
from motionloom.io.owned import lock_of, refuse_links, tell_left
from motionloom.progress import Progress, silent
from motionloom.reports import shown
from motionloom.typing import Array

__all__ = ["GRAPH", "HEAD", "BuildReport", "build_on_disk", "make_table", "open_on_disk"]
#: Clips that change so many times as much in a step as those of the calibration are worth a word:
#: the threshold is off by twice that much, squared, as much as between steps of 2 and of 3 frames.
_DRIFT = 1.5


@dataclass(frozen=True, eq=False)
class BuildReport:
    """What a build had to do.

    Parameters
    ----------
    graph : MotionGraph
        Of all clips that the folder now has.
    computed, kept, dropped : int
        Rows that were computed wholly or in part, that were there already, and of clips that are
        gone.
    notes : tuple of str
        What a user should know, one sentence each.
    """

    graph: MotionGraph
    computed: int = field(metadata=shown("rows of transitions computed"))
    kept: int = field(metadata=shown("kept"))
    dropped: int = field(metadata=shown("dropped"))
    notes: tuple[str, ...] = ()


def build_on_disk(
    clips: ClipSet,
    folder: str | PathLike[str],
    options: GraphOptions | None = None,
    *,
    cluster: str | None = None,
    anew: bool = False,
    progress: Progress = silent,
) -> BuildReport:
    """Build a graph in a folder, or bring the one that is there up to date.

    A second build in the same folder waits for the first.

    Parameters
    ----------
    clips : ClipSet
        Clips whose names are all different.
    folder : path-like
        Made when there is none.
    options : GraphOptions, optional
        Of a new graph. One that is there keeps its own, and must not be asked for others.
    cluster : str, optional
        Address of a Dask scheduler whose workers find the transitions.
    anew : bool
        Forget what is there, its calibration too.
    progress : Progress
        Told of the transitions that are computed and of the hierarchy.

    Returns
    -------
    BuildReport
        The same clips and calibration give the same bytes on disk, however often the build was
        stopped, in whatever order clips came and went, and wherever it ran.

    Raises
    ------
    InvalidInputError
        When clips share a name, or the graph that is there has other options.
    FormatError
        When a file of the folder is damaged or of another version.
    SynthesisError
        When no two frames of the clips can be joined.
    """
    folder = Path(folder)
    twice = sorted({n for n in clips.names if clips.names.count(n) > 1})
    if twice:
        raise InvalidInputError(
            f"{folder}: clips of a graph on disk need names of their own, {twice[0]!r} is there"
            " twice"
        )
    # What is in the way is told before anything is made.
    check_graph_folder(folder, anew)
    _make_rows(folder)
    with lock_of(folder / LOCK):
        check_graph_folder(folder, anew)
        _make_rows(folder)
        for left_over in leftovers_of(folder):
            left_over.unlink(missing_ok=True)
        return _build_locked(clips, folder, options, cluster, anew, progress)


def check_graph_folder(folder: Path, anew: bool = False) -> None:
    """Refuse a folder in which something of somebody else would have to go.

    Parameters
    ----------
    folder : Path
        Where a graph is to be built; it may be missing.
    anew : bool
        Whether the graph that is there is forgotten.

    Raises
    ------
    MotionloomError
        Naming what is in the way.
    """
    refuse_links((folder, *(folder / name for name in (HEAD, ROWS, GRAPH, LOCK))))
    _ = check_folder(folder) if anew else read_head(folder)
    if os.path.lexists(folder / GRAPH) and not is_graph(folder / GRAPH):
        raise FormatError(
            "this is not a motion graph, or a damaged one; move it elsewhere, or delete it",
            folder / GRAPH,
        )


def _make_rows(folder: Path) -> None:
    try:
        (folder / ROWS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInputError(
            f"{folder}: cannot be made ({error.strerror or error}); choose another place"
        ) from None


def _build_locked(
    clips: ClipSet,
    folder: Path,
    options: GraphOptions | None,
    cluster: str | None,
    anew: bool,
    progress: Progress,
) -> BuildReport:
    wanted = {_row_file(folder, name) for name in clips.names}
    refuse_links(wanted)
    head = None if anew else read_head(folder)
    if head is None:
        options = options or GraphOptions()
        head = Head.of(clips, options, fit_calibration(clips, options))
        # Rows of these clips too that another version wrote.
        for stale in [*_own_rows(folder), *wanted, folder / GRAPH]:
            stale.unlink(missing_ok=True)
        head.write(folder)
    head.check(clips, options, folder)
    calibration = head.to_calibration()
    table = make_table(clips, calibration, head.options)
    notes = _drift(calibration, clips, table.features)
    computed = _complete(table, folder, cluster, progress)
    gone = [path for path in _own_rows(folder, wanted) if path not in wanted]
    for path in gone:
        path.unlink()
    left = tell_left(set((folder / ROWS).iterdir()) - wanted, "this graph")
    notes += (left,) if left else ()
    graph = None if computed or gone else _kept(clips, folder, head)
    if graph is None:
        graph = _activate(clips, folder, head, progress)
        save_graph(graph, folder / GRAPH)
    return BuildReport(graph, computed, clips.n_clips - computed, len(gone), notes)


def open_on_disk(
    clips: ClipSet, folder: str | PathLike[str], *, progress: Progress = silent
) -> MotionGraph:
    """Graph of some or all of the clips that a folder has.

    Transitions are read, not computed again; what depends on the choice of clips is.

    Parameters
    ----------
    clips : ClipSet
        Clips that are in the graph on disk, with the content that they had.
    folder : path-like
        Written by `build_on_disk`; nothing in it is changed.
    progress : Progress
        Told of bridges and of the hierarchy where a graph has to be made.

    Returns
    -------
    MotionGraph
        With the options and the calibration of the folder.

    Raises
    ------
    FormatError
        When there is no graph in the folder, or clips are not in it or have changed.
    """
    folder = Path(folder)
    head = read_head(folder)
    if head is None:
        raise FormatError(
            "there is no motion graph here; build one first", folder, hint="build graph"
        )
    head.check(clips, None, folder)
    whole = set((folder / ROWS).glob("*.npz")) == {_row_file(folder, name) for name in clips.names}
    if whole and (graph := _kept(clips, folder, head)) is not None:
        return graph
    return _activate(clips, folder, head, progress)


def _activate(clips: ClipSet, folder: Path, head: Head, progress: Progress) -> MotionGraph:
    """The graph of all rows, each of which must be there and of the clips as they are."""
    hashes = {name: hash_clip(clips, c) for c, name in enumerate(clips.names)}
    frames = dict(zip(clips.names, np.diff(clips.starts).tolist(), strict=True))
    options = head.options
    rows = []
    for own, others in plan_rows(clips.names):
        name = clips.names[own]
        row = _read_row(folder, name, frames, options.min_piece, options.min_jump)
        if row is None:
            said = f"clip {name!r} is not in this graph; build it again"
            if name.endswith(SUFFIX):
                raise FormatError(
                    f"{said} with mirrored copies", folder, hint="build graph mirrored"
                )
            raise FormatError(said, folder, hint="build graph")
        known = {clips.names[p]: hashes[clips.names[p]] for p in others}
        if row.hash != hashes[name] or row.lacking(known):
            raise FormatError(
                f"clip {name!r} or one before it has changed since this graph was built; build it"
                " again",
                folder,
                hint="build graph",
            )
        rows.append(row)
    return activate(clips, head.to_calibration(), options, gather_edges(clips, rows), progress)


def _drift(calibration: Calibration, clips: ClipSet, features: Array) -> tuple[str, ...]:
    """What to say when the clips no longer move like those that the graph was calibrated on."""
    ratio = calibration.drift(clips, features)
    if 1 / _DRIFT < ratio < _DRIFT:
        return ()
    much = f"{ratio:.1f} times as much" if ratio > 1 else f"only {ratio:.2f} times as much"
    return (
        (
            f"in {calibration.step} frames these clips change {much} as those that the graph was"
            " calibrated on; build it anew to calibrate it on these"
        ),
    )


def make_table(clips: ClipSet, calibration: Calibration, options: GraphOptions) -> FrameTable:
    """What the transitions of the clips follow from.

    Parameters
    ----------
    clips : ClipSet
        N frames in all.
    calibration : Calibration
        Scales the features and gives the thresholds.
    options : GraphOptions
        Its shortest piece and shortest jump count.

    Returns
    -------
    FrameTable
        Features (N, D) and square roots of the thresholds (N,).
    """
    features = calibration.features(clips)
    return FrameTable(
        clips.names,
        tuple(hash_clip(clips, c) for c in range(clips.n_clips)),
        np.array(clips.starts),
        features,
        calibration.limits(clips, features),
        options.min_piece,
        options.min_jump,
    )


def _row_file(folder: Path, name: str) -> Path:
    return folder / ROWS / row_name(name)


def _own_rows(folder: Path, known: Collection[Path] = ()) -> list[Path]:
    """Rows that are called after the clip that they say they are of; `known` ones need not be
    looked into.
    """
    return [p for p in sorted((folder / ROWS).iterdir()) if p in known or _is_row(p)]


def _is_row(path: Path) -> bool:
    if path.is_symlink() or not path.is_file() or path.suffix != ".npz":
        return False
    try:
        row = read_row(path)
    except FormatError:
        return False
    return row is not None and row_name(row.clip) == path.name


def _complete(table: FrameTable, folder: Path, cluster: str | None, progress: Progress) -> int:
    """Compute what the rows on disk lack and write each as soon as it is known; returns how many
    lacked something.
    """
    jobs: dict[str, RowJob] = {}
    index = {name: c for c, name in enumerate(table.names)}
    wanted = {}
    for own, others in plan_rows(table.names):
        name = table.names[own]
        wanted[name] = {table.names[p]: table.hashes[p] for p in others}
        row = _read_row(folder, name)
        known = row is not None and row.hash == table.hashes[own]
        lacking = row.lacking(wanted[name]) if row is not None and known else wanted[name]
        if lacking:
            jobs[name] = own, [index[n] for n in lacking]
        elif row is not None and len(row.partners) > len(wanted[name]):
            write_row(row.merged(None, wanted[name]), _row_file(folder, name))
    work = {name: _work(table, job) for name, job in jobs.items()}
    done = 0
    total = sum(work.values())
    for row in run_rows(table, list(jobs.values()), cluster):
        path = _row_file(folder, row.clip)
        write_row(row.merged(read_row(path), wanted[row.clip]), path)
        done += work[row.clip]
        progress("finding transitions", done, total)
    return len(jobs)


def _work(table: FrameTable, job: RowJob) -> int:
    """Pairs of frames that a row looks at."""
    lengths = np.diff(table.starts)
    own, others = job
    return int(lengths[own] * lengths[list(others)].sum())


def _read_row(
    folder: Path,
    name: str,
    frames: Mapping[str, int] | None = None,
    min_piece: int = 0,
    min_jump: int = 0,
) -> Row | None:
    """The row of a clip, checked as `read_row` says; None when there is none."""
    file = _row_file(folder, name)
    row = read_row(file, frames, min_piece, min_jump)
    if row is not None and row.clip != name:
        raise FormatError(
            f"this is the part of another clip than {name!r}; delete it and build again", file
        )
    return row


def _kept(clips: ClipSet, folder: Path, head: Head) -> MotionGraph | None:
    """The graph that was last made; None where it is of other clips, half a build old or damaged:
    the rows tell.
    """
    if not (folder / GRAPH).exists():
        return None
    try:
        graph = load_graph(folder / GRAPH, clips)
    except FormatError:
        return None
    return graph if graph.options == head.options else None
