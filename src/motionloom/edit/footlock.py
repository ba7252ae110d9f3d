"""Feet locked on their contacts: one smooth correction per foot, then two-bone IK of the legs.

For every foot a rotation and a displacement are found (`foot_path`) with which it moves in contact
as it did when it was captured: feet that stand are never quite at rest, they roll and creep. The
corrections are small, bend as little as possible, and never change faster than a bound, so nothing
pops. The hips go along with what both feet share, and sink where a leg would be too short.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.hinges import Hinge, Limb, find_limbs
from motionloom.analysis.soles import Soles
from motionloom.edit.banded import bands, solve
from motionloom.edit.envelope import smooth_envelope
from motionloom.edit.foot_path import FIXED, FootPath, find_foot_path, taper
from motionloom.edit.foot_tracks import FootTrack, resting_tracks
from motionloom.edit.limbs import bone_lengths, reach
from motionloom.edit.ranges import limit_hinges
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.kinematics import WorldPose, forward_kinematics
from motionloom.motion import Motion
from motionloom.roles import Roles
from motionloom.two_bones import reach_for

Array = NDArray[np.float64]

#: The hips sink and rise no faster than this share of the feet's speed of correction.
HIP_SHARE = 0.5
#: Time over which they do, seconds: knees that are nearly straight would show a longer one.
HIP_TIME = 0.06
#: Time over which the hips go along with the feet on the ground, seconds.
FOLLOW_TIME = 0.25
#: Weight of hips that stay where they are, against that of a foot in contact.
STAY = 0.02
#: What is below the lowest captured height is lifted over this time, seconds, by no more than so
#: many leg lengths a second.
LIFT_TIME, LIFT_SPEED = 0.1, 0.4
#: Beside a frame whose pose shall stay, the legs change over to it within this time, seconds.
KEEP_TIME = 0.15


@dataclass(frozen=True)
class FootLockOptions:
    """How feet are locked.

    Parameters
    ----------
    hold : float
        Weight of a captured step, slope and height in contact against the size of the correction.
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
    smoothing: float = 0.12
    edge: float = 0.07
    limit: float = 0.2
    speed: float = 0.8
    speed_share: float = 0.15
    extension: float = 0.9995

    def __post_init__(self) -> None:
        sizes = (self.hold, self.smoothing, self.edge, self.limit, self.speed_share)
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
    motion : Motion
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

    motion: Motion
    contacts: FootContacts
    largest_correction: float
    fastest_correction: float
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
    captured: Mapping[str, FootTrack] | None = None,
    hinges: Mapping[str, Hinge] | None = None,
    keep: Sequence[int] = (),
    floor: ArrayLike | None = None,
    stay: Sequence[int] = (),
) -> FootLock:
    """Keep feet where they stand.

    Parameters
    ----------
    motion : Motion
    contacts : FootContacts
        Which points of the soles shall rest in which frames.
    roles : Roles
    options : FootLockOptions, optional
    captured : mapping of str to FootTrack, optional
        How the feet moved when they were captured, by their roles, above a ground at height 0; at
        rest in contact when not given.
    hinges : mapping of str to Hinge, optional
        Captured ranges of the knees, by the roles of the feet: no knee bends more or less than
        that.
    keep : sequence of int
        Frames in which nothing changes.
    floor : array of shape (P,), metres, optional
        Height above the ground below which no point goes; where it rests when not given.
    stay : sequence of int
        Frames in which the hips stay where they are on the ground.

    Returns
    -------
    FootLock
        Bone lengths are those of `motion`.

    Raises
    ------
    InvalidInputError
        When contacts and motion differ in length.
    """
    options = options or FootLockOptions()
    hinges = hinges or {}
    if len(contacts.down) != motion.n_frames:
        raise InvalidInputError(
            f"contacts of {len(contacts.down)} frames do not fit a motion of {motion.n_frames}"
            " frames"
        )
    legs = find_legs(roles)
    frames = np.asarray(keep, np.intp)
    ready = limit_hinges(motion, [hinges[foot] for foot in legs if foot in hinges])
    first = forward_kinematics(ready)
    if captured is None:
        captured = resting_tracks(first, contacts, legs)
    else:
        captured = {foot: _raised(track, contacts.ground) for foot, track in captured.items()}
    lowest = np.array([p.rest for p in contacts.soles.points]) if floor is None else floor
    lowest = contacts.ground + np.asarray(lowest, float)
    none = np.zeros((motion.n_frames, 3))
    paths = _find_paths(first, contacts, captured, legs, motion.fps, options, frames, none)
    away = _follow(paths, motion.fps, options, np.union1d(frames, np.asarray(stay, np.intp)))
    ready = move_body(ready, first, away)
    pose = forward_kinematics(ready)
    paths = _find_paths(pose, contacts, captured, legs, motion.fps, options, frames, away)
    targets = {
        foot: pose.positions[:, leg.tip]
        + paths[foot].shift
        + _lift(pose, leg, paths[foot], contacts.soles, foot, lowest, motion.fps)
        for foot, leg in legs.items()
    }
    drop = _hip_drop(pose, legs, targets, motion.fps, contacts.soles.leg, options, hinges, frames)
    locked = move_body(ready, pose, np.stack([0 * drop, -drop, 0 * drop], axis=-1))
    for foot, leg in legs.items():
        locked = reach(
            locked,
            forward_kinematics(locked),
            leg,
            targets[foot],
            paths[foot].rotations,
            hinges.get(foot),
        )
    locked = replace(
        locked, rotations=_keep(motion.rotations, locked.rotations, frames, KEEP_TIME * motion.fps)
    )
    down = contacts.down.copy()
    for foot, path in paths.items():
        down[:, list(contacts.soles.of(foot))] = path.down
    tips = [leg.tip for leg in legs.values()]
    moved = forward_kinematics(locked).positions[:, tips] - first.positions[:, tips]
    speed = np.linalg.norm(np.diff(moved, axis=0), axis=-1) * motion.fps
    return FootLock(
        motion=locked,
        contacts=replace(contacts, down=down),
        largest_correction=float(np.linalg.norm(moved, axis=-1).max(initial=0.0)),
        fastest_correction=float(speed.max(initial=0.0)),
        largest_drop=float(drop.max(initial=0.0)),
        released=sum(path.released for path in paths.values()),
    )


