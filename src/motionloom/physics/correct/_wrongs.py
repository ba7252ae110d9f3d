"""What is wrong with a motion, and when: nothing else is moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from motionloom.curves import runs_of, touching_runs
from motionloom.physics.body import Body
from motionloom.physics.body._limits import BendLimit, bend_angles, bend_limits
from motionloom.physics.correct._spans import Pins
from motionloom.physics.ground._balance import Balance
from motionloom.physics.quality import long_flights
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools

#: A zero moment point farther outside than this is one of a body that tips over, metres.
TIPPING = 0.10
#: It does so for at least this long, seconds.
LEAST_TIPPING = 0.2
#: Where the ground carries less than this share of the weight, balance means nothing.
LEAST_LOAD = 0.4
#: More of the weight than this in what looks like a flight, and something carries the body that is
#: not seen: a box, a rail, a partner; with feet nowhere above `CLEAR` (metres) half of it.
CARRIED = 0.7
HALF_CARRIED = 0.5
CLEAR = 0.06
#: Nobody stays longer in the air, seconds: that is a jump of 0.8 m.
LONGEST_FLIGHT = 0.8
#: A flight falls as it should while its mean force is no more than this, body weights.
FALLS = 0.25
#: Filters smear what is on the ground into this much of a flight's ends, seconds.
SMEARED = 0.06
#: Stances within this time of a flight are those of a run, where the zero moment point is that of
#: soft feet and blurred impacts, seconds.
NEAR_FLIGHT = 0.25
#: Balance is asked for about what is mended, seconds on both sides.
ABOUT = 0.25
#: How far inside the zero moment point is wanted where balance is asked for, metres.
MARGIN = 0.015
#: Points deeper under the ground than this (metres) for this long (seconds) are wrong: toes bend,
#: heels are soft, and rigid feet are not.
SUNK = 0.03
LEAST_SUNK = 0.05
#: A joint is wrong when it leaves its range by more than this (radians), for no more than this
#: share of the frames: what does so more often has other bones, or was captured so.
BEYOND = float(np.radians(10.0))
SELDOM = 0.1


@dataclass(frozen=True, eq=False)
class Wrongs:
    """Frames in which something is wrong, by what it is, each of shape (T,).

    Parameters
    ----------
    feet : bool array
        A stance slips, sinks or floats.
    depths : bool array
        A foot in the air goes through the ground.
    tips : bool array
        The body tips over.
    flights : bool array
        A flight does not fall.
    ranges : bool array
        A joint leaves its range.
    """

    feet: Bools
    depths: Bools
    tips: Bools
    flights: Bools
    ranges: Bools

    @property
    def any(self) -> Bools:
        """Frames in which anything is wrong, (T,)."""
        return self.feet | self.depths | self.tips | self.flights | self.ranges

    def without(self, frames: Bools) -> Wrongs:
        """Only what does not touch any of some frames (T,)."""
        own = (getattr(self, name) for name in self.__dataclass_fields__)
        return Wrongs(*(flags & ~touching_runs(flags, frames) for flags in own))

    def cut(self, start: int, stop: int) -> Wrongs:
        """Frames ``start <= i < stop``."""
        return Wrongs(*(getattr(self, name)[start:stop] for name in self.__dataclass_fields__))


def find_wrongs(
    posed: PosedMotion,
    pins: Pins,
    points: Array,
    balance: Balance,
    flights: Bools,
    limits: Sequence[BendLimit],
) -> Wrongs:
    """Find what is wrong with a motion.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    pins : Pins
        What stands.
    points : array of shape (T, P, 3), metres
        Points of the soles.
    balance : Balance
        Of the motion.
    flights : bool array of shape (T,)
        Middles of flights that do not fall.
    limits : sequence of BendLimit
        Ranges of joints.

    Returns
    -------
    Wrongs
    """
    depth = pins.floor - points[..., 1]
    ranges = np.zeros(posed.n_frames, bool)
    for limit in limits:
        ranges |= beyond_range(posed, limit)
    depths = _lasting(np.asarray(np.any(depth > SUNK, axis=1)), LEAST_SUNK * posed.fps)
    return Wrongs(pins.wrong, depths, _tips(balance), flights, ranges)


def beyond_range(posed: PosedMotion, limit: BendLimit) -> Bools:
    """Frames in which a joint bends clearly too far, (T,)."""
    angles = bend_angles(posed.positions, limit)
    return np.asarray((angles < limit.least - BEYOND) | (angles > limit.most + BEYOND), bool)


def usual_ranges(posed: PosedMotion, body: Body) -> tuple[BendLimit, ...]:
    """Ranges of joints, as wide as the input often is: other bones have other angles."""
    found = []
    links = set(body.joints.tolist())
    for limit in bend_limits(posed):
        if not {limit.before, limit.joint, limit.behind} <= links:
            continue
        angles = bend_angles(posed.positions, limit)
        low, high = np.quantile(angles, [SELDOM / 2, 1 - SELDOM / 2])
        # A knee that is straight in the input may be straight, but no straighter.
        least, most = min(limit.least, low), max(limit.most, high)
        mild = angles[(angles > least - BEYOND) & (angles < most + BEYOND)]
        ends = float(min(least, mild.min())), float(max(most, mild.max()))
        found.append(replace(limit, least=ends[0], most=ends[1]))
    return tuple(found)


def _tips(balance: Balance) -> Bools:
    """Frames in which a body that stands tips over, (T,): it counts while a foot is still."""
    contacts = balance.contacts
    outside = -np.nan_to_num(balance.distance, nan=0.0)
    stands = contacts.standing.down.any(axis=1) & ~_near_flight(contacts.support, balance.fps)
    tips = (outside > TIPPING) & stands & (balance.load > LEAST_LOAD)
    return _lasting(tips, LEAST_TIPPING * balance.fps)


def _lasting(flags: Bools, least: float) -> Bools:
    """Runs of flags that last for so many frames."""
    shortest: Bools = np.ones(max(1, round(least)), np.bool_)
    return np.asarray(scipy.ndimage.binary_opening(flags, shortest))


def find_flights(balance: Balance, heights: Array) -> Bools:
    """Middles of flights that do not fall though the body is well off the ground, (T,).

    Else a contact was missed, or something carries the body that is not seen, and a body that
    should fall would be pushed off it.

    Parameters
    ----------
    balance : Balance
        Of the motion.
    heights : array of shape (T, P), metres
        Of the soles' points over the ground.

    Returns
    -------
    bool array of shape (T,)
    """
    found = np.zeros(len(heights), bool)
    trim = round(SMEARED * balance.fps)
    force = np.linalg.norm(balance.dynamics.wrench[:, :3], axis=-1) / balance.weight
    flights = long_flights(balance.contacts.support, balance.fps)
    for start, stop in runs_of(flights):
        middle = slice(start + trim, stop - trim)
        if middle.stop <= middle.start or stop - start > LONGEST_FLIGHT * balance.fps:
            continue
        low = heights[start:stop].min(axis=1).max() < CLEAR
        found[middle] = FALLS < force[middle].mean() <= (HALF_CARRIED if low else CARRIED)
    return found


def allowed_outside(balance: Balance, wrongs: Wrongs) -> Array:
    """How far outside its polygon the zero moment point may be, (T,); infinite where it is free.

    It has to come inside about stances that are mended, and where the body tips over; elsewhere it
    gets no worse than it was: soles and masses are not known better, and flights have none.

    Parameters
    ----------
    balance : Balance
        Of the motion.
    wrongs : Wrongs
        What is wrong with it.

    Returns
    -------
    array of shape (T,), metres
    """
    outside = -np.nan_to_num(balance.distance, nan=0.0)
    counts = (balance.load > LEAST_LOAD) & np.isfinite(balance.distance)
    calm = ~_near_flight(balance.contacts.support, balance.fps)
    near = widened(wrongs.feet | wrongs.tips, ABOUT * balance.fps) & calm
    kept = np.maximum(outside, -MARGIN)
    return np.where(counts, np.where(near, -MARGIN, kept), np.inf)


def _near_flight(support: Bools, fps: float) -> Bools:
    """Frames of stances near a flight, (T,): those of runs and jumps."""
    return widened(long_flights(support, fps), NEAR_FLIGHT * fps)


def widened(flags: Bools, reach: float) -> Bools:
    """Flags (T,) of all frames within so many of one that has it."""
    return np.asarray(scipy.ndimage.maximum_filter1d(flags, 2 * round(reach) + 1), bool)


def wrong_spans(wrong: Bools, fps: float, ease: float) -> list[tuple[int, int]]:
    """Stretches within which a motion may be moved: what is wrong, with time to come and to go.

    Parameters
    ----------
    wrong : bool array of shape (T,)
        Frames in which anything is wrong.
    fps : float
        Frames per second.
    ease : float, seconds
        Before and after what is wrong.

    Returns
    -------
    list of (int, int)
        First frame, and the one behind the last, of each; they do not touch.
    """
    reach = max(1, round(ease * fps))
    return runs_of(scipy.ndimage.binary_dilation(wrong, iterations=reach))
