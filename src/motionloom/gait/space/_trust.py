"""How far a gait space is to be trusted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from motionloom.reports import shown

if TYPE_CHECKING:
    from motionloom.gait.space.behaviour import BehaviourSpace

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
    everybody = (float(takes.pace.min()), float(takes.pace.max()))
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
