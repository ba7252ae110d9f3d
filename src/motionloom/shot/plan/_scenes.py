"""Scene files as spans: who plays whom and where, and their events as meetings of the shot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from motionloom.constraints.scene import Character, Meeting, SceneConstraints
from motionloom.constraints.values import Ground
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.motion import GroundTransform
from motionloom.rotations import wrap_angle
from motionloom.shot.plan.planned import PlannedMeeting, PlannedSpan, place_of, standing_at
from motionloom.shot.script.reading import ShotFile, fields_of
from motionloom.shot.script.span_fields import SynthesizeSpan, WalkSpan
from motionloom.shot.spans._asked import fields_until, placed_fields, placed_meet

#: Fields that are the shot's, or the cast's.
_OF_THE_SHOT = {"duration", "fps", "clips", "ground"}
#: By character: spans that follow each other.
_Tracks = Mapping[str, tuple[PlannedSpan, ...]]
_Rows = dict[str, list[PlannedSpan]]


#: Who stands no farther from where the scene has them, metres, begins where they stand.
NEAR = 0.5


@dataclass(frozen=True, eq=False)
class _Casting:
    """Somebody plays a character of a scene: in which span, and whom.

    `span` is as it is in the file, and `asked` what the scene asks of its character `name`.
    """

    planned: PlannedSpan
    span: SynthesizeSpan
    name: str
    asked: Character

    @property
    def who(self) -> str:
        """Who plays it."""
        return self.planned.character

    @property
    def file(self) -> str:
        """Of the scene, as the shot calls it."""
        return self.span.file or ""

    @property
    def begin(self) -> tuple[Ground, float | None] | None:
        """Where the scene has them begin, and facing where, if it says that, degrees."""
        asked = self.asked
        early = [one for one in asked.body if round(one.time * asked.fps) == 0]
        if early:
            return early[0].position, early[0].facing
        ways = [one for one in asked.paths if not one.begin and not (one.times and one.times[0])]
        return (ways[0].points[0], None) if ways else None


@dataclass(frozen=True, eq=False)
class _Performance:
    """A scene that is played from a frame on: its file, and who plays whom."""

    scene: SceneConstraints
    path: str
    first: int
    parts: tuple[_Casting, ...]


class _Standing(NamedTuple):
    """Where somebody is when a scene begins, as far as it is known, and the walk to there."""

    walk: int | None
    place: Ground | None
    facing: float | None

    @property
    def is_free(self) -> bool:
        """Whether a walk leads to wherever the scene begins."""
        return self.walk is not None and self.place is None


def play_scenes(
    file: ShotFile, tracks: _Tracks
) -> tuple[dict[str, tuple[PlannedSpan, ...]], list[PlannedMeeting]]:
    """Tell every span of a scene file what its character does, and find the meetings of scenes.

    Spans of one file that begin in one frame are one performance of it: who plays the scene's
    characters in them meets as its events say. The whole is placed by one transform.

    Parameters
    ----------
    file : ShotFile
        The shot.
    tracks : mapping of str to tuple of PlannedSpan
        Spans of every character that follow each other.

    Returns
    -------
    tracks : dict of str to tuple of PlannedSpan
        Spans of scene files, and of constraint files that are put at a place, have constraints of
        their own in the place of a file; walks without a place lead to where a scene begins.
    meetings : list of PlannedMeeting
        Of the events of scenes.

    Raises
    ------
    FormatError
        When somebody is missing, comes at another time or from elsewhere; with the line.
    """
    rows = {who: [_put_at_place(file, one) for one in track] for who, track in tracks.items()}
    performances = _performances(file, rows)
    meetings: list[PlannedMeeting] = []
    for one in performances:
        _check_parts(file, one, performances)
        at = _place_of_scene(file, one, rows)
        for part in one.parts:
            row = rows[part.who]
            row[row.index(part.planned)] = _told(file, one, part, at)
        meetings += _meetings(file, one, at)
    return {who: tuple(row) for who, row in rows.items()}, meetings


def _put_at_place(file: ShotFile, planned: PlannedSpan) -> PlannedSpan:
    span = planned.span
    if not isinstance(span, SynthesizeSpan):
        return planned
    given: Mapping[str, Any] = span.constraints
    if span.file is not None:
        own = file.asked(planned.where, span.file)
        if isinstance(own, SceneConstraints):
            return planned
        _check_length(file, planned, own.duration)
        given = fields_of(own, {"duration", "fps"})
    if span.character is not None:
        raise file.fault(
            (*planned.where, "character"),
            f"{span.file} is of one character only; leave this out, or name a scene file",
        )
    if span.position is None:
        return planned
    return _with_fields(file, planned, given, _place_told(file, planned, span), span.file or "")


def _performances(file: ShotFile, rows: _Rows) -> tuple[_Performance, ...]:
    """Scenes that are played, in the order of time."""
    found: dict[tuple[int, str], list[_Casting]] = {}
    scenes: dict[str, SceneConstraints] = {}
    for planned in chain.from_iterable(rows.values()):
        span = planned.span
        if not isinstance(span, SynthesizeSpan) or span.file is None:
            continue
        scene = file.asked(planned.where, span.file)
        if isinstance(scene, SceneConstraints):
            path = str(file.beside(span.file).resolve())
            scenes[path] = scene
            part = _part(file, planned, span, scene)
            found.setdefault((planned.first, path), []).append(part)
    return tuple(
        _Performance(scenes[path], path, first, tuple(parts))
        for (first, path), parts in sorted(found.items())
    )


def _part(
    file: ShotFile, planned: PlannedSpan, span: SynthesizeSpan, scene: SceneConstraints
) -> _Casting:
    """Whom a span plays."""
    name = span.character or planned.character
    if name not in scene.characters:
        said = f"nobody in {span.file} is called {name!r}"
        raise file.fault(
            (*planned.where, "file" if span.character is None else "character"),
            f"{said}; say who is played, 'character:' and one of {', '.join(scene.characters)}",
        )
    _check_length(file, planned, scene.duration)
    return _Casting(planned, span, name, scene.characters[name])


def _check_length(file: ShotFile, planned: PlannedSpan, seconds: float) -> None:
    """Refuse a span that is not as long as its file; a frame counts nothing."""
    fps = file.shot.fps
    if abs(round(seconds * fps) + 1 - planned.n_frames) > 1:
        raise file.fault(
            planned.where,
            f"{getattr(planned.span, 'file', '')} asks for {seconds:g} s, and {planned.name} lasts"
            f" {(planned.n_frames - 1) / fps:g} s; leave its end out",
        )


def _check_parts(file: ShotFile, one: _Performance, others: Sequence[_Performance]) -> None:
    """Refuse a performance in which somebody is played twice, or not at all."""
    taken: dict[str, _Casting] = {}
    for part in one.parts:
        other = taken.setdefault(part.name, part)
        if other is not part:
            raise file.fault(
                (*part.planned.where, "character"),
                f"{other.who} plays {part.name} of {part.file} at that time; give"
                f" {part.who} another character, or let it be at another time",
            )
        ground = part.asked.ground
        if ground and ground != file.shot.ground:
            raise file.fault(
                (*part.planned.where, "file"),
                f"the ground of {part.name} in {part.file} is not that of the shot; write the same"
                " into the shot's 'ground', or leave it out of the file",
            )
    for event in one.scene.events:
        played = [name for name in event.between if name in taken]
        if len(played) == 1:
            (missing,) = set(event.between) - set(played)
            raise _nobody(file, event, taken[played[0]], missing, _later(others, one, missing))


def _later(others: Sequence[_Performance], one: _Performance, missing: str) -> _Casting | None:
    """Who plays somebody of the same scene at another time, the nearest in time."""
    found = [
        part
        for other in others
        if other is not one and other.path == one.path
        for part in other.parts
        if part.name == missing
    ]
    return min(found, key=lambda part: abs(part.planned.first - one.first), default=None)


def _nobody(
    file: ShotFile, event: Meeting, part: _Casting, missing: str, other: _Casting | None
) -> MotionloomError:
    """Error about a character who is not there when somebody is to be met."""
    fps = file.shot.fps
    begins = f"{part.who} plays {part.name} of {part.file} from {part.planned.first / fps:.2f} s"
    met = f"{event.name} at {event.time:g} s of it is with {missing}"
    if other is None:
        told = (
            f"nobody plays {missing} then; let somebody else do it, too: {{do: synthesize, file:"
            f" {part.file}, character: {missing}, begin: {part.who}.{part.planned.name}.start}}"
        )
    else:
        told = (
            f"{other.who} plays {missing} from {other.planned.first / fps:.2f} s; both must begin"
            f" together, so let whoever is there first wait (do: idle), and begin at"
            f" {other.who}.{other.planned.name}.start"
        )
    return file.fault((*part.planned.where, "file"), f"{begins}, {met}, and {told}")


def _told(file: ShotFile, one: _Performance, part: _Casting, at: GroundTransform) -> PlannedSpan:
    """A span with what its character is asked for; where it begins follows from the span before."""
    fields = fields_of(part.asked, _OF_THE_SHOT)
    fields["body"] = [row for row in fields.get("body", ()) if not _is_begin(row, file.shot.fps)]
    source = f"{part.file} as {part.name}"
    told = _with_fields(file, part.planned, fields, at, source)
    return replace(told, notes=tuple(_notes(file, one, part)))


def _is_begin(row: Mapping[str, Any], fps: float) -> bool:
    return "to" not in row and round(row["time"] * fps) == 0


def _notes(file: ShotFile, one: _Performance, part: _Casting) -> Iterator[str]:
    """What of a scene counts for nothing."""
    clips = part.asked.clips
    if clips and clips != file.shot.cast[part.who].clips:
        yield (
            f"clips of {part.name} in {part.file} are left out: {part.who} moves as the shot's cast"
            " says"
        )
    played = {other.name for other in one.parts}
    for event in one.scene.events:
        if part is one.parts[0] and played.isdisjoint(event.between):
            yield f"{event.name} of {' and '.join(event.between)} is left out: nobody plays them"


def _with_fields(
    file: ShotFile,
    planned: PlannedSpan,
    fields: Mapping[str, Any],
    at: GroundTransform,
    source: str,
) -> PlannedSpan:
    """A span with constraints of its own, that are put somewhere, in the place of a file."""
    duration = (planned.last - planned.first) / file.shot.fps
    try:
        own = placed_fields(fields_until(fields, duration), at)
    except InvalidInputError as error:
        raise file.fault((*planned.where, "file"), str(error)) from None
    gone = dict.fromkeys(("file", "character", "position", "facing"))
    changes = {**gone, "moved": False, "constraints": own}
    return replace(planned, span=planned.span.model_copy(update=changes), source=source)


def _meetings(file: ShotFile, one: _Performance, at: GroundTransform) -> Iterator[PlannedMeeting]:
    """Events of a scene at which those meet who play it."""
    playing = {part.name: part for part in one.parts}
    fps = file.shot.fps
    for k, event in enumerate(one.scene.events):
        if not playing.keys() >= set(event.between):
            continue
        first, second = (playing[name] for name in event.between)
        meet = placed_meet(event, (first.who, second.who), at)
        last = min(first.planned.last, second.planned.last)
        begin, end = (one.first + round(event.times[i] * fps) for i in (0, -1))
        where = (*first.planned.where, "file", "events", k)
        yield PlannedMeeting(meet, where, min(begin, last), min(end, last))


def _place_of_scene(file: ShotFile, one: _Performance, rows: _Rows) -> GroundTransform:
    """Find out where a scene is put, and send everybody to where they begin in it."""
    standing = [_standing(file, rows[part.who], part.planned) for part in one.parts]
    at = _told_place(file, one)
    if at is None:
        at = _fitted_place(file, one, standing)
    for part, stands in zip(one.parts, standing, strict=True):
        _send(file, part, at, stands, rows[part.who])
    return at


def _place_told(file: ShotFile, planned: PlannedSpan, span: SynthesizeSpan) -> GroundTransform:
    """Where a span puts its file; the shot's origin where it does not say."""
    if span.position is None:
        return GroundTransform()
    where = (*planned.where, "position")
    place, facing = place_of(file, where, span.position, span.facing)
    return GroundTransform.at_heading(facing or 0.0, *place)


