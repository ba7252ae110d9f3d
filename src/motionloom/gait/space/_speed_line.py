"""Rows over speed: the population's line, each person's offset and slope, and what is near.

How often people step at a speed: f = a V^b, V the speed over the hips' height.

A Gaussian process: the mean is the population's line, linear in pace (speed over hip height) and
in how much more often than by the law somebody steps; slopes lie in the leading components. Each
person has an offset, an own slope and a smooth remainder on top, which are carried in full, outside
the basis. With one take the offset is taken over in part, with many wholly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom.declared import LARGEST, MOST, NUMBER, SINGLE, Count, Finite, Positive, Range, Shape
from motionloom.gait.space.coordinates import GaitBasis
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array, Ints


@dataclass(frozen=True)
class SpeedOptions:
    """Variances of the parts, relative to each other; chosen on captures.

    Parameters
    ----------
    offset : float
        Between people.
    slopes : tuple of float
        Of a person's own slope over pace and over log frequency.
    near : float
        Of the smooth remainder.
    reach : tuple of float
        How far in pace (1/s) and log frequency the remainder of a take reaches.
    take, stride : float
        Of takes about the person, and of strides about their take.
    ridge : float
        Holds the population's slopes small where speeds hardly differ.
    components : int
        Leading components that the population's slopes lie in.
    """

    offset: Positive = 0.3
    slopes: tuple[Positive, Positive] = (0.25, 0.5)
    near: Positive = 0.05
    reach: tuple[Positive, Positive] = (0.22, 0.1)
    take: Positive = 0.01
    stride: Positive = 0.02
    ridge: Positive = 0.5
    components: Count = 10


@dataclass(frozen=True, eq=False)
class Takes:
    """Mean rows of takes: what a line is fitted to.

    Parameters
    ----------
    rows : array of shape (T, D)
        Mean row of each take's strides.
    pace : array of shape (T,), 1/s
        Speed over hip height.
    extra : array of shape (T,)
        Log of the frequency over the law's for that person.
    strides : array of shape (T,)
        How many each is the mean of.
    persons : tuple of str
        Theirs.
    names : tuple of str
        Of the takes.
    """

    rows: Annotated[Array, Shape("T", "D"), NUMBER, SINGLE]
    pace: Annotated[Array, Shape("T"), Range(1e-6, LARGEST, "1/s")]
    extra: Annotated[Array, Shape("T"), Range(-100, 100)]
    strides: Annotated[Array, Shape("T"), Range(1, MOST)]
    persons: Annotated[tuple[str, ...], Shape("T")]
    names: Annotated[tuple[str, ...], Shape("T")]
    __setstate__ = restore_read_only

    @property
    def places(self) -> Array:
        """Pace and extra frequency, shape (T, 2)."""
        return np.column_stack([self.pace, self.extra])

    @property
    def range(self) -> tuple[float, float]:
        """Least and largest pace."""
        return float(self.pace.min()), float(self.pace.max())

    def of(self, person: str) -> Ints:
        """Indices of a person's takes."""
        return np.flatnonzero(np.array(self.persons) == person)


@dataclass(frozen=True, eq=False)
class SpeedLine:
    """Rows at any pace, of anybody.

    Parameters
    ----------
    intercept : array of shape (D,)
        Mean over people of their rows at `centre`.
    slopes : array of shape (2, D)
        Change of the row with pace and with extra frequency, shared by all.
    centre : array of shape (2,)
        Pace and extra frequency of the intercept.
    takes : Takes
        What people's own parts are found from.
    options : SpeedOptions
        Variances.
    """

    intercept: Annotated[Array, Shape("D"), NUMBER, SINGLE]
    slopes: Annotated[Array, Shape(2, "D"), NUMBER, SINGLE]
    centre: Annotated[Array, Shape(2), NUMBER]
    takes: Takes
    options: SpeedOptions
    __setstate__ = restore_read_only

    def population(self, places: Array) -> Array:
        """The population's rows (..., D) at paces and extra frequencies (..., 2)."""
        return self.intercept + (places - self.centre) @ self.slopes

    def at(self, pace: float, extra: float = 0.0, person: str = "") -> Array:
        """The row of a person, or of nobody in particular.

        Parameters
        ----------
        pace : float, 1/s
            Speed over hip height.
        extra : float
            Log of the frequency over what the person's law says.
        person : str
            Somebody without takes is nobody in particular.

        Returns
        -------
        array of shape (D,)
        """
        place = np.array([[pace, extra]])
        row: Array = self.population(place)[0]
        own = self.takes.of(person)
        if len(own) == 0:
            return row
        return row + self.weights(place, own) @ (
            self.takes.rows[own] - self.population(self.takes.places[own])
        )

    def weights(self, place: Array, own: Ints) -> Array:
        """How much each of a person's takes counts at a place (1, 2), shape (T,)."""
        known = self.takes.places[own]
        centre = known.mean(axis=0)
        noise = self.options.take + self.options.stride / self.takes.strides[own]
        among = self._covariance(known, known, centre) + np.diag(noise)
        found = np.linalg.solve(among, self._covariance(known, place, centre)[:, 0])
        return np.asarray(found, np.float64)

    def _covariance(self, a: Array, b: Array, centre: Array) -> Array:
        options = self.options
        apart = (a[:, None] - b[None]) / np.array(options.reach)
        smooth = options.near * np.exp(-0.5 * (apart**2).sum(axis=-1))
        linear = ((a - centre) * np.array(options.slopes)) @ (b - centre).T
        return np.asarray(options.offset + linear + smooth)


def fit_speed_line(
    takes: Takes, basis: GaitBasis, options: SpeedOptions, expected: Array
) -> SpeedLine:
    """Fit the population's line.

    Parameters
    ----------
    takes : Takes
        Of one behaviour, all people.
    basis : GaitBasis
        Slopes lie in its leading components.
    options : SpeedOptions
        Variances.
    expected : array of shape (2, D)
        Slopes that are taken where speeds hardly differ.

    Returns
    -------
    SpeedLine
    """
    people = list(dict.fromkeys(takes.persons))
    places = takes.places
    square = options.ridge * np.eye(2)
    moment = np.zeros((2, takes.rows.shape[1]))
    for person in people:
        own = takes.of(person)
        away = places[own] - places[own].mean(axis=0)
        square = square + away.T @ away
        left = takes.rows[own] - takes.rows[own].mean(axis=0) - away @ expected
        moment += away.T @ left
    further = np.asarray(np.linalg.solve(square, moment), np.float64)
    slopes: Array = expected + basis.keep(further)
    centre = _mean_of_people(places, takes, people)
    rows = takes.rows - (places - centre) @ slopes
    return SpeedLine(_mean_of_people(rows, takes, people), slopes, centre, takes, options)


def _mean_of_people(values: Array, takes: Takes, people: Sequence[str]) -> Array:
    return np.mean([values[takes.of(person)].mean(axis=0) for person in people], axis=0)


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