def _raised(track: FootTrack, ground: float) -> FootTrack:
    return replace(track, places=track.places + np.array([0.0, ground, 0.0]))


def _find_paths(
    pose: WorldPose,
    contacts: FootContacts,
    captured: Mapping[str, FootTrack],
    legs: Mapping[str, Limb],
    fps: float,
    options: FootLockOptions,
    keep: NDArray[np.intp],
    carried: Array,
) -> dict[str, FootPath]:
    return {
        foot: find_foot_path(
            FootTrack(pose.positions[:, leg.tip], pose.rotations[:, leg.tip]),
            captured[foot],
            contacts.down[:, list(contacts.soles.of(foot))],
            fps,
            contacts.soles.leg,
            options,
            keep,
            carried,
        )
        for foot, leg in legs.items()
    }


def _follow(
    paths: Mapping[str, FootPath], fps: float, options: FootLockOptions, stay: NDArray[np.intp]
) -> Array:
    """How the hips go along with the feet on the ground, shape (T, 3), metres."""
    weights = {f: taper(p.down.any(axis=1), options.edge * fps) for f, p in paths.items()}
    pull = sum(weights.values())
    shift = sum(weights[foot][:, None] * path.shift for foot, path in paths.items())
    place = STAY + pull
    place[stay] = FIXED
    matrix = bands(place, np.zeros(len(place) - 1), (FOLLOW_TIME * fps) ** 4)
    away = solve(matrix, shift)
    away[:, 1] = 0.0
    return away


def _lift(
    pose: WorldPose,
    leg: Limb,
    path: FootPath,
    soles: Soles,
    foot: str,
    lowest: Array,
    fps: float,
) -> Array:
    """What the foot must be lifted by so that no point of its sole is too low, shape (T, 3)."""
    own = list(soles.of(foot))
    ankle = pose.positions[:, leg.tip]
    turn = rot.multiply(path.rotations, rot.conjugate(pose.rotations[:, leg.tip]))
    points = soles.positions(pose)[:, own]
    heights = rot.rotate(turn[:, None], points - ankle[:, None])[..., 1]
    heights = heights + (ankle + path.shift)[:, None, 1]
    need = np.maximum(lowest[own] - heights, 0.0).max(axis=1)
    lift = smooth_envelope(need, max(1, round(LIFT_TIME * fps)), LIFT_SPEED * soles.leg / fps)
    return np.stack([0 * lift, lift, 0 * lift], axis=-1)


def _hip_drop(
    pose: WorldPose,
    legs: Mapping[str, Limb],
    targets: Mapping[str, Array],
    fps: float,
    length: float,
    options: FootLockOptions,
    hinges: Mapping[str, Hinge],
    keep: NDArray[np.intp],
) -> Array:
    """How far the hips must sink for every leg to reach its target, smooth in time, shape (T,),
    metres.
    """
    need = np.zeros(len(pose.positions))
    for foot, leg in legs.items():
        root = pose.positions[:, leg.root]
        tip = pose.positions[:, leg.tip]
        a, b = bone_lengths(pose, leg)
        longest = np.maximum(options.extension * (a + b), np.linalg.norm(tip - root, axis=-1))
        if foot in hinges:
            longest = np.minimum(longest, reach_for(a, b, max(hinges[foot].least, 0.0)))
        span = targets[foot] - root
        below = np.sqrt(np.maximum(longest**2 - span[:, 0] ** 2 - span[:, 2] ** 2, 0.0))
        need = np.maximum(need, -span[:, 1] - below)
    slope = HIP_SHARE * options.speed * length / fps
    drop = smooth_envelope(need, max(1, round(HIP_TIME * fps)), slope)
    away = np.min([np.abs(np.arange(len(drop)) - k) for k in keep], axis=0, initial=len(drop))
    return np.minimum(drop, slope * away)


def _keep(before: Array, after: Array, keep: NDArray[np.intp], width: float) -> Array:
    """Rotations `after`, but those `before` in the frames to be kept, changing over within `width`
    frames.
    """
    if not len(keep):
        return after
    away = np.abs(np.arange(len(before))[:, None] - keep).min(axis=1) / max(width, 1.0)
    share = np.clip(away, 0.0, 1.0)
    return rot.slerp(before, after, (share * share * (3.0 - 2.0 * share))[:, None])
