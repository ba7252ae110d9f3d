"""Whether a stretch of a motion is better for its correction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.motion import Motion
from motionloom.physics.correct.problem import Problem
from motionloom.physics.correct.wrongs import NEAR_FLIGHT, Wrongs, widened
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


def find_objections(
    before: Look, after: Look, spans: Sequence[Span], most: float, wrongs: Wrongs
) -> dict[Span, tuple[str, Bools]]:
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
    dict of (int, int) to (str, bool array of shape (T,))
        By stretch the first reason, in words, after "else", and the frames of the motion in which
        any shows.
    """
    found = {}
    calm = ~widened(wrongs.flights, NEAR_FLIGHT * before.posed.fps)
    for span in spans:
        patience = SEEN if wrongs.feet[slice(*span)].any() else 1.0
        own = list(_objections(before, after, span, most, patience, calm[slice(*span)]))
        if own:
            frames = np.zeros(len(before.points), bool)
            frames[slice(*span)] = np.any([one for _, one in own], axis=0)
            found[span] = (own[0][0], frames)
    return found


def _objections(
    before: Look, after: Look, span: Span, most: float, patience: float, calm: Bools
) -> Iterator[tuple[str, Bools]]:
    """Reasons, with the frames of the span that they are about.

    A stretch whose frames (T,) are `calm` may lose so many times more as it has `patience`.
    """
    own = slice(*span)
    moved = np.linalg.norm(after.posed.positions[own] - before.posed.positions[own], axis=-1)
    far = moved.max(axis=1)
    if far.max() > most:
        yield f"joints would have to move by {100 * far.max():.0f} cm", far > most
    a = before.balance.distance[own]
    b = np.where(np.isfinite(after.balance.distance[own]), after.balance.distance[own], 0.0)
    held = np.isfinite(a) & calm
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
        if net > LOST_FRAMES + LOST * patience * int(counts.sum()):
            yield reason, lost
    # Jerks are between frames, so that the last ones of a motion have none.
    jerks, later = (look.jerk.max(axis=1) for look in (before, after))
    counts = calm[: len(jerks[own])]
    if counts.any():
        usual = max(np.quantile(part, 0.95) for part in (jerks, jerks[own][counts]))
        allowed = (1 + JERKY * patience) * float(usual)
        if np.quantile(later[own][counts], 0.95) > allowed:
            jerky = np.zeros(len(calm), bool)
            jerky[: len(counts)] = counts & (later[own] > allowed)
            yield "the motion would be more jerky", jerky
