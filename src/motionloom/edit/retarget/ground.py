"""The ground under a motion, found while the body stands: who kneels has feet of another shape."""

from __future__ import annotations

import numpy as np

from motionloom.analysis.contacts import FootContacts, detect_contacts, estimate_ground
from motionloom.analysis.soles import Soles, point_velocity
from motionloom.edit.retarget.samples import sample_clips, standing
from motionloom.posed_motion import PosedMotion

#: So much standing, seconds, is enough to tell where the ground is.
ENOUGH = 0.5


def find_ground(posed: PosedMotion, soles: Soles) -> float:
    """Height of the ground under a motion.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    soles : Soles
        Of its skeleton.

    Returns
    -------
    float, metres
        Where the soles rest while the body stands; the soles' own ground where it hardly does.
    """
    stands = standing(sample_clips([posed], most=posed.n_frames)) > 0.5
    if stands.sum() < ENOUGH * posed.fps:
        return soles.ground
    points = soles.positions(posed)
    speed = np.linalg.norm(point_velocity(points, posed.fps), axis=-1) / soles.leg
    speed[~stands] = np.inf
    return estimate_ground(points[..., 1], speed, soles, posed.fps)


def find_contacts(posed: PosedMotion, soles: Soles) -> FootContacts:
    """Contacts of the feet with the ground that `find_ground` finds.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    soles : Soles
        Of its skeleton.

    Returns
    -------
    FootContacts
    """
    return detect_contacts(posed, soles=soles, ground=find_ground(posed, soles))
