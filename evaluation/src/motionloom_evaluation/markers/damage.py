"""Trials of markers with known damage: what tracking makes of it, against the undamaged solve.

Every kind of damage is drawn by a seed and remembered, so that what was found can be counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.fitting.limbs import match_markers
from motionloom.fitting.marker_model import MarkerModel
from motionloom.fitting.tracking import TrackedMotion, follow, track
from motionloom.kinematics import forward_kinematics
from motionloom.marker_motion import MarkerSequence

Array = NDArray[np.float64]
Solve = Callable[[MarkerModel, MarkerSequence], TrackedMotion]

#: Seconds that swaps and jumps last, and free time on both sides of them.
_SPAN = (0.05, 0.5)
_FREE = 0.2
#: Markers that are exchanged are at least this far apart, and jumps this far, metres.
_LEAST = 0.05
_FARTHEST_JUMP = 0.2
_TRIES = 4000


@dataclass(frozen=True)
class Harm:
    """One damaged stretch.

    Parameters
    ----------
    markers : tuple of int
        One marker, or the two that were exchanged.
    first, stop : int
        First frame, and the frame behind the last.
    """

    markers: tuple[int, ...]
    first: int
    stop: int


@dataclass(frozen=True, eq=False)
class Damaged:
    """A trial with damage and the list of it.

    Parameters
    ----------
    kind : str
        What was done.
    markers : MarkerSequence
        The damaged trial.
    harms : tuple of Harm
        Where.
    joint : int
        Of a lost segment its joint, else -1.
    """

    kind: str
    markers: MarkerSequence
    harms: tuple[Harm, ...] = ()
    joint: int = -1


@dataclass(frozen=True)
class DamageResult:
    """How far off a damaged trial was solved.

    Parameters
    ----------
    kind : str
        What was done to the trial.
    way : str
        ``"causal"`` or ``"smoothed"``.
    mean, worst : float, centimetres
        Mean over harmed frames of the distance of all told joints from the undamaged solve, and the
        largest of any told joint in any frame.
    worst_of_all : float, centimetres
        The largest, joints that were masked included.
    harms, found : int
        Number of swaps, jumps or lost segments, and how many of them were found.
    false : float
        Samples taken for bad per thousand that were good.
    """

    kind: str
    way: str
    mean: float
    worst: float
    worst_of_all: float
    harms: int
    found: int
    false: float


def lose_markers(
    markers: MarkerSequence, rng: np.random.Generator, count: int = 5, seconds: float = 1.5
) -> Damaged:
    """Some markers are gone together for a while, as those of an occluded side are.

    Parameters
    ----------
    markers : MarkerSequence
        The trial.
    rng : numpy.random.Generator
        Draws markers and time.
    count : int, optional
        Markers.
    seconds : float, optional
        How long.

    Returns
    -------
    Damaged
        With one harm per marker.
    """
    gone = rng.choice(len(markers.labels), count, replace=False)
    first, stop = _span_of(markers, rng, seconds)
    valid = markers.valid.copy()
    valid[first:stop, gone] = False
    harms = tuple(Harm((int(m),), first, stop) for m in gone)
    return Damaged(f"{count} markers gone {seconds:g} s", replace(markers, valid=valid), harms)


def lose_segment(
    model: MarkerModel, markers: MarkerSequence, rng: np.random.Generator, seconds: float = 1.0
) -> Damaged:
    """All markers of one segment are gone for a while.

    Parameters
    ----------
    model : MarkerModel
        Says which markers move together.
    markers : MarkerSequence
        The model's markers.
    rng : numpy.random.Generator
        Draws the segment and the time.
    seconds : float, optional
        How long.

    Returns
    -------
    Damaged
        With one harm.
    """
    joint = int(rng.choice(np.unique(model.joints[model.joints > 0])))
    gone = np.flatnonzero(model.joints == joint)
    first, stop = _span_of(markers, rng, seconds)
    valid = markers.valid.copy()
    valid[first:stop, gone] = False
    harm = Harm(tuple(gone.tolist()), first, stop)
    return Damaged(f"a segment gone {seconds:g} s", replace(markers, valid=valid), (harm,), joint)


def drop_samples(markers: MarkerSequence, rng: np.random.Generator, share: float = 0.3) -> Damaged:
    """A share of all samples is gone, each by itself."""
    valid = markers.valid & (rng.random(markers.valid.shape) >= share)
    harms = tuple(Harm((m,), 0, markers.n_frames) for m in range(len(markers.labels)))
    kind = f"{100 * share:g} % of samples gone"
    return Damaged(kind, replace(markers, valid=valid), harms)


def swap_labels(markers: MarkerSequence, rng: np.random.Generator, count: int = 20) -> Damaged:
    """Labels of two markers are exchanged for a while; half of the pairs are neighbours.

    Parameters
    ----------
    markers : MarkerSequence
        The trial.
    rng : numpy.random.Generator
        Draws pairs and times.
    count : int, optional
        Exchanges.

    Returns
    -------
    Damaged
        With one harm of two markers per exchange.
    """
    positions = markers.positions.copy()
    valid = markers.valid.copy()

    def pair() -> tuple[int, ...]:
        a = int(rng.integers(len(markers.labels)))
        if rng.random() < 0.5:
            return a, int(rng.integers(len(markers.labels)))
        apart = np.median(
            np.linalg.norm(markers.positions - markers.positions[:, [a]], axis=-1), axis=0
        )
        near = np.flatnonzero((apart > _LEAST) & (apart < 0.3))
        return (a, int(rng.choice(near))) if len(near) else (a, a)

    harms = _draw(markers, rng, count, pair)
    for harm in harms:
        a, b = harm.markers
        span = slice(harm.first, harm.stop)
        positions[span, [a, b]] = positions[span, [b, a]]
        valid[span, [a, b]] = valid[span, [b, a]]
    return Damaged(f"{count} swaps", replace(markers, positions=positions, valid=valid), harms)


def make_jumps(markers: MarkerSequence, rng: np.random.Generator, count: int = 20) -> Damaged:
    """Markers are seen 5 to 20 cm away from where they are for a while.

    Parameters
    ----------
    markers : MarkerSequence
        The trial.
    rng : numpy.random.Generator
        Draws markers, times and ways.
    count : int, optional
        Jumps.

    Returns
    -------
    Damaged
        With one harm per jump.
    """
    positions = markers.positions.copy()
    harms = _draw(markers, rng, count, lambda: (int(rng.integers(len(markers.labels))),))
    for harm in harms:
        way = rng.normal(size=3)
        way *= rng.uniform(_LEAST, _FARTHEST_JUMP) / np.linalg.norm(way)
        positions[harm.first : harm.stop, harm.markers[0]] += way
    return Damaged(f"{count} jumps", replace(markers, positions=positions), harms)


def _span_of(markers: MarkerSequence, rng: np.random.Generator, seconds: float) -> tuple[int, int]:
    frames = min(round(seconds / markers.frame_time), markers.n_frames - 2)
    first = int(rng.integers(1, max(markers.n_frames - frames, 2)))
    return first, first + frames


def _draw(
    markers: MarkerSequence,
    rng: np.random.Generator,
    count: int,
    choose: Callable[[], tuple[int, ...]],
) -> tuple[Harm, ...]:
    """Harms that do not meet; their markers are seen, and those of a pair are apart."""
    found: list[Harm] = []
    free = round(_FREE / markers.frame_time)
    for _ in range(_TRIES):
        if len(found) == count:
            break
        frames = max(round(rng.uniform(*_SPAN) / markers.frame_time), 1)
        first = int(rng.integers(1, max(markers.n_frames - frames, 2)))
        harm = Harm(choose(), first, first + frames)
        if _can_be(harm, markers) and not any(_meet(harm, other, free) for other in found):
            found.append(harm)
    if len(found) < count:
        raise InvalidInputError(
            f"{markers.name or 'the trial'} is too short for {count} stretches of damage that do"
            f" not meet; {len(found)} were placed in {markers.duration:.2f} s"
        )
    return tuple(found)


def _can_be(harm: Harm, markers: MarkerSequence) -> bool:
    span = slice(harm.first, harm.stop)
    if not markers.valid[span][:, list(harm.markers)].all():
        return False
    if len(harm.markers) < 2:
        return True
    a, b = (markers.positions[span, m] for m in harm.markers)
    return bool(np.linalg.norm(a - b, axis=-1).min() >= _LEAST)


def _meet(one: Harm, other: Harm, free: int) -> bool:
    together = set(one.markers) & set(other.markers)
    return bool(together) and one.first < other.stop + free and other.first < one.stop + free


def evaluate_damage(
    model: MarkerModel, markers: MarkerSequence, *, seed: int = 0
) -> tuple[DamageResult, ...]:
    """Damage a trial in every way and solve it, frame by frame and smoothed.

    Parameters
    ----------
    model : MarkerModel
        Fits the trial.
    markers : MarkerSequence
        The trial; its undamaged solve is the truth.
    seed : int, optional
        Of all draws.

    Returns
    -------
    tuple of DamageResult
        One per kind of damage and way of solving.
    """
    given = match_markers(model, markers)
    ways: dict[str, Solve] = {"causal": follow, "smoothed": track}
    truths = {way: solve(model, given) for way, solve in ways.items()}
    results = []
    for damaged in _every_kind(model, given, seed):
        for way, solve in ways.items():
            results.append(_compare(damaged, way, solve(model, damaged.markers), truths[way]))
    return tuple(results)


def _every_kind(model: MarkerModel, given: MarkerSequence, seed: int) -> list[Damaged]:
    """Each kind has its own stream of random numbers."""
    rngs = [np.random.default_rng([seed, kind]) for kind in range(5)]
    return [
        lose_markers(given, rngs[0]),
        swap_labels(given, rngs[1]),
        make_jumps(given, rngs[2]),
        drop_samples(given, rngs[3]),
        lose_segment(model, given, rngs[4]),
    ]


def _compare(
    damaged: Damaged, way: str, found: TrackedMotion, truth: TrackedMotion
) -> DamageResult:
    apart = 100 * np.linalg.norm(
        forward_kinematics(found.motion).positions - forward_kinematics(truth.motion).positions,
        axis=-1,
    )
    harmed = np.zeros(len(apart), bool)
    for harm in damaged.harms:
        harmed[harm.first : harm.stop] = True
    told = _placed(found) & _placed(truth)
    return DamageResult(
        kind=damaged.kind,
        way=way,
        mean=float(apart[harmed][told[harmed]].mean()),
        worst=float(apart[told].max()),
        worst_of_all=float(apart.max()),
        harms=_countable(damaged),
        found=sum(_is_found(harm, damaged, found) for harm in damaged.harms)
        if _countable(damaged)
        else 0,
        false=_false(damaged, found),
    )


def _placed(tracked: TrackedMotion) -> NDArray[np.bool_]:
    """Joints (T, J) whose place is told: all joints above them are."""
    placed = np.ones(tracked.observed.shape, bool)
    for joint, parent in enumerate(tracked.model.skeleton.parents.tolist()):
        if parent >= 0:
            placed[:, joint] = placed[:, parent] & tracked.observed[:, parent]
    return placed


def _countable(damaged: Damaged) -> int:
    """Harms that tracking has to tell of; a missing sample tells of itself."""
    telling = damaged.kind.endswith(("swaps", "jumps")) or damaged.joint >= 0
    return len(damaged.harms) if telling else 0


def _is_found(harm: Harm, damaged: Damaged, found: TrackedMotion) -> bool:
    """Whether at least half of its frames were told as what they are."""
    span = slice(harm.first, harm.stop)
    if damaged.joint >= 0:
        told = ~found.observed[span, damaged.joint]
    elif len(harm.markers) == 2:
        a, b = harm.markers
        told = (found.sources[span, a] == b) & (found.sources[span, b] == a)
    else:
        m = harm.markers[0]
        told = ~found.trusted[span, m] | (found.sources[span, m] != m)
    return bool(told.mean() >= 0.5)


def _false(damaged: Damaged, found: TrackedMotion) -> float:
    """Good samples that were not used, or used for another marker, per thousand."""
    good = damaged.markers.valid.copy()
    for harm in damaged.harms:
        good[harm.first : harm.stop, list(harm.markers)] = False
    own = np.arange(good.shape[1])
    if not good.any():
        return 0.0
    return float(1000 * (~found.trusted | (found.sources != own))[good].mean())
