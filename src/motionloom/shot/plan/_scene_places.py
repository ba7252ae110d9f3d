"""Where scenes are put in a shot: at a mark, or where those stand who play them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.constraints import ConstraintSet
from motionloom.constraints.scene import Character, SceneConstraints
from motionloom.constraints.values import Ground
from motionloom.motion import GroundTransform
from motionloom.rotations import wrap_angle
from motionloom.shot.plan.planned import PlannedSpan, place_of, standing_at
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.span_fields import SynthesizeSpan, WalkSpan

#: Who stands no farther from where the scene has them, metres, begins where they stand.
NEAR = 0.5


@dataclass(frozen=True, eq=False)
class Part:
    """Somebody plays a character of a scene.

    Parameters
    ----------
    planned : PlannedSpan
        When.
    span : SynthesizeSpan
        As it is in the file.
    name : str
        Of the character in the scene.
    asked : Character
        What the scene asks of it.
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


@dataclass(frozen=True, eq=False)
class Performance:
    """A scene that is played at a time.

    Parameters
    ----------
    scene : SceneConstraints
        What it asks for.
    path : str
        Its file.
    first : int
        The frame in which it begins.
    parts : tuple of Part
        Who plays whom.
    """

    scene: SceneConstraints
    path: str
    first: int
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class _Standing:
    """Where somebody is when a scene begins.

    Parameters
    ----------
    place : tuple of (float, float), metres, optional
        None where nobody knows, or where `walk` may lead anywhere.
    facing : float, degrees, optional
        None where nobody knows.
    walk : int, optional
        Span of the walk that leads there.
    """

    place: Ground | None = None
    facing: float | None = None
    walk: int | None = None

    @property
    def is_free(self) -> bool:
        """Whether a walk leads to wherever the scene begins."""
        return self.walk is not None and self.place is None


@dataclass(frozen=True)
class _Begin:
    """Where a scene has somebody begin: x and z, metres, and facing, degrees, if it says that."""

    place: Ground
    facing: float | None


def place_of_scene(
    file: ShotFile, one: Performance, rows: Mapping[str, list[PlannedSpan]]
) -> GroundTransform:
    """Find out where a scene is put, and send everybody to where they begin in it.

    It is put where a span of it says; else, unless it says that places are those of the shot,
    where those stand who play it: the rigid transform is the one of least squares.

    Parameters
    ----------
    file : ShotFile
        The shot.
    one : Performance
        The scene, and who plays it.
    rows : mapping of str to list of PlannedSpan
        By character, changed: walks without a place lead to where the scene begins.

    Returns
    -------
    GroundTransform
        From the scene to the shot.

    Raises
    ------
    FormatError
        When somebody would have to begin elsewhere than they are, or nobody knows where they are.
    """
    begins = [_begin_of(part.asked) for part in one.parts]
    standing = [_standing(file, rows[part.who], part.planned) for part in one.parts]
    at = _told_place(file, one)
    if at is None:
        at = _fitted_place(file, one, begins, standing)
    for part, begin, stands in zip(one.parts, begins, standing, strict=True):
        if begin is not None:
            _send(file, part, begin, at, stands, rows[part.who])
    return at


def place_told(file: ShotFile, planned: PlannedSpan, span: SynthesizeSpan) -> GroundTransform:
    """Where a span puts its file; the shot's origin where it does not say."""
    if span.position is None:
        return GroundTransform()
    where = (*planned.where, "position")
    place, facing = place_of(file, where, span.position, span.facing)
    return GroundTransform.at_heading(facing or 0.0, *place)


def _told_place(file: ShotFile, one: Performance) -> GroundTransform | None:
    """Where spans of a scene put it; it is enough that one of them says it."""
    told = [part for part in one.parts if part.span.position is not None]
    places = [place_told(file, part.planned, part.span) for part in told]
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


def _begin_of(asked: ConstraintSet) -> _Begin | None:
    """Where a character of a scene begins; None where it does not say."""
    early = [one for one in asked.body if round(one.time * asked.fps) == 0]
    if early:
        return _Begin(early[0].position, early[0].facing)
    ways = [one for one in asked.paths if not one.begin and not (one.times and one.times[0])]
    return _Begin(ways[0].points[0], None) if ways else None


def _standing(file: ShotFile, row: Sequence[PlannedSpan], planned: PlannedSpan) -> _Standing:
    """Where somebody is when a span of theirs begins."""
    k, place, facing = standing_at(file, row, row.index(planned) - 1)
    is_walk = k >= 0 and isinstance(row[k].span, WalkSpan)
    return _Standing(place, facing, k if is_walk else None)


def _fitted_place(
    file: ShotFile,
    one: Performance,
    begins: Sequence[_Begin | None],
    standing: Sequence[_Standing],
) -> GroundTransform:
    """Where those stand who play a scene; the shot's origin where all come to it by free walks."""
    pairs = []
    for part, begin, stands in zip(one.parts, begins, standing, strict=True):
        if begin is None or stands.is_free:
            continue
        if stands.place is None:
            raise file.fault(
                part.planned.where,
                f"where {part.who} is when {part.planned.name} begins is not known before it is"
                f" made, so {part.file} cannot be moved there; give it a position (a mark, or [x,"
                " z]), or let a walk come before it",
            )
        pairs.append((begin, stands))
    if not pairs:
        return GroundTransform()
    return _fit(pairs)


def _fit(pairs: Sequence[tuple[_Begin, _Standing]]) -> GroundTransform:
    """The rigid transform of least squares; of one place, by the facing there."""
    begins = np.array([_as_complex(begin.place) for begin, _ in pairs])
    stands = np.array([_as_complex(one.place or (0.0, 0.0)) for _, one in pairs])
    spread = np.vdot(begins - begins.mean(), stands - stands.mean())
    angle = float(np.angle(spread)) if abs(spread) > 1e-9 else _turn(*pairs[0])
    middle = stands.mean() - np.exp(1j * angle) * begins.mean()
    return GroundTransform(angle, float(middle.imag), float(middle.real))


def _as_complex(place: Ground) -> complex:
    """``z + i x``, as `GroundTransform.as_complex` has it."""
    return complex(place[1], place[0])


def _turn(begin: _Begin, stands: _Standing) -> float:
    """From how somebody faces in the scene to how they stand, radians."""
    if begin.facing is None or stands.facing is None:
        return 0.0
    return float(wrap_angle(np.radians(stands.facing - begin.facing)))


def _send(
    file: ShotFile,
    part: Part,
    begin: _Begin,
    at: GroundTransform,
    stands: _Standing,
    row: list[PlannedSpan],
) -> None:
    """Lead a free walk to where somebody begins in a scene, and refuse who is settled elsewhere."""
    x, z = (round(float(v), 6) for v in at.apply(begin.place))
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
    changes: dict[str, object] = {}
    if stands.is_free:
        changes["to"] = (x, z)
    if stands.facing is None and begin.facing is not None:
        changes["facing"] = float(np.degrees(wrap_angle(np.radians(begin.facing) + at.angle)))
    walk = row[stands.walk]
    row[stands.walk] = replace(walk, span=walk.span.model_copy(update=changes))
