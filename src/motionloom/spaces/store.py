"""Pose spaces on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from typing import Annotated

import numpy as np

from motionloom.declared import Range
from motionloom.euler_coordinates import EulerCoordinates
from motionloom.io.records import FileKind, load, save
from motionloom.io.stored import Fault
from motionloom.roles import check_roles
from motionloom.spaces.pose_space import PoseSpace


@dataclass(frozen=True, eq=False)
class StoredPoseSpace:
    """A pose space as a file holds it.

    Parameters
    ----------
    space : PoseSpace
        The space.
    joining : float
        Of `PoseSpace.joining`, which takes long to find.
    """

    space: PoseSpace
    joining: Annotated[float, Range(0, 1)]

    @classmethod
    def of(cls, space: PoseSpace) -> StoredPoseSpace:
        """As a pose space is stored."""
        return cls(space, space.joining)

    def restore(self) -> PoseSpace:
        """The pose space of a file."""
        space = replace(self.space)
        space.__dict__["joining"] = self.joining
        return space


def save_pose_space(space: PoseSpace, path: str | PathLike[str]) -> None:
    """Write a pose space to an ``.npz`` file.

    Parameters
    ----------
    space : PoseSpace
        What is kept, its captured poses included.
    path : path-like
        The ``.npz`` file.

    Examples
    --------
    >>> from motionloom.spaces.pose_space import fit_pose_space
    >>> save_pose_space(fit_pose_space([walk]), "poses.npz")
    >>> load_pose_space("poses.npz").poses.shape[0] == walk.n_frames
    True
    """
    save(path, StoredPoseSpace.of(space), POSE_SPACE)


def load_pose_space(path: str | PathLike[str]) -> PoseSpace:
    """Read a pose space.

    Raises
    ------
    FormatError
        When there is no such file, it is no pose space of this version, or it holds what no pose
        space can hold.

    Examples
    --------
    >>> load_pose_space(demo / "poses.npz").coordinates.skeleton.n_joints
    22
    """
    return load(path, POSE_SPACE).restore()


def check_pose_space(stored: StoredPoseSpace) -> None:
    """Refuse a pose space whose parts do not fit together.

    Parameters
    ----------
    stored : StoredPoseSpace
        From a file.

    Raises
    ------
    Fault
        When they do not.
    """
    space = stored.space
    check_roles(space.roles, space.coordinates.skeleton)
    coordinates = space.coordinates.coordinates
    if isinstance(coordinates, EulerCoordinates) and any(
        len(joint.freedoms) > 6 for joint in coordinates.freedoms
    ):
        raise Fault("a joint has more than six freedoms")
    if space.coordinates.size != len(space.lower) or len(space.lower) == 0:
        raise Fault("its poses are not of its numbers, or none varies")
    ascending = (np.diff(space.trial) >= 0).all() and (space.lower <= space.upper).all()
    if len(space.poses) < 3 or not ascending:
        raise Fault("its poses are not in order")
    _check_segments(space.segments, len(space.lower))
    skeleton = space.coordinates.skeleton
    if len(space.footing.clearance) != skeleton.n_joints + len(skeleton.end_parents):
        raise Fault("its poses stand on no floor")


def _check_segments(segments: Mapping[str, np.ndarray], size: int) -> None:
    for name, columns in segments.items():
        if len(columns) == 0 or (np.diff(columns) <= 0).any():
            raise Fault(f"segment {name!r} is of other numbers than a pose has")
    if len({int(column) for columns in segments.values() for column in columns}) < size:
        raise Fault("its segments leave out a part of the pose")


POSE_SPACE = FileKind(
    record=StoredPoseSpace,
    name="pose space",
    version=4,
    again="fit it again with fit_pose_space",
    check=check_pose_space,
)
