"""Smooth curves that keep above bounds."""

from __future__ import annotations

import numpy as np

from motionloom.edit.banded import bands, solve
from motionloom.typing import Array

#: Weight of a bound that is broken, against one place's.
WALL = 1e2
#: Most rounds in which bounds are found to be broken or not, and of those that let go in bulk.
ROUNDS, BULK = 240, 20


def curve_above(
    lowest: Array, place: Array, bend: float, base: Array | None = None, share: Array | None = None
) -> Array:
    """Smoothest curve near 0 that is nowhere below a bound.

    Least squares of the curve and of its second differences; where the bound is broken it pulls,
    and which frames those are is found in rounds (an active set).

    Parameters
    ----------
    lowest : array of shape (T,)
        The bound; minus infinity where there is none.
    place : array of shape (T,)
        Weight of the curve's own square in every frame.
    bend : float
        Weight of its second differences.
    base : array of shape (T,), optional
        What the curve is added to: with it, the sum is made smooth where `share` says so.
    share : array of shape (T,), optional
        How far the base counts in every frame, 0 to 1.

    Returns
    -------
    array of shape (T,)
        In the unit of `lowest`; 0 where 0 is nowhere below and no base counts.
    """
    curve = np.zeros(len(lowest))
    held = lowest > 0
    wanted: Array = np.where(np.isfinite(lowest), lowest, 0.0)
    none = np.zeros(len(lowest) - 1)
    pull = np.zeros(len(lowest))
    if base is not None and share is not None:
        turned = bend * share[1:-1] * np.diff(base, 2)
        for i, part in enumerate((1.0, -2.0, 1.0)):
            pull[i : len(pull) - 2 + i] -= part * turned
    for k in range(ROUNDS if held.any() or np.any(pull) else 0):
        wall = WALL * (1.0 + bend) * held
        curve = solve(bands(place + wall, none, bend), wall * wanted + pull)
        # What would hold down is let go: at first all of it, then the worst alone, in the end
        # nothing, or it might go on for ever.
        down = held & (curve >= lowest + 1e-9)
        if k >= BULK and down.any():
            worst = int(np.argmax(np.where(down, curve - wanted, -np.inf)))
            down = (np.arange(len(held)) == worst) & (k < ROUNDS - BULK)
        now = (lowest > curve) | (held & ~down)
        if np.array_equal(now, held):
            break
        held = now
    return curve
