"""Skeleton: the frozen tree of joints that a motion moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom.declared import LENGTH, Shape, below
from motionloom.errors import InvalidInputError, UnknownJointError
from motionloom.typing import Array, Ints


def frozen_array(values: ArrayLike, dtype: type = float) -> NDArray[Any]:
    """Read-only array; one that is read-only and of that type already is shared, else copied.

    Parameters
    ----------
    values : array-like
        What it holds.
    dtype : type, optional
        Type of its elements.

    Returns
    -------
    array
        Not writeable.

    Examples
    --------
    >>> frozen_array([1, 2]).flags.writeable
    False
    """
    array: NDArray[Any] = np.asarray(values, dtype=dtype)
    if array.flags.writeable:
        array = array.copy()
        array.setflags(write=False)
    return array


def few(words: Sequence[str], most: int = 6) -> str:
    """The first of many words, for what people read: ``"hips, spine, chest ... (31)"``.

    Parameters
    ----------
    words : sequence of str
        All the words.
    most : int, optional
        Number of words that are shown.

    Returns
    -------
    str
        Words with commas between them, and how many there are where some are left out.

    Examples
    --------
    >>> few(["hips", "spine", "chest", "neck"], most=2)
    'hips, spine ... (4)'
    """
    shown = ", ".join(words[:most])
    return shown if len(words) <= most else f"{shown} ... ({len(words)})"


def restore_read_only(self: Any, state: dict[str, Any]) -> None:
    """The `__setstate__` of dataclasses whose arrays stay read-only in copies and unpickled.

    Parameters
    ----------
    self : object
        What is restored.
    state : dict of str to object
        Its fields.
    """
    for value in state.values():
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
    self.__dict__.update(state)


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joint tree. At rest every joint's frame has the axes of the world.

    Parameters
    ----------
    names : tuple of str
        Joint names, unique.
    parents : int array of shape (J,)
        Index of each joint's parent; ``parents[0] == -1`` and parents precede children.
    offsets : array of shape (J, 3), metres
        Position of each joint in its parent's frame where the motion does not say otherwise.
    end_parents : int array of shape (E,), optional
        Joints that carry an end site (a tip without rotation, such as a toe or finger tip).
    end_offsets : array of shape (E, 3), metres, optional
        Position of each end site in its joint's frame.

    Raises
    ------
    InvalidInputError
        When the arrays do not describe one tree.

    Examples
    --------
    >>> names = ("shoulder", "elbow", "hand")
    >>> arm = Skeleton(names, [-1, 0, 1], [[0, 1.4, 0], [0.3, 0, 0], [0.25, 0, 0]])
    >>> arm.n_joints, float(np.linalg.norm(arm.offsets[2]))  # the forearm's length, metres
    (3, 0.25)
    """

    names: Annotated[tuple[str, ...], Shape("J")]
    parents: Annotated[Ints, Shape("J"), below("J", -1)]
    offsets: Annotated[Array, Shape("J", 3), LENGTH]
    end_parents: Annotated[Ints, Shape("E"), below("J")] = field(
        default_factory=lambda: np.zeros(0, int)
    )
    end_offsets: Annotated[Array, Shape("E", 3), LENGTH] = field(
        default_factory=lambda: np.zeros((0, 3))
    )
    __setstate__ = restore_read_only

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        kinds = {"parents": int, "offsets": float, "end_parents": int, "end_offsets": float}
        for name, dtype in kinds.items():
            object.__setattr__(self, name, frozen_array(getattr(self, name), dtype))
        n = len(self.names)
        if n == 0:
            raise InvalidInputError("a skeleton needs at least one joint")
        if len(set(self.names)) != n:
            twice = sorted(name for name, count in Counter(self.names).items() if count > 1)
            more = f" and {len(twice) - 20} more" if len(twice) > 20 else ""
            raise InvalidInputError(
                f"joint names must be unique; given more than once: {', '.join(twice[:20])}{more}"
            )
        if self.parents.shape != (n,) or self.offsets.shape != (n, 3):
            raise InvalidInputError(
                f"{n} joints need parents of shape ({n},) and offsets of shape ({n}, 3), "
                f"got {self.parents.shape} and {self.offsets.shape}"
            )
        above, own = self.parents[1:], np.arange(1, n)
        if self.parents[0] != -1 or np.any((above < 0) | (above >= own)):
            raise InvalidInputError(
                "parents must precede children, with parents[0] == -1 as the only root"
            )
        if self.end_offsets.shape != (len(self.end_parents), 3):
            raise InvalidInputError("end_offsets must have one row of 3 per entry of end_parents")
        if np.any((self.end_parents < 0) | (self.end_parents >= n)):
            raise InvalidInputError("end_parents must name joints of the skeleton")

    def __repr__(self) -> str:
        ends = f", {len(self.end_parents)} end sites" if len(self.end_parents) else ""
        return f"<Skeleton: {self.n_joints} joints{ends}: {few(self.names)}>"

    @property
    def n_joints(self) -> int:
        """Number of joints J."""
        return len(self.names)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Children of every joint, in order.

        Examples
        --------
        >>> arm.children
        ((1,), (2,), ())
        """
        found: list[list[int]] = [[] for _ in self.names]
        for j, p in enumerate(self.parents):
            if p >= 0:
                found[p].append(j)
        return tuple(map(tuple, found))

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """Number of joints above each joint.

        Examples
        --------
        >>> arm.depths
        (0, 1, 2)
        """
        found: list[int] = []
        for p in self.parents.tolist():
            found.append(found[p] + 1 if p >= 0 else 0)
        return tuple(found)

    def index(self, name: str) -> int:
        """Index of a joint by name.

        Parameters
        ----------
        name : str
            Exactly as in `names`.

        Returns
        -------
        int
            Its place in `names`.

        Raises
        ------
        UnknownJointError
            When there is no such joint; the message lists the nearest names.

        Examples
        --------
        >>> arm.index("hand")
        2
        """
        try:
            return self.names.index(name)
        except ValueError:
            raise UnknownJointError(name, self.names) from None

    def chain(self, joint: int) -> tuple[int, ...]:
        """Joints from the root down to `joint`, both included.

        Examples
        --------
        >>> arm.chain(2)
        (0, 1, 2)
        """
        path = []
        while joint >= 0:
            path.append(int(joint))
            joint = int(self.parents[joint])
        return tuple(reversed(path))

    def descendants(self, joint: int) -> tuple[int, ...]:
        """`joint` and every joint below it, in order.

        Examples
        --------
        >>> arm.descendants(1)
        (1, 2)
        """
        inside = {joint}
        for j in range(joint + 1, self.n_joints):
            if int(self.parents[j]) in inside:
                inside.add(j)
        return tuple(sorted(inside))

    def has_topology_of(self, other: Skeleton) -> bool:
        """Whether both have the same joint names and parents (bone lengths may differ).

        Examples
        --------
        >>> longer = Skeleton(arm.names, arm.parents, 1.1 * arm.offsets)
        >>> arm.has_topology_of(longer), arm.matches(longer)
        (True, False)
        """
        return self.names == other.names and np.array_equal(self.parents, other.parents)

    def matches(self, other: Skeleton, tolerance: float = 1e-3) -> bool:
        """Whether both have the same joints and, within `tolerance` metres, the same bones.

        The root's offset is no bone and does not count: motions say where the root is.

        Parameters
        ----------
        other : Skeleton
            What to compare with.
        tolerance : float, metres, optional
            Largest difference of a component of an offset.

        Returns
        -------
        bool
            Also False when names or parents differ.

        Examples
        --------
        >>> arm.matches(Skeleton(arm.names, arm.parents, arm.offsets + 0.0005))  # within 1 mm
        True
        """
        return self.has_topology_of(other) and bool(
            np.allclose(self.offsets[1:], other.offsets[1:], atol=tolerance, rtol=0)
        )
