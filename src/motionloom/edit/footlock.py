"""Feet locked on their contacts: one smooth correction per foot, then two-bone IK of the legs.

For every foot a turn about the vertical and a displacement are found that keep its points in contact at rest and at
their height, are small, and bend as little as possible. All contacts of the motion share one banded linear system per
axis, so a correction is blended in and out by itself and never pops. The hips keep their place on the ground; they
only sink where a leg would be too short.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage
from scipy.linalg import solveh_banded

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.hinges import Limb, find_limbs
from motionloom.edit.limbs import bone_lengths, reach
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.kinematics import WorldPose, forward_kinematics
from motionloom.motion import Motion
from motionloom.roles import Roles

Array = NDArray[np.float64]

#: A point this far below where it rests has sunk, metres ...
GROUND_TOLERANCE = 1e-3
#: ... and is lifted with this many times the weight of a wanted height.
GROUND_STIFFNESS = 10.0
#: A long contact that cannot be held is let go this long before and after its largest slide only, seconds.
LET_GO = 0.15
#: It is lifted meanwhile by this many leg lengths.
STEP_HEIGHT = 0.03


@dataclass(frozen=True)
class FootLockOptions:
    """How feet are locked.

    Parameters
    ----------
    hold : float
        Weight of a resting point's speed against the size of the correction.
    height : float
        Weight of a point's height, in contact or below the ground, against the size of the correction.
    smoothing : float, seconds
        Time over which a correction fades in and out in the air.
    edge : float, seconds
        Time over which a contact takes hold and lets go.
    limit : float
        Largest correction in leg lengths; contacts that would need more are let go, long ones for a moment only.
    extension : float
        Share of its full length that a corrected leg may take; a leg that was straighter may stay so.
    """

    hold: float = 30_000.0
    height: float = 30.0
    smoothing: float = 0.12
    edge: float = 0.07
    limit: float = 0.15
    extension: float = 0.995

    def __post_init__(self) -> None:
        if min(self.hold, self.height, self.smoothing, self.edge, self.limit) < 0 or not 0.5 < self.extension <= 1:
            raise InvalidInputError("foot lock options must not be negative, and extension lies between 0.5 and 1")


@dataclass(frozen=True, eq=False)
class FootLock:
    """A motion with locked feet.

    Parameters
    ----------
    motion : Motion
    largest_correction : float, metres
        How far a foot was moved at most.
    largest_drop : float, metres
        How far the hips sank at most.
    released : int
        How often a contact was let go because it would have needed more than the limit.
    """

    motion: Motion
    largest_correction: float
    largest_drop: float
    released: int


def find_legs(roles: Roles) -> dict[str, Limb]:
    """Limbs that end in the feet, by the feet's roles; on a quadruped the front legs too."""
    return {foot: limb for foot, limb in find_limbs(roles).items() if foot in roles.feet}


