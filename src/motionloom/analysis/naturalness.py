"""How natural poses are: their likelihood among captured ones (FE9).

Two measures: the thesis' single Gaussian of the whole body, and mixtures of Gaussians of the
overlapping segments. Densities are per degree. A captured pose is never scored by a model that has
seen its own capture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cholesky
from scipy.special import logsumexp

from motionloom.analysis.mixtures import fit_mixture
from motionloom.declared import LEARNED, Range, Shape
from motionloom.errors import InvalidInputError
from motionloom.progress import Progress, silent
from motionloom.spaces.pose_space import PoseSpace
from motionloom.threads import one_thread
from motionloom.typing import Array, Ints

#: Lowest log-likelihood of a pose in the floored measure (the thesis').
FLOOR = -750.0
#: Gaussians of a segment's mixture, and the fewest poses that one of them is fitted to.
COMPONENTS, FEWEST = 12, 20


@dataclass(frozen=True, eq=False)
class Mixture:
    """Mixture of K Gaussians over some numbers of a pose.

    Parameters
    ----------
    columns : int array of shape (C,)
        Which numbers of a pose.
    log_weights : array of shape (K,)
        Natural logarithms of the Gaussians' weights.
    means : array of shape (K, C), degrees
        Of every Gaussian.
    factors : array of shape (K, C, C)
        Lower Cholesky factors of the covariances, degrees.
    """

    columns: Annotated[Ints, Shape("c")]
    log_weights: Annotated[Array, Shape("k"), Range(-1e3, 1e-9)]
    means: Annotated[Array, Shape("k", "c"), LEARNED]
    factors: Annotated[Array, Shape("k", "c", "c"), LEARNED]

    def score_samples(self, poses: ArrayLike) -> Array:
        """Log-likelihood of poses (N, P), radians, shape (N,); per degree."""
        own = np.degrees(np.asarray(poses, float)[:, self.columns])
        parts = []
        with one_thread():
            for log_weight, mean, factor in zip(
                self.log_weights, self.means, self.factors, strict=True
            ):
                away = (own - mean) @ np.linalg.inv(factor).T
                volume = 2 * np.log(np.diag(factor)).sum() + len(mean) * np.log(2 * np.pi)
                parts.append(log_weight - 0.5 * (np.einsum("nc,nc->n", away, away) + volume))
        return logsumexp(parts, axis=0)


@dataclass(frozen=True, eq=False)
class NaturalnessModel:
    """What captured poses are like.

    Parameters
    ----------
    gaussian : Mixture
        One Gaussian of the whole body.
    mixtures : mapping of str to Mixture
        By segment; empty when only the Gaussian was fitted.
    """

    gaussian: Mixture
    mixtures: Mapping[str, Mixture]

    def log_likelihood(self, poses: ArrayLike, *, floored: bool = False) -> Array:
        """Log-likelihood of poses under one Gaussian of the whole body (Ferrydiansyah 2011).

        Parameters
        ----------
        poses : array of shape (N, P), radians
            In the coordinates of the pose space.
        floored : bool
            Whether scores below `FLOOR` count as that.

        Returns
        -------
        array of shape (N,)
            Natural logarithms of densities per degree.
        """
        score = self.gaussian.score_samples(poses)
        return np.maximum(score, FLOOR) if floored else score

    def mixture_score(self, poses: ArrayLike) -> Array:
        """Sum of the segments' log-likelihoods under their mixtures, shape (N,).

        Raises
        ------
        InvalidInputError
            When the model was fitted without mixtures.
        """
        if not self.mixtures:
            raise InvalidInputError(
                "this model was fitted without mixtures; fit it with mixtures=True"
            )
        total: Array = np.sum([m.score_samples(poses) for m in self.mixtures.values()], axis=0)
        return total


@one_thread()
def fit_naturalness(
    space: PoseSpace,
    *,
    without: int | None = None,
    mixtures: bool = True,
    seed: int = 0,
    progress: Progress = silent,
) -> NaturalnessModel:
    """Fit the measures to the captures of a pose space.

    Parameters
    ----------
    space : PoseSpace
        Constant angles are left out; ``space.options.ridge`` (one degree) is added to the standard
        deviations, without which nearly constant angles would decide everything.
    without : int, optional
        Capture (of ``space.trial``) that is left out.
    mixtures : bool
        Whether the segments' mixtures are fitted too.
    seed : int
        Of the mixtures' beginnings.
    progress : Progress
        Told of every segment.

    Returns
    -------
    NaturalnessModel
        With fewer Gaussians than `COMPONENTS` where each would have fewer than `FEWEST` poses.

    Raises
    ------
    InvalidInputError
        When too few poses are left.

    Examples
    --------
    >>> from motionloom.spaces.pose_space import fit_pose_space
    >>> space = fit_pose_space([walk])
    >>> model = fit_naturalness(space, mixtures=False)
    >>> odd = space.mean + 1.0  # every joint a radian off
    >>> bool(model.log_likelihood(space.mean[None]) > model.log_likelihood(odd[None]))
    True
    """
    poses = space.poses if without is None else space.poses[space.trial != without]
    if len(poses) < FEWEST:
        raise InvalidInputError(
            f"naturalness needs at least {FEWEST} captured poses, got {len(poses)}; add clips"
        )
    ridge = np.degrees(space.options.ridge)
    by_segment = segment_columns(space) if mixtures else {}
    fitted = {}
    for i, (name, columns) in enumerate(by_segment.items()):
        progress("learning what is natural", i, len(by_segment))
        fitted[name] = _fit(poses, columns, min(COMPONENTS, len(poses) // FEWEST), ridge, seed)
    progress("learning what is natural", len(by_segment), len(by_segment))
    return NaturalnessModel(_fit(poses, space.varying, 1, ridge, seed), fitted)


def segment_columns(space: PoseSpace) -> dict[str, Ints]:
    """Numbers of every segment that are not constant in the captures.

    Segments without any are left out.
    """
    own = {n: np.intersect1d(columns, space.varying) for n, columns in space.segments.items()}
    return {name: columns for name, columns in own.items() if len(columns)}


def _fit(poses: Array, columns: Ints, count: int, ridge: float, seed: int) -> Mixture:
    own = np.degrees(poses[:, columns])
    if count == 1:
        spread = np.atleast_2d(np.cov(own, rowvar=False)) + ridge**2 * np.eye(len(columns))
        return Mixture(
            columns, np.zeros(1), own.mean(axis=0)[None], cholesky(spread, lower=True)[None]
        )
    model = fit_mixture(own, count, ridge**2, seed)
    return Mixture(columns, np.log(model.weights), model.means, model.factors)
