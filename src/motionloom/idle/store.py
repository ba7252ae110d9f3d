"""Idle models on disk."""

from __future__ import annotations

from os import PathLike

import numpy as np

from motionloom.idle._variations import NoiseVariation
from motionloom.idle.learning.posture_space import PostureSpace
from motionloom.idle.learning.spans import CATEGORIES
from motionloom.idle.model import IdleModel
from motionloom.io.records import FileKind, load, save
from motionloom.io.stored import Fault
from motionloom.roles import check_roles


def save_idle(model: IdleModel, path: str | PathLike[str]) -> None:
    """Write an idle model to an ``.npz`` file.

    Parameters
    ----------
    model : IdleModel
        What is kept.
    path : path-like
        The ``.npz`` file; it is replaced as a whole.
    """
    save(path, model, IDLE_MODEL)


def load_idle(path: str | PathLike[str]) -> IdleModel:
    """Read an idle model.

    Parameters
    ----------
    path : path-like
        The ``.npz`` file.

    Returns
    -------
    IdleModel

    Raises
    ------
    FormatError
        When there is no such file, it is no idle model of this version, or it holds what no idle
        model can hold.
    """
    return load(path, IDLE_MODEL)


def _check(model: IdleModel) -> None:
    _check_space(model.space)
    if not model.rests:
        raise Fault("nobody rests in it")
    for shift in model.shifts:
        if shift.n_frames < 2 or (shift.feet is None) != (shift.turns is None):
            raise Fault("a shift has too few frames, or feet without rotations")
    present = {rest.category for rest in model.rests}
    for row, category in zip(model.transitions, CATEGORIES, strict=True):
        reached = {c for c, chance in zip(CATEGORIES, row, strict=True) if chance > 0}
        if category in present and (abs(row.sum() - 1.0) > 1e-9 or not reached <= present):
            raise Fault("its transitions lead nowhere")
    _check_variations(model.variations)


def _check_space(space: PostureSpace) -> None:
    check_roles(space.roles, space.coordinates.skeleton)
    if not {"left_foot", "right_foot"} <= space.roles.joints.keys():
        raise Fault("its body has no feet")
    count, size = space.components.shape
    if space.coordinates.translated != (0,) or size != space.coordinates.size:
        raise Fault("its components are not of its joints")
    gram = space.components @ space.components.T
    if count < 1 or np.abs(gram - np.eye(count)).max() > 1e-6:
        raise Fault("its components are not orthonormal")
    if not space.energy[0] > 0 or (np.diff(space.energy) > 0).any():
        raise Fault("its components are not in order")


def _check_variations(variations: NoiseVariation) -> None:
    filters = variations.filters
    ends = variations.ends
    if filters.shape[1] < 2 or not (filters[:, 0] == 1.0).all():
        raise Fault("its variations are filtered by none")
    if len(ends) == 0 or ends[-1] != len(variations.drive) or (np.diff(ends) <= 0).any():
        raise Fault("its variations are not in order")
    for taps in filters:
        if np.abs(np.roots(taps)).max(initial=0.0) >= 1.0:
            raise Fault("its variations grow without end")


IDLE_MODEL = FileKind(
    record=IdleModel,
    name="idle model",
    version=3,
    again="fit one with 'motionloom idle fit'",
    check=_check,
)
