"""Feet that stand kept where they stood, whatever was done to the body above them."""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.curves import minimum_jerk
from motionloom.edit.footlock import find_legs
from motionloom.edit.hip_height import sink_to_reach
from motionloom.edit.plant import Footing, plant_feet
from motionloom.edit.root import move_body
from motionloom.posed_motion import PosedMotion
from motionloom.shot.stage import Stage
from motionloom.typing import Array, Bools

#: A foot in the air is as it was made again in this time, seconds.
EASE = 0.15
#: Share of its length that a leg may take.
EXTENSION = 0.9995
#: The hips sink no faster than this, leg lengths per second.
SINK_SPEED = 0.6
UP = np.array([0.0, 1.0, 0.0])


def as_they_stood(
    stage: Stage, before: PosedMotion, made: PosedMotion, contacts: FootContacts
) -> PosedMotion:
    """Put feet that bear back to where they were.

    Parameters
    ----------
    stage : Stage
        For soles and knees.
    before : PosedMotion
        The motion as it was, T frames.
    made : PosedMotion
        What was made of it.
    contacts : FootContacts
        When its feet bear.

    Returns
    -------
    PosedMotion
        Like `made`; in the air feet ease from the one to the other.
    """
    legs = find_legs(made.roles)
    feet = {}
    local: dict[int, Array] = {}
    own = made.motion.rotations
    old = before.motion.rotations
    for foot, leg in legs.items():
        down = contacts.by_foot()[foot]
        share = _share(down, made.fps)[:, None]
        way = before.positions[:, leg.tip] - made.positions[:, leg.tip]
        turns = _mixed(made.rotations[:, leg.tip], before.rotations[:, leg.tip], share)
        feet[foot] = Footing(made.positions[:, leg.tip] + share * way, turns)
        for joint in set(made.skeleton.descendants(leg.tip)) - {leg.tip}:
            local[joint] = _mixed(own[:, joint], old[:, joint], share)
    most = SINK_SPEED * contacts.soles.leg / made.fps
    targets = {foot: one.places for foot, one in feet.items()}
    none = np.zeros(0, np.intp)
    sink = sink_to_reach(made, legs, targets, EXTENSION, stage.clips.hinges, none, most)
    lower = move_body(made, -sink[:, None] * UP)
    return plant_feet(lower.with_local(local), feet, counter_move=False)


def _share(down: Bools, fps: float) -> Array:
    """How much of a foot is as it was, shape (T,): all of it where it bears."""
    frames = np.flatnonzero(down)
    if not len(frames):
        return np.zeros(len(down))
    away = np.abs(np.arange(len(down))[:, None] - frames).min(axis=1)
    return minimum_jerk(1.0 - away / max(EASE * fps, 1.0))


def _mixed(one: Array, other: Array, share: Array) -> Array:
    """Rotations (T, 4) on the way from one to another, by shares (T, 1)."""
    turn = rot.to_rotvec(rot.multiply(rot.conjugate(one), other))
    mixed: Array = rot.multiply(one, rot.from_rotvec(share * turn))
    return mixed
