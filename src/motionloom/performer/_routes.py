"""Routes: steps that start and end standing - straight, curved, turning, running, to the side.

From steps to a plan: footprints, and when each foot lands, bears weight, rolls and leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.performer._body import SIGN, Performer
from motionloom.performer._footsteps import (
    RIGHT,
    FootstepPlan,
    Gait,
    Stance,
    Step,
    running_gait,
    walking_gait,
)

#: Share of stature between the ankles in quiet standing, and how far the feet point outwards.
STANDING_WIDTH, STANDING_TOE_OUT = 0.095, np.radians(7.0)
#: Time that a foot needs to be unloaded before a step from standing, and to settle after the last
#: one, seconds.
UNLOADING, SETTLING = 0.45, 0.40
#: The swing that begins walking takes at least this long, seconds.
SHORTEST_FIRST_SWING = 0.35
#: A foot that stands from before the start, or until after the end, does so by this much, seconds.
BEYOND = 1.0
Spot = tuple[int, float, float, float, float]


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
    >>> from motionloom.performer._body import make_performer
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
    >>> from motionloom.performer._body import make_performer
    >>> steps = turning_steps(make_performer(), 1.2, np.pi / 2, over=4)
    >>> round(float(np.degrees(sum(step.turn for step in steps))))
    90
    """
    gait = walking_gait(performer, 0.9 * speed)
    gait = replace(gait, step_width=1.3 * gait.step_width)
    steps = walking_steps(performer, speed, 2)
    turning = Step(gait, 0.8 * gait.step_length, turn=angle / over)
    return [*steps[:3], *[turning] * over, *steps[3:]]


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
    aside = Step(wide, sideways=0.5 * distance, rolls=0.25)
    return [aside, Step(gait, closes=True, rolls=0.25)] * count


def plan_steps(
    performer: Performer,
    steps: Sequence[Step],
    *,
    first: int = RIGHT,
    lead_in: float = 0.5,
    lead_out: float = 1.2,
) -> FootstepPlan:
    """Turn steps into timed footprints; stands at the origin facing +Z first, and at the end.

    Parameters
    ----------
    performer : Performer
        Stature gives the width between standing feet.
    steps : sequence of Step
        Taken by alternate feet; the last one closes.
    first : int
        Foot that steps first: 0 left, 1 right.
    lead_in, lead_out : float, seconds
        Standing before the first foot is unloaded, and after the last has landed.

    Returns
    -------
    FootstepPlan
        Two stances to begin with and one for each step.

    Raises
    ------
    InvalidInputError
        When the last step does not close.

    Examples
    --------
    >>> from motionloom.performer._body import make_performer
    >>> from motionloom.performer._routes import walking_steps
    >>> person = make_performer()
    >>> plan = plan_steps(person, walking_steps(person, speed=1.4, count=6))
    >>> [len(plan.of(side)) for side in (0, 1)]  # stances of the left and the right foot
    [6, 7]
    """
    if steps and not steps[-1].closes:
        raise InvalidInputError("the last step must close, so that the person ends standing")
    spots = _place(performer, steps, first)
    strikes, offs = _time(steps, lead_in)
    duration = (strikes[-1] if steps else lead_in) + lead_out
    stances = [_stance(i, spot, steps, strikes, offs, duration) for i, spot in enumerate(spots)]
    return FootstepPlan(
        tuple(sorted(stances, key=lambda s: s.strike)), duration, _steady(steps, strikes)
    )


