"""From walk to run: quantities over speed, and where a person's two behaviours meet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.analysis.gaits import GRAVITY
from motionloom.gait.cycle import BEHAVIOURS, GaitCycle
from motionloom.gait.space.coordinates import fit_basis
from motionloom.gait.space.space import GaitSpace
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Froude numbers between which walk and run are compared.
_AMONG = (0.25, 1.0)
_SPEEDS = 31


@dataclass(frozen=True, eq=False)
class Transition:
    """Walk and run of one person over the same speeds.

    Parameters
    ----------
    speeds : array of shape (S,), metres per second
        Ascending.
    coefficients : mapping of str to array of shape (S,)
        First component, of a basis of both behaviours.
    duty : mapping of str to array of shape (S,)
        Share of the cycle that a foot is down, by behaviour.
    step : mapping of str to array of shape (S,), metres
        Length of a step.
    apart : array of shape (S,), radians
        Mean angle between the joints of walk and run.
    meeting : float, metres per second
        Below it the person walks, above it they run.
    """

    speeds: Array
    coefficients: dict[str, Array]
    duty: dict[str, Array]
    step: dict[str, Array]
    apart: Array
    meeting: float


@one_thread()
def analyse_transition(space: GaitSpace, person: str | None = None) -> Transition:
    """Walk and run over the speeds at which people change.

    Parameters
    ----------
    space : GaitSpace
        With both behaviours.
    person : str, optional
        Whose; else the population's.

    Returns
    -------
    Transition

    Raises
    ------
    InvalidInputError
        When only one behaviour was captured.
    """
    height = space.body(person).hip_height
    low, high = (float(np.sqrt(f * GRAVITY * height)) for f in _AMONG)
    speeds = np.linspace(low, high, _SPEEDS)
    cycles = {b: [space.cycle(v, person, b) for v in speeds] for b in BEHAVIOURS}
    rows = {b: np.stack([space.row(v, b, person) for v in speeds]) for b in BEHAVIOURS}
    both = np.concatenate([space.spaces[b].line.takes.rows for b in BEHAVIOURS])
    basis = fit_basis(both, 1)
    apart = _apart(space, rows)
    return Transition(
        speeds=speeds,
        coefficients={b: basis.coefficients(rows[b])[:, 0] for b in BEHAVIOURS},
        duty={b: np.array([_duty(c) for c in cycles[b]]) for b in BEHAVIOURS},
        step={b: np.array([0.5 * c.length for c in cycles[b]]) for b in BEHAVIOURS},
        apart=apart,
        meeting=space.change(person).middle,
    )


def _apart(space: GaitSpace, rows: dict[str, Array]) -> Array:
    n, joints, _ = space.coordinates.reference.shape
    difference = (rows["walk"] - rows["run"])[:, : 3 * n * joints].reshape(-1, n, joints, 3)
    angles = np.linalg.norm(difference / space.coordinates.levers[:, None], axis=-1)
    apart: Array = angles.mean(axis=(1, 2))
    return apart


def _duty(cycle: GaitCycle) -> float:
    """Share of the cycle that a foot is down, mean of both feet, half of the points each."""
    half = cycle.contacts.shape[1] // 2
    feet = (cycle.contacts[:, :half].any(axis=1), cycle.contacts[:, half:].any(axis=1))
    return float(np.mean([foot.mean() for foot in feet]))
