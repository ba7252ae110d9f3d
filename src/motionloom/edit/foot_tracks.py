"""How feet moved when they were captured, told so that later changes of the motion can be undone.

Of a track only the changes from frame to frame matter on the ground and about the vertical: where a
foot stands, and which way it points, is free. Its height and its slope are those of the capture.

A foot is taken back to its track by one smooth correction over the whole motion: all its contacts
share one banded linear system per axis, so a correction is blended in and out by itself. Its speed
is bounded; a contact that would need more, or too large a correction, is let go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.edit.banded import bands, solve, solve_bounded, step_rhs
from motionloom.edit.hip_height import FIXED, frames_from
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.progress import breathe
from motionloom.roles import Limb
from motionloom.typing import Array, Bools


@dataclass(frozen=True, eq=False)
class FootTrack:
    """One foot as it was captured.

    Parameters
    ----------
    places : array of shape (T, 3), metres
        Of the ankle; continuous on the ground, though not where the foot stands in the end.
    rotations : array of shape (T, 4)
        World rotations of the ankle's joint; their heading is continuous likewise.
    """

    places: Array
    rotations: Array

    @classmethod
    def at_rest(cls, posed: PosedMotion, foot: str, n_frames: int) -> FootTrack:
        """A foot that stays where it is in the first frame, for so many frames."""
        joint = posed.roles.joints[foot]
        return cls(
            np.tile(posed.positions[0, joint], (n_frames, 1)),
            np.tile(posed.rotations[0, joint], (n_frames, 1)),
        )

    def cut(self, start: int, stop: int) -> FootTrack:
        """Frames ``start <= i < stop``.

        Parameters
        ----------
        start, stop : int
            Frames of the track.

        Returns
        -------
        FootTrack
        """
        return FootTrack(self.places[start:stop], self.rotations[start:stop])

    def raised(self, height: ArrayLike) -> FootTrack:
        """The same track higher by so many metres, in all frames or in each of them."""
        up = np.multiply.outer(np.asarray(height, float), [0.0, 1.0, 0.0])
        return FootTrack(self.places + up, self.rotations)

    def transformed(self, transform: GroundTransform) -> FootTrack:
        """The same track elsewhere on the ground."""
        turned = rot.multiply(transform.quaternion, self.rotations)
        return FootTrack(transform.apply(self.places), turned)


def heading_of(rotations: Array) -> Array:
    """Part of rotations (..., 4) that turns about the vertical, radians in [-pi, pi]."""
    return rot.wrap_angle(2.0 * np.arctan2(rotations[..., 2], rotations[..., 0]))


def resting_feet(
    posed: PosedMotion, contacts: FootContacts, legs: Mapping[str, Limb]
) -> dict[str, FootTrack]:
    """Feet of which no capture is known: as they are, but at rest while in contact.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    contacts : FootContacts
        When its feet are in contact.
    legs : mapping of str to Limb
        By the roles of the feet.

    Returns
    -------
    dict of str to FootTrack
        By the roles of the feet, above a ground at height 0.
    """
    points = contacts.soles.positions(posed)
    tracks = {}
    for foot, leg in legs.items():
        own = list(contacts.soles.of(foot))
        down = contacts.down[:, own]
        pivot = rot.yaw(-_pivoting(points[:, own], down))
        ankle = posed.positions[:, leg.tip]
        steps = np.diff(ankle, axis=0) - _sliding(points[:, own], down)
        places = np.zeros_like(ankle)
        places[1:] = np.cumsum(rot.rotate(pivot[1:], steps), axis=0)
        places[:, 1] = ankle[:, 1] - contacts.ground
        tracks[foot] = FootTrack(places, rot.multiply(pivot, posed.rotations[:, leg.tip]))
    return tracks


def _sliding(points: Array, down: Bools) -> Array:
    """Mean step on the ground of a sole's points that are in contact, shape (T - 1, 3)."""
    held = (down[1:] & down[:-1]).astype(float)
    steps: Array = (np.diff(points, axis=0) * held[..., None]).sum(axis=1)
    steps /= np.maximum(held.sum(axis=1), 1.0)[:, None]
    steps[:, 1] = 0.0
    return steps


def _pivoting(points: Array, down: Bools) -> Array:
    """How far a foot has turned about the vertical with all its points in contact, shape (T,)."""
    turned = np.zeros(len(points))
    if points.shape[1] > 1:
        flat = np.all(down, axis=1)
        along = points[:, -1] - points[:, 0]
        steps = np.diff(np.unwrap(np.arctan2(along[:, 0], along[:, 2])))
        turned[1:] = np.cumsum(steps * (flat[1:] & flat[:-1]))
    return turned


if TYPE_CHECKING:
    from motionloom.edit.footlock import FootLockOptions


