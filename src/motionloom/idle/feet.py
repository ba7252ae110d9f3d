"""Feet of somebody who waits: exactly where they stand, and on their way only when they step."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.hinges import Hinge
from motionloom.edit.footlock import find_legs
from motionloom.edit.limbs import bone_lengths, solve_limb
from motionloom.edit.root import move_body
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.roles import Roles

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Legs are never stretched beyond this share of their length.
LONGEST_REACH = 0.999
UP = np.array([0.0, 1.0, 0.0])


def steady_tracks(tracks: Array, moving: Bools) -> Array:
    """Tracks that stand still wherever they do not move; shape (T, F, C).

    Parameters
    ----------
    tracks : array of shape (T, F, C)
        Of F feet: places, or rotations as unit quaternions on one side of the sphere.
    moving : bool array of shape (T, F)
        Where each is on its way.

    Returns
    -------
    array of shape (T, F, C)
        The mean where it stands; on its way as recorded, led from one mean to the other.
    """
    steady = np.array(tracks, float)
    for f in range(steady.shape[1]):
        _steady(steady[:, f], moving[:, f])
    return steady


def _steady(track: Array, moving: Bools) -> None:
    edges = np.flatnonzero(np.diff(moving.astype(int))) + 1
    bounds = [0, *edges.tolist(), len(track)]
    still = [(a, b) for a, b in itertools.pairwise(bounds) if not moving[a]]
    recorded = track.copy()
    for a, b in still:
        track[a:b] = recorded[a:b].mean(axis=0)
    for a, b in itertools.pairwise(bounds):
        if not moving[a]:
            continue
        begin = track[a - 1] - recorded[a - 1] if a else np.zeros(track.shape[1])
        end = track[b] - recorded[b] if b < len(track) else np.zeros(track.shape[1])
        u = (np.arange(1, b - a + 1) / (b - a + 1))[:, None]
        track[a:b] = recorded[a:b] + (1.0 - u) * begin + u * end


def lead_from(tracks: Array, start: Array) -> Array:
    """Tracks begun elsewhere: what differs is made good while they move, never while they stand.

    Parameters
    ----------
    tracks : array of shape (T, F, C)
        Steady tracks; see `steady_tracks`.
    start : array of shape (F, C)
        Where they begin instead.

    Returns
    -------
    array of shape (T, F, C)
        One that never moves stays at its start.
    """
    change = np.linalg.norm(np.diff(tracks, axis=0, prepend=tracks[:1]), axis=-1)
    way = np.cumsum(change, axis=0)
    total = way[-1]
    done = np.where(total > 1e-9, way / np.maximum(total, 1e-9), 0.0)
    eased = done * done * (3.0 - 2.0 * done)
    led: Array = tracks + (1.0 - eased)[..., None] * (start - tracks[0])
    return led


def plant_feet(
    motion: Motion, roles: Roles, feet: Array, turns: Array, knees: Array
) -> PosedMotion:
    """Bend the legs so that both ankles are exactly where they should be.

    First the hips move so that both ankles come as near as they can with the knees as they are: a
    nearly straight knee would turn a millimetre at the hips into degrees. They sink where a leg
    would be too short still.

    Parameters
    ----------
    motion : Motion
        Only its root has positions.
    roles : Roles
        With both legs.
    feet : array of shape (T, 2, 3), metres
        Places of the left and right ankle.
    turns : array of shape (T, 2, 4)
        World rotations of both feet.
    knees : array of shape (2, 3)
        Axes about which the knees usually bend, in the frames of the thighs.

    Returns
    -------
    PosedMotion
    """
    legs = find_legs(roles)
    order = ("left_foot", "right_foot")
    free = pose_motion(motion, roles)
    ankles = free.positions[:, [legs[foot].tip for foot in order]]
    posed = move_body(free, (feet - ankles).mean(axis=1))
    drop = np.zeros(motion.n_frames)
    for f, foot in enumerate(order):
        limb = legs[foot]
        reach = LONGEST_REACH * sum(bone_lengths(posed, limb))
        hip = posed.positions[:, limb.root]
        aside = np.linalg.norm((hip - feet[:, f])[:, ::2], axis=1)
        highest = np.sqrt(np.maximum(reach**2 - aside**2, 0.0))
        drop = np.maximum(drop, hip[:, 1] - feet[:, f, 1] - highest)
    lowered = move_body(posed, -drop[:, None] * UP)
    local: dict[int, Array] = {}
    for f, foot in enumerate(order):
        x, y, z = knees[f].tolist()
        knee = Hinge(legs[foot], (x, y, z), -np.pi, np.pi)
        local |= solve_limb(lowered, legs[foot], feet[:, f], turns[:, f], knee)
    return lowered.with_local(local)
