"""The method ``phase`` of filling gaps: the smoothest path through captured poses and speeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike

from motionloom.inbetween.fillers import Filling
from motionloom.inbetween.gaps import Gaps
from motionloom.inbetween.model import InbetweenModel
from motionloom.typing import Array
from motionloom_evaluation.inbetweening.phases.phase_space import PhaseSpaces, phase_spaces_of
from motionloom_evaluation.inbetweening.phases.reached import ReachedSpeed, reached_speeds
from motionloom_evaluation.inbetweening.phases.speed import Speeds, frames_of_speeds, read_speeds


@dataclass(frozen=True, eq=False)
class PhaseFiller:
    """The smoothest path through captured poses and speeds; see `PhaseSpaces`.

    Parameters
    ----------
    spaces : PhaseSpaces
        What was learned.
    speeds : mapping of str to float or tuple of float, optional
        How fast segments shall go, degrees per second; see `frames_of_speeds`.
    """

    spaces: PhaseSpaces
    speeds: Speeds = field(default_factory=dict)
    name: str = "phase"

    def fill(self, gaps: Gaps, fps: float, count: int = 1) -> list[Filling]:
        """Fill gaps; there is one answer only."""
        speeds = frames_of_speeds(self.speeds, gaps.missing + 2, fps)
        return [Filling(self.spaces.fill(gaps, speeds))]

    def reached(
        self, rotations: Array, gaps: Sequence[tuple[int, int]], fps: float
    ) -> tuple[ReachedSpeed, ...]:
        """Speeds that a finished motion has, as `reached_speeds` gives them."""
        return reached_speeds(self.spaces, self.speeds, rotations, gaps, fps)


def make_phase_filler(
    model: InbetweenModel, speeds: str | PathLike[str] | None = None
) -> PhaseFiller:
    """The filler of a model.

    Parameters
    ----------
    model : InbetweenModel
        What was learned.
    speeds : path-like, optional
        YAML file of speeds of segments; see `read_speeds`.

    Raises
    ------
    FormatError
        When the file holds no such speeds.
    """
    spaces = phase_spaces_of(model)
    return PhaseFiller(spaces, {} if speeds is None else read_speeds(speeds, spaces.spaces))
