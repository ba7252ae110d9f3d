"""How a file of nodes is written: its unit, its axes, and the pose in which bodies are bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.io.units import axes_to_y_up, check_unit

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FileStyle:
    """Unit, axes and rest pose of a file.

    Parameters
    ----------
    unit : float, metres
        Length of the file's unit.
    back : array of shape (3, 3)
        Brings our axes to the file's.
    rest : str, optional
        Pose in which skeleton and mesh are bound, as of `find_rest_pose`.
    """

    unit: float
    back: Array
    rest: str | None

    @property
    def turn(self) -> Array:
        """Turns our axes to the file's, as a quaternion."""
        return rot.from_matrix(self.back)


def file_style(
    unit: float | str | None, up: str | None, rest: str | None, *, usual: float
) -> FileStyle:
    """Style of a file by what was asked for.

    Parameters
    ----------
    unit : float or str, metres, optional
        Length of the file's unit.
    up : str, optional
        The file's up axis; otherwise Y.
    rest : str, optional
        The pose in which bodies are bound.
    usual : float, metres
        The unit where none is asked for.

    Returns
    -------
    FileStyle

    Raises
    ------
    InvalidInputError
        When unit or axis cannot be used.
    """
    return FileStyle(check_unit(usual if unit is None else unit), axes_to_y_up(up or "y").T, rest)
