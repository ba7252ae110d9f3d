"""Tracks of hips and ankles over time, and the strikes and offs that are found in them.

These are where the ankles lie farthest ahead of and behind the hips: peaks of (ankle - hips) along
the smoothed direction of travel (Zeni et al. 2008), then gates: alternation, travel, facing and a
foot that stays where it struck.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from motionloom.analysis.gaits import GRAVITY
from motionloom.curves import gaussian_average, low_pass
from motionloom.errors import InvalidInputError
from motionloom.posed_motion import PosedMotion
from motionloom.rotations import wrap_angle
from motionloom.skeleton import restore_read_only
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

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


#: Moments of feet: frame, and side as an index of `SIDES`.
Moments = list[tuple[float, int]]


def find_extremes(tracks: FootTracks) -> tuple[Moments, Moments]:
    """Where feet are farthest ahead of the hips, about to strike, and behind, about to leave.

    Parameters
    ----------
    tracks : FootTracks
        Hips and ankles.

    Returns
    -------
    fore, aft : list of (float, int)
        Frame, and side as an index of `SIDES`, in order; before any gate.
    """
    # A slow walker's feet go less far: a step's length falls about with the root of the speed.
    less = float(np.clip(np.sqrt(np.quantile(tracks.pace, 0.8) / 0.4), 0.4, 1.0))
    least = PROMINENCE * tracks.leg * less
    fore, aft = (
        sorted((float(f), k) for k in range(2) for f in peaks_of(sign * tracks.ahead[:, k], least))
        for sign in (1.0, -1.0)
    )
    return fore, aft


def gated_strikes(tracks: FootTracks, found: Moments) -> Moments:
    """Strikes that pass the gates of travel, facing and a foot that stays, in order of time.

    Parameters
    ----------
    tracks : FootTracks
        Hips and ankles.
    found : list of (float, int)
        Fore extremes of both feet, in order of time.

    Returns
    -------
    list of (float, int)
    """
    off = np.abs(wrap_angle(tracks.facing - tracks.heading))
    goes = (tracks.pace >= SLOWEST) & (off <= np.radians(TOWARDS))
    kept = [
        (frame, side)
        for i, (frame, side) in enumerate(found)
        if goes[round(frame)] and _slides(tracks, found[i:]) < SLIDE
    ]
    unit = tracks.fps * np.sqrt(tracks.leg / GRAVITY)
    shortest, longest = (time * unit for time in STEP_TIMES)
    # Only those a step's time from one of the other foot.
    return [
        (frame, side)
        for frame, side in kept
        if any(s != side and shortest <= abs(f - frame) <= longest for f, s in kept)
    ]


def _slides(tracks: FootTracks, strikes: Moments) -> float:
    """Way of the first strike's foot as a share of the hips' way, until the other foot strikes, a
    second at most; it may roll at first and has left at last. 0 at the end of a clip.
    """
    frame, side = strikes[0]
    later = [f for f, s in strikes if s != side]
    if not later:
        return 0.0
    start = round(frame)
    span = round(min(later[0], frame + tracks.fps)) - start
    first = start + round(0.25 * span)
    last = start + round(0.65 * span)
    if last - first < 2:
        return 0.0
    moved = [np.hypot(*(p[last] - p[first])[[0, 2]]) for p in (tracks.ankles[:, side], tracks.hips)]
    return float(moved[0] / max(moved[1], 1e-6))


def to_events(
    tracks: FootTracks, strikes: Moments, offs: Moments, running: Bools
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
    kinds = (("strike", CONTACT_DELAYS, strikes), ("off", OFF_DELAYS, offs))
    events = [
        FootEvent((tracks.first + f) / tracks.fps + delays[int(running[round(f)])], SIDES[s], kind)
        for kind, delays, found in kinds
        for f, s in found
    ]
    return tuple(sorted(events, key=lambda event: event.time))
