"""Generalized coordinates as Euler degrees of freedom with limits, as ASF skeletons have them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.coordinates import Coordinate, Coordinates
from motionloom.declared import LENGTH, NORMALIZED, Declared, Range, Shape
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton, frozen_array
from motionloom.typing import Array, Ints

IDENTITY = (1.0, 0.0, 0.0, 0.0)
_Limit = Annotated[float, Range(-np.inf, np.inf)]
_Rotation = Annotated[ArrayLike, Declared(Annotated[Array, Shape(4), NORMALIZED])]
#: Joints that are worked on at once.
_AT_ONCE = 64


@dataclass(frozen=True, eq=False)
class EulerJoint:
    """The degrees of freedom of one joint.

    Its local rotation is ``before * M * after``, M being the turns about the axes of `order`,
    applied from left to right about the turned axes (intrinsic). Its position in the parent's frame
    is `origin` plus the translations, which are along axes turned by `before`.

    Parameters
    ----------
    joint : int
        Index in the skeleton.
    freedoms : tuple of str
        ``"tx"`` ... ``"tz"``, ``"rx"`` ... ``"rz"`` in the order of the coordinates.
    order : str
        The rotational axes in intrinsic order, such as ``"ZYX"``.
    lower, upper : tuple of float, optional
        Limits of each freedom, metres or radians; none when empty.
    before, after : array of shape (4,), optional
        Constant rotations (w, x, y, z); an ASF bone has its axis here and the axis' inverse after.
    origin : array of shape (3,), metres, optional
        Where the joint is when its translations are zero.

    Examples
    --------
    >>> EulerJoint(1, ("rz",), order="Z").turns
    [0]
    """

    joint: int
    freedoms: tuple[str, ...]
    order: str
    lower: tuple[_Limit, ...] = ()
    upper: tuple[_Limit, ...] = ()
    before: _Rotation = IDENTITY
    after: _Rotation = IDENTITY
    origin: Annotated[ArrayLike, Declared(Annotated[Array, Shape(3), LENGTH])] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        n = len(self.freedoms)
        known = {kind + axis for kind in "tr" for axis in "xyz"}
        moves = [f for f in self.freedoms if f[:1] == "t"]
        if not set(self.freedoms) <= known or len(set(moves)) != len(moves):
            raise InvalidInputError(
                f"freedoms must be tx ty tz (each once) and rx ry rz, got {self.freedoms}"
            )
        if sorted(self.order.lower()) != sorted(f[1] for f in self.freedoms if f[0] == "r"):
            raise InvalidInputError(
                f"order {self.order!r} must name the axes of the rotations in {self.freedoms}"
            )
        if self.order:  # refuses an order that is impossible
            rot.from_euler(np.zeros(len(self.order)), self.order)
        for name, default in (("lower", -np.inf), ("upper", np.inf)):
            limits = tuple(getattr(self, name)) or (default,) * n
            if len(limits) != n:
                raise InvalidInputError(
                    f"{name} needs one limit for each of {self.freedoms}, got {len(limits)}"
                )
            object.__setattr__(self, name, limits)
        for name in ("before", "after", "origin"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))

    @cached_property
    def turns(self) -> list[int]:
        """Column, within this joint's, of each axis of `order`.

        An axis named twice takes its columns in turn.
        """
        columns = {
            axis: [k for k, f in enumerate(self.freedoms) if f == "r" + axis] for axis in "xyz"
        }
        return [columns[axis].pop(0) for axis in self.order.lower()]

    @cached_property
    def moves(self) -> list[int]:
        """Columns, within this joint's, that are translations."""
        return [k for k, f in enumerate(self.freedoms) if f[0] == "t"]

    def direction(self, column: int) -> Array:
        """Unit vector (3,) along which translation `column` moves, in the parent's frame."""
        return rot.rotate(self.before, self.axis(column))

    def axis(self, column: int) -> Array:
        """Unit vector (3,) of translation `column` before it is turned by `before`."""
        return np.asarray(np.eye(3)["xyz".index(self.freedoms[column][1])])


@dataclass(frozen=True, eq=False)
class _Alike:
    """Joints with the same freedoms: their indices (N,), columns (N, n) and constants, a row for
    each joint.
    """

    joints: Ints
    columns: Ints
    first: EulerJoint
    before: Array
    after: Array
    origin: Array


