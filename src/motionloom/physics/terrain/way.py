"""The way that a body goes on the ground, and places along it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.curves import gaussian_average
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.rotations import wrap_angle
from motionloom.typing import Array

#: The way is the hips' track without what sways with steps, seconds.
SWAY = 0.5
#: Ways shorter than this in a frame say nothing of a direction, metres per second.
STANDING = 0.15


@dataclass(frozen=True, eq=False)
class Way:
    """A smooth way on the ground by its length.

    Parameters
    ----------
    lengths : array of shape (T,), metres
        How far the body has come in every frame; never falls.
    places : array of shape (T, 2), metres
        x and z there.
    headings : array of shape (T,), radians
        Where it leads, from +Z towards +X, continuous.
    """

    lengths: Array
    places: Array
    headings: Array

    def at(self, lengths: Array) -> GroundTransform:
        """Frames along the way; straight on beyond its ends."""
        x, z, angle = (
            np.interp(lengths, self.lengths, values) for values in (*self.places.T, self.headings)
        )
        beyond = lengths - np.clip(lengths, self.lengths[0], self.lengths[-1])
        return GroundTransform(angle, x + beyond * np.sin(angle), z + beyond * np.cos(angle))

    def nearest(self, place: Array, frame: int) -> float:
        """Length at which a place (2,) is beside the way, near where it is at a frame, metres."""
        here = self.at(np.array([self.lengths[frame]]))
        return float(self.lengths[frame] + here.seen(place[None])[0, 1])


def find_way(posed: PosedMotion) -> Way:
    """The way of a motion.

    Parameters
    ----------
    posed : PosedMotion
        The motion.

    Returns
    -------
    Way
    """
    places = gaussian_average(posed.body[:, :2], SWAY * posed.fps)
    steps = np.diff(places, axis=0)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(steps, axis=1) + 1e-9)])
    going = np.linalg.norm(steps, axis=1) * posed.fps > STANDING
    if going.any():
        known = np.flatnonzero(going)
        own = np.unwrap(np.arctan2(steps[known, 0], steps[known, 1]))
        headings = np.interp(np.arange(len(places)), known + 0.5, own)
    else:
        headings = np.full(len(places), posed.body[0, 2])
    headings = gaussian_average(headings, SWAY * posed.fps)
    # Turns of a whole circle say nothing.
    return Way(lengths, places, headings - headings[0] + wrap_angle(headings[0]))
