"""How far a motion is from what was asked."""

from __future__ import annotations

from dataclasses import dataclass

#: A constraint counts as met when the motion is as near as this, metres, degrees and metres per
#: second.
NEAR, STRAIGHT, STEADY = 0.05, 3.0, 0.5


@dataclass(frozen=True)
class ConstraintError:
    """How far a motion is from one constraint at a time.

    Parameters
    ----------
    kind : str
        `Kind.item` of the constraint: ``"body"`` or ``"joint"``.
    index : int
        Which of its kind in the constraint set.
    frame : int
        Frame of the motion; the first one of a span.
    position : float, metres
        The largest of a span; 0 where no position is asked for.
    facing : float or None, degrees
        Absolute error of the heading; None where none is asked for.
    velocity : float or None, metres per second
        Length of the error; None where none is asked for.
    """

    kind: str
    index: int
    frame: int
    position: float
    facing: float | None = None
    velocity: float | None = None

    def amount(self) -> str:
        """What it amounts to, for people; empty where the constraint counts as met.

        Examples
        --------
        >>> ConstraintError("body", 0, 30, 0.3, None, None).amount()
        '30 cm'
        """
        parts = []
        if self.position > NEAR:
            far = self.position >= 1
            parts.append(f"{self.position:.2f} m" if far else f"{100 * self.position:.0f} cm")
        if self.facing is not None and self.facing > STRAIGHT:
            parts.append(f"{self.facing:.0f} degrees")
        if self.velocity is not None and self.velocity > STEADY:
            parts.append(f"{self.velocity:.1f} m/s")
        return " and ".join(parts)


@dataclass(frozen=True)
class Adherence:
    """How well a motion keeps to something that is asked over time, or to a hard pose.

    Parameters
    ----------
    kind : str
        `Kind.item` of the constraint; that kind says what `value` and `more` are.
    index : int
        Which of its kind in the constraint set.
    what : str
        Such as ``"avoid cylinder at 1.0 1.5"``.
    value : float or None
        None where it is never shown.
    more : float
        A second number.
    """

    kind: str
    index: int
    what: str
    value: float | None
    more: float = 0.0
