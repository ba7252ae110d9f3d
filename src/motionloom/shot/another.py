"""The body that a finished motion is carried over to; a shot reckons with its size before."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.edit.retarget import RoleFrames
from motionloom.motion import Source


@dataclass(frozen=True, eq=False)
class AnotherBody:
    """The body that a character has in the end.

    Parameters
    ----------
    name : str
        What it is called.
    own : RoleFrames
        How the body parts lie in the joints of the clips.
    target : RoleFrames
        And in its own.
    source : Source
        How its files look: unit, axes, channels.
    """

    name: str
    own: RoleFrames
    target: RoleFrames
    source: Source

    @property
    def ratio(self) -> float:
        """Length of its legs over that of the clips' body: so much farther it goes."""
        return self.target.leg / self.own.leg
