"""Who stands before, between and after walking is alive: sways, breathes, looks about a little.

Strides that differ as a person's do: no two cycles of a gait are copies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.curves import hann_average, smoothstep
from motionloom.gait.cycle import GaitCycle
from motionloom.gait.path._lay import GaitPlan, Laid
from motionloom.gait.path.tables.table import GaitTable, world_of
from motionloom.typing import Array, Ints

#: Up to this speed a body sways less and less, metres per second; swaying grows and dies away over
#: this time, seconds.
STILL_SPEED, GROWS = 0.25, 1.2
#: Standard deviation of the hips' sway from side to side and ahead, metres: quiet standing.
SWAY = (0.004, 0.006)
#: Sway is made of waves between these frequencies, Hz, the slower the larger.
SWAY_BAND = (0.08, 0.7)
#: Standard deviations of slow turns, radians, by role: neither an arm nor a head is held still.
DRIFTS = {
    "spine": 0.008,
    "chest": 0.008,
    "neck": 0.015,
    "head": 0.025,
    "left_shoulder": 0.015,
    "right_shoulder": 0.015,
    "left_elbow": 0.02,
    "right_elbow": 0.02,
}
DRIFT_BAND = (0.04, 0.35)
#: Breathing: breaths per second, and how far the chest turns back with each, radians.
BREATHS, BREATH_TURN = 0.25, 0.01
#: Waves that a signal is made of.
WAVES = 6


def sway_standing(laid: Laid, plan: GaitPlan, seed: int | None = None) -> Laid:
    """Let a body live where it stands; its feet stay, and nothing changes where it walks.

    Parameters
    ----------
    laid : Laid
        Poses on their way.
    plan : GaitPlan
        With speeds and the body.
    seed : int, optional
        Of what is drawn; 0 when not given.

    Returns
    -------
    Laid
    """
    way = plan.way
    amount = standing_share(way.speeds, way.fps)
    if amount.max() <= 0.0:
        return laid
    rng = np.random.default_rng(0 if seed is None else seed)
    times = np.arange(way.n_frames) / way.fps
    rotations = laid.rotations.copy()
    body = plan.table.body
    # As a stick that is hinged at the ankles.
    moved = amount[:, None] * np.column_stack([s * waves(rng, times, SWAY_BAND) for s in SWAY])
    facing = way.stand.quaternion
    shift = rot.rotate(facing, np.column_stack([moved[:, 0], 0.0 * times, moved[:, 1]]))
    tilt = np.column_stack([moved[:, 1], 0.0 * times, -moved[:, 0]]) / body.hip_height
    tilted = rot.multiply(facing, rot.multiply(rot.from_rotvec(tilt), rot.conjugate(facing)))
    rotations[:, body.root] = rot.multiply(tilted, rotations[:, body.root])
    for role, size in DRIFTS.items():
        joint = body.roles.joint(role)
        drawn = np.column_stack([size * waves(rng, times, DRIFT_BAND) for _ in range(3)])
        if joint is not None and joint != body.root:
            turn = rot.from_rotvec(amount[:, None] * drawn)
            rotations[:, joint] = rot.multiply(rotations[:, joint], turn)
    _breathe(rotations, amount, times, plan.table, float(rng.uniform(0.0, 1.0)))
    return replace(laid, rotations=rotations, places=laid.places + shift)


def standing_share(speeds: Array, fps: float) -> Array:
    """How much a body stands, from 0 to 1, changing gently, shape (T,)."""
    stands = np.clip(1.0 - speeds / STILL_SPEED, 0.0, 1.0)
    # A step that begins is not swayed away from.
    return hann_average(stands, max(1, round(0.5 * GROWS * fps))) * stands


def waves(rng: np.random.Generator, times: Array, band: tuple[float, float]) -> Array:
    """A smooth random signal of mean square 1.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws frequencies and phases.
    times : array of shape (T,), seconds
        When.
    band : tuple of float, Hz
        Slowest and fastest wave; amplitudes fall with the root of frequency.

    Returns
    -------
    array of shape (T,)
    """
    edges = np.geomspace(*band, WAVES + 1)
    frequencies = rng.uniform(edges[:-1], edges[1:])
    sizes = 1.0 / np.sqrt(frequencies)
    sizes *= np.sqrt(2.0 / (sizes**2).sum())
    phases = rng.uniform(0.0, 2.0 * np.pi, WAVES)
    return np.sin(2.0 * np.pi * np.outer(times, frequencies) + phases) @ sizes


def _breathe(rotations: Array, amount: Array, times: Array, table: GaitTable, begin: float) -> None:
    """Turn the chest back and forth about the axis from side to side; the neck makes up for it."""
    body = table.body
    chest = body.roles.joint("chest")
    neck = body.roles.joint("neck")
    if chest is None or chest == body.root:
        return
    # Breathing in is quicker than breathing out.
    phase = BREATHS * times + begin
    breath = amount * BREATH_TURN * np.sin(2.0 * np.pi * phase + 0.4 * np.sin(2.0 * np.pi * phase))
    standing = world_of(body, table.rotations[0, :1], table.deviations[0, :1]).rotations[0]
    for joint, share in ((chest, -1.0), (neck, 0.7)):
        if joint is not None:
            axis = rot.rotate(rot.conjugate(standing[joint]), np.array([1.0, 0.0, 0.0]))
            turn = rot.from_rotvec(share * breath[:, None] * axis)
            rotations[:, joint] = rot.multiply(rotations[:, joint], turn)


#: Up to this speed strides differ less and less: who stands does not, metres per second.
VARIED_SPEED = 0.6


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
    moving = way.speeds[way.speeds > VARIED_SPEED]
    if not len(moving):
        return laid
    rng = np.random.default_rng(seed)
    mean = ask(float(moving.mean()), None)
    drawn = [_difference(mean, ask(mean.speed, rng)) for _ in range(int(number[-1]) - first + 2)]
    turns, moves = (np.stack(own) for own in zip(*drawn, strict=True))
    part = way.phases - number
    amount = np.clip(way.speeds / VARIED_SPEED, 0.0, 1.0)
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
    return (1.0 - over) * drawn[number, before % n] + over * drawn[number, (before + 1) % n]


def _difference(mean: GaitCycle, other: GaitCycle) -> tuple[Array, Array]:
    """Rotation vectors (N, J, 3) and moves of the root (N, 3) from one cycle to another."""
    turn = rot.to_rotvec(rot.multiply(rot.conjugate(mean.rotations), other.rotations))
    return turn, other.deviations - mean.deviations
