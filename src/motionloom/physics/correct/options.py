"""What a correction is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from motionloom.errors import InvalidInputError
from motionloom.options import check_options, option_field

Objective = Literal["displacement", "torque"]
#: What is made small besides what must hold.
OBJECTIVES: tuple[Objective, ...] = ("displacement", "torque")


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

    objective: Objective = option_field(
        "displacement",
        "What is made small: 'displacement' from the input, or 'torque' too.",
        choices=OBJECTIVES,
    )
    rates: tuple[float, ...] = (8.0, 30.0)
    rounds: tuple[int, ...] = (8, 4)
    friction: float = option_field(0.9, "Friction between feet and ground.", unit="MU", above=0)
    balance: bool = option_field(
        True, "Leave balance and friction as they are.", name="keep-balance"
    )
    flight: bool = option_field(True, "Leave flights as they are.", name="keep-flight")
    ground: float | None = None
    window: float = 12.0
    ease: float = 0.5
    most: float = 0.25

    def __post_init__(self) -> None:
        check_options(self)
        if not self.rates or len(self.rates) != len(self.rounds) or min(self.rates) <= 0:
            raise InvalidInputError("rates must be positive, and rounds as many as rates")
        if not (self.ease > 0 and self.most > 0):
            raise InvalidInputError("ease and most must be positive")
        if not self.window >= 2:
            raise InvalidInputError(f"windows must last 2 seconds or more, got {self.window}")
