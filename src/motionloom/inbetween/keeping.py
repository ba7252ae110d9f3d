"""Learning that can be stopped: what is learned is kept beside the model until all is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.clusters import run_on_cluster
from motionloom.errors import FormatError
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
from motionloom.progress import Progress, silent

#: Folder beside a model that keeps its parts while it is learned.
SUFFIX = ".parts"
#: What begins the name of a folder of `fit_once`, and how many of them there are.
PREFIX, MOST_KEPT = "inbetween-", 3


def fit_and_keep(
    clips: ClipSet,
    options: InbetweenOptions,
    output: Path,
    *,
    cluster: str | None = None,
    progress: Progress = silent,
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

    Returns
    -------
    InbetweenModel

    Raises
    ------
    InvalidInputError
        When no clip is long enough, or the cluster cannot be used.
    """
    captures = gather_captures(clips, options, progress)
    folder = output.with_name(output.name + SUFFIX)
    return _fit_with(captures, options, folder, _key_of(captures, options), progress, cluster)


def fit_once(
    clips: ClipSet, options: InbetweenOptions, folder: Path, progress: Progress = silent
) -> InbetweenModel:
    """Learn to fill gaps, or take what was learned from the same clips in the same way before.

    Parameters
    ----------
    clips : ClipSet
        Clips of one skeleton.
    options : InbetweenOptions
        Lengths, and how much is kept.
    folder : Path
        Where what is learned stays, in a folder for each set of clips; of the `MOST_KEPT` sets
        that were used last.
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
    captures = gather_captures(clips, options, progress)
    key = _key_of(captures, options)
    own = folder / f"{PREFIX}{key[:24]}"
    model = _fit_with(captures, options, own, key, progress)
    _drop_old(folder, own)
    return model


def _drop_old(folder: Path, own: Path) -> None:
    """Remove what was learned from clips that have not been used for long."""
    with suppress(OSError):
        own.touch()
        kept = sorted(folder.glob(f"{PREFIX}*"), key=lambda one: one.stat().st_mtime)
        for old in kept[:-MOST_KEPT]:
            for part in old.glob("*.npz"):
                part.unlink()
            old.rmdir()


def _fit_with(
    captures: Captures,
    options: InbetweenOptions,
    folder: Path,
    key: str,
    progress: Progress,
    cluster: str | None = None,
) -> InbetweenModel:
    """Learn what a folder does not have yet, and keep it there."""
    known = dict(_read_parts(folder, key, captures))

    def keep(band: Band) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        save_band(band, folder / f"{band.missing}.npz", key)

    return fit_inbetween(
        captures,
        options,
        progress,
        known=known,
        keep=keep,
        run=None if cluster is None else partial(_run_on, cluster),
    )


def drop_parts(model: InbetweenModel, output: Path) -> None:
    """Remove what was kept of a model, once its own file is written.

    Parameters
    ----------
    model : InbetweenModel
        As it was learned.
    output : Path
        Its file.
    """
    folder = output.with_name(output.name + SUFFIX)
    for band in model.bands:
        (folder / f"{band.missing}.npz").unlink(missing_ok=True)
    with suppress(OSError):  # something that is not ours is in it, or it was never made
        folder.rmdir()


def _run_on(cluster: str, captures: Captures, jobs: Sequence[BandJob]) -> Iterator[Band]:
    if not jobs:
        return iter(())
    lost = "what was finished is kept, so start them and fit again"
    return run_on_cluster(fit_band, captures, jobs, cluster, lost)


def _read_parts(folder: Path, key: str, captures: Captures) -> Iterator[tuple[int, Band]]:
    """What an earlier run has learned from the same captures in the same way."""
    for path in sorted(folder.glob("*.npz")):
        try:
            band = load_band(path, key, captures.rig, captures.soles)
        except FormatError:  # of other captures, or cut short: it is learned again
            continue
        yield band.missing, band


def _key_of(captures: Captures, options: InbetweenOptions) -> str:
    """What tells captures and options from others."""
    known = asdict(options)
    known.pop("lengths")
    digest = sha256(json.dumps([known, captures.fps], sort_keys=True).encode())
    for track in captures.tracks:
        digest.update(np.ascontiguousarray(track.rotations).tobytes())
        digest.update(np.ascontiguousarray(track.roots).tobytes())
    return digest.hexdigest()
