"""What clips do at most: the limits that a motion made of them is judged by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.faults.fault import spans_of
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
from motionloom.posed_motion import PosedMotion

Array = NDArray[np.float64]

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


@dataclass(frozen=True, eq=False)
class Moves:
    """What one clip does at most.

    Parameters
    ----------
    change : tuple of float, metres per second
        By how much the hips' speed changes within 0.3 s, by gait.
    shown : tuple of float, seconds
        How long each gait is shown.
    step : float, metres per second
        By how much the mean speed before and after a step differ.
    airborne : float, seconds
        How long no foot is on the ground.
    glide : tuple of float, metres per second
        How fast the body glides on the ground, by gait.
    accelerations : tuple of array, metres per second squared
        Of all joints and frames, by gait.
    hands : array of shape (N,), metres per second
        Speed of the faster hand in every frame in which the body goes nowhere.
    flight : float, seconds
        How long the body is in the air while it does not run.
    swing : tuple of float, metres per second
        By how much hands are faster than the body goes, by gait; NaN for one that is not shown.
    spin : float, degrees
        How far it turns to one side on the spot.
    """

    change: tuple[float, ...]
    shown: tuple[float, ...]
    step: float
    airborne: float
    glide: tuple[float, ...]
    accelerations: tuple[Array, ...]
    hands: Array
    flight: float
    swing: tuple[float, ...]
    spin: float


@dataclass(frozen=True)
class MovementLimits:
    """What clips do at most, all together; see `Moves`.

    Parameters
    ----------
    change : tuple of float, metres per second
        By gait; of all gaits where the clips hardly show one.
    step : float, metres per second
    airborne : float, seconds
    glide : tuple of float, metres per second
        By gait, in the same way.
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


def measure_moves(posed: PosedMotion, contacts: FootContacts) -> Moves:
    """Measure what one clip does at most.

    Parameters
    ----------
    posed : PosedMotion
    contacts : FootContacts
        Of this clip.
    """
    leg = contacts.soles.leg
    change, near = speed_changes(posed)
    gaits = gaits_of(near, leg)
    own, gait = frame_accelerations(posed, leg)
    before, after, _ = step_changes(posed)
    fastest = list(hand_speeds(posed).values())
    still = waits(posed, leg)
    jumps = spans_of(flights(posed, contacts))
    return Moves(
        change=_most(np.abs(change), gaits),
        shown=tuple(float((gaits == g).sum()) / posed.fps for g in range(len(GAITS))),
        step=float(np.abs(after - before).max(initial=0.0)),
        airborne=max((b - a for a, b in spans_of(airborne(contacts))), default=0) / posed.fps,
        glide=_most(*glide_speed(posed, contacts)),
        accelerations=tuple(own[gait == g].ravel().astype(np.float32) for g in range(len(GAITS))),
        hands=np.max(fastest, axis=0)[still] if fastest else np.zeros(0),
        flight=max((b - a for a, b in jumps), default=0) / posed.fps,
        swing=_swing(posed, leg),
        spin=spot_turn(posed.body, posed.fps)[0],
    )


def pool_moves(moves: Sequence[Moves], leg: float) -> MovementLimits:
    """Limits of several clips together.

    Parameters
    ----------
    moves : sequence of Moves
        At least one.
    leg : float, metres
        Length of a leg.
    """
    rare = np.sum([m.shown for m in moves], axis=0) < LEAST_SHOWN

    def by_gait(values: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
        most = np.max(values, axis=0)
        return tuple(float(v) for v in np.where(rare, most.max(), most))

    shown = [np.concatenate([m.accelerations[g] for m in moves]) for g in range(len(GAITS))]
    kinds = [np.concatenate(shown) if r else a for r, a in zip(rare, shown, strict=True)]
    hands = np.concatenate([m.hands for m in moves])
    return MovementLimits(
        change=by_gait([m.change for m in moves]),
        step=max(m.step for m in moves),
        airborne=max(m.airborne for m in moves),
        glide=by_gait([m.glide for m in moves]),
        acceleration=tuple(float(np.quantile(a, 0.995)) if len(a) else 0.0 for a in kinds),
        hands=min(float(np.quantile(hands, CALM)), BUSY * leg) if len(hands) else None,
        leg=leg,
        flight=float(np.median([m.flight for m in moves])),
        swing=_pool_swing([m.swing for m in moves]),
        spin=max(float(np.median([m.spin for m in moves])), LEAST_SPIN),
    )


def _swing(posed: PosedMotion, leg: float) -> tuple[float, ...]:
    """Largest lead of a hand over the pace in every gait; NaN for one that is not shown."""
    leads = list(hand_lead(posed).values())
    gaits = gaits_of(fastest_near(posed), leg)
    shown = [bool(leads) and bool((gaits == g).any()) for g in range(len(GAITS))]
    lead = np.max(leads, axis=0) if leads else np.zeros(0)
    return tuple(float(lead[gaits == g].max()) if s else np.nan for g, s in enumerate(shown))


def _pool_swing(swings: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """Quantile over the clips that show a gait; over all clips where none does."""
    known = np.array(swings)
    every = known[np.isfinite(known)]
    if len(every) == 0:
        return (np.inf,) * len(GAITS)
    kinds = [column[np.isfinite(column)] for column in known.T]
    return tuple(float(np.quantile(k if len(k) else every, SWING)) for k in kinds)


def _most(values: Array, gaits: NDArray[np.int64]) -> tuple[float, ...]:
    """Largest value of every gait; 0 for one that is not shown."""
    return tuple(float(values[gaits == g].max(initial=0.0)) for g in range(len(GAITS)))
