"""Motion: a skeleton's rotations and translations over time, and how to cut, join, resample and
move them.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.declared import Declared, Finite
from motionloom.errors import InvalidInputError
from motionloom.skeleton import Skeleton, few, frozen_array, restore_read_only
from motionloom.typing import Array, Ints

#: Times between frames (seconds) above this are frames per second that were taken for seconds.
_LONGEST_FRAME = 1.0


def resampling(n_frames: int, old_time: float, new_time: float) -> tuple[Ints, Array]:
    """Where the frames of another frame time lie among the old ones.

    Parameters
    ----------
    n_frames : int
        Number of old frames.
    old_time, new_time : float, seconds
        Time between old frames and between new ones.

    Returns
    -------
    frames : int array of shape (N,)
        Old frame before each new one; below ``n_frames - 1`` where there are two.
    fractions : array of shape (N,)
        How far on to the next old frame, in [0, 1].

    Raises
    ------
    InvalidInputError
        When `new_time` is no positive number, or above a second where `old_time` is not.

    Examples
    --------
    >>> frames, share = resampling(3, 1 / 30, 1 / 60)
    >>> frames, share  # every other new frame lies half way between two
    (array([0, 0, 1, 1, 1]), array([0. , 0.5, 0. , 0.5, 1. ]))
    """
    if not (np.isfinite(new_time) and new_time > 0):
        raise InvalidInputError(f"frame_time must be a positive number of seconds, got {new_time}")
    if new_time > max(_LONGEST_FRAME, old_time):
        raise InvalidInputError(
            f"resample takes seconds per frame, and {new_time:g} s is no time between frames; for"
            f" {new_time:g} frames per second give 1/{new_time:g}"
        )
    if n_frames < 2:
        return np.zeros(n_frames, int), np.zeros(n_frames)
    # Rounding must not lose the last frame where it is one of the new ones.
    n = int(np.floor((n_frames - 1) * old_time / new_time * (1 + 1e-12) + 1e-9)) + 1
    position = np.minimum(np.arange(n) * (new_time / old_time), n_frames - 1)
    nearest = np.round(position)
    position = np.where(np.abs(position - nearest) < 1e-9, nearest, position)
    frames = np.minimum(position.astype(int), n_frames - 2)
    return frames, position - frames


@dataclass(frozen=True)
class Source:
    """Where a motion came from and what its file looked like, so that writing back round-trips.

    Parameters
    ----------
    format : str
        ``"bvh"``, ``"amc"``, ``"c3d"`` ...; empty for motions made in memory.
    path : str
        The file, as it was given.
    unit : float
        Metres per unit of length in the file.
    unit_reason : str
        Why that unit was taken (told by the user, written in the file, guessed from body height).
    up : str
        The file's up axis: ``"x"``, ``"y"`` or ``"z"``.
    channels : tuple of tuple of str
        Per joint the file's channel names in file order (``"Xposition"``, ``"Zrotation"`` ...).
    warnings : tuple of str
        What had to be guessed or mended while reading, with line numbers.
    extra : mapping
        Details of one format (such as the degrees of freedom and limits of an ASF file).
    skeletons : tuple of str
        Names of the file's skeletons, the largest first, where it holds several.

    Examples
    --------
    >>> walk.source.format, walk.source.up, walk.source.unit
    ('bvh', 'y', 1.0)
    """

    format: str = ""
    path: str = ""
    unit: float = 1.0
    unit_reason: str = ""
    up: str = "y"
    channels: tuple[tuple[str, ...], ...] = ()
    warnings: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    skeletons: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Source: {self.in_words()}>"

    def in_words(self) -> str:
        """One line for people.

        Examples
        --------
        >>> walk.source.in_words().endswith("(bvh, 1 unit = 1 m, Y up)")
        True
        """
        if not self.format:
            return "made in memory"
        warned = f", {len(self.warnings)} warnings" if self.warnings else ""
        return (
            f"from {self.path} ({self.format}, 1 unit = {self.unit:.6g} m, {self.up.upper()}"
            f" up{warned})"
        )


def frames_of(frames: slice, n_frames: int) -> tuple[int, int, int]:
    """Start, stop and step that a slice means.

    Parameters
    ----------
    frames : slice
        As given in square brackets; negative numbers count from the end.
    n_frames : int
        Number of frames there are.

    Returns
    -------
    start, stop, step : int
        As of a range, with 0 <= start <= stop <= `n_frames` and step >= 1.

    Raises
    ------
    TypeError
        When it is no slice.
    InvalidInputError
        When it runs backwards.

    Examples
    --------
    >>> frames_of(slice(-10, None), 100)
    (90, 100, 1)
    """
    if not isinstance(frames, slice):
        raise TypeError(
            f"frames are taken as a slice, such as motion[10:50] or motion[7:8], not as {frames!r}"
        )
    start, stop, step = frames.indices(n_frames)
    if step < 1:
        raise InvalidInputError(f"frames can only be taken forwards, got a step of {step}")
    return start, max(start, stop), step


def length_of(data: Timed) -> str:
    """Frames, rate and seconds, for people.

    Examples
    --------
    >>> length_of(walk)
    '232 frames at 30 fps, 7.70 s'
    """
    return f"{data.n_frames} frames at {data.fps:.6g} fps, {data.duration:.2f} s"


@dataclass(frozen=True)
class GroundTransform:
    """Where something stands on the ground and faces: a turn about the vertical, then a move.

    It is the transform from what stands there to the world. Numbers may be arrays (...), for many
    at once.

    Parameters
    ----------
    angle : float or array, radians
        From +Z towards +X.
    x, z : float or array, metres
        Where it stands.

    Examples
    --------
    >>> GroundTransform(angle=np.pi / 2, x=2.0).apply([0.0, 1.7, 1.0]).round(6)
    array([3. , 1.7, 0. ])
    """

    angle: Annotated[Any, Declared(Finite)] = 0.0
    x: Annotated[Any, Declared(Finite)] = 0.0
    z: Annotated[Any, Declared(Finite)] = 0.0

    @classmethod
    def of_body(cls, body: ArrayLike) -> GroundTransform:
        """From rows of x, z (metres) and facing (radians), (..., 3); see `body_trajectory`.

        Examples
        --------
        >>> GroundTransform.of_body([1.0, 2.0, 0.5])
        GroundTransform(angle=array(0.5), x=array(1.), z=array(2.))
        """
        body = np.asarray(body, float)
        return cls(body[..., 2], body[..., 0], body[..., 1])

    @classmethod
    def at_heading(cls, heading: ArrayLike, x: Any = 0.0, z: Any = 0.0) -> GroundTransform:
        """From a heading in degrees, as people and files give it.

        Parameters
        ----------
        heading : float or array, degrees
            From +Z towards +X.
        x, z : float or array, metres, optional
            Place on the ground.

        Returns
        -------
        GroundTransform
            With the heading in radians.

        Examples
        --------
        >>> GroundTransform.at_heading(90.0, x=1.0).ahead.round(6)  # towards +X
        array([1., 0.])
        """
        return cls(np.radians(heading), x, z)

    @property
    def heading(self) -> Any:
        """The turn in degrees.

        Examples
        --------
        >>> float(GroundTransform.at_heading(-45.0).heading)
        -45.0
        """
        return np.degrees(self.angle)

    @property
    def ground(self) -> Array:
        """Its place on the ground, x and z, shape (..., 2), metres.

        Examples
        --------
        >>> GroundTransform(x=1.0, z=3.0).ground
        array([1., 3.])
        """
        return np.stack([self.x, self.z], axis=-1)

    @property
    def ahead(self) -> Array:
        """Where it faces on the ground, unit vectors x and z, shape (..., 2).

        Examples
        --------
        >>> GroundTransform().ahead
        array([0., 1.])
        """
        return np.stack([np.sin(self.angle), np.cos(self.angle)], axis=-1)

    @property
    def as_complex(self) -> tuple[Any, Any]:
        """Place and turn as complex numbers, ``z + i x`` and ``e^(i angle)``, for compiled code.

        A point seen from here lies at ``turn * point + place``.
        """
        return self.z + 1j * self.x, np.exp(1j * self.angle)

    @property
    def quaternion(self) -> Array:
        """The turn as a quaternion (w, x, y, z).

        Examples
        --------
        >>> GroundTransform().quaternion
        array([1., 0., 0., 0.])
        """
        return rot.yaw(self.angle)

    def apply(self, points: ArrayLike) -> Array:
        """Transform points of shape (..., 3), or (..., 2) for x and z on the ground, metres.

        Examples
        --------
        >>> GroundTransform(x=1.0, z=2.0).apply([0.5, 0.5])
        array([1.5, 2.5])
        """
        points = np.asarray(points, float)
        c = np.cos(self.angle)
        s = np.sin(self.angle)
        x = points[..., 0]
        z = points[..., -1]
        return self._with_ground(points, c * x + s * z + self.x, c * z - s * x + self.z)

    def seen(self, points: ArrayLike) -> Array:
        """World points as they are seen from here: to the left, up, ahead.

        Parameters
        ----------
        points : array of shape (..., 3), metres
            World positions; of shape (..., 2) for x and z on the ground.

        Returns
        -------
        array of shape (..., 3), metres
            Left, up and ahead; of shape (..., 2) for left and ahead.

        Examples
        --------
        >>> GroundTransform.at_heading(90.0).seen([2.0, 0.0, 0.0]).round(6)  # two metres ahead
        array([0., 0., 2.])
        """
        points = np.asarray(points, float)
        c = np.cos(self.angle)
        s = np.sin(self.angle)
        x = points[..., 0] - self.x
        z = points[..., -1] - self.z
        return self._with_ground(points, c * x - s * z, s * x + c * z)

    @staticmethod
    def _with_ground(points: Array, x: Any, z: Any) -> Array:
        if points.shape[-1] == 2:
            return np.stack([x, z], axis=-1)
        return np.stack([x, np.broadcast_to(points[..., 1], np.shape(x)), z], axis=-1)

    def compose(self, first: GroundTransform) -> GroundTransform:
        """Return the transform that applies `first`, then this one.

        Examples
        --------
        >>> there = GroundTransform(z=1.0).compose(GroundTransform(z=2.0))
        >>> there.ground
        array([0., 3.])
        """
        return self._at(self.angle + first.angle, self.apply(first.ground))

    def inverse(self) -> GroundTransform:
        """Return the transform that undoes this one.

        Examples
        --------
        >>> stand = GroundTransform(0.3, 1.0, 2.0)
        >>> stand.inverse().compose(stand).ground.round(6)
        array([0., 0.])
        """
        return self._at(-self.angle, GroundTransform(-self.angle).apply(-self.ground))

    @staticmethod
    def _at(angle: Any, ground: Array) -> GroundTransform:
        if ground.ndim > 1:
            return GroundTransform(angle, ground[..., 0], ground[..., 1])
        return GroundTransform(angle, float(ground[0]), float(ground[1]))


class Timed(ABC):
    """Something sampled once per frame: frame i is at time ``i * frame_time``."""

    frame_time: float
    __setstate__ = restore_read_only

    @property
    @abstractmethod
    def n_frames(self) -> int:
        """Number of frames T."""

    def __len__(self) -> int:
        return self.n_frames

    def __bool__(self) -> bool:
        # Code may ask "is there one?"; a clip without frames is one.
        return True

    def _check_frame_time(self) -> None:
        if not (np.isfinite(self.frame_time) and self.frame_time > 0):
            told = f"frame_time must be a positive number of seconds, got {self.frame_time}"
            raise InvalidInputError(told)

    def _check_cut(self, start: int, stop: int) -> None:
        if not 0 <= start <= stop <= self.n_frames:
            told = f"cannot cut frames {start}..{stop} from {self.n_frames} frames"
            raise InvalidInputError(told)

    # Frames are no objects of their own: without this, Python would try 0, 1, 2 ...
    __iter__: None = None

    @property
    def fps(self) -> float:
        """Frames per second."""
        return 1.0 / self.frame_time

    @property
    def duration(self) -> float:
        """Time of the last frame, seconds.

        Examples
        --------
        >>> walk.n_frames, walk.fps, round(walk.duration, 3)
        (232, 30.0, 7.7)
        """
        return max(self.n_frames - 1, 0) * self.frame_time

    @property
    def times(self) -> Array:
        """Time of every frame, seconds, shape (T,).

        Examples
        --------
        >>> walk.times[:3].round(4)
        array([0.    , 0.0333, 0.0667])
        """
        return np.arange(self.n_frames, dtype=float) * self.frame_time


@dataclass(frozen=True, eq=False)
class Motion(Timed):
    """A skeleton moving in time. Frame i is at time ``i * frame_time``.

    ``len(motion)`` is the number of frames, ``motion[10:50]`` the motion of frames 10 to 49 and
    ``motion[::2]`` that of every second frame. In a notebook a motion shows itself as a small
    player.

    Parameters
    ----------
    skeleton : Skeleton
        The joints that move.
    rotations : array of shape (T, J, 4)
        Unit quaternions (w, x, y, z) of each joint relative to its parent; made sign-continuous in
        time.
    translations : array of shape (T, K, 3), metres
        Positions in the parent's frame of the joints in `translated`; all other joints stay at
        their offset.
    frame_time : float, seconds
        Exact time between frames (1/29.97 stays 1/29.97).
    translated : tuple of int
        The joints with translations, ascending; usually only the root.
    name : str
        A short name, such as the file's stem.
    source : Source
        The file it came from.

    Raises
    ------
    InvalidInputError
        When shapes do not fit or values are not finite.

    Examples
    --------
    >>> still = Motion(arm, np.tile([1.0, 0, 0, 0], (30, 3, 1)), np.zeros((30, 1, 3)), 0.05)
    >>> still.n_frames, round(still.duration, 3)
    (30, 1.45)
    """

    skeleton: Skeleton
    rotations: Array
    translations: Array
    frame_time: float
    translated: tuple[int, ...] = (0,)
    name: str = ""
    source: Source = field(default_factory=Source)

    def __post_init__(self) -> None:
        object.__setattr__(self, "translated", tuple(int(j) for j in self.translated))
        object.__setattr__(self, "frame_time", float(self.frame_time))
        quats = np.asarray(self.rotations, float)
        translations = np.asarray(self.translations, float)
        n = len(quats)
        j = self.skeleton.n_joints
        k = len(self.translated)
        if quats.shape != (n, j, 4):
            raise InvalidInputError(f"rotations must have shape (T, {j}, 4), got {quats.shape}")
        if translations.shape != (n, k, 3):
            raise InvalidInputError(
                f"translations must have shape ({n}, {k}, 3), got {translations.shape}"
            )
        in_order = list(self.translated) == sorted(set(self.translated))
        if not in_order or not all(0 <= i < j for i in self.translated):
            raise InvalidInputError(
                f"translated must list joints of the skeleton in ascending order: {self.translated}"
            )
        self._check_frame_time()
        if not (np.isfinite(quats).all() and np.isfinite(translations).all()):
            raise InvalidInputError(
                "rotations and translations must be finite; missing data belongs in a mask"
            )
        quats = rot.unroll(rot.normalize(quats))
        quats.setflags(write=False)  # nobody else has it, so that it need not be copied
        object.__setattr__(self, "rotations", quats)
        object.__setattr__(self, "translations", frozen_array(translations))

    def __repr__(self) -> str:
        moving = few([self.skeleton.names[j] for j in self.translated])
        return (
            f"<Motion {self.name!r}: {length_of(self)}\n  {self.skeleton.n_joints} joints:"
            f" {few(self.skeleton.names)}; translated: {moving or 'none'}\n "
            f" {self.source.in_words()}>"
        )

    def _repr_html_(self) -> str:
        # The player is drawn with layers above this one, so it is looked up only when a notebook
        # asks.
        player = importlib.import_module("motionloom.view._player")
        return str(player.build_player(self))

    def __getitem__(self, frames: slice) -> Motion:
        start, stop, step = frames_of(frames, self.n_frames)
        return self.cut(start, stop).every(step)

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return len(self.rotations)

    @cached_property
    def root_joint(self) -> int:
        """The joint that carries the body through the world.

        Joint 0, except where joint 0 (and perhaps more below it) never moves and its one child
        does: some files put a still reference joint above the hips.

        Examples
        --------
        >>> walk.skeleton.names[walk.root_joint]
        'Hips'
        """
        joint = 0
        while self.n_frames:
            children = self.skeleton.children[joint]
            if len(children) != 1 or children[0] not in self.translated:
                return joint
            still = np.ptp(self.rotations[:, joint], axis=0).max(initial=0.0) < 1e-9
            if joint in self.translated:
                t = self.translations[:, self.translated.index(joint)]
                still = still and np.ptp(t, axis=0).max(initial=0.0) < 1e-9
            if not still:
                return joint
            joint = children[0]
        return joint

    def local_translations(self) -> Array:
        """Position of every joint in its parent's frame, shape (T, J, 3), metres."""
        full = np.tile(self.skeleton.offsets, (self.n_frames, 1, 1))
        full[:, list(self.translated)] = self.translations
        return full

    def mean_skeleton(self, root: int | None = None) -> Skeleton:
        """Skeleton with bones as long as they are on average: files may keep them as positions.

        Parameters
        ----------
        root : int, optional
            It and what is above keep their offsets; `root_joint` when not given.

        Returns
        -------
        Skeleton

        Examples
        --------
        >>> np.allclose(walk.mean_skeleton().offsets[1:], walk.skeleton.offsets[1:])
        True
        """
        above = self.skeleton.chain(self.root_joint if root is None else root)
        bones = [k for k, joint in enumerate(self.translated) if joint not in above]
        offsets = self.skeleton.offsets.copy()
        offsets[[self.translated[k] for k in bones]] = self.translations[:, bones].mean(axis=0)
        return replace(self.skeleton, offsets=offsets)

    def with_translated(self, translated: Sequence[int]) -> Motion:
        """The same motion with translations of exactly these joints; others keep their offset.

        Examples
        --------
        >>> walk.with_translated([0, 1]).translations.shape[1]
        2
        """
        wanted = tuple(translated)
        if wanted == self.translated:
            return self
        translations = self.local_translations()[:, list(wanted)]
        return replace(self, translations=translations, translated=wanted)

    def cut(self, start: int, stop: int) -> Motion:
        """Frames ``start <= i < stop`` as a motion of its own.

        Parameters
        ----------
        start : int
            First frame that is kept.
        stop : int
            Frame behind the last that is kept.

        Returns
        -------
        Motion
            Of ``stop - start`` frames; frame `start` is at time 0.

        Raises
        ------
        InvalidInputError
            When the motion does not have these frames.

        Examples
        --------
        >>> walk.cut(10, 40).n_frames
        30
        """
        self._check_cut(start, stop)
        return self._part(slice(start, stop))

    def _part(self, frames: slice) -> Motion:
        """Some frames that follow one another: what holds of all need not be looked at again."""
        part = object.__new__(type(self))
        part.__dict__.update({one.name: getattr(self, one.name) for one in fields(self)})
        part.__dict__["rotations"] = self.rotations[frames]
        part.__dict__["translations"] = self.translations[frames]
        return part

    def every(self, step: int) -> Motion:
        """Every `step`-th frame, beginning with the first.

        Examples
        --------
        >>> walk.every(2).n_frames, round(walk.every(2).fps, 3)
        (116, 15.0)
        """
        if step == 1:
            return self
        rotations, translations = self.rotations[::step], self.translations[::step]
        longer = self.frame_time * step
        return replace(self, rotations=rotations, translations=translations, frame_time=longer)

    def resample(self, frame_time: float) -> Motion:
        """Same motion at another frame time: slerp for rotations, straight lines for translations.

        The new motion ends at or before the old last frame; it never extrapolates.

        Parameters
        ----------
        frame_time : float, seconds
            Time between frames: ``1 / 30`` for 30 frames per second.

        Returns
        -------
        Motion
            With the same name and source.

        Raises
        ------
        InvalidInputError
            When `frame_time` is no positive number, or above a second where the motion's own is
            not.

        Examples
        --------
        >>> walk[:31].resample(1 / 60).n_frames  # a second has 60 intervals
        61
        """
        i, f = resampling(self.n_frames, self.frame_time, frame_time)
        if self.n_frames < 2 or frame_time == self.frame_time:
            return replace(self, frame_time=frame_time)
        return replace(self._between(i, f), frame_time=frame_time)

    def at(self, frames: ArrayLike) -> Motion:
        """Poses at frames that need not be whole, as `resample` finds them.

        Parameters
        ----------
        frames : array of shape (N,)
            What is beyond the ends shows the first or last frame.

        Returns
        -------
        Motion
            Of N frames, with the same frame time.

        Examples
        --------
        >>> halfway = 0.5 * (walk.translations[2] + walk.translations[3])
        >>> bool(np.allclose(walk.at([2.5]).translations[0], halfway))
        True
        """
        at = np.clip(np.asarray(frames, float), 0.0, self.n_frames - 1)
        first = np.minimum(at.astype(np.int64), max(self.n_frames - 2, 0))
        return self._between(first, at - first)

    def _between(self, first: Ints, share: Array) -> Motion:
        after = np.minimum(first + 1, self.n_frames - 1)
        w = share[:, None, None]
        return replace(
            self,
            rotations=rot.slerp(self.rotations[first], self.rotations[after], share[:, None]),
            translations=self.translations[first] * (1 - w) + self.translations[after] * w,
        )

    def transformed(self, transform: GroundTransform) -> Motion:
        """The same motion elsewhere on the ground, facing elsewhere.

        Applied to `root_joint`; still joints above it stay where they are.

        Parameters
        ----------
        transform : GroundTransform
            Applied to the body in the world: the turn about the vertical through the origin, then
            the move.

        Returns
        -------
        Motion
            `root_joint` is among its translated joints.

        Examples
        --------
        >>> moved = walk.transformed(GroundTransform(x=2.0))
        >>> (moved.translations - walk.translations)[0, 0]
        array([2., 0., 0.])
        """
        joint = self.root_joint
        if joint not in self.translated:
            return self.with_translated(sorted({*self.translated, joint})).transformed(transform)
        k = self.translated.index(joint)
        rotations = self.rotations.copy()
        translations = self.translations.copy()
        above_q, above_p = self._still_frame_above(joint)
        world_q = rot.multiply(above_q, rotations[:, joint])
        world_p = above_p + rot.rotate(above_q, translations[:, k])
        back = rot.conjugate(above_q)
        rotations[:, joint] = rot.multiply(back, rot.multiply(transform.quaternion, world_q))
        translations[:, k] = rot.rotate(back, transform.apply(world_p) - above_p)
        return replace(self, rotations=rotations, translations=translations)

    def _still_frame_above(self, joint: int) -> tuple[Array, Array]:
        """World rotation and position of the (still) parent of `joint`."""
        q = np.array([1.0, 0, 0, 0])
        p = np.zeros(3)
        local = self[:1].local_translations()
        for j in self.skeleton.chain(joint)[:-1]:
            p = p + rot.rotate(q, local[0, j])
            q = rot.multiply(q, self.rotations[0, j])
        return q, p


def concatenate(motions: Sequence[Motion]) -> Motion:
    """Play motions one after the other; nothing is aligned or blended.

    Raises
    ------
    InvalidInputError
        When the list is empty or skeletons, frame times or translated joints differ.

    Examples
    --------
    >>> concatenate([walk[:10], walk[10:30]]).n_frames
    30
    """
    if not motions:
        raise InvalidInputError("nothing to concatenate")
    first = motions[0]
    for m in motions[1:]:
        if not m.skeleton.matches(first.skeleton):
            raise InvalidInputError(
                f"cannot join {m.name or 'a motion'} to {first.name or 'another'}: skeletons differ"
            )
        if m.translated != first.translated:
            raise InvalidInputError("cannot join motions whose translated joints differ")
        if abs(m.frame_time - first.frame_time) > 1e-9:
            raise InvalidInputError(
                f"cannot join motions at {first.fps:g} and {m.fps:g} frames per second; resample"
                " one of them"
            )
    rotations = np.concatenate([m.rotations for m in motions])
    translations = np.concatenate([m.translations for m in motions])
    return replace(first, rotations=rotations, translations=translations)
