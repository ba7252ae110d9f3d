"""The vocabulary of a shot file: cast, marks, and tracks of spans.

The vocabulary of joins: over which time what a span leaves behind dies away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from motionloom.constraints.kinds.avoid import AVOID, Obstacle
from motionloom.constraints.kinds.ground import GROUND, Surface
from motionloom.constraints.scene import MAX_EVENTS, CharacterName, Encounter, Meeting
from motionloom.constraints.values import (
    MAX_FPS,
    Degrees,
    Ground,
    Model,
    Name,
    Number,
    Point,
    field_error,
)
from motionloom.shot.script.span_fields import File, Place, Seed, Span, SpanName, When, entry


class Meet(Encounter):
    """Two characters stand in a given relation to each other at a time, and joints of them touch.

    Who comes to it by a walk without a place ends that walk where the meeting wants them.

    Parameters
    ----------
    time : float or str
        Seconds, a mark, or the begin or end of a span of somebody: ``anna.come.end+0.5``.
    position : str or tuple of (float, float), optional
        The middle between the two; follows from where they stand when not given.
    """

    time: When
    position: Place | None = entry("a mark, or a place [x, z]", "door")

    def at(self, seconds: float) -> Meeting:
        """The same at a known time, wherever that is.

        Parameters
        ----------
        seconds : float
            From the begin of the shot.

        Returns
        -------
        Meeting
        """
        facts = {name: getattr(self, name) for name in Encounter.model_fields}
        return Meeting(time=seconds, **facts)

    def check_between(self, index: int, cast: Sequence[str]) -> None:
        """Refuse who is not in the cast, and meetings that say too little.

        Parameters
        ----------
        index : int
            Of the meeting in the shot.
        cast : sequence of str
            Names of the characters.

        Raises
        ------
        PydanticCustomError
            Of the field.
        """
        for k, name in enumerate(self.between):
            if name not in cast:
                raise field_error(
                    ("meet", index, "between", k),
                    f"nobody in the cast is called {name!r}; use one of {', '.join(cast)}",
                )
        if self.between[0] == self.between[1]:
            raise field_error(
                ("meet", index, "between"),
                f"{self.between[0]} cannot meet itself; name two characters",
            )
        if self.distance is None and self.poses is None:
            raise field_error(
                ("meet", index, "distance"),
                "missing; expected a distance in metres, or poses that were captured together;"
                " write for example 'distance: 0.8'",
            )


#: Longest time over which a join dies away, seconds.
LONGEST_JOIN = 3.0


class Joins(Model):
    """How spans are joined.

    In a file the name of a join, ``stop->turn: {over: 0.5}``, goes before what holds for all, which
    is told as ``over: 0.4`` or ``default: {over: 0.4}``.

    Parameters
    ----------
    over : float, seconds
        Time over which what the earlier span leaves behind dies away.
    each : dict of str to float
        The same of single joins, by the names of their spans.
    """

    over: Annotated[Number, Field(gt=0, le=LONGEST_JOIN)] = entry("seconds above 0", 0.4, 0.4)
    each: dict[str, float] = entry("times of single joins", {"stop->turn": 0.5}, {})

    @model_validator(mode="before")
    @classmethod
    def _take_names(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        rest = {name: value for name, value in data.items() if not _is_join(name)}
        each = {name: _over_of(name, value) for name, value in data.items() if name not in rest}
        if "default" in rest and "over" not in rest:
            rest["over"] = _over_of("default", rest.pop("default"))
        return {**rest, "each": {**rest.get("each", {}), **each}} if each else rest

    def of(self, before: str, after: str) -> float:
        """Time over which a join dies away, seconds."""
        return self.each.get(f"{before}->{after}", self.over)


def _is_join(name: Any) -> bool:
    return isinstance(name, str) and "->" in name


def _over_of(name: str, value: Any) -> float:
    """Seconds of ``{over: 0.5}``."""
    over = value.get("over") if isinstance(value, dict) and len(value) == 1 else None
    is_number = isinstance(over, (int, float)) and not isinstance(over, bool)
    if over is None or not is_number or not 0 < over <= LONGEST_JOIN:
        raise field_error(
            (name,), f"expected seconds above 0, up to {LONGEST_JOIN:g}, as {{over: 0.5}}"
        )
    return float(over)


#: Most spans of one character.
MOST_SPANS = 200


class Mark(Model):
    """A named place or time.

    Parameters
    ----------
    position : tuple of (float, float), metres, optional
        x and z of a place on the ground.
    facing : float, degrees, optional
        Where somebody faces there, from +Z towards +X.
    point : tuple of (float, float, float), metres, optional
        A point in space, for hands and eyes.
    time : float, seconds, optional
        A moment.
    """

    position: Ground | None = entry("two numbers [x, z] in metres", [2.5, 3.0])
    facing: Degrees | None = entry("an angle in degrees from +Z towards +X", 90)
    point: Point | None = entry("three numbers [x, y, z] in metres, y up", [2.6, 1.05, 3.3])
    time: Annotated[Number, Field(ge=0, le=3600)] | None = entry("seconds", 6.2)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.position is None and self.point is None and self.time is None:
            raise field_error(
                (), "a mark is a place, a point or a time; give it a position, a point or a time"
            )
        return self


class Start(Model):
    """Where somebody begins."""

    position: Ground = entry("two numbers [x, z] in metres", [0.0, 0.0], (0.0, 0.0))
    facing: Degrees = entry("an angle in degrees from +Z towards +X", 0, 0.0)


class CastMember(Model):
    """One character.

    Parameters
    ----------
    library : str, optional
        Folder, files or library of clips; the shot's when not given.
    clips : tuple of str
        Patterns of the names of clips that are used; all when empty.
    labels : str, optional
        File with labels of the clips, by which a walk is shown in a style.
    skeleton : str, optional
        A motion file of the body that the result is carried over to at the end.
    start : Start
        Where the first span begins.
    """

    library: File | None = entry("a folder of clips, or a library", "moves")
    clips: tuple[Name, ...] = entry("a list of patterns of clip names", "['walk*']", ())
    labels: File | None = entry("a labels file", "labels.yaml")
    skeleton: File | None = entry("a motion file of another body", "hero.bvh")
    start: Start = entry("position and facing", "{position: [0, 0], facing: 0}", Start())


class Shot(Model):
    """Everything that happens in a shot.

    Parameters
    ----------
    shot : int
        Version of the format; 1.
    fps : float
        Frames per second.
    seed : int
        The same shot and seed give the same motion.
    library : str, optional
        Folder, files or library of clips of all characters that name none.
    marks : dict of str to Mark
        Named places and times.
    avoid : tuple of Cylinder, Box or HeightMap
        What all keep out of.
    ground : tuple of HeightMap, Slope or Stairs
        What is walked on. Who has no correction of their own is carried onto it as a whole.
    cast : dict of str to CastMember
        Characters.
    tracks : dict of str to tuple of spans
        What each does, in the order of time; what lies over other spans may stand anywhere.
    meet : tuple of Meet
        When two of them are face to face, and what of them touches.
    joins : Joins
        How spans are joined.
    """

    shot: Literal[1] = entry("the version of the format, 1", 1, 1)
    fps: Annotated[Number, Field(gt=0, le=MAX_FPS)] = entry("frames per second", 30, 30.0)
    seed: Seed = entry("a whole number", 0, 0)
    library: File | None = entry("a folder of clips, or a library", "moves")
    marks: dict[SpanName, Mark] = entry(
        "named places and times", "{door: {position: [2.5, 3.0], facing: 90}}", {}
    )
    avoid: tuple[Obstacle, ...] = AVOID.field
    ground: tuple[Surface, ...] = GROUND.field
    cast: dict[CharacterName, CastMember] = entry(
        "characters by name", "{anna: {}}", ..., min_length=1, max_length=12
    )
    tracks: dict[
        CharacterName, Annotated[tuple[Span, ...], Field(min_length=1, max_length=MOST_SPANS)]
    ] = entry("a list of spans for every character", "{anna: [{do: idle, for: 4.0}]}", ...)
    meet: Annotated[tuple[Meet, ...], Field(max_length=MAX_EVENTS)] = entry(
        "a list of meetings", "[{time: 4.0, between: [anna, ben], distance: 0.8}]", ()
    )
    joins: Joins = entry("how spans are joined", "{over: 0.4}", Joins())

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        for name in self.tracks:
            if name not in self.cast:
                raise field_error(
                    ("tracks", name), f"nobody in the cast is called {name!r}; add them to cast"
                )
        for name in self.cast:
            if name not in self.tracks:
                raise field_error(
                    ("cast", name), f"{name} has nothing to do; add tracks: {{{name}: [...]}}"
                )
        for i, one in enumerate(self.meet):
            one.check_between(i, tuple(self.cast))
        return self
