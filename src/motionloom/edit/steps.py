"""Longer or shorter steps: who walks slower takes fewer steps in a second, and shorter ones.

The way of the body is stretched or shrunk along itself, and so is the way of every foot in the air.
A foot on the ground stays; sway, poses and the heights of feet are left as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import scipy
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.curves import smoothstep
from motionloom.edit.foot_tracks import FootTrack, heading_of
from motionloom.edit.footlock import find_legs
from motionloom.edit.root import move_body
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: Standard deviation of the average that takes the sway of steps out of the way, seconds.
STRIDE = 0.33


def scale_steps(
    posed: PosedMotion,
    tracks: Mapping[str, FootTrack],
    scale: ArrayLike,
    frames: Sequence[int] = (),
    shifts: ArrayLike = (),
) -> tuple[PosedMotion, dict[str, FootTrack]]:
    """Make steps longer or shorter.

    Parameters
    ----------
    posed : PosedMotion
        The motion, T frames.
    tracks : mapping of str to FootTrack
        Its feet, by their roles, as they were captured.
    scale : array of shape (T,)
        Length of a step over that which it had; should change little from frame to frame.
    frames : sequence of int
        Frames in which it is known where the body goes, ascending.
    shifts : array of shape (K, 2), metres
        By how much along x and z it is moved there. What the scaled way is off is spread over the
        frames between.

    Returns
    -------
    posed : PosedMotion
        The body moved on the ground; its feet are still where they were beside the hips.
    tracks : dict of str to FootTrack
        Where the foot lock is to take the feet.
    """
    scale = np.asarray(scale, float)
    # Steps lie between frames, scales in them.
    more = 0.5 * (scale[1:] + scale[:-1]) - 1.0
    way = _way(posed.positions[:, posed.roles.joints["hips"]], STRIDE * posed.fps)
    steps = np.diff(way, axis=0)
    shift = np.concatenate([np.zeros((1, 3)), np.cumsum(more[:, None] * steps, axis=0)])
    if len(frames):
        gone = shift[np.asarray(frames)][:, [0, 2]]
        missing = np.reshape(shifts, (-1, 2)) - gone
        shift += _spread(missing, frames, len(shift))
    ahead = steps / np.maximum(np.linalg.norm(steps, axis=1, keepdims=True), 1e-12)
    legs = find_legs(posed.roles)
    scaled = {
        foot: _scale_track(track, posed.rotations[:, legs[foot].tip], ahead, more)
        for foot, track in tracks.items()
    }
    return move_body(posed, shift), scaled


def _scale_track(track: FootTrack, now: Array, ahead: Array, more: Array) -> FootTrack:
    """The foot's steps along the body's way scaled; `now` are the world rotations of the ankle."""
    # A track may have another heading than the motion.
    off = heading_of(rot.multiply(track.rotations, rot.conjugate(now)))
    along = rot.rotate(rot.yaw(off[1:]), ahead)
    steps = np.diff(track.places, axis=0)
    # Along the way only: how far feet are apart sideways is balance, not length of stride.
    steps = steps + (more * np.sum(steps * along, axis=1))[:, None] * along
    return FootTrack(
        np.concatenate([track.places[:1], track.places[0] + np.cumsum(steps, axis=0)]),
        track.rotations,
    )


def _way(places: Array, width: float) -> Array:
    """Places on the ground without the sway of steps; before and after the motion it goes on as it
    began and ended.
    """
    reach = min(round(1.5 * width), len(places) - 1)
    beyond = np.arange(1, round(4 * width) + 1)[:, None] / max(reach, 1)
    # Straight on past both ends: a mirror image would pull the average back towards the motion.
    before = places[0] - beyond[::-1] * (places[reach] - places[0])
    after = places[-1] + beyond * (places[-1] - places[-1 - reach])
    long = np.concatenate([before, places, after])
    smooth = scipy.ndimage.gaussian_filter1d(long, width, axis=0)[
        len(before) : len(before) + len(places)
    ]
    smooth[:, 1] = 0.0
    return smooth


def _spread(missing: Array, frames: Sequence[int], n: int) -> Array:
    """Smooth curve (n, 3) on the ground through what is missing (K, 2) in some frames."""
    every = np.arange(n)
    index = np.clip(np.searchsorted(frames, every, side="right") - 1, 0, max(len(frames) - 2, 0))
    following = np.minimum(index + 1, len(frames) - 1)
    begin = np.asarray(frames)[index]
    span = np.maximum(np.asarray(frames)[following] - begin, 1)
    # Eased at both ends, so that the body's speed has no kink where it is known.
    share = smoothstep((every - begin) / span)[:, None]
    flat = missing[index] + share * (missing[following] - missing[index])
    return np.stack([flat[:, 0], np.zeros(n), flat[:, 1]], axis=-1)