#: A long contact that cannot be held is let go this long before and after its largest slide only,
#: seconds.
LET_GO = 0.15
#: It is lifted meanwhile by this many leg lengths.
STEP_HEIGHT = 0.03
#: A contact that is still this much faster than its capture, because the correction may not go
#: faster, is let go, metres per second.
SLIDING = 0.1
#: A foot may go at least this share of its bound beside what the body does.
LEAST_ROOM = 0.1
#: This share of the bound is for lifting what is too low.
LIFT_SHARE = 0.1
#: Poses are brought to those that shall stay within this time, seconds.
KEPT_TIME = 0.5


@dataclass(frozen=True, eq=False)
class FootPath:
    """What a foot does, and how it is corrected; at first not at all.

    Parameters
    ----------
    now : FootTrack
        The foot as it is.
    captured : FootTrack
        The foot as it was captured.
    carried : array of shape (T, 3), metres
        What the body has been moved by already, and the foot with it: it counts as correction.
    fps : float
        Frames per second.
    leg : float, metres
        Length of the leg.
    keep : array of int
        Frames without any correction.
    down : bool array of shape (T, P)
        Contacts that shall be held; once it is corrected those that are.
    shift : array of shape (T, 3), metres
        Correction of the ankle's place.
    rotations : array of shape (T, 4)
        World rotations of the ankle's joint with the correction.
    released : int
        How often a contact was let go.
    """

    now: FootTrack
    captured: FootTrack
    carried: Array
    fps: float
    leg: float
    keep: NDArray[np.intp]
    down: Bools
    shift: Array
    rotations: Array
    released: int = 0


def find_foot_path(foot: FootPath, options: FootLockOptions) -> FootPath:
    """Find the correction of one foot.

    Parameters
    ----------
    foot : FootPath
        What it does, and the contacts that shall be held.
    options : FootLockOptions
        How feet are locked.

    Returns
    -------
    FootPath
    """
    most = _fastest_steps(foot.now.places, foot.fps, foot.leg, options)
    gone = np.linalg.norm(np.diff(foot.carried, axis=0), axis=-1)
    most = np.maximum((1.0 - LIFT_SHARE) * most - gone, LEAST_ROOM * most)
    down = foot.down.copy()
    lift = np.zeros_like(foot.now.places)
    place = np.ones(len(down))
    place[foot.keep] = FIXED
    bend = (options.smoothing * foot.fps) ** 4
    released = 0
    while True:
        breathe()
        weight = holding(down, foot.fps, options)
        hold = options.hold * np.minimum(weight[1:], weight[:-1])
        pull = _pull(foot, weight, options)
        level = bands(place, hold, bend)
        upright = bands(place + pull, np.zeros_like(hold), bend)
        rotations, turned = _find_rotations(foot, (level, hold), (upright, pull))
        steps = rot.rotate(rot.yaw(turned[1:]), np.diff(foot.captured.places, axis=0))
        missing = steps - np.diff(foot.now.places, axis=0)
        rhs = step_rhs(hold[:, None] * missing)
        rhs[:, 1] = pull * (foot.captured.places - foot.now.places)[:, 1]
        d = _solve(level, upright, rhs, lift, most) + lift
        standing, n = scipy.ndimage.label(down.any(axis=1))
        worst = _worst(foot, missing, d, weight, most, options) * (standing > 0)
        if not n or worst.max() <= 1.0:
            return replace(foot, shift=d, rotations=rotations, down=down, released=released)
        released += 1
        contact = np.flatnonzero(standing == standing[int(worst.argmax())])
        free = _let_go(np.cumsum(missing, axis=0), contact, round(LET_GO * foot.fps))
        # Let go for good: each round has fewer contacts, so the loop ends.
        down[free] = False
        # A small step instead of a slide.
        hill = STEP_HEIGHT * foot.leg * (1.0 - np.linspace(-1.0, 1.0, len(free)) ** 2) ** 2
        lift[free, 1] = np.maximum(lift[free, 1], hill)


def _find_rotations(
    foot: FootPath, level: tuple[Array, Array], upright: tuple[Array, Array]
) -> tuple[Array, Array]:
    """World rotations (T, 4) of the foot, and how far it is turned from its captured heading (T,).

    In contact it turns as it was captured to turn, and has its captured slope.
    """
    apart = rot.multiply(foot.now.rotations, rot.conjugate(foot.captured.rotations))
    # Unwrapped, or a foot that turns past 180 degrees would be turned all the way back.
    off = np.unwrap(heading_of(apart))
    matrix, hold = level
    turn = solve(matrix, step_rhs(-hold * np.diff(off)))
    turned = off + turn
    headed = rot.multiply(rot.yaw(turn), foot.now.rotations)
    wanted = rot.multiply(rot.yaw(turned), foot.captured.rotations)
    tilt = rot.to_rotvec(rot.multiply(wanted, rot.conjugate(headed)))
    matrix, pull = upright
    tilted = solve(matrix, pull[:, None] * tilt)
    return rot.multiply(rot.from_rotvec(tilted), headed), turned


