"""A clip set with clips that were made of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.clips.analysis import AnalysedClips, feet_of
from motionloom.clips.clip_set import ClipSet
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Bools, Ints


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
    return replace(
        clips,
        clip_set=_extended(clips.clip_set, posed, shown, note),
        contacts=(*clips.contacts, *contacts),
        feet=(*clips.feet, *(feet_of(p, c) for p, c in zip(posed, contacts, strict=True))),
    )


def _extended(
    clips: ClipSet, posed: Sequence[PosedMotion], shown: Sequence[Ints], note: str
) -> ClipSet:
    lengths = np.cumsum([p.n_frames for p in posed])
    nearest = np.concatenate(shown)
    labels: Mapping[str, Bools] = {
        name: np.concatenate([mask, mask[nearest]]) for name, mask in clips.labels.items()
    }
    of = [int(clips.clip_of[frames[0]]) for frames in shown]
    return replace(
        clips,
        motions=(*clips.motions, *(p.motion for p in posed)),
        starts=np.concatenate([clips.starts, clips.n_frames + lengths]),
        positions=np.concatenate([clips.positions, *(p.positions for p in posed)]),
        body=np.concatenate([clips.body, *(p.body for p in posed)]),
        notes=(*clips.notes, note),
        origins=(*clips.origins, *(clips.origins[c] for c in of)) if clips.origins else (),
        labels=labels,
    )
