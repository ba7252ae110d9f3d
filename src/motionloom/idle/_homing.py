"""Steps that stay about one place: footprints shifted, so that who steps does not walk away.

Between two steps both feet stand. Each such stance is moved back towards where the motion begins;
a foot takes the difference over while it is in the air, hips and trunk meanwhile, and standing feet
stay where they are.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import binary_closing

from motionloom import rotations as rot
from motionloom.curves import minimum_jerk, runs_of
from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.plant import plant_feet
from motionloom.edit.root import move_body
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools

FEET = ("left_foot", "right_foot")
#: Made feet stand exactly; one that is faster is on its way, metres per second.
STEPPING = 0.01
#: Feet that stand for a shorter time are still on their way, seconds.
SHORTEST = 0.3
#: A stance stays this near to the first one, metres, and turns away from it by no more, radians.
NEAR, TURNED = 0.06, 0.12


def stay_about(posed: PosedMotion) -> PosedMotion:
    """Shift the footprints of somebody who steps while they wait.

    Parameters
    ----------
    posed : PosedMotion
        Its feet stand exactly or step.

    Returns
    -------
    PosedMotion
        The same motion where nobody steps.
    """
    ankles, moving, steps = find_moving(posed)
    stances = _stances(posed, ankles, moving) if steps else []
    if len(stances) < 2:
        return posed
    home = stances[0].place
    goals = [_back(stance.place, home).compose(stance.place.inverse()) for stance in stances]
    back = np.array([(rot.wrap_angle(goal.angle), goal.x, goal.z) for goal in goals], float)
    body = _over(back, stances, np.ones(posed.n_frames, np.bool_), posed.n_frames)
    moved = _moved(posed, body)
    feet = {
        foot: _footing(posed, foot, _over(back, stances, moving[:, f], posed.n_frames))
        for f, foot in enumerate(FEET)
    }
    return plant_feet(moved, feet)


def find_moving(posed: PosedMotion) -> tuple[Array, Bools, int]:
    """Places (T, 2, 3) of both ankles, where each is on its way (T, 2), and how often one steps."""
    joints = posed.roles.joints
    ankles = posed.positions[:, [joints[foot] for foot in FEET]]
    speed = np.linalg.norm(np.diff(ankles, axis=0, prepend=ankles[:1]), axis=-1) * posed.fps
    moving = speed > STEPPING
    return ankles, moving, int((np.diff(moving.astype(int), axis=0, prepend=0) == 1).sum())


@dataclass(frozen=True)
class _Stance:
    first: int
    stop: int
    place: GroundTransform


def _stances(posed: PosedMotion, ankles: Array, moving: Bools) -> list[_Stance]:
    reach = 2 * round(0.5 * SHORTEST * posed.fps) + 1
    busy = binary_closing(np.pad(moving.any(axis=1), reach), np.ones(reach, np.bool_))
    still = ~busy[reach:-reach]
    found = []
    for a, b in runs_of(still):
        x, _, z = map(float, ankles[a:b].mean(axis=(0, 1)))
        found.append(_Stance(a, b, GroundTransform(float(posed.body[a:b, 2].mean()), x, z)))
    return found


def _back(place: GroundTransform, home: GroundTransform) -> GroundTransform:
    """Where a stance goes: nearer to home, the farther away it is."""
    away = home.inverse().compose(place)
    far = float(np.hypot(away.x, away.z))
    share = NEAR * float(np.tanh(far / NEAR)) / max(far, 1e-9)
    angle = float(rot.wrap_angle(away.angle))
    turned = TURNED * float(np.tanh(angle / TURNED))
    return home.compose(GroundTransform(turned, share * float(away.x), share * float(away.z)))


def _over(back: Array, stances: list[_Stance], moving: Bools, n_frames: int) -> Array:
    """Correction of every frame, (T, 3): it changes between stances, while `moving`."""
    found = np.empty((n_frames, 3))
    current = back[0]
    found[: stances[0].stop] = current
    for k, (before, after) in enumerate(itertools.pairwise(stances)):
        frames = slice(before.stop, after.first)
        way = np.cumsum(moving[frames].astype(float))
        goal = back[k + 1] if way[-1] > 0 else current
        share = minimum_jerk(way / max(way[-1] + 1.0, 1.0))[:, None]
        found[frames] = current + share * (goal - current)
        current = goal
        found[after.first : after.stop] = current
    found[stances[-1].stop :] = current
    return found


def _moved(posed: PosedMotion, back: Array) -> PosedMotion:
    place = GroundTransform(*back.T)
    shift = place.apply(posed.hips) - posed.hips
    return move_body(posed, shift, back[:, 0], posed.hips)


def _footing(posed: PosedMotion, foot: str, back: Array) -> FootTrack:
    joint = posed.roles.joints[foot]
    place = GroundTransform(*back.T)
    turns = rot.multiply(place.quaternion, posed.rotations[:, joint])
    return FootTrack(place.apply(posed.positions[:, joint]), turns)
