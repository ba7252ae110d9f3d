"""The vocabulary of scenes: several characters, and events at which two of them meet.

Files of scenes, YAML or JSON in and out.
"""

from __future__ import annotations

from os import PathLike
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field, model_validator

from motionloom.constraints.constraint_set import ConstraintSet
from motionloom.constraints.files import check_constraints, validated, write_data
from motionloom.constraints.other_files import fill_files
from motionloom.constraints.values import (
    Degrees,
    Duration,
    FramesPerSecond,
    Ground,
    Model,
    Name,
    Number,
    Point,
    Time,
    expects,
    field_error,
)
from motionloom.io.document import Document, read_document

#: Most characters and events; more is a slip, or wants several scenes.
MAX_CHARACTERS, MAX_EVENTS = 12, 100

CharacterName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")]
Positive = Annotated[Number, Field(gt=0, le=100)]


class Character(ConstraintSet):
    """Everything that is asked of one character alone; in a file, duration and fps are the scene's.

    Parameters
    ----------
    clips : tuple of str
        Patterns (``*``, ``?``) of the names of the clips that this character is made of; all clips
        when empty.
    """

    clips: tuple[Name, ...] = expects("a list of patterns of clip names", "['walk*']", ())


class JointMeeting(Model):
    """A joint of the first character meets a joint of the second.

    Parameters
    ----------
    first, second : str
        Names of joints, or of roles such as ``right_hand``.
    position : tuple of (float, float, float), metres, optional
        Where; found from how far both reach when not given.
    gap : float, metres
        How far apart the two joints are then, along the line from the first character to the
        second; wrists of hands that are shaken are not in one point.
    """

    first: Name = expects("the name of a joint or a role such as right_hand", "right_hand")
    second: Name = expects("the name of a joint or a role such as right_hand", "right_hand")
    position: Point | None = expects(
        "three numbers [x, y, z] in metres, y up, within 1000 m", [0.3, 1.1, 2.5], None
    )
    gap: Annotated[Number, Field(ge=0, le=2)] = expects(
        "a distance in metres from 0 to 2", 0.1, 0.0
    )


class MeetingPose(Model):
    """A frame of a clip that one of the two shows when they meet.

    Parameters
    ----------
    clip : str
        Name of the clip: its file's name without the suffix.
    frame : int
        Counted from 0 in the clip's file, at the file's own rate.
    """

    clip: Name = expects("the name of a clip", "tackle_1")
    frame: Annotated[int, Field(strict=True, ge=0, le=100_000_000)] = expects(
        "a frame of the clip, counted from 0", 40
    )


class Tolerance(Model):
    """How far an event may be missed and still counts as met.

    Parameters
    ----------
    place : float, metres
        Of where the second stands, seen from the first.
    facing : float, degrees
        Of where the second faces, seen from the first.
    joints : float, metres
        How far joints that meet may be from where they should be to each other.
    """

    place: Positive = expects("metres above 0", 0.05, 0.05)
    facing: Positive = expects("degrees above 0", 3, 3.0)
    joints: Positive = expects("metres above 0", 0.02, 0.02)


