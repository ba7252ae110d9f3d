"""How natural an edit is beside the clip, among captured poses and clips."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.analysis.judge import ClipVerdict, Judge
from motionloom.analysis.oddness import MotionJudge
from motionloom.analysis.verdicts import MOST_TOLD, judge_clips
from motionloom.framewise._edit import ClipEdit
from motionloom.progress import Progress, silent
from motionloom.typing import Array


def compare_naturalness(
    edit: ClipEdit, judge: Judge, movement: MotionJudge | None = None, progress: Progress = silent
) -> dict[str, tuple[float, float]]:
    """Judge a clip and its edit.

    Parameters
    ----------
    edit : ClipEdit
        What was done.
    judge : Judge
        Of captures of the clip's skeleton; where the clip is one of them, it is left out.
    movement : MotionJudge, optional
        Judges how clips move; without it only poses are judged.
    progress : Progress
        Told of both clips.

    Returns
    -------
    dict of str to tuple of float
        Before and after, by measure, as `report_edit` takes them: poses in the part that was
        edited, motion in the whole clip.
    """
    after = replace(edit.motion, name=edit.before.motion.name)
    verdicts = judge_clips(judge, [edit.before.motion, after], progress, movement)
    before_after = [_percentiles(edit, v) for v in verdicts]
    found = {
        "captured poses that are less natural (%)": _both([p.mean() for p in before_after]),
        "the same, worst frame (%)": _both([p.min() for p in before_after]),
    }
    motions = [v.motion for v in verdicts if v.motion is not None]
    if len(motions) == 2:
        one_of = [10 ** min(m.oddness, MOST_TOLD) for m in motions]
        found["moves as oddly as one captured clip of"] = _both(one_of)
    return found


def _percentiles(edit: ClipEdit, verdict: ClipVerdict) -> Array:
    """Share of captured poses that are less natural than each that was edited."""
    first, last = (frame * edit.before.motion.frame_time for frame in edit.frames)
    inside = (verdict.times >= first) & (verdict.times < last)
    if not inside.any():
        inside[np.abs(verdict.times - first).argmin()] = True
    return verdict.percentiles["mixture"][inside]


def _both(values: list[float]) -> tuple[float, float]:
    before, after = values
    return float(before), float(after)
