"""The gait table of a person: cycles asked of a gait space at speeds close enough together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from motionloom.gait.body import GaitBody
from motionloom.gait.cycle import GaitCycle
from motionloom.gait.path.table import GaitTable, make_table
from motionloom.gait.space.space import GaitSpace

Array = NDArray[np.float64]

#: Speeds of neighbouring nodes differ by about this, metres per second.
APART = 0.25
#: Walking goes over into running between speeds that differ by this, metres per second.
CHANGE = 0.3
#: Slower than this, walking is made of that speed's, scaled down, metres per second.
SLOWEST = 0.5


def table_of(
    space: GaitSpace,
    person: str | None = None,
    hip_height: float | None = None,
    style: str | None = None,
    rng: np.random.Generator | None = None,
    run_from: float | None = None,
) -> GaitTable:
    """All of a person's gait, from standing to the fastest that the space is trusted with.

    Parameters
    ----------
    space : GaitSpace
        What cycles are asked of.
    person : str, optional
        Whose; the space's first when not given.
    hip_height : float, metres, optional
        Of a body of another size.
    style : str, optional
        One of the space's.
    rng : numpy.random.Generator, optional
        Where cycles shall differ as a person's strides do.
    run_from : float, metres per second, optional
        From where on the person runs, if the space is trusted with that; where people do when not
        given.

    Returns
    -------
    GaitTable
    """
    person = person or space.persons[0]
    body: GaitBody = space.body(person, hip_height)
    known = space.behaviours(person)
    ranges = [_range(space, behaviour, person) for behaviour in known]
    if len(known) == 2:
        meeting = _meeting(space, person, ranges)
        if run_from is not None:
            meeting = min(meeting, max(run_from - CHANGE, ranges[1][0] - 0.5 * CHANGE))
        ranges = _apart(ranges, meeting)

    def ask(speed: float, behaviour: str) -> GaitCycle:
        return space.cycle(speed, person, behaviour, style, rng, hip_height)

    cycles = [
        cycle
        for behaviour, (low, high) in zip(known, ranges, strict=True)
        for cycle in _nodes(ask, behaviour, low, high)
    ]
    return make_table(cycles, body)


def _range(space: GaitSpace, behaviour: str, person: str) -> tuple[float, float]:
    low, high = space.trust(behaviour, person).trusted
    if behaviour == "walk":
        low = max(low, min(SLOWEST, high))
    return float(low), float(max(high, low + 0.01))


def _meeting(space: GaitSpace, person: str, ranges: list[tuple[float, float]]) -> float:
    """Speed at which walking gives way to running."""
    low = min(ranges[0][0], ranges[1][0])
    high = max(ranges[0][1], ranges[1][1])
    for speed in np.arange(low, high, 0.02):
        if space.behaviour_at(float(speed), person) == "run":
            return float(speed)
    return 0.5 * (ranges[0][1] + ranges[1][0])


def _apart(ranges: list[tuple[float, float]], meeting: float) -> list[tuple[float, float]]:
    """Ranges of walking and running that do not overlap, with room to go over between them."""
    (slow, reach), (_, fast) = ranges
    walk = max(min(meeting - 0.5 * CHANGE, reach), slow + 0.01)
    run = max(meeting + 0.5 * CHANGE, walk + 0.5 * CHANGE)
    return [(slow, walk), (run, max(fast, run + 0.01))]


def _nodes(
    ask: Callable[[float, str], GaitCycle], behaviour: str, low: float, high: float
) -> list[GaitCycle]:
    count = max(2, int(np.ceil((high - low) / APART)) + 1)
    return [ask(float(speed), behaviour) for speed in np.linspace(low, high, count)]
