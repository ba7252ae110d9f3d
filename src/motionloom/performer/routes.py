"""Routes: steps that start and end standing - straight, curved, turning, running, to the side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.performer.body import Performer
from motionloom.performer.footsteps import Step
from motionloom.performer.gaits import Gait, running_gait, walking_gait
from motionloom.performer.planning import STANDING_WIDTH


def walking_steps(
    performer: Performer, speed: float, count: int, *, turn: float = 0.0
) -> list[Step]:
    """Speed up, walk at a steady speed, slow down and close.

    One to three steps lead to the steady speed and away from it (Breniere & Do 1986; Jaeger &
    Vanitchatchavan 1992).

    Parameters
    ----------
    performer : Performer
        Whose stature gives the gaits.
    speed : float, metres per second
        Steady speed.
    count : int
        Steps at that speed.
    turn : float, radians
        Turn to the left of each of them; the first and the last steps turn by half of it or not at
        all.

    Returns
    -------
    list of Step
        The last one closes.

    Examples
    --------
    >>> from motionloom.performer.body import make_performer
    >>> len(walking_steps(make_performer(), speed=1.4, count=6)) >= 6
    True
    """
    shares = np.linspace(np.clip(0.9 / speed, 0.5, 0.8), 1.0, int(np.ceil(speed / 0.75)) + 1)[:-1]
    rising = [walking_gait(performer, float(share) * speed) for share in shares]
    full = walking_gait(performer, speed)
    slow = rising[0]
    return [
        Step(slow, slow.step_length, turn=0.5 * turn, rolls=0.8),
        *(Step(gait, gait.step_length, turn=turn) for gait in rising[1:]),
        *(Step(full, full.step_length, turn=turn) for _ in range(count)),
        *(Step(gait, 0.9 * gait.step_length, turn=0.5 * turn) for gait in reversed(rising[1:])),
        Step(slow, 0.6 * slow.step_length, rolls=0.7),
        Step(slow, closes=True, rolls=0.5),
    ]


def turning_steps(performer: Performer, speed: float, angle: float, over: int) -> list[Step]:
    """Walk, turn in a few short steps (Courtine & Schieppati 2003), walk on.

    Parameters
    ----------
    performer : Performer
        Whose stature gives the gaits.
    speed : float, metres per second
        Before and after the turn; a tenth slower in it.
    angle : float, radians
        Whole turn, positive to the left.
    over : int
        Steps that share it.

    Returns
    -------
    list of Step
        The last one closes.

    Examples
    --------
    >>> from motionloom.performer.body import make_performer
    >>> steps = turning_steps(make_performer(), 1.2, np.pi / 2, over=4)
    >>> round(float(np.degrees(sum(step.turn for step in steps))))
    90
    """
    gait = walking_gait(performer, 0.9 * speed)
    gait = replace(gait, step_width=1.3 * gait.step_width)
    steps = walking_steps(performer, speed, 2)
    return [
        *steps[:3],
        *(Step(gait, 0.8 * gait.step_length, turn=angle / over) for _ in range(over)),
        *steps[3:],
    ]


def running_steps(performer: Performer, speed: float, count: int) -> list[Step]:
    """Start walking, speed up, run, slow down and stand.

    Parameters
    ----------
    performer : Performer
        Whose stature gives the gaits.
    speed : float, metres per second
        Of the run.
    count : int
        Steps at that speed.

    Returns
    -------
    list of Step
        The last one closes.
    """
    run = running_gait(performer, speed)
    walk = walking_gait(performer, 1.6)
    easy = running_gait(performer, 0.75 * speed)
    brake = running_gait(performer, 0.6 * speed)
    half = Step(walk, 0.75 * walk.step_length, rolls=0.8)
    return [
        half,
        Step(walk, walk.step_length),
        Step(easy, easy.step_length),
        *(Step(run, run.step_length) for _ in range(count)),
        Step(easy, easy.step_length),
        Step(brake, 0.85 * brake.step_length),
        Step(walk, 0.8 * walk.step_length),
        Step(walk, 0.5 * walk.step_length, rolls=0.8),
        Step(walk, closes=True, rolls=0.5),
    ]


def spot_turn_steps(gait: Gait, angle: float, pairs: int) -> list[Step]:
    """Turn on the spot: one foot leads, the other closes.

    Parameters
    ----------
    gait : Gait
        Timing and clearance of the steps.
    angle : float, radians
        Whole turn, positive to the left; the foot inside it should lead.
    pairs : int
        Times that a foot leads and the other closes.

    Returns
    -------
    list of Step
        Two of each pair.
    """
    lead = Step(gait, turn=angle / pairs, rolls=0.25)
    return [lead, Step(gait, closes=True, rolls=0.25)] * pairs


def side_steps(performer: Performer, gait: Gait, distance: float, count: int) -> list[Step]:
    """Steps to the side: one foot goes, the other closes.

    Parameters
    ----------
    performer : Performer
        Whose stature gives the width between standing feet.
    gait : Gait
        Timing and clearance of the steps.
    distance : float, metres
        Way of each pair of steps, positive to the left.
    count : int
        Pairs of steps.

    Returns
    -------
    list of Step
        Two of each pair.
    """
    wide = replace(gait, step_width=STANDING_WIDTH * performer.height + abs(distance))
    return [
        Step(wide, sideways=0.5 * distance, rolls=0.25),
        Step(gait, closes=True, rolls=0.25),
    ] * count
