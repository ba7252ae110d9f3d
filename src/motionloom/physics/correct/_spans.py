"""Where and when points of the soles are pinned."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.soles import Soles
from motionloom.curves import runs_of, touching_runs
from motionloom.physics.ground._contacts import GroundContacts
from motionloom.typing import Array, Bools

#: A stance is left as it is while its points stay within this far of their middle, metres: so much
#: captured feet move, too.
SLIP = 0.020
#: The same for the farthest point between the ends of a stance, metres: a short slip in a long
#: stance. Feet of captured walks roll by up to 3.2 cm there.
FARTHEST = 0.040
#: A foot that goes farther in a stance slides on purpose, metres; it is left alone, and said.
MOST_SLIP = 0.12
#: The same for heights over and under the ground.
SINK = 0.020
#: A point that bears weight within this height of where it is low (metres) stands, however fast it
#: moves: it slips. Steps of captured people lift a foot by more.
FLAT = 0.010
#: In shorter contacts (seconds), those of runs, feet roll all the time: only speed tells there.
LEAST_LOW = 0.35
#: Share of the frames in which a point bears weight that are lower: that is where it is low.
LOW = 0.25
#: Shorter stances are too short to say, seconds.
LEAST_STANCE = 0.12
#: Share of a stance that counts: feet roll at its ends.
MIDDLE = 0.8
#: Share of a stance at each end that says where the foot landed, and where it leaves.
ENDS = 0.2

Frames = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Pins:
    """Points that must stay where they are told.

    Parameters
    ----------
    held : bool array of shape (T, P)
        Whether each point is pinned: a heel, a toe, or both when the foot is flat.
    places : array of shape (T, P, 3), metres
        Where; what is not pinned does not count.
    floor : array of shape (P,), metres
        Height that each point may not go below.
    mended : bool array of shape (T, P)
        Points of stances that slip, sink or float; others are held where they are.
    core : bool array of shape (T, P)
        Where points stand still, or with the whole foot: not while it rolls at a stance's ends.
    still : bool array of shape (T, P)
        Where points stand by height and speed.
    """

    held: Bools
    places: Array
    floor: Array
    mended: Bools
    core: Bools
    still: Bools

    @property
    def wrong(self) -> Bools:
        """Frames in which any point is mended, (T,)."""
        return np.asarray(np.any(self.mended, axis=1))

    def touched(self, frames: Bools, soles: Soles) -> Bools:
        """Points (T, P) of mended stances that have any of some frames (T,)."""
        touched = np.zeros_like(self.mended)
        for own in map(list, map(soles.of, soles.feet)):
            runs = touching_runs(np.asarray(self.mended[:, own].any(axis=1)), frames)
            touched[:, own] = runs[:, None]
        return touched

    def narrowed(self, frames: Bools, soles: Soles) -> Pins:
        """The same, but mended stances that have any of some frames (T,) are held in their core."""
        loose = self.touched(frames, soles) & self.mended & ~self.core
        return replace(self, held=self.held & ~loose, mended=self.mended & self.held & ~loose)

    def without(self, frames: Bools, points: Array, soles: Soles) -> Pins:
        """The same, but stances that have any of some frames (T,) stay where they were captured."""
        left = self.touched(frames, soles) & self.mended
        places = np.where(left[..., None], points, self.places)
        return replace(self, places=places, mended=self.mended & ~left)

    def cut(self, start: int, stop: int) -> Pins:
        """Frames ``start <= i < stop``."""
        kept = slice(start, stop)
        own = {n: getattr(self, n)[kept] for n in self.__dataclass_fields__ if n != "floor"}
        return replace(self, **own)


@dataclass(frozen=True, eq=False)
class Stance:
    """A foot on the ground.

    Parameters
    ----------
    foot : str
        Role of its joint.
    own : tuple of int
        Its points of the soles, heel first.
    frames : int array
        In which any of these stands.
    """

    foot: str
    own: tuple[int, ...]
    frames: Frames

    @property
    def span(self) -> tuple[int, int]:
        """First frame, and the one behind the last."""
        return int(self.frames[0]), int(self.frames[-1]) + 1


def _hold_low_points(contacts: GroundContacts, points: Array, fps: float) -> Bools:
    """Points (T, P) that stand: those that bear weight and are low do, also where they move; then
    they slip.

    Standing is found by speed, which a slip has: without this a foot that slips stands before and
    after it, in two places.

    Parameters
    ----------
    contacts : GroundContacts
        By height and speed.
    points : array of shape (T, P, 3), metres
        World positions of the soles' points.
    fps : float
        Frames per second.
    """
    standing = contacts.standing.down.copy()
    for i in range(standing.shape[1]):
        for run in (slice(*ends) for ends in runs_of(contacts.bearing.down[:, i], LEAST_LOW * fps)):
            heights = points[run, i, 1]
            standing[run, i] |= heights < np.quantile(heights, LOW) + FLAT
    return standing


def find_stances(held: Bools, soles: Soles, fps: float) -> tuple[Stance, ...]:
    """Stances that are long enough to say whether they slip.

    Parameters
    ----------
    held : bool array of shape (T, P)
        Which points stand.
    soles : Soles
        Their feet.
    fps : float
        Frames per second.

    Returns
    -------
    tuple of Stance
    """
    return tuple(
        Stance(foot, soles.of(foot), np.arange(*run))
        for foot in soles.feet
        for run in runs_of(held[:, list(soles.of(foot))].any(axis=1), least=LEAST_STANCE * fps)
    )


def make_pins(points: Array, contacts: GroundContacts, ground: float, fps: float) -> Pins:
    """Pin every point while it stands where its foot would stand, on the ground.

    A foot stands halfway between where it lands and where it leaves: what it does between these
    does not count. Heel and toe of one foot keep their distance, so that the two can be met
    together (they are five equations, not six).

    Parameters
    ----------
    points : array of shape (T, P, 3), metres
        World positions of the soles' points.
    contacts : GroundContacts
        Which of them stand.
    ground : float, metres
        Height of the ground.
    fps : float
        Frames per second.

    Returns
    -------
    Pins
    """
    still = contacts.standing.down
    pins = Pins(
        held=_hold_low_points(contacts, points, fps),
        places=points.copy(),
        floor=ground + np.array([p.rest for p in contacts.soles.points]),
        mended=np.zeros_like(still),
        core=still.copy(),
        still=still,
    )
    for stance in find_stances(pins.held, contacts.soles, fps):
        own = np.array(stance.own)
        whole = stance.frames[pins.held[np.ix_(stance.frames, own)].all(axis=1)]
        pins.core[np.ix_(whole, own)] = True
        if judge_stance(points, pins, stance).wrong:
            _pin_stance(points, pins, stance)
            pins.mended[np.ix_(stance.frames, own)] = True
    return replace(pins, mended=pins.mended & pins.held)


@dataclass(frozen=True)
class StanceFigures:
    """What a foot does in a stance, whatever place it is given.

    Parameters
    ----------
    slip : float, metres
        Farthest that a point is from its middle between the ends of the stance.
    height : float, metres
        By which a point sinks (negative) or floats; 0 where that is as captured.
    wrong : bool
        Whether it slips, sinks or floats more than captured feet do.
    slides : bool
        Whether it goes so far that it does so on purpose.
    """

    slip: float
    height: float
    wrong: bool
    slides: bool

    def in_words(self) -> str:
        """What is wrong with the stance."""
        if self.height:
            where = "over" if self.height > 0 else "under"
            return f"is {1000 * abs(self.height):.0f} mm {where} the ground"
        return f"slips by {1000 * self.slip:.0f} mm"


def judge_stance(points: Array, pins: Pins, stance: Stance) -> StanceFigures:
    """Whether a foot slips, sinks or floats in a stance more than captured ones do.

    Parameters
    ----------
    points : array of shape (T, P, 3), metres
        World positions of the soles' points, of the input or of what became of it.
    pins : Pins
        Which of them stand in the input; where they are pinned does not count.
    stance : Stance
        Frames of one foot.

    Returns
    -------
    StanceFigures
    """
    slip = farthest = height = 0.0
    wrong = False
    for i in stance.own:
        mine = stance.frames[pins.held[stance.frames, i]]
        if not len(mine):
            continue
        flat = points[mine, i][:, [0, 2]]
        away = np.linalg.norm(flat - np.median(flat, axis=0), axis=-1)
        cut = math.ceil(0.5 * (1 - MIDDLE) * len(mine))
        inner = away[cut : len(mine) - cut]
        if not len(inner):
            continue
        high = _height_off(points[mine, i, 1][pins.still[mine, i]] - pins.floor[i])
        slip = max(slip, float(inner.max()))
        farthest = max(farthest, float(away.max()))
        height = max(height, high, key=abs)
        wrong |= bool(high != 0 or np.quantile(away, MIDDLE) > SLIP or inner.max() > FARTHEST)
    slides = farthest > MOST_SLIP
    return StanceFigures(slip, height, wrong and not slides, slides)


def _height_off(high: Array) -> float:
    """How far a point sinks (negative) or floats in a stance; 0 where that is as captured."""
    if not len(high):
        return 0.0
    low, usual = np.quantile(high, [1 - MIDDLE, 0.5]).tolist()
    return low if low < -SINK else usual if usual > SINK else 0.0


def _pin_stance(points: Array, pins: Pins, stance: Stance) -> None:
    """Fill the places of one foot in one stance."""
    own, frames = stance.own, stance.frames
    held, places = pins.held, pins.places
    level = np.zeros(points.shape[1])
    for i in own:
        mine = frames[held[frames, i]]
        if len(mine):
            # A point that never comes down to the ground keeps its height.
            down = pins.still[mine, i].any()
            level[i] = pins.floor[i] if down else np.median(points[mine, i, 1])
            places[frames, i] = _between_ends(points[mine, i])
            places[frames, i, 1] = level[i]
    if len(own) < 2:
        return
    heel, toe = own[0], own[-1]
    both = frames[held[frames, heel] & held[frames, toe]]
    if not len(both):
        return
    way = points[both, toe] - points[both, heel]
    length = float(np.median(np.linalg.norm(way, axis=-1)))
    drop = level[toe] - level[heel]
    flat = np.sqrt(max(length**2 - drop**2, 1e-8))
    ahead = way.mean(axis=0) * [1.0, 0.0, 1.0]
    ahead /= max(float(np.linalg.norm(ahead)), 1e-9)
    half = 0.5 * flat * ahead
    ends = np.stack([points[frames, heel] + half, points[frames, toe] - half], axis=1)
    known = held[np.ix_(frames, np.array([heel, toe]))][..., None]
    middles = (ends * known).sum(axis=1) / known.sum(axis=1)
    middle = _between_ends(middles) * [1.0, 0.0, 1.0]
    places[frames, toe] = middle + half + [0.0, level[toe], 0.0]
    places[frames, heel] = middle - half + [0.0, level[heel], 0.0]


def _between_ends(path: Array) -> Array:
    """Halfway between where a path (N, 3) begins and where it ends."""
    n = max(1, round(ENDS * len(path)))
    return np.asarray(0.5 * (path[:n].mean(axis=0) + path[-n:].mean(axis=0)))
