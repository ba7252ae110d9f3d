"""Spans joined anew only where something has changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from motionloom.motion import GroundTransform
from motionloom.shot.joining import Hardness, join_pieces
from motionloom.shot.live.frames import BETWEEN, Frames, Stretch, merged
from motionloom.shot.live.rows import Laid, Row
from motionloom.shot.live.stages import LiveStage
from motionloom.shot.script import Joins

#: How far before and behind what has changed frames are made anew, seconds; and how much farther
#: pieces are laid for that.
BEFORE, BEHIND, BESIDE = 0.4, 0.4, 0.6
#: Feet that stand elsewhere at a join come to where a new span has them within this time, seconds.
STEPS = 2.0
#: Joins of a preview take the time that was found to be good before, however hard they come out.
ANY = Hardness(float("inf"), float("inf"))
#: Places that differ by less are the same, metres and radians.
SAME_PLACE = 1e-9

Windows = list[tuple[int, int]]


def stretches_of(spans: Sequence[Laid], base: Row) -> list[Stretch]:
    """Frames of spans that are as they were, but for when and where."""
    found = []
    for k, one in enumerate(spans):
        if one.source is None:
            continue
        old = base.spans[one.source].planned
        behind = spans[k + 1] if k + 1 < len(spans) else None
        # The frame that two spans have is the later one's.
        is_last = behind is None or behind.source is None
        stop = one.planned.last + is_last
        found.append(Stretch(one.planned.first, stop, old.first, one.moved))
    return found


def changed_windows(spans: Sequence[Laid], base: Row, rule: Joins, fps: float) -> Windows:
    """Frames that are to be made anew: new spans, and joins of what was not joined so before.

    Parameters
    ----------
    spans : sequence of Laid
        What is shown now.
    base : Row
        What was shown.
    rule : Joins
        Over what time spans are joined.
    fps : float
        Frames per second.

    Returns
    -------
    list of (int, int)
        First frame and the one behind the last, in the order of time.
    """
    new = [(one.planned.first, one.planned.last + 1) for one in spans if one.source is None]
    windows = [*new, *_seams(spans, base, rule, fps)]
    return merged(windows, spans[-1].planned.last + 1, round(BETWEEN * fps))


def _seams(spans: Sequence[Laid], base: Row, rule: Joins, fps: float) -> Windows:
    """Frames around joins of what was not joined so before."""
    before, behind = round(BEFORE * fps), round(BEHIND * fps)
    found = []
    for k, (one, following) in enumerate(pairwise(spans)):
        if _goes_on(one, following, base, rule):
            continue
        frame = following.planned.first
        dies = frame + round(_over(spans, k, base, rule) * fps)
        steps = round(STEPS * fps) if following.source is None else 0
        stop = max(dies + behind, min(dies + steps, following.planned.last))
        found.append((frame - before, stop))
    return found


def _goes_on(one: Laid, following: Laid, base: Row, rule: Joins) -> bool:
    """Whether two spans are joined as they were."""
    if one.source is None or following.source is None:
        return False
    if following.source != one.source + 1 or not _same(one.moved, following.moved):
        return False
    names = [base.spans[k].planned.name for k in (one.source, following.source)]
    now = [one.planned.name, following.planned.name]
    return names == now and rule.of(*now) == base.rule.of(*now)


def _same(one: GroundTransform, other: GroundTransform) -> bool:
    away = np.array([one.angle - other.angle, one.x - other.x, one.z - other.z], float)
    return bool(np.abs(away).max() < SAME_PLACE)


def _over(spans: Sequence[Laid], k: int, base: Row, rule: Joins) -> float:
    """Over what time a span is joined to the next one, seconds; as it was found to be good."""
    names = (spans[k].planned.name, spans[k + 1].planned.name)
    asked = rule.of(*names)
    known = (join.seconds for join in base.joins if (join.before, join.after) == names)
    return max(asked, next(known, asked))


def join_anew(stage: LiveStage, spans: Sequence[Laid], base: Row, rule: Joins) -> Frames:
    """Spans joined: what is as it was is taken over, the rest is made.

    Of new spans only what is near their ends is changed by joining them.

    Parameters
    ----------
    stage : LiveStage
        Of the character.
    spans : sequence of Laid
        What is shown now.
    base : Row
        What was shown.
    rule : Joins
        Over what time spans are joined.

    Returns
    -------
    Frames
    """
    count = spans[-1].planned.last + 1
    frames = Frames.of(base.joined, base.joined_contacts, count, stretches_of(spans, base))
    for k, one in enumerate(spans):
        if one.source is None:
            before = spans[k - 1].piece.motion if k else None
            frames.lay(one.planned.first, one.piece.motion, one.piece.contacts.down, before)
    seams = _seams(spans, base, rule, stage.fps)
    for window in merged(seams, count, round(BESIDE * stage.fps)):
        _join_window(stage, spans, base, window, rule, frames)
    return frames


def _join_window(
    stage: LiveStage,
    spans: Sequence[Laid],
    base: Row,
    window: tuple[int, int],
    rule: Joins,
    frames: Frames,
) -> None:
    fps = stage.fps
    count = spans[-1].planned.last + 1
    beside = round(BESIDE * fps)
    begin = max(window[0] - beside, 0)
    for k in range(len(spans) - 2, -1, -1):  # what an earlier join left behind is there too
        seam = spans[k + 1].planned.first
        if seam < begin < seam + round(_over(spans, k, base, rule) * fps):
            begin = max(seam - beside, 0)
    end = min(window[1] + beside, count)
    inside = [
        k for k, one in enumerate(spans) if one.planned.first < end - 1 and one.planned.last > begin
    ]
    pieces = [
        spans[k].piece.cut(
            max(begin - spans[k].planned.first, 0),
            min(end - spans[k].planned.first, spans[k].piece.motion.n_frames),
        )
        for k in inside
    ]
    names = [spans[k].planned.name for k in inside]
    seconds = [_over(spans, k, base, rule) for k in inside[:-1]]
    joined = join_pieces(names, pieces, stage.clips, seconds, [ANY] * len(inside))
    part = slice(window[0] - begin, window[1] - begin)
    motion = joined.posed.motion[part]
    frames.insert(window[0], motion, joined.contacts.down[part])
