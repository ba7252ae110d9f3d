"""When feet bear weight, and when they stand so still that they may be pinned."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.analysis.contacts import ContactOptions, FootContacts, detect_contacts
from motionloom.analysis.soles import Soles, fit_soles
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Bools

#: What bears weight: a wide rule, because a heel loads while it is still moving. Its thresholds in
#: leg lengths (and per second) were found on walks over force plates.
BEARING = ContactOptions(
    enter_speed=0.9,
    leave_speed=1.35,
    enter_height=0.05,
    leave_height=0.075,
    least_contact=0.05,
)
#: What may be pinned: low and slow.
STANDING = ContactOptions(
    enter_speed=0.2,
    leave_speed=0.3,
    enter_height=0.018,
    leave_height=0.025,
    least_contact=0.05,
)


@dataclass(frozen=True, eq=False)
class GroundContacts:
    """Contacts by two rules over the same points of the soles.

    Parameters
    ----------
    bearing : FootContacts
        Which points bear weight.
    standing : FootContacts
        Which points stand so still that they may be pinned; a part of `bearing`.
    """

    bearing: FootContacts
    standing: FootContacts

    @property
    def soles(self) -> Soles:
        """The points."""
        return self.bearing.soles

    @property
    def ground(self) -> float:
        """Height of the ground, metres."""
        return self.bearing.ground

    def at(self, frames: slice) -> GroundContacts:
        """Contacts of some frames."""
        rules = (replace(own, down=own.down[frames]) for own in (self.bearing, self.standing))
        return GroundContacts(*rules)

    @property
    def feet_down(self) -> Bools:
        """Which feet bear weight, shape (T, F)."""
        return np.stack(list(self.bearing.by_foot().values()), axis=1)

    @property
    def support(self) -> Bools:
        """Whether any point bears weight, shape (T,)."""
        return np.asarray(np.any(self.bearing.down, axis=1), bool)


def find_ground_contacts(
    posed: PosedMotion,
    soles: Soles | None = None,
    bearing: ContactOptions = BEARING,
    standing: ContactOptions = STANDING,
) -> GroundContacts:
    """Find contacts by both rules.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    soles : Soles, optional
        Calibrated on more motions of the same skeleton.
    bearing, standing : ContactOptions, optional
        Thresholds of the two rules.

    Returns
    -------
    GroundContacts

    Raises
    ------
    InvalidInputError
        When the skeleton has no feet or no whole leg.
    """
    soles = soles or fit_soles([posed])
    wide = detect_contacts(posed, bearing, soles)
    tight = detect_contacts(posed, standing, soles)
    return GroundContacts(wide, FootContacts(soles, tight.down & wide.down, wide.ground))
