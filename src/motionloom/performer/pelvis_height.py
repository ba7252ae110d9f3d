"""How high the pelvis is carried, so that both legs can do what the feet ask of them."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import maximum_filter1d

from motionloom import rotations as rot
from motionloom.curves import gaussian_average
from motionloom.performer.body import SIGN, Performer
from motionloom.performer.feet import FootPath
from motionloom.performer.footsteps import FootstepPlan, Stance
from motionloom.two_bones import reach_for
from motionloom.typing import Array

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
    >>> from motionloom.performer.body import make_performer
    >>> bool(0.8 < standing_height(make_performer(1.75)) < 1.0)  # metres
    True
    """
    n = performer.lengths
    return n["ankle_height"] + float(reach_for(n["thigh"], n["shank"], STANDING_BEND))


def pelvis_height(performer: Performer, plan: FootstepPlan, ground: Array, times: Array) -> Array:
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
            knots.append(
                (0.5 * (before.strike + before.toe_off), standing - RUNNING_BOB * performer.height)
            )
        else:
            middle = 0.5 * (time + knots[-1][0])
            knots.append(
                (
                    middle,
                    min(
                        standing,
                        _height_over(performer, before, ground, times, middle, MIDSTANCE_BEND),
                    ),
                )
            )
        if new.gait.runs:
            flight = new.gait.step_time * (1.0 - 2.0 * new.gait.stance)
            knots.append((new.strike - 0.5 * flight, standing + RUNNING_RISE * performer.height))
        else:
            knots.append(
                (
                    time,
                    min(
                        standing,
                        _height_over(performer, new, ground, times, new.strike, STRIKE_BEND),
                    ),
                )
            )
        before = new
    knots += [(knots[-1][0] + RISING, standing), (max(plan.duration, knots[-1][0]) + 2.0, standing)]
    t, h = np.array(knots).T
    i = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
    u = np.clip((times - t[i]) / (t[i + 1] - t[i]), 0.0, 1.0)
    return gaussian_average(
        h[i] + (h[i + 1] - h[i]) * 0.5 * (1.0 - np.cos(np.pi * u)),
        0.03 / float(times[1] - times[0]),
    )


def _height_over(
    performer: Performer, stance: Stance, ground: Array, times: Array, at: float, bend: float
) -> float:
    """Height of the pelvis at a time such that the leg to this footprint has knee bend `bend`."""
    n = performer.lengths
    here = np.array([np.interp(at, times, ground[:, k]) for k in (0, 1)])
    pitch = -stance.strike_pitch * (at <= stance.strike + 1e-9)
    back = performer.heel[2] * (1.0 - np.cos(pitch))
    ankle = np.array(
        [
            stance.x + back * np.sin(stance.foot_heading),
            stance.z + back * np.cos(stance.foot_heading),
        ]
    )
    up = -performer.heel[1] * np.cos(pitch) + performer.heel[2] * np.sin(pitch)
    # The hip joint is nearer to its own foot than the pelvis' middle is.
    flat = max(float(np.linalg.norm(ankle - here)) - 0.3 * n["hip_half_width"], 0.0)
    reach = float(reach_for(n["thigh"], n["shank"], bend))
    leg = float(np.sqrt(max(reach * reach - flat * flat, 0.25 * reach * reach)))
    return float(up) + leg


def drop_to_reach(
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
        bend = LEAST_BEND + (LEAST_BEND_HEEL_UP - LEAST_BEND) * np.clip(
            foot.pitch / HEEL_UP, 0.0, 1.0
        )
        reach = reach_for(n["thigh"], n["shank"], bend)
        highest = np.sqrt(np.maximum(reach * reach - flat * flat, 0.0))
        drop = np.maximum(drop, span[:, 1] - highest)
    # The window's maximum, smoothed over less than the window, stays above the drop asked for.
    width = 2 * round(0.12 / dt) + 1
    return gaussian_average(maximum_filter1d(drop, width, mode="nearest"), 0.04 / dt)
