"""How somebody stands: a captured moment most like the body, or what clips have on average."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.clips.analysis import AnalysedClips
from motionloom.edit.plant import Footing, plant_feet
from motionloom.edit.root import move_body
from motionloom.motion import GroundTransform, Motion, concatenate
from motionloom.posed_motion import PosedMotion
from motionloom.shot.handover.bridging import Side
from motionloom.shot.handover.feet import FEET, Feet
from motionloom.shot.handover.footsteps import FootState

#: Who stands has hips and limbs no faster than this, metres per second.
HIPS, LIMBS = 0.12, 0.4
#: Speeds are taken over this time, seconds.
SPAN = 0.2
#: A limb that moves counts as much as a joint that is turned so far, radians per metre a second.
MOVING = 0.5


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
        speeds = np.linalg.norm(shown[2 * lag :] - shown[: -2 * lag], axis=-1)
        speeds = speeds * own.fps / (2 * lag)
        hips = speeds[:, own.roles.joints["hips"]]
        limbs = speeds.max(axis=1)
        down = clips.contacts[c].by_foot()
        stands = np.all([down[foot][lag:-lag] for foot in FEET], axis=0)
        at = np.flatnonzero(stands & (hips < HIPS) & (limbs < LIMBS))
        if not len(at):
            continue
        turned = rot.angle_between(
            motion.rotations[at + lag][:, joints], like.rotations[-1, joints]
        )
        cost = turned.mean(axis=1) + MOVING * limbs[at]
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
    rotations = np.concatenate([one.rotations for one in seen])
    translations = np.concatenate([one.translations for one in seen])
    pose = replace(
        seen[0][:1],
        rotations=rot.mean(rotations)[None],
        translations=translations.mean(axis=0)[None],
    )
    posed = PosedMotion(pose, own.roles)
    lowest = np.mean(
        [posed.positions[0, own.roles.joints[foot], 1] - feet.shapes[foot].height for foot in FEET]
    )
    return move_body(posed, np.array([[0.0, -float(lowest), 0.0]])).motion


def _flat(posed: PosedMotion, feet: Feet) -> PosedMotion:
    """A pose whose feet lie flat on the ground."""
    at = {}
    for foot, shape in feet.shapes.items():
        joint = posed.roles.joints[foot]
        turn = posed.rotations[0, joint]
        state = FootState(posed.positions[0, joint], turn, np.zeros(3), True)
        flat = shape.flat(state)
        at[foot] = Footing(flat.place[None], flat.turn[None])
    return plant_feet(posed, at)
