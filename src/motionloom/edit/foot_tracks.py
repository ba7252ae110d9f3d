"""How feet moved when they were captured, told so that later changes of the motion can be undone.

Of a track only the changes from frame to frame matter on the ground and about the vertical: where a
foot stands, and which way it points, is free. Its height and its slope are those of the capture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.typing import Array, Bools


@dataclass(frozen=True, eq=False)
class FootTrack:
    """One foot as it was captured.

    Parameters
    ----------
    places : array of shape (T, 3), metres
        Of the ankle; continuous on the ground, though not where the foot stands in the end.
    rotations : array of shape (T, 4)
        World rotations of the ankle's joint; their heading is continuous likewise.
    """

    places: Array
    rotations: Array

    @classmethod
    def at_rest(cls, posed: PosedMotion, foot: str, n_frames: int) -> FootTrack:
        """A foot that stays where it is in the first frame, for so many frames."""
        joint = posed.roles.joints[foot]
        return cls(
            np.tile(posed.positions[0, joint], (n_frames, 1)),
            np.tile(posed.rotations[0, joint], (n_frames, 1)),
        )

    def cut(self, start: int, stop: int) -> FootTrack:
        """Frames ``start <= i < stop``.

        Parameters
        ----------
        start, stop : int
            Frames of the track.

        Returns
        -------
        FootTrack
        """
        return FootTrack(self.places[start:stop], self.rotations[start:stop])

    def raised(self, height: ArrayLike) -> FootTrack:
        """The same track higher by so many metres, in all frames or in each of them."""
        up = np.multiply.outer(np.asarray(height, float), [0.0, 1.0, 0.0])
        return FootTrack(self.places + up, self.rotations)

    def transformed(self, transform: GroundTransform) -> FootTrack:
        """The same track elsewhere on the ground."""
        turned = rot.multiply(transform.quaternion, self.rotations)
        return FootTrack(transform.apply(self.places), turned)


def heading_of(rotations: Array) -> Array:
    """Part of rotations (..., 4) that turns about the vertical, radians in [-pi, pi]."""
    return rot.wrap_angle(2.0 * np.arctan2(rotations[..., 2], rotations[..., 0]))


def resting_feet(
    posed: PosedMotion, contacts: FootContacts, legs: Mapping[str, Limb]
) -> dict[str, FootTrack]:
    """Feet of which no capture is known: as they are, but at rest while in contact.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    contacts : FootContacts
        When its feet are in contact.
    legs : mapping of str to Limb
        By the roles of the feet.

    Returns
    -------
    dict of str to FootTrack
        By the roles of the feet, above a ground at height 0.
    """
    points = contacts.soles.positions(posed)
    tracks = {}
    for foot, leg in legs.items():
        own = list(contacts.soles.of(foot))
        down = contacts.down[:, own]
        pivot = rot.yaw(-_pivoting(points[:, own], down))
        ankle = posed.positions[:, leg.tip]
        steps = np.diff(ankle, axis=0) - _sliding(points[:, own], down)
        places = np.zeros_like(ankle)
        places[1:] = np.cumsum(rot.rotate(pivot[1:], steps), axis=0)
        places[:, 1] = ankle[:, 1] - contacts.ground
        tracks[foot] = FootTrack(places, rot.multiply(pivot, posed.rotations[:, leg.tip]))
    return tracks


def _sliding(points: Array, down: Bools) -> Array:
    """Mean step on the ground of a sole's points that are in contact, shape (T - 1, 3)."""
    held = (down[1:] & down[:-1]).astype(float)
    steps: Array = (np.diff(points, axis=0) * held[..., None]).sum(axis=1)
    steps /= np.maximum(held.sum(axis=1), 1.0)[:, None]
    steps[:, 1] = 0.0
    return steps


def _pivoting(points: Array, down: Bools) -> Array:
    """How far a foot has turned about the vertical with all its points in contact, shape (T,)."""
    turned = np.zeros(len(points))
    if points.shape[1] > 1:
        flat = np.all(down, axis=1)
        along = points[:, -1] - points[:, 0]
        steps = np.diff(np.unwrap(np.arctan2(along[:, 0], along[:, 2])))
        turned[1:] = np.cumsum(steps * (flat[1:] & flat[:-1]))
    return turned
