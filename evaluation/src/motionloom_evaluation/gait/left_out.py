"""Cycles at speeds and of people that were left out, beside what the captures show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from motionloom.gait.cycle import GaitBody
from motionloom.gait.space.behaviour import BehaviourSpace, Strides, fit_behaviour
from motionloom.gait.space.coordinates import CycleCoordinates, leg_swing
from motionloom.gait.survey import likeness
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion

Array = NDArray[np.float64]

#: Takes this near to a left-out one in speed are left out with it, metres per second.
GAP = 0.05
#: A newcomer is asked for speeds at least so far from the one at which they were seen.
AWAY = 0.1


@dataclass(frozen=True)
class Miss:
    """How far made cycles are from one captured stride.

    Parameters
    ----------
    behaviour, person, take : str
        Of the stride.
    speed : float, metres per second
        Of the stride.
    kind : str
        ``"interpolated"``, ``"extrapolated"`` or ``"newcomer"``.
    errors : mapping of str to float
        By method: mean distance of the joints over the cycle, metres, at the true root path.
    """

    behaviour: str
    person: str
    take: str
    speed: float
    kind: str
    errors: Mapping[str, float]


@dataclass(frozen=True)
class Likeness:
    """How alike strides of one person are at one speed: nothing made is nearer on average.

    Parameters
    ----------
    behaviour : str
        Of the strides.
    same_take, other_take : float, metres
        Mean distance of joints between two strides of one take, and of different takes; NaN where
        there are no such pairs.
    pairs : tuple of int
        Of both kinds.
    """

    behaviour: str
    same_take: float
    other_take: float
    pairs: tuple[int, int]


Method = Callable[[BehaviourSpace, float, float, str], Array]


def _line(space: BehaviourSpace, pace: float, extra: float, person: str) -> Array:
    del extra
    return space.line.at(pace, 0.0, person)


def _line_known(space: BehaviourSpace, pace: float, extra: float, person: str) -> Array:
    return space.line.at(pace, extra, person)


def _scaled(space: BehaviourSpace, pace: float, extra: float, person: str) -> Array:
    """The person's nearest take, faster or slower."""
    takes = space.line.takes
    own = takes.of(person)
    row: Array = takes.rows[own[int(np.argmin(np.abs(takes.pace[own] - pace)))]]
    return row


def _text(space: BehaviourSpace, pace: float, extra: float, person: str) -> Array:
    """Coefficients of other people by their likeness (Xiao 2009)."""
    weights = likeness(space, person)
    rows = np.stack([space.line.at(pace, 0.0, other) for other in weights])
    mean = np.array(list(weights.values())) @ space.basis.coefficients(rows)
    row: Array = space.basis.mean + mean @ space.basis.axes
    return row


def _mean(space: BehaviourSpace, pace: float, extra: float, person: str) -> Array:
    takes = space.line.takes
    mean: Array = takes.rows[takes.of(person)].mean(axis=0)
    return mean


def _blend(space: BehaviourSpace, pace: float, extra: float, person: str) -> Array:
    """Straight through the two takes nearest in speed, apart by more than nothing."""
    takes = space.line.takes
    own = takes.of(person)
    own = own[np.argsort(np.abs(takes.pace[own] - pace))]
    first = own[0]
    other = next((i for i in own[1:] if abs(takes.pace[i] - takes.pace[first]) > 0.02), None)
    if other is None:
        row: Array = takes.rows[first]
        return row
    share = (pace - takes.pace[other]) / (takes.pace[first] - takes.pace[other])
    blended: Array = share * takes.rows[first] + (1 - share) * takes.rows[other]
    return blended


#: For a left-out speed and for a newcomer.
SPEED_METHODS: dict[str, Method] = {
    "nearest take time-scaled": _scaled,
    "blend of two neighbours": _blend,
    "person's mean": _mean,
    "gait space": _line,
    "gait space, frequency known": _line_known,
}
NEWCOMER_METHODS: dict[str, Method] = {
    "nothing (time-scaled)": _scaled,
    "text's weights": _text,
    "gait space": _line,
    "gait space, frequency known": _line_known,
}


