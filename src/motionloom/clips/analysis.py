"""What the clips of a set are like: where their feet bear on the ground, and how natural they are
themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.analysis.contacts import ContactOptions, FootContacts, detect_contacts
from motionloom.analysis.faults.limits import MovementLimits, measure_limits
from motionloom.analysis.hinges import Hinge, fit_hinges
from motionloom.analysis.quality import Quality, compute_pooled_quality
from motionloom.analysis.soles import Soles, fit_soles
from motionloom.clips.clip_set import ClipSet
from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.footlock import find_legs
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.roles import Roles
from motionloom.threads import one_thread
from motionloom.typing import Array, Ints


@dataclass(frozen=True, eq=False)
class AnalysedClips:
    """A clip set with its contacts.

    Parameters
    ----------
    clip_set : ClipSet
        The clips.
    soles : Soles
        Calibrated on all clips together.
    contacts : tuple of FootContacts
        One per clip.
    quality : Quality
        Of all clips together.
    hinges : mapping of str to Hinge
        Knees and elbows with their captured ranges, by the role of the limb's tip.
    feet : tuple of mapping of str to FootTrack
        The feet of every clip by their roles, above a ground at height 0.
    limits : MovementLimits
        What the clips do at most.
    lowest : array of shape (P,), metres
        Least height of the soles' points above the ground.
    """

    clip_set: ClipSet
    soles: Soles
    contacts: tuple[FootContacts, ...]
    quality: Quality
    hinges: Mapping[str, Hinge]
    feet: tuple[Mapping[str, FootTrack], ...]
    limits: MovementLimits
    lowest: Array

    @property
    def roles(self) -> Roles:
        """Which joint plays which part of the body."""
        return self.clip_set.roles

    @cached_property
    def fingerprint(self) -> bytes:
        """Hash of the clips' names and motion."""
        digest = hashlib.sha256("\n".join(self.clip_set.names).encode())
        digest.update(np.ascontiguousarray(self.clip_set.positions).tobytes())
        return digest.digest()


@one_thread()
def analyse_clips(
    clips: ClipSet, options: ContactOptions | None = None, progress: Progress = silent
) -> AnalysedClips:
    """Find the contacts of every clip and measure the clips' quality.

    Parameters
    ----------
    clips : ClipSet
        Clips of a body with feet.
    options : ContactOptions, optional
        Thresholds of contact.
    progress : Progress
        Told of every clip.

    Returns
    -------
    AnalysedClips

    Raises
    ------
    InvalidInputError
        When the roles hold no foot or no whole leg.

    Examples
    --------
    >>> from motionloom.clips.clip_set import make_clip_set
    >>> clips = analyse_clips(make_clip_set([walk]))
    >>> clips.soles.feet, bool(clips.quality.skate_mean < 2.0)  # centimetres per second
    (('left_foot', 'right_foot'), True)
    """
    motions = [PosedMotion(motion, clips.roles) for motion in clips.motions]
    soles = fit_soles(motions)
    contacts = []
    for i, posed in enumerate(motions):
        progress("finding contacts", i, clips.n_clips)
        contacts.append(detect_contacts(posed, options, soles))
    progress("finding contacts", clips.n_clips, clips.n_clips)
    return AnalysedClips(
        clip_set=clips,
        soles=soles,
        contacts=tuple(contacts),
        quality=compute_pooled_quality(motions, contacts),
        hinges=fit_hinges(motions),
        feet=tuple(feet_of(p, c) for p, c in zip(motions, contacts, strict=True)),
        limits=measure_limits(motions, contacts),
        lowest=np.min([_lowest(p, c) for p, c in zip(motions, contacts, strict=True)], axis=0),
    )


def feet_of(posed: PosedMotion, contacts: FootContacts) -> dict[str, FootTrack]:
    """Ways of the feet by their roles, above a ground at height 0.

    Parameters
    ----------
    posed : PosedMotion
        A clip.
    contacts : FootContacts
        Of that clip.
    """
    ankles = {foot: leg.tip for foot, leg in find_legs(posed.roles).items()}
    tracks = {f: FootTrack(posed.positions[:, j], posed.rotations[:, j]) for f, j in ankles.items()}
    return {foot: track.raised(-contacts.ground) for foot, track in tracks.items()}


def _lowest(posed: PosedMotion, contacts: FootContacts) -> Array:
    """Least height of the soles' points above the ground, shape (P,), metres."""
    heights: Array = contacts.soles.positions(posed)[..., 1].min(axis=0)
    return heights - contacts.ground


def extend_clips(
    clips: AnalysedClips,
    posed: Sequence[PosedMotion],
    contacts: Sequence[FootContacts],
    shown: Sequence[Ints],
    note: str,
) -> AnalysedClips:
    """The clips, and others after them.

    What is known of how natural the clips are stays that of the clips themselves.

    Parameters
    ----------
    clips : AnalysedClips
        Not changed.
    posed : sequence of PosedMotion
        Further clips, with names of their own.
    contacts : sequence of FootContacts
        Of each of them.
    shown : sequence of int array of shape (T,)
        Of each, the frames of the clip set that its frames are, or are most like; labels and the
        file's frames are theirs.
    note : str
        What was added, one sentence.

    Returns
    -------
    AnalysedClips
    """
    longer = clips.clip_set.extended(posed, shown, note)
    feet = (*clips.feet, *(feet_of(p, c) for p, c in zip(posed, contacts, strict=True)))
    return replace(clips, clip_set=longer, contacts=(*clips.contacts, *contacts), feet=feet)
