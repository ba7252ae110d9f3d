"""Somebody standing about, made ready: bones of constant length, and where the feet stand.

Feet of somebody who waits: exactly where they stand, and on their way only when they step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import binary_dilation

from motionloom import rotations as rot
from motionloom.curves import low_pass, runs_of, smoothstep
from motionloom.edit.footlock import find_legs
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.kinematics import chain_kinematics
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools, Ints

UP = np.array([0.0, 1.0, 0.0])
#: A foot that moves faster steps, leg lengths per second.
STEP_SPEED = 0.25
#: Seconds around a step in which the foot is not counted as standing.
_AROUND_STEP = 0.15
#: Feet that stand for a shorter time are on their way, seconds.
SHORTEST_STANCE = 0.6
#: Movement of feet above this frequency is no step, Hz.
_FOOT_BAND = 3.0
#: Fewest seconds that can be learned from.
SHORTEST_RECORDING = 5.0


@dataclass(frozen=True, eq=False)
class Stance:
    """Both feet at their places for a while.

    Parameters
    ----------
    first, stop : int
        Frames ``first <= i < stop``.
    place : GroundTransform
        Between the ankles, turned to where the body faces on average.
    feet : array of shape (2, 3), metres
        Places of the left and the right ankle, seen from `place`.
    turns : array of shape (2, 4)
        World rotations of both feet, seen from `place`, unit quaternions (w, x, y, z).
    """

    first: int
    stop: int
    place: GroundTransform
    feet: Array
    turns: Array


@dataclass(frozen=True, eq=False)
class Recording:
    """A recording of somebody who stands about.

    Parameters
    ----------
    posed : PosedMotion
        Its bones are constant; only the root has positions.
    leg : float, metres
        Thigh and shank together, mean of both sides.
    stances : tuple of Stance
        In the order of time; between two of them a foot steps.
    """

    posed: PosedMotion
    leg: float
    stances: tuple[Stance, ...]

    @property
    def n_frames(self) -> int:
        """Number of frames."""
        return self.posed.n_frames

    @property
    def feet(self) -> tuple[int, int]:
        """Joints of the left and the right ankle."""
        joints = self.posed.roles.joints
        return joints["left_foot"], joints["right_foot"]

    def stance_of(self) -> Ints:
        """Index of the stance that every frame is seen from: the last that has begun, (T,)."""
        begins = np.array([stance.first for stance in self.stances])
        return np.maximum(np.searchsorted(begins, np.arange(self.n_frames), side="right") - 1, 0)

    def seen_from_stances(self) -> Motion:
        """The motion with its root as it is seen from the stance of every frame."""
        return seen_from(self.posed.motion, self.places())

    def places(self) -> GroundTransform:
        """Stance of every frame, with arrays of shape (T,)."""
        which = self.stance_of()
        rows = np.array([(s.place.angle, s.place.x, s.place.z) for s in self.stances])[which]
        return GroundTransform(*rows.T)


def seen_from(motion: Motion, places: GroundTransform) -> Motion:
    """A motion whose root is told relative to a place in every frame.

    Parameters
    ----------
    motion : Motion
        Only its root has positions.
    places : GroundTransform
        With arrays of shape (T,).

    Returns
    -------
    Motion
        Its root as seen from the places.
    """
    places = places.inverse()
    rotations = motion.rotations.copy()
    rotations[:, 0] = rot.multiply(places.quaternion, rotations[:, 0])
    root = places.apply(motion.translations[:, 0])
    return replace(motion, rotations=rotations, translations=root[:, None])


@one_thread()
def prepare_recording(motion: Motion, roles: Roles | None = None) -> Recording:
    """Make a recording ready.

    Parameters
    ----------
    motion : Motion
        Somebody who stands about, at least five seconds long.
    roles : Roles, optional
        Which joint is which part of the body; found from names when not given.

    Returns
    -------
    Recording
        Its ground is at height 0.

    Raises
    ------
    InvalidInputError
        When it is too short, has no two legs, or nowhere stands on both feet.
    """
    if motion.duration < SHORTEST_RECORDING:
        raise InvalidInputError(
            f"{motion.name or 'the recording'} lasts {motion.duration:.1f} s; idle motion is"
            f" learned from at least {SHORTEST_RECORDING:g} s, better two minutes"
        )
    posed = pose_motion(_with_constant_bones(motion), roles)
    legs = find_legs(posed.roles)
    if not {"left_foot", "right_foot"} <= legs.keys() or posed.roles.kind != "human":
        raise InvalidInputError(
            f"{motion.name or 'the recording'} has no left and right leg that could be recognised;"
            " name hips, knees and feet in a roles table"
        )
    posed = move_body(posed, np.tile(-_ground_of(posed) * UP, (posed.n_frames, 1)))
    offsets = posed.skeleton.offsets
    leg = 0.5 * sum(
        float(np.linalg.norm(offsets[limb.middle]) + np.linalg.norm(offsets[limb.tip]))
        for limb in legs.values()
    )
    stances = _find_stances(posed, leg)
    if not stances:
        raise InvalidInputError(
            f"{motion.name or 'the recording'} nowhere stands on both feet for"
            f" {SHORTEST_STANCE:g} s; idle motion is learned from people who stand"
        )
    return Recording(posed, leg, stances)


def _ground_of(posed: PosedMotion) -> float:
    """Median height of the lowest point of the feet, metres."""
    joints = posed.roles.joints
    feet = [joints[f"{side}_foot"] for side in ("left", "right")]
    toes = [j for side in ("left", "right") if (j := joints.get(f"{side}_toe")) is not None]
    own = [e for e, j in enumerate(posed.skeleton.end_parents.tolist()) if j in (*feet, *toes)]
    heights = [posed.positions[:, (*feet, *toes), 1], posed.end_sites[:, own, 1]]
    return float(np.median(np.concatenate(heights, axis=1).min(axis=1)))


def _with_constant_bones(motion: Motion) -> Motion:
    """From the joint that carries the body on; only that has positions."""
    skeleton = motion.mean_skeleton()
    root = motion.root_joint
    if root == 0:
        places = motion.local_translations()[:, :1]
        return replace(motion, skeleton=skeleton, translations=places, translated=(0,))
    carried = chain_kinematics(motion, root)
    kept = [j for j in range(skeleton.n_joints) if root in skeleton.chain(j)]
    new = {joint: i for i, joint in enumerate(kept)}
    ends = [e for e, joint in enumerate(skeleton.end_parents.tolist()) if joint in new]
    below = Skeleton(
        tuple(skeleton.names[j] for j in kept),
        np.array([-1, *(new[int(skeleton.parents[j])] for j in kept[1:])]),
        skeleton.offsets[kept],
        np.array([new[int(skeleton.end_parents[e])] for e in ends], int),
        skeleton.end_offsets[ends],
    )
    rotations = motion.rotations[:, kept].copy()
    rotations[:, 0] = carried.rotations[:, -1]
    places = carried.positions[:, -1:]
    return Motion(
        skeleton=below,
        rotations=rotations,
        translations=places,
        frame_time=motion.frame_time,
        translated=(0,),
        name=motion.name,
        source=motion.source,
    )


def moving_feet(posed: PosedMotion, leg: float) -> Bools:
    """Whether each foot is on its way, shape (T, 2).

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    leg : float, metres
        Length of its legs.

    Returns
    -------
    bool array of shape (T, 2)
        Left and right.
    """
    joints = posed.roles.joints
    feet = posed.positions[:, [joints["left_foot"], joints["right_foot"]]]
    feet = low_pass(feet, posed.fps, _FOOT_BAND)
    speed = np.linalg.norm(np.gradient(feet, axis=0), axis=-1) * posed.fps
    around = 2 * round(_AROUND_STEP * posed.fps) + 1
    return binary_dilation(speed > STEP_SPEED * leg, np.ones((around, 1), np.bool_))


def _find_stances(posed: PosedMotion, leg: float) -> tuple[Stance, ...]:
    still = ~moving_feet(posed, leg).any(axis=1)
    return tuple(
        _stance(posed, first, stop)
        for first, stop in runs_of(still, least=SHORTEST_STANCE * posed.fps)
    )


def _stance(posed: PosedMotion, first: int, stop: int) -> Stance:
    joints = posed.roles.joints
    feet = [joints["left_foot"], joints["right_foot"]]
    places = posed.positions[first:stop, feet].mean(axis=0)
    facing = posed.facing[first:stop]
    angle = float(np.arctan2(np.sin(facing).mean(), np.cos(facing).mean()))
    middle = places.mean(axis=0)
    place = GroundTransform(angle, float(middle[0]), float(middle[2]))
    turns = rot.mean(posed.rotations[first:stop, feet])
    back = rot.conjugate(place.quaternion)
    return Stance(first, stop, place, place.seen(places), rot.multiply(back, turns))


def steady_tracks(tracks: Array, moving: Bools) -> Array:
    """Tracks that stand still wherever they do not move; shape (T, F, C).

    Parameters
    ----------
    tracks : array of shape (T, F, C)
        Of F feet: places, or rotations as unit quaternions on one side of the sphere.
    moving : bool array of shape (T, F)
        Where each is on its way.

    Returns
    -------
    array of shape (T, F, C)
        The mean where it stands; on its way as recorded, led from one mean to the other.
    """
    steady = np.array(tracks, float)
    for f in range(steady.shape[1]):
        _steady(steady[:, f], moving[:, f])
    return steady


def _steady(track: Array, moving: Bools) -> None:
    recorded = track.copy()
    for a, b in runs_of(~moving):
        track[a:b] = recorded[a:b].mean(axis=0)
    for a, b in runs_of(moving):
        begin = track[a - 1] - recorded[a - 1] if a else np.zeros(track.shape[1])
        end = track[b] - recorded[b] if b < len(track) else np.zeros(track.shape[1])
        u = (np.arange(1, b - a + 1) / (b - a + 1))[:, None]
        track[a:b] = recorded[a:b] + (1.0 - u) * begin + u * end


def lead_between(tracks: Array, start: Array, end: Array) -> Array:
    """Tracks begun and ended elsewhere: what differs is made good while they move, eased.

    Parameters
    ----------
    tracks : array of shape (T, F, C)
        Steady tracks; see `steady_tracks`.
    start, end : array of shape (F, C)
        Where they begin and end instead.

    Returns
    -------
    array of shape (T, F, C)
        One that never moves stays at its start, wherever its end is.
    """
    eased = smoothstep(way_share(tracks))
    off = (1.0 - eased)[..., None] * (start - tracks[0])
    return np.asarray(tracks + off + eased[..., None] * (end - tracks[-1]))


def way_share(tracks: Array) -> Array:
    """How much of its way each foot has gone, shape (T, F): from 0 to 1; 0 of one that stands.

    Parameters
    ----------
    tracks : array of shape (T, F, C)
        Steady tracks; see `steady_tracks`.
    """
    change = np.linalg.norm(np.diff(tracks, axis=0, prepend=tracks[:1]), axis=-1)
    way = np.cumsum(change, axis=0)
    total = way[-1]
    return np.where(total > 1e-9, way / np.maximum(total, 1e-9), 0.0)
