"""How changes that no clip shows are bridged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from motionloom.errors import InvalidInputError
from motionloom.synthesis.bridges import BRIDGE


@dataclass(frozen=True)
class BridgeOptions:
    """How changes that no clip shows are bridged.

    Parameters
    ----------
    generator : str
        Name of the generator that fills them.
    fitting : object, optional
        That generator's own options.
    shown : float
        Transitions up to this whole cost are changes that the clips show, in units of the
        threshold.
    seconds : tuple of float
        How long bridges may take.
    each : int
        Most bridges from the slow or the fast half of one way of moving to the slow or the fast
        half of another.
    farthest : float
        Largest sum of a bridge's doubt (see `Bridge.doubts`) and strain (see `measure_strain`).
    toll : float
        What using a bridge costs, in transitions at the threshold, and as much again for every unit
        of doubt and strain.

    Raises
    ------
    InvalidInputError
        When a number makes no sense.
    """

    generator: str = BRIDGE
    fitting: Any = None
    shown: float = 1.25
    seconds: tuple[float, ...] = (0.35, 0.5, 0.7, 1.0, 1.4)
    each: int = 2
    farthest: float = 4.0
    toll: float = 1.0

    def __post_init__(self) -> None:
        if not self.seconds or min(self.seconds) <= 0:
            raise InvalidInputError(f"seconds of bridges must be above 0, got {self.seconds}")
        if self.each < 1:
            raise InvalidInputError(f"each must be at least 1, got {self.each}")
        for name in ("shown", "farthest", "toll"):
            if not getattr(self, name) >= 0:
                raise InvalidInputError(f"{name} must not be negative, got {getattr(self, name)}")
