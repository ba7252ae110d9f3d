"""Speeds of segments that were asked for beside those that a motion has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from motionloom.reports import shown
from motionloom.typing import Array
from motionloom_evaluation.inbetweening.phases.phase_space import PhaseSpaces
from motionloom_evaluation.inbetweening.phases.speed import Speeds, frames_of_speeds, total_speeds

#: A speed counts as reached when it differs by no more than this share of what was asked for, or by
#: no more than so many degrees per second: people begin to see a difference at 5 to 10 %.
TOLERANCE, LEAST = 0.1, 5.0


@dataclass(frozen=True)
class ReachedSpeed:
    """How fast a segment goes in one gap, beside what was asked for; degrees per second.

    Parameters
    ----------
    segment : str
        Its name.
    frame : int
        First missing frame of the gap.
    asked_peak, reached_peak : float
        Largest speeds.
    asked_mean, reached_mean : float
        Means over the gap.
    """

    segment: str = field(metadata=shown("segment"))
    frame: int = field(metadata=shown("from frame"))
    asked_peak: float = field(metadata=shown("peak asked for", "degrees/s", ".0f"))
    reached_peak: float = field(metadata=shown("peak", "degrees/s", ".0f"))
    asked_mean: float = field(metadata=shown("mean asked for", "degrees/s", ".0f"))
    reached_mean: float = field(metadata=shown("mean", "degrees/s", ".0f"))

    @property
    def problem(self) -> str:
        """What is missed, one sentence; empty where the speed is reached."""
        pairs = (
            ("peak", self.asked_peak, self.reached_peak),
            ("mean", self.asked_mean, self.reached_mean),
        )
        missed = [
            f"{reached:.0f} degrees/s at the {name} where {asked:.0f} were asked for"
            if name == "peak"
            else f"{reached:.0f} in the mean where {asked:.0f} were asked for"
            for name, asked, reached in pairs
            if abs(reached - asked) > max(TOLERANCE * asked, LEAST)
        ]
        if not missed:
            return ""
        return (
            f"{self.segment} goes at {' and '.join(missed)}, from frame {self.frame} on; more or"
            " fewer frames change how fast the way between the two poses has to be"
        )


def reached_speeds(
    spaces: PhaseSpaces,
    speeds: Speeds,
    rotations: Array,
    gaps: Sequence[tuple[int, int]],
    fps: float,
) -> tuple[ReachedSpeed, ...]:
    """Measure speeds on a finished motion.

    Parameters
    ----------
    spaces : PhaseSpaces
        They know the joints of every segment.
    speeds : mapping of str to float or tuple of float
        What was asked for.
    rotations : array of shape (T, J, 4)
        World rotations of the motion.
    gaps : sequence of (int, int)
        First missing frame and how many are missing.
    fps : float
        Frames per second.

    Returns
    -------
    tuple of ReachedSpeed
        One for each segment and gap.
    """
    found = []
    for first, missing in gaps:
        around = rotations[first - 1 : first + missing + 1]
        for name, wanted in frames_of_speeds(speeds, missing + 2, fps).items():
            poses = spaces.pose_of(around, spaces.spaces[name].joints)
            made = np.degrees(total_speeds(poses)) * fps
            # Speeds are those from frame to frame; asked for are those in frames.
            asked = np.degrees(0.5 * (wanted[1:] + wanted[:-1])) * fps
            found.append(
                ReachedSpeed(
                    segment=name,
                    frame=first,
                    asked_peak=float(asked.max()),
                    reached_peak=float(made.max()),
                    asked_mean=float(asked.mean()),
                    reached_mean=float(made.mean()),
                )
            )
    return tuple(found)
