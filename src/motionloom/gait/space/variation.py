"""How strides of one take differ, so that repeated cycles are no copies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from motionloom.declared import NUMBER, SINGLE, Finite, Positive, Shape
from motionloom.gait.space.basis import fit_basis
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array, Ints

#: Components of stride variation that are kept.
COMPONENTS = 8
#: A person's own amount counts from this many strides beyond one per take.
_ENOUGH = 4
#: Nobody varies more than this times the others.
_MOST = 2.0
#: Larger spreads of log frequency are of takes whose speed changes.
_MOST_FREQUENCY = 0.05


@dataclass(frozen=True, eq=False)
class StrideVariation:
    """Standard deviation between strides.

    Parameters
    ----------
    axes : array of shape (K, D)
        Components, scaled by their standard deviations.
    amounts : mapping of str to float
        By person, what the deviations are multiplied by; 1 for others.
    frequency : float
        Standard deviation of log frequency between strides.
    """

    axes: Annotated[Array, Shape("k", "D"), NUMBER, SINGLE]
    amounts: Mapping[str, Positive]
    frequency: Finite
    __setstate__ = restore_read_only

    def draw(self, rng: np.random.Generator, person: str = "") -> tuple[Array, float]:
        """One stride's difference from the mean: of the row (D,), and of log frequency."""
        amount = self.amounts.get(person, 1.0)
        # Beyond two standard deviations a stride is a stumble.
        drawn = np.clip(rng.standard_normal(len(self.axes) + 1), -2.0, 2.0) * amount
        return drawn[:-1] @ self.axes, float(drawn[-1] * self.frequency)


def fit_variation(
    rows: Array, takes: Ints, persons: NDArray[np.str_], frequency: Array
) -> StrideVariation:
    """How strides differ from their take's mean.

    Parameters
    ----------
    rows : array of shape (R, D)
        Of strides.
    takes : int array of shape (R,)
        Theirs.
    persons : str array of shape (R,)
        Theirs.
    frequency : array of shape (R,), cycles per second
        Of the strides.

    Returns
    -------
    StrideVariation
        Without components where no take has two strides.
    """
    away = np.zeros_like(rows)
    beats = np.zeros(len(rows))
    freedom = np.zeros(len(rows))
    for take in np.unique(takes):
        own = takes == take
        away[own] = rows[own] - rows[own].mean(axis=0)
        beats[own] = np.log(frequency[own]) - np.log(frequency[own]).mean()
        freedom[own] = 1.0 - 1.0 / own.sum()
    if freedom.sum() == 0.0:
        return StrideVariation(np.zeros((0, rows.shape[1])), {}, 0.0)
    basis = fit_basis(away, COMPONENTS)
    grown = len(rows) / freedom.sum()
    sizes = np.sqrt(basis.variances[: len(basis.axes)] * grown)
    usual = (away**2).sum() / freedom.sum()
    amounts = {}
    for person in np.unique(persons):
        own = persons == person
        if freedom[own].sum() >= _ENOUGH:
            amount = np.sqrt((away[own] ** 2).sum() / freedom[own].sum() / usual)
            amounts[str(person)] = float(min(amount, _MOST))
    spread = min(float(np.sqrt((beats**2).sum() / freedom.sum())), _MOST_FREQUENCY)
    return StrideVariation(basis.axes * sizes[:, None], amounts, spread)
