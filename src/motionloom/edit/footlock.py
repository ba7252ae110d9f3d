"""Feet locked on their contacts: one smooth correction per foot, then two-bone IK of the legs.

For every foot a turn about the vertical and a displacement are found (`foot_path`) that keep its
points in contact at rest and at their height, are small, bend as little as possible, and never
change faster than a bound, so nothing pops. The hips keep their place on the ground; they only sink
where a leg would be too short.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.hinges import Hinge, Limb, find_limbs
from motionloom.edit.envelope import smooth_envelope
from motionloom.edit.foot_path import FootMotion, find_foot_path, find_heading
from motionloom.edit.limbs import bone_lengths, solve_limb
from motionloom.edit.ranges import limit_hinges
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.two_bones import reach_for

Array = NDArray[np.float64]

#: The hips sink and rise no faster than this share of the feet's speed of correction.
HIP_SHARE = 0.5
#: Beside a frame whose pose shall stay, the legs change over to it within this time, seconds.
KEEP_TIME = 0.15


@dataclass(frozen=True)
class FootLockOptions:
    """How feet are locked.

    Parameters
    ----------
    hold : float
        Weight of a resting point's speed against the size of the correction.
    height : float
        Weight of a point's height, in contact or below the ground, against the size of the
        correction.
    smoothing : float, seconds
        Time over which a correction fades in and out in the air.
    edge : float, seconds
        Time over which a contact takes hold and lets go.
    limit : float
        Largest correction in leg lengths; contacts that would need more are let go, long ones for a
        moment only.
    speed : float, leg lengths per second
    speed_share : float
        No correction grows or fades faster than `speed`, or than this share of the foot's own
        largest speed within half a second. Contacts that would need it are let go too, and so are
        their first and last frames while the foot still goes faster. (A knee at the limit of its
        range may take a foot along faster.)
    extension : float
        Share of its full length that a corrected leg may take; a leg that was straighter may stay
        so.
    """

    hold: float = 30_000.0
    height: float = 30.0
    smoothing: float = 0.12
    edge: float = 0.07
    limit: float = 0.2
    speed: float = 0.8
    speed_share: float = 0.15
    extension: float = 0.995

    def __post_init__(self) -> None:
        sizes = (self.hold, self.height, self.smoothing, self.edge, self.limit, self.speed_share)
        if min(sizes) < 0 or not self.speed > 0 or not 0.5 < self.extension <= 1:
            raise InvalidInputError(
                "foot lock options must not be negative, speed must be positive, and extension lies"
                " between 0.5 and 1"
            )


@dataclass(frozen=True, eq=False)
class FootLock:
    """A motion with locked feet.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    contacts : FootContacts
        Those that are held.
    largest_correction : float, metres
        How far a foot was moved at most.
    fastest_correction : float, metres per second
        How fast that changed at most.
    largest_drop : float, metres
        How far the hips sank at most.
    released : int
        How often a contact was let go because it would have needed more than the limits.
    """

    posed: PosedMotion
    contacts: FootContacts
    largest_correction: float
    fastest_correction: float
    largest_drop: float
    released: int

    @property
    def motion(self) -> Motion:
        """The motion without its kinematics."""
        return self.posed.motion


def find_legs(roles: Roles) -> dict[str, Limb]:
    """Limbs that end in the feet, by the feet's roles; on a quadruped the front legs too."""
    return {foot: limb for foot, limb in find_limbs(roles).items() if foot in roles.feet}


def lock_feet(
    posed: PosedMotion,
    contacts: FootContacts,
    options: FootLockOptions | None = None,
    heights: ArrayLike | None = None,
    hinges: Mapping[str, Hinge] | None = None,
    keep: Sequence[int] = (),
) -> FootLock:
    """Keep feet where they stand.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    contacts : FootContacts
        Which points of the soles shall rest in which frames.
    options : FootLockOptions, optional
        How they are locked.
    heights : array of shape (T, P), metres, optional
        Heights that points in contact shall have, but not below where they rest; their own when not
        given.
    hinges : mapping of str to Hinge, optional
        Captured ranges of the knees, by the roles of the feet: no knee bends more or less than
        that.
    keep : sequence of int
        Frames in which nothing changes.

    Returns
    -------
    FootLock
        Bone lengths, the slope of the feet and the hips' place on the ground are those of `posed`.

    Raises
    ------
    InvalidInputError
        When contacts and motion differ in length.
    """
    options = options or FootLockOptions()
    hinges = hinges or {}
    if len(contacts.down) != posed.n_frames:
        raise InvalidInputError(
            f"contacts of {len(contacts.down)} frames do not fit a motion of {posed.n_frames}"
            " frames"
        )
    legs = find_legs(posed.roles)
    frames = np.asarray(keep, np.intp)
    ready = limit_hinges(posed, [hinges[foot] for foot in legs if foot in hinges])
    plan = _plan(ready, legs, contacts, options, heights, frames)
    drop = _hip_drop(ready, legs, plan.targets, contacts.soles.leg, options, hinges, frames)
    sunk = move_body(ready, np.stack([0 * drop, -drop, 0 * drop], axis=-1))
    local: dict[int, Array] = {}
    for foot, leg in legs.items():
        local |= solve_limb(sunk, leg, plan.targets[foot], plan.rotations[foot], hinges.get(foot))
    locked = _keep(posed, sunk.with_local(local), frames)
    tips = [leg.tip for leg in legs.values()]
    moved = locked.positions[:, tips] - ready.positions[:, tips]
    speed = np.linalg.norm(np.diff(moved, axis=0), axis=-1) * posed.fps
    return FootLock(
        posed=locked,
        contacts=replace(contacts, down=plan.down),
        largest_correction=float(np.linalg.norm(moved, axis=-1).max(initial=0.0)),
        fastest_correction=float(speed.max(initial=0.0)),
        largest_drop=float(drop.max(initial=0.0)),
        released=plan.released,
    )


