"""How far a trunk leans when a hand is brought to a point, and whether bodies bend like that."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.typing import Array

#: As far as anybody bends forwards, backwards and to a side, degrees: normal ranges of the thoracic
#: and lumbar spine (American Academy of Orthopaedic Surgeons 1965: 80, 25 and 35 degrees). Who was
#: captured bending farther may do so.
MOST = {"forwards": 80.0, "backwards": 25.0, "sideways": 35.0}
#: Who leans no more than this beyond what they did without it, degrees, is not to blame.
ADDED = 5.0


def bent_too_far(
    clips: ClipSet, before: PosedMotion, after: PosedMotion, frames: tuple[int, int]
) -> str:
    """Say how a body bends that reaches for something, if no body does.

    Parameters
    ----------
    clips : ClipSet
        How far people bend in them.
    before, after : PosedMotion
        Without the reach, and with it.
    frames : tuple of (int, int)
        First and last frame in which the joint is there.

    Returns
    -------
    str
        What is wrong and what to do; empty where nothing is.
    """
    part = slice(frames[0], frames[1] + 1)
    old = _leans(before.positions[part], before.body[part], before.roles)
    # Hips that turn to a point turn the trunk with them: directions are those of before.
    new = _leans(after.positions[part], before.body[part], after.roles)
    captured = _leans(clips.positions, clips.body, clips.roles)
    for way, most in MOST.items():
        limit = max(most, float(captured[way].max(initial=0.0)))
        far = float(new[way].max(initial=0.0))
        if far > limit and far > float(old[way].max(initial=0.0)) + ADDED:
            return (
                f"the trunk bends {far:.0f} degrees {way} for it, and people bend {limit:.0f}; let"
                " the feet come nearer or turn to it, or bring the target nearer"
            )
    return ""


def _leans(positions: Array, body: Array, roles: Roles) -> Mapping[str, Array]:
    """Degrees by which the trunk leans in every frame, by the way it leans."""
    top = roles.joints.get("neck", roles.joints.get("head"))
    hips = roles.joints.get("hips")
    if top is None or hips is None:
        return {way: np.zeros(len(positions)) for way in MOST}
    trunk = positions[:, top] - positions[:, hips]
    ahead = np.stack([np.sin(body[:, 2]), np.cos(body[:, 2])], axis=1)
    beside = np.stack([ahead[:, 1], -ahead[:, 0]], axis=1)
    level = trunk[:, [0, 2]]
    far = np.linalg.norm(level, axis=1)
    tilt = np.degrees(np.arctan2(far, trunk[:, 1]))
    way = level / np.maximum(far, 1e-9)[:, None]
    pitch = tilt * np.sum(way * ahead, axis=1)
    roll = tilt * np.abs(np.sum(way * beside, axis=1))
    return {"forwards": pitch, "backwards": -pitch, "sideways": roll}
