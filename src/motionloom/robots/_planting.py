"""Paths of a robot's feet: where the person's stand they stand, flat or on one edge of the sole.

Within a stance the sole turns about the edge that bears: the ankle's path on the ground is summed
up from the turns, so the edge does not move at all. Stances are laid where the person's ankle was;
between them the foot follows the person's, and what a stance is off fades into what the next is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from motionloom import rotations as rot
from motionloom.curves import runs_of, smoothstep
from motionloom.robots._frames import RobotFoot
from motionloom.robots._source import TO_ROBOT, Source
from motionloom.typing import Array, Bools

UP = np.array([0.0, 0.0, 1.0])
#: Time over which a flat foot begins to slope, seconds.
EASE = 0.12
#: Steepest slope of a standing foot, radians.
STEEPEST = 1.5


@dataclass(frozen=True, eq=False)
class FootPath:
    """One foot of a robot through a motion.

    Parameters
    ----------
    ankles : array of shape (T, 3), metres
        World positions.
    turns : array of shape (T, 4)
        World turn of left, up and ahead.
    down : bool array of shape (T,)
        Whether it stands.
    heel, toe : bool arrays of shape (T,)
        Which edges bear.
    """

    ankles: Array
    turns: Array
    down: Bools
    heel: Bools
    toe: Bools

    def points(self, local: Array) -> Array:
        """World positions (T, K, 3) of points (K, 3) from the ankle along left, up, ahead."""
        return self.ankles[:, None] + rot.rotate(self.turns[:, None], local)


def plan_foot(source: Source, side: str, foot: RobotFoot) -> FootPath:
    """Plan one foot.

    Parameters
    ----------
    source : Source
        The person's motion.
    side : str
        ``"left"`` or ``"right"``.
    foot : RobotFoot
        The robot's.

    Returns
    -------
    FootPath
    """
    heel, toe = source.heels[side], source.toes[side]
    down = source.down(side)
    turns = _turns(source.feet[side], heel, toe, source.fps)
    wanted = source.ankles[side] + UP * -foot.heel[1]
    ankles = wanted.copy()
    edges = rot.rotate(turns[:, None], np.array([foot.heel, foot.toe]))
    for start, stop in runs_of(down):
        stance = _stand(edges[start:stop], heel[start:stop], toe[start:stop])
        stance[:, :2] += (wanted[start:stop, :2] - stance[:, :2]).mean(axis=0)
        ankles[start:stop] = stance
    ankles = wanted + faded(ankles - wanted, down)
    lowest = ankles[:, 2] + rot.rotate(turns[:, None], foot.anchors)[..., 2].min(axis=1)
    ankles[:, 2] += np.where(down, 0.0, np.maximum(-lowest, 0.0))
    return FootPath(ankles, turns, down, heel, toe)


def _stand(edges: Array, heel: Bools, toe: Bools) -> Array:
    """Path (T, 3) of an ankle whose sole turns about the edge (heel, toe) that bears."""
    bears = np.column_stack([heel, toe])
    both = bears[1:] & bears[:-1]
    # Where the weight goes from one edge to the other at once, the new one is where it arrives.
    about = np.where(np.any(both, axis=1, keepdims=True), both, bears[1:]).astype(float)
    about /= about.sum(axis=1, keepdims=True)
    steps = -np.einsum("te,tei->ti", about, np.diff(edges, axis=0))
    path = np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])
    path[:, 2] = -np.where(bears, edges[..., 2], np.inf).min(axis=1)
    return path


def _turns(feet: Array, heel: Bools, toe: Bools, fps: float) -> Array:
    """Turns of a foot that is flat where all of its sole bears, and else on a straight edge."""
    across, ahead = rot.rotate(feet[None], np.eye(3)[[0, 2], None])
    down = heel | toe
    yaw = _headings(ahead)
    yaw = yaw + faded(_held(yaw, heel, toe) - yaw, down)
    pitch = np.arcsin(np.clip(ahead[:, 2], -1.0, 1.0))
    roll = np.arcsin(np.clip(across[:, 2], -1.0, 1.0))
    ease = EASE * fps
    # A sole on its heel points up and one on its toe down, never the other way round.
    one = np.where(toe & ~heel, np.clip(pitch, -STEEPEST, 0.0), np.clip(pitch, 0.0, STEEPEST))
    pitch = np.where(down, one, pitch) * away_from(heel & toe, ease)
    roll = roll * away_from(down, ease)
    steps = np.stack([yaw, -pitch, roll])[..., None] * np.eye(3)[::-1, None]
    about_z, about_y, about_x = rot.from_rotvec(steps)
    return rot.multiply(rot.multiply(about_z, about_y), rot.multiply(about_x, TO_ROBOT))


def _headings(ahead: Array) -> Array:
    """Headings, continuous; those of feet that point up or down are taken from their neighbours."""
    known = np.flatnonzero(np.linalg.norm(ahead[:, :2], axis=-1) > 0.2)
    if not len(known):
        return np.zeros(len(ahead))
    angles = np.unwrap(np.arctan2(ahead[known, 1], ahead[known, 0]))
    return np.asarray(np.interp(np.arange(len(ahead)), known, angles))


def _held(values: Array, heel: Bools, toe: Bools) -> Array:
    """Headings that change in stances only while one edge bears, so that the foot can pivot."""
    held = values.copy()
    flat = heel & toe
    for start, stop in runs_of(heel | toe):
        steps = np.diff(values[start:stop])
        steps[flat[start : stop - 1] & flat[start + 1 : stop]] = 0.0
        path = np.concatenate([[0.0], np.cumsum(steps)])
        held[start:stop] = path + np.mean(values[start:stop] - path)
    return held


def away_from(near: Bools, ease: float) -> Array:
    """0 where `near`, growing smoothly to 1 within `ease` frames of it."""
    if not near.any():
        return np.ones(len(near))
    return smoothstep(scipy.ndimage.distance_transform_edt(~near) / max(ease, 1.0))


def faded(off: Array, down: Bools) -> Array:
    """What is known in stances, faded from each to the next between them."""
    known = np.flatnonzero(down)
    if not len(known):
        return np.zeros_like(off)
    frames = np.arange(len(off))
    after = known[np.minimum(np.searchsorted(known, frames), len(known) - 1)]
    before = known[np.maximum(np.searchsorted(known, frames, side="right") - 1, 0)]
    span = np.maximum(after - before, 1)
    share = smoothstep((frames - before) / span).reshape(-1, *[1] * (off.ndim - 1))
    return np.asarray((1 - share) * off[before] + share * off[after])
