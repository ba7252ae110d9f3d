"""Gait spaces on disk."""

from __future__ import annotations

from os import PathLike

from motionloom.gait.cycle import BEHAVIOURS
from motionloom.gait.space.space import GaitSpace
from motionloom.io.records import FileKind, load, save
from motionloom.io.stored import Fault
from motionloom.roles import check_roles


def save_gait(space: GaitSpace, path: str | PathLike[str]) -> None:
    """Write a gait space to an ``.npz`` file.

    Parameters
    ----------
    space : GaitSpace
        What is kept.
    path : path-like
        The ``.npz`` file; it is replaced as a whole.
    """
    save(path, space, GAIT_SPACE)


def load_gait(path: str | PathLike[str]) -> GaitSpace:
    """Read a gait space.

    Parameters
    ----------
    path : path-like
        The ``.npz`` file.

    Returns
    -------
    GaitSpace

    Raises
    ------
    FormatError
        When there is no such file, it is no gait space of this version, or it holds what none can
        hold.
    """
    return load(path, GAIT_SPACE)


def _check(space: GaitSpace) -> None:
    if not space.bodies or not space.spaces or not {*space.spaces} <= {*BEHAVIOURS}:
        raise Fault("it has nobody in it, or an unknown behaviour")
    points = set()
    for body in space.bodies.values():
        check_roles(body.roles, body.skeleton)
        points.add(len(body.soles.points))
    samples, joints = space.coordinates.reference.shape[:2]
    for one in space.spaces.values():
        if not one.line.takes.names or len(one.basis.mean) != samples * (3 * joints + 3):
            raise Fault("its rows are not those of its joints")
        if one.contacts.shape[1] != samples or {one.contacts.shape[2]} != points:
            raise Fault("somebody in it has other soles")


GAIT_SPACE = FileKind(
    record=GaitSpace,
    name="gait space",
    version=2,
    again="fit one with 'motionloom gait fit'",
    check=_check,
)
