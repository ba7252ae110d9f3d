"""Files that say how fast segments of the body shall go.

A YAML mapping from segments to speeds in degrees per second: one number is the peak of a speed that
rises and falls evenly, a list the speeds at key points spread evenly from begin to end.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike

import numpy as np
import yaml
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline

from motionloom.errors import FormatError
from motionloom.io.files import read_text
from motionloom.typing import Array

#: No speed (degrees per second) is larger, nor has a file more key points.
FASTEST = 10_000.0
_MOST_KEYS = 1000
#: Speeds asked for by segment: a peak, or values at key points; degrees per second.
Speeds = dict[str, float | tuple[float, ...]]


def read_speeds(path: str | PathLike[str], segments: Iterable[str]) -> Speeds:
    """Read speeds of segments.

    Parameters
    ----------
    path : path-like
        The YAML file.
    segments : iterable of str
        Names of segments that there are.

    Returns
    -------
    dict of str to float or tuple of float
        Degrees per second.

    Raises
    ------
    FormatError
        When the file is no such file, or names other segments.
    """
    known = tuple(segments)
    expected = (
        f"expected a mapping from segments ({', '.join(known)}) to a peak in degrees per second or"
        " a list of speeds"
    )
    try:
        told = yaml.safe_load(read_text(path))
    except yaml.YAMLError as error:
        reason = str(error).splitlines()[0]
        raise FormatError(f"these are no speeds ({reason}); {expected}", path) from None
    if not isinstance(told, dict) or not told:
        raise FormatError(f"these are no speeds; {expected}", path)
    found: Speeds = {}
    for name, value in told.items():
        if name not in known:
            raise FormatError(f"there is no segment {str(name)[:60]!r}; {expected}", path)
        values = value if isinstance(value, list) else [value]
        if not 1 <= len(values) <= _MOST_KEYS or not all(map(_is_speed, values)):
            raise FormatError(f"the speeds of {name} are none; {expected}", path)
        numbers = tuple(float(v) for v in values)
        found[name] = numbers if isinstance(value, list) else numbers[0]
    return found


def _is_speed(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value <= FASTEST


def frames_of_speeds(speeds: Speeds, frames: int, fps: float) -> dict[str, Array]:
    """Speeds for every frame of a motion, radians per frame.

    Parameters
    ----------
    speeds : mapping of str to float or tuple of float
        Degrees per second.
    frames : int
        Frames, ends included.
    fps : float
        Frames per second.

    Returns
    -------
    dict of str to array of shape (frames,)
    """
    found = {}
    for name, value in speeds.items():
        own = (
            draw_speeds(value, frames)
            if isinstance(value, tuple)
            else quadratic_speeds(value, frames)
        )
        found[name] = np.radians(own) / fps
    return found


def total_speeds(poses: ArrayLike) -> Array:
    """Lengths of the differences of successive poses.

    Parameters
    ----------
    poses : array of shape (T, D)
        Poses of a segment, radians.

    Returns
    -------
    array of shape (T - 1,)
        Radians per frame.
    """
    steps = np.diff(np.asarray(poses, float), axis=0)
    speeds: Array = np.linalg.norm(steps, axis=1)
    return speeds


def draw_speeds(keys: ArrayLike, frames: int) -> Array:
    """Speeds for frames spread evenly over key points, by a cubic spline; never negative.

    Parameters
    ----------
    keys : array of shape (K,)
        Speeds at key points; one alone holds throughout.
    frames : int
        Number of frames.

    Returns
    -------
    array of shape (frames,)
    """
    values = np.atleast_1d(np.asarray(keys, float))
    if len(values) == 1:
        return np.full(frames, values[0])
    places = np.linspace(0.0, 1.0, frames)
    spline = CubicSpline(np.linspace(0.0, 1.0, len(values)), values, bc_type="natural")
    return np.maximum(spline(places), 0.0)


def quadratic_speeds(peak: float, frames: int) -> Array:
    """Speeds that rise from 0 to a peak half way and fall to 0 again, shape (frames,)."""
    share = np.linspace(0.0, 1.0, frames)
    speeds: Array = 4.0 * peak * share * (1.0 - share)
    return speeds
