"""MotionSpace: whole takes of one action as a mean and eigen-motions.

Motion spaces on disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike

from motionloom.coordinates import ExponentialCoordinates
from motionloom.declared import LARGEST, NUMBER, SIZE, Positive, Range, Shape, below
from motionloom.errors import InvalidInputError, UnknownNameError
from motionloom.io.records import FileKind, load, save
from motionloom.io.stored import Fault
from motionloom.motion import GroundTransform, Motion
from motionloom.roles import Roles, check_roles
from motionloom.skeleton import Skeleton
from motionloom.spaces.linear_map import LinearMap
from motionloom.spaces.motion_space.takes import Timing, warp
from motionloom.typing import Array, Ints

Kind = Literal["pca", "ppca"]


def project(away: Array, components: Array, sigmas: Array, noise: float) -> Array:
    """Coefficients (..., K) of weighted deviations (..., N, D), the likeliest given the noise."""
    along = np.tensordot(away, components, axes=((-2, -1), (1, 2)))
    return np.asarray(along / (sigmas + noise / sigmas))


@dataclass(frozen=True, eq=False)
class MotionSpace:
    """Takes of one action as a mean motion and eigen-motions.

    A motion is ``mean + sum_k coefficients[k] * sigmas[k] * components[k]``: coefficients count
    standard deviations of the takes, so that their length says how far a motion is from them.

    Parameters
    ----------
    coordinates : ExponentialCoordinates
        The D numbers of a pose: rotation vectors about mean rotations (radians), the root's place
        (metres).
    scale : array of shape (D,)
        Factor of every number that makes them comparable; ``"lever"``: metres per metre or radian.
    key_names : tuple of str
        Of the P key postures.
    key_frames : int array of shape (P,)
        Their normalised frames, the first 0, the last N - 1.
    frame_time : float, seconds
        Time between frames of the takes.
    mean : array of shape (N, D)
        Mean motion.
    components : array of shape (K, N, D)
        Eigen-motions, orthonormal when scaled: ``sum(scale**2 * a * b)`` over frames and numbers is
        1 for each with itself and 0 for two of them.
    sigmas : array of shape (K,)
        Standard deviation of the takes along each; for ``"ppca"`` without the noise.
    spectrum : array of shape (R,)
        Variance of the takes along all R directions in which they vary.
    kind : {"pca", "ppca"}
        Whether the directions that are left out are dropped or noise.
    noise_variance : float
        Mean variance of the N D - K directions that are left out.
    timing : Timing
        How long a motion lasts.
    coefficients : array of shape (d, K)
        Of the takes.
    names, styles : tuple of str
        Of the takes; styles are empty where there is one only.
    placing : GroundTransform
        Where the takes stand on average: applied to a motion of the space it gives the world's.
    aligned : bool
        Whether takes were moved to one place.
    roles : Roles
        Which joint is which part of the body.
    notes : tuple of str
        What to know about it, one sentence each.
    """

    coordinates: ExponentialCoordinates
    scale: Annotated[Array, Shape("D"), SIZE]
    key_names: Annotated[tuple[str, ...], Shape("P")]
    key_frames: Annotated[Ints, Shape("P"), below("N")]
    frame_time: Positive
    mean: Annotated[Array, Shape("N", "D"), NUMBER]
    components: Annotated[Array, Shape("K", "N", "D"), NUMBER]
    sigmas: Annotated[Array, Shape("K"), SIZE]
    spectrum: Annotated[Array, Shape("R"), Range(0, LARGEST**2)]
    kind: Kind
    noise_variance: Annotated[float, Range(0, LARGEST**2)]
    timing: Timing
    coefficients: Annotated[Array, Shape("M", "K"), NUMBER]
    names: Annotated[tuple[str, ...], Shape("M")]
    styles: tuple[str, ...]
    placing: GroundTransform
    aligned: bool
    roles: Roles
    notes: tuple[str, ...] = field(default=())

    def __repr__(self) -> str:
        return (
            f"<MotionSpace ({self.kind}): {len(self.names)} takes, {self.n_frames} frames of"
            f" {self.coordinates.size} numbers, {self.n_components} eigen-motions that hold"
            f" {100 * self.energy[self.n_components - 1]:.1f} %>"
        )

    @property
    def skeleton(self) -> Skeleton:
        """The bones of the model."""
        return self.coordinates.skeleton

    @property
    def n_frames(self) -> int:
        """Normalised frames N."""
        return len(self.mean)

    @property
    def n_components(self) -> int:
        """Number of eigen-motions K."""
        return len(self.sigmas)

    @property
    def energy(self) -> Array:
        """Share of the variance that the first 1, 2 ... directions hold, shape (R,)."""
        return np.cumsum(self.spectrum) / max(float(self.spectrum.sum()), np.finfo(float).tiny)

    @cached_property
    def _spanned(self) -> Array:
        """Eigen-motions per standard deviation, shape (N, D, K)."""
        return np.ascontiguousarray(np.moveaxis(self.components, 0, 2) * self.sigmas)

    def frame_of(self, key: str | float) -> float:
        """Normalised frame of a key posture's name, or of a frame's number.

        Raises
        ------
        UnknownNameError
            When there is no such key posture.
        InvalidInputError
            When there is no such frame.
        """
        if isinstance(key, str) and key in self.key_names:
            return float(self.key_frames[self.key_names.index(key)])
        try:
            frame = float(key)
        except ValueError:
            known = ", ".join(self.key_names)
            sentence = f"unknown key posture {key!r}; there are: {known}"
            raise UnknownNameError(str(key), sentence) from None
        if not 0 <= frame <= self.n_frames - 1:
            raise InvalidInputError(
                f"a motion of this model has frames 0 to {self.n_frames - 1}, not {frame:g}; key"
                f" postures: {self.keys_in_words()}"
            )
        return frame

    def keys_in_words(self) -> str:
        """Key postures with their frames."""
        pairs = zip(self.key_names, self.key_frames, strict=True)
        return ", ".join(f"{name} {frame}" for name, frame in pairs)

    def eigen_poses(self, frame: str | float) -> LinearMap:
        """Poses at one normalised time, as a function of the coefficients.

        Parameters
        ----------
        frame : str or float
            A key posture, or a normalised frame; between two frames numbers are interpolated.

        Returns
        -------
        LinearMap
            From K standard deviations to D numbers of the pose.

        Raises
        ------
        UnknownNameError, InvalidInputError
            As `frame_of` does.
        """
        at = self.frame_of(frame)
        first = min(int(at), self.n_frames - 2)
        share = at - first
        offset = (1 - share) * self.mean[first] + share * self.mean[first + 1]
        matrix = (1 - share) * self._spanned[first] + share * self._spanned[first + 1]
        return LinearMap(offset, matrix)

    def transform(self, rows: ArrayLike) -> Array:
        """Coefficients of normalised motions.

        Parameters
        ----------
        rows : array of shape (..., N, D)
            Metres and radians.

        Returns
        -------
        array of shape (..., K)
            Standard deviations; for ``"ppca"`` the likeliest given the noise.
        """
        away = (np.asarray(rows, float) - self.mean) * self.scale**2
        noise = self.noise_variance if self.kind == "ppca" else 0.0
        return project(away, self.components, self.sigmas, noise)

    def inverse_transform(self, coefficients: ArrayLike) -> Array:
        """Normalised motions (..., N, D) of coefficients (..., K)."""
        moved = np.asarray(coefficients, float) * self.sigmas
        return self.mean + np.tensordot(moved, self.components, axes=1)

    def times_of(self, coefficients: ArrayLike, duration: float | None = None) -> Array:
        """When a motion shows its normalised frames, seconds, shape (N,).

        Parameters
        ----------
        coefficients : array of shape (K,)
            Of the motion.
        duration : float, seconds, optional
            As predicted when not given.
        """
        keys = self.timing.key_times(coefficients, duration)
        return warp(self.key_frames, keys, np.arange(self.n_frames))

    def to_motion(
        self,
        coefficients: ArrayLike,
        duration: float | None = None,
        *,
        frame_time: float | None = None,
        name: str = "",
    ) -> Motion:
        """The motion of coefficients, at its own pace.

        Parameters
        ----------
        coefficients : array of shape (K,)
            Standard deviations.
        duration : float, seconds, optional
            As the model predicts when not given.
        frame_time : float, seconds, optional
            Time between frames; that of the takes when not given.
        name : str
            Of the motion.

        Returns
        -------
        Motion
            In the model's own place: at the origin, facing +Z, where takes are aligned.
        """
        step = frame_time or self.frame_time
        own = np.asarray(coefficients, float)
        frames = self.shown_frames(own, duration, step)
        values = self.values_at(own, frames)
        return self.coordinates.to_motion(values, step, name=name)

    def shown_frames(
        self,
        coefficients: Array,
        duration: float | None,
        frame_time: float,
        land_on: Sequence[float] = (),
    ) -> Array:
        """Normalised frame that every frame of a motion shows, shape (T,)."""
        keys = np.unique([0.0, self.n_frames - 1.0, *land_on])
        grid = np.union1d(np.arange(self.n_frames), keys)
        times = np.interp(grid, np.arange(self.n_frames), self.times_of(coefficients, duration))
        at = np.interp(keys, grid, times)
        whole = np.round(at / frame_time)
        whole = np.maximum.accumulate(whole - np.arange(len(whole))) + np.arange(len(whole))
        # The first and last frame are shown, too; times move by half a frame at most.
        shifted = times + np.interp(times, at, whole * frame_time - at)
        n = int(whole[-1]) + 1
        frames: Array = np.interp(np.arange(n) * frame_time, shifted, grid)
        near = np.round(frames)
        return np.where(np.abs(frames - near) < 1e-9, near, frames)

    def values_at(self, coefficients: ArrayLike, frames: ArrayLike) -> Array:
        """Poses (T, D) of a motion at normalised frames (T,), which need not be whole."""
        values = self.inverse_transform(coefficients)
        at = np.asarray(frames, float)
        first = np.clip(at.astype(int), 0, self.n_frames - 2)
        share = (at - first)[:, None]
        return values[first] * (1 - share) + values[first + 1] * share


def save_motion_space(space: MotionSpace, path: str | PathLike[str]) -> None:
    """Write a motion space to an ``.npz`` file.

    Parameters
    ----------
    space : MotionSpace
        What is kept.
    path : path-like
        The ``.npz`` file.
    """
    save(path, space, MOTION_SPACE)


def load_motion_space(path: str | PathLike[str]) -> MotionSpace:
    """Read a motion space.

    Raises
    ------
    FormatError
        When there is no such file, it is no motion space of this version, or it holds what no
        motion space can hold.
    """
    return load(path, MOTION_SPACE)


def _check(space: MotionSpace) -> None:
    check_roles(space.roles, space.skeleton)
    if space.coordinates.size != len(space.scale):
        raise Fault("its numbers are not those of its joints")
    _check_times(space)
    if space.styles and len(space.styles) != len(space.names):
        raise Fault("its styles are not those of its takes")
    count = len(space.components)
    if count < 1 or not (space.scale > 0).all() or not (space.sigmas > 0).all():
        raise Fault("nothing varies in it")
    if len(space.spectrum) < count or (np.diff(space.spectrum) > 0).any():
        raise Fault("its variances are not in order")
    scaled = (space.components * space.scale).reshape(count, -1)
    if np.abs(scaled @ scaled.T - np.eye(count)).max() > 1e-6:
        raise Fault("its eigen-motions are not orthonormal")


def _check_times(space: MotionSpace) -> None:
    frames = space.key_frames
    ends = len(frames) > 1 and frames[0] == 0 and frames[-1] == len(space.mean) - 1
    if not ends or np.diff(frames).min() < 1 or not np.array_equal(frames, space.timing.frames):
        raise Fault("its key postures are not in order")
    if len(space.timing.mean) != len(frames) - 1 or not (space.timing.takes > 0).all():
        raise Fault("its takes last no time")


MOTION_SPACE = FileKind(
    record=MotionSpace,
    name="motion model",
    version=2,
    again="fit one with 'motionloom model fit'",
    check=_check,
)
