"""What differs between forwards and backwards for all people: a few numbers over some seconds.

Feet land harder than they lift, bodies go where they face, and the chest turns before the hips.
Each number changes its sign, and nothing else, when time runs backwards.
"""

from __future__ import annotations

import numpy as np

from motionloom.analysis.oddness._tracks import RATE, Track
from motionloom.analysis.oddness._windows import means_around, window_middles
from motionloom.curves import moving_average
from motionloom.typing import Array

#: Joints whose way is compared with where the body faces, and points that step.
_GOING = ("hips", "chest", "head", "shoulder", "elbow", "hand", "knee", "foot", "toe")
_STEPPING = ("foot", "toe")
#: Seconds over which a number is; frames that places are smoothed over.
OVER, _SMOOTH = 6.0, 5
#: Height (leg lengths) below which a foot is near the ground.
_LOW = 0.1


def measure_cues(track: Track) -> Array:
    """Cues to the direction of time in the windows of a track.

    Parameters
    ----------
    track : Track

    Returns
    -------
    array of shape (W, C)
        Each about between -1 and 1, over `OVER` seconds about the window.
    """
    places = moving_average(track.places, _SMOOTH)
    velocity = np.gradient(places, 1 / RATE, axis=0)
    quotients = _going(track, velocity) + _stepping(track, places, velocity)
    quotients += _leading(track, places, velocity)
    over = round(OVER * RATE)
    above, below = np.array(quotients).transpose(1, 2, 0)
    # Means before quotients: one short stretch must not decide for all.
    cues: Array = means_around(above, over) / means_around(below, over)
    return cues[window_middles(len(track))]


#: Numerators and denominators of cues, frame by frame.
_Quotients = list[tuple[Array, Array]]


def _going(track: Track, velocity: Array) -> _Quotients:
    """Whether joints go where the body faces."""
    facing = track.facing()
    ahead = np.stack([np.sin(facing), np.zeros_like(facing), np.cos(facing)], axis=-1)
    found: _Quotients = []
    for part in _GOING:
        columns = track.columns(part)
        if columns:
            along = np.einsum("npc,nc->np", velocity[:, columns], ahead)
            found.append((along.mean(axis=1), np.abs(along).mean(axis=1) + 0.1))
    return found


def _stepping(track: Track, places: Array, velocity: Array) -> _Quotients:
    """How feet speed up against how they slow down."""
    hips = track.roles.index("hips")
    found: _Quotients = []
    for part in _STEPPING:
        columns = track.columns(part)
        if not columns:
            continue
        own = velocity[:, columns]
        beside = own - velocity[:, hips : hips + 1]
        found += [*_speeding(own)[:1], *_speeding(beside)[:1], *_speeding(own)[1:]]
        rising, force = own[..., 1], np.gradient(own[..., 1], 1 / RATE, axis=0) ** 2
        near = np.exp(-places[:, columns, 1] / _LOW)
        found.append(_of_means(near * rising * force, near * np.abs(rising) * force, 0.005))
    return found


def _speeding(velocity: Array) -> _Quotients:
    """Of the way, how much more is gone while speeding up than while slowing down; whether what is
    sudden speeds up or slows down, twice.
    """
    force = np.gradient(velocity, 1 / RATE, axis=0)
    speed = np.linalg.norm(velocity, axis=-1)
    size = np.linalg.norm(force, axis=-1)
    power = np.einsum("npc,npc->np", velocity, force)
    along = power / (speed + 0.05)
    return [
        _of_means(speed * power / (speed * size + 0.05), speed, 0.02),
        _of_means(along**3, np.abs(along) ** 3, 1.0),
        _of_means(power * speed * size, np.abs(power) * speed * size, 1.0),
    ]


def _of_means(above: Array, below: Array, least: float) -> tuple[Array, Array]:
    return above.mean(axis=1), below.mean(axis=1) + least


def _leading(track: Track, places: Array, velocity: Array) -> _Quotients:
    """Which of two parts moves first."""
    found = [_leads(_turning(track.trunk[:, 1]), _turning(track.trunk[:, 0]))]
    speed = np.linalg.norm(velocity, axis=-1)
    feet, toes = track.columns("foot"), track.columns("toe")
    if feet:
        found.append(_leads(speed[:, track.roles.index("hips")], speed[:, feet].sum(axis=1)))
    if feet and toes:
        found.append(_leads(*(places[:, part, 1].sum(axis=1) for part in (feet, toes))))
    return found


def _turning(frames: Array) -> Array:
    """How fast (radians per second) frames (N, 3, 3) turn about the vertical, smoothed."""
    steps = np.einsum("nab,ncb->nac", frames[1:], frames[:-1])
    # The antisymmetric part of a rotation by a small angle is its axis times that.
    turns = RATE * (steps[:, 0, 2] - steps[:, 2, 0]) / 2
    turns = 0.5 * (np.concatenate([turns[:1], turns]) + np.concatenate([turns, turns[-1:]]))
    return moving_average(turns, _SMOOTH)


def _leads(first: Array, second: Array) -> tuple[Array, Array]:
    """How much one curve leads another."""
    a, b = first - first.mean(), second - second.mean()
    da, db = (np.gradient(x, 1 / RATE) for x in (a, b))
    return a * db - b * da, np.abs(a * db) + np.abs(b * da) + 0.01