class Encounter(Model):
    """How two characters stand to each other, wherever and whenever that is.

    Parameters
    ----------
    between : tuple of (str, str)
        The first and the second character.
    distance : float, metres, optional
        Between their bodies on the ground. May be left out where poses are given: then the two
        stand to each other as in their clips, which must have been captured in one space.
    turned : tuple of (float, float), degrees
        How far each is turned (from +Z towards +X) away from looking at the other.
    heading : float, degrees, optional
        Direction from the first to the second, from +Z towards +X; chosen when not given.
    hold : float, seconds
        How long they then stay like that.
    joints : tuple of JointMeeting
        Joints of the two that meet, such as hands.
    poses : tuple of (MeetingPose, MeetingPose), optional
        What the first and the second show at the begin, exactly.
    contact : {"limbs", "bodies"}
        What may touch around the event: the limbs of the meeting joints only, or everything.
    tolerance : Tolerance
        How far it may be missed.
    name : str
        What it is called in reports.
    """

    between: tuple[CharacterName, CharacterName] = expects(
        "the names of two characters", "[alice, bob]"
    )
    distance: Annotated[Number, Field(gt=0, le=100)] | None = expects(
        "a distance in metres above 0, at most 100", 0.9, None
    )
    turned: tuple[Degrees, Degrees] = expects("two angles in degrees", [0, 0], (0.0, 0.0))
    heading: Degrees | None = expects("an angle in degrees from +Z towards +X", 90, None)
    hold: Annotated[Number, Field(ge=0, le=60)] = expects("seconds from 0 to 60", 1.0, 0.0)
    joints: tuple[JointMeeting, ...] = expects(
        "a list of joints that meet", "[{first: right_hand, second: right_hand}]", ()
    )
    poses: tuple[MeetingPose, MeetingPose] | None = expects(
        "a pose of the first and one of the second",
        "[{clip: tackle_1, frame: 40}, {clip: fall_1, frame: 12}]",
        None,
    )
    contact: Literal["limbs", "bodies"] = expects("'limbs' or 'bodies'", "limbs", "limbs")
    tolerance: Tolerance = expects(
        "fields place, facing and joints",
        "{place: 0.05, facing: 3, joints: 0.02}",
        default_factory=Tolerance,
    )
    name: Annotated[str, Field(min_length=1, max_length=100)] = expects(
        "a name", "handshake", "meeting"
    )


class Meeting(Encounter):
    """Two characters stand in a given relation to each other at a time.

    Parameters
    ----------
    time : float, seconds
        From the begin of the scene.
    position : tuple of (float, float), metres, optional
        x and z of the middle between the two; chosen by the solver when not given.
    """

    time: Time
    position: Ground | None = expects(
        "two numbers [x, z] in metres, within 1000 m", [1.0, 2.5], None
    )

    @property
    def times(self) -> tuple[float, ...]:
        """When it begins and, where it is held, ends."""
        return (self.time, self.time + self.hold) if self.hold else (self.time,)


class SceneConstraints(Model):
    """Everything that is asked of several characters.

    Parameters
    ----------
    duration : float, seconds
        The last frame is at this time.
    fps : float
        Frames per second.
    characters : dict of str to Character
        By name; all have the scene's duration and frame rate.
    events : tuple of Meeting
        In the order of time.
    """

    duration: Duration
    fps: FramesPerSecond = 30.0
    characters: Annotated[
        dict[CharacterName, Character], Field(min_length=2, max_length=MAX_CHARACTERS)
    ] = expects(
        f"2 to {MAX_CHARACTERS} characters by name (letters, digits, '_' and '-')",
        "{alice: {}, bob: {}}",
    )
    events: Annotated[tuple[Meeting, ...], Field(max_length=MAX_EVENTS)] = expects(
        "a list of events", "[{time: 4.0, between: [alice, bob], distance: 0.9}]", ()
    )

    @model_validator(mode="before")
    @classmethod
    def _share_timing(cls, data: Any) -> Any:
        """Give every character the scene's duration and frame rate."""
        if not isinstance(data, dict) or not isinstance(data.get("characters"), dict):
            return data
        shared = {key: data[key] for key in ("duration", "fps") if key in data}
        return {
            **data,
            "characters": {n: _with_timing(n, c, shared) for n, c in data["characters"].items()},
        }

    @model_validator(mode="after")
    def _check_events(self) -> Self:
        taken: dict[tuple[str, int], str] = {
            (name, wish.frame_of(b.time)): f"characters.{name}.body[{i}]"
            for name, wish in self.characters.items()
            for i, b in enumerate(wish.body)
        }
        for i, event in enumerate(self.events):
            self._check_event(event, i, taken)
        object.__setattr__(self, "events", tuple(sorted(self.events, key=lambda e: e.time)))
        return self

    def _check_event(self, event: Meeting, i: int, taken: dict[tuple[str, int], str]) -> None:
        if event.distance is None and event.poses is None:
            raise field_error(
                ("events", i, "distance"),
                "missing; expected a distance in metres, or poses that were captured together;"
                " write for example 'distance: 0.9'",
            )
        for k, name in enumerate(event.between):
            if name not in self.characters:
                known = ", ".join(self.characters)
                raise field_error(
                    ("events", i, "between", k),
                    f"no character is called {name!r}; use one of {known}",
                )
        if event.between[0] == event.between[1]:
            raise field_error(
                ("events", i, "between"),
                f"{event.between[0]} cannot meet itself; name two characters",
            )
        if event.times[-1] > self.duration:
            raise field_error(
                ("events", i, "hold" if event.hold else "time"),
                f"the event lasts until {event.times[-1]:g} s, after the end of the scene; expected"
                f" at most {self.duration:g} s; move the event or make the duration longer",
            )
        for name in event.between:
            frames = [self.characters[name].frame_of(t) for t in event.times]
            for frame in dict.fromkeys(frames):
                if (name, frame) in taken:
                    raise field_error(
                        ("events", i, "time"),
                        f"the event places {name} on the same frame as {taken[name, frame]};"
                        " expected one place of a character per frame, so remove or move one of"
                        " the two",
                    )
                taken[name, frame] = f"events[{i}]"


