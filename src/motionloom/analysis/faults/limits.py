"""What clips do at most: the limits that a motion made of them is judged by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.faults.signals import (
    airborne,
    fastest_near,
    flights,
    frame_accelerations,
    glide_speed,
    hand_lead,
    hand_speeds,
    speed_changes,
    spot_turn,
    step_changes,
    waits,
)
from motionloom.analysis.gaits import GAITS, gaits_of
from motionloom.curves import runs_of
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools, Ints

#: A gait of which the clips show less than this, seconds, is judged by all gaits.
LEAST_SHOWN = 1.0
#: Share of the frames of somebody who stands in which a hand is slower than a fidgeting one.
CALM = 0.95
#: A hand that is faster than this does something, whatever the clips show: leg lengths a second.
BUSY = 0.6
#: Share of the clips whose hands swing no faster beside their pace.
SWING = 0.9
#: Who turns less than this on the spot goes no loop, whatever the clips show: degrees.
LEAST_SPIN = 300.0


@dataclass(frozen=True)
class MovementLimits:
    """What clips do at most, all together.

    Parameters
    ----------
    change : tuple of float, metres per second
        By how much the hips' speed changes within 0.3 s, by gait; of all gaits where the clips
        hardly show one.
    step : float, metres per second
        By how much the mean speed before and after a step differ.
    airborne : float, seconds
        How long no foot is on the ground.
    glide : tuple of float, metres per second
        How fast the body glides on the ground, by gait in the same way.
    acceleration : tuple of float, metres per second squared
        99.5th percentile over all joints and frames of a gait; of all gaits where the clips hardly
        show one.
    hands : float or None, metres per second
        Hands of those who stand are slower in 95 % of the frames, and never faster than 0.6 leg
        lengths a second: clips may be full of gestures; None where nobody stands.
    leg : float, metres
        Length of a leg.
    flight : float, seconds
        Half of the clips are no longer in the air unless they run.
    swing : tuple of float, metres per second
        Nine of ten clips' hands are faster than their bodies by no more, by gait; of all gaits
        where the clips hardly show one.
    spin : float, degrees
        Half of the clips turn no further on the spot; 300 at least.
    """

    change: tuple[float, ...]
    step: float
    airborne: float
    glide: tuple[float, ...]
    acceleration: tuple[float, ...]
    hands: float | None
    leg: float
    flight: float
    swing: tuple[float, ...]
    spin: float


def measure_limits(
    motions: Sequence[PosedMotion], contacts: Sequence[FootContacts]
) -> MovementLimits:
    """Measure what some clips do at most.

    Parameters
    ----------
    motions : sequence of PosedMotion
        At least one.
    contacts : sequence of FootContacts
        One per motion, with the same soles.

    Returns
    -------
    MovementLimits
    """
    pairs = list(zip(motions, contacts, strict=True))
    leg = contacts[0].soles.leg
    changes = [
        (np.abs(change), gaits_of(near, leg)) for change, near in map(speed_changes, motions)
    ]
    shown = [
        np.bincount(gaits, minlength=len(GAITS)) / posed.fps
        for posed, (_, gaits) in zip(motions, changes, strict=True)
    ]
    rare = np.sum(shown, axis=0) < LEAST_SHOWN
    hands = np.concatenate([_idle_hands(posed, leg) for posed in motions])
    return MovementLimits(
        change=_by_gait(changes, rare),
        step=max(_largest_step(posed) for posed in motions),
        airborne=max(_longest(airborne(own)) / posed.fps for posed, own in pairs),
        glide=_by_gait([glide_speed(posed, own) for posed, own in pairs], rare),
        acceleration=_accelerations(motions, leg, rare),
        hands=min(float(np.quantile(hands, CALM)), BUSY * leg) if len(hands) else None,
        leg=leg,
        flight=float(np.median([_longest(flights(p, own)) / p.fps for p, own in pairs])),
        swing=_pool_swing([_swing(posed, leg) for posed in motions]),
        spin=max(float(np.median([spot_turn(p.body, p.fps)[0] for p in motions])), LEAST_SPIN),
    )


def _by_gait(values: Sequence[tuple[Array, Ints]], rare: Bools) -> tuple[float, ...]:
    """Largest value of every gait, given the clips' values with their gaits; of all where it is
    rare.
    """
    kinds = range(len(GAITS))
    most = np.array([max(v[gaits == k].max(initial=0.0) for v, gaits in values) for k in kinds])
    return tuple(np.where(rare, most.max(), most).tolist())


def _largest_step(posed: PosedMotion) -> float:
    before, after, _ = step_changes(posed)
    return float(np.abs(after - before).max(initial=0.0))


def _longest(states: Bools) -> int:
    """Most frames on end in which it is so."""
    return max((b - a for a, b in runs_of(states)), default=0)


def _idle_hands(posed: PosedMotion, leg: float) -> Array:
    """Speed of the faster hand in every frame in which the body goes nowhere, shape (N,)."""
    speeds = list(hand_speeds(posed).values())
    return np.max(speeds, axis=0)[waits(posed, leg)] if speeds else np.zeros(0)


def _accelerations(motions: Sequence[PosedMotion], leg: float, rare: Bools) -> tuple[float, ...]:
    """99.5th percentile of every gait; of all where it is rare."""
    own = [frame_accelerations(posed, leg) for posed in motions]
    shown = [
        np.concatenate([a[gait == g].ravel().astype(np.float32) for a, gait in own])
        for g in range(len(GAITS))
    ]
    kinds = [np.concatenate(shown) if r else a for r, a in zip(rare, shown, strict=True)]
    return tuple(float(np.quantile(a, 0.995)) if len(a) else 0.0 for a in kinds)


def _swing(posed: PosedMotion, leg: float) -> tuple[float, ...]:
    """Largest lead of a hand over the pace in every gait; NaN for one that is not shown."""
    leads = list(hand_lead(posed).values())
    gaits = gaits_of(fastest_near(posed), leg)
    shown = [np.array(leads)[:, gaits == g] if leads else np.zeros(0) for g in range(len(GAITS))]
    return tuple(float(own.max()) if own.size else np.nan for own in shown)


def _pool_swing(swings: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """Quantile over the clips that show a gait; over all clips where none does."""
    known = np.array(swings)
    every = known[np.isfinite(known)]
    if len(every) == 0:
        return (np.inf,) * len(GAITS)
    kinds = [column[np.isfinite(column)] for column in known.T]
    return tuple(float(np.quantile(k if len(k) else every, SWING)) for k in kinds)