@dataclass
class _Plan:
    """Where the feet go: by foot the ankle's positions (T, 3) and rotations (T, 4); contacts held
    (T, P); how many were let go.
    """

    down: NDArray[np.bool_]
    targets: dict[str, Array] = field(default_factory=dict)
    rotations: dict[str, Array] = field(default_factory=dict)
    released: int = 0


def _plan(
    posed: PosedMotion,
    legs: Mapping[str, Limb],
    contacts: FootContacts,
    options: FootLockOptions,
    heights: ArrayLike | None,
    keep: NDArray[np.intp],
) -> _Plan:
    points = contacts.soles.positions(posed)
    rest = contacts.ground + np.array([p.rest for p in contacts.soles.points])
    wanted = np.maximum(points[..., 1] if heights is None else np.asarray(heights, float), rest)
    plan = _Plan(contacts.down.copy())
    for foot, leg in legs.items():
        own = list(contacts.soles.of(foot))
        ankle = posed.positions[:, leg.tip]
        down = plan.down[:, own]
        turn = rot.yaw(find_heading(points[:, own], down, posed.fps, options, keep))
        turned = ankle[:, None] + rot.rotate(turn[:, None], points[:, own] - ankle[:, None])
        moving = FootMotion(
            points=turned,
            wanted=wanted[:, own],
            rest=rest[own],
            fps=posed.fps,
            leg=contacts.soles.leg,
            keep=keep,
        )
        path = find_foot_path(moving, down, options)
        plan.targets[foot] = ankle + path.shift
        plan.rotations[foot] = rot.multiply(turn, posed.rotations[:, leg.tip])
        plan.down[:, own] = path.down
        plan.released += path.released
    return plan


def _hip_drop(
    posed: PosedMotion,
    legs: Mapping[str, Limb],
    targets: Mapping[str, Array],
    length: float,
    options: FootLockOptions,
    hinges: Mapping[str, Hinge],
    keep: NDArray[np.intp],
) -> Array:
    """How far the hips must sink for every leg to reach its target, smooth in time, shape (T,),
    metres.
    """
    need = np.zeros(posed.n_frames)
    for foot, leg in legs.items():
        root = posed.positions[:, leg.root]
        tip = posed.positions[:, leg.tip]
        a, b = bone_lengths(posed, leg)
        longest = np.maximum(options.extension * (a + b), np.linalg.norm(tip - root, axis=-1))
        if foot in hinges:
            longest = np.minimum(longest, reach_for(a, b, max(hinges[foot].least, 0.0)))
        span = targets[foot] - root
        below = np.sqrt(np.maximum(longest**2 - span[:, 0] ** 2 - span[:, 2] ** 2, 0.0))
        need = np.maximum(need, -span[:, 1] - below)
    slope = HIP_SHARE * options.speed * length / posed.fps
    drop = smooth_envelope(need, max(1, round(options.smoothing * posed.fps)), slope)
    every = np.arange(len(drop))
    away = np.full(len(drop), len(drop))
    for frame in keep:
        away = np.minimum(away, np.abs(every - frame))
    return np.minimum(drop, slope * away)


def _keep(before: PosedMotion, after: PosedMotion, keep: NDArray[np.intp]) -> PosedMotion:
    """The motion `after`, changing over to that `before` beside the frames to be kept."""
    if not len(keep):
        return after
    width = max(KEEP_TIME * before.fps, 1.0)
    away = np.abs(np.arange(before.n_frames)[:, None] - keep).min(axis=1) / width
    share = np.clip(away, 0.0, 1.0)
    share = share * share * (3.0 - 2.0 * share)
    return after.with_local_rotations(
        rot.slerp(before.motion.rotations, after.motion.rotations, share[:, None])
    )
