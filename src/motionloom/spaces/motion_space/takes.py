"""Takes of one action, brought to the same normalised times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.coordinates import ExponentialCoordinates
from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import pose_motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.spaces.motion_space.timing import warp
from motionloom.typing import Array, Ints


@dataclass(frozen=True, eq=False)
class Keys:
    """Key postures of some takes: the same ones in every take, in order.

    Parameters
    ----------
    names : tuple of str
        Of the P postures; the first and the last are where a take begins and ends.
    times : array of shape (d, P), seconds
        When each take shows them; they need not be frames.

    Raises
    ------
    InvalidInputError
        When there are fewer than two, names occur twice, or times are not finite or
        do not ascend.
    """

    names: tuple[str, ...]
    times: Array

    def __post_init__(self) -> None:
        times = np.array(self.times, float)
        if len(self.names) < 2 or len(set(self.names)) < len(self.names):
            raise InvalidInputError(
                f"key postures need at least two different names, got {', '.join(self.names)}"
            )
        if times.ndim != 2 or times.shape[1] != len(self.names):
            raise InvalidInputError(
                f"key postures need one time for each of {len(self.names)} names in every take, got"
                f" shape {times.shape}"
            )
        if not np.isfinite(times).all():
            take, key = np.argwhere(~np.isfinite(times))[0]
            raise InvalidInputError(
                f"key postures need finite times, but {self.names[key]!r} of take {take} is at"
                f" {times[take, key]:g} s"
            )
        if not (np.diff(times, axis=1) > 0).all():
            take, key = np.argwhere(~(np.diff(times, axis=1) > 0))[0]
            raise InvalidInputError(
                f"key postures of take {take} do not follow each other: {self.names[key]!r} is at"
                f" {times[take, key]:g} s and {self.names[key + 1]!r} at {times[take, key + 1]:g} s"
            )
        object.__setattr__(self, "times", times)

    def of(self, takes: Sequence[int]) -> Keys:
        """Those of some of the takes."""
        return Keys(self.names, self.times[list(takes)])


@dataclass(frozen=True, eq=False)
class NormalisedTakes:
    """Takes as rows of numbers: the same frames of every take show the same moment of the action.

    Parameters
    ----------
    coordinates : ExponentialCoordinates
        The D numbers of a pose, metres and radians.
    rows : array of shape (d, N, D)
        Every take.
    frames : int array of shape (P,)
        Frame of every key posture, the first 0 and the last N - 1.
    placings : tuple of GroundTransform
        Where each take stood: applied to the row's motion it gives the take's place.
    """

    coordinates: ExponentialCoordinates
    rows: Array
    frames: Ints
    placings: tuple[GroundTransform, ...]


def normalise_takes(
    takes: Sequence[Motion],
    keys: Keys,
    *,
    n_frames: int | None = None,
    align: bool = True,
    roles: Roles | None = None,
) -> NormalisedTakes:
    """Bring takes to common times: key postures meet, rotations between frames are slerped.

    Parameters
    ----------
    takes : sequence of Motion
        Of one set of joints. The bones are those of the first; takes of longer or shorter legs have
        their root's place scaled by the length of them.
    keys : Keys
        Key postures of every take.
    n_frames : int, optional
        Frames N of a normalised take; those of a take of mean length when not given.
    align : bool
        Whether every take is moved on the ground so that it begins where and facing as the model
        does: at the origin, facing +Z.
    roles : Roles, optional
        Found from the skeleton when not given.

    Returns
    -------
    NormalisedTakes
        Rotation vectors about the mean rotations of all takes, on one branch.

    Raises
    ------
    InvalidInputError
        When takes have other joints or are shorter than their key postures say.
    """
    own = takes[0].mean_skeleton()
    roles = roles or find_roles(own)
    _check_takes(takes, keys, own)
    # The root, and what is above the hips.
    moved = tuple(sorted({0, *(take.root_joint for take in takes)}))
    frames = _key_frames(takes, keys, n_frames)
    shown = []
    placings = []
    for take, times in zip(takes, keys.times, strict=True):
        motion = resample_take(take, times, frames, moved, own)
        placing = starting_transform(motion, roles) if align else GroundTransform(0.0, 0.0, 0.0)
        shown.append(motion.transformed(placing.inverse()))
        placings.append(placing)
    coordinates = ExponentialCoordinates.about(shown, own, moved)
    rows = np.stack([coordinates.to_coordinates(m) for m in shown])
    return NormalisedTakes(coordinates, _same_branch(rows, coordinates), frames, tuple(placings))


def resample_take(
    take: Motion, times: Array, frames: Ints, moved: tuple[int, ...], skeleton: Skeleton
) -> Motion:
    """A take at normalised frames, on the bones of the model."""
    at = warp(frames, times, np.arange(frames[-1] + 1)) / take.frame_time
    shown = replace(take.at(at).with_translated(moved), skeleton=skeleton)
    # The root's place is compared between bodies of different size in lengths of the leg.
    ratio = _leg(skeleton) / max(_leg(take.skeleton), 1e-9)
    if abs(ratio - 1.0) < 1e-6:
        return shown
    return replace(shown, translations=shown.translations * ratio)


def starting_transform(motion: Motion, roles: Roles) -> GroundTransform:
    """Where a take begins, and facing where."""
    return GroundTransform.of_body(pose_motion(motion[:1], roles).body[0])


def _check_takes(takes: Sequence[Motion], keys: Keys, skeleton: Skeleton) -> None:
    if len(takes) != len(keys.times):
        raise InvalidInputError(
            f"there are {len(takes)} takes, but key postures of {len(keys.times)}"
        )
    check_joints_alike(takes, skeleton)
    for take, times in zip(takes, keys.times, strict=True):
        name = take.name or "a take"
        if times[0] < -1e-9 or times[-1] > take.duration + 1e-6:
            raise InvalidInputError(
                f"{name} lasts {take.duration:.3f} s, but its key postures are from"
                f" {times[0]:.3f} to {times[-1]:.3f} s"
            )


def check_joints_alike(takes: Sequence[Motion], skeleton: Skeleton) -> None:
    """Check that all takes have the joints of a skeleton, in its order.

    Raises
    ------
    InvalidInputError
        Which take has not.
    """
    for take in takes:
        if not take.skeleton.has_topology_of(skeleton):
            missing = sorted({*skeleton.names} ^ {*take.skeleton.names})
            differ = f"; only one of them has {', '.join(missing[:4])}" if missing else ""
            raise InvalidInputError(
                f"{take.name or 'a take'} has other joints than the first take{differ}; a motion"
                " model needs takes of one skeleton"
            )


def _key_frames(takes: Sequence[Motion], keys: Keys, n_frames: int | None) -> Ints:
    """Normalised frames of key postures: spans are as long as on average."""
    spans = np.diff(keys.times, axis=1).mean(axis=0)
    least = len(keys.names)
    if n_frames is None:
        rate = np.median([1.0 / take.frame_time for take in takes])
        n_frames = max(round(float(spans.sum() * rate)) + 1, least)
    if n_frames < least:
        raise InvalidInputError(
            f"a normalised take needs at least {least} frames, one for each key posture, got"
            f" {n_frames}"
        )
    ends = np.concatenate([[0.0], np.cumsum(spans)]) / spans.sum() * (n_frames - 1)
    frames = np.round(ends).astype(np.int64)
    # No two key postures on one frame.
    order = np.arange(least)
    frames = np.maximum.accumulate(np.maximum(frames - order, 0)) + order
    bounded: Ints = np.minimum(frames, n_frames - least + order)
    return bounded


def _leg(skeleton: Skeleton) -> float:
    """Length of a leg, metres, or of all bones where there are no legs."""
    lengths = np.linalg.norm(skeleton.offsets, axis=1)
    joints = find_roles(skeleton).joints
    own = [lengths[joints[r]] for r in ("left_knee", "left_foot") if r in joints]
    return float(sum(own)) if len(own) == 2 else float(lengths[1:].sum())


def _same_branch(rows: Array, coordinates: ExponentialCoordinates) -> Array:
    """Rotation vectors of all takes on the branch nearest to the mean of all, frame by frame."""
    turns = coordinates.rotational
    vectors = rows[..., turns].reshape(*rows.shape[:2], -1, 3)
    reference = vectors[0]
    for _ in range(2):
        near = [rot.unroll_rotvec(np.stack([reference, v]))[1] for v in vectors]
        vectors = np.stack(near)
        reference = vectors.mean(axis=0)
    out = rows.copy()
    out[..., turns] = vectors.reshape(*rows.shape[:2], -1)
    return out
