"""A clip set out of a library: nothing is read from motion files and no kinematics are computed."""

from __future__ import annotations

from collections.abc import Sequence
from glob import escape

import numpy as np

from motionloom.clips.clip_set import ClipSet, add_mirrored
from motionloom.clips.labels import Label, label_clips
from motionloom.errors import InvalidInputError
from motionloom.library._library import Library
from motionloom.progress import Progress, silent


def clip_set_from_library(
    library: Library,
    names: Sequence[str] | None = None,
    progress: Progress = silent,
    *,
    mirror: bool = False,
) -> ClipSet:
    """Clips of a library as a set that a graph can be built of.

    Parameters
    ----------
    library : Library
        Its skeleton, roles and frame rate are those of the set.
    names : sequence of str, optional
        The clips, in this order; all of them, sorted by name, when not given.
    progress : Progress
        Told how far the work is.
    mirror : bool
        Whether a mirrored copy of every clip follows after all of them.

    Returns
    -------
    ClipSet
        As `make_clip_set` makes it of the same files at the library's frame rate, to the last
        digits.

    Raises
    ------
    InvalidInputError
        When there is no clip, no clip of a name, or the skeleton cannot be mirrored.
    FormatError
        When a clip is damaged on disk.
    """
    wanted = library.names if names is None else tuple(names)
    if not wanted:
        message = f"{library.path}: a motion graph needs at least one clip,"
        raise InvalidInputError(f"{message} and this library is empty")
    translated = tuple(sorted({j for name in wanted for j in library.entry(name).translated}))
    read = []
    for i, name in enumerate(wanted):
        progress("reading clips", i, len(wanted))
        read.append(library.frames(name))
    progress("reading clips", len(wanted), len(wanted))
    sources = [library.entry(name).source for name in wanted]
    clips = ClipSet(
        tuple(clip.motion.with_translated(translated) for clip in read),
        library.roles,
        np.concatenate([[0], np.cumsum([clip.motion.n_frames for clip in read])]),
        np.concatenate([clip.positions for clip in read]),
        np.concatenate([clip.body for clip in read]),
        library.fps,
        notes=tuple(f"{name}: {text}" for name in wanted for text in library.entry(name).notes),
        origins=tuple((source.first_frame, 1.0 / source.frame_time) for source in sources),
    )
    rows = [
        Label(escape(name), row.label, row.begin, np.inf if row.end is None else row.end)
        for name in wanted
        for row in library.labels(name)
    ]
    clips = label_clips(clips, rows) if rows else clips
    return add_mirrored(clips) if mirror else clips
