"""What a correction is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from motionloom.errors import InvalidInputError

Objective = Literal["displacement", "torque"]
#: What is made small besides what must hold.
OBJECTIVES: tuple[Objective, ...] = ("displacement", "torque")


def check_objective(name: str) -> Objective:
    """The objective of that name.

    Parameters
    ----------
    name : str
        One of `OBJECTIVES`.

    Returns
    -------
    str

    Raises
    ------
    InvalidInputError
        When there is no such objective.
    """
    for objective in OBJECTIVES:
        if objective == name:
            return objective
    raise InvalidInputError(f"there is no objective {name!r}; expected {' or '.join(OBJECTIVES)}")


@dataclass(frozen=True)
class CorrectionOptions:
    """How a motion is corrected.

    Parameters
    ----------
    objective : {"displacement", "torque"}
        Stay near the input, or near it with torques as small as may be.
    rates : tuple of float
        Control points per second of the displacement, coarse to fine.
    rounds : tuple of int
        Gauss-Newton steps at each rate.
    friction : float
        Of the ground.
    balance : bool
        Whether balance and friction are corrected.
    flight : bool
        Whether the body falls at g while no foot is down.
    ground : float, metres, optional
        Height of the ground; found from the feet when not given.
    window : float, seconds
        What is wrong for longer is corrected window by window.
    ease : float, seconds
        Nothing is moved earlier than this before something is wrong, nor later behind it.
    most : float, metres
        Where joints would have to move farther, nothing is moved.
    """

    objective: Objective = "displacement"
    rates: tuple[float, ...] = (8.0, 30.0)
    rounds: tuple[int, ...] = (8, 4)
    friction: float = 0.9
    balance: bool = True
    flight: bool = True
    ground: float | None = None
    window: float = 12.0
    ease: float = 0.5
    most: float = 0.25

    def __post_init__(self) -> None:
        check_objective(self.objective)
        if not self.rates or len(self.rates) != len(self.rounds) or min(self.rates) <= 0:
            raise InvalidInputError("rates must be positive, and rounds as many as rates")
        if not self.friction > 0:
            raise InvalidInputError(f"friction must be a positive number, got {self.friction}")
        if not (self.ease > 0 and self.most > 0):
            raise InvalidInputError("ease and most must be positive")
        if not self.window >= 2:
            raise InvalidInputError(f"windows must last 2 seconds or more, got {self.window}")
