"""Strikes and offs of two feet, found where the ankles lie farthest ahead of and behind the hips.

Peaks of (ankle - hips) along the smoothed direction of travel (Zeni et al. 2008), then gates:
alternation, travel, facing and a foot that stays where it struck.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from motionloom.analysis.gaits import GRAVITY
from motionloom.curves import gaussian_average, low_pass
from motionloom.gait.cycles.tracks import SIDES, FootTracks
from motionloom.rotations import wrap_angle
from motionloom.typing import Array, Bools

#: Standard deviation of the Gaussian that smooths the direction of travel, seconds.
SMOOTH_TRAVEL = 0.3
#: Ankles relative to the hips are low-passed here, hertz.
CUTOFF = 8.0
#: Peaks stand out of their surroundings by this many leg lengths at least.
PROMINENCE = 0.2
#: Slower travel is no gait, in square roots of gravity times leg length.
SLOWEST = 0.04
#: The body faces this near to where it travels, at a strike, degrees: in a turn it leads.
TOWARDS = 60.0
#: A foot that has struck moves less than this share of the hips' way until the other strikes.
SLIDE = 0.35
#: Shortest and longest step, in square roots of leg length over gravity.
STEP_TIMES = (0.65, 5.5)
#: From the peak to the contact, seconds, walking and running.
CONTACT_DELAYS = (0.025, 0.055)
#: From the rearmost place to when the foot leaves, seconds, walking and running.
OFF_DELAYS = (0.01, 0.0)
#: Share of the cycle from peak to rearmost place below which it is a run.
RUN_STANCE = 0.565
#: Slower gait is a walk, whatever that share, in square roots of gravity times leg length.
RUN_SPEED = 0.6


@dataclass(frozen=True)
class FootEvent:
    """A foot comes down or leaves the ground.

    Parameters
    ----------
    time : float, seconds
        From the first frame of the clip.
    foot : str
        ``"left"`` or ``"right"``.
    kind : str
        ``"strike"`` or ``"off"``.
    """

    time: float
    foot: str
    kind: str


@dataclass(frozen=True, eq=False)
class Travelling:
    """How the hips travel and the feet swing about them.

    Parameters
    ----------
    direction : array of shape (T, 2)
        Smoothed direction of travel on the ground, x and z, of length 1.
    speed : array of shape (T,), metres per second
        Smoothed.
    ahead : array of shape (T, 2), metres
        How far each ankle lies ahead of the hips.
    """

    direction: Array
    speed: Array
    ahead: Array

    @property
    def heading(self) -> Array:
        """Direction of travel, shape (T,), radians from +Z towards +X."""
        return np.arctan2(self.direction[:, 0], self.direction[:, 1])


def measure_travelling(tracks: FootTracks) -> Travelling:
    """Direction and speed of travel, and how far ahead of the hips each foot is.

    Parameters
    ----------
    tracks : FootTracks
        Hips and ankles.

    Returns
    -------
    Travelling
    """
    ground = tracks.hips[:, [0, 2]]
    velocity = np.gradient(ground, axis=0) * tracks.fps
    smoothed = gaussian_average(velocity, SMOOTH_TRAVEL * tracks.fps)
    # A slow gait has long steps, which must not look like turns of the path.
    pace = float(np.quantile(np.hypot(*smoothed.T), 0.8)) / np.sqrt(GRAVITY * tracks.leg)
    longer = float(np.clip(np.sqrt(0.3 / max(pace, 1e-6)), 1.0, 2.5))
    velocity = gaussian_average(velocity, longer * SMOOTH_TRAVEL * tracks.fps)
    speed = np.hypot(*velocity.T)
    direction = velocity / np.maximum(speed, 1e-9)[:, None]
    away = (tracks.ankles - tracks.hips[:, None])[:, :, [0, 2]]
    ahead = np.einsum("tfk,tk->tf", away, direction)
    return Travelling(direction, speed, low_pass(ahead, tracks.fps, CUTOFF))


def peaks_of(values: Array, prominence: float) -> Array:
    """Places of maxima between samples; those at the very ends are not sure to be any.

    Parameters
    ----------
    values : array of shape (T,)
        A curve.
    prominence : float
        How far a maximum stands out; towards the ends of the curve only the inner side counts.

    Returns
    -------
    array of shape (K,)
        Samples and parts of them.
    """
    if len(values) < 5:
        return np.zeros(0)
    ends = values.min() - 1.0
    padded = np.concatenate([[ends], values, [ends]])
    found, _ = scipy.signal.find_peaks(padded, prominence=prominence)
    found = found - 1
    found = found[(found >= 2) & (found < len(values) - 2)]
    before = values[found - 1]
    after = values[found + 1]
    bend = before - 2.0 * values[found] + after
    return found + 0.5 * (before - after) / np.minimum(bend, -1e-12)


#: Where one foot is farthest ahead of the hips, about to strike, and farthest behind, about to
#: leave: frames, arrays of shape (K,) and (L,).
Extremes = tuple[Array, Array]


def find_extremes(tracks: FootTracks, travelling: Travelling) -> tuple[Extremes, Extremes]:
    """Fore and aft extremes of the left and the right foot, before any gate.

    Parameters
    ----------
    tracks : FootTracks
        Hips and ankles.
    travelling : Travelling
        Of these tracks.

    Returns
    -------
    tuple of Extremes
        Left, right.
    """
    least = PROMINENCE * tracks.leg
    # A slow walker's feet go less far: a step's length falls about with the root of the speed.
    pace = travelling.speed / np.sqrt(GRAVITY * tracks.leg)
    least *= float(np.clip(np.sqrt(np.quantile(pace, 0.8) / 0.4), 0.4, 1.0))
    left, right = travelling.ahead.T
    return (
        (peaks_of(left, least), peaks_of(-left, least)),
        (peaks_of(right, least), peaks_of(-right, least)),
    )


def gated_strikes(
    tracks: FootTracks, travelling: Travelling, extremes: tuple[Extremes, Extremes]
) -> list[tuple[float, int]]:
    """Strikes that pass the gates of travel, facing and a foot that stays, in order of time.

    Parameters
    ----------
    tracks : FootTracks
        Hips and ankles.
    travelling : Travelling
        Of these tracks.
    extremes : tuple of Extremes
        Of the left and right foot.

    Returns
    -------
    list of (float, int)
        Frame, and side as an index of `SIDES`.
    """
    found = sorted((float(f), side) for side in range(2) for f in extremes[side][0])
    pace = travelling.speed / np.sqrt(GRAVITY * tracks.leg)
    off = np.abs(wrap_angle(tracks.facing - travelling.heading))
    kept = []
    for i, (frame, side) in enumerate(found):
        at = round(frame)
        if pace[at] < SLOWEST or off[at] > np.radians(TOWARDS):
            continue
        until = _until(found, i, tracks.fps)
        if until is None or _slides(tracks, side, at, until) < SLIDE:
            kept.append((frame, side))
    return _with_neighbours(kept, tracks)


def _with_neighbours(
    strikes: list[tuple[float, int]], tracks: FootTracks
) -> list[tuple[float, int]]:
    """Strikes a step's time from one of the other foot."""
    unit = tracks.fps * np.sqrt(tracks.leg / GRAVITY)
    shortest, longest = (time * unit for time in STEP_TIMES)
    return [
        (frame, side)
        for frame, side in strikes
        if any(s != side and shortest <= abs(f - frame) <= longest for f, s in strikes)
    ]


