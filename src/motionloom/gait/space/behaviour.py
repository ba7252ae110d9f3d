"""BehaviourSpace: all that is learned of walking, or of running.

How strides of one take differ, so that repeated cycles are no copies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from motionloom.declared import NUMBER, SINGLE, Count, Finite, Positive, Range, Shape
from motionloom.gait.cycle import GaitCycle
from motionloom.gait.space._speed_line import (
    FrequencyLaw,
    SpeedLine,
    SpeedOptions,
    Takes,
    fit_frequency,
    fit_speed_line,
)
from motionloom.gait.space.coordinates import CycleCoordinates, GaitBasis, fit_basis
from motionloom.reports import shown
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array, Bools, Ints

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
    rows: Array, takes: NDArray[Any], persons: NDArray[np.str_], frequency: Array
) -> StrideVariation:
    """How strides differ from their take's mean.

    Parameters
    ----------
    rows : array of shape (R, D)
        Of strides.
    takes : array of shape (R,)
        Theirs, names or numbers.
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


#: How far in pace, 1/s, contacts of takes are averaged; other people's count this much beside own.
CONTACT_REACH = 0.25
OTHERS_COUNT = 0.05
#: Of a longer step so much comes from a farther swing at the hips; chosen on captures.
HIPS_SHARE = 0.6


@dataclass(frozen=True, eq=False)
class StyleOffset:
    """What a style adds to the ordinary way.

    Parameters
    ----------
    row : array of shape (D,)
        Added to rows.
    frequency : float
        Added to log frequencies.
    takes : int
        How many it is the mean of.
    pace : tuple of float, 1/s
        Slowest and fastest of them.
    """

    row: Annotated[Array, Shape("D"), NUMBER, SINGLE]
    frequency: Finite
    takes: Count
    pace: tuple[Positive, Positive]
    __setstate__ = restore_read_only


@dataclass(frozen=True, eq=False)
class BehaviourSpace:
    """One behaviour at any speed, of anybody.

    Parameters
    ----------
    basis : GaitBasis
        Principal components of all people's strides.
    line : SpeedLine
        Rows over speed.
    law : FrequencyLaw
        Step frequency over speed.
    variation : StrideVariation
        Between strides.
    styles : mapping of str to StyleOffset
        By name.
    contacts : array of shape (T, N, F)
        Share of each take's strides in which a point of the soles is down.
    components : mapping of str to tuple of int
        By person, how many components of a basis of their own hold 90 and 95 %, and of how many
        strides it is; empty for a person with one stride.
    """

    basis: GaitBasis
    line: SpeedLine
    law: FrequencyLaw
    variation: StrideVariation
    styles: Mapping[str, StyleOffset]
    contacts: Annotated[Array, Shape("T", "N", "F"), Range(0, 1), SINGLE]
    components: Mapping[str, tuple[Count, Count, Count]] = field(default_factory=dict)
    __setstate__ = restore_read_only

    def down_at(self, pace: float, person: str) -> Bools:
        """Which points of the soles are down over a cycle, shape (N, F)."""
        takes = self.line.takes
        weights = np.exp(-0.5 * ((takes.pace - pace) / CONTACT_REACH) ** 2) + 1e-12
        own = takes.of(person)
        scale = np.full(len(weights), OTHERS_COUNT if len(own) else 1.0)
        scale[own] = 1.0
        weights = weights * scale
        share = np.tensordot(weights / weights.sum(), self.contacts, axes=1)
        return share > 0.5


@dataclass(frozen=True, eq=False)
class Strides:
    """Captured strides of one behaviour as rows.

    Parameters
    ----------
    cycles : tuple of GaitCycle
        R of them.
    rows : array of shape (R, D)
        Theirs.
    hip_heights : array of shape (R,), metres
        Of whose they are.
    takes, styles : tuple of str
        Theirs.
    """

    cycles: tuple[GaitCycle, ...]
    rows: Array
    hip_heights: Array
    takes: tuple[str, ...]
    styles: tuple[str, ...]

    @property
    def pace(self) -> Array:
        """Speeds over hip heights, shape (R,), 1/s."""
        return np.array([cycle.speed for cycle in self.cycles]) / self.hip_heights

    @property
    def frequency(self) -> Array:
        """Cycles per second, shape (R,)."""
        return np.array([cycle.frequency for cycle in self.cycles])

    @property
    def persons(self) -> tuple[str, ...]:
        """Whose they are."""
        return tuple(cycle.person for cycle in self.cycles)

    def of_style(self, style: str) -> Strides:
        """Those of a style."""
        return self.of([i for i, own in enumerate(self.styles) if own == style])

    def of(self, indices: Sequence[int] | Ints) -> Strides:
        """Some of them."""
        chosen = list(map(int, indices))
        return Strides(
            tuple(self.cycles[i] for i in chosen),
            self.rows[chosen],
            self.hip_heights[chosen],
            tuple(self.takes[i] for i in chosen),
            tuple(self.styles[i] for i in chosen),
        )


