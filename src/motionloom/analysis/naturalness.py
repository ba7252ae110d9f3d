"""How natural poses are: their likelihood among captured ones (FE9).

Two measures: the thesis' single Gaussian of the whole body, and mixtures of Gaussians of the
overlapping segments. Densities are per degree. A captured pose is never scored by a model that has
seen its own capture.

Mixtures of Gaussians, fitted by expectation and maximization.

The log-density of a Gaussian is linear in a row's products of two numbers, its numbers and one. So
each half of a step is one matrix product over all rows and all Gaussians.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import cholesky
from scipy.special import logsumexp

from motionloom.declared import LEARNED, Range, Shape
from motionloom.errors import InvalidInputError
from motionloom.progress import Progress, silent
from motionloom.spaces.pose_space import RIDGE, PoseSpace
from motionloom.threads import one_thread
from motionloom.typing import Array, Ints

#: Most steps, and the gain of the mean log-likelihood by a step below which they end.
STEPS, GAIN = 100, 1e-3
#: Rows that are multiplied at once, so that they stay in the processor's cache.
_BLOCK = 1024
#: Rows of a Gaussian that has none.
_NONE = 10 * np.finfo(float).eps

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
            gaussians = zip(self.log_weights, self.means, self.factors, strict=True)
            for log_weight, mean, factor in gaussians:
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

    def log_likelihood(self, poses: ArrayLike) -> Array:
        """Log-likelihood of poses under one Gaussian of the whole body (Ferrydiansyah 2011).

        Parameters
        ----------
        poses : array of shape (N, P), radians
            In the coordinates of the pose space.

        Returns
        -------
        array of shape (N,)
            Natural logarithms of densities per degree.
        """
        return self.gaussian.score_samples(poses)

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
        return np.asarray(np.sum([m.score_samples(poses) for m in self.mixtures.values()], axis=0))


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
        Constant angles are left out; one degree is added to the standard
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
    ridge = np.degrees(RIDGE)
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
        factor = cholesky(spread, lower=True)[None]
        return Mixture(columns, np.zeros(1), own.mean(axis=0)[None], factor)
    weights, means, factors = fit_mixture(own, count, ridge**2, seed)
    return Mixture(columns, np.log(weights), means, factors)


def fit_mixture(rows: Array, count: int, ridge: float, seed: int = 0) -> tuple[Array, Array, Array]:
    """Fit a mixture to rows by expectation and maximization (Dempster et al. 1977).

    Parameters
    ----------
    rows : array of shape (N, C)
        The numbers; N at least `count`.
    count : int
        Gaussians K.
    ridge : float
        Added to every variance, in the unit of the rows squared.
    seed : int
        Of the rows that the Gaussians begin at; see `choose_seeds`.

    Returns
    -------
    tuple of arrays of shape (K,), (K, C) and (K, C, C)
        Weights that add up to 1, means, and lower Cholesky factors of the covariances: of the step
        that gained less than `GAIN`, or of step `STEPS`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> rows = np.concatenate([rng.normal(0, 0.1, (50, 1)), rng.normal(5, 0.1, (50, 1))])
    >>> np.sort(fit_mixture(rows, count=2, ridge=1e-3)[1].ravel()).round(0)
    array([0., 5.])
    """
    centre = rows.mean(axis=0)
    away = rows - centre
    first = np.zeros((len(rows), count))
    first[choose_seeds(rows, count, seed), np.arange(count)] = 1.0
    with one_thread():
        sums = np.sum([first[own].T @ products for own, products in _products(away)], axis=0)
        weights, means, factors = _maximize(sums, away.shape[1], ridge)
        likelihood = -np.inf
        for _ in range(STEPS):
            before = likelihood
            coefficients = _coefficients(weights, means, factors)
            sums = np.zeros_like(sums)
            total = 0.0
            for _, products in _products(away):
                logs = coefficients @ products.T
                own = logsumexp(logs, axis=0)
                sums += np.exp(logs - own) @ products
                total += float(own.sum())
            likelihood = total / len(rows)
            weights, means, factors = _maximize(sums, away.shape[1], ridge)
            if abs(likelihood - before) < GAIN:
                break
    return weights, means + centre, factors


def choose_seeds(rows: Array, count: int, seed: int) -> NDArray[np.intp]:
    """Choose rows that lie apart (greedy k-means++, Arthur & Vassilvitskii 2007).

    Each is the best of a few that are drawn in proportion to their squared distance from the
    nearest one so far.

    Parameters
    ----------
    rows : array of shape (N, C)
        The numbers.
    count : int
        Rows to choose.
    seed : int
        Of the draws.

    Returns
    -------
    int array of shape (count,)
        Indices of the chosen rows.
    """
    random = np.random.RandomState(seed)
    squares = np.einsum("nc,nc->n", rows, rows)
    tries = 2 + int(np.log(count))
    chosen = [int(random.choice(len(rows), p=np.full(len(rows), 1.0 / len(rows))))]
    nearest = _squared_distances(rows, squares, chosen)[0]
    while len(chosen) < count:
        drawn = np.searchsorted(np.cumsum(nearest), random.uniform(size=tries) * nearest.sum())
        drawn = np.minimum(drawn, len(rows) - 1)
        near = np.minimum(nearest, _squared_distances(rows, squares, drawn.tolist()))
        best = int(near.sum(axis=1).argmin())
        chosen.append(int(drawn[best]))
        nearest = near[best]
    return np.array(chosen)


def _squared_distances(rows: Array, squares: Array, chosen: list[int]) -> Array:
    """From every row to some of them, shape (len(chosen), N)."""
    products = rows[chosen] @ rows.T
    return np.maximum(squares[chosen][:, None] - 2 * products + squares, 0.0)


def _products(rows: Array) -> Iterator[tuple[slice, Array]]:
    """Products of two numbers of a row, its numbers and one, by blocks of rows."""
    first, second = np.triu_indices(rows.shape[1])
    for begin in range(0, len(rows), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        own = rows[block]
        yield block, np.column_stack([own[:, first] * own[:, second], own, np.ones(len(own))])


def _maximize(sums: Array, size: int, ridge: float) -> tuple[Array, Array, Array]:
    """Weights, means and Cholesky factors from sums of products by Gaussian."""
    counts = sums[:, -1] + _NONE
    means = sums[:, -1 - size : -1] / counts[:, None]
    first, second = np.triu_indices(size)
    spread = np.empty((len(sums), size, size))
    spread[:, first, second] = sums[:, : len(first)] / counts[:, None]
    spread[:, second, first] = spread[:, first, second]
    spread += ridge * np.eye(size) - means[:, :, None] * means[:, None, :]
    factors = np.asarray(np.linalg.cholesky(spread), np.float64)
    return counts / counts.sum(), means, factors


def _coefficients(weights: Array, means: Array, factors: Array) -> Array:
    """Of the products in the Gaussians' log-densities, shape (K, P)."""
    size = means.shape[1]
    first, second = np.triu_indices(size)
    halves = np.linalg.inv(factors)
    precisions = np.swapaxes(halves, 1, 2) @ halves
    pulls = np.einsum("kcd,kd->kc", precisions, means)
    volumes = np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)
    constants = np.log(weights) - volumes - 0.5 * size * np.log(2 * np.pi)
    constants -= 0.5 * np.einsum("kc,kc->k", means, pulls)
    twice = np.where(first == second, 0.5, 1.0)
    squares = -twice * precisions[:, first, second]
    return np.concatenate([squares, pulls, constants[:, None]], axis=1)
