"""Scene files as spans: who plays whom, and the scene's events as meetings of the shot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from motionloom.constraints.scene import Meeting, SceneConstraints
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.motion import GroundTransform
from motionloom.shot.plan._scene_places import Part, Performance, place_of_scene, place_told
from motionloom.shot.plan.planned import PlannedMeeting, PlannedSpan
from motionloom.shot.script.reading import ShotFile, fields_of
from motionloom.shot.script.span_fields import SynthesizeSpan
from motionloom.shot.spans._asked import fields_until, placed_fields, placed_meet

#: Fields that are the shot's, or the cast's.
_OF_THE_SHOT = {"duration", "fps", "clips", "ground"}
#: By character: spans that follow each other.
_Tracks = Mapping[str, tuple[PlannedSpan, ...]]


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
    rows = {who: _put_at_places(file, track) for who, track in tracks.items()}
    performances = _performances(file, rows)
    meetings: list[PlannedMeeting] = []
    for one in performances:
        _check_parts(file, one, performances)
        at = place_of_scene(file, one, rows)
        for part in one.parts:
            row = rows[part.who]
            row[row.index(part.planned)] = _told(file, one, part, at)
        meetings += _meetings(file, one, at)
    return {who: tuple(row) for who, row in rows.items()}, meetings


def _put_at_places(file: ShotFile, track: Iterable[PlannedSpan]) -> list[PlannedSpan]:
    """Spans of a track; what a constraint file asks for is put where its span says."""
    return [_put_at_place(file, one) for one in track]


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
    return _with_fields(file, planned, given, place_told(file, planned, span), span.file or "")


def _performances(
    file: ShotFile, rows: Mapping[str, Sequence[PlannedSpan]]
) -> tuple[Performance, ...]:
    """Scenes that are played, in the order of time."""
    found: dict[tuple[int, str], list[Part]] = {}
    scenes: dict[str, SceneConstraints] = {}
    for row in rows.values():
        for planned in row:
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
        Performance(scenes[path], path, first, tuple(parts))
        for (first, path), parts in sorted(found.items())
    )


def _part(
    file: ShotFile, planned: PlannedSpan, span: SynthesizeSpan, scene: SceneConstraints
) -> Part:
    """Whom a span plays."""
    name = span.character or planned.character
    if name not in scene.characters:
        said = f"nobody in {span.file} is called {name!r}"
        raise file.fault(
            (*planned.where, "file" if span.character is None else "character"),
            f"{said}; say who is played, 'character:' and one of {', '.join(scene.characters)}",
        )
    _check_length(file, planned, scene.duration)
    return Part(planned, span, name, scene.characters[name])


def _check_length(file: ShotFile, planned: PlannedSpan, seconds: float) -> None:
    """Refuse a span that is not as long as its file; a frame counts nothing."""
    fps = file.shot.fps
    if abs(round(seconds * fps) + 1 - planned.n_frames) > 1:
        raise file.fault(
            planned.where,
            f"{getattr(planned.span, 'file', '')} asks for {seconds:g} s, and {planned.name} lasts"
            f" {(planned.n_frames - 1) / fps:g} s; leave its end out",
        )


def _check_parts(file: ShotFile, one: Performance, others: Sequence[Performance]) -> None:
    """Refuse a performance in which somebody is played twice, or not at all."""
    taken: dict[str, Part] = {}
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


def _later(others: Sequence[Performance], one: Performance, missing: str) -> Part | None:
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
    file: ShotFile, event: Meeting, part: Part, missing: str, other: Part | None
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


def _told(file: ShotFile, one: Performance, part: Part, at: GroundTransform) -> PlannedSpan:
    """A span with what its character is asked for; where it begins follows from the span before."""
    fields = fields_of(part.asked, _OF_THE_SHOT)
    fields["body"] = [row for row in fields.get("body", ()) if not _is_begin(row, file.shot.fps)]
    source = f"{part.file} as {part.name}"
    told = _with_fields(file, part.planned, fields, at, source)
    return replace(told, notes=tuple(_notes(file, one, part)))


def _is_begin(row: Mapping[str, Any], fps: float) -> bool:
    return "to" not in row and round(row["time"] * fps) == 0


def _notes(file: ShotFile, one: Performance, part: Part) -> Iterator[str]:
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
    changes = {
        "file": None,
        "character": None,
        "position": None,
        "facing": None,
        "moved": False,
        "constraints": own,
    }
    return replace(planned, span=planned.span.model_copy(update=changes), source=source)


def _meetings(file: ShotFile, one: Performance, at: GroundTransform) -> Iterator[PlannedMeeting]:
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