def to_strides(
    cycles: Sequence[GaitCycle],
    hip_heights: Sequence[float],
    takes: Sequence[str],
    styles: Sequence[str],
    coordinates: CycleCoordinates,
) -> Strides:
    """Cycles as rows."""
    rows = [coordinates.to_row(c, h) for c, h in zip(cycles, hip_heights, strict=True)]
    return Strides(
        tuple(cycles), np.stack(rows), np.array(hip_heights), tuple(takes), tuple(styles)
    )


def fit_behaviour(
    behaviour: str, strides: Strides, swing: Callable[[Array], Array]
) -> BehaviourSpace:
    """Learn one behaviour.

    Parameters
    ----------
    behaviour : str
        ``"walk"`` or ``"run"``.
    strides : Strides
        Of this behaviour. Those without a style are the ordinary ones, or those of the most
        frequent style where all have one.
    swing : callable
        What a row gains when its legs swing farther; `leg_swing`.

    Returns
    -------
    BehaviourSpace
    """
    options = SpeedOptions()
    ordinary = _ordinary(strides.styles)
    plain = strides.of_style(ordinary)
    takes, contacts, frequency = _take_means(plain)
    law = fit_frequency(behaviour, takes.pace, frequency, takes.persons)
    takes = _with_extra(takes, frequency, law)
    basis = fit_basis(plain.rows, options.components)
    expected = _expected_slopes(takes.rows.mean(axis=0), float(takes.pace.mean()), law, swing)
    line = fit_speed_line(takes, basis, options, expected)
    return BehaviourSpace(
        basis=basis,
        line=line,
        law=law,
        variation=fit_variation(
            strides.rows, np.array(strides.takes), np.array(strides.persons), strides.frequency
        ),
        styles=_styles(strides, ordinary, line, law),
        contacts=contacts,
        components=_own_components(plain),
    )


def _expected_slopes(
    row: Array, pace: float, law: FrequencyLaw, swing: Callable[[Array], Array]
) -> Array:
    """How a cycle is expected to change: legs swing as far as steps are long.

    A step's length goes with pace over frequency, hence with ``V^(1 - b)``.

    Parameters
    ----------
    row : array of shape (D,)
        Mean cycle.
    pace : float, 1/s
        Of that cycle.
    law : FrequencyLaw
        Its exponent counts.
    swing : callable
        What a row gains when its legs swing a little farther, per unit; see `leg_swing`.

    Returns
    -------
    array of shape (2, D)
        Per pace, and per log frequency.
    """
    farther = HIPS_SHARE * swing(row)
    return np.stack([farther * (1.0 - law.b) / pace, -farther])


def _ordinary(styles: Sequence[str]) -> str:
    return "" if "" in styles else max(dict.fromkeys(styles), key=list(styles).count)


def _take_means(strides: Strides) -> tuple[Takes, Array, Array]:
    """Takes, their mean contacts and their cycles per second."""
    names = tuple(dict.fromkeys(strides.takes))
    index = [[i for i, take in enumerate(strides.takes) if take == name] for name in names]
    down = [np.mean([strides.cycles[i].contacts for i in own], axis=0) for own in index]
    frequency = np.array([strides.frequency[own].mean() for own in index])
    takes = Takes(
        rows=np.stack([strides.rows[own].mean(axis=0) for own in index]),
        pace=np.array([strides.pace[own].mean() for own in index]),
        extra=np.zeros(len(names)),
        strides=np.array([len(own) for own in index], float),
        persons=tuple(strides.persons[own[0]] for own in index),
        names=names,
    )
    return takes, np.stack(down), frequency


