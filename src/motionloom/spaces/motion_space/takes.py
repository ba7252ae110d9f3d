"""Takes of one action, brought to the same normalised times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import PchipInterpolator

from motionloom import rotations as rot
from motionloom.coordinates import ExponentialCoordinates
from motionloom.declared import NUMBER, SIZE, Range, Shape, below
from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import pose_motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
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
    return np.minimum(frames, n_frames - least + order)


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


#: Strengths of shrinking that are tried, as shares of the number of takes.
_STRENGTHS = np.geomspace(1e-3, 1e3, 31)


@dataclass(frozen=True, eq=False)
class Timing:
    """Seconds between key postures, as a shrunken linear function of a motion's coefficients.

    Logarithms are predicted, so that no span is ever negative.

    Parameters
    ----------
    frames : int array of shape (P,)
        Normalised frame of every key posture, the first 0.
    mean : array of shape (P - 1,)
        Mean logarithm of the seconds of every span.
    slopes : array of shape (P - 1, K)
        Its change with each coefficient.
    error : array of shape (P - 1,)
        How far a take that is left out is missed, root mean square of the logarithm.
    takes : array of shape (d, P - 1), seconds
        Spans of the takes.
    """

    frames: Annotated[Ints, Shape("P"), below("N")]
    mean: Annotated[Array, Shape("s"), Range(-50, 50)]
    slopes: Annotated[Array, Shape("s", "K"), NUMBER]
    error: Annotated[Array, Shape("s"), SIZE]
    takes: Annotated[Array, Shape("M", "s"), SIZE]

    def spans(self, coefficients: ArrayLike) -> Array:
        """Seconds of every span, shape (..., P - 1), of coefficients (..., K)."""
        return np.exp(self.mean + np.asarray(coefficients, float) @ self.slopes.T)

    def key_times(self, coefficients: ArrayLike, duration: float | None = None) -> Array:
        """Time of every key posture, seconds, shape (P,).

        Parameters
        ----------
        coefficients : array of shape (K,)
            Of the motion.
        duration : float, seconds, optional
            All spans are stretched alike to last so long; as predicted when not given.
        """
        times = np.concatenate([[0.0], np.cumsum(self.spans(coefficients))])
        return times if duration is None else times * (duration / times[-1])


def fit_timing(frames: Ints, spans: Array, coefficients: Array) -> Timing:
    """Learn how long spans last.

    Parameters
    ----------
    frames : int array of shape (P,)
        Normalised frame of every key posture.
    spans : array of shape (d, P - 1), seconds
        Of every take.
    coefficients : array of shape (d, K)
        Of every take.

    Returns
    -------
    Timing
        Shrunken towards the mean by as much as predicts takes that are left out best; the mean
        itself where nothing does better.
    """
    logs = np.log(spans)
    mean = logs.mean(axis=0)
    slopes = np.zeros((logs.shape[1], coefficients.shape[1]))
    error = np.empty(logs.shape[1])
    for s in range(logs.shape[1]):
        slopes[s], error[s] = _shrunken(coefficients, logs[:, s] - mean[s])
    return Timing(frames, mean - slopes @ coefficients.mean(axis=0), slopes, error, spans)


def _shrunken(coefficients: Array, wanted: Array) -> tuple[Array, float]:
    """Slopes of a ridge regression and the error of takes left out; no slopes where none helps."""
    n = len(wanted)
    # Without a take the mean of the others is farther from it by this factor.
    best = float(np.sqrt(np.mean((wanted * n / (n - 1)) ** 2)))
    slopes = np.zeros(coefficients.shape[1])
    centred = coefficients - coefficients.mean(axis=0)
    left, singular, right = np.linalg.svd(centred, full_matrices=False)
    along = left.T @ wanted
    for strength in n * _STRENGTHS:
        gain = singular**2 / (singular**2 + strength)
        leverage = (left**2) @ gain + 1.0 / n
        missed = (wanted - left @ (gain * along)) / np.maximum(1.0 - leverage, 1e-9)
        error = float(np.sqrt(np.mean(missed**2)))
        if error < best:
            best = error
            slopes = right.T @ (singular / (singular**2 + strength) * along)
    return slopes, best


def warp(at: ArrayLike, values: ArrayLike, wanted: ArrayLike) -> Array:
    """Smooth, monotone function through key points, evaluated.

    Parameters
    ----------
    at, values : array of shape (P,)
        Ascending; straight where there are two.
    wanted : array of shape (T,)
        Where it is asked for, between the first and the last.

    Returns
    -------
    array of shape (T,)
    """
    known = np.asarray(at, float)
    own = np.clip(wanted, known[0], known[-1])
    return PchipInterpolator(known, np.asarray(values, float))(own)
