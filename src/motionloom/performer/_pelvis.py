"""The pelvis over time: an inverted pendulum over the feet, turned and listed by the legs.

How high the pelvis is carried, so that both legs can do what the feet ask of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import maximum_filter1d

from motionloom import rotations as rot
from motionloom.curves import gaussian_average
from motionloom.performer._body import SIGN, Performer
from motionloom.performer._curves import GRAVITY, pendulum_path, shifted
from motionloom.performer._drive import Drive
from motionloom.performer._feet import FootPath
from motionloom.performer._footsteps import FootstepPlan, Stance
from motionloom.two_bones import reach_for
from motionloom.typing import Array, Bools

#: Bend of the knees in quiet standing, of the leading knee at heel strike and of the knee at
#: mid-stance, radians.
STANDING_BEND, STRIKE_BEND, MIDSTANCE_BEND = np.radians(9.0), np.radians(5.0), np.radians(17.0)
#: The knee never comes straighter than this, and never than that where the heel is up by `HEEL_UP`:
#: knees bend well before toe-off (35-40 degrees; Perry & Burnfield 2010), and one that starts to
#: from nearly straight snaps.
LEAST_BEND, LEAST_BEND_HEEL_UP, HEEL_UP = np.radians(5.0), np.radians(24.0), np.radians(60.0)
#: A runner's pelvis below standing height at mid-stance and above it in flight, shares of stature:
#: 7-9 cm in all (Cavagna et al. 1976; Novacheck 1998).
RUNNING_BOB, RUNNING_RISE = 0.038, 0.012
#: Weight that takes longer than this to come back to the other foot has rested; rising from a
#: step's low, seconds.
LONGEST_STEP, RISING = 1.3, 0.55

#: Height of the centre of mass, as a share of stature.
PENDULUM_HEIGHT = 0.57
#: Turn of the pelvis per stride as long as the stature, list over one foot, and forward tilt; how
#: early the list is, seconds.
PELVIC_TURN, PELVIC_LIST, PELVIC_TILT = np.radians([11.5, 4.0, 4.0])
LIST_LEAD = 0.09


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
    pressed = support + extra[:, :1] * left + extra[:, 1:] * ahead
    ground = pendulum_path(pressed, PENDULUM_HEIGHT * performer.height, dt)
    apart = feet[0].ankle[:, [0, 2]] - feet[1].ankle[:, [0, 2]]
    stride = np.sum(apart * ahead, axis=-1)
    push = np.gradient(np.gradient(ground, dt, axis=0), dt, axis=0) / GRAVITY
    leaning = [np.sum(push * side, axis=-1) for side in (ahead, left)]
    lean = gaussian_average(np.stack(leaning, axis=-1), 0.12 / dt)
    shift = gaussian_average(share[0] - share[1], 0.06 / dt)

    rotation = _rotation(performer, heading, stride, share, drive, dt)
    height = _pelvis_height(performer, plan, ground, times) - drive.drop
    position = np.stack([ground[:, 0], height, ground[:, 1]], axis=-1)
    position[:, 1] -= _drop_to_reach(performer, position, rotation, feet, dt)
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
    return np.asarray(-0.12 * performer.height * np.sin(np.asarray(pitch, float)))


def lean_of_pelvis(pitch: ArrayLike) -> Array:
    """Tilt of the pelvis as the chest pitches: hips and spine share bends (Esola et al. 1996)."""
    return np.asarray(PELVIC_TILT + 0.45 * np.asarray(pitch, float))


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
    swing = PELVIC_TURN * gaussian_average(stride, 0.03 / dt) / performer.height
    turn = heading - swing + drive.pelvis[:, 0]
    early = shifted(gaussian_average(share[0] - share[1], 0.08 / dt), LIST_LEAD, dt)
    list_ = PELVIC_LIST * early + drive.pelvis[:, 1]
    tilt = lean_of_pelvis(drive.trunk[:, 1])
    return rot.from_euler(np.stack([turn, tilt, list_], axis=-1), "YXZ")


def hip_joints(performer: Performer, position: Array, rotation: Array) -> tuple[Array, Array]:
    """World positions of the left and right hip joint.

    Parameters
    ----------
    performer : Performer
        Gives the width of the hips.
    position : array of shape (T, 3), metres
        Their mid-point.
    rotation : array of shape (T, 4)
        World rotation of the pelvis.

    Returns
    -------
    left, right : array of shape (T, 3), metres
    """
    half = performer.lengths["hip_half_width"]
    left, right = (position + rot.rotate(rotation, np.array([s * half, 0.0, 0.0])) for s in SIGN)
    return left, right


def standing_height(performer: Performer) -> float:
    """Height of the pelvis in quiet standing, metres.

    Examples
    --------
    >>> from motionloom.performer._body import make_performer
    >>> bool(0.8 < standing_height(make_performer(1.75)) < 1.0)  # metres
    True
    """
    n = performer.lengths
    return n["ankle_height"] + float(reach_for(n["thigh"], n["shank"], STANDING_BEND))


def _pelvis_height(performer: Performer, plan: FootstepPlan, ground: Array, times: Array) -> Array:
    """Pelvis height: low between feet, high over a standing foot; the reverse in running.

    Cosines run from knot to knot: about 4 cm up and down at 1.3 m/s (Gard et al. 2004; Orendurff et
    al. 2004).

    Parameters
    ----------
    performer : Performer
        Gives the leg lengths.
    plan : FootstepPlan
        Footprints and their timing.
    ground : array of shape (T, 2), metres
        x and z of the pelvis.
    times : array of shape (T,), seconds
        Evenly spaced.

    Returns
    -------
    array of shape (T,), metres
    """
    standing = standing_height(performer)

    def over(stance: Stance, at: float, bend: float) -> float:
        return min(standing, _height_over(performer, stance, ground, times, at, bend))

    knots = [(-2.0, standing), (-1.0, standing)]
    before: Stance | None = None
    for new in sorted((s for s in plan.stances if s.gait is not None), key=lambda s: s.strike):
        assert new.gait is not None
        time = new.strike + 0.3 * min(new.loaded - new.strike, 0.25)
        if before is None or time - knots[-1][0] > LONGEST_STEP:
            leaving = max(s.toe_off for s in plan.of(new.side) if s.toe_off < new.strike)
            if before is not None:
                knots.append((knots[-1][0] + RISING, standing))
            knots.append((leaving - 0.1, standing))
        elif new.gait.runs:
            middle = 0.5 * (before.strike + before.toe_off)
            knots.append((middle, standing - RUNNING_BOB * performer.height))
        else:
            middle = 0.5 * (time + knots[-1][0])
            knots.append((middle, over(before, middle, MIDSTANCE_BEND)))
        if new.gait.runs:
            flight = new.gait.step_time * (1.0 - 2.0 * new.gait.stance)
            knots.append((new.strike - 0.5 * flight, standing + RUNNING_RISE * performer.height))
        else:
            knots.append((time, over(new, new.strike, STRIKE_BEND)))
        before = new
    knots += [(knots[-1][0] + RISING, standing), (max(plan.duration, knots[-1][0]) + 2.0, standing)]
    t, h = np.array(knots).T
    i = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
    u = np.clip((times - t[i]) / (t[i + 1] - t[i]), 0.0, 1.0)
    eased = h[i] + (h[i + 1] - h[i]) * 0.5 * (1.0 - np.cos(np.pi * u))
    return gaussian_average(eased, 0.03 / float(times[1] - times[0]))


def _height_over(
    performer: Performer, stance: Stance, ground: Array, times: Array, at: float, bend: float
) -> float:
    """Height of the pelvis at a time such that the leg to this footprint has knee bend `bend`."""
    n = performer.lengths
    here = np.array([np.interp(at, times, ground[:, k]) for k in (0, 1)])
    pitch = -stance.strike_pitch * (at <= stance.strike + 1e-9)
    back = performer.heel[2] * (1.0 - np.cos(pitch))
    foot = stance.foot_heading
    ankle = np.array([stance.x + back * np.sin(foot), stance.z + back * np.cos(foot)])
    up = -performer.heel[1] * np.cos(pitch) + performer.heel[2] * np.sin(pitch)
    # The hip joint is nearer to its own foot than the pelvis' middle is.
    flat = max(float(np.linalg.norm(ankle - here)) - 0.3 * n["hip_half_width"], 0.0)
    reach = float(reach_for(n["thigh"], n["shank"], bend))
    leg = float(np.sqrt(max(reach * reach - flat * flat, 0.25 * reach * reach)))
    return float(up) + leg


def _drop_to_reach(
    performer: Performer,
    position: Array,
    rotation: Array,
    feet: tuple[FootPath, FootPath],
    dt: float,
) -> Array:
    """How far to lower the pelvis, smoothly, so that no leg is asked for more than it has.

    Parameters
    ----------
    performer : Performer
        Gives the leg lengths.
    position : array of shape (T, 3), metres
        Mid-point of the hip joints before it is lowered.
    rotation : array of shape (T, 4)
        World rotation of the pelvis.
    feet : pair of FootPath
        Left, right.
    dt : float, seconds
        Time between frames.

    Returns
    -------
    array of shape (T,), metres
        From 0 up.
    """
    n = performer.lengths
    drop = np.zeros(len(position))
    for hip, foot in zip(hip_joints(performer, position, rotation), feet, strict=True):
        span = hip - foot.ankle
        flat = np.linalg.norm(span[:, [0, 2]], axis=-1)
        up = np.clip(foot.pitch / HEEL_UP, 0.0, 1.0)
        bend = LEAST_BEND + (LEAST_BEND_HEEL_UP - LEAST_BEND) * up
        reach = reach_for(n["thigh"], n["shank"], bend)
        highest = np.sqrt(np.maximum(reach * reach - flat * flat, 0.0))
        drop = np.maximum(drop, span[:, 1] - highest)
    # The window's maximum, smoothed over less than the window, stays above the drop asked for.
    width = 2 * round(0.12 / dt) + 1
    return gaussian_average(maximum_filter1d(drop, width, mode="nearest"), 0.04 / dt)
