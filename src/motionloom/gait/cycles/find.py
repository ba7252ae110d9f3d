"""Strides: spans of a clip from a strike to the same foot's next, with the gates of a cycle.

Strides cut out of a motion as cycles: resampled, closed, their travel taken out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy.interpolate import CubicSpline

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.gaits import GRAVITY
from motionloom.gait.cycle import SAMPLES, GaitCycle
from motionloom.gait.cycles.tracks import (
    RUN_SPEED,
    RUN_STANCE,
    SIDES,
    FootEvent,
    FootTracks,
    Moments,
    find_extremes,
    gated_strikes,
    to_events,
)
from motionloom.posed_motion import PosedMotion
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
    running : bool array of shape (T,)
        In which frames somebody runs.
    """

    events: tuple[FootEvent, ...]
    strides: tuple[Stride, ...]
    tracks: FootTracks
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
    fore, aft = find_extremes(tracks)
    strikes = _alternating(gated_strikes(tracks, fore), tracks.ahead)
    offs = _offs_of(strikes, aft)
    running = _runs(tracks, strikes, offs)
    return strides_of(to_events(tracks, strikes, offs, running), tracks, running)


def _alternating(strikes: Moments, ahead: Array) -> Moments:
    """Of strikes of one foot with none of the other between, the farthest ahead."""
    kept: Moments = []
    near = 0.6 * _usual(strikes)
    for frame, side in strikes:
        if not kept or kept[-1][1] != side or frame - kept[-1][0] >= near:
            kept.append((frame, side))
        elif ahead[round(frame), side] > ahead[round(kept[-1][0]), side]:
            kept[-1] = (frame, side)
    return kept


def _usual(strikes: Moments) -> float:
    """Median frames between strikes of one foot."""
    gaps = [np.diff([f for f, s in strikes if s == side]) for side in range(2)]
    return float(np.median(np.concatenate(gaps))) if any(map(len, gaps)) else 0.0


def _offs_of(strikes: Moments, aft: Moments) -> Moments:
    """Rearmost places that belong to a stance: the nearest after a strike or before one."""
    usual = _usual(strikes) or np.inf
    offs: set[tuple[float, int]] = set()
    for frame, side in strikes:
        after = [f for f, s in aft if s == side and frame < f < frame + 1.05 * usual]
        before = [f for f, s in aft if s == side and frame - 0.75 * usual < f < frame]
        offs |= {(f, side) for f in (*after[:1], *before[-1:])}
    return sorted(offs)


def _runs(tracks: FootTracks, strikes: Moments, offs: Moments) -> Bools:
    """In which frames somebody runs, judged stride by stride."""
    pace = tracks.pace
    # Faster than this nobody walks; a walking race is out of what captures hold.
    running: Bools = np.asarray(pace > 1.5 * RUN_SPEED, bool)
    for side in range(2):
        for a, b in pairwise(f for f, s in strikes if s == side):
            frames = slice(round(a), round(b) + 1)
            shares = [(f - a) / (b - a) for f, s in offs if s == side and a < f < b]
            fast = float(pace[frames].mean()) > RUN_SPEED
            if len(shares) == 1 and fast and shares[0] < RUN_STANCE:
                running[frames] = True
    return running


def strides_of(events: tuple[FootEvent, ...], tracks: FootTracks, running: Bools) -> FoundGait:
    """Strides between events, found or told by a user.

    Parameters
    ----------
    events : tuple of FootEvent
        In order of time.
    tracks : FootTracks
        Hips and ankles.
    running : bool array of shape (T,)
        In which frames they run.

    Returns
    -------
    FoundGait
    """
    strides = []
    for side in SIDES:
        own = [e.time for e in events if (e.kind, e.foot) == ("strike", side)]
        strides += [_stride(a, b, side, events, tracks, running) for a, b in pairwise(own)]
    found = sorted((stride for stride in strides if stride), key=lambda stride: stride.start)
    # Slow strides that overlap no other: somebody shifts their weight and steps about.
    least = ALONE * np.sqrt(GRAVITY * tracks.leg)
    kept = tuple(
        one
        for one in found
        if one.speed >= least
        or any(o is not one and o.start < one.stop and one.start < o.stop for o in found)
    )
    return FoundGait(events, kept, tracks, running)


def _stride(
    start: float,
    stop: float,
    side: str,
    events: tuple[FootEvent, ...],
    tracks: FootTracks,
    running: Bools,
) -> Stride | None:
    inside = [e for e in events if start < e.time < stop]
    strikes = [e.time for e in inside if e.kind == "strike" and e.foot != side]
    offs = [e.time for e in inside if e.kind == "off" and e.foot == side]
    if len(strikes) != 1 or len(offs) != 1:
        return None
    times = np.array([start, strikes[0], stop]) - tracks.first / tracks.fps
    behind = max(times[2] - (tracks.n_frames - 1) / tracks.fps, 0.0)
    frames = (times - behind) * tracks.fps
    every = np.arange(tracks.n_frames)
    ahead = tracks.ahead[:, SIDES.index(side)]
    x, z, ahead, heading = (
        np.interp(frames, every, curve)
        for curve in (*tracks.hips.T[[0, 2]], ahead, np.unwrap(tracks.heading))
    )
    halves = np.hypot(np.diff(x), np.diff(z)) / np.diff(times)
    way = (x[2] - x[0], z[2] - z[0])
    whole = slice(round(frames[0]), round(frames[2]) + 1)
    unit = np.sqrt(tracks.leg / GRAVITY)
    is_cycle = (
        OPPOSITE[0] <= (strikes[0] - start) / (stop - start) <= OPPOSITE[1]
        and frames[0] >= 0
        and behind <= BEHIND
        and TIMES[0] * unit <= stop - start <= TIMES[1] * unit
        and max(halves) <= STEADY * min(halves)
        and abs(ahead[2] - ahead[0]) <= AHEAD * tracks.leg
        and _faces(tracks.facing[whole], float(np.arctan2(*way)))
    )
    if not is_cycle:
        return None
    return Stride(
        start=start,
        opposite=strikes[0],
        off=offs[0],
        stop=stop,
        foot=side,
        speed=float(np.hypot(*way)) / (stop - start),
        behaviour="run" if running[whole].mean() > 0.5 else "walk",
        turn=float(np.degrees(heading[2] - heading[0])),
        steady=float(max(halves) / min(halves)),
    )


