"""How a shot came out, frame by frame and key by key."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.quality import Quality
from motionloom.constraints.kinds.measures import NEAR
from motionloom.posed_motion import PosedMotion
from motionloom.shot.live.keys import AskedKey, keys_of
from motionloom.shot.live.results import (
    KeyRow,
    LiveCharacterReport,
    MeetingRow,
    PieceShown,
    Series,
    Summary,
    Worst,
)
from motionloom.shot.live.rows import Row
from motionloom.shot.live.stages import LiveStage
from motionloom.shot.making import MadeShot
from motionloom.shot.plan import Plan
from motionloom.shot.report import CharacterReport
from motionloom.shot.script import ClipSpan
from motionloom.shot.spans.clip import frames_of_clip
from motionloom.typing import Array

#: From here on frames are worth a look: metres, centimetres per second, metres per second squared
#: over the captures' 99.5th percentile.
MISSED, SKATES, HARD = 0.03, 15.0, 2.0
#: A number is good while it is no more than the captures' times this, or this small.
AS_GOOD = 1.5


def report_on(
    stages: Mapping[str, LiveStage], plan: Plan, made: MadeShot, rows: Mapping[str, Row]
) -> dict[str, LiveCharacterReport]:
    """How every character came out.

    Parameters
    ----------
    stages : mapping of str to LiveStage
        By character.
    plan : Plan
        What happens when.
    made : MadeShot
        The shot.
    rows : mapping of str to Row
        What it shows.

    Returns
    -------
    dict of str to LiveCharacterReport
    """
    return {who: _report(stages[who], plan, made, who, rows[who]) for who in plan.tracks}


def _report(
    stage: LiveStage, plan: Plan, made: MadeShot, who: str, row: Row
) -> LiveCharacterReport:
    told = made.report.characters[who]
    posed = row.shown
    keys = keys_of(plan, who, posed)
    skate = skate_of(posed, row.contacts)
    error = error_of(posed, keys)
    missed = tuple(_key_row(key, posed, plan.fps) for key in keys)
    return LiveCharacterReport(
        spans=told.spans,
        joins=told.joins,
        series=Series(error, skate),
        worst=_worst(posed, keys, skate, told.sources),
        summary=_summary(told.quality, told.sources),
        pieces=_pieces(stage, row),
        keys=missed,
        problems=_problems(told, missed),
        meetings=_meetings(made, who),
    )


def _key_row(key: AskedKey, posed: PosedMotion, fps: float) -> KeyRow:
    error = 1000 * float(key.distances(posed)[key.frame])
    return KeyRow(key.span, key.path, key.kind, key.frame / fps, error, key.turned(posed))


def _problems(told: CharacterReport, keys: tuple[KeyRow, ...]) -> tuple[str, ...]:
    """What the report tells, and keys that are missed without a word about their span."""
    known = {span.name for span in told.spans if span.problems}
    missed = [
        f"{key.span}: {key.kind.replace('_', ' ')} {key.error / 10:.0f} cm off its key at"
        f" {key.time:.2f} s (limit {100 * NEAR:.0f} cm); give it more time, or move the key"
        for key in keys
        if key.error > 1000 * NEAR and key.span not in known
    ]
    return (*told.problems, *missed)


def _meetings(made: MadeShot, who: str) -> tuple[MeetingRow, ...]:
    return tuple(
        MeetingRow(
            one.label, one.time, one.place, one.facing, one.joints_after, tuple(one.problems)
        )
        for one in made.report.meetings
        if who in one.between
    )


def error_of(posed: PosedMotion, keys: tuple[AskedKey, ...]) -> Array:
    """How far a motion is from the wishes of each frame, metres, shape (T,); NaN without one.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    keys : tuple of AskedKey
        What is asked for; a key that is held counts in all its frames.

    Returns
    -------
    array of shape (T,)
        Of several wishes for a frame the one that is missed most.
    """
    error = np.full(posed.n_frames, np.nan)
    for key in keys:
        held = slice(max(key.frame, 0), min(key.last, posed.n_frames - 1) + 1)
        error[held] = np.fmax(error[held], key.distances(posed)[held])
    return error


def skate_of(posed: PosedMotion, contacts: FootContacts) -> Array:
    """Fastest point of the soles that bears, over the ground, shape (T,), centimetres a second."""
    points = contacts.soles.positions(posed)[..., [0, 2]]
    steps = np.linalg.norm(np.diff(points, axis=0), axis=-1) * posed.fps
    bears = contacts.down[1:] & contacts.down[:-1]
    speed = np.where(bears, steps, 0.0).max(axis=1, initial=0.0)
    skate: Array = 100 * np.concatenate([speed[:1], speed])
    return skate


def _worst(
    posed: PosedMotion, keys: tuple[AskedKey, ...], skate: Array, sources: Quality
) -> Worst | None:
    """The frame that is farthest beyond what is worth a look."""
    found = []
    for key in keys:
        error = float(key.distances(posed)[key.frame])
        found.append((error / MISSED, key.frame, f"{key.kind} {100 * error:.1f} cm off its key"))
    frame = int(np.argmax(skate))
    found.append((skate[frame] / SKATES, frame, f"a foot slides at {skate[frame]:.0f} cm/s"))
    second = np.diff(posed.positions, 2, axis=0) * posed.fps**2
    if len(second):
        hard = np.linalg.norm(second, axis=-1).max(axis=1)
        frame = int(np.argmax(hard))
        limit = HARD * max(sources.acceleration_p995, 1.0)
        found.append((hard[frame] / limit, frame + 1, f"accelerates by {hard[frame]:.0f} m/s2"))
    share, frame, why = max(found)
    return Worst(frame, why) if share > 1 else None


def _summary(quality: Quality, sources: Quality) -> tuple[Summary, ...]:
    pairs = [
        ("feet creep, cm/s", quality.skate_mean, sources.skate_mean, 0.5),
        ("feet slide, % of contacts", 100 * quality.skate_share, 100 * sources.skate_share, 1.0),
        ("deepest, mm", quality.penetration_max, sources.penetration_max, 5.0),
        ("acceleration p99, m/s2", quality.acceleration_p99, sources.acceleration_p99, 5.0),
        ("jerk p99, m/s3", quality.jerk_p99, sources.jerk_p99, 100.0),
    ]
    rows = []
    for label, value, captured, small in pairs:
        limit = float(max(AS_GOOD * captured, small))
        rows.append(Summary(label, float(value), float(captured), bool(value <= limit), limit))
    return tuple(rows)


def _pieces(stage: LiveStage, row: Row) -> tuple[PieceShown, ...]:
    """Clips that are shown, in the order of time."""
    found = []
    for one in row.spans:
        planned = one.planned
        span = planned.span
        if isinstance(span, ClipSpan):
            first = frames_of_clip(stage, span)[0]
            found.append(PieceShown(planned.name, planned.first, planned.last, span.clip, first))
        found += [
            PieceShown(
                planned.name,
                planned.first + shown.first,
                planned.first + shown.last,
                shown.clip,
                shown.frame,
            )
            for shown in one.kept.clips
        ]
    return tuple(found)