def _fastest_steps(places: Array, fps: float, leg: float, options: FootLockOptions) -> Array:
    """How far the correction of a foot may move from each frame to the next, shape (T - 1,),
    metres.

    Parameters
    ----------
    places : array of shape (T, 3), metres
        Of the ankle.
    fps : float
        Frames per second.
    leg : float, metres
        Length of the leg.
    options : FootLockOptions
        Their `speed` and `speed_share` count.

    Returns
    -------
    array of shape (T - 1,), metres
    """
    own: Array = np.linalg.norm(np.diff(places, axis=0), axis=-1)
    if not len(own):
        return own
    peak = scipy.ndimage.maximum_filter1d(own, 2 * round(0.5 * fps) + 1, mode="nearest")
    return np.maximum(options.speed * leg / fps, options.speed_share * peak)


def holding(down: Bools, fps: float, options: FootLockOptions) -> Array:
    """How much a foot is held in every frame.

    It is held a little before and after contact too: a foot that is about to land is so low that a
    correction would show as sliding.

    Parameters
    ----------
    down : bool array of shape (T, P)
        Contacts of the points of its sole.
    fps : float
        Frames per second.
    options : FootLockOptions
        `edge` is the time over which a contact takes hold and lets go, a part of it in the air.

    Returns
    -------
    array of shape (T,)
        From 0 in the air to 1.
    """
    edge = options.edge * fps
    contact: Bools = np.any(down, axis=1)
    near = scipy.ndimage.binary_dilation(contact, np.ones(2 * round(0.3 * edge) + 1, bool))
    # A correction needs time to fade: between contacts that follow at once there is none.
    free = scipy.ndimage.binary_opening(
        ~contact, np.ones(2 * round(options.smoothing * fps) + 1, bool)
    )
    return taper(contact | (near & free), edge)


def taper(down: Bools, edge: float) -> Array:
    """Contact as a weight that rises and falls over `edge` frames at its ends (not at the motion's
    ends).

    Parameters
    ----------
    down : bool array of shape (T,)
        Frames in contact.
    edge : float, frames
        Over which the weight rises and falls.

    Returns
    -------
    array of shape (T,)
        From 0 to 1.
    """
    padded = np.pad(down, 1, mode="edge")
    depth = scipy.ndimage.distance_transform_edt(np.pad(padded, int(edge) + 2, mode="edge"))[
        int(edge) + 3 : -int(edge) - 3
    ]
    return np.where(down, np.clip(depth / (edge + 1.0), 0.0, 1.0) ** 2, 0.0)


def _worst(
    foot: FootPath, missing: Array, d: Array, weight: Array, most: Array, options: FootLockOptions
) -> Array:
    """How far each frame is beyond what is allowed (over 1), shape (T,): size of the correction,
    slide at its bound.
    """
    step = np.diff(d, axis=0)
    held = np.minimum(weight[1:], weight[:-1]) >= 0.5
    slide = np.linalg.norm((step - missing)[:, [0, 2]], axis=-1) * held * foot.fps
    # Near where the bound holds the correction back, it also lags.
    lag = round(2 * options.smoothing * foot.fps)
    at_bound = np.linalg.norm(step, axis=-1) > 0.9 * most
    near = scipy.ndimage.maximum_filter1d(at_bound, 2 * lag + 1, mode="nearest")
    size = np.linalg.norm(d, axis=-1) / max(options.limit * foot.leg, 1e-12)
    return np.maximum(size, np.concatenate([[0.0], near * slide / SLIDING]))


def _let_go(drift: Array, contact: NDArray[np.intp], half: int) -> NDArray[np.intp]:
    """Frames of a contact to give up: those about its largest slide, or all of a short one."""
    if len(contact) < 8 * half or half < 1:
        return contact
    inner = contact[2 * half : -2 * half]
    slide = np.linalg.norm((drift[inner + half - 1] - drift[inner - half - 1])[:, [0, 2]], axis=-1)
    middle = int(inner[int(slide.argmax())])
    return np.arange(middle - half, middle + half + 1)


def _pull(foot: FootPath, weight: Array, options: FootLockOptions) -> Array:
    """Weight of the captured height and slope in every frame, shape (T,).

    In the air too: a foot that swings as two pieces blended into one goes lower than in either. Not
    beside poses that shall stay, which nobody captured there.
    """
    far = frames_from(foot.keep, len(weight)) if len(foot.keep) else np.inf
    near = np.clip(far / (KEPT_TIME * foot.fps), 0.0, 1.0)
    return options.hold * weight + options.swing * near * near * (1.0 - weight)


def _solve(level: Array, upright: Array, rhs: Array, lift: Array, most: Array) -> Array:
    """Least squares over time for one foot: x and z make up for missing steps, y for height."""
    d = np.empty_like(rhs)
    d[:, [0, 2]] = solve(level, rhs[:, [0, 2]])
    d[:, 1] = solve(upright, rhs[:, 1])
    if np.any(np.linalg.norm(np.diff(d + lift, axis=0), axis=-1) > most):
        return solve_bounded([level, upright, level], rhs, lift, most)
    return d
