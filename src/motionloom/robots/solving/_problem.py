"""What the compiled solver is given: limits and all that is asked, as arrays."""

from __future__ import annotations

from typing import NamedTuple

from motionloom.typing import Array, Ints


class Limits(NamedTuple):
    """Least and largest numbers of a pose, `low` and `high` (P,), and by how much they change in a
    frame at most, `fastest` (P,). The first six are those of the base: its place, and no turn.
    """

    low: Array
    high: Array
    fastest: Array


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
    """Where frames begin: `numbers` (S, P) and `turns` (S, 3, 3) of the base; of the first frame
    only (S = 1), each next one from the one before, or of all.

    Where limbs may be stuck, `afresh` (H,) are angles that they are tried from again.
    """

    numbers: Array
    turns: Array
    afresh: Array
