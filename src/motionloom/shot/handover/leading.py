"""A motion led elsewhere bit by bit: its body goes along, and its feet stand or step."""

from __future__ import annotations

from motionloom.clips.analysis import feet_of
from motionloom.curves import smoothstep
from motionloom.edit.footlock import lock_feet
from motionloom.edit.root import move_body
from motionloom.shot.handover.bridging import Side
from motionloom.shot.joining import LOCK
from motionloom.shot.stage import Stage
from motionloom.typing import Array


def led(stage: Stage, side: Side, away: Array, share: Array, keep: tuple[int, ...]) -> Side:
    """Lead a motion elsewhere.

    Parameters
    ----------
    stage : Stage
        Its clips say how feet rest.
    side : Side
        The motion, T frames.
    away : array of shape (3,), metres
        How far.
    share : array of shape (T,)
        How much of that in every frame; eased at 0 and 1.
    keep : tuple of int
        Frames that are moved and nothing else; feet creep a little beside them.

    Returns
    -------
    Side
    """
    bent = move_body(side.posed, smoothstep(share)[:, None] * away)
    locked = lock_feet(
        bent,
        side.contacts,
        LOCK,
        captured=feet_of(side.posed, side.contacts),
        lowest=stage.clips.lowest,
        hinges=stage.clips.hinges,
        keep=keep,
    )
    return Side(locked.posed, locked.contacts)
