"""Where a foot has to go so that its contacts stand still: one smooth correction over the whole
motion.

All contacts of a foot share one banded linear system per axis, so a correction is blended in and
out by itself. Its speed is bounded; a contact that would need more, or that would need too large a
correction, is let go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from motionloom.edit.banded import bands, solve, solve_bounded, step_rhs

if TYPE_CHECKING:
    from motionloom.edit.footlock import FootLockOptions

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: A point this far below where it rests has sunk, metres ...
GROUND_TOLERANCE = 1e-3
#: ... and is lifted with this many times the weight of a wanted height.
GROUND_STIFFNESS = 10.0
#: A long contact that cannot be held is let go this long before and after its largest slide only,
#: seconds.
LET_GO = 0.15
#: It is lifted meanwhile by this many leg lengths.
STEP_HEIGHT = 0.03
#: A contact that still slides faster than this because the correction may not go faster is let go,
#: metres per second.
SLIDING = 0.1
#: Weight of a frame whose pose shall stay.
FIXED = 1e8


@dataclass(frozen=True, eq=False)
class FootMotion:
    """What a foot does that is to be corrected.

    Parameters
    ----------
    points : array of shape (T, P, 3), metres
        Points of its sole.
    wanted : array of shape (T, P), metres
        Heights in contact.
    rest : array of shape (P,), metres
        Heights below which no point goes.
    fps : float
        Frames per second.
    leg : float, metres
        Length of the leg.
    keep : array of int
        Frames without any correction.
    """

    points: Array
    wanted: Array
    rest: Array
    fps: float
    leg: float
    keep: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class FootPath:
    """How a foot is corrected.

    Parameters
    ----------
    shift : array of shape (T, 3), metres
    down : bool array of shape (T, P)
        Contacts that are held.
    released : int
        How often a contact was let go.
    """

    shift: Array
    down: Bools
    released: int


def find_heading(
    points: Array, down: Bools, fps: float, options: FootLockOptions, keep: NDArray[np.intp]
) -> Array:
    """Turn about the vertical, shape (T,), that keeps a foot from pivoting while all its points are
    in contact.
    """
    if points.shape[1] < 2:
        return np.zeros(len(points))
    along = points[:, -1] - points[:, 0]
    heading = np.unwrap(np.arctan2(along[:, 0], along[:, 2]))
    weight = taper(np.logical_and.reduce(down, axis=1), options.edge * fps)
    hold = options.hold * np.minimum(weight[1:], weight[:-1])
    place = _place(len(points), keep)
    return solve(
        bands(place, hold, (options.smoothing * fps) ** 4), step_rhs(-hold * np.diff(heading))
    )


def find_foot_path(foot: FootMotion, down: Bools, options: FootLockOptions) -> FootPath:
    """Find the correction of one foot.

    Parameters
    ----------
    foot : FootMotion
        What it does.
    down : bool array of shape (T, P)
        Contacts that shall be held.
    options : FootLockOptions
        How feet are locked.

    Returns
    -------
    FootPath
    """
    most = fastest_steps(foot.points, foot.fps, foot.leg, options)
    asked, n_asked = ndimage.label(down.any(axis=1))
    down = _trim(foot.points, down, most)
    lift = np.zeros((len(down), 3))
    released = n_asked - len(np.unique(asked[down.any(axis=1)]))
    while True:
        weight = np.column_stack([taper(column, options.edge * foot.fps) for column in down.T])
        d = _solve(foot, weight, options, lift, most) + lift
        standing, n = ndimage.label(down.any(axis=1))
        worst = _worst(foot, d, weight, most, options) * (standing > 0)
        if not n or worst.max() <= 1.0:
            return FootPath(d, down, released)
        released += 1
        contact = np.flatnonzero(standing == standing[int(worst.argmax())])
        gone = _let_go(foot.points, contact, round(LET_GO * foot.fps))
        down[gone] = False
        # A small step instead of a slide.
        hill = STEP_HEIGHT * foot.leg * (1.0 - np.linspace(-1.0, 1.0, len(gone)) ** 2) ** 2
        lift[gone, 1] = np.maximum(lift[gone, 1], hill)


def fastest_steps(points: Array, fps: float, leg: float, options: FootLockOptions) -> Array:
    """How far the correction of a foot may move from each frame to the next, shape (T - 1,),
    metres.
    """
    own: Array = np.linalg.norm(np.diff(points, axis=0), axis=-1).mean(axis=1)
    if not len(own):
        return own
    peak = ndimage.maximum_filter1d(own, 2 * round(0.5 * fps) + 1, mode="nearest")
    return np.maximum(options.speed * leg / fps, options.speed_share * peak)


def taper(down: Bools, edge: float) -> Array:
    """Contact as a weight that rises and falls over `edge` frames at its ends (not at the motion's
    ends).
    """
    padded = np.pad(down, 1, mode="edge")
    depth = ndimage.distance_transform_edt(np.pad(padded, int(edge) + 2, mode="edge"))[
        int(edge) + 3 : -int(edge) - 3
    ]
    return np.where(down, np.clip(depth / (edge + 1.0), 0.0, 1.0) ** 2, 0.0)


def _trim(points: Array, down: Bools, most: Array) -> Bools:
    """Contacts (T, P) without the frames at their ends in which a point goes faster than any
    correction may.
    """
    step = np.linalg.norm(np.diff(points[..., [0, 2]], axis=0), axis=-1)
    # A frame is slow enough when the slower of its two steps is.
    never = np.zeros((1, points.shape[1]), bool)
    slow = step <= most[:, None]
    slow = np.concatenate([never, slow]) | np.concatenate([slow, never])
    kept = np.zeros_like(down)
    for column in range(down.shape[1]):
        for (run,) in ndimage.find_objects(ndimage.label(down[:, column])[0]):
            held = run.start + np.flatnonzero(slow[run, column])
            if len(held):
                kept[held[0] : held[-1] + 1, column] = True
    return kept


def _worst(
    foot: FootMotion, d: Array, weight: Array, most: Array, options: FootLockOptions
) -> Array:
    """How far each frame is beyond what is allowed (over 1), shape (T,): size of the correction,
    slide at its bound.
    """
    step = np.linalg.norm(np.diff(d, axis=0), axis=-1)
    held = np.minimum(weight[1:], weight[:-1]) >= 0.5
    moved = np.diff(foot.points + d[:, None], axis=0)[..., [0, 2]]
    slide = np.linalg.norm(moved, axis=-1) * held * foot.fps
    # Near where the bound holds the correction back, it also lags.
    lag = round(2 * options.smoothing * foot.fps)
    held_back = ndimage.maximum_filter1d(step > 0.9 * most, 2 * lag + 1, mode="nearest")
    bound = held_back * slide.max(axis=1) / SLIDING
    size = np.linalg.norm(d, axis=-1) / max(options.limit * foot.leg, 1e-12)
    worst: Array = np.maximum(size, np.concatenate([[0.0], bound]))
    return worst


def _let_go(points: Array, contact: NDArray[np.intp], half: int) -> NDArray[np.intp]:
    """Frames of a contact to give up: those about its largest slide, or all of a short one."""
    if len(contact) < 8 * half or half < 1:
        return contact
    inner = contact[2 * half : -2 * half]
    slide = np.linalg.norm((points[inner + half] - points[inner - half])[..., [0, 2]], axis=-1).max(
        axis=1
    )
    middle = int(inner[int(slide.argmax())])
    return np.arange(middle - half, middle + half + 1)


def _place(n: int, keep: NDArray[np.intp]) -> Array:
    place = np.ones(n)
    place[keep] = FIXED
    return place


def _solve(
    foot: FootMotion, weight: Array, options: FootLockOptions, lift: Array, most: Array
) -> Array:
    """Least squares over time for one foot: x and z hold still, y goes to its height and not below
    the ground.
    """
    hold = options.hold * np.minimum(weight[1:], weight[:-1])
    bend = (options.smoothing * foot.fps) ** 4
    place = _place(len(foot.points), foot.keep)
    level = bands(place, hold.sum(axis=1), bend)
    rhs = step_rhs(-(hold[..., None] * np.diff(foot.points, axis=0)).sum(axis=1))
    d = np.empty((len(foot.points), 3))
    d[:, [0, 2]] = solve(level, rhs[:, [0, 2]])
    d[:, 1], upright, rhs[:, 1] = _solve_height(foot, options.height * weight, place, options)
    if np.any(np.linalg.norm(np.diff(d + lift, axis=0), axis=-1) > most):
        return solve_bounded([level, upright, level], rhs, lift, most)
    return d


def _solve_height(
    foot: FootMotion, up: Array, place: Array, options: FootLockOptions
) -> tuple[Array, Array, Array]:
    """Vertical displacement, with its system: points in contact at their heights (by the weights
    `up`), all points above the ground.
    """
    heights = foot.points[..., 1]
    gap = foot.wanted - heights
    none = np.zeros(len(heights) - 1)
    bend = (options.smoothing * foot.fps) ** 4
    for _ in range(6):
        matrix = bands(place + up.sum(axis=1), none, bend)
        rhs = (up * gap).sum(axis=1)
        d = solve(matrix, rhs)
        sunk = heights + d[:, None] < foot.rest - GROUND_TOLERANCE
        if not sunk.any():
            break
        up = np.maximum(up, GROUND_STIFFNESS * options.height * sunk)
        gap = np.where(sunk, np.maximum(gap, foot.rest - heights), gap)
    return d, matrix, rhs
