"""PaceModel: how a person's gait changes with its speed, asked by whoever changes speeds.

Whoever slows a captured walk has to know how much of that is in the time of a step and how much in
its length. Captures say it: the frequency of steps is a power of speed over the hips' height.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.errors import InvalidInputError

#: Frequencies within so many standard deviations of the law are a person's.
USUAL = 2.0


@dataclass(frozen=True)
class PaceLaw:
    """Walking or running over speed, as one person does it.

    Parameters
    ----------
    a, b : float
        Cycles per second are ``a (v / h)^b``, v the speed and h the hips' height in metres.
    deviation : float
        Standard deviation of the log of frequencies about that.
    speeds : tuple of float, metres per second
        Slowest and fastest that the law is to be trusted with.
    hip_height : float, metres
        Of the person.

    Raises
    ------
    InvalidInputError
        When the frequency does not grow with speed as that of people does.
    """

    a: float
    b: float
    deviation: float
    speeds: tuple[float, float]
    hip_height: float

    def __post_init__(self) -> None:
        if not (self.a > 0 and 0.0 <= self.b <= 1.0):
            raise InvalidInputError(
                f"a law of step frequency needs a factor above 0 and an exponent from 0 to 1, got"
                f" {self.a:g} and {self.b:g}"
            )

    def cadence(self, speed: float) -> float:
        """Cycles per second at a speed (metres per second); steps come twice as often."""
        return float(self.a * (speed / self.hip_height) ** self.b)

    def bounds(self, speed: float) -> tuple[float, float]:
        """Slowest and fastest cycles per second that are usual at a speed (metres per second)."""
        own = self.cadence(speed)
        wide = float(np.exp(USUAL * self.deviation))
        return own / wide, own * wide

    def step_length(self, speed: float) -> float:
        """Length of a step at a speed (metres per second), metres."""
        return speed / (2.0 * self.cadence(speed))


@dataclass(frozen=True)
class PaceModel:
    """How a person walks and runs at any speed.

    Parameters
    ----------
    walk, run : PaceLaw, optional
        None where it is not known.
    """

    walk: PaceLaw | None = None
    run: PaceLaw | None = None

    def law(self, running: bool) -> PaceLaw | None:
        """Of walking or of running."""
        return self.run if running else self.walk
