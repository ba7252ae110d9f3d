"""Scene files as spans: what each of the cast is asked for, and events as meetings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from motionloom.constraints import ConstraintSet
from motionloom.constraints.scene import Character, SceneConstraints
from motionloom.shot.plan.planned import PlannedMeeting, PlannedSpan
from motionloom.shot.script.others import meet_of, span_of
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.span_fields import SynthesizeSpan

_Tracks = Mapping[str, tuple[PlannedSpan, ...]]


@dataclass(frozen=True, eq=False)
class _Part:
    """Somebody who plays a character of a scene.

    Parameters
    ----------
    planned : PlannedSpan
        Their span.
    path : Path
        The scene's file.
    scene : SceneConstraints
        What it holds.
    name : str
        Of the character.
    """

    planned: PlannedSpan
    path: Path
    scene: SceneConstraints
    name: str

    @property
    def asked(self) -> Character:
        """What the scene asks of the character."""
        return self.scene.characters[self.name]


def play_scenes(file: ShotFile, tracks: _Tracks) -> tuple[_Tracks, list[PlannedMeeting]]:
    """Give everybody their part of the scenes that their spans name.

    Members of the cast whose spans of one file begin together play it together: events between them
    are meetings of the shot. Places of a scene are those of the shot.

    Parameters
    ----------
    file : ShotFile
        The shot.
    tracks : mapping of str to tuple of PlannedSpan
        Spans of every character that follow each other.

    Returns
    -------
    tracks : mapping of str to tuple of PlannedSpan
        With constraints in place of scenes.
    meetings : list of PlannedMeeting
        The scenes' events.

    Raises
    ------
    FormatError
        When a character is played by nobody, or by two, or asks for what the shot settles.
    """
    parts = [
        part
        for track in tracks.values()
        for planned in track
        if (part := _part(file, planned)) is not None
    ]
    spans = {part.planned: _played(file, part) for part in parts}
    played = {who: tuple(spans.get(one, one) for one in track) for who, track in tracks.items()}
    together: dict[tuple[Path, int], list[_Part]] = {}
    for part in parts:
        together.setdefault((part.path, part.planned.first), []).append(part)
    meetings = [one for group in together.values() for one in _meetings(file, group, parts)]
    return played, meetings


def check_length(file: ShotFile, planned: PlannedSpan, asked: ConstraintSet) -> None:
    """Refuse a span that does not last as long as its file says.

    Parameters
    ----------
    file : ShotFile
        The shot.
    planned : PlannedSpan
        The span.
    asked : ConstraintSet
        What its file asks for.

    Raises
    ------
    FormatError
        With both durations.
    """
    fps = file.shot.fps
    if round(asked.duration * fps) + 1 != planned.n_frames:
        raise file.fault(
            planned.where,
            f"{getattr(planned.span, 'file', None)} asks for {asked.duration:g} s, and"
            f" {planned.name} lasts {(planned.n_frames - 1) / fps:g} s; leave its end out",
        )


def _part(file: ShotFile, planned: PlannedSpan) -> _Part | None:
    """Who is played in a span, where that is of a scene."""
    span = planned.span
    if not isinstance(span, SynthesizeSpan) or span.file is None:
        return None
    asked = file.asked(planned.where, span.file)
    if not isinstance(asked, SceneConstraints):
        if span.character is None:
            return None
        raise file.fault(
            (*planned.where, "character"), f"{span.file} is of one character; leave this out"
        )
    name = span.character or planned.character
    if name not in asked.characters:
        raise file.fault(
            (*planned.where, "file" if span.character is None else "character"),
            f"nobody in {span.file} is called {name!r}; say who is played:"
            f" 'character: {' or '.join(asked.characters)}'",
        )
    return _Part(planned, file.beside(span.file).resolve(), asked, name)


def _played(file: ShotFile, part: _Part) -> PlannedSpan:
    """The span with what the scene asks of the character."""
    planned = part.planned
    span = planned.span
    assert isinstance(span, SynthesizeSpan)
    shot = file.shot
    check_length(file, planned, part.asked)
    if span.moved and "moved" in span.model_fields_set:
        raise file.fault(
            (*planned.where, "moved"),
            f"characters of {span.file} stand to each other where it says, so its places are those"
            " of the shot; leave 'moved' out",
        )
    if part.asked.ground not in ((), shot.ground):
        raise file.fault(
            (*planned.where, "file"),
            "all of a shot walk on one ground; put the scene's into the shot's 'ground'",
        )
    if part.asked.clips not in ((), shot.cast[planned.character].clips):
        raise file.fault(
            (*planned.where, "file"),
            f"clips of {part.name} are those of the cast; write them there:"
            f" 'cast: {{{planned.character}: {{clips: {list(part.asked.clips)}}}}}'",
        )
    own = span_of(part.asked, span.id)
    return replace(planned, span=own.model_copy(update={"generator": span.generator}))


def _meetings(
    file: ShotFile, group: Sequence[_Part], parts: Sequence[_Part]
) -> Iterator[PlannedMeeting]:
    """Events of a scene that is played together."""
    members: dict[str, str] = {}
    for part in group:
        if part.name in members:
            raise file.fault(
                part.planned.where,
                f"{members[part.name]} plays {part.name!r} already; let one of the two play"
                " somebody else: 'character: NAME'",
            )
        members[part.name] = part.planned.character
    one = group[0]
    fps = file.shot.fps
    begin = one.planned.first
    for event in one.scene.events:
        for name in event.between:
            if name not in members:
                raise file.fault(one.planned.where, _nobody(one, name, parts, fps))
        first, last = (begin + round(time * fps) for time in (event.times[0], event.times[-1]))
        meet = meet_of(event, begin / fps, members)
        yield PlannedMeeting(meet, (*one.planned.where, "file"), first, last)


def _nobody(one: _Part, name: str, parts: Sequence[_Part], fps: float) -> str:
    """That a character is missing, and who plays it at another time."""
    told = f"{one.path.name} begins at {one.planned.first / fps:.2f} s, and nobody plays {name!r}"
    for other in parts:
        if (other.path, other.name) == (one.path, name):
            return (
                f"{told} then: {other.planned.character} does from"
                f" {other.planned.first / fps:.2f} s on; let both begin at the same time"
            )
    return (
        f"{told}; give somebody of the cast at that time {{do: synthesize, file:"
        f" {one.path.name}, character: {name}}}"
    )