@dataclass(frozen=True, eq=False)
class EulerCoordinates(Coordinates):
    """Euler angles (radians) and translations (metres) of the joints that may move, with limits.

    A joint with fewer than three rotational freedoms cannot follow every rotation; `to_coordinates`
    then takes the angles whose rotation is closest.

    Parameters
    ----------
    skeleton : Skeleton
        All joints; those without freedoms stay at rest.
    freedoms : tuple of EulerJoint
        Joints that may move, in the order of their coordinates.

    Examples
    --------
    >>> coordinates = EulerCoordinates.generic(arm, "ZYX")
    >>> coordinates.names[3:6]
    ('shoulder.rz', 'shoulder.ry', 'shoulder.rx')
    """

    skeleton: Skeleton
    freedoms: tuple[EulerJoint, ...] = field(default=())

    def __post_init__(self) -> None:
        moved = [f.joint for f in self.freedoms]
        if len(set(moved)) != len(moved) or not all(0 <= j < self.skeleton.n_joints for j in moved):
            raise InvalidInputError("freedoms must name different joints of the skeleton")

    @classmethod
    def generic(
        cls,
        skeleton: Skeleton,
        orders: str | Mapping[str, str] = "ZYX",
        translated: tuple[int, ...] = (0,),
    ) -> EulerCoordinates:
        """As many angles for every joint as its order has axes, without limits.

        Parameters
        ----------
        skeleton : Skeleton
            Its joints get the angles.
        orders : str or mapping of str to str, optional
            Order of the axes of all joints, or of each by its name; ``"ZYX"`` for joints that the
            mapping leaves out.
        translated : tuple of int, optional
            Joints with three translations before their angles: positions in the parent's frame.

        Returns
        -------
        EulerCoordinates
            In the order of the skeleton's joints.

        Raises
        ------
        InvalidInputError
            When an order has more than three axes, one of them twice in a row, or an unknown one.

        Examples
        --------
        >>> EulerCoordinates.generic(arm, {"shoulder": "ZYX", "elbow": "Z", "hand": ""}).names[3:]
        ('shoulder.rz', 'shoulder.ry', 'shoulder.rx', 'elbow.rz')
        """
        freedoms = []
        for j, name in enumerate(skeleton.names):
            order = orders if isinstance(orders, str) else orders.get(name, "ZYX")
            moves = ("tx", "ty", "tz") if j in translated else ()
            freedoms.append(EulerJoint(j, (*moves, *(f"r{a}" for a in order.lower())), order))
        return cls(skeleton, tuple(freedoms))

    @cached_property
    def _columns(self) -> list[slice]:
        ends = np.cumsum([0, *(len(f.freedoms) for f in self.freedoms)])
        return [slice(int(a), int(b)) for a, b in itertools.pairwise(ends)]

    @cached_property
    def _alike(self) -> list[_Alike]:
        """The joints, those with the same freedoms together; not too many at once, for the memory
        that takes.
        """
        groups: dict[tuple[tuple[str, ...], str], list[int]] = {}
        for i, f in enumerate(self.freedoms):
            groups.setdefault((f.freedoms, f.order), []).append(i)
        blocks: list[list[int]] = []
        for group in groups.values():
            blocks += [group[k : k + _AT_ONCE] for k in range(0, len(group), _AT_ONCE)]
        every = np.arange(len(self.layout()))
        return [
            _Alike(
                np.array([self.freedoms[i].joint for i in block]),
                np.array([every[self._columns[i]] for i in block]),
                self.freedoms[block[0]],
                np.array([self.freedoms[i].before for i in block]),
                np.array([self.freedoms[i].after for i in block]),
                np.array([self.freedoms[i].origin for i in block]),
            )
            for block in blocks
        ]

    def layout(self) -> list[Coordinate]:
        """Freedoms of the joints in the order of `freedoms`.

        Examples
        --------
        >>> EulerCoordinates.generic(arm, "ZYX").layout()[3].freedom
        'rz'
        """
        return [
            Coordinate(f.joint, *row)
            for f in self.freedoms
            for row in zip(f.freedoms, f.lower, f.upper, strict=True)
        ]

    def local_pose(self, values: ArrayLike) -> tuple[Array, Array]:
        """Local rotations and translations of poses given by their coordinates.

        Parameters
        ----------
        values : array of shape (..., D)
            Coordinates, metres or radians.

        Returns
        -------
        rotations : array of shape (..., J, 4)
            Unit quaternions (w, x, y, z) relative to the parents; the identity for joints without
            freedoms.
        translations : array of shape (..., K, 3), metres
            Positions of `moved_joints` in their parents' frames.

        Raises
        ------
        InvalidInputError
            When a pose has other than D values.

        Examples
        --------
        >>> values = np.zeros(12)
        >>> values[3] = np.pi / 2  # the shoulder about Z
        >>> rotations, _ = EulerCoordinates.generic(arm, "ZYX").local_pose(values)
        >>> rotations[0].round(4)
        array([0.7071, 0.    , 0.    , 0.7071])
        """
        values = self._checked(values)
        batch = values.shape[:-1]
        rotations = rot.identity(*batch, self.skeleton.n_joints)
        still = self.skeleton.offsets[list(self.moved_joints)]
        moves = np.broadcast_to(still, (*batch, *still.shape)).copy()
        slots = {joint: slot for slot, joint in enumerate(self.moved_joints)}
        for group in self._alike:
            own = values[..., group.columns]
            first = group.first
            turned = rot.identity(*batch, len(group.joints))
            if first.order:
                turned = rot.from_euler(own[..., first.turns], first.order)
            turned = rot.multiply(rot.multiply(group.before, turned), group.after)
            rotations[..., group.joints, :] = turned
            if first.moves:
                place = [slots[j] for j in group.joints.tolist()]
                moved = np.broadcast_to(group.origin, (*batch, len(place), 3)).copy()
                for k in first.moves:
                    moved += own[..., k, None] * rot.rotate(group.before, first.axis(k))
                moves[..., place, :] = moved
        return rotations, moves

    @property
    def directions(self) -> Array:
        """Direction of each translational coordinate in the frame of its joint's parent."""
        rows = [f.direction(k) for f in self.freedoms for k in f.moves]
        return np.array(rows).reshape(-1, 3)

    def to_coordinates(self, motion: Motion, near: ArrayLike | None = None) -> Array:
        """Coordinates of every frame, continuous over time.

        Parameters
        ----------
        motion : Motion
            A motion of this skeleton; bone lengths may differ.
        near : array of shape (D,), optional
            Coordinates just before the first frame, whose branch of angles is continued; zero when
            not given.

        Returns
        -------
        array of shape (T, D)
            Metres or radians; of the closest rotation where a joint has fewer than three angles.

        Raises
        ------
        InvalidInputError
            When the motion's skeleton has other joints, or `near` has other than D values.

        Examples
        --------
        >>> coordinates = EulerCoordinates.generic(walk.skeleton, "ZXY")
        >>> values = coordinates.to_coordinates(walk)
        >>> np.allclose(coordinates.to_motion(values, walk.frame_time).rotations, walk.rotations)
        True
        """
        motion = self._checked_motion(motion)
        before = np.zeros(self.size) if near is None else self._checked(near)
        values = np.zeros((motion.n_frames, self.size))
        moves = motion.local_translations()
        for group in self._alike:
            first = group.first
            for k in first.moves:
                along = rot.rotate(group.before, first.axis(k))
                moved = moves[:, group.joints] - group.origin
                values[:, group.columns[:, k]] = np.einsum("tji,ji->tj", moved, along)
            if first.order:
                turned = motion.rotations[:, group.joints]
                q = rot.multiply(
                    rot.multiply(rot.conjugate(group.before), turned), rot.conjugate(group.after)
                )
                columns = group.columns[:, first.turns]
                angles = np.concatenate([before[columns][None], rot.to_euler(q, first.order)])
                values[:, columns] = rot.unroll_euler(angles, first.order)[1:]
        return values

    def nearest(self, values: ArrayLike, reference: ArrayLike) -> Array:
        """Values on the branch of angles nearest to a reference, each pose by itself.

        Parameters
        ----------
        values : array of shape (..., D)
            Coordinates, metres or radians.
        reference : array of shape (D,)
            Coordinates of the one pose that all are brought near to.

        Returns
        -------
        array of shape (..., D)
            The same poses: full turns are taken off, and of two families of three angles the nearer
            is chosen.

        Raises
        ------
        InvalidInputError
            When a pose has other than D values.
        """
        values = self._checked(values)
        reference = self._checked(reference)
        out = values.copy()
        for f, columns in zip(self.freedoms, self._columns, strict=True):
            if f.order:
                turns = columns.start + np.array(f.turns)
                own = values[..., turns]
                out[..., turns] = rot.unroll_euler(
                    np.stack([np.broadcast_to(reference[turns], own.shape), own]), f.order
                )[1]
        return out
