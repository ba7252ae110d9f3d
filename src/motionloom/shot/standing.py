"""Bodies moved a little so that two who meet stand to each other as they should; feet stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.clips.analysis import feet_of
from motionloom.curves import minimum_jerk
from motionloom.edit.footlock import lock_feet
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.scene.check import EventGeometry
from motionloom.shot.joining import LOCK
from motionloom.shot.layers import Layered
from motionloom.shot.stage import Stage
from motionloom.typing import Array

#: Who stands farther off, metres, or turned more, degrees, is left alone: that is told.
MOST_WAY, MOST_TURN = 0.12, 10.0
#: Bodies are moved there and back in this time, seconds.
EASE = 0.8
#: So much before and behind that is looked at with it, seconds.
BESIDE = 0.4


def stand_right(
    events: Sequence[EventGeometry], stages: Mapping[str, Stage], made: Mapping[str, Layered]
) -> dict[str, Layered]:
    """Move who sways so that they are at the distance of their meetings, each by half.

    Parameters
    ----------
    events : sequence of EventGeometry
        Of `lay_out_meeting`.
    stages : mapping of str to Stage
        By character.
    made : mapping of str to Layered
        By character.

    Returns
    -------
    dict of str to Layered
        Feet that stand are where they were. Who is far off, or not on level ground, stays.
    """
    done = dict(made)
    for one in events:
        if stages[one.event.between[0]].file.shot.ground:
            continue
        wanted = one.relation.stands(one.spot)
        for who, stand in zip(one.event.between, wanted, strict=True):
            done[who] = _moved(stages[who], done[who], stand, one.frames)
    return done


def _moved(
    stage: Stage, layered: Layered, stand: GroundTransform, frames: tuple[int, int]
) -> Layered:
    posed = layered.posed
    ways, turns = _missing(posed, stand, frames)
    if np.hypot(*ways.T).max() > MOST_WAY or np.degrees(np.abs(turns)).max() > MOST_TURN:
        return layered
    # Nothing that is farther away changes, not even by a hair.
    around = round((EASE + BESIDE) * posed.fps)
    first, stop = max(frames[0] - around, 0), min(frames[1] + around + 1, posed.n_frames)
    near = _moved_near(stage, layered, (first, stop), (frames, ways, turns))
    motion = posed.motion
    rotations, translations = motion.rotations.copy(), motion.translations.copy()
    rotations[first:stop] = near.rotations
    translations[first:stop] = near.translations
    moved = replace(motion, rotations=rotations, translations=translations)
    return replace(layered, posed=posed.with_motion(moved))


def _moved_near(
    stage: Stage,
    layered: Layered,
    window: tuple[int, int],
    missing: tuple[tuple[int, int], Array, Array],
) -> Motion:
    """The frames of a window, moved by what is missing in some of them."""
    frames, ways, turns = missing
    first, stop = window
    posed = layered.posed.cut(first, stop)
    contacts = replace(layered.contacts, down=layered.contacts.down[first:stop])
    share = _share(layered.posed, frames)[first:stop]
    held = np.clip(np.arange(first, stop), *frames) - frames[0]
    way, turn = share[:, None] * ways[held], share * turns[held]
    rotations = posed.motion.rotations.copy()
    about = rot.from_rotvec(turn[:, None] * np.array([0.0, 1.0, 0.0]))
    rotations[:, 0] = rot.multiply(about, rotations[:, 0])
    translations = posed.motion.translations.copy()
    translations[:, 0, [0, 2]] += way
    moved = posed.with_motion(replace(posed.motion, rotations=rotations, translations=translations))
    keep = [frame - first for frame in (first, stop - 1) if 0 < frame < layered.posed.n_frames - 1]
    locked = lock_feet(
        moved,
        contacts,
        LOCK,
        captured=feet_of(posed, contacts),
        lowest=stage.clips.lowest if stage.body is None else None,
        hinges=dict(layered.hinges),
        keep=keep,
    )
    return locked.motion


def _missing(
    posed: PosedMotion, stand: GroundTransform, frames: tuple[int, int]
) -> tuple[Array, Array]:
    """What bodies are short of while they meet: ways (H, 2), and turns (H,) in radians."""
    body = posed.body[frames[0] : frames[1] + 1]
    return stand.ground - body[:, :2], rot.wrap_angle(stand.angle - body[:, 2])


def _share(posed: PosedMotion, frames: tuple[int, int]) -> Array:
    """How much every frame is moved."""
    at = np.arange(posed.n_frames)
    reach = max(round(EASE * posed.fps), 1)
    away = np.maximum(np.maximum(frames[0] - at, at - frames[1]), 0)
    return minimum_jerk(1.0 - away / reach)
