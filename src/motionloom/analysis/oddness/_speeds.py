"""How fast feet, limbs and trunk move in every window, as logarithms."""

from __future__ import annotations

import numpy as np

from motionloom.analysis.oddness._tracks import ARM, LEG, RATE, TRUNK, Track
from motionloom.analysis.oddness._windows import SPAN, means_around, window_middles
from motionloom.curves import moving_average
from motionloom.typing import Array, Ints

#: Speeds (leg lengths per second) and accelerations below these are alike.
_STILL, _STEADY = 0.03, 0.3
#: The same for a limb's own movement, which is looked at over a second, smoothed over 5 frames.
_LIMB_STILL, _LIMB_FRAMES, _SMOOTH = 0.01, 31, 5
_FEET = ("foot", "toe")
#: Seconds over which rates are; what is added to squares of places, speeds, accelerations and
#: jerks (leg lengths), and of the accelerations of the trunk.
_RATES_OVER, _RIDGES, _FALL_RIDGE = 2.0, (1e-5, 1e-4, 1e-2, 1.0), 0.1


def measure_speeds(track: Track) -> Array:
    """Speeds in the windows of a track.

    Parameters
    ----------
    track : Track

    Returns
    -------
    array of shape (W, S)
        Feet, the slowest joint, what each part of the body does, how fast the trunk falls, and the
        limbs' own movement.
    """
    middles = window_middles(len(track))
    velocity = np.gradient(track.places, 1 / RATE, axis=0)
    speed = np.linalg.norm(velocity, axis=-1)
    effort = np.linalg.norm(np.gradient(velocity, 1 / RATE, axis=0), axis=-1)
    frames = middles[:, None] + np.arange(-(SPAN // 2), SPAN // 2 + 1)
    own = _feet(track, speed, frames), _parts(track, speed, effort, frames), _falls(track, frames)
    return np.concatenate([*own, limb_speeds(track)[middles]], axis=1)


def limbs_of(track: Track) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Side and parts of the arms and legs that a track has, at least two joints of each."""
    limbs = [(side, parts) for side in ("left", "right") for parts in (ARM, LEG)]
    return tuple((side, parts) for side, parts in limbs if len(track.limb(side, parts)) > 1)


def limb_speeds(track: Track) -> Array:
    """Logarithm of how fast each limb moves beside the trunk, shape (N, limbs), over a second."""
    columns = []
    for local in _local_limbs(track, track.places):
        smooth = moving_average(local, _SMOOTH)
        square = np.mean(np.sum(np.gradient(smooth, 1 / RATE, axis=0) ** 2, axis=-1), axis=1)
        mean = moving_average(square, _LIMB_FRAMES)
        columns.append(np.sqrt(np.maximum(mean, 0.0)))  # running sums round below 0
    return np.log(_LIMB_STILL + np.column_stack(columns))


def _feet(track: Track, speed: Array, frames: Ints) -> Array:
    """Each point of the feet, the slowest of them, and the slowest joint of all."""
    feet = np.log(_STILL + speed[:, track.columns(*_FEET)])
    slowest = feet.min(axis=1)[frames]
    of_all = np.log(_STILL + speed.min(axis=1))[frames]
    each = [feet[frames].min(axis=1), feet[frames].mean(axis=1)]
    one = [slowest.mean(axis=1), slowest.max(axis=1), slowest.min(axis=1)]
    return np.column_stack([*each, *one, of_all.mean(axis=1), of_all.min(axis=1)])


def _parts(track: Track, speed: Array, effort: Array, frames: Ints) -> Array:
    """Speed of trunk, arms and legs, and their acceleration beside it."""
    parts = [track.columns(*TRUNK)]
    parts += [track.limb(side, names) for side, names in limbs_of(track)]
    columns = []
    for part in parts:
        moves = np.log(_STILL + np.sqrt((speed[:, part] ** 2).mean(axis=1)[frames].mean(axis=1)))
        force = np.log(_STEADY + np.sqrt((effort[:, part] ** 2).mean(axis=1)[frames].mean(axis=1)))
        # A quotient in logarithms: acceleration beside speed does not change with the body's size.
        columns += [moves, force - moves]
    return np.column_stack(columns)


def _falls(track: Track, frames: Ints) -> Array:
    """Largest accelerations of the trunk down and up, which gravity bounds; tenths."""
    trunk = track.columns(*TRUNK)
    # Second differences multiply noise by the square of the rate: smoothed before.
    height = moving_average(track.places[:, trunk, 1].mean(axis=1), 3)
    rises = np.gradient(np.gradient(height, 1 / RATE), 1 / RATE)[frames]
    return np.column_stack([rises.min(axis=1), rises.max(axis=1)])


def measure_rates(track: Track) -> Array:
    """How often parts of the body go to and fro, in the windows of a track.

    Parameters
    ----------
    track : Track

    Returns
    -------
    array of shape (W, R)
        Logarithms, over two seconds, of trunk and limbs: how far they go, how fast, and the rates
        at which places, speeds and accelerations change; then of how the trunk falls and is
        caught, which gravity bounds.
    """
    over = round(_RATES_OVER * RATE) + 1
    smooth = moving_average(track.places, 3)
    trunk = track.columns(*TRUNK)
    parts = [p.reshape(len(p), -1) for p in (smooth[:, trunk], *_local_limbs(track, smooth))]
    ends = np.cumsum([0, *(p.shape[1] for p in parts)])[:-1]
    sizes = _sizes(np.concatenate(parts, axis=1), ends, over)
    far, fast, force, jerk = sizes
    rises = np.gradient(np.gradient(smooth[:, trunk, 1].mean(axis=1), 1 / RATE), 1 / RATE)
    fall = np.maximum(np.stack([-rises, rises], axis=1), 0)
    falls = _level(means_around(fall**2, over), _FALL_RIDGE)
    numbers = [far, fast, fast - far, force - fast, jerk - force, falls]
    return np.concatenate(numbers, axis=1)[window_middles(len(track))]


def _local_limbs(track: Track, places: Array) -> list[Array]:
    """Places of each limb beside its first joint, as the trunk sees them."""
    limbs = []
    for side, parts in limbs_of(track):
        joints = track.limb(side, parts)
        frames = track.trunk[:, 0 if parts == LEG else 1]
        limbs.append((places[:, joints[1:]] - places[:, joints[:1]]) @ frames)
    return limbs


def _sizes(places: Array, begins: Ints, over: int) -> list[Array]:
    """Logarithms of the spread of the places of parts, and of their first three derivatives.

    Parameters
    ----------
    places : array of shape (N, D)
    begins : int array of shape (P,)
        First column of each part.
    over : int, frames

    Returns
    -------
    list of array of shape (N, P)
    """
    # About the mean of all, as squares of large numbers would leave nothing of small spreads.
    numbers = places - places.mean(axis=0)
    sizes = []
    for order, ridge in enumerate(_RIDGES):
        if order:
            numbers = np.gradient(numbers, 1 / RATE, axis=0)
        square = means_around(np.add.reduceat(numbers**2, begins, axis=1), over)
        if order < 2:  # what goes steadily on is no movement to and fro
            means = means_around(numbers, over)
            square = square - np.add.reduceat(means**2, begins, axis=1)
        sizes.append(_level(np.maximum(square, 0.0), ridge))
    return sizes


def _level(squares: Array, ridge: float) -> Array:
    return 0.5 * np.log(squares + ridge)
