"""What a bridge is: a generator that can also fill the frames between two pieces of motion, for
other generators whose clips show no such change.

Generators know nothing of each other. One that wants a bridge asks for it by name; any generator
whose `Fitted` has the methods of `Bridge` is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from motionloom.analysis.contacts import FootContacts
from motionloom.clips.analysis import AnalysedClips
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.synthesis.generator import find_generator
from motionloom.threads import one_thread
from motionloom.typing import Array

#: The bridge that is taken when none is named.
BRIDGE = "inbetween"
#: Frames before a gap that count.
LOOKED_AT = 10


@dataclass(frozen=True, eq=False)
class Bridged:
    """Two pieces of motion and what was filled in between.

    Parameters
    ----------
    motion : Motion
        The frames before, the filled ones, the frames behind; known frames as they were given.
    contacts : FootContacts or None
        When the feet bear on the ground; None where the bridge does not say.
    """

    motion: Motion
    contacts: FootContacts | None = None


@runtime_checkable
class Bridge(Protocol):
    """Fills the frames that no clip shows."""

    def doubts(self, before: Sequence[Motion], behind: Sequence[Motion], missing: int) -> Array:
        """How far gaps are from all that was learned, without filling them.

        Parameters
        ----------
        before : sequence of Motion
            What is known before each of P gaps, on a ground at height 0; the last
            `LOOKED_AT` frames count.
        behind : sequence of Motion
            What is known behind each, on the same ground; the first frame counts.
        missing : int
            Frames of each gap.

        Returns
        -------
        array of shape (P,)
            From 0 for what was captured up; 1 is as far as captured gaps usually are from each
            other.
        """

    def bridge(self, before: Motion, behind: Motion, missing: int) -> Bridged:
        """Fill one gap.

        Parameters
        ----------
        before, behind : Motion
            Frames known on both sides, on a ground at height 0; they stay as they are.
        missing : int
            Frames between them.

        Returns
        -------
        Bridged
        """


@one_thread()
def fit_bridge(
    name: str, clips: AnalysedClips, options: Any = None, progress: Progress = silent
) -> Bridge:
    """Let a bridge learn from clips.

    Parameters
    ----------
    name : str
        Of a generator.
    clips : AnalysedClips
        What it learns from.
    options : object, optional
        That generator's own.
    progress : Progress
        Told of how far the work is.

    Returns
    -------
    Bridge

    Raises
    ------
    InvalidInputError
        When there is no such generator, or it fills no gaps between clips.
    """
    fitted: object = find_generator(name).fit(clips, options, progress)
    if not isinstance(fitted, Bridge):
        raise InvalidInputError(
            f"the generator {name!r} fills no gaps between clips; use {BRIDGE!r} as the bridge"
        )
    return fitted
