"""The pelvis over time: carried over the feet like an inverted pendulum, turned and listed by the legs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d

from motionloom import rotations as rot
from motionloom.performer.body import SIGN, Performer
from motionloom.performer.curves import derivative, pendulum_path, smooth
from motionloom.performer.feet import FootPath
from motionloom.performer.footsteps import FootstepPlan, Stance
from motionloom.performer.legs import reach_for

Array = NDArray[np.float64]

#: Bend of the knees in quiet standing, of the leading knee at heel strike and of the knee at mid-stance, radians.
STANDING_BEND, STRIKE_BEND, MIDSTANCE_BEND = np.radians(9.0), np.radians(5.0), np.radians(16.0)
#: The knee never comes straighter than this.
LEAST_BEND = np.radians(3.0)


@dataclass(frozen=True, eq=False)
class PelvisPath:
    """The pelvis and what drives the trunk.

    Parameters
    ----------
    position : array of shape (T, 3), metres
        Mid-point of the hip joints (the root).
    rotation : array of shape (T, 4)
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
    performer: Performer, plan: FootstepPlan, feet: tuple[FootPath, FootPath], times: Array, sway: Array
) -> PelvisPath:
    """Carry the pelvis through a plan.

    Parameters
    ----------
    performer : Performer
    plan : FootstepPlan
    feet : pair of FootPath
        Left, right.
    times : array of shape (T,), seconds
        Evenly spaced.
    sway : array of shape (T, 2), metres
        Extra motion of the centre of pressure (x, z in the world).
    """
    dt = float(times[1] - times[0])
    loads = np.stack([feet[0].load, feet[1].load])
    total = loads.sum(axis=0)
    share = _fill(loads / np.maximum(total, 1e-9), total > 0.2)
    support = sum(share[i][:, None] * feet[i].pressure for i in (0, 1)) + sway
    ground = pendulum_path(support, 0.57 * performer.height, dt)
    heading = smooth(_heading(plan, share, feet, times), 0.16, dt)

    ahead = np.stack([np.sin(heading), np.cos(heading)], axis=-1)
    left = np.stack([ahead[:, 1], -ahead[:, 0]], axis=-1)
    apart = feet[0].ankle[:, [0, 2]] - feet[1].ankle[:, [0, 2]]
    stride = np.sum(apart * ahead, axis=-1)
    push = derivative(ground, dt, 2) / 9.81
    lean = smooth(np.stack([np.sum(push * ahead, axis=-1), np.sum(push * left, axis=-1)], axis=-1), 0.12, dt)
    shift = smooth(share[0] - share[1], 0.06, dt)

    rotation = _rotation(performer, heading, stride, share, dt)
    height = _height(performer, plan, feet, ground, times)
    position = np.stack([ground[:, 0], height, ground[:, 1]], axis=-1)
    position[:, 1] -= _drop_to_reach(performer, position, rotation, feet, dt)
    return PelvisPath(position, rotation, heading, stride, shift, lean)


def hip_joints(performer: Performer, position: Array, rotation: Array) -> tuple[Array, Array]:
    """World positions of the left and right hip joint, (T, 3) each."""
    half = performer.lengths["hip_half_width"]
    return tuple(position + rot.rotate(rotation, np.array([s * half, 0.0, 0.0])) for s in SIGN)  # type: ignore[return-value]


def _fill(share: Array, known: NDArray[np.bool_]) -> Array:
    """Carry the feet's shares through flight, where no foot is loaded."""
    index = np.arange(share.shape[1])
    return np.stack([np.interp(index, index[known], row[known]) for row in share])


def _heading(plan: FootstepPlan, share: Array, feet: tuple[FootPath, FootPath], times: Array) -> Array:
    """Heading of the loaded footprints, each weighted by its share."""
    out = np.zeros(len(times))
    for side in (0, 1):
        stances = plan.of(side)
        turns = np.array([s.heading for s in stances])
        current = np.searchsorted([s.strike for s in stances], times, side="right") - 1
        out += share[side] * turns[np.maximum(current, 0)]
    return out


def _rotation(performer: Performer, heading: Array, stride: Array, share: Array, dt: float) -> Array:
    """Turn, list and tilt of the pelvis.

    About 4 degrees each way of transverse rotation at a step of 0.68 m, leading with the leading leg, and 4 degrees
    of list that drops the unloaded side early in its swing (Murray et al. 1964; Saunders et al. 1953).
    """
    turn = -np.radians(6.0) * smooth(stride, 0.03, dt) / performer.height * 1.75 / 0.68 * 0.75
    ahead = int(round(0.09 / dt))
    load = smooth(share[0] - share[1], 0.08, dt)
    list_ = np.radians(4.0) * np.concatenate([load[ahead:], np.full(ahead, load[-1])])
    tilt = np.radians(4.0) + np.zeros_like(turn)
    return rot.from_euler(np.stack([heading + turn, tilt, list_], axis=-1), "YXZ")


