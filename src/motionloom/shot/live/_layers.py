"""What lies over spans, laid anew only where it or what is below it has changed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.constraints.joints import find_joints
from motionloom.edit.posture import meet_targets
from motionloom.edit.reach import Target
from motionloom.edit.retarget import retarget_motion
from motionloom.errors import MotionloomError
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.shot.layers import constraint_of
from motionloom.shot.live._joining import Frames, Windows, merged, stretches_of
from motionloom.shot.live._rows import Laid, Row
from motionloom.shot.live._stages import LiveStage
from motionloom.shot.plan.planned import PlannedSpan
from motionloom.shot.script.span_fields import ReachSpan

#: A hand leaves for a point, and is back, at most so long before and after, seconds.
WAY = 1.6
#: A motion is carried over to another body with so much beside what is shown, seconds.
BESIDE = 0.5


def lay_anew(
    stage: LiveStage,
    spans: Sequence[Laid],
    layers: Sequence[PlannedSpan],
    base: Row,
    joined: Frames,
    windows: Windows,
) -> Frames:
    """Lay over a motion what lies over it, quickly.

    Reaches are made by bending one limb; corrections by physics stay where nothing below them has
    changed.

    Parameters
    ----------
    stage : LiveStage
        Of the character.
    spans, layers : sequence
        What is shown now.
    base : Row
        What was shown.
    joined : Frames
        The motion below.
    windows : list of (int, int)
        Where that, or what lies over it, is not as it was.

    Returns
    -------
    Frames
        The motion in the end; what it lacks is left for the search.
    """
    count = len(joined.rotations)
    fps = stage.fps
    windows = merged(windows, count)
    shown = Frames.of(base.shown, base.contacts, count, stretches_of(spans, base))
    scale = 1.0 if stage.body is None else stage.body.ratio
    for first, away in joined.taken:
        shown.take_along(first, scale * away)
    for first, stop in windows:
        _show(stage, joined, shown, first, stop)
    reaches = [one for one in layers if isinstance(one.span, ReachSpan)]
    for first, stop in windows:
        own = [one for one in reaches if _overlaps(_span_of(one, fps), (first, stop))]
        if own:
            _reach(stage, own, shown, first, stop)
    return shown


def _show(stage: LiveStage, joined: Frames, shown: Frames, first: int, stop: int) -> None:
    """Show joined frames, on the body that there is in the end."""
    if stage.body is None:
        shown.write(first, joined.motion(first, stop), joined.down[first:stop], fades=True)
        return
    beside = round(BESIDE * stage.fps)
    begin = max(first - beside, 0)
    end = min(stop + beside, len(joined.rotations))
    made = retarget_motion(joined.cut(begin, end), stage.body.own, stage.body.target).posed.motion
    down = shown.down[first:stop]
    shown.write(first, made[first - begin : stop - begin], down, fades=True)


def layer_windows(
    stage: LiveStage, spans: Sequence[Laid], layers: Sequence[PlannedSpan], base: Row
) -> Windows:
    """Frames around reaches that are new, gone, changed, or over what has moved below them.

    Parameters
    ----------
    stage : LiveStage
        Of the character.
    spans, layers : sequence
        What is shown now.
    base : Row
        What was shown.

    Returns
    -------
    list of (int, int)
        First frame and the one behind the last.
    """
    fps = stage.fps
    known = {one.name: one for one in base.layers if isinstance(one.span, ReachSpan)}
    windows = []
    for one in layers:
        if not isinstance(one.span, ReachSpan):
            continue
        old = known.pop(one.name, None)
        if old is None or not _is_as_it_was(stage, one, old, spans, base):
            windows.append(_span_of(one, fps))
            if old is not None:
                known[one.name] = old
    for old in known.values():
        windows += _where_now(_span_of(old, fps), spans, base)
    return windows


def _is_as_it_was(
    stage: LiveStage, one: PlannedSpan, old: PlannedSpan, spans: Sequence[Laid], base: Row
) -> bool:
    first, stop = _span_of(one, stage.fps)
    below = [s for s in spans if _overlaps((s.planned.first, s.planned.last + 1), (first, stop))]
    shift = one.first - old.first
    stays = all(
        s.source is not None
        and s.moved == GroundTransform()
        and s.planned.first - base.spans[s.source].planned.first == shift
        for s in below
    )
    return stays and _asked(stage, one) == _asked(stage, old)


def _asked(stage: LiveStage, one: PlannedSpan) -> tuple[object, ...]:
    """What a reach asks for; not when."""
    asked = constraint_of(stage, one)
    return asked.joint, asked.position, asked.look_at, one.last - one.first


def _where_now(window: tuple[int, int], spans: Sequence[Laid], base: Row) -> Windows:
    """Where frames that were shown are now."""
    found = []
    for one in spans:
        if one.source is None:
            continue
        old = base.spans[one.source].planned
        shift = one.planned.first - old.first
        if _overlaps((old.first, old.last + 1), window):
            found.append((max(window[0], old.first) + shift, min(window[1], old.last + 1) + shift))
    return found


def _span_of(one: PlannedSpan, fps: float) -> tuple[int, int]:
    way = round(WAY * fps)
    return one.first - way, one.last + way + 1


def _overlaps(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _reach(
    stage: LiveStage, reaches: Sequence[PlannedSpan], shown: Frames, first: int, stop: int
) -> None:
    """Bring hands to points within a window; what cannot be met is left for the search."""
    way = round(WAY * stage.fps)
    begin = max(first - way, 0)
    end = min(stop + way, len(shown.rotations))
    posed = shown.cut(begin, end)
    inside = [one for one in reaches if begin <= one.first and one.last < end]
    try:
        made = _bring(stage, inside, posed, begin)
    except MotionloomError:
        return
    part = slice(first - begin, stop - begin)
    shown.write(first, made.motion[part], shown.down[first:stop], fades=True)


def _bring(
    stage: LiveStage, reaches: Sequence[PlannedSpan], posed: PosedMotion, begin: int
) -> PosedMotion:
    targets = []
    for one in reaches:
        target = constraint_of(stage, one)
        if target.position is None:  # the eyes: left for the search
            continue
        own = Target(
            frame=one.first - begin,
            joint=find_joints([target.joint], posed.skeleton, posed.roles)[0],
            position=np.array(target.position),
            last=one.last - begin,
            priority=target.priority,
        )
        targets.append(own)
    return meet_targets(posed, targets) if targets else posed
