"""What people do beside getting about: hands and head that move, hips that rise, more than the calm
clips of a set do at that pace.
"""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from motionloom.analysis.gaits import GAIT_SPEEDS, GRAVITY
from motionloom.clips.clip_set import ClipSet
from motionloom.clips.rates import clip_means, clip_rates
from motionloom.clips.travel import measure_travel, usual_leg
from motionloom.motion import GroundTransform
from motionloom.skeleton import frozen_array
from motionloom.typing import Array, Ints

#: Time over which speeds are averaged, seconds: a wave does not rest where it turns.
WAVE = 0.5
#: What moves beside the hips, and how often a metre of the hips' own rise and fall counts: they
#: carry the whole body.
LIMBS, RISE = (("left_hand", "right_hand"), ("head",), ("left_foot", "right_foot")), 3.0
#: A hand held up by a metre is as much as one that moves at so many metres a second.
RAISED = 2.0
#: Of the frames at one pace this share is calm: few clips of somebody who stands stand still.
CALM_STANDING, CALM_MOVING = 0.25, 0.75
#: Borders of paces, as shares of ``sqrt(gravity * leg length)``; the first is that of standing.
PACES = (GAIT_SPEEDS[0], 0.17, 0.25, 0.35, 0.45, 0.55, 0.7, 0.9, 1.2)
#: Nobody holds as still as the calmest; so much is free beside that, metres a second.
FREE = 0.15
#: A pace that fills less time than this, seconds, says nothing.
LEAST = 0.5


#: Every search asks for it, so each clip set is measured once.
_KNOWN: WeakKeyDictionary[ClipSet, Array] = WeakKeyDictionary()


def measure_activity(clips: ClipSet) -> Array:
    """How far limbs, head and hips move in a second beyond the need, shape (N,), metres a second; a
    hand that is held up counts as if it moved.

    What is needed is learnt from the clips: at every pace as much as calm clips of that pace or of
    any faster one show. So a set of jumps that end in standing does not make jumps a need.

    Parameters
    ----------
    clips : ClipSet
        Clips with N frames; measured when first asked for.

    Returns
    -------
    array of shape (N,), metres per second
        It cannot be written to.
    """
    if clips not in _KNOWN:
        _KNOWN[clips] = frozen_array(_measure(clips))
    return _KNOWN[clips]


def _measure(clips: ClipSet) -> Array:
    pace = measure_travel(clips).speed / np.sqrt(GRAVITY * usual_leg(clips))
    bins = np.searchsorted(PACES, pace)
    hips = clips.roles.joints.get("hips", 0)
    raised = held_up(clips)
    # What is alike: limbs by pairs, heights at which hands are held, the hips' rise and fall.
    parts = [(1.0, speeds) for speeds in _limbs(clips, WAVE)]
    parts += [(RAISED, raised)] if len(raised) else []
    parts += [(RISE, _speed(clips, clips.positions[:, hips, 1:2], WAVE)[None])]
    total = np.zeros(clips.n_frames)
    for weight, speeds in parts:
        calm = _calm(speeds, pace, bins, LEAST * clips.fps)
        # Differences to the need, not quotients: twice next to nothing is nothing.
        total += weight * np.maximum(speeds - calm - FREE, 0.0).sum(axis=0)
    return total


def limb_speeds(clips: ClipSet, span: float = WAVE) -> Array:
    """Mean speeds of hands, head and feet as the body sees them, shape (D, N), metres a second.

    Parameters
    ----------
    clips : ClipSet
        Limbs without a role are left out.
    span : float, seconds
        What is averaged over, around every frame.

    Returns
    -------
    array of shape (D, N), metres per second
    """
    return np.concatenate([np.zeros((0, clips.n_frames)), *_limbs(clips, span)])


def _limbs(clips: ClipSet, span: float) -> list[Array]:
    """Speeds (K, N) of what is alike: both hands, the head, both feet."""
    hips = clips.roles.joints.get("hips", 0)
    seen = GroundTransform.of_body(clips.body[:, None]).seen(clips.positions)
    beside = [[seen[:, j] - seen[:, hips] for j in _joints_of(clips, roles)] for roles in LIMBS]
    return [np.array([_speed(clips, place, span) for place in own]) for own in beside if own]


def _joints_of(clips: ClipSet, roles: Sequence[str]) -> list[int]:
    """Joints of the roles that the body has."""
    return [clips.roles.joints[role] for role in roles if role in clips.roles.joints]


def held_up(clips: ClipSet) -> Array:
    """Heights of a person's hands over the hips, shape (K, N), metres, as means over `WAVE`
    seconds; hands that hang count as being at the hips.

    Parameters
    ----------
    clips : ClipSet
        Those of anything but a person give none.
    """
    hips = clips.positions[:, clips.roles.joints.get("hips", 0), 1]
    hands = _joints_of(clips, LIMBS[0]) if clips.roles.kind == "human" else []
    heights = (np.maximum(clips.positions[:, j, 1] - hips, 0.0) for j in hands)
    return np.array([clip_means(clips, h, WAVE) for h in heights]).reshape(-1, clips.n_frames)


def _speed(clips: ClipSet, place: Array, span: float) -> Array:
    """Mean speed (N,) of a place (N, D) in `span` seconds around every frame."""
    return clip_means(clips, np.linalg.norm(clip_rates(clips, place), axis=1), span)


def _calm(speeds: Array, pace: Array, bins: Ints, least: float) -> Array:
    """Speeds of calm clips at each frame's pace, shape (N,).

    The calmer of two limbs counts for both.
    """
    shown = [(bins == k, CALM_MOVING if k else CALM_STANDING) for k in range(len(PACES) + 1)]
    known = [
        (np.median(pace[own]), np.quantile(speeds[:, own], share, axis=1).min())
        for own, share in shown
        if own.sum() >= least
    ]
    if not known:
        return np.full(len(pace), np.quantile(speeds, CALM_MOVING, axis=1).min())
    at, level = np.array(known).T
    # From fast to slow: what a faster gait does without, a slower one does not need either.
    level = np.minimum.accumulate(level[::-1])[::-1]
    return np.asarray(np.interp(pace, at, level))
