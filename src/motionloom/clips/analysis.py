"""What the clips of a set are like: where their feet bear on the ground, and how natural they are
themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.contacts import ContactOptions, FootContacts, detect_contacts
from motionloom.analysis.hinges import Hinge, fit_hinges
from motionloom.analysis.quality import Quality, compute_pooled_quality
from motionloom.analysis.soles import Soles, fit_soles
from motionloom.clips.clip_set import ClipSet
from motionloom.kinematics import WorldPose, forward_kinematics
from motionloom.progress import Progress, silent
from motionloom.roles import Roles


@dataclass(frozen=True, eq=False)
class AnalysedClips:
    """A clip set with its contacts.

    Parameters
    ----------
    clip_set : ClipSet
    soles : Soles
        Calibrated on all clips together.
    contacts : tuple of FootContacts
        One per clip.
    quality : Quality
        Of all clips together.
    lowest : array of shape (P,), metres
        Least height of every point of the soles above the ground.
    hinges : mapping of str to Hinge
        Knees and elbows with their captured ranges, by the role of the limb's tip.
    """

    clip_set: ClipSet
    soles: Soles
    contacts: tuple[FootContacts, ...]
    quality: Quality
    lowest: NDArray[np.float64]
    hinges: Mapping[str, Hinge] = field(default_factory=dict)

    @property
    def roles(self) -> Roles:
        """Which joint plays which part of the body."""
        return self.clip_set.roles


def analyse_clips(
    clips: ClipSet, options: ContactOptions | None = None, progress: Progress = silent
) -> AnalysedClips:
    """Find the contacts of every clip and measure the clips' quality.

    Parameters
    ----------
    clips : ClipSet
    options : ContactOptions, optional
    progress : Progress
    """
    poses = [forward_kinematics(m) for m in clips.motions]
    soles = fit_soles(clips.motions, clips.roles, poses)
    contacts = []
    for i, (motion, pose) in enumerate(zip(clips.motions, poses, strict=True)):
        progress("finding contacts", i, clips.n_clips)
        contacts.append(detect_contacts(motion, pose, clips.roles, options, soles))
    progress("finding contacts", clips.n_clips, clips.n_clips)
    quality = compute_pooled_quality(clips.motions, contacts, poses)
    return AnalysedClips(
        clip_set=clips,
        soles=soles,
        contacts=tuple(contacts),
        quality=quality,
        lowest=_lowest(contacts, poses),
        hinges=fit_hinges(poses, clips.roles),
    )


def _lowest(contacts: Sequence[FootContacts], poses: Sequence[WorldPose]) -> NDArray[np.float64]:
    """Least height of the soles' points over all clips, shape (P,), metres."""
    heights = [
        c.soles.positions(pose)[..., 1].min(axis=0) - c.ground
        for c, pose in zip(contacts, poses, strict=True)
    ]
    return np.min(heights, axis=0)
