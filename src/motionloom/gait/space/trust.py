"""How far a gait space is to be trusted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Trust:
    """Range of speeds of one person's behaviour, metres per second.

    Parameters
    ----------
    captured : tuple of float
        Slowest and fastest captured cycle.
    trusted : tuple of float
        What a cycle may be asked for: captured, and beyond as far as the fit bears out.
    strides : int
        Number of captured cycles behind it.
    basis : str
        What it rests on: ``"own"`` (the person's takes at several speeds), ``"shifted"`` (the
        population's line moved to the person's one speed) or ``"population"``.
    """

    captured: tuple[float, float]
    trusted: tuple[float, float]
    strides: int
    basis: str

    def covers(self, speed: float) -> bool:
        """Whether a speed lies in the trusted range."""
        return self.trusted[0] <= speed <= self.trusted[1]
