"""Footprints: where each foot stands, planned before anything moves, and held.

Phases: where in its cycle a gait is at every moment, at the pace of its speed.

A footprint is fixed in the middle of its stance: there the foot is beside the path as far as it was
captured beside the line of travel, moved outwards by as much as the body leans in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray

from motionloom.curves import runs_of, smoothstep
from motionloom.gait.cycles.tracks import SIDES
from motionloom.gait.path.tables._mix import TableMix
from motionloom.gait.path.way.timing import STANDS
from motionloom.motion import GroundTransform
from motionloom.typing import Array, Bools

#: A foot is in the air for at least this share of a cycle.
LEAST_SWING = 0.25
#: After a halt so much of a stance is over: the other foot has to come down before it ends.
STOOD = 0.18
#: What never descends is made to ascend by this in every frame, to be looked up in.
_TIES = 1e-9


@dataclass(frozen=True, eq=False)
class Way:
    """The body's way, frame by frame.

    Parameters
    ----------
    fps : float
        Frames per second.
    stand : GroundTransform
        Where the path is and leads, arrays of shape (T,).
    speeds : array of shape (T,), metres per second
        Along the path.
    leans : array of shape (T,), radians
        How far the legs lean to the left.
    phases : array of shape (T,)
        Of the gait.
    """

    fps: float
    stand: GroundTransform
    speeds: Array
    leans: Array
    phases: Array

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return len(self.speeds)

    def cut(self, start: int, stop: int) -> Way:
        """Frames ``start <= i < stop``."""
        own = slice(start, stop)
        stand = GroundTransform(self.stand.angle[own], self.stand.x[own], self.stand.z[own])
        return Way(self.fps, stand, self.speeds[own], self.leans[own], phases=self.phases[own])


@dataclass(frozen=True, eq=False)
class FootSteps:
    """The footprints of one foot, and where in its steps it is in every frame.

    Parameters
    ----------
    first : int
        Number of the first footprint.
    prints : array of shape (K, 3)
        x, z (metres) of the flat ankle, and direction of travel (radians), in order of time.
    middles : array of shape (K,), frames
        When each is in the middle of its stance.
    number : int array of shape (T,)
        Which footprint, from 0, the foot stands on or has left last.
    share : array of shape (T,)
        From 0 at the strike to .5 at the off to 1 at the next strike.
    """

    first: int
    prints: Array
    middles: Array
    number: NDArray[np.intp]
    share: Array

    @property
    def stands(self) -> Bools:
        """Whether the foot stands, shape (T,)."""
        return self.share < 0.5

    def cut(self, start: int, stop: int) -> FootSteps:
        """Frames ``start <= i < stop``; all footprints stay."""
        own = slice(start, stop)
        middles = self.middles - start
        return replace(self, middles=middles, number=self.number[own], share=self.share[own])


def plan_footsteps(mix: TableMix, way: Way) -> tuple[FootSteps, FootSteps]:
    """Plan where both feet stand.

    Parameters
    ----------
    mix : TableMix
        When feet strike over speed, and where beside the path.
    way : Way
        Where the body goes; enough of it before and behind what is wanted for the footprints there.

    Returns
    -------
    pair of FootSteps
        Left, right.
    """
    left, right = (_steps_of(mix, way, foot) for foot in range(len(SIDES)))
    return left, right


def _steps_of(mix: TableMix, way: Way, foot: int) -> FootSteps:
    gone = np.maximum.accumulate(way.phases - mix.over(lambda t: t.strikes[:, foot], way.speeds))
    cycles = mix.over(lambda table: table.durations, way.speeds)
    times = cycles * mix.over(lambda table: table.stances[:, foot], way.speeds)
    rates = halting(way.speeds) / times
    stood = scipy.integrate.cumulative_trapezoid(rates, dx=1.0 / way.fps, initial=0)
    number = np.floor(gone).astype(int)
    first = int(number[0])
    wanted = np.arange(first, int(number[-1]) + 2)
    every = np.arange(way.n_frames)
    strikes = np.interp(wanted, gone + _TIES * every, every)
    # How much of a stance is over: a whole one after each strike, at the pace of its moment.
    begun = np.interp(strikes, every, stood)
    share = _first_share(mix, way, foot, float(gone[0] - first))
    begun[0] = stood[0] - 2.0 * min(share, 0.5)
    middles = np.interp(begun + 0.5, stood + _TIES * every, every)
    gained, added = _stood_in_halts(strikes, middles, stood - begun[:, None], way.speeds)
    middles = np.where(gained > 0.0, np.minimum(middles, added.argmax(axis=1)), middles)
    begun = begun - gained
    offs = np.interp(begun + 1.0, stood + _TIES * every, every)
    swings = wanted + 1.0 - LEAST_SWING
    late = np.interp(swings, gone + _TIES * every, every, right=np.inf)
    offs = np.where(begun + 1.0 > stood[-1] + _TIES * len(stood), np.inf, offs)
    offs = _after_halts(np.minimum(offs, late), strikes, way.speeds)
    return FootSteps(
        first=first,
        prints=_prints(mix, way, middles, foot),
        middles=middles,
        number=number - first,
        share=_shares(
            gone,
            stood - (begun + gained)[number - first] + added[number - first, every],
            offs[number - first],
            share,
        ),
    )


def _after_halts(offs: Array, strikes: Array, speeds: Array) -> Array:
    """Frames at which a foot leaves the ground (K,), put off until after a halt that would begin
    before it comes down again.
    """
    later = offs.copy()
    for begin, end in _halts(speeds):
        for k in range(len(offs)):
            lands = strikes[k + 1] if k + 1 < len(strikes) else np.inf
            if strikes[k] <= begin and offs[k] <= end and (lands > end or lands >= len(speeds) - 1):
                later[k] = np.inf if end >= len(speeds) - 1 else float(end)
    return later


def _stood_in_halts(
    strikes: Array, middles: Array, progress: Array, speeds: Array
) -> tuple[Array, Array]:
    """How much of a stance is over by standing, for who goes on after a halt.

    Parameters
    ----------
    strikes, middles : array of shape (K,), frames
        Of the stances.
    progress : array of shape (K, T)
        Stances gone since each strike, by walking.
    speeds : array of shape (T,), metres per second
        Of the body.

    Returns
    -------
    gained : array of shape (K,)
        Share of a stance that is over by standing.
    added : array of shape (K, T)
        How much of that is over in every frame.
    """
    gained = np.zeros(len(strikes))
    added = np.zeros(progress.shape)
    every = np.arange(len(speeds))
    for begin, end in _halts(speeds):
        for k in np.flatnonzero((strikes < end) & (middles > end)):
            first = max(begin, float(strikes[k]))
            gained[k] = max(STOOD - float(progress[k, end]), 0.0)
            added[k] = gained[k] * smoothstep((every - first) / max(end - first, 1.0))
    return gained, added


def _halts(speeds: Array) -> list[tuple[int, int]]:
    """First and last frames in which a body stands."""
    return [(begin, stop - 1) for begin, stop in runs_of(speeds < STANDS)]


def _first_share(mix: TableMix, way: Way, foot: int, part: float) -> float:
    """Where in its step a foot is in the first frame, from the part of the cycle that is over."""
    stance = float(mix.over(lambda t: t.stances[:, foot], way.speeds[:1], mix.shares[:1])[0])
    if part < stance:
        return 0.5 * part / stance
    return 0.5 + 0.5 * (part - stance) / (1.0 - stance)


def _shares(gone: Array, stood: Array, offs: Array, first: float) -> Array:
    """Where in its step a foot is, from 0 to 1, shape (T,).

    Parameters
    ----------
    gone : array of shape (T,)
        Cycles since the strike of step 0.
    stood : array of shape (T,)
        Stances since the last strike.
    offs : array of shape (T,), frames
        When the present step's foot leaves the ground.
    first : float
        The share of frame 0.
    """
    every = np.arange(len(gone))
    at_off = np.interp(np.minimum(offs, len(gone) - 1), every, gone)
    whole = np.floor(gone) + 1.0
    swung = np.clip((gone - at_off) / np.maximum(whole - at_off, 1e-9), 0.0, 1.0)
    begin = np.where((offs <= 0) & (first > 0.5), first, 0.5)
    share = np.where(
        every < offs, np.clip(0.5 * stood, 0.0, 0.5 - 1e-9), begin + (1.0 - begin) * swung
    )
    return np.clip(share, 0.0, 1.0 - 1e-9)


def _prints(mix: TableMix, way: Way, frames: Array, foot: int) -> Array:
    """Footprints (K, 3) of stances whose middles are at frames (K,)."""
    every = np.arange(way.n_frames)
    x, z, heading, speed, lean = (
        np.interp(frames, every, values)
        for values in (way.stand.x, way.stand.z, way.stand.angle, way.speeds, way.leans)
    )
    shares = mix.at(frames).shares
    flat = mix.over(lambda table: table.flats[:, foot], speed, shares)
    height = mix.over(lambda table: table.deviations[:, :, 1].mean(axis=1), speed, shares)
    flat[:, 0] -= height * np.sin(lean)
    ground = GroundTransform(heading, x, z).apply(flat)
    return np.column_stack([ground, heading])


#: Up to this speed a gait comes to a halt with the body, metres per second.
HALTS = 0.15
#: Before a halt, over this time, steps are taken a little earlier or later so that both feet stand
#: in the end, seconds.
CLOSING = 2.0
#: Who has halted for at least this long brings the other foot beside, in this time, seconds.
RESTS, LAST_STEP = 1.5, 0.9
#: Both feet stand this share of a cycle after a strike.
STRUCK = 0.03
#: A body that starts is this share of a cycle before a foot leaves the ground.
LEAVES = 0.01


def halting(speeds: Array) -> Array:
    """Share of its usual pace that a gait has at speeds: it comes to a halt with the body."""
    return np.clip(speeds / HALTS, 0.0, 1.0)


def find_phases(
    mix: TableMix, speeds: Array, fps: float, phase: float = 0.0, frame: int = 0
) -> Array:
    """Phase of every frame: cycles at the pace of the speed; standing it stops, on both feet.

    Parameters
    ----------
    mix : TableMix
        Durations of cycles over speed.
    speeds : array of shape (T,), metres per second
        Frame by frame.
    fps : float
        Frames per second.
    phase : float
        Of a frame; of a body that stands at first, the one near to it at which both feet do.
    frame : int
        The frame that it is the phase of.

    Returns
    -------
    array of shape (T,)
        Never descending.
    """
    rates = halting(speeds) / mix.over(lambda table: table.durations, speeds)
    phases = scipy.integrate.cumulative_trapezoid(rates, dx=1.0 / fps, initial=0)
    stands = speeds < STANDS
    last = len(speeds) - frame
    if stands[0]:
        # Both feet stand, and one of them is about to leave.
        leaving = mix.standing(lambda table: table.strikes + table.stances, 0) - LEAVES
        phase = _nearest(phase, leaving)
        frame = 0
    phases = phases + phase - phases[frame]
    for stop in np.flatnonzero(stands[1:] & ~stands[:-1]) + 1:
        phases = phases + _closing(mix, phases, stands, int(stop), fps)
        phases = phases + _last_step(stands[:last], int(stop), fps, len(phases))
    return np.asarray(phases)


def _nearest(phase: float, moments: Array) -> float:
    """Phase nearest to one, of those at moments of a cycle."""
    return float(min(moments + np.round(phase - moments), key=lambda p: abs(p - phase)))


def _closing(mix: TableMix, phases: Array, stands: Bools, stop: int, fps: float) -> Array:
    """What is added to phases so that a halt at frame `stop` is on both feet."""
    # Both feet stand, one of them since just now.
    closed = mix.standing(lambda table: table.strikes, stop) + STRUCK
    lacking = _nearest(float(phases[stop]), closed) - float(phases[stop])
    still = np.flatnonzero(stands[:stop])
    begin = max(stop - round(CLOSING * fps), int(still[-1]) + 1 if len(still) else 0)
    return lacking * smoothstep((np.arange(len(phases)) - begin) / max(stop - begin, 1))


def _last_step(stands: Bools, stop: int, fps: float, n: int) -> Array:
    """What is added to phases (n,) so that after a halt at frame `stop` the other foot follows."""
    goes = np.flatnonzero(~stands[stop:])
    rest = (int(goes[0]) if len(goes) else len(stands) - stop) / fps
    if rest < RESTS:
        return np.zeros(n)
    return 0.5 * smoothstep((np.arange(n) - stop) / (LAST_STEP * fps))
