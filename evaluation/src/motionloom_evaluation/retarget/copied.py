"""What people try first: every joint gets the rotation of the joint that plays the same part."""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.edit.retarget.frames import RoleFrames
from motionloom.edit.retarget.place import Supports, contacts_for, find_contacts
from motionloom.edit.retarget.retarget import Retargeted
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion


def copy_rotations(source: PosedMotion, own: RoleFrames, target: RoleFrames) -> Retargeted:
    """Copy rotations relative to the parent from role to role, and scale the way of the hips.

    Parameters
    ----------
    source : PosedMotion
        The motion.
    own, target : RoleFrames
        Of both skeletons; of these only legs, soles and roles count.

    Returns
    -------
    Retargeted
        Joints without a role stay as at rest.
    """
    contacts = find_contacts(source, own.seen.soles)
    skeleton = target.skeleton
    local = rot.identity(source.n_frames, skeleton.n_joints)
    for role, joint in target.roles.joints.items():
        mine = source.roles.joint(role)
        if mine is not None:
            local[:, joint] = source.motion.rotations[:, mine]
    hips = target.roles.joints["hips"]
    local[:, hips] = source.rotations[:, source.roles.joints["hips"]]
    ratio = target.leg / own.leg
    places = np.zeros((source.n_frames, 1 if hips == 0 else 2, 3))
    places[:, -1] = ratio * (source.hips - [0.0, contacts.ground, 0.0])
    motion = Motion(
        skeleton=skeleton,
        rotations=local,
        translations=places,
        frame_time=source.motion.frame_time,
        translated=(0,) if hips == 0 else (0, hips),
        name=source.motion.name,
    )
    return Retargeted(
        posed=PosedMotion(motion, target.roles),
        contacts=contacts_for(contacts, target.soles),
        supports=Supports({}, {}),
        source=source,
        source_contacts=contacts,
        hinges=dict(target.hinges),
    )
