"""A body that moves comes to stand: with a last step, and no farther than its speed carries it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.motion import concatenate
from motionloom.shot.handover.bridging import Filled, Side, carried, fill_gap, moved_to
from motionloom.shot.handover.standing import standing_side
from motionloom.shot.stage import Piece, Stage, State
from motionloom.synthesis.bridges import Bridge

#: Frames that the pose in which it comes to stand is held; its speed is taken over them.
HELD = 6
#: Nobody slows down harder than this, metres per second squared.
HARDEST = 2.2
#: Times in which it comes to stand that are tried, seconds.
TIMES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 1.9)


def come_to_stand(stage: Stage, state: State, most: int) -> Piece | None:
    """From a state to standing on both feet.

    Parameters
    ----------
    stage : Stage
        Its clips say how the body stands, and how it gets there.
    state : State
        Where it begins.
    most : int
        Frames that there are.

    Returns
    -------
    Piece or None
        From the last frame of the state until some frames after it has come to stand; None where
        there is not the time.
    """
    bridge = stage.fitted("inbetween")
    if stage.feet is None or not isinstance(bridge, Bridge):
        return None
    down = np.repeat(state.down[None], state.tail.n_frames, axis=0)
    before = Side(state.tail, FootContacts(state.soles, down, 0.0))
    stand = standing_side(stage.clips, stage.feet, before, HELD)
    least = float(np.linalg.norm(before.velocity(-1))) / HARDEST
    made: list[tuple[float, Filled, Side]] = []
    for time in TIMES:
        missing = round(time * stage.fps) - 1
        if missing + HELD + 1 > most:
            break
        seconds = (missing + 1) / stage.fps
        place = state.tail.hips[-1, [0, 2]] + carried(before, stand, seconds)
        behind = moved_to(stand, place)
        filled = fill_gap(stage.clips, stage.feet, bridge, (before, behind), missing)
        short = max(least / seconds - 1.0, 0.0)
        made.append((min(filled.strain, 10.0) + 10.0 * short, filled, behind))
    if not made:
        return None
    _, filled, behind = min(made, key=lambda one: one[0])
    motion = concatenate([state.tail.motion[-1:], filled.motion, behind.posed.motion])
    whole = np.concatenate([state.down[None], filled.down, behind.contacts.down])
    contacts = FootContacts(state.soles, whole, 0.0)
    seconds = (filled.motion.n_frames + 1) / stage.fps
    note = f"comes to stand within {seconds:.2f} s"
    return Piece(motion, contacts, notes=(note,), filled=filled.motion.n_frames + 1)


def follow(first: Piece, second: Piece) -> Piece:
    """A piece and what goes on from its last frame, as one."""
    motion = concatenate([first.motion[:-1], second.motion])
    down = np.concatenate([first.contacts.down[:-1], second.contacts.down])
    return replace(first, motion=motion, contacts=replace(first.contacts, down=down))