def _faces(facing: Array, heading: float) -> bool:
    """Whether the body faces where it travels, on average over a stride."""
    mean = np.arctan2(np.sin(facing).mean(), np.cos(facing).mean())
    return bool(np.abs(wrap_angle(mean - heading)) <= np.radians(FACING))


def cut_cycle(
    posed: PosedMotion, contacts: FootContacts, stride: Stride, person: str = ""
) -> GaitCycle:
    """A stride as a cycle that begins at the left foot's strike.

    What is left over between both ends is spread evenly over the cycle, so that it closes.

    Parameters
    ----------
    posed : PosedMotion
        The motion that holds the stride.
    contacts : FootContacts
        Of this motion.
    stride : Stride
        Where it is. One of the right foot is rolled, so that it begins with the left foot too.
    person : str
        Whose it is.

    Returns
    -------
    GaitCycle
        Of `SAMPLES` samples.
    """
    # A contact may lie just behind the last frame: the same cycle, begun a little earlier.
    behind = max(stride.stop - (posed.n_frames - 1) / posed.fps, 0.0)
    frames = (np.linspace(stride.start, stride.stop, SAMPLES + 1) - behind) * posed.fps
    first = max(int(frames[0]) - 2, 0)
    last = min(int(np.ceil(frames[-1])) + 3, posed.n_frames)
    own = np.arange(first, last)
    root = posed.motion.root_joint
    way = CubicSpline(own, posed.positions[first:last, root])(frames)
    travel = np.arctan2(way[-1, 0] - way[0, 0], way[-1, 2] - way[0, 2])
    cycle = GaitCycle(
        rotations=_closed(_rotations(posed, root, travel, slice(first, last), frames)),
        deviations=_deviations(way, travel, contacts.ground),
        contacts=_sampled(contacts.down, frames[:-1]),
        duration=stride.duration,
        speed=float(np.hypot(*(way[-1] - way[0])[[0, 2]])) / stride.duration,
        behaviour=stride.behaviour,
        person=person,
        root=root,
        name=posed.motion.name,
    )
    share = behind / stride.duration
    if stride.foot == "right":
        share += (stride.opposite - stride.start) / stride.duration
    return cycle if share == 0.0 else _centred(cycle.rolled(share))


def _rotations(posed: PosedMotion, root: int, travel: float, own: slice, frames: Array) -> Array:
    """Local rotations at frames and between, the root's relative to the travel, (N + 1, J, 4)."""
    local = posed.motion.rotations[own].copy()
    local[:, root] = rot.multiply(rot.yaw(-travel), posed.rotations[own, root])
    local[:, list(posed.skeleton.chain(root)[:-1])] = (1.0, 0.0, 0.0, 0.0)
    known = np.arange(own.start, own.stop)
    return rot.normalize(CubicSpline(known, rot.unroll(local))(frames))


def _closed(rotations: Array) -> Array:
    """Without the difference between both ends, and without the second of them, (N, J, 4)."""
    rotations = rot.unroll(rotations)
    open_by = rot.to_rotvec(rot.multiply(rot.conjugate(rotations[0]), rotations[-1]))
    share = np.linspace(0.5, -0.5, len(rotations))[:, None, None]
    closed = rot.multiply(rotations, rot.from_rotvec(share * open_by))
    return rot.unroll(closed[:-1])


def _deviations(way: Array, travel: float, ground: float) -> Array:
    """To the left, up and ahead of uniform travel from the first to the last place, (N, 3)."""
    share = np.linspace(0.0, 1.0, len(way))[:, None]
    away = way - way[0] - share * (way[-1] - way[0])
    left = away[:, 0] * np.cos(travel) - away[:, 2] * np.sin(travel)
    ahead = away[:, 0] * np.sin(travel) + away[:, 2] * np.cos(travel)
    height = away[:, 1] + 0.5 * (way[0, 1] + way[-1, 1]) - ground
    deviations = np.column_stack([left, height, ahead])[:-1]
    deviations[:, [0, 2]] -= deviations[:, [0, 2]].mean(axis=0)
    return deviations


def _sampled(down: Bools, frames: Array) -> Bools:
    nearest = np.clip(np.round(frames).astype(int), 0, len(down) - 1)
    return np.asarray(down[nearest])


def _centred(cycle: GaitCycle) -> GaitCycle:
    deviations = cycle.deviations.copy()
    deviations[:, [0, 2]] -= deviations[:, [0, 2]].mean(axis=0)
    return replace(cycle, deviations=deviations)
