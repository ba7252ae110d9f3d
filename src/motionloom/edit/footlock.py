"""Feet locked on their contacts: one smooth correction per foot, then two-bone IK of the legs.

For every foot a rotation and a displacement are found (`foot_path`) with which it moves in contact
as it did when it was captured: feet that stand are never quite at rest, they roll and creep. The
corrections are small, bend as little as possible, and never change faster than a bound, so nothing
pops. The hips go along with what the feet share, and their height with the legs' (`hip_height`).

Knees and elbows brought back into the range in which they bent in the captures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.hinges import Hinge, find_limbs
from motionloom.curves import smooth_envelope, smoothstep
from motionloom.edit.banded import bands, solve
from motionloom.edit.foot_tracks import (
    LIFT_SHARE,
    FootPath,
    FootTrack,
    find_foot_path,
    holding,
    resting_feet,
)
from motionloom.edit.hip_height import FIXED, frames_from, ride_with_legs, sink_to_reach
from motionloom.edit.limbs import bone_lengths, solve_limb
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb, Roles
from motionloom.threads import one_thread
from motionloom.two_bones import reach_for, unit
from motionloom.typing import Array

UP = np.array([0.0, 1.0, 0.0])
#: The hips sink and rise no faster than this share of the feet's speed of correction.
HIP_SHARE = 0.5
#: Time over which the hips go along with the feet on the ground, seconds.
FOLLOW_TIME = 0.25
#: Weight of hips that stay where they are, against that of a foot in contact.
STAY = 0.02
#: What is below the lowest captured height is lifted over this time, seconds.
LIFT_TIME = 0.1
#: Limbs that bend beyond their range are brought back over this time, seconds.
HINGE_TIME = 0.15


@dataclass(frozen=True)
class FootLockOptions:
    """How feet are locked.

    Parameters
    ----------
    hold : float
        Weight of captured steps, slope and height in contact against the size of the correction.
    swing : float
        The same weight of captured slope and height in the air.
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
    keep_time : float, seconds
        Beside a frame whose pose shall stay, the legs change over to it within this time. What is
        held within it creeps.
    """

    hold: float = 300_000.0
    swing: float = 30.0
    smoothing: float = 0.12
    edge: float = 0.07
    limit: float = 0.2
    speed: float = 0.8
    speed_share: float = 0.15
    extension: float = 0.9995
    keep_time: float = 0.15

    def __post_init__(self) -> None:
        sizes = (self.hold, self.swing, self.smoothing, self.edge, self.limit, self.speed_share)
        if min(*sizes, self.keep_time) < 0 or not self.speed > 0 or not 0.5 < self.extension <= 1:
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
    largest_drop : float, metres
        How far the hips sank at most.
    released : int
        How often a contact was let go because it would have needed more than the limits.
    """

    posed: PosedMotion
    contacts: FootContacts
    largest_correction: float = 0.0
    largest_drop: float = 0.0
    released: int = 0

    @property
    def motion(self) -> Motion:
        """The motion without its kinematics."""
        return self.posed.motion


def find_legs(roles: Roles) -> dict[str, Limb]:
    """Limbs that end in the feet, by the feet's roles; on a quadruped the front legs too.

    Examples
    --------
    >>> sorted(find_legs(posed.roles))
    ['left_foot', 'right_foot']
    """
    return {foot: limb for foot, limb in find_limbs(roles).items() if foot in roles.feet}


