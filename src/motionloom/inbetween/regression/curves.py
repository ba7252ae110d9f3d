"""Curves over a gap that are zero at both ends, told by a few coefficients for any length.

They are sums of half waves, ``sum_k c_k sin(k pi u)`` with u the share of the gap: what a filling
adds to straight ways. Coefficients of short and long gaps are alike, so one model serves all.

Contacts of the feet over a gap as shares of a few cells of it, so that they can be predicted for
any length.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.interpolate import CubicSpline

from motionloom.typing import Array, Bools

#: Half waves of a curve.
WAVES = 8
#: Points at which the curves of gaps of any length are read.
_POINTS = 24

#: Cells of a gap.
CELLS = 12
#: A point is down where at least this share of its cell is.
DOWN = 0.5


def contact_cells(down: Bools) -> Array:
    """Shares of the cells in which points of the soles are down.

    Parameters
    ----------
    down : bool array of shape (B, n, S)
        Whether each of S points is down in the n missing frames of B gaps.

    Returns
    -------
    array of shape (B, S, CELLS)
        Between 0 and 1.
    """
    table = cell_table(down.shape[1], CELLS)
    cells: Array = np.einsum("cn,bns->bsc", table, down.astype(float))
    return cells


def contacts_of_cells(cells: Array, shares: Array) -> Bools:
    """When points are down, from the shares of cells.

    Parameters
    ----------
    cells : array of shape (S, CELLS)
        As predicted.
    shares : array of shape (n,)
        Shares of the gap at which the frames are.

    Returns
    -------
    bool array of shape (n, S)
    """
    centers = (np.arange(CELLS) + 0.5) / CELLS
    found = np.stack([np.interp(shares, centers, own) for own in cells], axis=1)
    down: Bools = found >= DOWN
    return down


def wave_table(shares: Array, waves: int = WAVES) -> Array:
    """Values of the half waves, shape (n, K).

    Parameters
    ----------
    shares : array of shape (n,)
        Shares of the gap, between 0 and 1.
    waves : int
        Number K of half waves.

    Returns
    -------
    array of shape (n, K)
    """
    table: Array = np.sin(np.pi * shares[:, None] * np.arange(1, waves + 1))
    return table


@lru_cache(maxsize=256)
def fit_table(missing: int, waves: int = WAVES) -> Array:
    """Matrix that makes coefficients of a curve's values in the missing frames, shape (K, n).

    Between the frames the curve is a cubic spline.

    Parameters
    ----------
    missing : int
        Frames n.
    waves : int
        Number K of half waves.

    Returns
    -------
    array of shape (K, n)
    """
    frames = np.arange(missing + 2) / (missing + 1)
    points = np.arange(1, _POINTS) / _POINTS
    ends = np.zeros((1, missing))
    values = np.concatenate([ends, np.eye(missing), ends])
    read = CubicSpline(frames, values, bc_type="natural")(points)
    table: Array = (2.0 / _POINTS) * wave_table(points, waves).T @ read
    return table


@lru_cache(maxsize=256)
def cell_table(missing: int, cells: int) -> Array:
    """Matrix that takes means of a curve over equal cells of a gap, shape (cells, n).

    Parameters
    ----------
    missing : int
        Frames n.
    cells : int
        Cells of the gap.

    Returns
    -------
    array of shape (cells, n)
        Weights of the frames, each row with the sum 1.
    """
    edges = np.linspace(0.0, 1.0, cells + 1)
    centers = np.arange(1, missing + 1) / (missing + 1)
    half = 0.5 / (missing + 1)
    low = np.maximum(edges[:-1, None], centers - half)
    high = np.minimum(edges[1:, None], centers + half)
    overlap = np.maximum(high - low, 0.0)
    # A cell before the first or behind the last missing frame shows the nearest one.
    overlap[0, 0] += 1e-9
    overlap[-1, -1] += 1e-9
    near = np.abs((edges[:-1] + edges[1:])[:, None] / 2 - centers)
    overlap[np.arange(cells), near.argmin(axis=1)] += 1e-9
    table: Array = overlap / overlap.sum(axis=1, keepdims=True)
    return table
