"""Strides that differ as a person's do: no two cycles of a gait are copies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.curves import smoothstep
from motionloom.gait.cycle import GaitCycle
from motionloom.gait.path.lay import GaitPlan, Laid
from motionloom.typing import Array, Ints

#: Up to this speed strides differ less and less: who stands does not, metres per second.
GROWS = 0.6


def vary_strides(
    laid: Laid,
    plan: GaitPlan,
    ask: Callable[[float, np.random.Generator | None], GaitCycle],
    seed: int,
) -> Laid:
    """Let strides differ; footprints stay, and the legs follow.

    Every cycle has a difference of its own from the mean; over the cycle it goes over into that of
    the next.

    Parameters
    ----------
    laid : Laid
        Poses on their way.
    plan : GaitPlan
        With the phases.
    ask : function of float and Generator or None
        A cycle at a speed (metres per second), the mean one without a generator.
    seed : int
        Of what is drawn.

    Returns
    -------
    Laid
    """
    way = plan.way
    number = np.floor(way.phases).astype(int)
    first = int(number[0])
    moving = way.speeds[way.speeds > GROWS]
    if not len(moving):
        return laid
    rng = np.random.default_rng(seed)
    mean = ask(float(moving.mean()), None)
    drawn = [_difference(mean, ask(mean.speed, rng)) for _ in range(int(number[-1]) - first + 2)]
    turns = np.stack([turn for turn, _ in drawn])
    moves = np.stack([move for _, move in drawn])
    part = way.phases - number
    amount = np.clip(way.speeds / GROWS, 0.0, 1.0)
    # Smoothly from one cycle's difference to the next one's.
    over = smoothstep(part)
    own = number - first
    shares = ((own, amount * (1.0 - over)), (own + 1, amount * over))
    turned = sum(w[:, None, None] * _within(turns, k, part) for k, w in shares)
    moved = sum(w[:, None] * _within(moves, k, part) for k, w in shares)
    rotations = rot.multiply(laid.rotations, rot.from_rotvec(turned))
    places = laid.places + rot.rotate(way.stand.quaternion, np.asarray(moved))
    return replace(laid, rotations=rotations, places=places)


def _within(drawn: Array, number: Ints, part: Array) -> Array:
    """Differences (K, N, ...) of drawn cycles at parts (T,) of them, linear between samples."""
    n = drawn.shape[1]
    place = part * n
    before = np.floor(place).astype(int)
    over = (place - before).reshape(-1, *[1] * (drawn.ndim - 2))
    mixed: Array = (1.0 - over) * drawn[number, before % n] + over * drawn[number, (before + 1) % n]
    return mixed


def _difference(mean: GaitCycle, other: GaitCycle) -> tuple[Array, Array]:
    """Rotation vectors (N, J, 3) and moves of the root (N, 3) from one cycle to another."""
    turn = rot.to_rotvec(rot.multiply(rot.conjugate(mean.rotations), other.rotations))
    return turn, other.deviations - mean.deviations
