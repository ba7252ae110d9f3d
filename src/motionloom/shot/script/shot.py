"""The vocabulary of a shot file: cast, marks, and tracks of spans."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from motionloom.constraints.kinds.avoid import AVOID, Obstacle
from motionloom.constraints.kinds.ground import GROUND, Surface
from motionloom.constraints.scene import MAX_EVENTS, CharacterName
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
from motionloom.shot.script.meet import Meet
from motionloom.shot.script.times import When
from motionloom.shot.script.values import File, Place, Seconds, Seed, SpanName, Target, entry

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
                (),
                "a mark is a place, a point or a time; give it a position, a point or a time",
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
    start: Start = Field(
        default_factory=Start,
        description="position and facing",
        json_schema_extra={"example": "{position: [0, 0], facing: 0}"},
    )


class SpanBase(Model):
    """What all spans have.

    A span begins where the one before it ends, unless `begin` says otherwise. It ends `by` a time,
    or lasts `for_` so long; without either it lasts until the next one begins.

    Parameters
    ----------
    do : str
        The method.
    id : str, optional
        Name by which times of other spans refer to it; its method and number when not given.
    begin : float or str, optional
        When it begins.
    by : float or str, optional
        When it ends; in a file also ``until``.
    seconds : float, optional
        How long it lasts; ``for`` in a file.
    seed : int, optional
        Of what is random in it; follows from the shot's seed and `id` when not given.
    """

    other_names: ClassVar[dict[str, str]] = {"until": "by"}

    do: str
    id: SpanName | None = entry("a name", "go")
    begin: When | None = entry("a time", "walk.end")
    by: When | None = entry("a time, a mark, or the end of a span", 4.0)
    seconds: Seconds | None = Field(
        default=None,
        alias="for",
        description="a number of seconds above 0",
        json_schema_extra={"example": 2.0},
    )
    seed: Seed | None = entry("a whole number", 3)

    @model_validator(mode="before")
    @classmethod
    def _take_until(cls, data: Any) -> Any:
        if isinstance(data, dict) and "until" in data and "by" not in data:
            return {"by" if name == "until" else name: value for name, value in data.items()}
        return data

    @model_validator(mode="after")
    def _check_length(self) -> Self:
        if self.by is not None and self.seconds is not None:
            raise field_error(("for",), "a span has either an end or a length; remove one")
        return self


class WalkSpan(SpanBase):
    """Woven out of captured pieces by the motion graph.

    Parameters
    ----------
    to : str or tuple of (float, float)
        The mark or place where it ends.
    facing : float, degrees, optional
        Where it ends facing; the mark's when not given.
    style : str, optional
        Label of the clips that are shown.
    constraints : dict
        Further fields of a constraint file; times count from the begin of the span, and may be
        percentages of it.
    """

    do: Literal["walk"] = "walk"
    to: Place | None = entry("a mark, or a place [x, z]", "door")
    facing: Degrees | None = entry("an angle in degrees from +Z towards +X", 90)
    style: Name | None = entry("a label of clips", "hurried")
    constraints: dict[str, Any] = entry(
        "fields of a constraint file", "{joints: [{time: 50%, ...}]}", {}
    )


class GaitSpan(SpanBase):
    """Walking or running at any speed, along a way.

    Parameters
    ----------
    path : tuple of marks and places
        The way behind where it begins; straight ahead when empty.
    speed : float, metres per second, optional
        How fast; follows from way and time when not given.
    model : str, optional
        File of a gait space; learned from the clips when not given.
    person, style : str, optional
        One of the gait space's.
    """

    do: Literal["gait"] = "gait"
    path: tuple[Place, ...] = entry("a list of marks and places", [[2, 3], [0, 5]], ())
    speed: Annotated[Number, Field(gt=0, le=12)] | None = entry("metres per second", 1.4)
    model: File | None = entry("a gait space (.npz)", "gait.npz")
    person: Name | None = entry("a person of the gait space", "anna")
    style: Name | None = entry("a style of the gait space", "tired")


class IdleSpan(SpanBase):
    """Waiting, alive.

    Parameters
    ----------
    liveliness : float
        Factor on small movements.
    model : str, optional
        File of an idle model; learned from the clips when not given.
    """

    do: Literal["idle"] = "idle"
    liveliness: Annotated[Number, Field(ge=0, le=10)] = entry("a factor", 1.0, 1.0)
    model: File | None = entry("an idle model (.npz)", "anna-idle.npz")


class Key(Model):
    """A pose of a clip at a time.

    Parameters
    ----------
    time : float or str
        When.
    clip : str
        Name of the clip.
    frame : int
        Counted from 0 in the clip's file.
    position : str or tuple of (float, float), optional
        A mark or a place; where the body then is when not given.
    facing : float, degrees, optional
        The mark's, or as before, when not given.
    """

    time: When
    clip: Name = Field(description="the name of a clip", json_schema_extra={"example": "walk_3"})
    frame: Annotated[int, Field(strict=True, ge=0, le=100_000_000)] = Field(
        description="a frame of the clip, counted from 0", json_schema_extra={"example": 40}
    )
    position: Place | None = entry("a mark, or a place [x, z]", "door")
    facing: Degrees | None = entry("an angle in degrees from +Z towards +X", 90)


class BetweenSpan(SpanBase):
    """From pose to pose.

    Parameters
    ----------
    keys : tuple of Key
        Poses; the last one ends the span.
    """

    do: Literal["between"] = "between"
    keys: Annotated[tuple[Key, ...], Field(min_length=1, max_length=100)] = Field(
        description="a list of poses",
        json_schema_extra={"example": "[{time: 7.5, clip: wave, frame: 40}]"},
    )


class ClipSpan(SpanBase):
    """A clip as it was captured.

    Parameters
    ----------
    clip : str
        Its name.
    first : float, seconds
        Where in the clip it begins; ``from`` in a file.
    last : float, seconds, optional
        Where in the clip it ends; ``to`` in a file.
    """

    do: Literal["clip"] = "clip"
    clip: Name = Field(description="the name of a clip", json_schema_extra={"example": "wave_2"})
    first: Annotated[Number, Field(ge=0, le=3600)] = Field(
        default=0.0,
        alias="from",
        description="seconds in the clip",
        json_schema_extra={"example": 0.2},
    )
    last: Seconds | None = Field(
        default=None,
        alias="to",
        description="seconds in the clip",
        json_schema_extra={"example": 2.1},
    )


class ReachSpan(SpanBase):
    """A hand, foot or the eyes brought to a point, over another span.

    Parameters
    ----------
    joint : str
        Name of a joint, or a role such as ``right_hand``; ``gaze`` turns the head to the point.
    target : str or tuple of (float, float, float), metres
        A mark or a point.
    at : float or str
        When it is there.
    hold : float, seconds
        How long it stays there.
    over : str, optional
        Span that it is laid over; found from `at` when not given.
    """

    do: Literal["reach"] = "reach"
    joint: Name = Field(
        description="the name of a joint or a role", json_schema_extra={"example": "right_hand"}
    )
    target: Target = Field(
        description="a mark, or a point [x, y, z]", json_schema_extra={"example": "handle"}
    )
    at: When
    hold: Annotated[Number, Field(ge=0, le=60)] = entry("seconds", 0.6, 0.0)
    over: SpanName | None = entry("the id of a span", "stop")


class EditSpan(SpanBase):
    """A motion of a motion model, with joints where they are wanted.

    Parameters
    ----------
    model : str
        File of a motion model.
    constraints : dict
        Fields of a constraint file; times count from the begin of the span.
    """

    do: Literal["edit"] = "edit"
    model: File = Field(
        description="a motion model (.npz)", json_schema_extra={"example": "serve.npz"}
    )
    constraints: dict[str, Any] = entry(
        "fields of a constraint file", "{joints: [{time: 50%, ...}]}", {}
    )


class SynthesizeSpan(SpanBase):
    """What a constraint file asks for, as ``motionloom synthesize`` makes it.

    Parameters
    ----------
    file : str, optional
        The constraint file; the span lasts as long as it says.
    constraints : dict
        The same fields in place of a file; times count from the begin of the span.
    generator : str
        Method by which it is made.
    moved : bool
        Whether the whole is moved to where the body is when it begins; else places are those of the
        shot.
    """

    do: Literal["synthesize"] = "synthesize"
    file: File | None = entry("a constraint file", "constraints.yaml")
    constraints: dict[str, Any] = entry(
        "fields of a constraint file", "{body: [{time: 50%, ...}]}", {}
    )
    generator: Name = entry("the name of a method", "graph", "graph")
    moved: Annotated[bool, Field(strict=True)] = entry("true or false", False, True)

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if self.file is None and not self.constraints:
            raise field_error(
                ("file",), "missing; expected a constraint file, or its fields under 'constraints'"
            )
        if self.file is not None and self.constraints:
            raise field_error(
                ("constraints",), "the span has a file already; put these fields into it"
            )
        return self


class CorrectSpan(SpanBase):
    """What is below it, corrected so that the body could do it: feet, balance, flights."""

    do: Literal["correct"] = "correct"


Span = Annotated[
    WalkSpan
    | GaitSpan
    | IdleSpan
    | BetweenSpan
    | ClipSpan
    | SynthesizeSpan
    | ReachSpan
    | EditSpan
    | CorrectSpan,
    Field(discriminator="do"),
]
#: What a reach calls the eyes: the head is turned so that they look at the point.
GAZE = "gaze"
#: Spans that lie over others.
LAYERS = ("reach", "correct")


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
    cast: Annotated[dict[CharacterName, CastMember], Field(min_length=1, max_length=12)] = Field(
        description="characters by name", json_schema_extra={"example": "{anna: {}}"}
    )
    tracks: dict[
        CharacterName, Annotated[tuple[Span, ...], Field(min_length=1, max_length=MOST_SPANS)]
    ] = Field(
        description="a list of spans for every character",
        json_schema_extra={"example": "{anna: [{do: idle, for: 4.0}]}"},
    )
    meet: Annotated[tuple[Meet, ...], Field(max_length=MAX_EVENTS)] = entry(
        "a list of meetings", "[{time: 4.0, between: [anna, ben], distance: 0.8}]", ()
    )
    joins: Joins = Field(
        default_factory=Joins,
        description="how spans are joined",
        json_schema_extra={"example": "{over: 0.4}"},
    )

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
