"""Running means."""

from __future__ import annotations

import numpy as np

from motionloom.typing import Array


def running_means(values: Array, count: int) -> Array:
    """Means of so many rows that follow each other.

    Parameters
    ----------
    values : array of shape (N, ...)
    count : int
        1 to N.

    Returns
    -------
    array of shape (N - `count` + 1, ...)
    """
    # One running sum: each mean is one difference, however many rows it is of.
    sums = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])
    return np.asarray((sums[count:] - sums[:-count]) / count)


def means_around(values: Array, count: int) -> Array:
    """Means of so many rows around each, shape (N, ...); at the ends as beside them.

    Parameters
    ----------
    values : array of shape (N, ...)
    count : int
        All rows where there are fewer.

    Returns
    -------
    array of shape (N, ...)
    """
    count = min(count, len(values))
    means = running_means(values, count)
    at = np.arange(len(values)) - (count - 1) // 2
    return means[np.clip(at, 0, len(means) - 1)]
