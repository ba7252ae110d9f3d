"""Motion spaces on disk."""

from __future__ import annotations

from os import PathLike

import numpy as np

from motionloom.io.records import FileKind, load, save
from motionloom.io.stored import Fault
from motionloom.roles import check_roles
from motionloom.spaces.motion_space.space import MotionSpace


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
