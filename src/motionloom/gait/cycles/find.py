"""Strides: spans of a clip from a strike to the same foot's next, with the gates of a cycle."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from motionloom.analysis.gaits import GRAVITY
from motionloom.gait.cycles._events import (
    RUN_SPEED,
    RUN_STANCE,
    FootEvent,
    Travelling,
    find_extremes,
    gated_strikes,
    measure_travelling,
    to_events,
)
from motionloom.gait.cycles.tracks import SIDES, FootTracks
from motionloom.rotations import wrap_angle
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: The other foot strikes between these shares of a cycle.
OPPOSITE = (0.4, 0.6)
#: A cycle takes this long, in square roots of leg length over gravity: 0.4 to 3 s for a person.
TIMES = (1.3, 10.0)
#: Speed of a cycle's second half over that of its first.
STEADY = 1.6
#: A foot strikes as far ahead of the hips as it did a cycle before, to this many leg lengths.
AHEAD = 0.2
#: A contact may lie this far behind the end of a clip, seconds: the foot's peak is still in it.
BEHIND = 0.08
#: Over a stride the body faces this near to where it travels, degrees: else it steps aside or back.
FACING = 30.0
#: Slower strides, in square roots of gravity times leg length, count only beside others.
ALONE = 0.2
#: Where the path turns more within a cycle it is not straight, degrees.
STRAIGHT = 15.0


@dataclass(frozen=True)
class Stride:
    """A span of a clip from one strike of a foot to its next.

    Parameters
    ----------
    start, opposite, off, stop : float, seconds
        Strike, the other foot's strike, the foot's own off, and its next strike; from the first
        frame of the clip.
    foot : str
        ``"left"`` or ``"right"``.
    speed : float, metres per second
        Way of the hips from start to stop, in a straight line, over the time.
    behaviour : str
        ``"walk"`` or ``"run"``.
    turn : float, degrees
        How far the path turns from start to stop, positive to the left.
    steady : float
        Speed of the faster half over that of the slower: 1 and more.
    """

    start: float
    opposite: float
    off: float
    stop: float
    foot: str
    speed: float
    behaviour: str
    turn: float
    steady: float

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.stop - self.start

    @property
    def straight(self) -> bool:
        """Whether its path hardly turns."""
        return abs(self.turn) <= STRAIGHT


@dataclass(frozen=True, eq=False)
class FoundGait:
    """What was found in one clip.

    Parameters
    ----------
    events : tuple of FootEvent
        Strikes and offs in order of time.
    strides : tuple of Stride
        In order of their starts.
    tracks : FootTracks
        What they were found in.
    travelling : Travelling
        The curves whose extremes they are.
    running : bool array of shape (T,)
        In which frames somebody runs.
    """

    events: tuple[FootEvent, ...]
    strides: tuple[Stride, ...]
    tracks: FootTracks
    travelling: Travelling
    running: Bools

    def of(self, kind: str, foot: str) -> Array:
        """Times of one kind of event of one foot, seconds."""
        return np.array([e.time for e in self.events if (e.kind, e.foot) == (kind, foot)])


@one_thread()
def find_gait(tracks: FootTracks) -> FoundGait:
    """Find strikes, offs and strides.

    Parameters
    ----------
    tracks : FootTracks
        Hips and ankles of one clip.

    Returns
    -------
    FoundGait
        Without events where nobody walks or runs.
    """
    travelling = measure_travelling(tracks)
    extremes = find_extremes(tracks, travelling)
    strikes = _alternating(gated_strikes(tracks, travelling, extremes), travelling)
    offs = _offs_of(strikes, extremes[0][1], extremes[1][1])
    running = _runs(tracks, travelling, strikes, offs)
    events = to_events(tracks, strikes, offs, running)
    return strides_of(events, tracks, travelling, running)


def _alternating(
    strikes: list[tuple[float, int]], travelling: Travelling
) -> list[tuple[float, int]]:
    """Of strikes of one foot with none of the other between, the farthest ahead."""
    kept: list[tuple[float, int]] = []
    for strike in strikes:
        if kept and kept[-1][1] == strike[1]:
            before, now = (travelling.ahead[round(f), s] for f, s in (kept[-1], strike))
            close = strike[0] - kept[-1][0] < 0.6 * _usual(strikes)
            if close and now > before:
                kept[-1] = strike
            if close:
                continue
        kept.append(strike)
    return kept


def _usual(strikes: list[tuple[float, int]]) -> float:
    """Median frames between strikes of one foot."""
    gaps = [np.diff([f for f, s in strikes if s == side]) for side in range(2)]
    return float(np.median(np.concatenate(gaps))) if any(map(len, gaps)) else 0.0


def _offs_of(
    strikes: list[tuple[float, int]], left: Array, right: Array
) -> list[tuple[float, int]]:
    """Rearmost places that belong to a stance: the nearest after a strike or before one."""
    usual = _usual(strikes) or np.inf
    offs: set[tuple[float, int]] = set()
    for frame, side in strikes:
        own = (left, right)[side]
        after = own[(own > frame) & (own < frame + 1.05 * usual)]
        before = own[(own < frame) & (own > frame - 0.75 * usual)]
        offs |= {(float(f), side) for f in (*after[:1], *before[-1:])}
    return sorted(offs)


def _runs(
    tracks: FootTracks,
    travelling: Travelling,
    strikes: list[tuple[float, int]],
    offs: list[tuple[float, int]],
) -> Bools:
    """In which frames somebody runs, judged stride by stride."""
    pace = travelling.speed / np.sqrt(GRAVITY * tracks.leg)
    # Faster than this nobody walks; a walking race is out of what captures hold.
    running: Bools = np.asarray(pace > 1.5 * RUN_SPEED, bool)
    for side in range(2):
        own = [f for f, s in strikes if s == side]
        for a, b in pairwise(own):
            frames = slice(round(a), round(b) + 1)
            shares = [(f - a) / (b - a) for f, s in offs if s == side and a < f < b]
            fast = float(pace[frames].mean()) > RUN_SPEED
            if len(shares) == 1 and fast and shares[0] < RUN_STANCE:
                running[frames] = True
    return running


def strides_of(
    events: tuple[FootEvent, ...], tracks: FootTracks, travelling: Travelling, running: Bools
) -> FoundGait:
    """Strides between events, found or told by a user.

    Parameters
    ----------
    events : tuple of FootEvent
        In order of time.
    tracks : FootTracks
        Hips and ankles.
    travelling : Travelling
        Of these tracks.
    running : bool array of shape (T,)
        In which frames they run.

    Returns
    -------
    FoundGait
    """
    strides = []
    for side in SIDES:
        own = [e.time for e in events if (e.kind, e.foot) == ("strike", side)]
        for start, stop in pairwise(own):
            stride = _stride(start, stop, side, events, tracks, travelling, running)
            if stride is not None:
                strides.append(stride)
    strides.sort(key=lambda stride: stride.start)
    kept = _in_company(strides, tracks.leg)
    return FoundGait(events, kept, tracks, travelling, running)


def _in_company(strides: list[Stride], leg: float) -> tuple[Stride, ...]:
    """Without slow strides that overlap no other: somebody shifts their weight and steps about."""
    least = ALONE * np.sqrt(GRAVITY * leg)
    return tuple(
        one
        for one in strides
        if one.speed >= least
        or any(o is not one and o.start < one.stop and one.start < o.stop for o in strides)
    )


def _stride(
    start: float,
    stop: float,
    side: str,
    events: tuple[FootEvent, ...],
    tracks: FootTracks,
    travelling: Travelling,
    running: Bools,
) -> Stride | None:
    inside = [e for e in events if start < e.time < stop]
    strikes = [e.time for e in inside if e.kind == "strike" and e.foot != side]
    offs = [e.time for e in inside if e.kind == "off" and e.foot == side]
    if len(strikes) != 1 or len(offs) != 1:
        return None
    share = (strikes[0] - start) / (stop - start)
    unit = np.sqrt(tracks.leg / GRAVITY)
    first = tracks.first / tracks.fps
    places = np.array([start, strikes[0], stop]) - first
    behind = max(places[2] - (tracks.n_frames - 1) / tracks.fps, 0.0)
    places = places - behind
    inside_clip = places[0] >= 0 and behind <= BEHIND
    if not (OPPOSITE[0] <= share <= OPPOSITE[1] and inside_clip):
        return None
    if not TIMES[0] * unit <= stop - start <= TIMES[1] * unit:
        return None
    hips = _at(tracks.hips[:, [0, 2]], places * tracks.fps)
    halves = np.hypot(*np.diff(hips, axis=0).T) / np.diff(places)
    ahead = _at(travelling.ahead[:, [SIDES.index(side)]], places[[0, 2]] * tracks.fps)
    if max(halves) > STEADY * min(halves) or np.ptp(ahead) > AHEAD * tracks.leg:
        return None
    heading = np.unwrap(travelling.heading)
    turn = np.degrees(np.diff(_at(heading[:, None], places[[0, 2]] * tracks.fps), axis=0))
    way = hips[2] - hips[0]
    frames = slice(round(places[0] * tracks.fps), round(places[2] * tracks.fps) + 1)
    if not _faces(tracks, frames, way):
        return None
    return Stride(
        start=start,
        opposite=strikes[0],
        off=offs[0],
        stop=stop,
        foot=side,
        speed=float(np.hypot(*way)) / (stop - start),
        behaviour="run" if running[frames].mean() > 0.5 else "walk",
        turn=float(turn[0, 0]),
        steady=float(max(halves) / min(halves)),
    )


def _faces(tracks: FootTracks, frames: slice, way: Array) -> bool:
    """Whether the body faces where it travels, on average over a stride."""
    facing = tracks.facing[frames]
    mean = np.arctan2(np.sin(facing).mean(), np.cos(facing).mean())
    heading = np.arctan2(way[0], way[1])
    return bool(np.abs(wrap_angle(mean - heading)) <= np.radians(FACING))


def _at(values: Array, frames: Array) -> Array:
    """Values between frames, shape (K, C)."""
    return np.column_stack([np.interp(frames, np.arange(len(values)), c) for c in values.T])
