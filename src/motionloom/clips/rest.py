"""Rests: what people do while they wait, made of the quietest moments of clips that have none.

Takes in which somebody acts at once show nobody waiting, so that no way through them does. Their
quietest poses are held: slowed down to almost nothing, and gone through forth and back.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.gaits import GAIT_SPEEDS, GRAVITY
from motionloom.clips.activity import held_up, limb_speeds
from motionloom.clips.analysis import AnalysedClips, extend_clips
from motionloom.clips.clip_set import ClipSet
from motionloom.clips.travel import measure_travel, usual_leg
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

SUFFIX = " (rest)"
#: Of the time that people stand they rest, limbs slower than this, metres a second, for this share
#: at least; sets that show less of it have no rests.
CALM, RESTING = 0.15, 0.1
#: Nobody's hands are higher over the hips while they rest, metres.
HANGING = 0.1
#: A moment is so long, seconds, and is only worth holding where no limb is faster in it, metres a
#: second.
MOMENT, QUIET = 0.3, 0.4
#: How many moments are held, at most one a take.
MOST = 4
#: Seconds of the take before and after, of slowing down to a hold and of the hold, and the largest
#: speed in it as a share of the take's own.
AROUND, SLOWING, HOLD, SWAY = 0.7, 0.4, 3.0, 0.15


def add_rests(clips: AnalysedClips) -> AnalysedClips:
    """The clips, and after them rests called ``NAME (rest)`` where people stand but hardly rest.

    What is known of how natural the clips are stays that of the clips themselves.

    Parameters
    ----------
    clips : AnalysedClips
        Not changed; returned as they are where people rest in them already, never stand or are
        never quiet, and where they are no person's.
    """
    own = clips.clip_set
    held = [(int(own.clip_of[f]), int(f - own.starts[own.clip_of[f]])) for f in find_moments(own)]
    if not held:
        return clips
    whens = [hold_times(own.motions[c].n_frames, frame, own.fps) for c, frame in held]
    posed = []
    contacts = []
    frames = []
    for (c, _), when in zip(held, whens, strict=True):
        shown = replace(show_at(own.motions[c], when), name=own.names[c] + SUFFIX)
        posed.append(PosedMotion(shown, own.roles))
        near = np.round(when).astype(int)
        contacts.append(replace(clips.contacts[c], down=clips.contacts[c].down[near]))
        frames.append(own.starts[c] + near)
    names = ", ".join(own.names[c] for c, _ in held)
    note = "people hardly rest in the clips, so their quietest moments may be held"
    return extend_clips(clips, posed, contacts, frames, f"{note}: those of {names}")


def find_moments(clips: ClipSet) -> list[int]:
    """Middle frames of moments worth holding, nearest to how people stand; none where they rest.

    Parameters
    ----------
    clips : ClipSet
    """
    if clips.roles.kind != "human":
        return []
    slow = GAIT_SPEEDS[0] * np.sqrt(GRAVITY * usual_leg(clips))
    stands = measure_travel(clips).speed < slow
    hangs = stands & (held_up(clips).max(axis=0, initial=0.0) < HANGING)
    speed = limb_speeds(clips, MOMENT).max(axis=0, initial=0.0)
    rests = (hangs & (speed < CALM)).sum() >= RESTING * stands.sum()
    if rests:
        return []
    half = round(0.5 * MOMENT * clips.fps)
    quiet = []
    for a, b in clips.spans:
        at = a + half + np.flatnonzero((hangs & (speed < QUIET))[a + half : b - half - 1])
        if len(at):
            quiet.append(int(at[np.argmin(speed[at])]))
    poses = GroundTransform.of_body(clips.body[:, None]).seen(clips.positions)
    shown = poses[stands].reshape(stands.sum(), -1)
    away = [np.linalg.norm(shown - poses[f].ravel(), axis=1) for f in quiet]
    return [quiet[k] for k in _nearest_to_all(away)]


def _nearest_to_all(away: list[Array]) -> list[int]:
    """Up to `MOST` of the rows, each chosen so that the smallest values of all chosen are least."""
    chosen: list[int] = []
    least = np.full(away[0].shape if away else 0, np.inf)
    for _ in range(min(MOST, len(away))):
        sums = [float(np.minimum(least, row).sum()) for row in away]
        chosen.append(int(np.argmin(sums)))
        least = np.minimum(least, away[chosen[-1]])
    return chosen


def hold_times(n_frames: int, frame: int, fps: float) -> Array:
    """Frames of a take that a hold of one of its moments shows, as they follow, shape (T,).

    The take slows down to the hold and goes on from it, as far as it has frames.

    Parameters
    ----------
    n_frames : int
        Of the take.
    frame : int
        The moment.
    fps : float
        Frames per second.
    """
    around, slowing, hold = (round(s * fps) for s in (AROUND, SLOWING, HOLD))
    slower = 0.5 + 0.5 * np.cos(np.pi * (np.arange(slowing) + 0.5) / slowing)
    sway = SWAY * np.sin(2 * np.pi * (np.arange(hold) + 0.5) / hold)
    pace = np.concatenate([np.ones(around), slower, sway, slower[::-1], np.ones(around)])
    when = np.concatenate([[0.0], np.cumsum(pace)])
    when += frame - when[around + slowing]
    return when[(when >= -1e-9) & (when <= n_frames - 1 + 1e-9)].clip(0.0, n_frames - 1)


def show_at(motion: Motion, when: Array) -> Motion:
    """A motion with other times: slerp for rotations, straight lines for translations.

    Parameters
    ----------
    motion : Motion
        At least two frames.
    when : array of shape (T,), frames
        Frame of `motion`, with fractions, that each new frame shows.
    """
    i = np.minimum(when.astype(int), motion.n_frames - 2)
    f = (when - i)[:, None]
    moved = motion.translations
    rotations = rot.slerp(motion.rotations[i], motion.rotations[i + 1], f)
    translations = moved[i] * (1 - f[..., None]) + moved[i + 1] * f[..., None]
    return replace(motion, rotations=rotations, translations=translations)