@one_thread()
def lock_feet(
    posed: PosedMotion,
    contacts: FootContacts,
    options: FootLockOptions | None = None,
    captured: Mapping[str, FootTrack] | None = None,
    lowest: Array | None = None,
    hinges: Mapping[str, Hinge] | None = None,
    keep: Sequence[int] = (),
    stay: Sequence[int] = (),
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
    captured : mapping of str to FootTrack, optional
        How the feet moved when they were captured, by their roles, above a ground at height 0;
        without it they are at rest in contact.
    lowest : array of shape (P,), metres, optional
        Height above the ground below which no point of the soles goes; where it rests when not
        given.
    hinges : mapping of str to Hinge, optional
        Captured ranges of the knees, by the roles of the feet: no knee bends more or less than
        that.
    keep : sequence of int
        Frames in which nothing changes.
    stay : sequence of int
        Frames in which the hips stay where they are on the ground.

    Returns
    -------
    FootLock
        Bone lengths are those of `posed`.

    Raises
    ------
    InvalidInputError
        When contacts and motion differ in length.

    Examples
    --------
    >>> from motionloom.analysis.contacts import detect_contacts
    >>> locked = lock_feet(posed, detect_contacts(posed))
    >>> bool(locked.largest_correction < 0.05), locked.released
    (True, 0)
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
    # Before all else: a knee past its range would be locked into place that way.
    first = limit_hinges(posed, [hinges[foot] for foot in legs if foot in hinges])
    captured = captured or resting_feet(first, contacts, legs)
    none = np.zeros((posed.n_frames, 3))
    paths = _find_paths(first, contacts, captured, options, frames, none)
    bound = options.speed * contacts.soles.leg / posed.fps
    still = np.union1d(frames, np.asarray(stay, np.intp))
    away = _follow(paths, posed.fps, options, still, HIP_SHARE * bound)
    ready = move_body(first, away)
    # Again, now that the hips went along: feet have less left to correct, and the bound on their
    # speed is shared with what the hips did.
    paths = _find_paths(ready, contacts, captured, options, frames, away)
    if lowest is None:
        lowest = np.array([p.rest for p in contacts.soles.points])
    lowest = contacts.ground + lowest
    points = contacts.soles.positions(ready)
    targets = {}
    for foot, leg in legs.items():
        own = list(contacts.soles.of(foot))
        path = paths[foot]
        lift = _lift(ready, leg, path, points[:, own], lowest[own], LIFT_SHARE * bound)
        # It grows from frames that are kept no faster than that.
        lift = np.minimum(lift, bound * frames_from(frames, len(lift))) if len(frames) else lift
        targets[foot] = ready.positions[:, leg.tip] + path.shift + lift[:, None] * UP
    half = 0.5 * HIP_SHARE * bound
    rise = ride_with_legs(ready, legs, targets, still, half)
    left = {foot: target - rise[:, None] * UP for foot, target in targets.items()}
    rise = rise - sink_to_reach(ready, legs, left, options.extension, hinges, frames, half)
    level = move_body(ready, rise[:, None] * UP)
    local: dict[int, Array] = {}
    for foot, leg in legs.items():
        local |= solve_limb(level, leg, targets[foot], paths[foot].rotations, hinges.get(foot))
    locked = _keep(posed, level.with_local(local), frames, options.keep_time)
    down = contacts.down.copy()
    for foot, path in paths.items():
        down[:, list(contacts.soles.of(foot))] = path.down
    tips = [leg.tip for leg in legs.values()]
    moved = locked.positions[:, tips] - first.positions[:, tips]
    return FootLock(
        posed=locked,
        contacts=replace(contacts, down=down),
        largest_correction=float(np.linalg.norm(moved, axis=-1).max(initial=0.0)),
        largest_drop=float((-rise).max(initial=0.0)),
        released=sum(path.released for path in paths.values()),
    )


def _find_paths(
    posed: PosedMotion,
    contacts: FootContacts,
    captured: Mapping[str, FootTrack],
    options: FootLockOptions,
    keep: NDArray[np.intp],
    carried: Array,
) -> dict[str, FootPath]:
    paths = {}
    for foot, leg in find_legs(posed.roles).items():
        now = FootTrack(posed.positions[:, leg.tip], posed.rotations[:, leg.tip])
        down = contacts.down[:, list(contacts.soles.of(foot))]
        tracks = now, captured[foot].raised(contacts.ground), carried
        rest = down, np.zeros_like(now.places), now.rotations
        moving = FootPath(*tracks, posed.fps, contacts.soles.leg, keep, *rest)
        paths[foot] = find_foot_path(moving, options)
    return paths


def _follow(
    paths: Mapping[str, FootPath],
    fps: float,
    options: FootLockOptions,
    stay: NDArray[np.intp],
    most: float,
) -> Array:
    """How the hips go along with the feet on the ground, shape (T, 3), metres."""
    weights = [holding(path.down, fps, options) for path in paths.values()]
    place = STAY + np.sum(weights, axis=0)
    shift = np.einsum("ft,ftc->tc", weights, [path.shift for path in paths.values()])
    place[stay] = FIXED
    matrix = bands(place, np.zeros(len(place) - 1), (FOLLOW_TIME * fps) ** 4)
    away = solve(matrix, shift)
    away[:, 1] = 0.0
    away[stay] = 0.0
    # What the hips take of the bound on the speed of corrections is no longer there for the feet.
    step = float(np.linalg.norm(np.diff(away, axis=0), axis=-1).max(initial=0.0))
    return away * min(1.0, most / max(step, 1e-12))


def _lift(
    posed: PosedMotion, leg: Limb, path: FootPath, points: Array, lowest: Array, most: float
) -> Array:
    """What a foot must be lifted by, (T,), so that none of its points (T, P, 3) is too low."""
    ankle = posed.positions[:, leg.tip]
    turn = rot.multiply(path.rotations, rot.conjugate(posed.rotations[:, leg.tip]))
    heights = rot.rotate(turn[:, None], points - ankle[:, None])[..., 1]
    heights = heights + (ankle + path.shift)[:, None, 1]
    need = np.maximum(lowest - heights, 0.0).max(axis=1)
    half = max(1, round(LIFT_TIME * posed.fps))
    return smooth_envelope(need, half, most)


def _keep(
    before: PosedMotion, after: PosedMotion, keep: NDArray[np.intp], seconds: float
) -> PosedMotion:
    """The motion `after`, changing over to that `before` beside the frames to be kept."""
    if not len(keep):
        return after
    width = max(seconds * before.fps, 1.0)
    share = smoothstep(frames_from(keep, before.n_frames) / width)
    return after.with_local_rotations(
        rot.slerp(before.motion.rotations, after.motion.rotations, share[:, None])
    )


def limit_hinges(posed: PosedMotion, hinges: Iterable[Hinge]) -> PosedMotion:
    """Bend limbs less where they bend more than in the captures, and more where they bend less.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    hinges : iterable of Hinge
        Their limbs, and how far these bent.

    Returns
    -------
    PosedMotion
        A tip moves along the line to the limb's root; it keeps its rotation in the world. Limbs
        that stay in their range are left as they are.
    """
    half = max(1, round(HINGE_TIME * posed.fps))
    local: dict[int, Array] = {}
    for hinge in hinges:
        local |= _limited(posed, hinge, half)
    return posed.with_local(local) if local else posed


def _limited(posed: PosedMotion, hinge: Hinge, half: int) -> dict[int, Array]:
    """Local rotations of a limb's joints that bring it back into its range; none where it is."""
    limb = hinge.limb
    flexion = hinge.flexion(posed)
    least = max(hinge.least, 0.0)
    # In proportion to the bend (to what is left to bend), so that limbs nearly straight by then
    # hardly change.
    less = smooth_envelope(np.maximum(1.0 - hinge.most / np.maximum(flexion, 1e-9), 0.0), half)
    more = smooth_envelope(np.maximum(least - flexion, 0.0), half)
    if not (less.any() or more.any()):
        return {}
    room = max(hinge.most - least, 1e-9)
    bend = flexion * (1.0 - less) + more * (hinge.most - flexion) / room
    bend = np.clip(bend, least, hinge.most)
    root = posed.positions[:, limb.root]
    tip = posed.positions[:, limb.tip]
    changed = (less > 0) | (more > 0)
    wanted = reach_for(*bone_lengths(posed, limb), bend)
    far = np.where(changed, wanted, np.linalg.norm(tip - root, axis=-1))
    target = root + far[:, None] * unit(tip - root)
    # The tip stays on its line and keeps its world rotation: a hand or foot is not turned.
    return solve_limb(posed, limb, target, posed.rotations[:, limb.tip], hinge)
