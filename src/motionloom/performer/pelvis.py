"""The pelvis over time: an inverted pendulum over the feet, turned and listed by the legs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.curves import gaussian_average
from motionloom.performer.body import Performer
from motionloom.performer.curves import GRAVITY, derivative, pendulum_path, shifted
from motionloom.performer.drive import Drive
from motionloom.performer.feet import FootPath
from motionloom.performer.footsteps import FootstepPlan
from motionloom.performer.pelvis_height import drop_to_reach, pelvis_height
from motionloom.typing import Array, Bools

#: Height of the centre of mass, as a share of stature.
PENDULUM_HEIGHT = 0.57
#: Turn of the pelvis per stride as long as the stature; list over one foot and its lead in seconds;
#: forward tilt.
PELVIC_TURN, PELVIC_LIST, LIST_LEAD, PELVIC_TILT = (
    np.radians(11.5),
    np.radians(4.0),
    0.09,
    np.radians(4.0),
)


@dataclass(frozen=True, eq=False)
class PelvisPath:
    """The pelvis and what drives the trunk.

    Parameters
    ----------
    position : array of shape (T, 3), metres
        Mid-point of the hip joints (the root).
    rotation : array of shape (T, 4)
        World rotation of the pelvis.
    heading : array of shape (T,), radians
        Where the body faces, without the pelvis' own turning.
    stride : array of shape (T,), metres
        How far the left ankle is ahead of the right one: the signal that swings arms and trunk.
    shift : array of shape (T,)
        Smoothed load of the left foot less the right's, -1 to 1.
    lean : array of shape (T, 2), radians
        Lean of a body that falls as it accelerates: forward, and to its left.
    """

    position: Array
    rotation: Array
    heading: Array
    stride: Array
    shift: Array
    lean: Array


def pelvis_path(
    performer: Performer,
    plan: FootstepPlan,
    feet: tuple[FootPath, FootPath],
    times: Array,
    sway: Array,
    drive: Drive,
) -> PelvisPath:
    """Carry the pelvis through a plan.

    Parameters
    ----------
    performer : Performer
        Gives stature and leg lengths.
    plan : FootstepPlan
        Footprints and when each bears weight.
    feet : pair of FootPath
        Left, right.
    times : array of shape (T,), seconds
        Evenly spaced.
    sway : array of shape (T, 2), metres
        Extra motion of the centre of pressure, to the left and ahead.
    drive : Drive
        What gestures add.

    Returns
    -------
    PelvisPath
        T frames.
    """
    dt = float(times[1] - times[0])
    loads = np.stack([feet[0].load, feet[1].load])
    total = loads.sum(axis=0)
    share = loads / np.maximum(total, 1e-9)
    support = share[0][:, None] * feet[0].pressure + share[1][:, None] * feet[1].pressure
    borne = total > 0.2
    share = _bridge(share.T, borne).T
    support = _bridge(support, borne)
    heading = gaussian_average(_heading(plan, share, times), 0.16 / dt)
    ahead = np.stack([np.sin(heading), np.cos(heading)], axis=-1)
    left = np.stack([ahead[:, 1], -ahead[:, 0]], axis=-1)

    extra = sway + drive.shift
    extra[:, 1] += counterbalance(performer, drive.trunk[:, 1])
    ground = pendulum_path(
        support + extra[:, :1] * left + extra[:, 1:] * ahead, PENDULUM_HEIGHT * performer.height, dt
    )
    apart = feet[0].ankle[:, [0, 2]] - feet[1].ankle[:, [0, 2]]
    stride = np.sum(apart * ahead, axis=-1)
    push = derivative(ground, dt, 2) / GRAVITY
    lean = gaussian_average(
        np.stack([np.sum(push * ahead, axis=-1), np.sum(push * left, axis=-1)], axis=-1), 0.12 / dt
    )
    shift = gaussian_average(share[0] - share[1], 0.06 / dt)

    rotation = _rotation(performer, heading, stride, share, drive, dt)
    height = pelvis_height(performer, plan, ground, times) - drive.drop
    position = np.stack([ground[:, 0], height, ground[:, 1]], axis=-1)
    position[:, 1] -= drop_to_reach(performer, position, rotation, feet, dt)
    return PelvisPath(position, rotation, heading, stride, shift, lean)


def counterbalance(performer: Performer, pitch: ArrayLike) -> Array:
    """Movement of the hips that keeps weight over the feet as the trunk pitches.

    Trunk, head and arms, two thirds of the mass, lean with their centre a fifth of stature above
    the hips.

    Parameters
    ----------
    performer : Performer
        Whose stature counts.
    pitch : float or array of shape (...), radians
        Forward pitch of the trunk.

    Returns
    -------
    array of shape (...), metres
        Ahead; below 0, which is back, for a forward pitch.
    """
    ahead: Array = -0.12 * performer.height * np.sin(np.asarray(pitch, float))
    return ahead


def lean_of_pelvis(pitch: ArrayLike) -> Array:
    """Tilt of the pelvis as the chest pitches: hips and spine share bends (Esola et al. 1996)."""
    tilt: Array = PELVIC_TILT + 0.45 * np.asarray(pitch, float)
    return tilt


def _bridge(values: Array, known: Bools) -> Array:
    """Fill columns of (T, K) in straight lines through flight, where no foot is loaded."""
    index = np.arange(len(values))
    return np.stack([np.interp(index, index[known], column[known]) for column in values.T], axis=-1)


def _heading(plan: FootstepPlan, share: Array, times: Array) -> Array:
    """Heading of the loaded footprints, each weighted by its share."""
    out = np.zeros(len(times))
    for side in (0, 1):
        stances = plan.of(side)
        current = np.searchsorted([s.strike for s in stances], times, side="right") - 1
        out += share[side] * np.array([s.heading for s in stances])[np.maximum(current, 0)]
    return out


def _rotation(
    performer: Performer, heading: Array, stride: Array, share: Array, drive: Drive, dt: float
) -> Array:
    """Turn, list and tilt of the pelvis.

    About 4 degrees each way of transverse rotation at a step of 0.68 m, leading with the leading
    leg, and 4 degrees of list that drops the unloaded side early in its swing (Murray et al. 1964;
    Saunders et al. 1953).
    """
    turn = (
        heading
        - PELVIC_TURN * gaussian_average(stride, 0.03 / dt) / performer.height
        + drive.pelvis[:, 0]
    )
    list_ = (
        PELVIC_LIST * shifted(gaussian_average(share[0] - share[1], 0.08 / dt), LIST_LEAD, dt)
        + drive.pelvis[:, 1]
    )
    tilt = lean_of_pelvis(drive.trunk[:, 1])
    return rot.from_euler(np.stack([turn, tilt, list_], axis=-1), "YXZ")
