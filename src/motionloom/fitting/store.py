"""Marker models on disk."""

from __future__ import annotations

from os import PathLike

from motionloom.fitting.marker_model import MarkerModel
from motionloom.io.records import FileKind, load, save
from motionloom.roles import check_roles


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
