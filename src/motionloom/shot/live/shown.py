"""Which frames of which clips a draft shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.synthesis.generator import Draft


@dataclass(frozen=True)
class ClipShown:
    """Frames of a clip that a span shows.

    Parameters
    ----------
    first, last : int
        Frames of the span, both included.
    clip : str
        Name of the clip.
    frame : int
        Frame of the clip that the first one shows.
    """

    first: int
    last: int
    clip: str
    frame: int


def clips_shown(clips: ClipSet, draft: Draft) -> tuple[ClipShown, ...]:
    """Clips that a draft shows; none where it shows none.

    Parameters
    ----------
    clips : ClipSet
        That its frames are counted in.
    draft : Draft
        Of a method that has learned from them.

    Returns
    -------
    tuple of ClipShown
        A new one wherever the clip changes or time in it jumps.
    """
    frames = draft.source_frames
    if frames is None:
        return ()
    clip = clips.clip_of[frames]
    # Clips may be played somewhat faster or slower, and who waits may show one frame for long.
    step = np.diff(frames)
    begins = np.flatnonzero((np.diff(clip) != 0) | (step < 0) | (step > 3)) + 1
    firsts = [0, *(int(k) for k in begins)]
    lasts = [*(k - 1 for k in firsts[1:]), len(frames) - 1]
    return tuple(
        ClipShown(first, last, clips.names[c], int(frames[first] - clips.starts[c]))
        for first, last, c in zip(firsts, lasts, (int(clip[k]) for k in firsts), strict=True)
    )
