"""How often people step at a speed: f = a V^b, V the speed over the hips' height."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.declared import Finite, Positive
from motionloom.typing import Array

#: Law of walking by Inman et al. (1981) as Xiao (2009) gives it, and what people are expected to
#: do running where too few speeds are known: cycles per second.
EXPECTED = {"walk": (0.743, 0.5), "run": (1.0, 0.2)}
#: Speeds are spread over this much, as a standard deviation of log V, before their own exponent
#: counts as much as the expected one.
_SPREAD = 0.1


@dataclass(frozen=True)
class FrequencyLaw:
    """Cycles per second of one behaviour.

    Parameters
    ----------
    a, b : float
        Of ``a V^b``, V in 1/s.
    factors : mapping of str to float
        By person, what the law is multiplied by.
    rms : float
        Of log frequencies of the takes about the law with these factors: 0.06 is 6 %.
    pooled_rms : float
        The same with one factor for all people.
    """

    a: Positive
    b: Finite
    factors: Mapping[str, Positive]
    rms: Finite
    pooled_rms: Finite

    def at(self, speed: float, hip_height: float, person: str = "") -> float:
        """Cycles per second.

        Parameters
        ----------
        speed : float, metres per second
            Above 0.
        hip_height : float, metres
            Of who walks.
        person : str
            Whose factor counts; nobody's for another name.

        Returns
        -------
        float
        """
        own = self.factors.get(person, 1.0)
        return float(own * self.a * (speed / hip_height) ** self.b)


def fit_frequency(
    behaviour: str, pace: Array, frequency: Array, persons: Sequence[str]
) -> FrequencyLaw:
    """Fit a law to takes: one exponent for all, a factor for each person.

    Parameters
    ----------
    behaviour : str
        Whose expected exponent counts where speeds hardly differ.
    pace : array of shape (T,), 1/s
        Speeds over hip heights.
    frequency : array of shape (T,), cycles per second
        Of the same takes.
    persons : sequence of str
        Theirs.

    Returns
    -------
    FrequencyLaw
    """
    x = np.log(pace)
    y = np.log(frequency)
    names = np.array(persons)
    within = np.zeros((2, len(x)))
    for person in dict.fromkeys(persons):
        own = names == person
        within[:, own] = x[own] - x[own].mean(), y[own] - y[own].mean()
    expected = EXPECTED[behaviour][1]
    prior = _SPREAD**2
    b = float((within[0] @ within[1] + prior * expected) / (within[0] @ within[0] + prior))
    b = min(max(b, 0.0), 1.0)  # nobody steps less often to be faster, or with shorter steps
    level = {p: float((y - b * x)[names == p].mean()) for p in dict.fromkeys(persons)}
    middle = float(np.mean(list(level.values())))
    factors = {p: float(np.exp(own - middle)) for p, own in level.items()}
    left = y - b * x - np.array([level[p] for p in persons])
    pooled = y - b * x - middle
    return FrequencyLaw(
        a=float(np.exp(middle)),
        b=b,
        factors=factors,
        rms=float(np.sqrt(np.mean(left**2))),
        pooled_rms=float(np.sqrt(np.mean(pooled**2))),
    )
