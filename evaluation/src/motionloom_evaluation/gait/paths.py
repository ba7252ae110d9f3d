"""Gait along given ways: how feet stand, how far the pelvis sinks, jerk beside the captures'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import SynthesisError
from motionloom.gait.make import MadeGait, make_along
from motionloom.gait.path.way.timing import Timing, passing, steady
from motionloom.gait.report import StanceSpeed, lowest_point, stance_speeds
from motionloom.gait.space.space import GaitSpace, Walker
from motionloom.progress import Progress, silent
from motionloom.reports import Report, Reported, fields_of, shown, table_of
from motionloom_evaluation.gait.bends import Bend, route_of_bends

Array = NDArray[np.float64]

#: Frames per second of what is made.
FPS = 60.0
#: A step whose slowest point is faster than this is bad, metres per second.
BAD = 0.15
#: Each wander lasts so long, seconds.
WANDER = 30.0


@dataclass(frozen=True)
class WayCase:
    """A way to be followed.

    Parameters
    ----------
    name : str
        As printed.
    bends : tuple of Bend
        The way.
    speed : float, metres per second
        Throughout.
    limit : float or None, centimetres per second
        What the slowest point of a stance is to stay within; None where it may be refused.
    """

    name: str
    bends: tuple[Bend, ...]
    speed: float
    limit: float | None


def _u_turn(radius: float) -> tuple[Bend, ...]:
    lead = 0.4 * radius
    return (Bend(3.0), Bend(angle=180.0, radius=radius, lead=lead), Bend(3.0))


#: Ways as the trial had them.
CASES = (
    WayCase("straight, 1.0 m/s", (Bend(10.0),), 1.0, 8.0),
    WayCase("straight, 1.3 m/s", (Bend(13.0),), 1.3, 8.0),
    WayCase("straight, 1.6 m/s", (Bend(16.0),), 1.6, 8.0),
    WayCase(
        "quarter turn r 2 m, 1.3 m/s",
        (Bend(3.0), Bend(angle=90.0, radius=2.0, lead=0.6), Bend(3.0)),
        1.3,
        9.0,
    ),
    WayCase("U-turn r 0.8 m, 1.2 m/s", _u_turn(0.8), 1.2, 10.0),
    WayCase("U-turn r 1.5 m, 1.7 m/s", _u_turn(1.5), 1.7, 15.0),
    WayCase("U-turn r 1.5 m, 2.5 m/s", _u_turn(1.5), 2.5, None),
)


@dataclass(frozen=True)
class WayRow:
    """One way as one person went it.

    Parameters
    ----------
    case : str
        The way.
    person : str
        Who.
    refused : str
        The sentence, where no gait can follow; empty otherwise.
    runs : bool
        Whether it was run.
    median, worst : float, centimetres per second
        Slowest point of a stance.
    limit : float or None, centimetres per second
        What it is to stay within.
    drop : float, centimetres
        How far the pelvis was lowered at most.
    below : float, millimetres
        How far soles were below the ground at most.
    jerk : float, metres per second cubed
        99th percentile over all joints and frames.
    off_way : float, centimetres
        Mean distance of the pelvis from its way.
    """

    case: str = field(metadata=shown("way"))
    person: str = field(metadata=shown("person"))
    refused: str = ""
    runs: bool = field(default=False, metadata=shown("run"))
    median: float = field(default=np.nan, metadata=shown("median", "cm/s", ".1f"))
    worst: float = field(default=np.nan, metadata=shown("worst", "cm/s", ".1f"))
    limit: float | None = field(default=None, metadata=shown("limit", "cm/s", ".0f"))
    drop: float = field(default=np.nan, metadata=shown("hips lowered", "cm", ".1f"))
    below: float = field(default=np.nan, metadata=shown("soles below ground", "mm"))
    jerk: float = field(default=np.nan, metadata=shown("jerk, 99 %", "m/s3", ".0f"))
    off_way: float = field(default=np.nan, metadata=shown("pelvis off its way", "cm", ".1f"))


@dataclass(frozen=True)
class BadStep:
    """A step that slides.

    Parameters
    ----------
    walk : int
        In which wander.
    person : str
        Whose.
    step : StanceSpeed
        When and how fast.
    """

    walk: int
    person: str
    step: StanceSpeed


@dataclass(frozen=True, eq=False)
class WaysEvaluation(Reported):
    """What was measured.

    Parameters
    ----------
    rows : tuple of WayRow
        Ways, person by person.
    minutes : float
        Of wandering that were made.
    steps : int
        In them.
    bad : tuple of BadStep
        Those that slide.
    refused : int
        Wanders that no gait could follow.
    """

    rows: tuple[WayRow, ...]
    minutes: float
    steps: int
    bad: tuple[BadStep, ...]
    refused: int

    def as_report(self) -> Report:
        """Ways, those that no gait follows, and steps of wandering that slide."""
        return self.compose(
            "Slowest point of a stance on ways",
            table_of("Ways", [row for row in self.rows if not row.refused]),
            *(f"{row.case}, {row.person}: {row.refused}" for row in self.rows if row.refused),
            f"{self.minutes:.1f} minutes of wandering, {self.steps} steps,"
            f" {self.refused} ways refused, {len(self.bad)} steps over {100 * BAD:.0f} cm/s",
            *(
                f"walk {bad.walk} ({bad.person}): {bad.step.side} foot, {bad.step.begin:.2f} to"
                f" {bad.step.end:.2f} s, {100 * bad.step.speed:.1f} cm/s"
                for bad in self.bad
            ),
            data={"ways": self.rows, **fields_of(self, "rows")},
        )


def evaluate_ways(
    space: GaitSpace,
    persons: Sequence[str] | None = None,
    minutes: float = 10.0,
    seed: int = 0,
    progress: Progress = silent,
) -> WaysEvaluation:
    """Let people of a gait space follow ways.

    Parameters
    ----------
    space : GaitSpace
        Whose gait.
    persons : sequence of str, optional
        Which of its people; all when not given.
    minutes : float
        How long they wander besides.
    seed : int
        Of the wanders.
    progress : Progress
        Told of every way.

    Returns
    -------
    WaysEvaluation
    """
    who = list(persons or space.persons)
    rows = []
    for i, case in enumerate(CASES):
        progress("ways", i, len(CASES))
        rows += [_follow(space, case, person) for person in who]
    count = max(1, round(60.0 * minutes / WANDER)) if minutes > 0 else 0
    bad: list[BadStep] = []
    steps = 0
    refused = 0
    made = 0
    for walk in range(3 * count):
        if made == count:
            break
        progress("wandering", made, count)
        person = who[walk % len(who)]
        wander = _wander(space, person, np.random.default_rng((seed, walk)))
        if wander is None:
            refused += 1
            continue
        made += 1
        found = _stances(wander)
        steps += len(found)
        bad += [BadStep(walk, person, step) for step in found if step.speed > BAD]
    return WaysEvaluation(tuple(rows), made * WANDER / 60.0, steps, tuple(bad), refused)


def _follow(space: GaitSpace, case: WayCase, person: str) -> WayRow:
    route = route_of_bends(case.bends)
    timing = steady(case.speed, route.length / case.speed, FPS)
    try:
        made = make_along(space, route, timing, Walker(person))
    except SynthesisError as error:
        return WayRow(case.name, person, str(error), limit=case.limit)
    found = [step.speed for step in _stances(made)]
    posed = made.woven.posed
    jerk = np.linalg.norm(np.diff(posed.positions, 3, axis=0), axis=-1) * FPS**3
    table = made.woven.plan.table
    return WayRow(
        case=case.name,
        person=person,
        runs=bool(np.interp(case.speed, table.speeds, table.running) > 0.5),
        median=100 * float(np.median(found)),
        worst=100 * float(np.max(found)),
        limit=case.limit,
        drop=100 * float(made.woven.drop.max()),
        below=1000 * lowest_point(posed, table.body.soles),
        jerk=float(np.quantile(jerk, 0.99)),
        off_way=100 * _off_way(made),
    )


def _off_way(made: MadeGait) -> float:
    """Mean distance of the hips from the path beneath them, metres."""
    hips = made.woven.posed.hips[:, [0, 2]]
    away: Array = np.linalg.norm(hips - made.woven.plan.way.stand.ground, axis=1)
    return float(away.mean())


def _stances(made: MadeGait) -> tuple[StanceSpeed, ...]:
    return stance_speeds(made.woven.posed, made.woven.plan.table.body.soles, made.woven.down)


def _wander(space: GaitSpace, person: str, rng: np.random.Generator) -> MadeGait | None:
    """A walk of straight pieces and turns with changing speeds, standing at both ends."""
    route = route_of_bends(_random_bends(rng))
    timing = _random_timing(space, person, rng)
    try:
        return make_along(space, route, timing, Walker(person, seed=int(rng.integers(1 << 30))))
    except SynthesisError:
        return None


def _random_bends(rng: np.random.Generator) -> list[Bend]:
    bends: list[Bend] = []
    for _ in range(40):
        radius = float(rng.uniform(1.0, 4.0))
        angle = float(rng.uniform(30.0, 180.0)) * float(rng.choice([-1.0, 1.0]))
        bends += [
            Bend(float(rng.uniform(1.0, 4.0))),
            Bend(angle=angle, radius=radius, lead=0.4 * radius),
        ]
    return bends


def _random_timing(space: GaitSpace, person: str, rng: np.random.Generator) -> Timing:
    """Speeds within what walking is trusted with, changed every few seconds."""
    low, high = space.trust("walk", person).trusted
    times = [1.0]
    while times[-1] < WANDER - 8.0:
        times.append(times[-1] + float(rng.uniform(3.0, 6.0)))
    times.append(WANDER - 1.0)
    speeds = rng.uniform(low, min(high, 1.8), len(times) - 1)
    marks = np.concatenate([[0.0], np.cumsum(speeds * np.diff(times))])
    return passing(marks, times, round(WANDER * FPS) + 1, FPS)
