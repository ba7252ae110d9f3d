"""What is looked at in every frame of a motion: gait, speed and its changes, feet off the ground or
sliding under the body, hands.
"""

from __future__ import annotations

import numpy as np
import scipy

from motionloom.analysis.contacts import ContactOptions, FootContacts
from motionloom.analysis.gaits import RUNNING, STANDING, gaits_of
from motionloom.analysis.quality import joint_acceleration
from motionloom.analysis.soles import point_velocity
from motionloom.curves import moving_average, runs_of
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools, Ints

#: Speeds are differences over this time, a sudden change is one within this time, and travel is
#: averaged over this time, seconds.
SMOOTH, SUDDEN, STRIDE = 0.1, 0.3, 1.0
#: A change of gait looks at the mean speed in so many seconds before and after.
STEP = 0.7
#: Time over which the speed of a hand is averaged, seconds.
WAVE = 0.5
#: A jump lifts the hips by this share of a leg over where they are within a second around.
LIFT = 0.08
#: A turn on the spot stays within so many metres.
SPOT = 1.5


def runs_beyond(values: Array, limit: Array | float) -> list[tuple[int, int, int]]:
    """First frame of each run of values over a limit, the one behind its last, and its worst."""
    over = values - limit
    return [(a, b, a + int(np.argmax(over[a:b]))) for a, b in runs_of(over > 0)]


def speed_of(places: Array, fps: float, span: float = SMOOTH) -> Array:
    """Speed of places (T, ..., 2 or 3), by differences over about so many seconds, (T, ...)."""
    return np.asarray(np.linalg.norm(point_velocity(places, fps, span), axis=-1))


def frame_accelerations(posed: PosedMotion, leg: float) -> tuple[Array, Ints]:
    """Acceleration of all joints (T - 2, J), metres per second squared, and the gait (T - 2,) of
    the middle frames.

    Parameters
    ----------
    posed : PosedMotion
        T frames, J joints.
    leg : float, metres
        Length of a leg, by which gaits are told apart.

    Returns
    -------
    accelerations : array of shape (T - 2, J)
        Metres per second squared.
    gaits : int array of shape (T - 2,)
        Indices of `GAITS`.
    """
    return joint_acceleration(posed.positions, posed.fps), gaits_of(fastest_near(posed), leg)[1:-1]


def _travel_speed(posed: PosedMotion) -> Array:
    """Mean speed of the hips over the ground in the second around every frame, shape (T,)."""
    return speed_of(posed.hips[:, [0, 2]], posed.fps, STRIDE)


def fastest_near(posed: PosedMotion) -> Array:
    """Fastest travel within a second around every frame, shape (T,), metres per second."""
    return scipy.ndimage.maximum_filter1d(_travel_speed(posed), 2 * round(0.5 * posed.fps) + 1)


def speed_changes(posed: PosedMotion) -> tuple[Array, Array]:
    """By how much the hips' speed changes within `SUDDEN` seconds, and the fastest travel within a
    second around; entry i is of frame i and those after it, both shape (T - n,).
    """
    n = max(1, round(SUDDEN * posed.fps))
    speed = speed_of(posed.hips[:, [0, 2]], posed.fps)
    near = fastest_near(posed)
    return speed[n:] - speed[:-n], near[: max(len(near) - n, 0)]


def step_changes(posed: PosedMotion) -> tuple[Array, Array, int]:
    """Mean speed in `STEP` seconds before and after a frame; entry i is of frame i + n, and n."""
    n = max(1, round(STEP * posed.fps))
    place = posed.hips[:, [0, 2]]
    mean = np.linalg.norm(place[n:] - place[:-n], axis=1) * posed.fps / n
    return mean[:-n], mean[n:], n


def airborne(contacts: FootContacts) -> Bools:
    """Frames in which no foot bears on the ground, shape (T,)."""
    return np.asarray(~np.any(contacts.down, axis=1))


def glide_speed(posed: PosedMotion, contacts: FootContacts) -> tuple[Array, Ints]:
    """Speed over the ground of the stillest point of all soles while some point is low all the
    time, averaged over `SUDDEN` seconds (metres per second; 0 where all are high, and in a run,
    whose feet land at speed), and the fastest gait within a second around; both shape (T,).

    Parameters
    ----------
    posed : PosedMotion
        T frames.
    contacts : FootContacts
        As found in this motion.

    Returns
    -------
    speed : array of shape (T,)
        Metres per second.
    gaits : int array of shape (T,)
        Indices of `GAITS`.
    """
    soles = contacts.soles
    points = soles.positions(posed)
    rest = contacts.ground + np.array([p.rest for p in soles.points])
    # The height at which contacts are let go, so that a foot is not judged both ways.
    low = np.any(points[..., 1] - rest < ContactOptions().leave_height * soles.leg, axis=1)
    stillest = speed_of(points[..., [0, 2]], posed.fps).min(axis=1)
    width = 2 * round(0.5 * SUDDEN * posed.fps) + 1
    if len(low) < width:
        return np.zeros(len(low)), np.zeros(len(low), np.int64)
    mean = moving_average(stillest, width)
    inside = scipy.ndimage.minimum_filter1d(low.astype(np.uint8), width, mode="constant") > 0
    gaits = gaits_of(fastest_near(posed), soles.leg)
    return np.where(inside & (gaits < RUNNING), mean, 0.0), gaits


