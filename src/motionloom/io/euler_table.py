"""Quaternions of whole tables of Euler angles."""

from __future__ import annotations

import math

import numpy as np

from motionloom.typing import Array, Ints

#: Numbers of a small table: compiled code would not be done with loading by then.
_SMALL = 1 << 18


def quaternions_of_table(values: Array, columns: Ints, axes: Ints) -> Array:
    """Quaternions (T, J, 4) of joints with up to three axes, each carried by the turns before.

    Parameters
    ----------
    values : array of shape (T, C), degrees
        Angles among other values.
    columns : int array of shape (J, 3)
        Where each joint's angles are in `values`, in the order of the turns; -1 from the first that
        it lacks.
    axes : int array of shape (J, 3)
        0, 1, 2 for X, Y, Z, likewise.

    Returns
    -------
    array of shape (T, J, 4)
        Unit quaternions (w, x, y, z); the identity for joints without axes.
    """
    quaternions = np.empty((len(values), len(columns), 4))
    if quaternions.size <= _SMALL:
        _fill(values, columns, axes, quaternions)
        return quaternions
    from motionloom.io.euler_kernels import fill

    fill(np.ascontiguousarray(values), columns, axes, quaternions)
    return quaternions


def _fill(
    values: Array,
    columns: Ints,
    axes: Ints,
    quaternions: Array,
) -> None:
    """The same as the compiled pass, to the bit: NumPy's sine and cosine differ in the last one."""
    half_degree = np.pi / 360.0
    for j in range(len(columns)):
        w, x, y, z = np.ones(len(values)), *np.zeros((3, len(values)))
        for column, axis in zip(columns[j], axes[j], strict=True):
            if column < 0:
                break
            halves = (half_degree * values[:, column]).tolist()
            c = np.fromiter(map(math.cos, halves), float, len(halves))
            s = np.fromiter(map(math.sin, halves), float, len(halves))
            if axis == 0:
                w, x, y, z = c * w - s * x, c * x + s * w, c * y + s * z, c * z - s * y
            elif axis == 1:
                w, x, y, z = c * w - s * y, c * x - s * z, c * y + s * w, c * z + s * x
            else:
                w, x, y, z = c * w - s * z, c * x + s * y, c * y - s * x, c * z + s * w
        quaternions[:, j, 0] = w
        quaternions[:, j, 1] = x
        quaternions[:, j, 2] = y
        quaternions[:, j, 3] = z
