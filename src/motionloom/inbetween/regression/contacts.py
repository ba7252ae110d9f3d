"""Contacts of the feet over a gap as shares of a few cells of it, so that they can be predicted for
any length.
"""

from __future__ import annotations

import numpy as np

from motionloom.inbetween.regression.curves import cell_table
from motionloom.typing import Array, Bools

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