def lock_feet(
    motion: Motion,
    contacts: FootContacts,
    roles: Roles,
    options: FootLockOptions | None = None,
    heights: ArrayLike | None = None,
) -> FootLock:
    """Keep feet where they stand.

    Parameters
    ----------
    motion : Motion
    contacts : FootContacts
        Which points of the soles shall rest in which frames.
    roles : Roles
    options : FootLockOptions, optional
    heights : array of shape (T, P), metres, optional
        Heights that points in contact shall have, but not below where they rest; their own when not given.

    Returns
    -------
    FootLock
        Bone lengths, the slope of the feet and the hips' place on the ground are those of `motion`.

    Raises
    ------
    InvalidInputError
        When contacts and motion differ in length.
    """
    options = options or FootLockOptions()
    if len(contacts.down) != motion.n_frames:
        raise InvalidInputError(
            f"contacts of {len(contacts.down)} frames do not fit a motion of {motion.n_frames} frames"
        )
    pose = forward_kinematics(motion)
    points = contacts.soles.positions(pose)
    rest = contacts.ground + np.array([p.rest for p in contacts.soles.points])
    wanted = np.maximum(points[..., 1] if heights is None else np.asarray(heights, float), rest)
    legs, targets, rotations, released = find_legs(roles), dict[str, Array](), dict[str, Array](), 0
    for foot, leg in legs.items():
        own, ankle = list(contacts.soles.of(foot)), pose.positions[:, leg.tip]
        turn = rot.yaw(_correct_heading(points[:, own], contacts.down[:, own], motion.fps, options))
        rotations[foot] = rot.multiply(turn, pose.rotations[:, leg.tip])
        turned = ankle[:, None] + rot.rotate(turn[:, None], points[:, own] - ankle[:, None])
        correction, let_go = _correct_foot(
            turned, contacts.down[:, own], wanted[:, own], rest[own], motion.fps, contacts.soles.leg, options
        )
        targets[foot] = ankle + correction
        released += let_go
    largest = max(
        (float(np.linalg.norm(targets[f] - pose.positions[:, legs[f].tip], axis=-1).max()) for f in legs), default=0.0
    )
    drop = _hip_drop(pose, legs, targets, motion.fps, options)
    motion = move_body(motion, pose, np.stack([0 * drop, -drop, 0 * drop], axis=-1))
    for foot, leg in legs.items():
        motion = reach(motion, forward_kinematics(motion), leg, targets[foot], rotations[foot])
    return FootLock(motion, largest, float(drop.max(initial=0.0)), released)


def _correct_heading(points: Array, down: NDArray[np.bool_], fps: float, options: FootLockOptions) -> Array:
    """Turn about the vertical, shape (T,), that keeps a foot from pivoting while all its points are in contact."""
    if points.shape[1] < 2:
        return np.zeros(len(points))
    along = points[:, -1] - points[:, 0]
    heading = np.unwrap(np.arctan2(along[:, 0], along[:, 2]))
    weight = _taper(np.logical_and.reduce(down, axis=1), options.edge * fps)
    hold = options.hold * np.minimum(weight[1:], weight[:-1])
    bend = (options.smoothing * fps) ** 4
    return _banded(np.ones(len(points)), np.zeros(len(points)), hold, -hold * np.diff(heading), bend)


def _correct_foot(
    points: Array, down: NDArray[np.bool_], wanted: Array, rest: Array, fps: float, leg: float, options: FootLockOptions
) -> tuple[Array, int]:
    """Displacement of one foot, shape (T, 3), and how many of its contacts were let go."""
    down, released, lift = down.copy(), 0, np.zeros(len(down))
    while True:
        weight = np.column_stack([_taper(column, options.edge * fps) for column in down.T])
        standing, n = ndimage.label(down.any(axis=1))
        d = _solve_foot(points, weight, wanted, rest, fps, options)
        size = np.linalg.norm(d, axis=-1) * (standing > 0)
        if not n or size.max() <= options.limit * leg:
            d[:, 1] += lift
            return d, released
        released += 1
        contact = np.flatnonzero(standing == standing[int(size.argmax())])
        gone = _let_go(points, contact, round(LET_GO * fps))
        down[gone] = False
        if len(gone) < len(contact):
            # A small step instead of a slide.
            lift[gone] = np.maximum(lift[gone], STEP_HEIGHT * leg * (1.0 - np.linspace(-1.0, 1.0, len(gone)) ** 2) ** 2)


def _let_go(points: Array, contact: NDArray[np.intp], half: int) -> NDArray[np.intp]:
    """Frames of a contact to give up: those about its largest slide, or all of a short one."""
    if len(contact) < 8 * half or half < 1:
        return contact
    inner = contact[2 * half : -2 * half]
    slide = np.linalg.norm((points[inner + half] - points[inner - half])[..., [0, 2]], axis=-1).max(axis=1)
    middle = int(inner[int(slide.argmax())])
    return np.arange(middle - half, middle + half + 1)


