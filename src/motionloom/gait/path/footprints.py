"""Footprints: where each foot stands, planned before anything moves, and held.

A footprint is fixed in the middle of its stance: there the foot is beside the path as far as it was
captured beside the line of travel, moved outwards by as much as the body leans in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.gait.path.table import SIDES, GaitTable
from motionloom.motion import GroundTransform

Array = NDArray[np.float64]

#: Gravity, metres per second squared.
GRAVITY = 9.81


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
        How far the body leans to the left.
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
        return Way(
            fps=self.fps,
            stand=stand,
            speeds=self.speeds[own],
            leans=self.leans[own],
            phases=self.phases[own],
        )


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
    def stands(self) -> NDArray[np.bool_]:
        """Whether the foot stands, shape (T,)."""
        down: NDArray[np.bool_] = self.share < 0.5
        return down

    def cut(self, start: int, stop: int) -> FootSteps:
        """Frames ``start <= i < stop``; all footprints stay."""
        return FootSteps(
            first=self.first,
            prints=self.prints,
            middles=self.middles - start,
            number=self.number[start:stop],
            share=self.share[start:stop],
        )


def plan_footsteps(table: GaitTable, way: Way) -> tuple[FootSteps, FootSteps]:
    """Plan where both feet stand.

    Parameters
    ----------
    table : GaitTable
        When feet strike over speed, and where beside the path.
    way : Way
        Where the body goes; enough of it before and behind what is wanted for the footprints there.

    Returns
    -------
    pair of FootSteps
        Left, right.
    """
    left, right = (_steps_of(table, way, foot) for foot in range(len(SIDES)))
    return left, right


def _steps_of(table: GaitTable, way: Way, foot: int) -> FootSteps:
    strikes = table.mixed(table.strikes[:, foot], way.speeds)
    stances = table.mixed(table.stances[:, foot], way.speeds)
    gone = np.maximum.accumulate(way.phases - strikes)
    number = np.floor(gone).astype(int)
    part = gone - number
    share = np.where(
        part < stances, 0.5 * part / stances, 0.5 + 0.5 * (part - stances) / (1.0 - stances)
    )
    share = np.clip(share, 0.0, 1.0 - 1e-9)
    first = int(number[0])
    wanted = np.arange(first, int(number[-1]) + 2)
    # A gait that halts never comes to its next footprints: those are where it halts.
    rising = gone - 0.5 * stances + 1e-9 * np.arange(len(gone))
    middles = np.interp(wanted, rising, np.arange(len(rising)))
    return FootSteps(
        first=first,
        prints=_prints(table, way, middles, foot),
        middles=middles,
        number=number - first,
        share=share,
    )


def _prints(table: GaitTable, way: Way, frames: Array, foot: int) -> Array:
    """Footprints (K, 3) of stances whose middles are at frames (K,)."""
    every = np.arange(way.n_frames)
    x, z, heading, speed, lean = (
        np.interp(frames, every, values)
        for values in (way.stand.x, way.stand.z, way.stand.angle, way.speeds, way.leans)
    )
    flat = table.mixed(table.flats[:, foot], speed)
    height = table.mixed(table.deviations[:, :, 1].mean(axis=1), speed)
    flat[:, 0] -= height * np.tan(lean)
    ground = GroundTransform(heading, x, z).apply(flat)
    return np.column_stack([ground, heading])
