"""MarkerModel: a skeleton with markers on it, what calibration makes and tracking needs.

Marker models on disk.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from motionloom.declared import Range, Shape, below
from motionloom.errors import InvalidInputError
from motionloom.io.records import FileKind, load, save
from motionloom.roles import Roles, check_roles
from motionloom.skeleton import Skeleton, frozen_array, restore_read_only
from motionloom.typing import Array, Bools


@dataclass(frozen=True, eq=False)
class MarkerModel:
    """A skeleton and where its markers sit.

    Parameters
    ----------
    skeleton : Skeleton
        Joints and constant bone lengths, metres.
    roles : Roles
        Which joint plays which part of the body.
    labels : tuple of str
        Names of the M markers, as the trial has them.
    joints : int array of shape (M,)
        Joint that each marker moves with.
    offsets : array of shape (M, 3), metres
        Place of each marker in the frame of its joint.
    scatter : array of shape (M,), metres
        Standard deviation of a marker about its place, soft tissue and camera together.
    marker_set : str
        Name of the prototype that told which segment a marker sits on.
    spread : array of shape (J, 3), radians, optional
        How far each joint usually turns from rest: standard deviation of a weak prior on its
        rotation vector, along the axes of its parent. Infinite where nothing is assumed (as for
        all joints when not given), 0 for a joint that never turns.
    """

    skeleton: Skeleton
    roles: Roles
    labels: Annotated[tuple[str, ...], Shape("M")]
    joints: Annotated[NDArray[np.intp], Shape("M"), below("J"), np.dtype(np.int64)]
    offsets: Annotated[Array, Shape("M", 3), Range(-1e3, 1e3, "m")]
    scatter: Annotated[Array, Shape("M"), Range(0, 1e3, "m")]
    marker_set: str = ""
    spread: Annotated[Array, Shape("J", 3), Range(0, np.inf)] | None = None
    __setstate__ = restore_read_only

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))
        for name, kind in (("joints", np.intp), ("offsets", float), ("scatter", float)):
            object.__setattr__(self, name, frozen_array(getattr(self, name), kind))
        n = len(self.labels)
        shapes = (self.joints.shape, self.offsets.shape, self.scatter.shape)
        if shapes != ((n,), (n, 3), (n,)):
            raise InvalidInputError(
                f"{n} markers need joints of shape ({n},), offsets of shape ({n}, 3) and scatter "
                f"of shape ({n},), got {shapes}"
            )
        j = self.skeleton.n_joints
        if n and not (self.joints.min() >= 0 and self.joints.max() < j):
            raise InvalidInputError("joints of markers must be joints of the skeleton")
        spread = np.full((j, 3), np.inf) if self.spread is None else self.spread
        object.__setattr__(self, "spread", frozen_array(spread))
        if self.spreads.shape != (j, 3) or not (self.spreads >= 0).all():
            raise InvalidInputError(f"spread must be a ({j}, 3) array of numbers not below 0")

    @property
    def spreads(self) -> Array:
        """`spread`, which is never None once the model is made."""
        assert self.spread is not None
        return self.spread

    @property
    def turning(self) -> Bools:
        """Joints that turn, shape (J,)."""
        return np.asarray((self.spreads > 0).any(axis=1))


def save_marker_model(model: MarkerModel, path: str | PathLike[str]) -> None:
    """Write a marker model to an ``.npz`` file.

    Parameters
    ----------
    model : MarkerModel
        What is kept.
    path : path-like
        The ``.npz`` file; it is replaced as a whole.
    """
    save(path, model, MARKER_MODEL)


def load_marker_model(path: str | PathLike[str]) -> MarkerModel:
    """Read a marker model.

    Raises
    ------
    FormatError
        When there is no such file, it is no such model of this version, or it holds what no model
        can hold.
    """
    return load(path, MARKER_MODEL)


MARKER_MODEL = FileKind(
    record=MarkerModel,
    name="marker model",
    version=2,
    again="calibrate again with 'motionloom fit -o MODEL.npz'",
    check=lambda model: check_roles(model.roles, model.skeleton),
)