def _place(performer: Performer, steps: Sequence[Step], first: int) -> list[Spot]:
    """Side, x, z, heading and foot heading of all footprints: two standing, then one per step."""
    width = STANDING_WIDTH * performer.height
    spots: list[Spot] = []
    for side in (first, 1 - first):
        spots.append((side, SIGN[side] * 0.5 * width, 0.0, 0.0, SIGN[side] * STANDING_TOE_OUT))
    center = np.zeros(2)
    heading = 0.0
    for i, step in enumerate(steps):
        side = first if i % 2 == 0 else 1 - first
        halfway = heading + 0.5 * step.turn
        center = center + step.forward * np.array([np.sin(halfway), np.cos(halfway)])
        center = center + step.sideways * np.array([np.cos(halfway), -np.sin(halfway)])
        heading += step.turn
        left = np.array([np.cos(heading), -np.sin(heading)])
        if step.closes:
            stand = np.array(spots[-1][1:3])
            point = stand + SIGN[side] * width * left
            center = 0.5 * (stand + point)
            toe_out = STANDING_TOE_OUT
        else:
            point = center + SIGN[side] * 0.5 * step.gait.step_width * left
            toe_out = step.gait.toe_out
        x, z = point.tolist()
        spots.append((side, x, z, heading, heading + SIGN[side] * toe_out))
    return spots


def _from_standing(steps: Sequence[Step], i: int) -> bool:
    return i == 0 or steps[i].wait > 0.0


def _time(steps: Sequence[Step], lead_in: float) -> tuple[list[float], list[float]]:
    """Strike time of every step, and the toe-off that begins it."""
    strikes: list[float] = []
    offs: list[float] = []
    for i, step in enumerate(steps):
        swing = 2.0 * step.gait.step_time * (1.0 - step.gait.stance)
        if _from_standing(steps, i):
            swing = max(swing, SHORTEST_FIRST_SWING)
            before = lead_in if i == 0 else strikes[-1] + SETTLING + step.wait
            strikes.append(before + UNLOADING + swing)
        else:
            strikes.append(strikes[-1] + step.gait.step_time)
        offs.append(strikes[-1] - swing)
    return strikes, offs


def _stance(
    i: int,
    spot: Spot,
    steps: Sequence[Step],
    strikes: Sequence[float],
    offs: Sequence[float],
    duration: float,
) -> Stance:
    """Timing of footprint i: step i - 2 put the foot there and step i takes it away."""
    gait = None
    strike = -BEYOND
    flat = -0.6 * BEYOND
    loaded = -0.5 * BEYOND
    strike_pitch = 0.0
    if i >= 2:
        gait = steps[i - 2].gait
        strike = strikes[i - 2]
        strike_pitch = steps[i - 2].rolls * gait.strike_pitch
        flat = strike + (0.12 if gait.runs else 0.2) * gait.step_time
        # Weight is on this foot when the other one leaves, or has come to rest.
        follows = i - 1 < len(steps) and not _from_standing(steps, i - 1)
        loaded = max(offs[i - 1], strike + 0.06) if follows else strike + SETTLING
    heel_off = duration + 0.4 * BEYOND
    unloading = duration + 0.5 * BEYOND
    toe_off = duration + BEYOND
    off_pitch = 0.0
    if i < len(steps):
        leaving = steps[i].gait
        toe_off = offs[i]
        standing = _from_standing(steps, i)
        before = min(strikes[i - 1], toe_off - 0.3 * leaving.step_time)
        unloading = toe_off - UNLOADING if standing else before
        heel_off = max(toe_off - (0.55 if leaving.runs else 0.64) * leaving.step_time, flat + 0.02)
        off_pitch = steps[i].rolls * leaving.off_pitch * (0.75 if standing else 1.0)
    return Stance(
        *spot, strike, flat, heel_off, toe_off, loaded, unloading, strike_pitch, off_pitch, gait
    )


def _steady(steps: Sequence[Step], strikes: Sequence[float]) -> tuple[float, float]:
    """Times of the longest even run of equal steps, its first step and its last left out."""
    best = (0, 0)
    start = 0
    for i in range(1, len(steps) + 1):
        if i == len(steps) or steps[i] != steps[start]:
            if i - start > best[1] - best[0]:
                best = (start, i)
            start = i
    first = best[0] + 1
    last = first + 2 * ((best[1] - 2 - first) // 2)
    return (strikes[first], strikes[last]) if last > first else (0.0, 0.0)
