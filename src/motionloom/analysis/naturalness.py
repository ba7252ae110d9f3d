"""How natural poses are: their likelihood among captured ones (FE9).

Two measures: the thesis' single Gaussian of the whole body, and mixtures of Gaussians of the
overlapping segments. Densities are per degree. A captured pose is never scored by a model that has
seen its own capture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import cholesky, solve_triangular
from scipy.special import logsumexp

from motionloom.errors import InvalidInputError, MissingExtraError
from motionloom.progress import Progress, silent
from motionloom.spaces.pose_space import PoseSpace

Array = NDArray[np.float64]

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
    log_weights : array of shape (K,)
    means : array of shape (K, C), degrees
    factors : array of shape (K, C, C)
        Lower Cholesky factors of the covariances, degrees.
    """

    columns: NDArray[np.int64]
    log_weights: Array
    means: Array
    factors: Array

    def score_samples(self, poses: ArrayLike) -> Array:
        """Log-likelihood of poses (N, P), radians, shape (N,); per degree."""
        own = np.degrees(np.asarray(poses, float)[:, self.columns])
        parts = []
        for log_weight, mean, factor in zip(
            self.log_weights, self.means, self.factors, strict=True
        ):
            away = solve_triangular(factor, (own - mean).T, lower=True)
            volume = 2 * np.log(np.diag(factor)).sum() + len(mean) * np.log(2 * np.pi)
            parts.append(log_weight - 0.5 * ((away**2).sum(axis=0) + volume))
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
        """The thesis' measure: log-likelihood under the Gaussian, shape (N,)."""
        score = self.gaussian.score_samples(poses)
        return np.maximum(score, FLOOR) if floored else score

    def mixture_score(self, poses: ArrayLike) -> Array:
        """Sum of the segments' log-likelihoods under their mixtures, shape (N,)."""
        if not self.mixtures:
            raise InvalidInputError(
                "this model was fitted without mixtures; fit it with mixtures=True"
            )
        total: Array = np.sum([m.score_samples(poses) for m in self.mixtures.values()], axis=0)
        return total


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

    Raises
    ------
    MissingExtraError
        When mixtures are asked for and scikit-learn is not installed.
    InvalidInputError
        When too few poses are left.
    """
    poses = space.poses if without is None else space.poses[space.trial != without]
    if len(poses) < FEWEST:
        raise InvalidInputError(
            f"naturalness needs at least {FEWEST} captured poses, got {len(poses)}; add clips"
        )
    ridge = np.degrees(space.options.ridge)
    by_segment = {
        name: np.intersect1d(columns, space.varying) for name, columns in space.segments.items()
    }
    by_segment = (
        {name: columns for name, columns in by_segment.items() if len(columns)} if mixtures else {}
    )
    fitted = {}
    for i, (name, columns) in enumerate(by_segment.items()):
        progress("learning what is natural", i, len(by_segment))
        fitted[name] = _fit(poses, columns, min(COMPONENTS, len(poses) // FEWEST), ridge, seed)
    progress("learning what is natural", len(by_segment), len(by_segment))
    return NaturalnessModel(_fit(poses, space.varying, 1, ridge, seed), fitted)


def _fit(poses: Array, columns: NDArray[np.int64], count: int, ridge: float, seed: int) -> Mixture:
    own = np.degrees(poses[:, columns])
    if count == 1:
        spread = np.atleast_2d(np.cov(own, rowvar=False)) + ridge**2 * np.eye(len(columns))
        return Mixture(
            columns, np.zeros(1), own.mean(axis=0)[None], cholesky(spread, lower=True)[None]
        )
    try:
        from sklearn.mixture import GaussianMixture
        from threadpoolctl import threadpool_limits
    except ImportError:
        raise MissingExtraError("scikit-learn", "spaces", "fitting mixtures of Gaussians") from None
    model = GaussianMixture(
        count, reg_covar=ridge**2, random_state=seed, init_params="k-means++", max_iter=100
    )
    with threadpool_limits(
        1, user_api="blas"
    ):  # the matrices are small: more threads only wait for each other
        model.fit(own)
    return Mixture(
        columns, np.log(model.weights_), model.means_, np.linalg.cholesky(model.covariances_)
    )
