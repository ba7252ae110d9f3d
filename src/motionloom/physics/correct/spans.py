"""Where and when points of the soles are pinned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from motionloom.physics.ground.contacts import GroundContacts

#: A stance is left as it is while its points stay within this far of their places, metres: so much
#: captured feet move, too.
SLIP = 0.020
#: A foot that goes farther in a stance slides on purpose, metres; it is left alone.
MOST_SLIP = 0.12
#: The same for heights over and under the ground.
SINK = 0.020
#: Shorter stances are too short to say, seconds.
LEAST_STANCE = 0.12
#: Share of a stance that counts: feet roll at its ends.
MIDDLE = 0.8

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]


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
    """

    held: Bools
    places: Array
    floor: Array
    mended: Bools

    def without(self, frames: Bools, points: Array, feet: Sequence[tuple[int, ...]]) -> Pins:
        """The same, but stances that have any of some frames (T,) stay where they were captured."""
        mended = self.mended.copy()
        for own in feet:
            flags = self.mended[:, own].any(axis=1)
            runs, _ = scipy.ndimage.label(flags)
            touched = np.isin(runs, np.unique(runs[flags & frames])) & flags
            mended[np.ix_(touched, np.array(own))] = False
        places = np.where((self.mended & ~mended)[..., None], points, self.places)
        return Pins(self.held, places, self.floor, mended)

    def cut(self, start: int, stop: int) -> Pins:
        """Frames ``start <= i < stop``."""
        kept = slice(start, stop)
        return Pins(self.held[kept], self.places[kept], self.floor, self.mended[kept])


def make_pins(points: Array, contacts: GroundContacts, ground: float, fps: float) -> Pins:
    """Pin every point while it stands, at its mean place, on the ground.

    Heel and toe of one foot keep their distance: where a stance has both, the heel's place follows
    from the toe's and the foot's mean direction, so that the two can be met together (they are
    five equations, not six).

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
    soles = contacts.soles
    held = contacts.standing.down.copy()
    places = points.copy()
    floor = ground + np.array([p.rest for p in soles.points])
    mended = np.zeros_like(held)
    for foot in soles.feet:
        own = soles.of(foot)
        runs, n = scipy.ndimage.label(held[:, own].any(axis=1))
        for k in range(1, n + 1):
            stance = (own, np.flatnonzero(runs == k))
            if len(stance[1]) >= LEAST_STANCE * fps and _is_wrong(points, held, floor, stance):
                _pin_stance(points, held, places, floor, stance)
                mended[np.ix_(stance[1], np.array(own))] = True
    return Pins(held, places, floor, mended & held)


def _is_wrong(
    points: Array, held: Bools, floor: Array, stance: tuple[tuple[int, ...], NDArray[np.intp]]
) -> bool:
    """Whether a foot slips, sinks or floats in a stance more than captured ones do."""
    own, frames = stance
    wrong = False
    for i in own:
        mine = frames[held[frames, i]]
        if not len(mine):
            continue
        flat = points[mine, i][:, [0, 2]]
        away = np.linalg.norm(flat - np.median(flat, axis=0), axis=-1)
        high = points[mine, i, 1] - floor[i]
        if away.max() > MOST_SLIP:
            return False
        sinks = np.quantile(high, 1 - MIDDLE) < -SINK
        wrong |= bool(sinks or np.quantile(away, MIDDLE) > SLIP or np.median(high) > SINK)
    return wrong


def _pin_stance(
    points: Array,
    held: Bools,
    places: Array,
    floor: Array,
    stance: tuple[tuple[int, ...], NDArray[np.intp]],
) -> None:
    """Fill the places of one foot in one stance."""
    own, frames = stance
    for i in own:
        mine = frames[held[frames, i]]
        if len(mine):
            places[frames, i] = points[mine, i].mean(axis=0)
            places[frames, i, 1] = floor[i]
    if len(own) < 2:
        return
    heel, toe = own[0], own[-1]
    both = frames[held[frames, heel] & held[frames, toe]]
    if not len(both):
        return
    way = points[both, toe] - points[both, heel]
    length = float(np.median(np.linalg.norm(way, axis=-1)))
    drop = floor[toe] - floor[heel]
    flat = np.sqrt(max(length**2 - drop**2, 1e-8))
    ahead = way.mean(axis=0) * [1.0, 0.0, 1.0]
    ahead /= max(float(np.linalg.norm(ahead)), 1e-9)
    middle = 0.5 * (places[frames[0], heel] + places[frames[0], toe]) * [1.0, 0.0, 1.0]
    places[frames, toe] = middle + 0.5 * flat * ahead + [0.0, floor[toe], 0.0]
    places[frames, heel] = middle - 0.5 * flat * ahead + [0.0, floor[heel], 0.0]
