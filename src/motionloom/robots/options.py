"""How a motion is given to a robot."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.errors import InvalidInputError


@dataclass(frozen=True)
class RobotOptions:
    """Options of `retarget_to_robot`.

    Parameters
    ----------
    fps : float
        Frames per second of the result.
    fastest : float, radians per second
        No hinge turns faster. MJCF models do not tell; small humanoids reach about 20.
    smoothing : float, seconds
        Over this time what one pass found is smoothed, which the next one prefers.
    passes : int
        How often the clip is gone through.
    arms : float
        Weight of directions of arms beside those of legs and trunk.
    iterations : int
        Most iterations of a frame.
    """

    fps: float = 30.0
    fastest: float = 20.0
    smoothing: float = 0.05
    passes: int = 3
    arms: float = 1.0
    iterations: int = 12

    def __post_init__(self) -> None:
        if not 1 <= self.fps <= 1000:
            raise InvalidInputError(f"fps must lie between 1 and 1000, got {self.fps:g}")
        if not self.fastest > 0:
            raise InvalidInputError("the fastest speed of hinges must be positive")
        if self.smoothing < 0 or self.arms < 0 or min(self.iterations, self.passes) < 1:
            raise InvalidInputError(
                "smoothing and weights must not be negative, and there is one pass and iteration at"
                " least"
            )
