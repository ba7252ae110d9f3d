"""A motion graph as a folder: what is computed is kept, what changes is computed anew, nothing else.

``head.json`` holds the options and the calibration, which stay when clips come or go; ``rows/`` the splices, one file
for each clip; ``graph.npz`` the graph that was last made of them all, ready for a search. Every file is written under
another name and renamed, so a build that is killed goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from motionloom.errors import FormatError, InvalidInputError
from motionloom.graph.build import GraphOptions, MotionGraph, activate, fit_calibration
from motionloom.graph.clips import ClipSet
from motionloom.graph.cluster import run_rows
from motionloom.graph.cost import FeatureScale
from motionloom.graph.rows import FrameTable, Row, RowJob, gather_edges, hash_clip, plan_rows, read_row, write_row
from motionloom.graph.store import load_graph, save_graph
from motionloom.graph.threshold import Calibration
from motionloom.io.files import write_file
from motionloom.progress import Progress, silent

#: Raised whenever the content of the folder or its meaning changes.
VERSION = 1
HEAD, ROWS, GRAPH, LOCK = "head.json", "rows", "graph.npz", ".lock"


@dataclass(frozen=True, eq=False)
class BuildReport:
    """What a build had to do.

    Parameters
    ----------
    graph : MotionGraph
    computed, kept, dropped : int
        Rows that were computed wholly or in part, that were there already, and of clips that are gone.
    """

    graph: MotionGraph
    computed: int
    kept: int
    dropped: int

    def to_text(self) -> str:
        """One line for the command line."""
        return f"{self.computed} rows of splices computed, {self.kept} kept, {self.dropped} dropped"


def build_on_disk(
    clips: ClipSet,
    folder: str | PathLike[str],
    options: GraphOptions | None = None,
    *,
    cluster: str | None = None,
    anew: bool = False,
    progress: Progress = silent,
) -> BuildReport:
    """Build a graph in a folder, or bring the one that is there up to date; a second build there waits for the first.

    Parameters
    ----------
    clips : ClipSet
        Clips whose names are all different.
    folder : path-like
        Made when there is none.
    options : GraphOptions, optional
        Of a new graph. One that is there keeps its own, and must not be asked for others.
    cluster : str, optional
        Address of a Dask scheduler whose workers find the splices.
    anew : bool
        Forget what is there, its calibration too.
    progress : Progress

    Returns
    -------
    BuildReport
        The same clips and calibration give the same bytes on disk, however often the build was stopped, in whatever
        order clips came and went, and wherever it ran.

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
            f"{folder}: clips of a graph on disk need names of their own, {twice[0]!r} is there twice"
        )
    if not anew:
        _read_head(folder)  # what is in the way is told before anything is made
    (folder / ROWS).mkdir(parents=True, exist_ok=True)
    with FileLock(folder / LOCK):
        for left_over in folder.rglob(".*.part"):  # by a build that was killed while it wrote
            left_over.unlink()
        return _build_locked(clips, folder, options, cluster, anew, progress)


def _build_locked(
    clips: ClipSet, folder: Path, options: GraphOptions | None, cluster: str | None, anew: bool, progress: Progress
) -> BuildReport:
    head = None if anew else _read_head(folder)
    if head is None:
        head = _Head(options or GraphOptions(), fit_calibration(clips, options or GraphOptions()), clips.fps)
        for stale in [*(folder / ROWS).glob("*.npz"), folder / GRAPH]:
            stale.unlink(missing_ok=True)
        head.write(folder)
    _check_head(head, clips, options, folder)
    table = make_table(clips, head.calibration, head.options)
    rows, computed = _complete(table, folder, cluster, progress)
    gone = {p.name for p in (folder / ROWS).glob("*.npz")} - {_row_file(folder, name).name for name in clips.names}
    for name in gone:
        (folder / ROWS / name).unlink()
    graph = _activated(clips, folder, head, rows, bool(computed or gone), progress)
    return BuildReport(graph, computed, len(rows) - computed, len(gone))


def open_on_disk(clips: ClipSet, folder: str | PathLike[str], *, progress: Progress = silent) -> MotionGraph:
    """Graph of some or all of the clips that a folder has; nothing is computed again but what depends on the choice.

    Parameters
    ----------
    clips : ClipSet
        Clips that are in the graph on disk, with the content that they had.
    folder : path-like
    progress : Progress

    Raises
    ------
    FormatError
        When there is no graph in the folder, or clips are not in it or have changed.
    """
    folder = Path(folder)
    head = _read_head(folder)
    if head is None:
        raise FormatError("there is no motion graph here; build one with 'motionloom graph build'", folder)
    _check_head(head, clips, None, folder)
    whole = len(list((folder / ROWS).glob("*.npz"))) == clips.n_clips
    if whole and (folder / GRAPH).exists():
        try:
            return load_graph(folder / GRAPH, clips)
        except FormatError:
            pass  # made of other clips, or half a build ago; the rows tell
    hashes = {name: hash_clip(clips, c) for c, name in enumerate(clips.names)}
    rows: dict[str, Row] = {}
    for job in plan_rows(clips.names):
        name = clips.names[job.row]
        row = read_row(_row_file(folder, name))
        wanted = {clips.names[p]: hashes[clips.names[p]] for p in job.partners}
        if row is None or row.hash != hashes[name] or row.lacking(wanted):
            raise FormatError(
                f"clip {name!r} is new or has changed since this graph was built; run 'motionloom graph build' again",
                folder,
            )
        rows[name] = row
    return activate(clips, head.calibration, head.options, gather_edges(clips, rows), progress)


