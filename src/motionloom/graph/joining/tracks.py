"""Feet as they were captured, through pieces that are laid down one after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom import rotations as rot
from motionloom.edit.displacement import displacement
from motionloom.edit.foot_tracks import FootTrack, heading_of
from motionloom.typing import Bools

#: Jumps of height and slope where pieces meet are spread over this time on each side, seconds.
SEAM_SPAN = 0.25


def concatenate_tracks(tracks: Sequence[FootTrack]) -> FootTrack:
    """Tracks one after the other."""
    places = np.concatenate([track.places for track in tracks])
    return FootTrack(places, np.concatenate([track.rotations for track in tracks]))


def chain_track(
    track: FootTrack,
    ends: FootTrack,
    seams: Sequence[int],
    fps: float,
    down: Bools | None = None,
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

    Returns
    -------
    FootTrack
    """
    joined = _put_together(track, ends, seams)
    stands = np.zeros(len(track.places), bool) if down is None else down
    spans = [_reaches(stands, frame, SEAM_SPAN * fps) for frame in seams]
    return _spread_jumps(*joined, seams, spans)


def _reaches(down: Bools, frame: int, most: float) -> tuple[float, float]:
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
