"""A body that moves comes to stand: with a last step, and no farther than its speed carries it.

How somebody stands: a captured moment most like the body, or what clips have on average.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.clips.analysis import AnalysedClips
from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.plant import plant_feet
from motionloom.edit.root import move_body
from motionloom.motion import GroundTransform, Motion, concatenate
from motionloom.posed_motion import PosedMotion
from motionloom.shot._handover.bridging import (
    FEET,
    Feet,
    Filled,
    Side,
    carried,
    end_to_end,
    fill_bridged,
    moved_to,
)
from motionloom.shot._handover.footsteps import FootState
from motionloom.shot._handover.repair import led
from motionloom.shot.stage import Piece, Stage, State, state_of

#: Who stands has hips and limbs no faster than this, metres per second.
HIPS, LIMBS = 0.12, 0.4
#: Speeds are taken over this time, seconds.
SPAN = 0.2
#: A limb that moves counts as much as a joint that is turned so far, radians per metre a second.
MOVING = 0.5

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
    before = Side.of_state(state)
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
        bridged = bridge.bridge(before.motion, behind.motion, missing)
        filled = fill_bridged(stage.clips, stage.feet, bridged, (before, behind), missing)
        short = max(least / seconds - 1.0, 0.0)
        made.append((min(filled.strain, 10.0) + 10.0 * short, filled, behind))
    if not made:
        return None
    _, filled, behind = min(made, key=lambda one: one[0])
    n = state.tail.n_frames
    motion, down = end_to_end(before.cut(n - 1, n), filled, behind)
    contacts = FootContacts(state.soles, down, 0.0)
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


def standing_side(
    clips: AnalysedClips, feet: Feet, like: Side, count: int, facing: float | None = None
) -> Side:
    """The pose in which a body comes to stand, held, where it is in the last frame of `like`.

    Parameters
    ----------
    clips : AnalysedClips
        Whose moments of standing are looked at.
    feet : Feet
        Of their body.
    like : Side
        The most like its last frame is taken.
    count : int
        Frames that it is held.
    facing : float, radians, optional
        Where it faces; as the last frame of `like` when not given.

    Returns
    -------
    Side
    """
    frame = _standing_frame(clips, like.posed.motion)
    if frame is None:
        pose = _mean_pose(clips, feet)
    else:
        clip = int(clips.clip_set.clip_of[frame])
        own = int(frame - clips.clip_set.starts[clip])
        pose = clips.clip_set.motions[clip].cut(own, own + 1)
    posed = PosedMotion(pose, clips.roles)
    here = GroundTransform.of_body(like.posed.body[-1])
    here = here if facing is None else replace(here, angle=facing)
    there = GroundTransform.of_body(posed.body[0])
    placed = _flat(posed.transformed(here.compose(there.inverse())), feet)
    held = concatenate([placed.motion] * count)
    down = np.ones((count, len(clips.soles.points)), np.bool_)
    return Side(PosedMotion(held, clips.roles), FootContacts(clips.soles, down, 0.0))


def _standing_frame(clips: AnalysedClips, like: Motion) -> int | None:
    """The frame of somebody standing whose joints are turned least from the last of a motion."""
    own = clips.clip_set
    best: tuple[float, int] | None = None
    above = set(own.skeleton.chain(own.motions[0].root_joint))
    joints = [j for j in range(own.skeleton.n_joints) if j not in above]
    for c, motion in enumerate(own.motions):
        shown = own.positions[own.starts[c] : own.starts[c + 1]]
        lag = min(max(round(0.5 * SPAN * own.fps), 1), (len(shown) - 1) // 2)
        if lag < 1:
            continue
        moved = np.linalg.norm(shown[2 * lag :] - shown[: -2 * lag], axis=-1)
        speeds = moved * own.fps / (2 * lag)
        hips, limbs = speeds[:, own.roles.joints["hips"]], speeds.max(axis=1)
        down = clips.contacts[c].by_foot()
        stands = np.all([down[foot][lag:-lag] for foot in FEET], axis=0)
        at = np.flatnonzero(stands & (hips < HIPS) & (limbs < LIMBS))
        if not len(at):
            continue
        poses = motion.rotations[at + lag][:, joints]
        cost = (
            rot.angle_between(poses, like.rotations[-1, joints]).mean(axis=1) + MOVING * limbs[at]
        )
        k = int(np.argmin(cost))
        if best is None or cost[k] < best[0]:
            best = (float(cost[k]), int(own.starts[c] + at[k] + lag))
    return None if best is None else best[1]


def _mean_pose(clips: AnalysedClips, feet: Feet) -> Motion:
    """What the clips have on average, upright on both feet."""
    own = clips.clip_set
    seen = []
    for motion in own.motions:
        posed = PosedMotion(motion, own.roles)
        ground = posed.hips * [1.0, 0.0, 1.0]
        seen.append(move_body(posed, -ground, -posed.body[:, 2], ground).motion)
    turned = rot.mean(np.concatenate([one.rotations for one in seen]))
    places = np.concatenate([one.translations for one in seen]).mean(axis=0)
    pose = replace(seen[0][:1], rotations=turned[None], translations=places[None])
    posed = PosedMotion(pose, own.roles)
    heights = posed.positions[0, [own.roles.joints[foot] for foot in FEET], 1]
    lowest = np.mean(heights - [feet.shapes[foot].height for foot in FEET])
    return move_body(posed, np.array([[0.0, -float(lowest), 0.0]])).motion


def _flat(posed: PosedMotion, feet: Feet) -> PosedMotion:
    """A pose whose feet lie flat on the ground."""
    at = {}
    for foot, shape in feet.shapes.items():
        joint = posed.roles.joints[foot]
        there, turn = posed.positions[0, joint], posed.rotations[0, joint]
        flat = shape.flat(FootState(there, turn, np.zeros(3), True))
        at[foot] = FootTrack(flat.place[None], flat.turn[None])
    return plant_feet(posed, at)
