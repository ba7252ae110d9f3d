"""Bootstraps and paired tests, corrected for their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import ttest_rel

Array = NDArray[np.float64]

#: Resamples of a bootstrap.
RESAMPLES = 1000


@dataclass(frozen=True)
class PairedTest:
    """Difference of two methods over the same targets.

    Parameters
    ----------
    count : int
        Targets that both reached.
    difference : float
        Mean of the first less the second.
    p : float
        Of a two-sided paired t-test; 1 when there are fewer than three pairs or all differences are
        equal.
    low, high : float
        95 % of the mean difference when whole captures are drawn again (targets of a capture are
        alike).
    """

    count: int
    difference: float
    p: float
    low: float
    high: float


def compare_paired(
    first: ArrayLike, second: ArrayLike, group: ArrayLike, seed: int = 0
) -> PairedTest:
    """Compare two methods.

    Parameters
    ----------
    first, second : array of shape (N,)
        Scores by target; not a number where the target was missed.
    group : int array of shape (N,)
        Capture each target is from.
    seed : int
        Of the bootstrap over captures.

    Returns
    -------
    PairedTest
        First less second, over the targets that both reached.
    """
    a = np.asarray(first, float)
    b = np.asarray(second, float)
    group = np.asarray(group)
    both = np.isfinite(a) & np.isfinite(b)
    gain = a[both] - b[both]
    group = group[both]
    if len(gain) < 3 or np.ptp(gain) == 0:
        mean = float(gain.mean()) if len(gain) else float("nan")
        return PairedTest(len(gain), mean, 1.0, mean, mean)
    sums = np.array([[gain[group == g].sum(), (group == g).sum()] for g in np.unique(group)])
    drawn = np.random.default_rng(seed).integers(0, len(sums), (RESAMPLES, len(sums)))
    totals = sums[drawn].sum(axis=1)
    low, high = np.quantile(totals[:, 0] / totals[:, 1], [0.025, 0.975])
    p = float(ttest_rel(a[both], b[both]).pvalue)
    return PairedTest(len(gain), float(gain.mean()), p, float(low), float(high))


def bootstrap_mean(values: ArrayLike, seed: int = 0) -> tuple[float, float]:
    """Mean of some values and its standard error, by `RESAMPLES` bootstrap samples.

    Parameters
    ----------
    values : array of shape (N,)
        What is not a number is left out.
    seed : int
        Of the resamples.

    Returns
    -------
    mean : float
        Mean over the resamples' means; not a number when there is no value.
    deviation : float
        Their standard deviation.
    """
    known = np.asarray(values, float)
    known = known[np.isfinite(known)]
    if len(known) == 0:
        return float("nan"), float("nan")
    drawn = np.random.default_rng(seed).integers(0, len(known), (RESAMPLES, len(known)))
    means = known[drawn].mean(axis=1)
    return float(means.mean()), float(means.std())


def holm(p: Sequence[float]) -> Array:
    """P-values corrected for their number by Holm's step-down method, in the order given."""
    p_values = np.array(p, float)
    order = np.argsort(p_values, kind="stable")
    scaled = p_values[order] * np.arange(len(p_values), 0, -1)
    corrected = np.empty(len(p_values))
    corrected[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return corrected
