"""What the clips of a set are like: where their feet bear on the ground, and how natural they are themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from motionloom.analysis.contacts import ContactOptions, FootContacts, detect_contacts
from motionloom.analysis.hinges import Hinge, fit_hinges
from motionloom.analysis.quality import Quality, compute_pooled_quality
from motionloom.analysis.soles import Soles, fit_soles
from motionloom.clips.clip_set import ClipSet
from motionloom.kinematics import forward_kinematics
from motionloom.progress import Progress, silent


@dataclass(frozen=True, eq=False)
class ClipSources:
    """A clip set with its contacts.

    Parameters
    ----------
    clips : ClipSet
    soles : Soles
        Calibrated on all clips together.
    contacts : tuple of FootContacts
        One per clip.
    quality : Quality
        Of all clips together.
    hinges : mapping of str to Hinge
        Knees and elbows with their captured ranges, by the role of the limb's tip.
    """

    clips: ClipSet
    soles: Soles
    contacts: tuple[FootContacts, ...]
    quality: Quality
    hinges: Mapping[str, Hinge] = field(default_factory=dict)


def analyse_clips(clips: ClipSet, options: ContactOptions | None = None, progress: Progress = silent) -> ClipSources:
    """Find the contacts of every clip and measure the clips' quality."""
    poses = [forward_kinematics(m) for m in clips.motions]
    soles = fit_soles(clips.motions, clips.roles, poses)
    contacts = []
    for i, (motion, pose) in enumerate(zip(clips.motions, poses, strict=True)):
        progress("finding contacts", i, clips.n_clips)
        contacts.append(detect_contacts(motion, pose, clips.roles, options, soles))
    progress("finding contacts", clips.n_clips, clips.n_clips)
    quality = compute_pooled_quality(clips.motions, contacts, poses)
    return ClipSources(clips, soles, tuple(contacts), quality, fit_hinges(poses, clips.roles))