def _told_place(file: ShotFile, one: _Performance) -> GroundTransform | None:
    """Where spans of a scene put it; it is enough that one of them says it."""
    told = [part for part in one.parts if part.span.position is not None]
    places = [_place_told(file, part.planned, part.span) for part in told]
    for part, place in zip(told, places, strict=True):
        if place != places[0]:
            raise file.fault(
                (*part.planned.where, "position"),
                f"{told[0].who} has {part.file} elsewhere, and a scene is put somewhere as a whole;"
                " give its place once",
            )
    if places:
        return places[0]
    is_fixed = any(not part.span.moved for part in one.parts)
    return GroundTransform() if is_fixed else None


def _standing(file: ShotFile, row: Sequence[PlannedSpan], planned: PlannedSpan) -> _Standing:
    """Where somebody is when a span of theirs begins."""
    k, place, facing = standing_at(file, row, row.index(planned) - 1)
    is_walk = k >= 0 and isinstance(row[k].span, WalkSpan)
    return _Standing(k if is_walk else None, place, facing)


def _fitted_place(
    file: ShotFile, one: _Performance, standing: Sequence[_Standing]
) -> GroundTransform:
    """Where those stand who play a scene; the shot's origin where all come to it by free walks.

    The rigid transform of least squares; of one place, by the facing there.
    """
    begins, stands, turns = [], [], []
    for part, here in zip(one.parts, standing, strict=True):
        if part.begin is None or here.is_free:
            continue
        if here.place is None:
            raise file.fault(
                part.planned.where,
                f"where {part.who} is when {part.planned.name} begins is not known before it is"
                f" made, so {part.file} cannot be moved there; give it a position (a mark, or [x,"
                " z]), or let a walk come before it",
            )
        place, facing = part.begin
        turns.append(0.0)
        if facing is not None and here.facing is not None:
            turns[-1] = np.radians(here.facing - facing)
        # ``z + i x``, as `GroundTransform.as_complex` has it.
        begins.append(complex(*place[::-1]))
        stands.append(complex(*here.place[::-1]))
    if not begins:
        return GroundTransform()
    middle, centre = np.mean(begins), np.mean(stands)
    spread = np.vdot(np.subtract(begins, middle), np.subtract(stands, centre))
    angle = float(np.angle(spread)) if abs(spread) > 1e-9 else float(wrap_angle(turns[0]))
    moved = centre - np.exp(1j * angle) * middle
    return GroundTransform(angle, float(moved.imag), float(moved.real))


