"""Whether a stretch of a motion is better for its correction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from motionloom.motion import Motion
from motionloom.physics.correct.problem import Problem
from motionloom.physics.correct.wrongs import NEAR_FLIGHT, Wrongs
from motionloom.physics.dynamics.state import Smoothing
from motionloom.physics.ground.balance import FRICTION, TOLERANCE, Balance, analyse_balance
from motionloom.physics.quality import FLOATING, long_flights
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools

Span = tuple[int, int]

#: A stretch may lose this share of its frames, and so many more, to what it did not have before.
LOST = 0.05
LOST_FRAMES = 2
#: A zero moment point that was inside and is farther outside than this is lost, metres.
INSIDE = 0.01
#: The jerk of a stretch may be more than it was by this share.
JERKY = 0.1
#: Slipping feet are seen first: a stretch that mends some may lose so many times that.
SEEN = 2.0


@dataclass(frozen=True, eq=False)
class Look:
    """A motion by the contacts of a problem.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    points : array of shape (T, P, 3), metres
        Of its soles.
    balance : Balance
        Its loads.
    jerk : array of shape (T - 3, J), metres per second cubed
        Of its joints.
    """

    posed: PosedMotion
    points: Array
    balance: Balance
    jerk: Array

    @classmethod
    def at(cls, problem: Problem, motion: Motion) -> Look:
        """Look at a motion."""
        posed = problem.posed.with_motion(motion)
        jerk = np.linalg.norm(np.diff(posed.positions, 3, axis=0), axis=-1) * posed.fps**3
        return cls(
            posed,
            problem.soles.positions(posed),
            analyse_balance(posed, problem.body, Smoothing(), problem.contacts),
            jerk,
        )


@dataclass(frozen=True, eq=False)
class Objection:
    """Why a stretch is no better for what was done to it.

    Parameters
    ----------
    reason : str
        In words, after "else".
    frames : bool array of shape (T,)
        In which frames of the motion that shows.
    """

    reason: str
    frames: Bools


def find_objections(
    before: Look, after: Look, spans: Sequence[Span], most: float, wrongs: Wrongs
) -> dict[Span, Objection]:
    """Stretches that are no better for what was done to them, and why.

    Parameters
    ----------
    before, after : Look
        The input, and what became of it.
    spans : sequence of (int, int)
        First frame and the one behind the last of each stretch.
    most : float, metres
        How far a joint may move.
    wrongs : Wrongs
        What is mended. About flights the feet push off and land otherwise, and balance is that of
        another jump.

    Returns
    -------
    dict of (int, int) to Objection
    """
    found = {}
    reach = 2 * round(NEAR_FLIGHT * before.posed.fps) + 1
    calm = ~scipy.ndimage.maximum_filter1d(wrongs.flights, reach)
    for span in spans:
        own_part = slice(*span)
        patience = SEEN if wrongs.feet[own_part].any() else 1.0
        limits = _Limits(most, patience, calm[own_part])
        own = list(_objections(before, after, span, limits))
        if own:
            frames = np.zeros(len(before.points), bool)
            frames[slice(*span)] = np.any([one for _, one in own], axis=0)
            found[span] = Objection(own[0][0], frames)
    return found


@dataclass(frozen=True, eq=False)
class _Limits:
    """What a stretch may lose: metres that joints move, a factor, and frames (T,) that count."""

    most: float
    patience: float
    calm: Bools


def _objections(
    before: Look, after: Look, span: Span, limits: _Limits
) -> Iterator[tuple[str, Bools]]:
    """Reasons, with the frames of the span that they are about."""
    own = slice(*span)
    moved = np.linalg.norm(after.posed.positions[own] - before.posed.positions[own], axis=-1)
    far = moved.max(axis=1)
    if far.max() > limits.most:
        yield f"joints would have to move by {100 * far.max():.0f} cm", far > limits.most
    a = before.balance.distance[own]
    b = np.where(np.isfinite(after.balance.distance[own]), after.balance.distance[own], 0.0)
    held = np.isfinite(a) & limits.calm
    used = [look.balance.friction[own] > FRICTION for look in (before, after)]
    flies = long_flights(before.balance.contacts.support, before.balance.fps)[own]
    falls = [np.abs(look.balance.load[own]) <= FLOATING for look in (before, after)]
    for reason, had, has, counts in (
        ("the body would lose its balance", a >= -TOLERANCE, b >= -TOLERANCE, held),
        ("the zero moment point would leave the feet", a >= 0, b >= -INSIDE, held),
        ("feet would need more friction than there is", ~used[0], ~used[1], held),
        ("flights would fall less", falls[0], falls[1], flies),
    ):
        lost = had & ~has & counts
        net = int(lost.sum()) - int((has & ~had & counts).sum())
        if net > LOST_FRAMES + LOST * limits.patience * int(counts.sum()):
            yield reason, lost
    most_jerky = [look.jerk.max(axis=1) for look in (before, after)]
    usual = float(np.quantile(most_jerky[0], 0.95))
    yield from _jerks(most_jerky[0][own], most_jerky[1][own], limits, usual)


def _jerks(
    before: Array, after: Array, limits: _Limits, usual: float
) -> Iterator[tuple[str, Bools]]:
    counts = limits.calm[: len(before)]
    if not counts.any():
        return
    usual = max(usual, float(np.quantile(before[counts], 0.95)))
    most = (1 + JERKY * limits.patience) * usual
    if np.quantile(after[counts], 0.95) > most:
        frames = np.zeros(len(limits.calm), bool)
        frames[: len(after)] = counts & (after > most)
        yield "the motion would be more jerky", frames
