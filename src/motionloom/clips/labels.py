"""Labels of clips and parts of clips as masks over the frames of a clip
set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.edit.mirror import SUFFIX
from motionloom.errors import InvalidInputError, UnknownNameError
from motionloom.typing import Bools


@dataclass(frozen=True)
class Label:
    """A label of some clips, or of a span of each.

    Parameters
    ----------
    clips : str
        Name of a clip, or a pattern with ``*``, ``?`` or ``[...]``.
    label : str
        The word that frames are labelled with.
    begin, end : float, seconds, optional
        Within the clip's file; the whole clip without them.

    Examples
    --------
    >>> Label("walk*", "walking", 0.0, 2.0).is_pattern
    True
    """

    clips: str
    label: str
    begin: float = 0.0
    end: float = np.inf

    @property
    def is_pattern(self) -> bool:
        """Whether `clips` is a pattern, not a name."""
        return any(c in self.clips for c in "*?[")


def find_unused(labels: Sequence[Label], names: Sequence[str]) -> tuple[str, ...]:
    """Names and patterns of labels that are for none of some clips.

    Parameters
    ----------
    labels : sequence of Label
        Labels, such as those of a labels file.
    names : sequence of str
        Names of the clips.

    Returns
    -------
    tuple of str
        In the order of the labels, each once.

    Examples
    --------
    >>> find_unused([Label("run", "running")], ["walk_1", "stand"])
    ('run',)
    """
    known = set(names)
    wanted = dict.fromkeys(row.clips for row in labels if row.clips not in known)
    return tuple(w for w in wanted if not any(fnmatchcase(n, w) for n in names))


def label_clips(clips: ClipSet, labels: Sequence[Label]) -> ClipSet:
    """Label the frames of a clip set, besides the labels that it has; mirrored copies as originals.

    Parameters
    ----------
    clips : ClipSet
        The clips; not changed.
    labels : sequence of Label
        Those for none of the clips are passed over, unless all are.

    Returns
    -------
    ClipSet
        With masks of the frames by label.

    Raises
    ------
    InvalidInputError
        When there are labels and none of them is for a clip of the set.

    Examples
    --------
    >>> from motionloom.clips.clip_set import make_clip_set
    >>> clips = label_clips(make_clip_set([walk]), [Label("walk*", "walking", 0.0, 1.0)])
    >>> int(clips.labels["walking"].sum())  # frames of the first second
    31
    """
    masks = {name: mask.copy() for name, mask in clips.labels.items()}
    unused = []
    by_name: dict[str, list[int]] = {}
    for c, name in enumerate(clips.names):
        for own_name in {name, name.removesuffix(SUFFIX)}:
            by_name.setdefault(own_name, []).append(c)
    file_time = cache(clips.file_time)
    for label in labels:
        own = by_name.get(label.clips, [])
        if label.is_pattern:
            own = [c for n, of in by_name.items() if fnmatchcase(n, label.clips) for c in of]
        if not own:
            unused.append(label.clips)
        mask = masks.setdefault(label.label, np.zeros(clips.n_frames, bool))
        for c in own:
            time = file_time(c)
            first = np.searchsorted(time, label.begin)
            stop = np.searchsorted(time, label.end, side="right")
            mask[clips.starts[c] + first : clips.starts[c] + stop] = True
    if unused and len(unused) == len(labels):
        raise InvalidInputError(
            f"none of the labels is for a clip of this set (first pattern: {unused[0]!r}, first"
            f" clip: {clips.names[0]!r}); correct the patterns in the labels file"
        )
    return replace(clips, labels=masks)


def find_label(labels: Mapping[str, Bools], label: str) -> Bools:
    """Frames with a label.

    Parameters
    ----------
    labels : mapping of str to bool array of shape (N,)
        As `ClipSet.labels`.
    label : str
        The label.

    Returns
    -------
    bool array of shape (N,)

    Raises
    ------
    UnknownNameError
        When no frame has it; it lists the labels there are.
    """
    if label not in labels or not labels[label].any():
        known = ", ".join(sorted(n for n, m in labels.items() if m.any()))
        advice = f"labels there are: {known}" if known else "give labels of the clips"
        raise UnknownNameError(
            label,
            f"style: no frame of these clips has the label {label!r}; {advice}",
            hint=None if known else "give labels",
        )
    return labels[label]
