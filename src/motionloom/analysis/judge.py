"""Clips judged by captured ones, each by models that have not seen it (cross-validation over
captures).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from motionloom.analysis.naturalness import NaturalnessModel, fit_naturalness
from motionloom.analysis.oddness._levels import SHARE, Levels, fit_levels
from motionloom.analysis.oddness.captures import deal
from motionloom.analysis.oddness.judge import MotionVerdict
from motionloom.declared import SCORE, Shape
from motionloom.errors import InvalidInputError
from motionloom.progress import Progress, silent
from motionloom.spaces.pose_space import PoseSpace
from motionloom.typing import Array, Ints

#: Parts that captures are dealt into; each is scored by a model of the others.
FOLDS = 5
#: An odd stretch's worst frames are at least this far apart, seconds.
APART = 0.5
#: Fewest captures that tell how odd a clip is.
FEWEST = 4


@dataclass(frozen=True, eq=False)
class PoseScores:
    """Scores of N poses.

    Parameters
    ----------
    gaussian : array of shape (N,)
        Log-likelihood under one Gaussian of the whole body.
    segments : mapping of str to array of shape (N,)
        Log-likelihood of each segment under its mixture.
    """

    gaussian: Annotated[Array, Shape("N"), SCORE]
    segments: Mapping[str, Annotated[Array, Shape("N"), SCORE]]

    @property
    def mixture(self) -> Array:
        """Sum of the segments', shape (N,)."""
        return np.asarray(np.sum(list(self.segments.values()), axis=0))


@dataclass(frozen=True)
class OddFrame:
    """A frame that is unlike the captured ones.

    Parameters
    ----------
    time : float, seconds
        In the clip.
    segment : str
        The part of the body that is oddest there, compared with how its scores vary among captured
        poses.
    deviations : float
        How far its score is below the captured median; one is how far the 16th percentile is below
        it.
    mixture : float
        Score of the whole pose.
    """

    time: float
    segment: str
    deviations: float
    mixture: float


@dataclass(frozen=True, eq=False)
class ClipVerdict:
    """How natural a clip is.

    Parameters
    ----------
    name : str
        Of the clip.
    times : array of shape (N,), seconds
        When each of the N judged poses is shown.
    scores : PoseScores
        Of those poses.
    percentiles : dict of str to array of shape (N,)
        By measure, the share (percent) of the captured poses that are less natural than each pose.
    left_out : bool
        Whether it is among the captures; its own was then left out.
    oddness : float or None
        How rare poses like these are among captured clips, in powers of ten: 2 is one clip of a
        hundred. None where captures are too few to tell.
    motion : MotionVerdict or None
        How odd its motion is; None where that was not judged.
    worst : tuple of OddFrame
        Worst first.
    """

    name: str
    times: Array
    scores: PoseScores
    percentiles: dict[str, Array]
    left_out: bool
    worst: tuple[OddFrame, ...]
    oddness: float | None = None
    motion: MotionVerdict | None = None

    @property
    def odd(self) -> bool:
        """Whether its poses or its style are odd: rarer than `SHARE` of captured clips."""
        return self.oddness is not None and bool(self.oddness > -np.log10(SHARE))