def _with_timing(name: str, wish: Any, shared: dict[str, Any]) -> Any:
    if wish is None:
        return dict(shared)
    if isinstance(wish, ConstraintSet):
        wish = wish.model_dump(by_alias=True)
    if not isinstance(wish, dict):
        return wish
    for key in ("duration", "fps"):
        if key in wish and wish[key] != shared.get(key, wish[key]):
            raise field_error(
                ("characters", name, key),
                f"{wish[key]} differs from the scene's {key}, {shared[key]}; give it once, beside"
                " 'characters'",
            )
    return {**wish, **shared}


def read_any(
    path: str | PathLike[str], *, trust_paths: bool = False
) -> ConstraintSet | SceneConstraints:
    """Read a constraint file of one character, or of a scene where it has the field ``characters``.

    Parameters
    ----------
    path : path-like
        The file, YAML or JSON.
    trust_paths : bool
        Whether height maps and key poses may be in files anywhere; else only in the folder of the
        constraint file and below.

    Returns
    -------
    ConstraintSet or SceneConstraints
        A scene where the file has the field ``characters``.

    Raises
    ------
    FormatError
        In one sentence: file, line, field, what was read, what was expected and what to do.

    Examples
    --------
    >>> sorted(read_any(demo / "scene.yaml").characters)
    ['alice', 'bob']
    """
    document = read_document(path)
    is_scene = isinstance(document.value, dict) and "characters" in document.value
    return (check_scene if is_scene else check_constraints)(document, path, trust_paths=trust_paths)


def check_scene(
    document: Document, path: str | PathLike[str], *, trust_paths: bool = False
) -> SceneConstraints:
    """Scene of a document that was read from a file; see `read_any`.

    Parameters
    ----------
    document : Document
        Values of the file, and the lines they stand in.
    path : path-like
        The file, for messages and for files that it names.
    trust_paths : bool
        As of `read_any`.

    Returns
    -------
    SceneConstraints

    Raises
    ------
    FormatError
        As of `read_any`.
    """
    value = fill_files(document, path, trust_paths)
    return validated(SceneConstraints, value, document, path)


def write_scene(scene: SceneConstraints, path: str | PathLike[str]) -> None:
    """Write a scene file: JSON where the name ends in ``.json``, else YAML.

    YAML has a constraint or event a line. Fields with their default values are left out.

    Parameters
    ----------
    scene : SceneConstraints
        Height maps and key poses are written with their numbers, not as names of files.
    path : path-like
        The file; one that is there is replaced.

    Raises
    ------
    MotionloomError
        When the file cannot be written.
    """
    data = {
        **_plain(scene, {"characters", "events"}),
        "characters": {
            name: _plain(wish, {"duration", "fps"}) for name, wish in scene.characters.items()
        },
        "events": [_plain(event, set()) for event in scene.events],
    }
    write_data(data, path)


def _plain(model: BaseModel, leave_out: set[str]) -> dict[str, Any]:
    """What differs from the defaults, without numbers that say where nothing was asked for."""
    return model.model_dump(
        mode="json", exclude=leave_out, exclude_defaults=True, exclude_none=True, by_alias=True
    )
