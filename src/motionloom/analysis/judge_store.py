"""What was learned of naturalness, kept with its pose space."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Annotated

import numpy as np

from motionloom.analysis.judge import Judge, PoseScores
from motionloom.analysis.naturalness import Mixture, NaturalnessModel, segment_columns
from motionloom.analysis.oddness._store import check_motion_judge
from motionloom.analysis.oddness.judge import MotionJudge
from motionloom.declared import Range, Shape
from motionloom.io.records import FileKind, kind_of, load, save
from motionloom.io.stored import Fault
from motionloom.spaces.pose_space import PoseSpace
from motionloom.spaces.store import POSE_SPACE, StoredPoseSpace, check_pose_space
from motionloom.typing import Ints


@dataclass(frozen=True, eq=False)
class KeptNaturalness:
    """A pose space and what was learned of naturalness from its captures.

    Parameters
    ----------
    space : PoseSpace
        The captures.
    model : NaturalnessModel
        Of all captures.
    seed : int
        That it was fitted with.
    key : str
        Stands for the clips that it was fitted to; empty where that is not known.
    judge : Judge, optional
        Absent where only a pose was judged so far.
    motion : MotionJudge, optional
        Absent where it could not be learned, or only a pose was judged so far.
    why : str
        Why motion could not be learned; empty where it was, or was not asked for.
    """

    space: PoseSpace
    model: NaturalnessModel
    seed: int = 0
    key: str = ""
    judge: Judge | None = None
    motion: MotionJudge | None = None
    why: str = ""


@dataclass(frozen=True, eq=False)
class _Judged:
    """A judge without its space and models."""

    fold: Annotated[Ints, Shape("T"), Range(0)]
    reference: PoseScores
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _NaturalnessRecord:
    space: StoredPoseSpace
    models: tuple[NaturalnessModel, ...]
    judge: _Judged | None
    motion: MotionJudge | None
    seed: int
    key: str
    why: str


def save_naturalness(kept: KeptNaturalness, path: str | PathLike[str]) -> None:
    """Write a pose space with what was learned of naturalness to an ``.npz`` file.

    Parameters
    ----------
    kept : KeptNaturalness
        The pose space, its models and their scores of the captures.
    path : path-like
        The file; one that is there is replaced.
    """
    judge = kept.judge
    judged = None if judge is None else _Judged(judge.fold, judge.reference, judge.names)
    models = (kept.model,) if judge is None else judge.models
    space = StoredPoseSpace.of(kept.space)
    record = _NaturalnessRecord(space, models, judged, kept.motion, kept.seed, kept.key, kept.why)
    save(path, record, NATURALNESS)


def load_naturalness(path: str | PathLike[str]) -> KeptNaturalness | None:
    """Read a pose space with what was learned of naturalness.

    Returns
    -------
    KeptNaturalness or None
        None when the file is a pose space without it.

    Raises
    ------
    FormatError
        When there is no such file, it is damaged, or another version wrote it.
    """
    if kind_of(path) == POSE_SPACE.name:
        return None
    record = load(path, NATURALNESS)
    space = record.space.restore()
    judge = None
    if record.judge is not None:
        judged = record.judge
        judge = Judge(space, judged.fold, record.models, judged.reference, judged.names)
    return KeptNaturalness(
        space, record.models[-1], record.seed, record.key, judge, record.motion, record.why
    )


def _check(record: _NaturalnessRecord) -> None:
    check_pose_space(record.space)
    space = record.space.space
    captures = int(space.trial.max()) + 1
    folds = len(record.models) - 1
    if folds in (-1, 1) or folds > captures or (folds > 0) != (record.judge is not None):
        raise Fault(f"it is of {folds} parts of {captures} captures")
    columns = segment_columns(space)
    for model in record.models:
        if {*model.mixtures} != {*columns}:
            raise Fault("its mixtures are not those of its segments")
        _check_mixture(model.gaussian, space.varying)
        for name, mixture in model.mixtures.items():
            _check_mixture(mixture, columns[name])
    if record.judge is not None:
        _check_judge(record.judge, captures, folds, [*columns])
    if record.motion is not None:
        check_motion_judge(record.motion, space.roles, space.coordinates.skeleton.n_joints)


def _check_judge(judged: _Judged, captures: int, folds: int, segments: list[str]) -> None:
    if judged.names and len(judged.names) != captures:
        raise Fault("it names other captures than it has")
    if len(judged.fold) != captures or judged.fold.max() >= folds:
        raise Fault("its parts are not of its captures")
    if {*judged.reference.segments} != {*segments}:
        raise Fault("its scores are not those of its segments")


def _check_mixture(mixture: Mixture, columns: Ints) -> None:
    diagonals = np.diagonal(mixture.factors, axis1=1, axis2=2)
    if not np.array_equal(mixture.columns, columns):
        raise Fault("a mixture is of other numbers than a pose has")
    upper = np.triu(mixture.factors, 1).any()
    if not len(mixture.means) or upper or diagonals.min(initial=1.0) < 1e-6:
        raise Fault("a mixture is none of Gaussians")


NATURALNESS = FileKind(
    record=_NaturalnessRecord,
    name="pose space with what was learned of naturalness",
    version=6,
    again="it has to be learned again from the clips",
    check=_check,
)
