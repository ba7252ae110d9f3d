"""What a clip does where a gap begins or ends: how fast it goes, whereto, in which phase."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts, detect_contacts
from motionloom.gait.body import GaitBody
from motionloom.gait.imdr.phase_match import PhaseMatch, match_phases
from motionloom.gait.path.tables.table import SIDES, GaitTable, legs_of
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: Speed and direction of a clip's end are those of its last moments, of a whole cycle if there is
#: one, seconds.
CYCLE = 1.0
#: Where speed differs by more than this, metres per second, between a cycle and the last moments,
#: seconds, the clip starts or stops: a walk at one speed hardly does.
CHANGES, MOMENT = 0.3, 0.3
#: Slower than this a clip stands, metres per second.
STANDS = 0.25
#: Phases are matched over this time, seconds.
WINDOW = 0.4


@dataclass(frozen=True, eq=False)
class ClipEnd:
    """A clip's last moments, or its first.

    Parameters
    ----------
    posed : PosedMotion
        The clip.
    contacts : FootContacts
        Its contacts.
    frame : int
        Its frame beside the gap.
    speed : float, metres per second
        Of its travel; 0 where it stands.
    stand : GroundTransform
        Where its root is at that frame, and where it travels, or faces where it stands.
    match : PhaseMatch or None
        Its phases near the gap, the one beside it last or first; None where it stands.
    """

    posed: PosedMotion
    contacts: FootContacts
    frame: int
    speed: float
    stand: GroundTransform
    match: PhaseMatch | None

    @property
    def stands(self) -> bool:
        """Whether it stands there."""
        return self.speed <= 0

    @property
    def ground(self) -> float:
        """Height of its ground, metres."""
        return self.contacts.ground

    def standing_feet(self) -> tuple[bool, bool]:
        """Whether the left and the right foot are on the ground at that frame."""
        left, right = (bool(self.contacts.foot(f"{side}_foot")[self.frame]) for side in SIDES)
        return left, right


def find_end(posed: PosedMotion, body: GaitBody, table: GaitTable, last: bool) -> ClipEnd:
    """Look at a clip's end.

    Parameters
    ----------
    posed : PosedMotion
        The clip.
    body : GaitBody
        Of its person.
    table : GaitTable
        The gait over speed on that body.
    last : bool
        Whether its last moments count, before a gap, or its first, behind one.

    Returns
    -------
    ClipEnd
    """
    contacts = detect_contacts(posed, soles=body.soles)
    frame = posed.n_frames - 1 if last else 0
    root = posed.positions[:, body.root]
    velocity = _velocity(root[:, [0, 2]], posed.fps, last)
    speed = float(np.hypot(*velocity))
    feet = [bool(contacts.foot(f"{side}_foot")[frame]) for side in SIDES]
    if speed < STANDS and all(feet):
        stand = GroundTransform(float(posed.facing[frame]), *map(float, root[frame, [0, 2]]))
        return ClipEnd(posed, contacts, frame, 0.0, stand, None)
    # Who has a foot in the air is about to go where it faces.
    slow = speed < STANDS
    speed = max(speed, STANDS)
    heading = float(posed.facing[frame] if slow else np.arctan2(velocity[0], velocity[1]))
    stand = GroundTransform(heading, *map(float, root[frame, [0, 2]]))
    count = min(posed.n_frames, max(2, round(WINDOW * posed.fps)))
    own = slice(posed.n_frames - count, posed.n_frames) if last else slice(0, count)
    joints = _seen(posed.positions[own] - root[own, None], heading)
    match = match_phases(table, joints, speed, posed.fps, _told_by(body))
    return ClipEnd(posed, contacts, frame, speed, stand, match)


def _told_by(body: GaitBody) -> NDArray[np.intp]:
    """Joints that tell the phase: those of the legs, and the arms' where there are any."""
    joints = [j for leg in legs_of(body).values() for j in (leg.middle, leg.tip)]
    for side in SIDES:
        for part in ("elbow", "hand"):
            joint = body.roles.joint(f"{side}_{part}")
            if joint is not None:
                joints.append(joint)
    return np.array(joints)


def _velocity(places: Array, fps: float, last: bool) -> Array:
    """Velocity (2,) at an end: over a cycle; where a clip starts or stops, of its last moments."""
    whole = _travel(places, fps, last, CYCLE)
    moment = _travel(places, fps, last, MOMENT)
    changes = abs(np.hypot(*whole) - np.hypot(*moment)) > CHANGES
    return moment if changes else whole


def _travel(places: Array, fps: float, last: bool, seconds: float) -> Array:
    """Mean velocity (2,) over so long at an end; over less where there is less."""
    count = min(len(places) - 1, max(1, round(seconds * fps)))
    if count < 1:
        return np.zeros(2)
    own = places[-count - 1 :] if last else places[: count + 1]
    times = np.arange(len(own)) / fps
    # A straight line through the places sways less than the difference of two of them.
    times = times - times.mean()
    slope: Array = times @ (own - own.mean(axis=0)) / (times @ times)
    return slope


def _seen(points: Array, heading: float) -> Array:
    seen: Array = rot.rotate(rot.yaw(-heading), points)
    return seen
