"""What the compiled solver is given: the tree and all that is asked of it, as arrays."""

from __future__ import annotations

from typing import NamedTuple

from motionloom.typing import Array, Bools, Ints


class Tree(NamedTuple):
    """Links L with `parents`, `offsets` (L, 3), resting `turns` (L, 3, 3) and `axes` (L, 3);
    hinge h turns the links that have it in `above` (L, H) between `low` and `high` (H,), no faster
    than `fastest` radians a frame.
    """

    parents: Ints
    offsets: Array
    turns: Array
    axes: Array
    above: Bools
    low: Array
    high: Array
    fastest: float


class Points(NamedTuple):
    """Points `local` (K, 3) on `links` with `goals` (T, K, 3), and their compliance `give`
    (T, K, 3) along each axis; negative where nothing is asked.
    """

    links: Ints
    local: Array
    goals: Array
    give: Array


class Directions(NamedTuple):
    """Unit vectors `local` (D, 3) on `links` with `goals` (T, D, 3) and `weights` (T, D)."""

    links: Ints
    local: Array
    goals: Array
    weights: Array


class Balls(NamedTuple):
    """Spheres at `local` (B, 3) on `links` with `radii` that stay above height 0, up to `give`
    (T,); negative in frames without a floor.
    """

    links: Ints
    local: Array
    radii: Array
    give: Array


class Posture(NamedTuple):
    """Angles `goals` (T, H) that are preferred with `weights` (H,), NaN for those of the frame
    before; `damping` of a step.
    """

    goals: Array
    weights: Array
    damping: float


class Start(NamedTuple):
    """Where frames begin: base `places` (S, 3), `turns` (S, 3, 3), `angles` (S, H); of the first
    frame only (S = 1), each next one from the one before, or of all.

    Where limbs may be stuck, `afresh` (H,) are angles that they are tried from again.
    """

    places: Array
    turns: Array
    angles: Array
    afresh: Array
