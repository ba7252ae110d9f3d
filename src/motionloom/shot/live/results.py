"""What live work on a shot gives: motions, what of them is new, and how they came out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.quality import Quality
from motionloom.constraints import JointConstraint
from motionloom.constraints.joints import find_joints
from motionloom.constraints.kinds.measures import NEAR
from motionloom.constraints.values import Ground
from motionloom.io.document import Path
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.rotations import wrap_angle
from motionloom.scene.check import EventOutcome
from motionloom.shot._report import CharacterReport, SpanRow
from motionloom.shot.joining import Join
from motionloom.shot.live._rows import Row
from motionloom.shot.live._stages import LiveStage
from motionloom.shot.making import MadeShot
from motionloom.shot.plan.planned import Plan, PlannedSpan, place_of, point_of
from motionloom.shot.script.span_fields import (
    GAZE,
    BetweenSpan,
    ClipSpan,
    EditSpan,
    GaitSpan,
    ReachSpan,
    WalkSpan,
)
from motionloom.shot.spans._asked import constraints_of
from motionloom.shot.spans.given import frames_of_clip
from motionloom.typing import Array

#: What was there bent to the wish, found by a search of some length, or as the command line makes
#: it.
LiveQuality = Literal["preview", "search", "final"]


@dataclass(frozen=True, eq=False)
class Series:
    """What is shown under a timeline, frame by frame.

    Parameters
    ----------
    error : array of shape (T,), metres
        How far body and joints are from what is asked of them in that very frame, the farthest of
        them; NaN where nothing is asked.
    skate : array of shape (T,), centimetres per second
        Fastest point of the soles that bears, over the ground; 0 where none bears.
    """

    error: Array
    skate: Array


@dataclass(frozen=True)
class PieceShown:
    """Frames of a clip that a motion shows.

    Parameters
    ----------
    span : str
        Name of the span.
    first, last : int
        Frames of the shot, both included.
    clip : str
        Name of the clip.
    frame : int
        Frame of the clip that the first one shows, at the shot's frame rate.
    """

    span: str
    first: int
    last: int
    clip: str
    frame: int


@dataclass(frozen=True)
class KeyRow:
    """One thing that is asked for at a time.

    Parameters
    ----------
    span : str
        Name of the span.
    path : tuple of str and int
        The field of the shot file that asks for it.
    kind : str
        ``"body"`` or the joint's name.
    time : float, seconds
        When.
    error : float, millimetres
        How far off the motion is.
    turn : float, degrees
        How far it faces elsewhere; 0 where no facing is asked for.
    """

    span: str
    path: tuple[str | int, ...]
    kind: str
    time: float
    error: float
    turn: float = 0.0


@dataclass(frozen=True)
class Summary:
    """A number beside that of the captures.

    Parameters
    ----------
    label : str
        With its unit.
    value, captured : float
        Of the motion and of the clips.
    good : bool
        Whether it is within the limit.
    limit : float
        The most that is still as natural as the captures.
    """

    label: str
    value: float
    captured: float
    good: bool
    limit: float = math.inf


@dataclass(frozen=True)
class Worst:
    """The frame to look at first.

    Parameters
    ----------
    frame : int
        Which.
    why : str
        In a few words.
    """

    frame: int
    why: str


@dataclass(frozen=True, eq=False)
class LiveCharacterReport:
    """How what one character does came out.

    Parameters
    ----------
    spans : tuple of SpanRow
        In the order of time; what lies over others last.
    joins : tuple of Join
        Between them.
    series : Series
        Frame by frame.
    worst : Worst or None
        The frame to look at first; None where nothing stands out.
    summary : tuple of Summary
        Numbers beside the captures'.
    pieces : tuple of PieceShown
        Clips that are shown, as far as they are known.
    keys : tuple of KeyRow
        What is asked for, and by how much it is missed.
    problems : tuple of str
        What is not as it was asked for.
    meetings : tuple of EventOutcome
        In which it takes part.
    """

    spans: tuple[SpanRow, ...]
    joins: tuple[Join, ...]
    series: Series
    worst: Worst | None
    summary: tuple[Summary, ...]
    pieces: tuple[PieceShown, ...]
    keys: tuple[KeyRow, ...]
    problems: tuple[str, ...] = ()
    meetings: tuple[EventOutcome, ...] = ()


@dataclass(frozen=True, eq=False)
class LiveResult:
    """Motions of a shot that is being edited.

    Parameters
    ----------
    quality : {"preview", "search", "final"}
        How they were made.
    motions : mapping of str to Motion
        By character; whole motions.
    contacts : mapping of str to FootContacts
        By character, frame by frame with the motions.
    bent : tuple of (str, str)
        Characters and spans that no search has confirmed yet.
    score : float
        Smaller is better: how far spans are bent, what they miss, how hard they are joined.
    report : mapping of str to LiveCharacterReport, optional
        By character; previews have none.
    """

    quality: LiveQuality
    motions: Mapping[str, Motion]
    contacts: Mapping[str, FootContacts]
    bent: tuple[tuple[str, str], ...] = ()
    score: float = 0.0
    report: Mapping[str, LiveCharacterReport] | None = None


@dataclass(frozen=True, eq=False)
class Alternative:
    """Another motion of one span.

    Parameters
    ----------
    seed : int
        Written into the span (field ``seed``) it makes the shot show this one.
    score : float
        Smaller is better; comparable among the alternatives of one span.
    path : array of shape (K, 2), metres
        Where the body goes over the ground, x and z.
    motion : Motion
        The span alone, in the world.
    contacts : FootContacts
        When its feet bear.
    rows : tuple of str
        How well it meets what is asked.
    is_shown : bool
        Whether it is the one that the shot shows now.
    """

    seed: int
    score: float
    path: Array
    motion: Motion
    contacts: FootContacts
    rows: tuple[str, ...] = field(default=())
    is_shown: bool = False


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
    skate = _skate_of(posed, row.contacts)
    missed = tuple(_key_row(key, posed, plan.fps) for key in keys)
    return LiveCharacterReport(
        spans=told.spans,
        joins=told.joins,
        series=Series(error_of(posed, keys), skate),
        worst=_worst(posed, keys, skate, told.sources),
        summary=_summary(told.quality, told.sources),
        pieces=_pieces(stage, row),
        keys=missed,
        problems=_problems(told, missed),
        meetings=tuple(one for one in made.report.meetings if who in one.between),
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


def _skate_of(posed: PosedMotion, contacts: FootContacts) -> Array:
    """Fastest point of the soles that bears, over the ground, shape (T,), centimetres a second."""
    points = contacts.soles.positions(posed)[..., [0, 2]]
    steps = np.linalg.norm(np.diff(points, axis=0), axis=-1) * posed.fps
    bears = contacts.down[1:] & contacts.down[:-1]
    speed = np.where(bears, steps, 0.0).max(axis=1, initial=0.0)
    return 100 * np.concatenate([speed[:1], speed])


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
    limits = [float(max(AS_GOOD * captured, small)) for _, _, captured, small in pairs]
    return tuple(
        Summary(label, float(value), float(captured), bool(value <= limit), limit)
        for (label, value, captured, _), limit in zip(pairs, limits, strict=True)
    )


def _pieces(stage: LiveStage, row: Row) -> tuple[PieceShown, ...]:
    """Clips that are shown, in the order of time."""
    found = []
    for one in row.spans:
        name, begin, span = one.planned.name, one.planned.first, one.planned.span
        if isinstance(span, ClipSpan):
            first = frames_of_clip(stage, span)[0]
            found.append(PieceShown(name, begin, one.planned.last, span.clip, first))
        found += [
            PieceShown(name, begin + clip.first, begin + clip.last, clip.clip, clip.frame)
            for clip in one.kept.piece.clips
        ]
    return tuple(found)


@dataclass(frozen=True, eq=False)
class AskedKey:
    """A place for the body or a joint, at a frame or over some.

    Parameters
    ----------
    span : str
        Name of the span that asks for it.
    path : tuple of str and int
        The field of the file.
    kind : str
        ``"body"`` or the joint's name.
    frame, last : int
        From frame to frame, both included.
    position : tuple of float, metres
        x and z of the body, or x, y and z of the joint.
    joint : int
        -1 for the body.
    facing : float, degrees, optional
        Of the body.
    """

    span: str
    path: Path
    kind: str
    frame: int
    last: int
    position: tuple[float, ...]
    joint: int = -1
    facing: float | None = None

    def distances(self, posed: PosedMotion) -> Array:
        """How far the body or joint is from there in every frame, shape (T,), metres."""
        places = posed.body[:, :2] if self.joint < 0 else posed.positions[:, self.joint]
        return np.linalg.norm(places - np.array(self.position), axis=-1)

    def turned(self, posed: PosedMotion) -> float:
        """How far the body faces elsewhere, degrees; 0 where no facing is asked for."""
        if self.facing is None:
            return 0.0
        off = posed.body[self.frame, 2] - np.radians(self.facing)
        return float(abs(np.degrees(wrap_angle(off))))


def keys_of(plan: Plan, who: str, posed: PosedMotion) -> tuple[AskedKey, ...]:
    """Everything that a shot asks of a character at a time.

    Parameters
    ----------
    plan : Plan
        What happens when.
    who : str
        The character.
    posed : PosedMotion
        Its motion in the end: names of joints are looked up in its body.

    Returns
    -------
    tuple of AskedKey
        In the order of time.
    """
    spans = (*plan.tracks[who], *plan.layers[who])
    found = (key for planned in spans for key in _keys(plan, planned, posed))
    inside = [key for key in found if key.last < posed.n_frames]
    return tuple(sorted(inside, key=lambda key: key.frame))


def _keys(plan: Plan, planned: PlannedSpan, posed: PosedMotion) -> Iterator[AskedKey]:
    span, file, last = planned.span, plan.file, planned.last

    def key_at(
        path: Path, position: str | Ground, facing: float | None = None, frame: int = last
    ) -> AskedKey:
        where = (*planned.where, *path)
        found, turned = place_of(file, where, position, facing)
        return AskedKey(planned.name, where, "body", frame, frame, found, facing=turned)

    if isinstance(span, WalkSpan) and span.to is not None:
        yield key_at(("to",), span.to, span.facing)
    if isinstance(span, GaitSpan) and span.path and span.speed is None:
        yield replace(key_at(("path", len(span.path) - 1), span.path[-1]), facing=None)
    if isinstance(span, BetweenSpan):
        for i, (key, time) in enumerate(zip(span.keys, planned.keys, strict=True)):
            if key.position is not None:
                path = ("keys", i, "position")
                yield key_at(path, key.position, key.facing, round(time * plan.fps))
    if isinstance(span, ReachSpan) and span.joint != GAZE:
        where = (*planned.where, "target")
        point = point_of(file, where, span.target)
        joint = find_joints([span.joint], posed.skeleton, posed.roles)[0]
        yield AskedKey(planned.name, where, span.joint, planned.first, last, point, joint)
    if isinstance(span, (WalkSpan, EditSpan)):
        yield from _constrained(plan, planned, span, posed)


def _constrained(
    plan: Plan, planned: PlannedSpan, span: WalkSpan | EditSpan, posed: PosedMotion
) -> Iterator[AskedKey]:
    """Keys among the constraints of a span."""
    entries = [
        (name, i, entry)
        for name in ("body", "joints")
        for i, entry in enumerate(span.constraints.get(name, ()))
    ]
    for name, i, entry in entries:
        asked = constraints_of(plan.file, planned, {name: [entry]})
        one: Any = [*asked.body, *asked.joints][0]
        if one.position is None:
            continue
        first, last = (planned.first + asked.frames_of(one)[k] for k in (0, -1))
        where = (*planned.where, "constraints", name, i)
        key = AskedKey(planned.name, where, "body", first, last, one.position)
        if isinstance(one, JointConstraint):
            joint = find_joints([one.joint], posed.skeleton, posed.roles)[0]
            yield replace(key, kind=one.joint, joint=joint)
        else:
            yield replace(key, facing=one.facing)
