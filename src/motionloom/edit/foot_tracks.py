"""How feet moved when they were captured, told so that later changes of the motion can be undone.

Of a track only the changes from frame to frame matter on the ground and about the vertical: where a
foot stands, and which way it points, is free. Its height and its slope are those of the capture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.hinges import Limb
from motionloom.edit.displacement import displacement
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion

Array = NDArray[np.float64]

#: Jumps of height and slope where pieces meet are spread over this time on each side, seconds.
SEAM_SPAN = 0.25


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

    def cut(self, start: int, stop: int) -> FootTrack:
        """Frames ``start <= i < stop``."""
        return FootTrack(self.places[start:stop], self.rotations[start:stop])

    def raised(self, height: float) -> FootTrack:
        """The same track above a ground that is higher by so many metres."""
        return FootTrack(self.places + np.array([0.0, height, 0.0]), self.rotations)

    def transformed(self, transform: GroundTransform) -> FootTrack:
        """The same track elsewhere on the ground."""
        turned = rot.multiply(transform.quaternion, self.rotations)
        return FootTrack(transform.apply(self.places), turned)


@dataclass(frozen=True, eq=False)
class CapturedFeet:
    """How the feet of a motion moved when they were captured.

    Parameters
    ----------
    tracks : mapping of str to FootTrack
        By the roles of the feet, above a ground at height 0.
    lowest : array of shape (P,), metres
        Height above the ground below which no point of the soles goes.
    """

    tracks: Mapping[str, FootTrack]
    lowest: Array


def concatenate_tracks(tracks: Sequence[FootTrack]) -> FootTrack:
    """Tracks one after the other."""
    places = np.concatenate([track.places for track in tracks])
    return FootTrack(places, np.concatenate([track.rotations for track in tracks]))


def heading_of(rotations: Array) -> Array:
    """Part of rotations (..., 4) that turns about the vertical, radians in [-pi, pi]."""
    return rot.wrap_angle(2.0 * np.arctan2(rotations[..., 2], rotations[..., 0]))


def chain_track(
    track: FootTrack,
    ends: FootTrack,
    seams: Sequence[int],
    fps: float,
    down: NDArray[np.bool_] | None = None,
) -> FootTrack:
    """Track of a foot through pieces that were laid down one after the other.

    The foot goes on over a seam as it would have gone on in the piece before: pieces are put
    together at the foot, on the ground and in heading. What is left of the jump there, height and
    slope, is spread over the frames beside it; of a foot in the air it does not reach into
    contacts, so that a foot stands as it was captured to.

    Parameters
    ----------
    track : FootTrack
        The foot in the pieces as laid down.
    ends : FootTrack
        Where it would have been in the S frames at `seams`, had the piece before gone on.
    seams : sequence of int
        First frames of new pieces.
    fps : float
    down : bool array of shape (T,), optional
        Whether the foot is in contact.
    """
    joined = _put_together(track, ends, seams)
    stands = np.zeros(len(track.places), bool) if down is None else down
    spans = [_reaches(stands, frame, SEAM_SPAN * fps) for frame in seams]
    return _spread_jumps(*joined, seams, spans)


def _reaches(down: NDArray[np.bool_], frame: int, most: float) -> tuple[float, float]:
    """How far a jump is spread before a frame and after it: up to contacts when it is in the air,
    but over two frames at least.
    """
    if down[frame]:
        return most, most
    frames = np.flatnonzero(down)
    before = (frame - frames[frames < frame]).min(initial=len(down))
    after = (frames[frames > frame] - frame).min(initial=len(down))
    least = min(2.0, most)
    return max(min(most, before), least), max(min(most, after), least)


def resting_feet(
    posed: PosedMotion, contacts: FootContacts, legs: Mapping[str, Limb]
) -> CapturedFeet:
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
    CapturedFeet
        No point of a sole goes below where it rests.
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
    return CapturedFeet(tracks, np.array([p.rest for p in contacts.soles.points]))


def _sliding(points: Array, down: NDArray[np.bool_]) -> Array:
    """Mean step on the ground of a sole's points that are in contact, shape (T - 1, 3)."""
    held = (down[1:] & down[:-1]).astype(float)
    steps: Array = (np.diff(points, axis=0) * held[..., None]).sum(axis=1)
    steps /= np.maximum(held.sum(axis=1), 1.0)[:, None]
    steps[:, 1] = 0.0
    return steps


def _pivoting(points: Array, down: NDArray[np.bool_]) -> Array:
    """How far a foot has turned about the vertical with all its points in contact, shape (T,)."""
    turned = np.zeros(len(points))
    if points.shape[1] > 1:
        flat = np.all(down, axis=1)
        along = points[:, -1] - points[:, 0]
        steps = np.diff(np.unwrap(np.arctan2(along[:, 0], along[:, 2])))
        turned[1:] = np.cumsum(steps * (flat[1:] & flat[:-1]))
    return turned


def _put_together(
    track: FootTrack, ends: FootTrack, seams: Sequence[int]
) -> tuple[FootTrack, FootTrack]:
    """Track and ends with every piece turned and moved to where the piece before would go on."""
    places = track.places.copy()
    turns = track.rotations.copy()
    end_places = ends.places.copy()
    end_turns = ends.rotations.copy()
    bounds = [*seams, len(places)]
    for k, frame in enumerate(seams):
        piece = slice(frame, bounds[k + 1])
        turn = rot.multiply(end_turns[k], rot.conjugate(turns[frame]))
        yaw = rot.yaw(heading_of(turn))
        shift = end_places[k] - rot.rotate(yaw, places[frame])
        shift[1] = 0.0
        places[piece] = rot.rotate(yaw, places[piece]) + shift
        turns[piece] = rot.multiply(yaw, turns[piece])
        if k + 1 < len(seams):
            end_places[k + 1] = rot.rotate(yaw, end_places[k + 1]) + shift
            end_turns[k + 1] = rot.multiply(yaw, end_turns[k + 1])
    return FootTrack(places, turns), FootTrack(end_places, end_turns)


def _spread_jumps(
    track: FootTrack, ends: FootTrack, seams: Sequence[int], spans: Sequence[tuple[float, float]]
) -> FootTrack:
    places = track.places.copy()
    turns = track.rotations.copy()
    end_places = ends.places.copy()
    end_turns = ends.rotations.copy()
    frames = np.arange(len(places))
    later = np.asarray(seams, float)
    for k, frame in enumerate(seams):
        jump = places[frame] - end_places[k]
        turn = rot.to_rotvec(rot.multiply(turns[frame], rot.conjugate(end_turns[k])))
        share = displacement(frames - frame, *spans[k])[:, None]
        places += share * jump
        turns = rot.multiply(rot.from_rotvec(share * turn), turns)
        # The pose with which a piece goes on is displaced like the frame that it stands beside.
        rest = slice(k + 1, None)
        share = displacement(later[rest] - frame, *spans[k])[:, None]
        end_places[rest] += share * jump
        end_turns[rest] = rot.multiply(rot.from_rotvec(share * turn), end_turns[rest])
    return FootTrack(places, turns)
