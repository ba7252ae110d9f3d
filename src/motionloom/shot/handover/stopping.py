"""A body that moves comes to stand: with a last step, and no farther than its speed carries it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.motion import GroundTransform, concatenate
from motionloom.shot.handover.bridging import Filled, Side, carried, fill_gap, moved_to
from motionloom.shot.handover.leading import led
from motionloom.shot.handover.standing import standing_side
from motionloom.shot.stage import Piece, Stage, State, state_of

#: Frames that the pose in which it comes to stand is held; its speed is taken over them.
HELD = 6
#: Nobody slows down harder than this, metres per second squared.
HARDEST = 2.2
#: The last steps of a piece that is to stand in its end have so long, and what is led there before
#: them lasts at least so long, seconds.
LAST, LED = 1.2, 1.0
#: Times in which it comes to stand that are tried, seconds.
TIMES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 1.9)


def come_to_stand(
    stage: Stage, state: State, most: int, facing: float | None = None
) -> Piece | None:
    """From a state to standing on both feet.

    Parameters
    ----------
    stage : Stage
        Its clips say how the body stands, and how it gets there.
    state : State
        Where it begins.
    most : int
        Frames that there are.
    facing : float, radians, optional
        Where the body then faces; as in the state when not given.

    Returns
    -------
    Piece or None
        From the last frame of the state until some frames after it has come to stand; None where
        there is not the time.
    """
    bridge = stage.bridge
    if stage.feet is None or bridge is None:
        return None
    down = np.repeat(state.down[None], state.tail.n_frames, axis=0)
    before = Side(state.tail, FootContacts(state.soles, down, 0.0))
    stand = standing_side(stage.clips, stage.feet, before, HELD, facing)
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


def stand_in_the_end(stage: Stage, piece: Piece) -> Piece:
    """A piece that comes to stand where it ended on its way.

    Parameters
    ----------
    stage : Stage
        Its clips say how the body stands.
    piece : Piece
        Its last second gives way to the last steps; before that it is led so that these end where
        it did.

    Returns
    -------
    Piece
        As it was where it is too short for that.
    """
    n = piece.motion.n_frames
    cut = n - round(LAST * stage.fps)
    if cut < LED * stage.fps:
        return piece
    head = piece.cut(0, cut)
    last = stage.posed(piece.motion[-1:])
    come = come_to_stand(stage, state_of(stage, head), n - cut + 1, float(last.body[0, 2]))
    if come is None:
        return piece
    away = last.hips[0] - stage.posed(come.motion[-1:]).hips[0]
    away = away * np.array([1.0, 0.0, 1.0])
    side = Side(stage.posed(head.motion), head.contacts)
    own = led(stage, side, away, np.linspace(0.0, 1.0, cut), (0, cut - 1))
    begun = replace(head, motion=own.posed.motion, contacts=own.contacts)
    moved = come.motion.transformed(GroundTransform(0.0, float(away[0]), float(away[2])))
    waits = n - cut + 1 - moved.n_frames
    held = concatenate([moved, *[moved[-1:]] * waits])
    down = np.concatenate([come.contacts.down, np.repeat(come.contacts.down[-1:], waits, axis=0)])
    rest = replace(come, motion=held, contacts=replace(come.contacts, down=down))
    notes = (*piece.notes, *come.notes)
    return replace(follow(begun, rest), notes=notes)
