"""Waiting on the body of somebody else, who was never recorded waiting."""

from __future__ import annotations

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.idle.bodies.continuing import FEET, WaitingIdle
from motionloom.idle.model import IdleModel
from motionloom.idle.streams.stream import IdleStreamOptions
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.synthesis.streaming import state_before
from motionloom.threads import one_thread

#: Somebody stands in a frame where no joint is faster than this, metres per second.
STANDING = 0.5


def find_standing(posed: PosedMotion) -> int:
    """The frame of a motion in which it stands with arms hanging down.

    Parameters
    ----------
    posed : PosedMotion
        Somebody with two legs.

    Returns
    -------
    int

    Raises
    ------
    InvalidInputError
        When nobody stands in it.
    """
    if posed.n_frames == 1:
        return 0
    moved = np.diff(posed.positions, axis=0, prepend=posed.positions[:1])
    moved[0] = moved[1]
    speeds = np.linalg.norm(moved, axis=-1).max(axis=1) * posed.fps
    quiet = np.flatnonzero(speeds < STANDING)
    if not len(quiet):
        raise InvalidInputError(
            f"nobody stands in {posed.motion.name or 'the clip'}; the body is taken from a moment"
            " in which it stands, so give a clip that has one"
        )
    arms = [j for role, j in posed.roles.joints.items() if role.endswith(("elbow", "hand"))]
    if not arms:
        return int(quiet[np.argmin(speeds[quiet])])
    return int(quiet[np.argmin(posed.positions[quiet][:, arms, 1].sum(axis=1))])


@one_thread()
def wait_on_body(
    model: IdleModel,
    body: PosedMotion,
    seconds: float,
    fps: float = 60.0,
    seed: int = 0,
    options: IdleStreamOptions | None = None,
) -> Motion:
    """Idle motion on another body: how the person's joints turn, carried over by name or role.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    body : PosedMotion
        Somebody who stands at some moment: posture, feet and bones are those of that moment.
    seconds : float
        How long.
    fps : float
        Frames per second.
    seed : int
        The same seed gives the same motion.
    options : IdleStreamOptions, optional
        How lively.

    Returns
    -------
    Motion

    Raises
    ------
    InvalidInputError
        When nobody stands in the clip, or its joints are not known.
    """
    standing = find_standing(body)
    moment = body.cut(standing, standing + 1)
    state = state_before(moment, 0, FEET, moment.motion)
    stream = WaitingIdle(model, options or IdleStreamOptions()).stream(state, fps, seed)
    return stream.frames(max(1, round(seconds * fps)))