def hand_speeds(posed: PosedMotion) -> dict[str, Array]:
    """Speed of each hand as the hips see it, averaged over `WAVE` seconds so that a wave does not
    rest where it turns; shape (T,) each, metres per second, by its role.
    """
    if posed.roles.kind != "human":
        return {}
    width = 2 * round(0.5 * WAVE * posed.fps) + 1
    speeds = {}
    for hand in ("left_hand", "right_hand"):
        if hand not in posed.roles.joints:
            continue
        seen = posed.positions[:, posed.roles.joints[hand]] - posed.hips
        speeds[hand] = moving_average(speed_of(seen, posed.fps), width)
    return speeds


def waits(posed: PosedMotion, leg: float) -> Bools:
    """Frames in which the body goes nowhere, shape (T,).

    Parameters
    ----------
    posed : PosedMotion
        T frames.
    leg : float, metres
        Length of a leg, by which gaits are told apart.

    Returns
    -------
    bool array of shape (T,)
    """
    return np.asarray(gaits_of(_travel_speed(posed), leg) == STANDING)


def flights(posed: PosedMotion, contacts: FootContacts) -> Bools:
    """Frames of jumps, shape (T,): no foot bears on the ground, the hips are lifted, and nobody
    runs within a second around. Only people are told to jump.

    Parameters
    ----------
    posed : PosedMotion
        T frames.
    contacts : FootContacts
        As found in this motion.

    Returns
    -------
    bool array of shape (T,)
    """
    if posed.roles.kind != "human":
        return np.zeros(posed.n_frames, bool)
    leg = contacts.soles.leg
    height = posed.hips[:, 1]
    usual = scipy.ndimage.median_filter(height, 2 * round(STRIDE * posed.fps) + 1, mode="nearest")
    walks = gaits_of(fastest_near(posed), leg) < RUNNING
    jumps = np.zeros(posed.n_frames, bool)
    # A flight is a jump as a whole or not at all: its highest frame decides.
    for start, stop in runs_of(airborne(contacts) & walks):
        jumps[start:stop] = (height - usual)[start:stop].max() > LIFT * leg
    return jumps


def cut_flights(posed: PosedMotion, contacts: FootContacts) -> tuple[int, int]:
    """Frames at the begin and at the end of a motion in which somebody is in the air, of whom it
    is not shown how they got there or down; 0 for who runs there.

    Parameters
    ----------
    posed : PosedMotion
        T frames.
    contacts : FootContacts
        As found in this motion.
    """
    bare = airborne(contacts)
    if posed.roles.kind != "human" or bare.all():
        return 0, 0
    ground = np.flatnonzero(~bare)
    first, last = int(ground[0]), int(posed.n_frames - 1 - ground[-1])
    height = posed.hips[:, 1]
    runs = gaits_of(fastest_near(posed), contacts.soles.leg) >= RUNNING
    near = round(STRIDE * posed.fps)
    counts = []
    for count, order in ((first, 1), (last, -1)):
        above = height[::order]
        lifted = count > 0 and not runs[::order][:count].any()
        rise = LIFT * contacts.soles.leg + np.median(above[count : count + near])
        counts.append(count if lifted and above[:count].max() > rise else 0)
    return counts[0], counts[1]


def hand_lead(posed: PosedMotion) -> dict[str, Array]:
    """How much faster each hand moves, as the hips see it, than the body goes; shape (T,) each,
    metres per second. Arms swing about as fast as people go.
    """
    pace = _travel_speed(posed)
    return {hand: speed - pace for hand, speed in hand_speeds(posed).items()}


def spot_turn(body: Array, fps: float) -> tuple[float, int, int]:
    """Largest turn to one side while the body (T, 3) stays within `SPOT` metres, degrees, and from
    which frame to which.

    Parameters
    ----------
    body : array of shape (T, 3)
        Ground position (metres) and facing (radians) of a body.
    fps : float
        Frames per second.

    Returns
    -------
    turn : float
        Degrees, to either side.
    first, last : int
        Frames between which it turns.
    """
    width = 2 * round(0.25 * STRIDE * fps) + 1
    heading = moving_average(np.unwrap(body[:, 2]), width)
    best = (0.0, 0, 0)
    # Starting in every tenth of a second is enough: headings are averaged over more than that.
    step = max(1, round(0.1 * fps))
    for a in range(0, len(body), step):
        away = np.linalg.norm(body[a:, :2] - body[a, :2], axis=1) > SPOT
        stop = a + int(np.argmax(away)) if away.any() else len(body)
        turned = np.abs(heading[a:stop] - heading[a])
        b = int(np.argmax(turned))
        best = max(best, (float(np.degrees(turned[b])), a, a + b))
    return best
