"""How far a task or a motion is from the takes, and what share of takes would be as far.

Distances are standard deviations (Mahalanobis), and a distance alone says little: in K dimensions
takes themselves are at about the square root of K. Shares can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, chdtri, fdtrc

from motionloom.typing import Array

#: An edit is fine where this share of takes or more is as far, outside what takes know below the
#: second. Of takes that were left out (nine families of raised hands, serves and forehands) 0 to
#: 11 % fell below the first by what they hit, none below the second.
FINE, FAR = 0.05, 0.001
#: What cannot be met is no reason to go farther than so many times what all but `FINE` takes do.
_WILD = 2.0
#: A take is as far as itself, whatever the rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Rarity:
    """How far something is from the takes.

    Parameters
    ----------
    sigmas : float
        Distance from their mean, standard deviations.
    share : float
        Share of takes, from 0 to 1, that are as far or are expected to be.
    """

    sigmas: float
    share: float


def rarity_of_task(missed: Array, soft: float) -> Rarity:
    """Compare what a task asks for with what takes do at that moment.

    It depends on the takes and the task alone, not on the motion that an edit began with.

    Parameters
    ----------
    missed : array of shape (d, R), metres
        What every take misses the task by.
    soft : float, metres
        What the task may be missed by; it counts as noise of its standard deviation.

    Returns
    -------
    Rarity
        Beyond all takes its share is that of new takes of the same normal distribution, known from
        d takes only: Hotelling's T-squared.
    """
    count, rows = missed.shape
    middle = missed.mean(axis=0)
    points = np.vstack([middle, missed - middle])  # what is asked for, then what takes do
    away = points[1:]
    covariance = away.T @ away / (count - 1) + soft**2 * np.eye(rows)
    squared, *of_takes = np.sum(points * np.linalg.solve(covariance, points.T).T, axis=1)
    free = max(count - rows, 1)  # with fewer takes than that nothing is far
    ratio = squared * free * count / (rows * (count - 1) * (count + 1))
    return _rarity(squared, np.array(of_takes), float(fdtrc(rows, free, ratio)))


def rarity_of_motion(unknowns: Array, takes: Array) -> Rarity:
    """Compare a whole motion with the takes.

    Parameters
    ----------
    unknowns : array of shape (U,)
        Its coefficients and what is added to them, standard deviations.
    takes : array of shape (d, K)
        Coefficients of the takes.

    Returns
    -------
    Rarity
        Beyond all takes its share is that of the chi-squared distribution with K degrees of
        freedom.
    """
    squared = float(unknowns @ unknowns)
    return _rarity(squared, np.sum(takes**2, axis=1), float(chdtrc(takes.shape[1], squared)))


def _rarity(squared: float, of_takes: Array, expected: float) -> Rarity:
    """The share of these takes that are as far, or the expected one where that is more."""
    share = float(np.mean(of_takes >= squared * (1 - _ROUNDING)))
    return Rarity(float(np.sqrt(squared)), max(share, expected))


def rarest(several: list[Rarity]) -> Rarity:
    """The rarest of several, at least one; one of many is rare more often (Bonferroni)."""
    worst = min(several, key=lambda one: (one.share, -one.sigmas))
    return Rarity(worst.sigmas, min(worst.share * len(several), 1.0))


def wild_distance(components: int) -> float:
    """Standard deviations that no motion of K eigen-motions should be from the mean."""
    return _WILD * float(np.sqrt(chdtri(components, FINE)))