def _until(found: list[tuple[float, int]], i: int, fps: float) -> int | None:
    """Frame of the other foot's next strike, at most a second later; None at the end of a clip."""
    frame, side = found[i]
    later = [f for f, s in found[i + 1 :] if s != side]
    return round(min(later[0], frame + fps)) if later else None


def _slides(tracks: FootTracks, side: int, start: int, stop: int) -> float:
    """Way of a foot as a share of the hips' way; it may roll at first and has left at last."""
    span = stop - start
    first = start + round(0.25 * span)
    last = start + round(0.65 * span)
    if last - first < 2:
        return 0.0
    places = tracks.ankles[[first, last], side][:, [0, 2]]
    hips = tracks.hips[[first, last]][:, [0, 2]]
    way = float(np.hypot(*(hips[1] - hips[0])))
    return float(np.hypot(*(places[1] - places[0]))) / max(way, 1e-6)


def to_events(
    tracks: FootTracks,
    strikes: list[tuple[float, int]],
    offs: list[tuple[float, int]],
    running: Bools,
) -> tuple[FootEvent, ...]:
    """Events in the clip's time, delayed from the extremes to the contacts themselves.

    Parameters
    ----------
    tracks : FootTracks
        Hips and ankles.
    strikes, offs : list of (float, int)
        Frame and side of the extremes.
    running : bool array of shape (T,)
        In which frames they run: which delay counts.

    Returns
    -------
    tuple of FootEvent
        In order of time.
    """
    start = tracks.first / tracks.fps
    kinds = (("strike", CONTACT_DELAYS, strikes), ("off", OFF_DELAYS, offs))
    events = [
        FootEvent(start + f / tracks.fps + delays[int(running[round(f)])], SIDES[s], kind)
        for kind, delays, found in kinds
        for f, s in found
    ]
    return tuple(sorted(events, key=lambda event: event.time))
