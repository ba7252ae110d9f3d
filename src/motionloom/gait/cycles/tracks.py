"""Tracks that strikes are found in: hips and ankles over time, and how they travel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.analysis.gaits import GRAVITY
from motionloom.curves import gaussian_average, low_pass
from motionloom.errors import InvalidInputError
from motionloom.posed_motion import PosedMotion
from motionloom.skeleton import restore_read_only
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Left, then right: the order of all that has a row or column per foot.
SIDES = ("left", "right")
#: Standard deviation of the Gaussian that smooths the direction of travel, seconds.
SMOOTH_TRAVEL = 0.3
#: Ankles relative to the hips are low-passed here, hertz.
CUTOFF = 8.0
#: Nobody's hips are faster, leg lengths per second.
_JUMP = 20.0


@dataclass(frozen=True, eq=False)
class FootTracks:
    """What strikes are found in.

    Parameters
    ----------
    hips : array of shape (T, 3), metres
        Middle of the pelvis in the world, +Y up.
    ankles : array of shape (T, 2, 3), metres
        Left and right ankle.
    facing : array of shape (T,), radians
        Where the pelvis faces, from +Z towards +X.
    fps : float
        Frames per second.
    leg : float, metres
        Length of a leg: thresholds scale with it.
    first : int
        Frame of the clip that is frame 0 here.
    """

    hips: Array
    ankles: Array
    facing: Array
    fps: float
    leg: float
    first: int = 0
    __setstate__ = restore_read_only

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return len(self.hips)

    @cached_property
    def velocity(self) -> Array:
        """Smoothed travel of the hips on the ground, x and z, shape (T, 2), metres per second."""
        velocity = np.gradient(self.hips[:, [0, 2]], axis=0) * self.fps
        smoothed = gaussian_average(velocity, SMOOTH_TRAVEL * self.fps)
        # A slow gait has long steps, which must not look like turns of the path.
        pace = float(np.quantile(np.hypot(*smoothed.T), 0.8)) / np.sqrt(GRAVITY * self.leg)
        longer = float(np.clip(np.sqrt(0.3 / max(pace, 1e-6)), 1.0, 2.5))
        return gaussian_average(velocity, longer * SMOOTH_TRAVEL * self.fps)

    @property
    def pace(self) -> Array:
        """Speed of the travel in square roots of gravity times leg length, shape (T,)."""
        return np.asarray(np.hypot(*self.velocity.T) / np.sqrt(GRAVITY * self.leg))

    @property
    def heading(self) -> Array:
        """Direction of travel, shape (T,), radians from +Z towards +X."""
        return np.asarray(np.arctan2(*self.velocity.T))

    @cached_property
    def ahead(self) -> Array:
        """How far each ankle lies ahead of the hips, shape (T, 2), metres."""
        direction = self.velocity / np.maximum(np.hypot(*self.velocity.T), 1e-9)[:, None]
        away = (self.ankles - self.hips[:, None])[:, :, [0, 2]]
        return low_pass(np.einsum("tfk,tk->tf", away, direction), self.fps, CUTOFF)


@one_thread()
def tracks_of_motion(posed: PosedMotion, leg: float) -> FootTracks:
    """Tracks of a skeleton's motion, whose legs are found by their roles.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    leg : float, metres
        Length of a leg.

    Returns
    -------
    FootTracks

    Raises
    ------
    InvalidInputError
        When it has no two feet, or stands on four.
    """
    joints = posed.roles.joints
    if posed.roles.kind == "quadruped":
        raise InvalidInputError("gait cycles are of two feet; this body has four")
    if not {"left_foot", "right_foot", "hips"} <= joints.keys():
        raise InvalidInputError(
            "cannot find gait without hips and two feet; name them in a roles table"
        )
    ankles = posed.positions[:, [joints["left_foot"], joints["right_foot"]]]
    start, stop = _without_jumps(posed.hips, posed.fps, leg)
    return FootTracks(
        posed.hips[start:stop],
        ankles[start:stop],
        np.unwrap(posed.facing[start:stop]),
        posed.fps,
        leg,
        start,
    )


def _without_jumps(hips: Array, fps: float, leg: float) -> tuple[int, int]:
    """The longest span in which the hips do not jump: files may begin or end with other frames."""
    steps = np.linalg.norm(np.diff(hips, axis=0), axis=1) * fps
    jumps = np.flatnonzero(steps > _JUMP * leg) + 1
    ends = np.array([0, *jumps, len(hips)])
    longest = int(np.argmax(np.diff(ends)))
    return int(ends[longest]), int(ends[longest + 1])