@dataclass(frozen=True, eq=False)
class Judge:
    """Models of all captures but those of one part, for every part, and of all.

    Parameters
    ----------
    space : PoseSpace
        The captures.
    fold : int array of shape (C,)
        Part that each capture is in.
    models : tuple of NaturalnessModel
        Without each part; then of all.
    reference : PoseScores
        Of all captured poses, each by the model without its part.
    names : tuple of str
        Of the captures; empty where they are not known.
    """

    space: PoseSpace
    fold: Ints
    models: tuple[NaturalnessModel, ...]
    reference: PoseScores
    names: tuple[str, ...] = ()

    def score(self, poses: ArrayLike, trial: int | None = None) -> PoseScores:
        """Score poses by a model that has not seen their capture.

        Parameters
        ----------
        poses : array of shape (N, P), radians
            In the coordinates of the pose space.
        trial : int, optional
            Capture that the poses are of; the model of all captures scores them when not given.

        Returns
        -------
        PoseScores
            Natural logarithms of densities per degree.
        """
        model = self.models[-1 if trial is None else int(self.fold[trial])]
        return _score(model, np.asarray(poses, float))

    def judge(
        self, name: str, poses: Array, times: Array, trial: int | None, worst: int = 3
    ) -> ClipVerdict:
        """Score a clip, compare it with the captured poses and find its worst frames.

        Parameters
        ----------
        name : str
            Of the clip.
        poses : array of shape (N, P), radians
            In the coordinates of the pose space.
        times : array of shape (N,), seconds
            When each pose is shown.
        trial : int or None
            Capture that the clip is; None when it is not among the captures.
        worst : int
            Worst frames, at most; they are at least `APART` seconds apart.

        Returns
        -------
        ClipVerdict
        """
        scores = self.score(poses, trial)
        percentiles = {
            "gaussian": _percentiles(scores.gaussian, self.reference.gaussian),
            "mixture": _percentiles(scores.mixture, self.reference.mixture),
        }
        oddest = self._worst(scores, times, worst)
        odd = None if self.levels is None else self.levels.oddness(_unlikely(scores.mixture))
        return ClipVerdict(name, times, scores, percentiles, trial is not None, oddest, odd)

    @cached_property
    def levels(self) -> Levels | None:
        """How unlikely the poses of whole captures are; None for fewer than `FEWEST` captures."""
        trials = [self.space.trial == k for k in range(len(self.fold))]
        if len(trials) < FEWEST:
            return None
        mixture = self.reference.mixture
        return fit_levels([_unlikely(mixture[own]) for own in trials if own.any()])

    def _worst(self, scores: PoseScores, times: Array, count: int) -> tuple[OddFrame, ...]:
        below = {}
        for name, own in scores.segments.items():
            low, middle = np.percentile(self.reference.segments[name], [16, 50])
            below[name] = (middle - own) / max(float(middle - low), 1e-9)
        found: list[OddFrame] = []
        for n in np.argsort(scores.mixture):
            if len(found) == count:
                break
            if all(abs(times[n] - f.time) >= APART for f in found):
                oddest = max(below, key=lambda name: below[name][n])
                away, mixture = float(below[oddest][n]), float(scores.mixture[n])
                found.append(OddFrame(float(times[n]), oddest, away, mixture))
        return tuple(found)


def fit_judge(
    space: PoseSpace,
    *,
    seed: int = 0,
    names: Sequence[str] = (),
    progress: Progress = silent,
) -> Judge:
    """Fit the models.

    Parameters
    ----------
    space : PoseSpace
        The captures.
    seed : int
        Of how captures are dealt and of where the mixtures begin.
    names : sequence of str
        Of the captures: a clip that is called like one is judged by models that have not seen it.
    progress : Progress
        Told of every model.

    Returns
    -------
    Judge
        With as many parts as captures where these are fewer than `FOLDS`.

    Raises
    ------
    InvalidInputError
        When there are fewer than two captures, so that none could be left out.
    """
    count = int(space.trial.max()) + 1
    if count < 2:
        raise InvalidInputError(
            "naturalness needs at least two clips to compare with, because each is left out once"
        )
    folds = min(FOLDS, count)
    alone = np.random.default_rng(seed).permutation(count) % folds
    fold = deal(names, folds, seed) if names else alone
    folds = int(fold.max()) + 1
    parts = np.asarray(fold[space.trial], np.int64)
    models = []
    for k in range(folds + 1):
        apart, without = replace(space, trial=parts), k if k < folds else None
        told = _part_of(progress, k, folds + 1)
        models.append(fit_naturalness(apart, without=without, seed=seed, progress=told))
    scores = [_score(models[k], space.poses[parts == k]) for k in range(folds)]
    back = np.argsort(np.argsort(parts, kind="stable"))  # from part by part to their own order
    own = {n: np.concatenate([s.segments[n] for s in scores])[back] for n in models[0].mixtures}
    reference = PoseScores(np.concatenate([s.gaussian for s in scores])[back], own)
    return Judge(space, fold, tuple(models), reference, tuple(names))


def _part_of(progress: Progress, part: int, parts: int) -> Progress:
    """Progress of one of several equal parts of a stage."""

    def report(stage: str, done: float, total: float) -> None:
        progress(stage, part + (done / total if total else 1.0), parts)

    return report


def _score(model: NaturalnessModel, poses: Array) -> PoseScores:
    segments = {name: mixture.score_samples(poses) for name, mixture in model.mixtures.items()}
    return PoseScores(model.log_likelihood(poses), segments)


def _unlikely(mixture: Array) -> dict[str, float]:
    """How unlikely poses of a clip are, as a whole and at worst."""
    return {"whole": -float(mixture.mean()), "worst": -float(np.quantile(mixture, 0.05))}


def _percentiles(values: Array, reference: Array) -> Array:
    return 100.0 * np.searchsorted(np.sort(reference), values) / len(reference)
