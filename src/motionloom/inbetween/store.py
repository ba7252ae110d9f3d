"""Models that fill gaps, on disk.

Landmarks are gaps in the captures. The file holds the captured poses that they are made from, once
for all lengths, and the coefficients, rounded as `motionloom.inbetween._kernel` does it
where the options say so. A model is learned from exactly these poses and predicts with exactly
these coefficients, before its file is written and after it is read.

Learning that can be stopped: what is learned is kept beside the model until all is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Annotated

import numpy as np

from motionloom.analysis.soles import Soles
from motionloom.clips.clip_set import ClipSet
from motionloom.clusters import run_on_cluster
from motionloom.declared import NORMALIZED, Count, Range, Shape
from motionloom.inbetween import fit as fitting
from motionloom.inbetween._curves import Mirroring
from motionloom.inbetween._features import ONE, Poses, describe_layout
from motionloom.inbetween.model import MOST_LANDMARKS, Band, BandCore, InbetweenModel, half_columns
from motionloom.inbetween.rig import Rig
from motionloom.io.kept import KeptFolder
from motionloom.io.records import FileKind, load, save
from motionloom.io.stored import Fault
from motionloom.progress import Progress, silent
from motionloom.roles import check_roles
from motionloom.typing import Array

#: Folder beside a model that keeps its parts while it is learned.
SUFFIX = ".parts"


def fit_kept(
    clips: ClipSet,
    options: fitting.InbetweenOptions,
    kept: KeptFolder | None,
    *,
    cluster: str | None = None,
    progress: Progress = silent,
) -> InbetweenModel:
    """Learn to fill gaps, or go on where an earlier run on the same clips was stopped.

    Parameters
    ----------
    clips : ClipSet
        Clips of one skeleton.
    options : InbetweenOptions
        Lengths, and how much is kept.
    kept : KeptFolder or None
        Where what is learned stays; nowhere when None.
    cluster : str, optional
        Address of a Dask scheduler whose workers do the learning.
    progress : Progress
        Told of every clip and length.

    Returns
    -------
    InbetweenModel
        The same whether it was learned now or before.

    Raises
    ------
    InvalidInputError
        When no clip is long enough, or the cluster cannot be used.
    """
    captures = fitting.gather_captures(clips, options, progress)
    run = None if cluster is None else partial(_run_on, cluster)
    if kept is None:
        return fitting.fit_inbetween(captures, None, progress, run=run)
    key = f"inbetween-{_key_of(captures)[:32]}"
    known = {}
    for missing in options.lengths:
        band = load_band(kept, f"{key}-{missing}", missing, captures)
        if band is not None:
            known[missing] = band

    def keep(band: Band) -> None:
        save_band(band, kept, f"{key}-{band.missing}")

    return fitting.fit_inbetween(captures, None, progress, known=known, keep=keep, run=run)


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


def _run_on(cluster: str, captures: fitting.Captures, lengths: Sequence[int]) -> Iterator[Band]:
    if not lengths:
        return iter(())
    lost = "what was finished is kept, so start them and fit again"
    return run_on_cluster(fitting.fit_band, captures, lengths, cluster, lost)


def _key_of(captures: fitting.Captures) -> str:
    """What tells captures and options from others."""
    known = asdict(captures.options)
    known.pop("lengths")
    digest = sha256(json.dumps([known, captures.fps], sort_keys=True).encode())
    for own in captures.poses:
        digest.update(np.ascontiguousarray(own.rotations).tobytes())
        digest.update(np.ascontiguousarray(own.roots).tobytes())
    return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class _InbetweenRecord:
    """The fields of a model that others do not follow from."""

    rig: Rig
    reference: Annotated[Array, Shape("J", 4), NORMALIZED]
    fps: Annotated[float, Range(1e-3, 10_000, "1/s")]
    soles: Soles | None
    mirroring: Mirroring | None
    bands: tuple[BandCore, ...]
    poses: Poses
    learned: Count


def save_inbetween(model: InbetweenModel, path: str | PathLike[str]) -> None:
    """Write a model to an ``.npz`` file.

    Parameters
    ----------
    model : InbetweenModel
        What is kept.
    path : path-like
        The ``.npz`` file; it is replaced as a whole.
    """
    save(path, model, INBETWEEN_MODEL)


def load_inbetween(path: str | PathLike[str]) -> InbetweenModel:
    """Read a model that fills gaps.

    Raises
    ------
    FormatError
        When there is no such file, it is no such model of this version, or it holds what no model
        can hold.
    """
    record = load(path, INBETWEEN_MODEL)
    bands = tuple(_with_landmarks(band, record) for band in record.bands)
    return InbetweenModel(**(vars(record) | {"bands": bands}))


def save_band(band: Band, kept: KeptFolder, key: str) -> None:
    """Keep one length of a model that is being learned.

    Parameters
    ----------
    band : Band
        What was learned.
    kept : KeptFolder
        Where.
    key : str
        Stands for the captures, the options and the length.
    """
    kept.save(key, band, Band)


def load_band(kept: KeptFolder, key: str, missing: int, captures: fitting.Captures) -> Band | None:
    """One length of a model that was kept.

    Parameters
    ----------
    kept : KeptFolder
        Where.
    key : str
        As it was kept with.
    missing : int
        Missing frames of its gaps.
    captures : Captures
        What it was learned from.

    Returns
    -------
    Band or None
        None where there is none, or its file is damaged.
    """

    def check(band: Band) -> None:
        if band.missing != missing:
            raise Fault("it is of gaps of another length")
        _check_band(band, captures.rig, captures.soles)

    return kept.load(key, Band, check)


def _with_landmarks(band: BandCore, record: _InbetweenRecord) -> Band:
    features = record.poses.describe(record.rig, record.reference, band.last, band.missing)
    return Band(**vars(band), landmarks=band.scale.apply(features.astype(float)))


def _check(record: _InbetweenRecord) -> None:
    rig = record.rig
    check_roles(rig.roles, rig.skeleton)
    lengths = [band.missing for band in record.bands]
    if not lengths or lengths != sorted({*lengths}):
        raise Fault("its lengths are not in order")
    _check_poses(record.poses)
    if sum(len(band.last) for band in record.bands) > MOST_LANDMARKS:
        raise Fault("it has more landmarks than a model can have")
    for band in record.bands:
        _check_band(band, rig, record.soles)
        if not record.poses.holds(band.last, band.missing):
            raise Fault("its landmarks are not among its poses")
    if record.mirroring is not None:
        _check_mirroring(record.mirroring, record.bands[0])


def _check_band(band: BandCore, rig: Rig, soles: Soles | None) -> None:
    columns = half_columns(rig, soles)
    wanted = {name: (len(band.last), len(own)) for name, own in columns.items()}
    found = {name: own.shape for name, own in band.coefficients.items()}
    if found != wanted or band.lengths.keys() != columns.keys():
        raise Fault("its halves are not those of its skeleton")
    n_features = sum(block.size for block in describe_layout(rig))
    n_values = sum(map(len, columns.values()))
    if (len(band.scale.mean), len(band.offset)) != (n_features, n_values):
        raise Fault("its features or values are not those of its skeleton")
    if len(np.unique(band.last)) != len(band.last):
        raise Fault("it has landmarks twice")


def _check_mirroring(mirroring: Mirroring, band: BandCore) -> None:
    wanted = (len(band.scale.mean), len(band.offset))
    for part, count in zip((mirroring.features, mirroring.values), wanted, strict=True):
        order = part.order
        if len(order) != count or not np.array_equal(order[order], np.arange(count)):
            raise Fault("its mirroring does not undo itself")


def _check_poses(poses: Poses) -> None:
    if len(poses.frames) == 0 or (np.diff(poses.frames.astype(np.int64)) <= 0).any():
        raise Fault("its frames are not in order")
    longer = np.linalg.norm(poses.rotations.astype(float), axis=-1)
    if not (np.abs(longer / ONE - 1.0) < 1e-3).all():
        raise Fault("its rotations are not of length 1")


INBETWEEN_MODEL = FileKind(
    record=_InbetweenRecord,
    name="model that fills gaps",
    version=5,
    again="make one with 'motionloom inbetween fit CLIPS'",
    check=_check,
)