def _taper(down: NDArray[np.bool_], edge: float) -> Array:
    """Contact as a weight that rises and falls over `edge` frames at its ends (not at the motion's ends)."""
    padded = np.pad(down, 1, mode="edge")
    depth = ndimage.distance_transform_edt(np.pad(padded, int(edge) + 2, mode="edge"))[int(edge) + 3 : -int(edge) - 3]
    return np.where(down, np.clip(depth / (edge + 1.0), 0.0, 1.0) ** 2, 0.0)


def _solve_foot(
    points: Array, weight: Array, wanted: Array, rest: Array, fps: float, options: FootLockOptions
) -> Array:
    """Least squares over time for one foot: x and z hold still, y goes to its height and not below the ground."""
    steps = np.diff(points, axis=0)
    hold = options.hold * np.minimum(weight[1:], weight[:-1])
    bend = (options.smoothing * fps) ** 4
    d = np.zeros((len(points), 3))
    ones = np.ones(len(points))
    for axis in (0, 2):
        d[:, axis] = _banded(
            ones, np.zeros(len(points)), hold.sum(axis=1), -(hold * steps[..., axis]).sum(axis=1), bend
        )
    d[:, 1] = _solve_height(points[..., 1], weight, wanted, rest, bend, options)
    return d


def _solve_height(
    heights: Array, weight: Array, wanted: Array, rest: Array, bend: float, options: FootLockOptions
) -> Array:
    """Vertical displacement: points in contact at their wanted heights, all points above the ground."""
    lift, gap = options.height * weight, wanted - heights
    d = np.zeros(len(heights))
    for _ in range(6):
        still = np.zeros(len(heights) - 1)
        d = _banded(1.0 + lift.sum(axis=1), (lift * gap).sum(axis=1), still, still, bend)
        sunk = heights + d[:, None] < rest - GROUND_TOLERANCE
        if not sunk.any():
            break
        lift = np.maximum(lift, GROUND_STIFFNESS * options.height * sunk)
        gap = np.where(sunk, np.maximum(gap, rest - heights), gap)
    return d


def _banded(place: Array, place_rhs: Array, step: Array, step_rhs: Array, bend: float) -> Array:
    """Minimize ``sum place d^2 - 2 place_rhs d + sum step (d' )^2 - 2 step_rhs d' + bend sum (d'')^2`` over d.

    d' and d'' are first and second differences; `place` has T entries, `step` T - 1.
    """
    n = len(place)
    bands = np.zeros((3, n))
    rhs = place_rhs.copy()
    bands[2] = place
    bands[2, :-1] += step
    bands[2, 1:] += step
    bands[1, 1:] -= step
    rhs[1:] += step_rhs
    rhs[:-1] -= step_rhs
    if n > 2:
        bands[2, :-2] += bend
        bands[2, 1:-1] += 4 * bend
        bands[2, 2:] += bend
        bands[1, 1:-1] -= 2 * bend
        bands[1, 2:] -= 2 * bend
        bands[0, 2:] += bend
    return solveh_banded(bands, rhs)


def _hip_drop(
    pose: WorldPose, legs: dict[str, Limb], targets: dict[str, Array], fps: float, options: FootLockOptions
) -> Array:
    """How far the hips must sink for every leg to reach its target, smooth in time, shape (T,), metres."""
    need = np.zeros(len(pose.positions))
    for foot, leg in legs.items():
        root, tip = pose.positions[:, leg.root], pose.positions[:, leg.tip]
        a, b = bone_lengths(pose, leg)
        longest = np.maximum(options.extension * (a + b), np.linalg.norm(tip - root, axis=-1))
        span = targets[foot] - root
        below = np.sqrt(np.maximum(longest**2 - span[:, 0] ** 2 - span[:, 2] ** 2, 0.0))
        need = np.maximum(need, -span[:, 1] - below)
    if not need.any():
        return need
    # The highest need within reach, then an average no wider than that reach, is smooth and nowhere too little.
    half = max(1, round(options.smoothing * fps))
    held = ndimage.maximum_filter1d(need, 2 * half + 1, mode="nearest")
    kernel = np.hanning(2 * half + 3)[1:-1]
    return ndimage.convolve1d(held, kernel / kernel.sum(), mode="nearest")
