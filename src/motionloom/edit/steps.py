"""Longer or shorter steps: who walks slower takes fewer steps in a second, and shorter ones.

The way of the body is stretched or shrunk along itself, and so is the way of every foot in the air.
A foot on the ground stays; sway, poses and the heights of feet are left as they are.

Sway, bounce and swing of arms of somebody who walks slower or faster than captured.

Who takes longer over a step sways farther to the side; who takes shorter steps rises and sinks less
over them and swings the arms less. Poses of legs are left to the foot lock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import scipy
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.analysis.gaits import WALKING, gaits_of
from motionloom.curves import gaussian_average, smoothstep
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
    places = posed.positions[:, posed.roles.joints["hips"]]
    way = _extended_average(places, STRIDE * posed.fps) * [1.0, 0.0, 1.0]
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


def _spread(missing: Array, frames: Sequence[int], n: int) -> Array:
    """Smooth curve (n, 3) on the ground through what is missing (K, 2) in some frames."""
    places = np.arange(len(frames))
    at = np.interp(np.arange(n), frames, places)
    # Eased at both ends, so that the body's speed has no kink where it is known.
    eased = np.floor(at) + smoothstep(at % 1.0)
    x, z = (np.interp(eased, places, own) for own in missing.T)
    return np.stack([x, np.zeros(n), z], axis=-1)


#: The same of that which sway is taken beside.
SWAYING = 0.5
#: Time over which changes set in where somebody begins or ceases to walk, seconds.
FADE = 0.25
#: How sway to the side grows with the steps in a second, and bounce and swing with their length:
#: medians of people who were captured at several speeds.
SWAY, BOUNCE, SWING = -1.5, 1.0, 1.0
#: Roles of the joints whose turning is the swing of arms.
ARMS = ("left_shoulder", "left_elbow", "right_shoulder", "right_elbow")


def scale_sway(posed: PosedMotion, rate: ArrayLike, steps: ArrayLike) -> PosedMotion:
    """Let a body sway, bounce and swing its arms as people do at that pace.

    Parameters
    ----------
    posed : PosedMotion
        The motion, T frames, at its new times but with steps as long as captured.
    rate : array of shape (T,)
        Steps in a second over those that were captured; should change little from frame to frame.
    steps : array of shape (T,)
        Length that a step will have over that which was captured.

    Returns
    -------
    PosedMotion
        Feet are moved along with the body. Where nobody walks on two feet nothing is changed.
    """
    rate = np.asarray(rate, float)
    steps = np.asarray(steps, float)
    if len(posed.roles.feet) != 2 or (np.all(rate == 1.0) and np.all(steps == 1.0)):
        return posed
    width = SWAYING * posed.fps
    way = _without_steps(posed.hips, width)
    velocity = np.gradient(way[:, [0, 2]], axis=0) * posed.fps
    speed = np.hypot(*velocity.T)
    walks = _walking(speed / rate, posed)
    off = posed.hips - way
    left = np.stack([velocity[:, 1], np.zeros(len(off)), -velocity[:, 0]], axis=-1)
    left /= np.maximum(speed, 1e-9)[:, None]
    aside = walks * (rate**SWAY - 1.0) * np.sum(off * left, axis=1)
    size = np.sqrt(2.0 * np.maximum(_without_steps(off[:, 1] ** 2, width), 0.0))
    shift = aside[:, None] * left
    # Over a straight leg the hips are as high as before; between steps they sink less.
    shift[:, 1] = walks * (1.0 - steps**BOUNCE) * (size - off[:, 1])
    return _swing_arms(move_body(posed, shift), 1.0 + walks * (steps**SWING - 1.0), width)


def _walking(speed: Array, posed: PosedMotion) -> Array:
    """How far each frame counts as walking, shape (T,), from 0 to 1."""
    leg = max(float(np.median(posed.hips[:, 1])), 0.1)
    walks = (gaits_of(speed, leg) == WALKING).astype(float)
    return gaussian_average(walks, FADE * posed.fps)


def _swing_arms(posed: PosedMotion, share: Array, width: float) -> PosedMotion:
    """Arms that leave their mean pose by a share (T,) of what they did."""
    joints = [posed.roles.joints[role] for role in ARMS if role in posed.roles.joints]
    if not joints:
        return posed
    turns = rot.unroll(posed.motion.rotations[:, joints])
    mean = rot.normalize(_without_steps(turns, width))
    away = rot.between(mean, turns)
    swung = rot.multiply(mean, rot.from_rotvec(share[:, None, None] * away))
    return posed.with_local({joint: swung[:, k] for k, joint in enumerate(joints)})


def _without_steps(values: Array, width: float) -> Array:
    """Values (T, ...) without what comes and goes with steps."""
    # What one average cuts off a corner the second cuts off again: so much is given back.
    return _extended_average(values, width, lambda once, twice: 2.0 * once - twice)


def _extended_average(
    values: Array, width: float, mix: Callable[[Array, Array], Array] | None = None
) -> Array:
    """Averages over time (of averages, mixed with them); before and after the motion values go on
    as they do there: a mirror image would pull the average back towards the motion.
    """
    reach = min(round(1.5 * width), len(values) - 1)
    beyond = np.arange(1, round(4 * width) + 1) / max(reach, 1)
    beyond = beyond.reshape(-1, *[1] * (values.ndim - 1))
    before = values[0] - beyond[::-1] * (values[reach] - values[0])
    after = values[-1] + beyond * (values[-1] - values[-1 - reach])
    mean = scipy.ndimage.gaussian_filter1d(np.concatenate([before, values, after]), width, axis=0)
    if mix is not None:
        mean = mix(mean, scipy.ndimage.gaussian_filter1d(mean, width, axis=0))
    return mean[len(before) : len(before) + len(values)]
