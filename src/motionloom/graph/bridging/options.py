"""How changes that no clip shows are bridged.

Which clips of a set are bridges, and which of them a motion goes over, and when.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from motionloom.curves import runs_of
from motionloom.errors import InvalidInputError
from motionloom.options import check_options, option_field
from motionloom.reports import shown
from motionloom.synthesis.bridges import BRIDGE
from motionloom.typing import Ints


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
    shown: float = option_field(1.25, "Largest whole cost of a shown change.", minimum=0)
    seconds: tuple[float, ...] = (0.35, 0.5, 0.7, 1.0, 1.4)
    each: int = option_field(2, "Most bridges of a kind.", minimum=1)
    farthest: float = option_field(4.0, "Largest doubt and strain.", minimum=0)
    toll: float = option_field(1.0, "Cost of a bridge, in transitions.", minimum=0)

    def __post_init__(self) -> None:
        if not self.seconds or min(self.seconds) <= 0:
            raise InvalidInputError(f"seconds of bridges must be above 0, got {self.seconds}")
        check_options(self)


@dataclass(frozen=True)
class BridgeClip:
    """A clip of the set that was filled, not captured.

    Parameters
    ----------
    clip : int
        Which clip of the set.
    before, behind : str
        Names of the clips that it leads from and to.
    begin, end : int
        Frames ``begin <= i < end`` of the clip are filled.
    doubt : float
        As `Bridge.doubts` says.
    strain : float
        As `measure_strain` says.
    """

    clip: int
    before: str
    behind: str
    begin: int
    end: int
    doubt: float
    strain: float


@dataclass(frozen=True)
class BridgeUsed:
    """A stretch of a result that was filled, not captured.

    Parameters
    ----------
    before, behind : str
        Names of the clips that it leads from and to.
    time : float, seconds
        When it begins in the result.
    frames : int
        How long it takes.
    doubt : float
        As `Bridge.doubts` says.
    """

    before: str = field(metadata=shown("from"))
    behind: str = field(metadata=shown("to"))
    time: float = field(metadata=shown("at", "s"))
    frames: int = field(metadata=shown("frames"))
    doubt: float = field(metadata=shown("doubt", "", ".1f"))


def find_used(
    bridges: Sequence[BridgeClip], starts: Ints, shown: Ints | None, fps: float
) -> tuple[BridgeUsed, ...]:
    """Bridges in a motion.

    Parameters
    ----------
    bridges : sequence of BridgeClip
        Those of the clips.
    starts : int array
        First frame of every clip.
    shown : int array of shape (T,), or None
        Frame of the clip set that every frame shows.
    fps : float
        Frames per second of the motion.

    Returns
    -------
    tuple of BridgeUsed
        In the order of time.
    """
    if shown is None:
        return ()
    used = []
    for one in bridges:
        start = int(starts[one.clip])
        inside = (shown >= start + one.begin) & (shown < start + one.end)
        used += [
            BridgeUsed(one.before, one.behind, a / fps, b - a, one.doubt)
            for a, b in runs_of(inside)
        ]
    return tuple(sorted(used, key=lambda stretch: stretch.time))
