"""Shot files: YAML or JSON in, with the line of whatever is wrong."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from os import PathLike
from pathlib import Path as FilePath
from typing import Any

from pydantic import ValidationError

from motionloom.constraints import ConstraintSet
from motionloom.constraints.explain import fault_of
from motionloom.constraints.other_files import fill_files
from motionloom.constraints.scene import Encounter, Meeting, SceneConstraints, read_any
from motionloom.errors import FormatError, InvalidInputError, MotionloomError
from motionloom.io.document import Document, Path, format_path, parse_document, read_document
from motionloom.shot.script.shot import CastMember, Meet, Shot
from motionloom.shot.script.span_fields import SynthesizeSpan

#: Who does what a constraint file asks for, and how the one span of everybody is called.
FIGURE, WHOLE = "figure", "all"
#: Fields that are the shot's.
_OF_THE_SHOT = {"duration", "fps", "clips", "ground"}


def _shot_of(asked: ConstraintSet | SceneConstraints) -> Shot:
    """What a constraint or scene file asks for, as a shot.

    Parameters
    ----------
    asked : ConstraintSet or SceneConstraints
        As it was read.

    Returns
    -------
    Shot
        It names no library.

    Raises
    ------
    InvalidInputError
        When characters are to walk on different grounds.
    """
    if isinstance(asked, ConstraintSet):
        characters: dict[str, ConstraintSet] = {FIGURE: asked}
        events: tuple[Meeting, ...] = ()
    else:
        characters = dict(asked.characters)
        events = asked.events
    grounds = [one.ground for one in characters.values()]
    if any(ground != grounds[0] for ground in grounds):
        raise InvalidInputError(
            "characters: all of a shot walk on one ground; give every character the same 'ground'",
            field="ground",
        )
    return Shot(
        fps=asked.fps,
        ground=grounds[0],
        cast={who: CastMember(clips=getattr(one, "clips", ())) for who, one in characters.items()},
        tracks={who: (_span(one),) for who, one in characters.items()},
        meet=tuple(_meet(event) for event in events),
    )


def fields_of(asked: ConstraintSet, without: Set[str]) -> dict[str, Any]:
    """Fields of a constraint set as they would stand in a file.

    Parameters
    ----------
    asked : ConstraintSet
        Any.
    without : set of str
        Fields that are left out.

    Returns
    -------
    dict
        Without what is empty.
    """
    fields = asked.model_dump(mode="json", by_alias=True, exclude=set(without), exclude_none=True)
    return {name: value for name, value in fields.items() if value != []}


def _span(one: ConstraintSet) -> SynthesizeSpan:
    fields = fields_of(one, _OF_THE_SHOT)
    return SynthesizeSpan.model_validate(
        {"id": WHOLE, "for": one.duration, "constraints": fields or {"body": []}, "moved": False}
    )


def _meet(event: Meeting) -> Meet:
    facts = {name: getattr(event, name) for name in Encounter.model_fields}
    return Meet(time=event.time, position=event.position, **facts)


#: Fields by which constraint and scene files are told from shot files.
_OTHERS = frozenset({"duration", "characters"})


@dataclass(frozen=True, eq=False)
class ShotFile:
    """A shot and where its fields stand.

    Parameters
    ----------
    shot : Shot
        What happens.
    path : Path
        The file; names of files in it are relative to its folder.
    document : Document
        Values of the file, and the lines they stand in.
    scale : float
        Lengths on the ground of a character whose motion is carried over to a body of other size in
        the end: multiplied by this for the body that the clips are of.
    """

    shot: Shot
    path: FilePath
    document: Document
    scale: float = 1.0
    trust_paths: bool = False

    def scaled(self, place: tuple[float, float]) -> tuple[float, float]:
        """A place on the ground, for the body that the clips are of."""
        return place[0] * self.scale, place[1] * self.scale

    def fault(self, where: Path, message: str) -> MotionloomError:
        """Error about a field, with its line.

        Parameters
        ----------
        where : tuple of str and int
            Path of the field.
        message : str
            What was given, what was expected and what to do.

        Returns
        -------
        FormatError
        """
        return FormatError(f"{format_path(where)}: {message}", self.path, self.line_of(where))

    def line_of(self, where: Path) -> int:
        """Line of a field, counted from 1."""
        return self.document.line_of(where)

    def beside(self, name: str) -> FilePath:
        """A file or folder that the shot names."""
        place = FilePath(name).expanduser()
        return place if place.is_absolute() else self.path.parent / place

    def asked(self, where: Path, name: str) -> ConstraintSet | SceneConstraints:
        """What a constraint or scene file asks for that a span names.

        Parameters
        ----------
        where : tuple of str and int
            Path of the span, for messages.
        name : str
            Of the file.

        Returns
        -------
        ConstraintSet or SceneConstraints

        Raises
        ------
        FormatError
            When the file is not there, or is wrong; that file's line is told.
        """
        path = self.beside(name)
        if not path.is_file():
            raise self.fault(
                (*where, "file"),
                f"{path}: no such file; names are relative to the shot file's folder",
            )
        return read_any(path, trust_paths=self.trust_paths)

    def constraints(self, where: Path, name: str) -> ConstraintSet:
        """What a constraint file asks for that a span names; see `asked`.

        Raises
        ------
        FormatError
            When it is of a scene.
        """
        asked = self.asked(where, name)
        if not isinstance(asked, ConstraintSet):
            raise self.fault(
                (*where, "file"),
                f"{name} is a scene of several characters; name a constraint file of one",
            )
        return asked


def read_shot(path: str | PathLike[str], *, trust_paths: bool = False) -> ShotFile:
    """Read a shot file, YAML or JSON; a constraint or scene file is a shot of one span each.

    Parameters
    ----------
    path : path-like
        The file.
    trust_paths : bool
        Whether height maps may be in files anywhere; else only in the folder of the shot file and
        below.

    Returns
    -------
    ShotFile

    Raises
    ------
    FormatError
        In one sentence: file, line, field, what was read, what was expected and what to do.
    """
    if FilePath(path).is_file() and not FilePath(path).stat().st_size:
        raise FormatError(
            "the file is empty; expected fields (shot, cast, tracks), so begin with 'shot: 1'",
            path,
            1,
        )
    return make_shot_file(read_document(path), path, trust_paths=trust_paths)


def parse_shot(text: str, path: str | PathLike[str], *, trust_paths: bool = False) -> ShotFile:
    """Read the text of a shot file that need not be on disk; see `read_shot`.

    Parameters
    ----------
    text : str
        All of it.
    path : path-like
        Where it stands, or would stand.
    trust_paths : bool
        As for `read_shot`.
    """
    return make_shot_file(parse_document(text, path), path, trust_paths=trust_paths)


def make_shot_file(
    document: Document, path: str | PathLike[str], *, trust_paths: bool = False
) -> ShotFile:
    """Values of a shot file checked; see `read_shot`."""
    if not isinstance(document.value, dict):
        raise FormatError(
            "expected fields (shot, cast, tracks), got something else; begin with 'shot: 1'",
            path,
            1,
        )
    if "tracks" not in document.value and not _OTHERS.isdisjoint(document.value):
        asked = read_any(path, trust_paths=trust_paths)
        try:
            shot = _shot_of(asked)
        except InvalidInputError as error:
            raise FormatError(str(error), path, document.line_of((error.field or "",))) from None
        return ShotFile(shot, FilePath(path), document, trust_paths=trust_paths)
    try:
        shot = Shot.model_validate(fill_files(document, path, trust_paths))
    except ValidationError as error:
        raise fault_of(error, Shot, document, path) from None
    return ShotFile(shot, FilePath(path), document, trust_paths=trust_paths)