def _transfers(plan: FootstepPlan) -> list[tuple[float, Stance, Stance]]:
    """Moments when weight passes from one foot to the next: (time, old stance, new stance)."""
    moved = [s for s in plan.stances if s.gait is not None]
    out = []
    for new in moved:
        old = max((s for s in plan.stances if s.side != new.side and s.strike < new.strike), key=lambda s: s.strike)
        out.append((0.5 * (new.strike + min(new.loaded, new.strike + 0.2)), old, new))
    return out


def _height(
    performer: Performer, plan: FootstepPlan, feet: tuple[FootPath, FootPath], ground: Array, times: Array
) -> Array:
    """Pelvis height: low where weight passes from foot to foot, high over a standing foot; the reverse in running."""
    n = performer.lengths
    standing = n["ankle_height"] + float(reach_for(n["thigh"], n["shank"], STANDING_BEND))
    transfers = _transfers(plan)
    if not transfers:
        return np.full(len(times), standing)
    first_off = min(s.toe_off for s in plan.stances)
    knots_t, knots_h = [-1.0, first_off - 0.35], [standing, standing]
    for k, (time, _, new) in enumerate(transfers):
        if k > 0:
            knots_t.append(0.5 * (time + transfers[k - 1][0]))
            knots_h.append(0.0)  # set below
        knots_t.append(time)
        knots_h.append(min(standing, _height_over(performer, new, ground, times, new.strike, STRIKE_BEND)))
    for k in range(1, len(transfers)):
        stance = transfers[k - 1][2]
        i = 2 + 2 * k - 1
        over = _height_over(performer, stance, ground, times, knots_t[i], MIDSTANCE_BEND)
        knots_h[i] = min(standing, over)
        if transfers[k][2].gait is not None and transfers[k][2].gait.runs:
            knots_h[i], knots_h[i + 1] = _running_heights(performer, standing, transfers[k][2])
    knots_t += [transfers[-1][0] + 0.55, max(plan.duration, transfers[-1][0] + 0.55) + 1.0]
    knots_h += [standing, standing]
    t, h = np.array(knots_t), np.array(knots_h)
    i = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
    u = np.clip((times - t[i]) / (t[i + 1] - t[i]), 0.0, 1.0)
    return smooth(h[i] + (h[i + 1] - h[i]) * 0.5 * (1.0 - np.cos(np.pi * u)), 0.03, float(times[1] - times[0]))


def _running_heights(performer: Performer, standing: float, new: Stance) -> tuple[float, float]:
    scale = performer.height / 1.75
    return standing - 0.065 * scale, standing + 0.0 * scale


def _height_over(performer: Performer, stance: Stance, ground: Array, times: Array, at: float, bend: float) -> float:
    """Height of the pelvis at a time such that the leg to this footprint bends by `bend` at the knee."""
    n = performer.lengths
    here = np.array([np.interp(at, times, ground[:, k]) for k in (0, 1)])
    pitch = -stance.strike_pitch * (at <= stance.strike + 1e-9)
    back = performer.heel[2] * (1.0 - np.cos(pitch))
    ankle = np.array([stance.x + back * np.sin(stance.foot_heading), stance.z + back * np.cos(stance.foot_heading)])
    up = -performer.heel[1] * np.cos(pitch) + performer.heel[2] * np.sin(pitch)
    aside = n["hip_half_width"]
    flat = np.hypot(np.linalg.norm(ankle - here), 0.0)
    flat = max(flat - 0.3 * aside, 0.0)
    reach = float(reach_for(n["thigh"], n["shank"], bend))
    return up + float(np.sqrt(max(reach * reach - flat * flat, 0.25 * reach * reach)))


def _drop_to_reach(
    performer: Performer, position: Array, rotation: Array, feet: tuple[FootPath, FootPath], dt: float
) -> Array:
    """How far to lower the pelvis, smoothly, so that no leg is asked for more than it has."""
    n = performer.lengths
    reach = float(reach_for(n["thigh"], n["shank"], LEAST_BEND))
    drop = np.zeros(len(position))
    for hip, foot in zip(hip_joints(performer, position, rotation), feet, strict=True):
        span = hip - foot.ankle
        flat = np.linalg.norm(span[:, [0, 2]], axis=-1)
        highest = np.sqrt(np.maximum(reach * reach - flat * flat, 0.0))
        drop = np.maximum(drop, span[:, 1] - highest)
    # The window's maximum, smoothed over less than the window, stays above the drop asked for.
    width = 2 * int(round(0.12 / dt)) + 1
    return smooth(maximum_filter1d(drop, width, mode="nearest"), 0.04, dt)
