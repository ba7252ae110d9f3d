"""One motion retargeted: poses carried over, body and feet placed, contacts locked."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.hinges import Hinge, widen_hinges
from motionloom.edit.footlock import FootLockOptions, lock_feet
from motionloom.edit.retarget.carry import carry_rotations
from motionloom.edit.retarget.floor import (
    find_supports,
    lower_body,
    place_hands,
    place_knees,
)
from motionloom.edit.retarget.frames import RoleFrames
from motionloom.edit.retarget.ground import find_contacts
from motionloom.edit.retarget.place import contacts_for, place_legs, place_root
from motionloom.posed_motion import PosedMotion

#: How much farther than either was seen to a knee or elbow may bend, radians.
ROOM = float(np.radians(6.0))


@dataclass(frozen=True, eq=False)
class Retargeted:
    """A motion on another body.

    Parameters
    ----------
    posed : PosedMotion
        The motion of the target.
    contacts : FootContacts
        Of the target's feet: those of the source that are held.
    source : PosedMotion
        The motion that it was made of.
    source_contacts : FootContacts
        Of the source's feet.
    """

    posed: PosedMotion
    contacts: FootContacts
    source: PosedMotion
    source_contacts: FootContacts


def retarget_motion(source: PosedMotion, own: RoleFrames, target: RoleFrames) -> Retargeted:
    """Carry a motion over to another body."""
    contacts = find_contacts(source, own.soles)
    hinges = _widened(target, own)
    supports = find_supports(source, own, target, contacts.ground)
    carried = carry_rotations(source, own, target)
    placed = place_root(carried, source, own, target, contacts.ground)
    placed = lower_body(placed, supports)
    legged = place_legs(placed, source, own, target, hinges, contacts.ground)
    legged = place_knees(placed, legged, supports)
    held = contacts_for(contacts, target.soles)
    options = FootLockOptions(speed=5.0)
    # A foot that rolls while it slides is at rest only after a second round.
    lock = lock_feet(legged, held, options, hinges=hinges)
    lock = lock_feet(lock.posed, lock.contacts, options, hinges=hinges)
    posed = place_hands(lock.posed, supports, hinges)
    return Retargeted(posed, lock.contacts, source, contacts)


def _widened(target: RoleFrames, own: RoleFrames) -> dict[str, Hinge]:
    """How far the target's limbs may bend: as far as they or the source's did, and a little more.

    Bones of other proportions need a little more bend for the same reach.
    """
    hinges = widen_hinges(target.hinges, own.hinges)
    return {role: replace(hinge, most=hinge.most + ROOM) for role, hinge in hinges.items()}