def choose_clips(names: Sequence[str], only: Sequence[str] = (), without: Sequence[str] = ()) -> tuple[str, ...]:
    """Clips that match a pattern of `only` (all when empty) and none of `without`, in their order.

    Raises
    ------
    InvalidInputError
        When a pattern matches no clip, or none is left.
    """
    for pattern in (*only, *without) if names else ():
        if not any(fnmatchcase(name, pattern) for name in names):
            raise InvalidInputError(f"no clip matches {pattern!r}; clips there are: {', '.join(names[:5])} ...")
    kept = [n for n in names if not only or any(fnmatchcase(n, p) for p in only)]
    kept = [n for n in kept if not any(fnmatchcase(n, p) for p in without)]
    if names and not kept:
        raise InvalidInputError("no clip is left; leave out fewer")
    return tuple(kept)


def make_table(clips: ClipSet, calibration: Calibration, options: GraphOptions) -> FrameTable:
    """What the splices of the clips follow from."""
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


@dataclass(frozen=True, eq=False)
class _Head:
    options: GraphOptions
    calibration: Calibration
    fps: float

    def write(self, folder: Path) -> None:
        own = self.calibration
        data = {
            "motionloom_graph_folder": VERSION,
            "fps": self.fps,
            "options": asdict(self.options),
            "calibration": {
                "pose": own.scale.pose.tolist(),
                "change": own.scale.change.tolist(),
                "step": own.step,
                "relative": own.relative,
                "pooled": own.pooled,
                "factor": own.factor,
            },
        }
        write_file(folder / HEAD, json.dumps(data, indent=1) + "\n")


def _read_head(folder: Path) -> _Head | None:
    path = folder / HEAD
    if not path.exists():
        if folder.is_dir() and any(folder.iterdir()):
            known = {HEAD, ROWS, GRAPH}
            odd = sorted(p.name for p in folder.iterdir() if p.name not in known and not p.name.startswith("."))
            if odd:
                raise FormatError(f"this folder holds other files, such as {odd[0]}; choose an empty one", folder)
        return None
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        version = data["motionloom_graph_folder"]
        if version != VERSION:
            raise FormatError(f"this graph has version {version}, expected {VERSION}; build it anew (--force)", path)
        own = data["calibration"]
        options: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data["options"].items()}
        scale = FeatureScale(np.array(own["pose"]), np.array(own["change"]))
        calibration = Calibration(scale, own["step"], own["relative"], own["pooled"], own["factor"])
        return _Head(GraphOptions(**options), calibration, data["fps"])
    except (KeyError, TypeError, ValueError, UnicodeDecodeError) as error:
        raise FormatError(f"this is not the head of a motion graph ({error}); build it anew (--force)", path) from None


def _check_head(head: _Head, clips: ClipSet, options: GraphOptions | None, folder: Path) -> None:
    if abs(head.fps / clips.fps - 1) > 1e-4:
        raise FormatError(
            f"this graph is at {head.fps:g} frames per second and the clips at {clips.fps:g}; build it anew (--force)",
            folder,
        )
    if len(head.calibration.scale.pose) != clips.skeleton.n_joints + 2:
        raise FormatError("this graph is of another skeleton; build it anew (--force) or in another folder", folder)
    if options is not None and options != head.options:
        mine, theirs = asdict(options), asdict(head.options)
        name = next(n for n in mine if mine[n] != theirs[n])
        raise FormatError(
            f"this graph was built with {name} = {theirs[name]}, not {mine[name]}; build it anew (--force) "
            "or in another folder",
            folder,
        )


def _row_file(folder: Path, name: str) -> Path:
    """File of a clip's row; names of clips may hold what names of files must not."""
    return folder / ROWS / f"{sha256(name.encode()).hexdigest()[:24]}.npz"


def _complete(table: FrameTable, folder: Path, cluster: str | None, progress: Progress) -> tuple[dict[str, Row], int]:
    """Read the rows that are there, compute what they lack, and write it; each row as soon as it is known."""
    rows: dict[str, Row] = {}
    jobs: list[RowJob] = []
    for job in plan_rows(table.names):
        name = table.names[job.row]
        wanted = {table.names[p]: table.hashes[p] for p in job.partners}
        index = {table.names[p]: p for p in job.partners}
        found = read_row(_row_file(folder, name))
        if found is None or found.hash != table.hashes[job.row]:
            found = Row(name, table.hashes[job.row], {})
        rows[name] = found.only(wanted)
        lacking = found.lacking(wanted)
        if lacking:
            jobs.append(RowJob(job.row, tuple(index[n] for n in lacking)))
        elif len(rows[name].partners) < len(found.partners):
            write_row(rows[name], _row_file(folder, name))
    for k, row in enumerate(run_rows(table, jobs, cluster)):
        progress("finding splices", k, len(jobs))
        rows[row.clip] = rows[row.clip].merged(row)
        write_row(rows[row.clip], _row_file(folder, row.clip))
    progress("finding splices", len(jobs), len(jobs))
    return rows, len(jobs)


def _activated(
    clips: ClipSet, folder: Path, head: _Head, rows: dict[str, Row], changed: bool, progress: Progress
) -> MotionGraph:
    """The graph of all rows, read where it is there and still true, else made and written."""
    if not changed and (folder / GRAPH).exists():
        try:
            return load_graph(folder / GRAPH, clips)
        except FormatError:
            pass  # of clips in another order
    graph = activate(clips, head.calibration, head.options, gather_edges(clips, rows), progress)
    save_graph(graph, folder / GRAPH)
    return graph
