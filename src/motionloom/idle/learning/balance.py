"""Where somebody's weight is, between the right foot and the left."""

from __future__ import annotations

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.idle.learning.recording import Recording
from motionloom.kinematics import center_of_mass
from motionloom.typing import Array

#: How far up from the hips to the neck the centre of mass is taken to be where arms are unknown.
_UP_THE_TRUNK = 0.3


def compute_balance(recording: Recording) -> Array:
    """Where the centre of mass is: -1 over the right ankle, 1 over the left, shape (T,).

    Parameters
    ----------
    recording : Recording
        Somebody who stands.

    Returns
    -------
    array of shape (T,)
        On the line between the ankles of each frame's stance.
    """
    places = recording.places()
    mass = places.seen(_center(recording))
    which = recording.stance_of()
    feet = np.array([stance.feet for stance in recording.stances])[which]
    across = feet[:, 0, ::2] - feet[:, 1, ::2]
    half = 0.5 * np.maximum(np.linalg.norm(across, axis=1), 1e-3)
    middle = 0.5 * (feet[:, 0, ::2] + feet[:, 1, ::2])
    along = np.sum((mass[:, ::2] - middle) * across, axis=1) / (2.0 * half)
    balance: Array = along / half
    return balance


def _center(recording: Recording) -> Array:
    posed = recording.posed
    try:
        return center_of_mass(posed.positions, posed.roles)
    except InvalidInputError:
        joints = posed.roles.joints
        top = next((joints[r] for r in ("neck", "chest", "spine") if r in joints), joints["hips"])
        hips = posed.positions[:, joints["hips"]]
        return hips + _UP_THE_TRUNK * (posed.positions[:, top] - hips)