@dataclass(frozen=True, eq=False)
class Bench:
    """Strides of one behaviour, ready to be left out in turn.

    Parameters
    ----------
    behaviour : str
        Theirs.
    strides : Strides
        Of all people, one style.
    bodies : mapping of str to GaitBody
        By person.
    coordinates : CycleCoordinates
        Of the rows.
    """

    behaviour: str
    strides: Strides
    bodies: Mapping[str, GaitBody]
    coordinates: CycleCoordinates

    def takes_of(self, person: str) -> dict[str, float]:
        """Mean speeds of a person's takes."""
        strides = self.strides
        own = [i for i, p in enumerate(strides.persons) if p == person]
        names = dict.fromkeys(strides.takes[i] for i in own)
        return {
            name: float(np.mean([strides.cycles[i].speed for i in own if strides.takes[i] == name]))
            for name in names
        }

    def fit_without(self, person: str, takes: set[str]) -> BehaviourSpace:
        """What is learned when takes of a person are left out."""
        strides = self.strides
        kept = [
            i
            for i, (p, take) in enumerate(zip(strides.persons, strides.takes, strict=True))
            if not (p == person and take in takes)
        ]
        swing = leg_swing(self.coordinates, next(iter(self.bodies.values())))
        return fit_behaviour(self.behaviour, strides.of(kept), swing)

    def miss(
        self, space: BehaviourSpace, stride: int, kind: str, methods: Mapping[str, Method]
    ) -> Miss:
        """How far every method is from a stride."""
        strides = self.strides
        cycle = strides.cycles[stride]
        pace = float(strides.pace[stride])
        height = float(strides.hip_heights[stride])
        usual = space.law.at(cycle.speed, height, cycle.person)
        extra = float(np.clip(np.log(cycle.frequency / usual), -0.3, 0.3))
        body = self.bodies[cycle.person]
        true = _positions(body, cycle.rotations)
        errors = {}
        for name, method in methods.items():
            row = method(space, pace, extra, cycle.person)
            made = _positions(body, self.coordinates.to_pose(row, height)[0])
            errors[name] = float(np.linalg.norm(made - true, axis=-1).mean())
        return Miss(
            behaviour=self.behaviour,
            person=cycle.person,
            take=strides.takes[stride],
            speed=cycle.speed,
            kind=kind,
            errors=errors,
        )

    def strides_of(self, person: str, take: str) -> Iterator[int]:
        """Indices of a take's strides."""
        for i, (p, t) in enumerate(zip(self.strides.persons, self.strides.takes, strict=True)):
            if (p, t) == (person, take):
                yield i


def _positions(body: GaitBody, rotations: Array) -> Array:
    """Places of the joints about the root, (N, J, 3): the root's path is the true one."""
    still = np.zeros((len(rotations), 1, 3))
    motion = Motion(body.skeleton, rotations, still, 0.01, (body.root,))
    return forward_kinematics(motion).positions


def leave_speeds_out(bench: Bench, gap: float = GAP) -> list[Miss]:
    """Every take of people with three speeds and more, made from the other speeds.

    Parameters
    ----------
    bench : Bench
        Strides.
    gap : float, metres per second
        Takes nearer than this in speed are left out with a take.

    Returns
    -------
    list of Miss
        Stride by stride.
    """
    found = []
    for person in dict.fromkeys(bench.strides.persons):
        takes = bench.takes_of(person)
        for take, speed in takes.items():
            near = {other for other, v in takes.items() if other == take or abs(v - speed) < gap}
            rest = [v for other, v in takes.items() if other not in near]
            if len(rest) < 2:
                continue
            inside = min(rest) < speed < max(rest)
            kind = "interpolated" if inside else "extrapolated"
            space = bench.fit_without(person, near)
            for stride in bench.strides_of(person, take):
                found.append(bench.miss(space, stride, kind, SPEED_METHODS))
    return found


def compare_strides(bench: Bench, gap: float = GAP) -> Likeness:
    """How far strides of one person at one speed are from each other.

    Parameters
    ----------
    bench : Bench
        Strides.
    gap : float, metres per second
        Strides of different takes count that are nearer than this in speed.

    Returns
    -------
    Likeness
    """
    strides = bench.strides
    posed = [_positions(bench.bodies[c.person], c.rotations) for c in strides.cycles]
    same: list[float] = []
    other: list[float] = []
    for i, j in combinations(range(len(posed)), 2):
        a, b = strides.cycles[i], strides.cycles[j]
        take = strides.takes[i] == strides.takes[j]
        if a.person != b.person or (not take and abs(a.speed - b.speed) >= gap):
            continue
        (same if take else other).append(float(np.linalg.norm(posed[i] - posed[j], axis=-1).mean()))
    means = [float(np.mean(found)) if found else float("nan") for found in (same, other)]
    return Likeness(bench.behaviour, means[0], means[1], (len(same), len(other)))


def leave_people_out(bench: Bench) -> list[Miss]:
    """Every person with two speeds and more, seen in one take only and made at other speeds.

    Parameters
    ----------
    bench : Bench
        Strides.

    Returns
    -------
    list of Miss
        Stride by stride; empty where there is one person.
    """
    found = []
    people = list(dict.fromkeys(bench.strides.persons))
    for person in people if len(people) > 1 else []:
        takes = bench.takes_of(person)
        if max(takes.values()) - min(takes.values()) < AWAY:
            continue
        for seen, speed in takes.items():
            space = bench.fit_without(person, set(takes) - {seen})
            for take in takes:
                for stride in bench.strides_of(person, take):
                    if abs(bench.strides.cycles[stride].speed - speed) >= AWAY:
                        found.append(bench.miss(space, stride, "newcomer", NEWCOMER_METHODS))
    return found
