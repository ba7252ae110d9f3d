"""The way that a path constraint describes, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from motionloom.constraints.model import ConstraintSet
from motionloom.constraints.spans import PathConstraint

Array = NDArray[np.float64]

#: Points closer together in time than this count as one, seconds.
_AT_ONCE = 1e-9
#: Slower than this a way has no direction of its own, metres per second.
_STILL = 1e-6


@dataclass(frozen=True, eq=False)
class Way:
    """A path constraint as a place and a heading in each of its frames.

    Parameters
    ----------
    frames : int array of shape (T,)
        Of the motion.
    places : array of shape (T, 2), metres
        x and z.
    facing : array of shape (T,), radians
        Along the way; while it pauses, as before the pause.
    """

    frames: NDArray[np.int64]
    places: Array
    facing: Array


def follow(path: PathConstraint, constraints: ConstraintSet) -> Way:
    """Where the body is to be in every frame of a path constraint.

    Parameters
    ----------
    path : PathConstraint
    constraints : ConstraintSet
        The set it belongs to, for duration and frame rate.
    """
    points = np.array(path.points, float)
    times = _times(path, points, constraints.duration)
    keep = np.concatenate([[True], np.diff(times) > _AT_ONCE])
    times = times[keep]
    points = points[keep]
    frames = np.arange(
        constraints.frame_of(float(times[0])), constraints.frame_of(float(times[-1])) + 1
    )
    now = np.clip(frames / constraints.fps, times[0], times[-1])
    if path.curve == "spline" and len(times) > 2:
        curve = CubicSpline(times, points)
        places = curve(now)
        velocity = curve(now, 1)
    else:
        places = np.column_stack([np.interp(now, times, points[:, k]) for k in (0, 1)])
        leg = np.clip(np.searchsorted(times, now, side="right") - 1, 0, len(times) - 2)
        velocity = (np.diff(points, axis=0) / np.diff(times)[:, None])[leg]
    return Way(frames, places, _headings(velocity))


def _times(path: PathConstraint, points: Array, duration: float) -> Array:
    """When the body is at each point: as given, else at an even pace."""
    if path.times is not None:
        return np.array(path.times)
    begin = 0.0 if path.begin is None else path.begin
    end = duration if path.end is None else path.end
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    share = along / along[-1] if along[-1] > 0 else np.linspace(0, 1, len(points))
    return begin + (end - begin) * share


def _headings(velocity: Array) -> Array:
    """Directions of velocities (T, 2), radians; where there is none, the last one before, else the
    first after.
    """
    moves = np.hypot(velocity[:, 0], velocity[:, 1]) > _STILL
    if not moves.any():
        return np.zeros(len(velocity))
    last = np.maximum.accumulate(np.where(moves, np.arange(len(velocity)), -1))
    last[last < 0] = np.flatnonzero(moves)[0]
    heading: NDArray[np.float64] = np.arctan2(velocity[last, 0], velocity[last, 1])
    return heading
