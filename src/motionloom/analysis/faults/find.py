"""Faults of a motion beside the limits of the clips it was made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.faults.limits import MovementLimits
from motionloom.analysis.faults.signals import (
    SUDDEN,
    airborne,
    glide_speed,
    hand_speeds,
    runs_beyond,
    speed_changes,
    step_changes,
    waits,
)
from motionloom.analysis.gaits import GAITS, gaits_of
from motionloom.analysis.hinges import MARGIN, Hinge
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
#: No joint of people turns there and back with a larger angular acceleration, radians per second
#: squared: toes that hit the ground come near to it.
LARGEST = 5000.0


@dataclass(frozen=True)
class Fault:
    """Something that an animator would send back, or look at twice.

    Parameters
    ----------
    kind : str
        ``"burst"``, ``"gait switch"``, ``"floating"``, ``"gliding"``, ``"fidgeting"``,
        ``"detour"``, ``"jump"``, ``"gesture"``, ``"loop"``, ``"style switch"``, ``"deep bend"``
        or ``"pop"``.
    begin, end : float, seconds
    value : float
        What was measured, in the unit that the text names.
    limit : float
        The clips' own.
    grave : bool
        Whether the limit is passed by so wide a margin that no captured clip does it; else it is
        worth a look.
    text : str
        One sentence.
    """

    kind: str
    begin: float
    end: float
    value: float
    limit: float
    grave: bool
    text: str

    @property
    def excess(self) -> float:
        """How many times the limit was measured."""
        return self.value / self.limit if self.limit > 0 else np.inf


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
    for _, _, worst in runs_beyond(np.abs(change), limit + LEAST_CHANGE):
        own, most = float(abs(change[worst])), float(limit[worst])
        begin = worst / posed.fps
        verb = "gain" if change[worst] > 0 else "lose"
        text = (
            f"at {begin:.2f} s the hips {verb} {own:.2f} m/s within {SUDDEN:g} s; no clip"
            f" changes by more than {most:.2f} m/s while {GAITS[int(gaits[worst])]}"
        )
        grave = _is_grave(own, max(limits.change), LEAST_CHANGE)
        faults.append(Fault("burst", begin, begin + SUDDEN, own, most, grave, text))
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
    gaits = np.array([gaits_of(speed, limits.leg) for speed in (before, after)])
    switch = np.where(gaits[0] != gaits[1], np.abs(after - before), 0.0)
    faults = []
    for _, _, worst in runs_beyond(switch, limits.step + LEAST_CHANGE):
        begin = (worst + n) / posed.fps
        own = float(switch[worst])
        a, b = (GAITS[gait] for gait in gaits[:, worst].tolist())
        text = (
            f"at {begin:.2f} s {a} ({before[worst]:.2f} m/s) turns into {b}"
            f" ({after[worst]:.2f} m/s) in one step; no clip changes by more than"
            f" {limits.step:.2f} m/s"
        )
        grave = _is_grave(own, limits.step, LEAST_CHANGE)
        faults.append(Fault("gait switch", begin, begin, own, limits.step, grave, text))
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
        text = (
            f"from {begin:.2f} s no foot is on the ground for {own:.2f} s; in the clips"
            f" for {limits.airborne:.2f} s at most"
        )
        grave = _is_grave(own, limits.airborne, LEAST_TIME)
        faults.append(Fault("floating", begin, begin + own, own, limits.airborne, grave, text))
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
    for first, stop, worst in runs_beyond(speed, limit + LEAST_GLIDE):
        own, most = float(speed[worst]), float(limit[worst])
        begin, end = first / posed.fps, (stop - 1) / posed.fps
        text = (
            f"at {begin:.2f} s the body glides: every foot slides at {own:.2f} m/s on the"
            f" ground, in the clips at {most:.2f} m/s at most while {GAITS[int(gaits[worst])]}"
        )
        grave = _is_grave(own, most, LEAST_GLIDE)
        faults.append(Fault("gliding", begin, end, own, most, grave, text))
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
        moves = np.zeros(posed.n_frames, bool)
        for first, stop in runs_of(idle & (speed > limits.hands), FIDGET * posed.fps):
            moves[first:stop] = True
        for first, stop in runs_of(moves, joining=int(PAUSE * posed.fps)):
            own = float(speed[first:stop].max())
            begin, end = first / posed.fps, (stop - 1) / posed.fps
            text = (
                f"from {begin:.2f} to {end:.2f} s the {hand.replace('_', ' ')} moves at up"
                f" to {own:.2f} m/s while the person waits and nothing is asked of it;"
                f" resting hands stay below {limits.hands:.2f} m/s"
            )
            faults.append(Fault("fidgeting", begin, end, own, limits.hands, False, text))
    return tuple(sorted(faults, key=lambda f: f.begin))


def find_deep_bends(posed: PosedMotion, hinges: Mapping[str, Hinge]) -> tuple[Fault, ...]:
    """Where a knee bends deeper than in any clip, as it does when a hand is to be low; never grave.

    Parameters
    ----------
    posed : PosedMotion
    hinges : mapping of str to Hinge
        By the role of the limb's tip, as the clips bend them; those of feet are looked at.
    """
    faults = []
    for role, hinge in hinges.items():
        if role not in posed.roles.feet:
            continue
        flexion = np.degrees(hinge.flexion(posed))
        limit = float(np.degrees(hinge.most))
        for first, stop in runs_of(flexion > limit + np.degrees(MARGIN)):
            begin, end = first / posed.fps, (stop - 1) / posed.fps
            deepest = float(flexion[first:stop].max())
            text = (
                f"from {begin:.2f} to {end:.2f} s the {role.split('_')[0]} knee bends by up to"
                f" {deepest:.0f} degrees, in the clips by {limit:.0f} at most; clips of somebody"
                " who bends down would show how"
            )
            faults.append(Fault("deep bend", begin, end, deepest, limit, False, text))
    return tuple(faults)


def find_pops(posed: PosedMotion, sources: Sequence[str] = ()) -> tuple[Fault, ...]:
    """Where a joint jumps for one frame and back faster than anybody moves; never grave.

    A jump of 10 degrees is one at 120 frames per second; at 30 only flips are.

    Parameters
    ----------
    posed : PosedMotion
    sources : sequence of str
        Name of the clip that every frame shows.

    Returns
    -------
    tuple of Fault
        Ascending in time.
    """
    if posed.n_frames < 3:
        return ()
    own = posed.motion.rotations
    steps = rot.angle_between(own[:-1], own[1:])
    back = np.minimum(steps[1:], steps[:-1]) - rot.angle_between(own[:-2], own[2:])
    faults = []
    # Twice: it turns there in one frame and back in the next.
    acceleration = np.vstack([np.zeros(own.shape[1]), 2 * back * posed.fps**2])
    for first, stop in runs_of(np.any(acceleration > LARGEST, axis=1)):
        near = acceleration[first:stop]
        frame, joint = np.unravel_index(int(near.argmax()), near.shape)
        at = first + int(frame)
        time = at / posed.fps
        text = (
            f"at {time:.2f} s {posed.skeleton.names[joint]} jumps by"
            f" {np.degrees(back[at - 1, joint]):.0f} degrees and back in one frame"
        )
        if len(sources):
            text += f", as captured in clip {sources[at]!r}"
        value = float(near.max())
        faults.append(Fault("pop", time, time, value, LARGEST, False, text))
    return tuple(faults)


def _is_grave(value: float, limit: float, least: float) -> bool:
    """Whether a limit is passed by a wide margin: `GRAVE` times, twice the least that counts."""
    return value > GRAVE * limit and value > limit + 2 * least
