"""The vocabulary of spans: what every method is asked for in a shot file."""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from motionloom.constraints.values import (
    MAX_DISTANCE,
    Degrees,
    Ground,
    Model,
    Name,
    Number,
    Point,
    field_error,
)

#: Latest time, seconds.
LONGEST = 3600.0

_TIME = re.compile(
    r"\s*(?P<names>[A-Za-z][A-Za-z0-9_-]*?(\.[A-Za-z][A-Za-z0-9_-]*?){0,2})"
    r"\s*(?P<shift>[+-]\s*[0-9]*\.?[0-9]+)?\s*"
)


def _check_time(value: object) -> object:
    """Seconds, or text that names a time."""
    is_time = isinstance(value, str) and _TIME.fullmatch(value) is not None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not (is_time or (is_number and 0 <= float(str(value)) <= LONGEST)):
        raise PydanticCustomError("time", "not a time")
    return value


#: Seconds, or text that names a time.
When = Annotated[
    float | str,
    BeforeValidator(_check_time),
    Field(
        description="seconds, a mark, or the start, end or at of a span, such as walk.end+0.5",
        json_schema_extra={"example": "walk.end+0.5"},
    ),
]


def parse_time(text: str) -> tuple[tuple[str, ...], float]:
    """Read a time that is told by a name.

    Parameters
    ----------
    text : str
        As ``walk.end+0.5``; it has been checked as `When`.

    Returns
    -------
    names : tuple of str
        A mark; a span and what of it; or a character before both.
    shift : float, seconds
        Added to it.
    """
    found = _TIME.fullmatch(text)
    assert found is not None
    return tuple(found["names"].split(".")), float((found["shift"] or "0").replace(" ", ""))


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def _check_point(value: Any, count: int = 3) -> Any:
    """A mark, or so many numbers."""
    is_name = isinstance(value, str) and _NAME.fullmatch(value) is not None
    is_list = isinstance(value, (list, tuple)) and len(value) == count
    if is_name or (is_list and all(_is_metres(v) for v in value)):
        return value
    raise PydanticCustomError("place", "neither a mark nor numbers")


def _is_metres(value: Any) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and abs(value) <= MAX_DISTANCE


SpanName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")]
Seconds = Annotated[Number, Field(gt=0, le=3600)]
Seed = Annotated[int, Field(strict=True, ge=0, le=2**31)]
Place = Annotated[str | Ground, BeforeValidator(lambda value: _check_point(value, 2))]
Target = Annotated[str | Point, BeforeValidator(_check_point)]
File = Annotated[str, Field(min_length=1, max_length=1000)]
Fields = dict[str, Any]


def entry(description: str, example: Any, default: Any = None, **more: Any) -> Any:
    """A field of a shot file.

    Parameters
    ----------
    description : str
        What it holds, as errors say it.
    example : object
        What might be written.
    default : object
        When it is left out; ``...`` for one that has to be there.
    **more
        What else pydantic's ``Field`` takes.

    Returns
    -------
    pydantic field
    """
    return Field(default, description=description, json_schema_extra={"example": example}, **more)


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
    seconds: Seconds | None = entry("a number of seconds above 0", 2.0, alias="for")
    seed: Seed | None = entry("a whole number", 3)

    @classmethod
    def names_of(cls, name: str) -> tuple[str, ...]:
        """What a field may be called in a file, its own name first."""
        return name, *(other for other, own in cls.other_names.items() if own == name)

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
    constraints: Fields = entry("fields of a constraint file", "{joints: [{time: 50%, ...}]}", {})


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
    clip: Name = entry("the name of a clip", "walk_3", ...)
    frame: int = entry("a frame of the clip, counted from 0", 40, ..., strict=True, ge=0, le=10**8)
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
    keys: tuple[Key, ...] = entry(
        "a list of poses", "[{time: 7.5, clip: wave, frame: 40}]", ..., min_length=1, max_length=100
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
    clip: Name = entry("the name of a clip", "wave_2", ...)
    first: Number = entry("seconds in the clip", 0.2, 0.0, alias="from", ge=0, le=3600)
    last: Seconds | None = entry("seconds in the clip", 2.1, alias="to")


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
    joint: Name = entry("the name of a joint or a role", "right_hand", ...)
    target: Target = entry("a mark, or a point [x, y, z]", "handle", ...)
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
    model: File = entry("a motion model (.npz)", "serve.npz", ...)
    constraints: Fields = entry("fields of a constraint file", "{joints: [{time: 50%, ...}]}", {})


class SynthesizeSpan(SpanBase):
    """What a constraint file, or a character of a scene file, asks for.

    It is made as ``motionloom synthesize`` makes it. The events of a scene become meetings of those
    who play its characters.

    Parameters
    ----------
    file : str, optional
        The constraint or scene file; the span lasts as long as it says.
    character : str, optional
        Of the scene; the one of the own name when not given.
    constraints : dict
        The same fields in place of a file; times count from the begin of the span.
    generator : str
        Method by which it is made.
    moved : bool
        Whether the whole is moved to where the body, or those who play a scene, are when it begins;
        else places are those of the shot.
    position : str or tuple of (float, float), optional
        The mark or place that is the origin of the file's places.
    facing : float, degrees, optional
        Where the file's +Z leads there; the mark's when not given.
    """

    do: Literal["synthesize"] = "synthesize"
    file: File | None = entry("a constraint or scene file", "constraints.yaml")
    character: SpanName | None = entry("a character of the scene file", "alice")
    constraints: Fields = entry("fields of a constraint file", "{body: [{time: 50%, ...}]}", {})
    generator: Name = entry("the name of a method", "graph", "graph")
    moved: Annotated[bool, Field(strict=True)] = entry("true or false", False, True)
    position: Place | None = entry("a mark, or a place [x, z]", "door")
    facing: Degrees | None = entry("an angle in degrees from +Z towards +X", 90)

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        told = {
            "file": "missing; expected a constraint or scene file, or fields under 'constraints'",
            "constraints": "the span has a file already; put these fields into it",
            "character": "the span has no scene file; name it under 'file'",
            "facing": "turns the file about a place; give its 'position', too",
            "moved": "false leaves places where they are in the shot, and 'position' puts them"
            " elsewhere; remove one of the two",
        }
        is_wrong = {
            "file": self.file is None and not self.constraints,
            "constraints": self.file is not None and self.constraints,
            "character": self.file is None and self.character is not None,
            "facing": self.facing is not None and self.position is None,
            "moved": self.position is not None and not self.moved,
        }
        for field in (field for field, is_so in is_wrong.items() if is_so):
            raise field_error((field,), told[field])
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