def _with_extra(takes: Takes, frequency: Array, law: FrequencyLaw) -> Takes:
    factors = np.array([law.factors.get(person, 1.0) for person in takes.persons])
    expected = factors * law.a * takes.pace**law.b
    return replace(takes, extra=np.log(frequency / expected))


def _own_components(strides: Strides) -> dict[str, tuple[int, int, int]]:
    persons = np.array(strides.persons)
    found = {}
    for person in dict.fromkeys(strides.persons):
        rows = strides.rows[persons == person]
        if len(rows) > 1:
            basis = fit_basis(rows, 1)
            found[person] = (basis.count_for(0.9), basis.count_for(0.95), len(rows))
    return found


def _styles(
    strides: Strides, ordinary: str, line: SpeedLine, law: FrequencyLaw
) -> dict[str, StyleOffset]:
    found = {}
    for style in dict.fromkeys(strides.styles):
        if style != ordinary:
            found[style] = _style_offset(strides.of_style(style), line, law)
    if ordinary:
        nothing = np.zeros(line.intercept.shape)
        found[ordinary] = StyleOffset(nothing, 0.0, len(line.takes.names), line.takes.range)
    return found


def _style_offset(strides: Strides, line: SpeedLine, law: FrequencyLaw) -> StyleOffset:
    """Mean difference of a style's takes from what the same people do at those speeds."""
    takes, _, frequency = _take_means(strides)
    extra = _with_extra(takes, frequency, law).extra
    ordinary = np.stack(
        [line.at(v, 0.0, p) for v, p in zip(takes.pace, takes.persons, strict=True)]
    )
    row = (takes.rows - ordinary).mean(axis=0)
    return StyleOffset(row, float(extra.mean()), len(takes.names), takes.range)


#: Beyond captured speeds trust reaches this far, in pace (speed over hip height, 1/s): for a person
#: with takes at several speeds, for one moved along the population's line, and for the population.
BEYOND = {"own": 0.35, "shifted": 0.25, "population": 0.25}
#: Takes that lie at least so far apart in pace, 1/s, tell how a person changes with speed.
APART = 0.15


@dataclass(frozen=True)
class Trust:
    """Range of speeds of one person's behaviour, metres per second.

    Parameters
    ----------
    captured : tuple of float
        Slowest and fastest take that it rests on.
    trusted : tuple of float
        What a cycle may be asked for: captured, and somewhat beyond.
    strides : int
        Number of captured cycles behind it.
    basis : str
        What it rests on: ``"own"`` (the person's takes at several speeds), ``"shifted"`` (the
        population's line, moved by the person's takes at about one speed) or ``"population"``.
    """

    captured: tuple[float, float] = field(metadata=shown("captured from, to", "m/s"))
    trusted: tuple[float, float] = field(metadata=shown("trusted from, to", "m/s"))
    strides: int = field(metadata=shown("strides"))
    basis: str = field(metadata=shown("rests on"))

    def covers(self, speed: float) -> bool:
        """Whether a speed lies in the trusted range."""
        return self.trusted[0] <= speed <= self.trusted[1]


def trust_of(
    space: BehaviourSpace, person: str, hip_height: float, style: tuple[float, float] | None
) -> Trust:
    """Range of one behaviour.

    Parameters
    ----------
    space : BehaviourSpace
        The behaviour.
    person : str
        Whose; somebody without takes rests on the population.
    hip_height : float, metres
        Of the body asked for.
    style : tuple of float or None, 1/s
        Paces of a style's takes, where one is asked for.

    Returns
    -------
    Trust
    """
    takes = space.line.takes
    own = takes.of(person)
    everybody = takes.range
    basis = "population"
    pace = everybody
    strides = takes.strides.sum()
    if len(own):
        pace = (float(takes.pace[own].min()), float(takes.pace[own].max()))
        strides = takes.strides[own].sum()
        basis = "own" if pace[1] - pace[0] >= APART else "shifted"
    reach = pace if style is None else style
    # Along the population's line people may go wherever others have been.
    along = basis == "shifted" and style is None
    low = min(reach[0] - BEYOND[basis], everybody[0] if along else np.inf)
    high = max(reach[1] + BEYOND[basis], everybody[1] if along else -np.inf)
    low = max(low, 0.5 * min(pace[0], everybody[0]))
    return Trust(
        (pace[0] * hip_height, pace[1] * hip_height),
        (float(low) * hip_height, float(high) * hip_height),
        int(strides),
        basis,
    )
