"""Learning that can be stopped: what is learned is kept beside the model until all is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.clusters import run_on_cluster
from motionloom.inbetween.fit import (
    BandJob,
    Captures,
    InbetweenOptions,
    fit_band,
    fit_inbetween,
    gather_captures,
)
from motionloom.inbetween.model import Band, InbetweenModel
from motionloom.inbetween.store import load_band, save_band
from motionloom.io.kept import KeptFolder
from motionloom.progress import Progress, silent

#: Folder beside a model that keeps its parts while it is learned.
SUFFIX = ".parts"


def fit_and_keep(
    clips: ClipSet,
    options: InbetweenOptions,
    output: Path,
    *,
    cluster: str | None = None,
    progress: Progress = silent,
    tell: Callable[[str], None] = lambda line: None,
) -> InbetweenModel:
    """Learn to fill gaps, or go on where an earlier run was stopped.

    Parameters
    ----------
    clips : ClipSet
        Clips of one skeleton.
    options : InbetweenOptions
        Lengths, and how much is kept.
    output : Path
        The file that the model will be in; parts are kept in a folder beside it until they are
        dropped; see `drop_parts`.
    cluster : str, optional
        Address of a Dask scheduler whose workers do the learning.
    progress : Progress
        Told of every clip and length.
    tell : callable
        Takes a line for every part that is damaged, or that cannot be kept.

    Returns
    -------
    InbetweenModel

    Raises
    ------
    InvalidInputError
        When no clip is long enough, or the cluster cannot be used.
    """
    captures = gather_captures(clips, options, progress)
    return _fit_with(captures, options, parts_of(output, tell), progress, cluster)


def parts_of(output: Path, tell: Callable[[str], None] = lambda line: None) -> KeptFolder:
    """Where the parts of a model are kept while it is learned.

    Parameters
    ----------
    output : Path
        The file that the model will be in.
    tell : callable
        Takes a line for every part that is damaged, or that cannot be kept.

    Returns
    -------
    KeptFolder
        Without a limit: no part may go before the last one is there.
    """
    return KeptFolder(output.with_name(output.name + SUFFIX), None, tell)


def fit_once(
    clips: ClipSet, options: InbetweenOptions, kept: KeptFolder, progress: Progress = silent
) -> InbetweenModel:
    """Learn to fill gaps, or take what was learned from the same clips in the same way before.

    Parameters
    ----------
    clips : ClipSet
        Clips of one skeleton.
    options : InbetweenOptions
        Lengths, and how much is kept.
    kept : KeptFolder
        Where what is learned stays.
    progress : Progress
        Told of every clip and length.

    Returns
    -------
    InbetweenModel
        The same whether it was learned now or before.

    Raises
    ------
    InvalidInputError
        When no clip is long enough.
    """
    return _fit_with(gather_captures(clips, options, progress), options, kept, progress)


def _fit_with(
    captures: Captures,
    options: InbetweenOptions,
    kept: KeptFolder,
    progress: Progress,
    cluster: str | None = None,
) -> InbetweenModel:
    """Learn what is not kept yet, and keep it."""
    key = _key_of(captures, options)
    found = {
        missing: load_band(kept, _key_of_band(key, missing), missing, captures)
        for missing in options.lengths
    }
    return fit_inbetween(
        captures,
        options,
        progress,
        known={missing: band for missing, band in found.items() if band is not None},
        keep=lambda band: save_band(band, kept, _key_of_band(key, band.missing)),
        run=None if cluster is None else partial(_run_on, cluster),
    )


def drop_parts(output: Path, tell: Callable[[str], None] = lambda line: None) -> None:
    """Remove the parts of a model, once its own file is written.

    Parameters
    ----------
    output : Path
        Its file.
    tell : callable
        Takes a line for what cannot be removed.
    """
    parts_of(output, tell).clear()


def _run_on(cluster: str, captures: Captures, jobs: Sequence[BandJob]) -> Iterator[Band]:
    if not jobs:
        return iter(())
    lost = "what was finished is kept, so start them and fit again"
    return run_on_cluster(fit_band, captures, jobs, cluster, lost)


def _key_of_band(key: str, missing: int) -> str:
    return f"inbetween-{key[:32]}-{missing}"


def _key_of(captures: Captures, options: InbetweenOptions) -> str:
    """What tells captures and options from others."""
    known = asdict(options)
    known.pop("lengths")
    digest = sha256(json.dumps([known, captures.fps], sort_keys=True).encode())
    for own in captures.poses:
        digest.update(np.ascontiguousarray(own.rotations).tobytes())
        digest.update(np.ascontiguousarray(own.roots).tobytes())
    return digest.hexdigest()
