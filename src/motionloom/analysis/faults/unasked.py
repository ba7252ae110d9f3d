"""What nobody asked for: jumps, gestures while going along, turns about oneself on the spot.

Detours: ways between two places that are much longer than they need be.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import scipy

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.faults.find import Fault
from motionloom.analysis.faults.limits import MovementLimits
from motionloom.analysis.faults.signals import (
    STRIDE,
    cut_flights,
    fastest_near,
    flights,
    hand_lead,
    runs_beyond,
    spot_turn,
)
from motionloom.analysis.gaits import GAITS, STANDING, gaits_of
from motionloom.constraints import BodyConstraint
from motionloom.curves import hermite, runs_of
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: A way that is so many times and so many metres longer than the direct curve is worth a look, and
#: so far off it; beyond the second of each it is grave.
LONGER, FURTHER, ASIDE = (1.3, 2.0), (0.75, 1.5), (0.75, 1.5)

Spans = Sequence[tuple[float, float]]
#: What is no longer in the air than this, beside the clips, is no jump, seconds.
LEAST_FLIGHT = 0.15
#: Who begins or ends with no foot on the ground for less than this takes a step, seconds.
LEAST_CUT = 0.1
#: A hand that moves for less than this makes no gesture, seconds.
LEAST_GESTURE = 0.3
#: A hand is only named when it is so much faster than in the clips, metres per second.
LEAST_LEAD = 0.15


def find_jumps(
    posed: PosedMotion, contacts: FootContacts, limits: MovementLimits, asked: Spans = ()
) -> tuple[Fault, ...]:
    """Where the body jumps though nothing is asked that needs it; never grave.

    Parameters
    ----------
    posed : PosedMotion
    contacts : FootContacts
        As found in this motion.
    limits : MovementLimits
        Of the clips: most of them are no longer in the air unless they run.
    asked : sequence of (float, float), seconds
        Spans in which a limb, a pose or a style is asked for.

    Returns
    -------
    tuple of Fault
        Ascending in time.
    """
    faults = []
    for first, stop in runs_of(flights(posed, contacts)):
        own = (stop - first) / posed.fps
        begin = first / posed.fps
        if own <= limits.flight + LEAST_FLIGHT or _within(begin, begin + own, asked):
            continue
        text = (
            f"at {begin:.2f} s the body jumps, {own:.2f} s in the air, though nothing asks for it;"
            f" most clips are in the air for {limits.flight:.2f} s at most unless they run"
        )
        faults.append(Fault("jump", begin, begin + own, own, limits.flight, False, text))
    return tuple(faults)


def find_cut_jumps(
    posed: PosedMotion, contacts: FootContacts, asked: Spans = ()
) -> tuple[Fault, ...]:
    """Whether the motion begins or ends in the air, as in the midst of a jump or over an obstacle
    that is not there.

    Parameters
    ----------
    posed : PosedMotion
    contacts : FootContacts
        As found in this motion.
    asked : sequence of (float, float), seconds
        Spans in which a limb, a pose or a style is asked for.

    Returns
    -------
    tuple of Fault
        Grave, as nobody can begin there.
    """
    faults = []
    length = posed.n_frames / posed.fps
    for verb, frames in zip(("begins", "ends"), cut_flights(posed, contacts), strict=True):
        own = frames / posed.fps
        begin = 0.0 if verb == "begins" else length - own
        if own <= LEAST_CUT or _within(begin, begin + own, asked):
            continue
        text = (
            f"the motion {verb} in the air, {own:.2f} s of it, though nothing asks for a jump;"
            " a pose or a style asked for there, or another seed, may do without"
        )
        faults.append(Fault("jump", begin, begin + own, own, 0.0, True, text))
    return tuple(faults)


def find_gestures(
    posed: PosedMotion, limits: MovementLimits, asked: Spans = ()
) -> tuple[Fault, ...]:
    """Where a hand of somebody who walks or runs moves faster than the pace calls for; never grave.
    While people stand it is for `find_fidgeting`.

    Parameters
    ----------
    posed : PosedMotion
    limits : MovementLimits
        Of the clips: how much faster than the body hands swing in nine of ten.
    asked : sequence of (float, float), seconds
        Spans in which a limb, a pose or a style is asked for.

    Returns
    -------
    tuple of Fault
        Ascending in time.
    """
    gaits = gaits_of(fastest_near(posed), limits.leg)
    limit = np.array(limits.swing)[gaits]
    faults = []
    for hand, lead in hand_lead(posed).items():
        over = np.where(gaits > STANDING, lead - limit, 0.0)
        for first, stop, worst in runs_beyond(over, LEAST_LEAD):
            begin = first / posed.fps
            end = (stop - 1) / posed.fps
            if stop - first < LEAST_GESTURE * posed.fps or _within(begin, end, asked):
                continue
            own = float(lead[worst])
            most = float(limit[worst])
            text = (
                f"from {begin:.2f} to {end:.2f} s the {hand.replace('_', ' ')} moves {own:.2f} m/s"
                f" faster than the body goes, though nothing is asked of it; in the clips"
                f" {most:.2f} m/s while {GAITS[int(gaits[worst])]}"
            )
            faults.append(Fault("gesture", begin, end, own, most, False, text))
    return tuple(sorted(faults, key=lambda f: f.begin))


def find_loops(
    posed: PosedMotion, wishes: Sequence[BodyConstraint], limits: MovementLimits, asked: Spans = ()
) -> tuple[Fault, ...]:
    """Where the body turns about itself on the spot, further than its way needs; never grave.

    Parameters
    ----------
    posed : PosedMotion
    wishes : sequence of BodyConstraint
        In the order of time; before the first and after the last no turn is needed.
    limits : MovementLimits
        Of the clips.
    asked : sequence of (float, float), seconds
        Spans in which something is asked that may turn it.

    Returns
    -------
    tuple of Fault
        Ascending in time.
    """
    last = posed.n_frames - 1
    stops = _stops_of(wishes)
    ends = [min(round(time * posed.fps), last) for _, time in stops]
    between = [_turning(a, b) for (a, _), (b, _) in pairwise(stops)]
    # One stretch before the first stop and one after the last: there nothing asks for a turn.
    needs = [0.0, *between, 0.0] if stops else [0.0]
    faults = []
    for first, stop, need in zip([0, *ends], [*ends, last], needs, strict=True):
        if stop - first < STRIDE * posed.fps:
            continue
        own, a, b = spot_turn(posed.body[first : stop + 1], posed.fps)
        begin = (first + a) / posed.fps
        end = (first + b) / posed.fps
        most = limits.spin + need
        if own <= most or _within(begin, end, asked):
            continue
        text = (
            f"from {begin:.2f} to {end:.2f} s the body turns about itself by {own:.0f} degrees on"
            f" the spot; its way needs {need:.0f}, and most clips turn by {limits.spin:.0f} at most"
        )
        faults.append(Fault("loop", begin, end, own, most, False, text))
    return tuple(faults)


def _turning(a: BodyConstraint, b: BodyConstraint) -> float:
    """Degrees that the direct curve turns, to either side."""
    x, z = np.diff(direct_curve(a, b), axis=0).T
    if np.hypot(x, z).sum() < 0.5:
        if a.facing is None or b.facing is None:
            # Nobody said which way to face: half a turn may be needed.
            return 180.0
        return float(np.degrees(abs(rot.wrap_angle(b.stand().angle - a.stand().angle))))
    heading = np.unwrap(np.arctan2(x, z))
    return float(np.degrees(np.abs(np.diff(heading)).sum()))


def _within(begin: float, end: float, spans: Spans) -> bool:
    return any(begin < b and end > a for a, b in spans)


def find_detours(
    posed: PosedMotion,
    wishes: Sequence[BodyConstraint],
    excused: Sequence[tuple[float, float]] = (),
) -> tuple[Fault, ...]:
    """Where the hips go a much longer way from one place to the next than the direct curve.

    Parameters
    ----------
    posed : PosedMotion
    wishes : sequence of BodyConstraint
        Where the body is asked to be, in the order of time.
    excused : sequence of (float, float), seconds
        Spans in which something else is asked that may lead aside: a path, an obstacle, a limb's
        target.

    Returns
    -------
    tuple of Fault
        Ascending in time.
    """
    faults = []
    for (a, left), (b, reached) in pairwise(_stops_of(wishes)):
        if _within(left, reached, excused):
            continue
        first, last = (min(round(t * posed.fps), posed.n_frames - 1) for t in (left, reached))
        if last > first:
            way = posed.hips[first : last + 1, [0, 2]]
            faults += _detour(way, a, b, left, reached)
    return tuple(faults)


def _stops_of(wishes: Sequence[BodyConstraint]) -> list[tuple[BodyConstraint, float]]:
    """Where the body is asked to be, with the times: of a span its begin and its end."""
    return [(c, time) for c in wishes for time in (c.time, c.end) if time is not None]


def direct_curve(a: BodyConstraint, b: BodyConstraint, n: int = 65) -> Array:
    """Cubic that leaves one place and enters the next as they face (Hermite).

    Parameters
    ----------
    a, b : BodyConstraint
        Where it begins and ends; who may face anywhere faces along the chord.
    n : int
        Number of points.

    Returns
    -------
    array of shape (n, 2), metres
        x and z.
    """
    p, q = np.array(a.position), np.array(b.position)
    chord = q - p
    size = float(np.linalg.norm(chord))
    leaves, enters = (chord if c.facing is None else size * c.stand().ahead for c in (a, b))
    return hermite([p, q], [leaves, enters], np.linspace(0.0, 1.0, n))


def _detour(
    way: Array, a: BodyConstraint, b: BodyConstraint, begin: float, end: float
) -> list[Fault]:
    """Fault of a way (T, 2) between two places that is much longer than the direct curve."""
    curve = direct_curve(a, b)
    aside = float(np.max(scipy.spatial.cKDTree(curve).query(way)[0]))
    length, need = (float(np.linalg.norm(np.diff(p, axis=0), axis=1).sum()) for p in (way, curve))
    limit, grave = (max(longer * need, need + m) for longer, m in zip(LONGER, FURTHER, strict=True))
    if length <= limit or aside <= ASIDE[0]:
        return []
    text = (
        f"between {begin:.2f} and {end:.2f} s the body goes {length:.1f} m where"
        f" {need:.1f} m would do, up to {aside:.1f} m off the direct curve; up to"
        f" {limit:.1f} m is not named"
    )
    is_grave = length > grave and aside > ASIDE[1]
    return [Fault("detour", begin, end, length, limit, is_grave, text)]
