"""What was learned of naturalness, kept in the file of its pose space."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from motionloom.analysis.judge import Judge, PoseScores
from motionloom.analysis.naturalness import Mixture, NaturalnessModel, segment_columns
from motionloom.analysis.oddness.judge import MotionJudge
from motionloom.analysis.oddness.store import (
    MotionFacts,
    describe_motion_judge,
    rebuild_motion_judge,
)
from motionloom.errors import FormatError
from motionloom.io.stored import (
    MOST,
    Facts,
    Fault,
    Stored,
    StoredFile,
    open_stored,
    read_facts,
    read_version,
)
from motionloom.spaces.pose_space import PoseSpace
from motionloom.spaces.store import load_pose_space, save_pose_space

#: Raised whenever the content of the file, its meaning, or how models are fitted changes.
VERSION = 4
#: No score, angle (degrees) or spread is larger.
_LARGEST = 1e9
#: K Gaussians over C numbers.
_MIXTURE = {
    "log_weights": Stored(np.float64, ("K",), -1e3, 1e-9),
    "means": Stored(np.float64, ("K", "C"), -_LARGEST, _LARGEST),
    "factors": Stored(np.float64, ("K", "C", "C"), -_LARGEST, _LARGEST),
}
_SCORES = Stored(np.float64, ("N",), -_LARGEST * _LARGEST, _LARGEST)
_HEAD, _WHOLE, _MOTION = "naturalness", "gaussian", "naturalness/motion"


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


class _Head(Facts):
    motionloom_naturalness: int
    seed: int
    key: Annotated[str, Field(max_length=200)]
    names: tuple[Annotated[str, Field(max_length=1000)], ...]
    folds: Annotated[int, Field(ge=0, le=MOST)]
    motion: MotionFacts | None
    why: Annotated[str, Field(max_length=1000)]


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
    models = (kept.model,) if judge is None else judge.models
    head = {
        "motionloom_naturalness": VERSION,
        "seed": kept.seed,
        "key": kept.key,
        "names": [] if judge is None else judge.names,
        "folds": len(models) - 1,
        "motion": None,
        "why": kept.why,
    }
    motion: dict[str, Any] = {}
    if kept.motion is not None:
        head["motion"], motion = describe_motion_judge(kept.motion)
    arrays: dict[str, Any] = {_HEAD: np.array(json.dumps(head))}
    arrays |= {f"{_MOTION}/{name}": array for name, array in motion.items()}
    for m, model in enumerate(models):
        for name, mixture in ((_WHOLE, model.gaussian), *model.mixtures.items()):
            arrays |= {f"{_place(m, name)}/{f}": getattr(mixture, f) for f in _MIXTURE}
    if judge is not None:
        arrays[f"{_HEAD}/fold"] = judge.fold
        for name, scores in _scores_of(judge.reference):
            arrays[f"{_HEAD}/scores/{name}"] = scores
    save_pose_space(kept.space, path, arrays)


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
    space = load_pose_space(path)
    message = "what was learned of naturalness is damaged ({reason}); it has to be learned again"
    with open_stored(path, message) as file:
        if not file.holds(_HEAD):
            return None
        text = file.text(_HEAD)
        version = read_version(text, "motionloom_naturalness")
        if version is not None and version != VERSION:
            raise FormatError(
                f"what was learned of naturalness has version {version}, expected {VERSION};"
                " it has to be learned again",
                path,
            )
        return _rebuild(space, read_facts(_Head, text), file)


def _rebuild(space: PoseSpace, head: _Head, file: StoredFile) -> KeptNaturalness:
    count = int(space.trial.max()) + 1
    if head.folds == 1 or head.folds > count:
        raise Fault(f"it is of {head.folds} parts of {count} captures")
    columns = {_WHOLE: space.varying, **segment_columns(space)}
    models = []
    for m in range(head.folds + 1):
        gaussian, *others = (_mixture(file, _place(m, n), c) for n, c in columns.items())
        models.append(NaturalnessModel(gaussian, dict(zip(list(columns)[1:], others, strict=True))))
    judge = None
    if head.folds:
        judge = _judge(space, head, file, tuple(models))
    motion = None
    if head.motion is not None:
        joints = space.coordinates.skeleton.n_joints
        motion = rebuild_motion_judge(file, _MOTION, head.motion, space.roles, joints)
    return KeptNaturalness(space, models[-1], head.seed, head.key, judge, motion, head.why)


def _judge(
    space: PoseSpace, head: _Head, file: StoredFile, models: tuple[NaturalnessModel, ...]
) -> Judge:
    sizes = {"T": int(space.trial.max()) + 1, "N": len(space.poses), "F": head.folds}
    if head.names and len(head.names) != sizes["T"]:
        raise Fault("it names other captures than it has")
    schema = {f"{_HEAD}/fold": Stored(np.int64, ("T",), 0, below="F")}
    schema |= {f"{_HEAD}/scores/{name}": _SCORES for name in (_WHOLE, *models[-1].mixtures)}
    arrays = file.arrays(schema, sizes)
    scores = {name: arrays[f"{_HEAD}/scores/{name}"] for name in models[-1].mixtures}
    reference = PoseScores(arrays[f"{_HEAD}/scores/{_WHOLE}"], scores)
    return Judge(space, arrays[f"{_HEAD}/fold"], models, reference, head.names)


def _mixture(file: StoredFile, place: str, columns: NDArray[np.int64]) -> Mixture:
    schema = {f"{place}/{field}": wanted for field, wanted in _MIXTURE.items()}
    arrays = file.arrays(schema, {"C": len(columns)})
    weights, means, factors = (arrays[f"{place}/{field}"] for field in _MIXTURE)
    diagonals = np.diagonal(factors, axis1=1, axis2=2)
    if not len(weights) or diagonals.min(initial=1.0) < 1e-6 or np.triu(factors, 1).any():
        raise Fault(f"{place} is no mixture of Gaussians")
    return Mixture(columns, weights, means, factors)


def _place(model: int, name: str) -> str:
    return f"{_HEAD}/{model}/{name}"


def _scores_of(scores: PoseScores) -> Iterator[tuple[str, NDArray[np.float64]]]:
    yield _WHOLE, scores.gaussian
    yield from scores.segments.items()