def _send(
    file: ShotFile, part: _Casting, at: GroundTransform, stands: _Standing, row: list[PlannedSpan]
) -> None:
    """Lead a free walk to where somebody begins in a scene, and refuse who is settled elsewhere."""
    if part.begin is None:
        return
    place, facing = part.begin
    x, z = (round(float(v), 6) for v in at.apply(place))
    here = (x, z) if stands.place is None else stands.place
    away = float(np.hypot(here[0] - x, here[1] - z))
    if away > NEAR:
        raise file.fault(
            part.planned.where,
            f"{part.who} is at {here[0]:.2f} {here[1]:.2f} when {part.planned.name} begins, and"
            f" {part.name} of {part.file} begins {away:.2f} m away, at {x:.2f} {z:.2f}; let"
            f" {part.who} begin there, or come by a walk without 'to', or put the scene elsewhere"
            " (position: a mark, or [x, z])",
        )
    if stands.walk is None:
        return
    changes: dict[str, object] = {"to": (x, z)} if stands.is_free else {}
    if stands.facing is None and facing is not None:
        changes["facing"] = float(np.degrees(wrap_angle(np.radians(facing) + at.angle)))
    walk = row[stands.walk]
    row[stands.walk] = replace(walk, span=walk.span.model_copy(update=changes))
