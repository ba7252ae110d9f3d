"""Labels of clips as styles of the strides in them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.gait.space.gather import Example, GaitExamples


def styled_by_labels(found: GaitExamples, clips: ClipSet) -> GaitExamples:
    """Captured cycles with the labels of their frames as styles.

    A cycle has one style: of several labels that most of its frames have, the rarest says most.
    What has no label is ordinary.

    Parameters
    ----------
    found : GaitExamples
        Cycles of the clips of a set.
    clips : ClipSet
        With labels.

    Returns
    -------
    GaitExamples
        As it was where no clip has a label.
    """
    masks = {label: mask for label, mask in clips.labels.items() if mask.any()}
    if not masks:
        return found
    begins = dict(zip(clips.names, clips.starts, strict=False))
    rarest = sorted(masks, key=lambda label: (int(masks[label].sum()), label))

    def style_of(example: Example) -> str:
        begin = int(begins[example.take])
        stride = example.stride
        frames = slice(
            begin + round(stride.start * clips.fps), begin + round(stride.stop * clips.fps) + 1
        )
        own = (label for label in rarest if float(np.mean(masks[label][frames])) > 0.5)
        return next(own, "")

    examples = tuple(replace(e, style=e.style or style_of(e)) for e in found.examples)
    learned = {example.style for example in examples}
    notes = tuple(
        f"left out: the style {label!r}, as no straight and steady cycle has this label, or all"
        " that have it have a rarer one, too"
        for label in masks
        if label not in learned
    )
    return replace(found, examples=examples, notes=(*found.notes, *notes))
