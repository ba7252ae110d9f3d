"""Quaternions of whole tables of Euler angles, in one compiled pass."""

from __future__ import annotations

import numpy as np

from motionloom.compiling import full_kernel


@full_kernel()
def fill(values, columns, axes, quaternions):  # pragma: no cover - compiled
    """Fill `quaternions`; the rest is what `quaternions_of_table` was given."""
    half_degree = np.pi / 360.0
    for t in range(len(values)):
        for j in range(len(columns)):
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            for k in range(3):
                if columns[j, k] < 0:
                    break
                half = half_degree * values[t, columns[j, k]]
                c, s = np.cos(half), np.sin(half)
                axis = axes[j, k]
                if axis == 0:
                    w, x, y, z = c * w - s * x, c * x + s * w, c * y + s * z, c * z - s * y
                elif axis == 1:
                    w, x, y, z = c * w - s * y, c * x - s * z, c * y + s * w, c * z + s * x
                else:
                    w, x, y, z = c * w - s * z, c * x + s * y, c * y - s * x, c * z + s * w
            quaternions[t, j, 0], quaternions[t, j, 1] = w, x
            quaternions[t, j, 2], quaternions[t, j, 3] = y, z
