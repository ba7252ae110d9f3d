"""Faults of a motion beside the limits of the clips it was made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.faults.fault import Fault
from motionloom.analysis.faults.limits import MovementLimits
from motionloom.analysis.faults.signals import (
    SUDDEN,
    airborne,
    glide_speed,
    hand_speeds,
    speed_changes,
    step_changes,
    waits,
)
from motionloom.analysis.gaits import GAITS, gaits_of
from motionloom.curves import runs_of
from motionloom.posed_motion import PosedMotion

#: How many times what the clips do at most is beyond doubt, and what is no more than this over it
#: is nothing at all: metres per second and seconds.
GRAVE = 1.4
LEAST_CHANGE, LEAST_GLIDE, LEAST_TIME = 0.15, 0.1, 0.1
#: A hand that moves for less than this does not fidget, seconds.
FIDGET = 0.3
#: A hand that rests no longer than this between two movements goes on with the first, seconds.
PAUSE = 1.0


def find_bursts(posed: PosedMotion, limits: MovementLimits) -> tuple[Fault, ...]:
    """Where the hips gain or lose more speed within 0.3 s than in any clip, of that gait.

    Parameters
    ----------
    posed : PosedMotion
    limits : MovementLimits
        Of the clips.

    Returns
    -------
    tuple of Fault
        Ascending in time.
    """
    change, near = speed_changes(posed)
    gaits = gaits_of(near, limits.leg)
    limit = np.array(limits.change)[gaits]
    faults = []
    for first, stop in runs_of(np.abs(change) > limit + LEAST_CHANGE):
        worst = first + int(np.argmax((np.abs(change) - limit)[first:stop]))
        own, most = float(abs(change[worst])), float(limit[worst])
        begin = worst / posed.fps
        verb = "gain" if change[worst] > 0 else "lose"
        faults.append(
            Fault(
                kind="burst",
                begin=begin,
                end=begin + SUDDEN,
                value=own,
                limit=most,
                grave=_is_grave(own, max(limits.change), LEAST_CHANGE),
                text=(
                    f"at {begin:.2f} s the hips {verb} {own:.2f} m/s within {SUDDEN:g} s; no clip"
                    f" changes by more than {most:.2f} m/s {_while(int(gaits[worst]))}"
                ),
            )
        )
    return tuple(faults)


def find_gait_switches(posed: PosedMotion, limits: MovementLimits) -> tuple[Fault, ...]:
    """Where the gait changes from one step to the next faster than in any clip.

    Parameters
    ----------
    posed : PosedMotion
    limits : MovementLimits
        Of the clips.

    Returns
    -------
    tuple of Fault
        Ascending in time.
    """
    before, after, n = step_changes(posed)
    switch = np.abs(after - before)
    other = gaits_of(before, limits.leg) != gaits_of(after, limits.leg)
    faults = []
    for first, stop in runs_of(other & (switch > limits.step + LEAST_CHANGE)):
        worst = first + int(np.argmax(switch[first:stop]))
        begin = (worst + n) / posed.fps
        own = float(switch[worst])
        a, b = (GAITS[int(gaits_of(s[worst : worst + 1], limits.leg)[0])] for s in (before, after))
        faults.append(
            Fault(
                kind="gait switch",
                begin=begin,
                end=begin,
                value=own,
                limit=limits.step,
                grave=_is_grave(own, limits.step, LEAST_CHANGE),
                text=(
                    f"at {begin:.2f} s {a} ({before[worst]:.2f} m/s) turns into {b}"
                    f" ({after[worst]:.2f} m/s) in one step; no clip changes by more than"
                    f" {limits.step:.2f} m/s"
                ),
            )
        )
    return tuple(faults)


def find_floating(
    posed: PosedMotion, contacts: FootContacts, limits: MovementLimits
) -> tuple[Fault, ...]:
    """Where no foot is on the ground for longer than in any clip.

    Parameters
    ----------
    posed : PosedMotion
    contacts : FootContacts
        As found in this motion.
    limits : MovementLimits
        Of the clips.

    Returns
    -------
    tuple of Fault
        Ascending in time.
    """
    faults = []
    for first, stop in runs_of(airborne(contacts)):
        own = (stop - first) / posed.fps
        if own <= limits.airborne + LEAST_TIME:
            continue
        begin = first / posed.fps
        faults.append(
            Fault(
                kind="floating",
                begin=begin,
                end=begin + own,
                value=own,
                limit=limits.airborne,
                grave=_is_grave(own, limits.airborne, LEAST_TIME),
                text=(
                    f"from {begin:.2f} s no foot is on the ground for {own:.2f} s; in the clips"
                    f" for {limits.airborne:.2f} s at most"
                ),
            )
        )
    return tuple(faults)


def find_gliding(
    posed: PosedMotion, contacts: FootContacts, limits: MovementLimits
) -> tuple[Fault, ...]:
    """Where the body glides: feet are on the ground, and all of them slide.

    Parameters
    ----------
    posed : PosedMotion
    contacts : FootContacts
        Of this motion: its ground and soles.
    limits : MovementLimits
        Of the clips.

    Returns
    -------
    tuple of Fault
        Ascending in time.
    """
    speed, gaits = glide_speed(posed, contacts)
    limit = np.array(limits.glide)[gaits]
    faults = []
    for first, stop in runs_of(speed > limit + LEAST_GLIDE):
        worst = first + int(np.argmax((speed - limit)[first:stop]))
        own, most = float(speed[worst]), float(limit[worst])
        begin, end = first / posed.fps, (stop - 1) / posed.fps
        faults.append(
            Fault(
                kind="gliding",
                begin=begin,
                end=end,
                value=own,
                limit=most,
                grave=_is_grave(own, most, LEAST_GLIDE),
                text=(
                    f"at {begin:.2f} s the body glides: every foot slides at {own:.2f} m/s on the"
                    f" ground, in the clips at {most:.2f} m/s at most {_while(int(gaits[worst]))}"
                ),
            )
        )
    return tuple(faults)


def find_fidgeting(
    posed: PosedMotion, limits: MovementLimits, asked: Sequence[tuple[float, float]] = ()
) -> tuple[Fault, ...]:
    """Where a hand moves while the person waits and nothing is asked of it; never grave, as people
    who wait do move their hands.

    Parameters
    ----------
    posed : PosedMotion
    limits : MovementLimits
        Of the clips.
    asked : sequence of (float, float), seconds
        Spans in which something is asked of a limb.

    Returns
    -------
    tuple of Fault
        Ascending in time, hand by hand.
    """
    if limits.hands is None:
        return ()
    idle = waits(posed, limits.leg)
    for begin, end in asked:
        idle[max(round(begin * posed.fps), 0) : max(round(end * posed.fps) + 1, 0)] = False
    faults = []
    for hand, speed in hand_speeds(posed).items():
        long = [
            span
            for span in runs_of(idle & (speed > limits.hands))
            if span[1] - span[0] >= FIDGET * posed.fps
        ]
        for first, stop in _merged(long, PAUSE * posed.fps):
            own = float(speed[first:stop].max())
            begin, end = first / posed.fps, (stop - 1) / posed.fps
            faults.append(
                Fault(
                    kind="fidgeting",
                    begin=begin,
                    end=end,
                    value=own,
                    limit=limits.hands,
                    grave=False,
                    text=(
                        f"from {begin:.2f} to {end:.2f} s the {hand.replace('_', ' ')} moves at up"
                        f" to {own:.2f} m/s while the person waits and nothing is asked of it;"
                        f" resting hands stay below {limits.hands:.2f} m/s"
                    ),
                )
            )
    return tuple(sorted(faults, key=lambda f: f.begin))


def _is_grave(value: float, limit: float, least: float) -> bool:
    """Whether a limit is passed by a wide margin: `GRAVE` times, twice the least that counts."""
    return value > GRAVE * limit and value > limit + 2 * least


def _while(gait: int) -> str:
    return f"while {GAITS[gait]}"


def _merged(spans: Sequence[tuple[int, int]], gap: float) -> list[tuple[int, int]]:
    """Spans in order; those with no more than a gap between them are one."""
    merged: list[tuple[int, int]] = []
    for first, stop in spans:
        if merged and first - merged[-1][1] <= gap:
            merged[-1] = (merged[-1][0], stop)
        else:
            merged.append((first, stop))
    return merged
