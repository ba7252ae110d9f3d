"""When feet bear on the ground in motions of a model, and how far they slide."""

from __future__ import annotations

import numpy as np

from motionloom.analysis.contacts import FootContacts, drop_short_contacts
from motionloom.clips.analysis import AnalysedClips
from motionloom.posed_motion import PosedMotion
from motionloom.spaces.motion_space import MotionSpace
from motionloom.typing import Array, Bools


def normalised_contacts(clips: AnalysedClips, times: Array) -> Bools:
    """Which points of the soles bear on the ground in most takes.

    Parameters
    ----------
    clips : AnalysedClips
        The takes, with their contacts.
    times : array of shape (d, N), seconds
        When each take shows the normalised frames.

    Returns
    -------
    bool array of shape (N, P)
    """
    shown = []
    for contacts, own in zip(clips.contacts, times, strict=True):
        frames = np.round(own * clips.clip_set.fps).astype(int)
        shown.append(contacts.down[np.clip(frames, 0, len(contacts.down) - 1)])
    down: Bools = np.mean(shown, axis=0) > 0.5
    return down


def contacts_at(clips: AnalysedClips, down: Bools, frames: Array, fps: float) -> FootContacts:
    """Contacts of a motion on a ground at height 0.

    Parameters
    ----------
    clips : AnalysedClips
        Give the soles.
    down : bool array of shape (N, P)
        Of normalised frames.
    frames : array of shape (T,)
        Normalised frame that each frame shows.
    fps : float
        Frames per second of the motion.
    """
    own = down[np.clip(np.round(frames).astype(int), 0, len(down) - 1)]
    return FootContacts(clips.soles, drop_short_contacts(own, fps), 0.0)


def foot_slide(posed: PosedMotion, contacts: FootContacts) -> float:
    """Farthest that a point of the soles is from the middle of where it stands, metres."""
    points = contacts.soles.positions(posed)[..., [0, 2]]
    farthest = 0.0
    for p in range(points.shape[1]):
        down = np.concatenate([[False], contacts.down[:, p], [False]])
        starts = np.flatnonzero(~down[:-1] & down[1:])
        ends = np.flatnonzero(down[:-1] & ~down[1:])
        for a, b in zip(starts, ends, strict=True):
            own = points[a:b, p]
            away = np.linalg.norm(own - own.mean(axis=0), axis=-1)
            farthest = max(farthest, float(away.max()))
    return farthest


def mean_ground(clips: AnalysedClips) -> float:
    """Height of the ground under the takes, metres."""
    return float(np.mean([contacts.ground for contacts in clips.contacts]))


def space_times(space: MotionSpace) -> Array:
    """When motions made of a model's own takes show normalised frames, shape (d, N), seconds."""
    durations = space.timing.takes.sum(axis=1)
    pairs = zip(space.coefficients, durations, strict=True)
    return np.array([space.times_of(own, float(duration)) for own, duration in pairs])
