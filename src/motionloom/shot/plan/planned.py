"""A shot whose times are known: spans with their frames, and meetings."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from motionloom.constraints.values import Ground
from motionloom.io.document import Path
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.shot import Mark, Meet
from motionloom.shot.script.span_fields import IdleSpan, SpanBase, WalkSpan

S = TypeVar("S", bound=SpanBase)
#: Name of the correction by which somebody without one is carried onto uneven ground.
ON_GROUND = "ground"


@dataclass(frozen=True, eq=False)
class PlannedSpan:
    """A span whose times are known.

    Parameters
    ----------
    character : str
        Who.
    name : str
        Its id, given or made up.
    span : SpanBase
        As it is in the file.
    where : tuple of str and int
        Its path in the file.
    first, last : int
        Its frames, both included; the last is the first of the next span.
    seed : int
        Of what is random in it.
    keys : tuple of float, seconds
        Times of its keys, or when a reach is there.
    source : str
        Of which file it is, and of which character of a scene, where the span tells only what was
        found in it.
    notes : tuple of str
        What of that file was left out.
    following : str
        The method of the span behind it; empty behind the last.
    """

    character: str
    name: str
    span: SpanBase
    where: Path
    first: int
    last: int
    seed: int
    keys: tuple[float, ...] = ()
    source: str = ""
    notes: tuple[str, ...] = ()
    following: str = ""

    @property
    def kind(self) -> str:
        """Its method."""
        return self.span.do

    def of(self, kind: type[S]) -> S:
        """Its span, which is of this kind."""
        assert isinstance(self.span, kind)
        return self.span

    @property
    def n_frames(self) -> int:
        """Frames of it, both ends included."""
        return self.last - self.first + 1


@dataclass(frozen=True, eq=False)
class PlannedMeeting:
    """A meeting whose time is known.

    Parameters
    ----------
    meet : Meet
        As it is in the file.
    where : tuple of str and int
        Its path in the file.
    first, last : int
        Its frames, both included; one where nothing is held.
    """

    meet: Meet
    where: Path
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Plan:
    """A shot whose times are known.

    Parameters
    ----------
    file : ShotFile
        The shot.
    tracks : mapping of str to tuple of PlannedSpan
        Spans of every character that follow each other, in the order of time.
    layers : mapping of str to tuple of PlannedSpan
        Spans that lie over them, in the order of the file.
    meetings : tuple of PlannedMeeting
        In the order of time.
    """

    file: ShotFile
    tracks: Mapping[str, tuple[PlannedSpan, ...]]
    layers: Mapping[str, tuple[PlannedSpan, ...]]
    meetings: tuple[PlannedMeeting, ...] = ()

    @property
    def fps(self) -> float:
        """Frames per second."""
        return self.file.shot.fps

    @property
    def duration(self) -> float:
        """Seconds until the last span ends."""
        return max(track[-1].last for track in self.tracks.values()) / self.fps


def seed_of(seed: int, *names: str) -> int:
    """Seed of a part of a shot, its own whatever else the shot holds.

    Parameters
    ----------
    seed : int
        The shot's.
    *names : str
        Of the part.

    Returns
    -------
    int
    """
    text = "/".join((str(seed), *names))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1


def place_of(
    file: ShotFile, where: Path, place: str | Ground, facing: float | None = None
) -> tuple[Ground, float | None]:
    """Position and facing of a mark or place.

    Parameters
    ----------
    file : ShotFile
        Knows the marks.
    where : tuple of str and int
        Path of the field, for messages.
    place : str or tuple of (float, float)
        As it is in the file.
    facing : float, degrees, optional
        Goes before the mark's.

    Returns
    -------
    position : tuple of (float, float), metres
        For the body that the clips are of; see `ShotFile.scale`.
    facing : float, degrees, or None
    """
    if not isinstance(place, str):
        return file.scaled(place), facing
    mark = file.shot.marks.get(place)
    if mark is None or mark.position is None:
        raise _no_mark(file, where, place, "position")
    return file.scaled(mark.position), mark.facing if facing is None else facing


def point_of(
    file: ShotFile, where: Path, point: str | tuple[float, float, float]
) -> tuple[float, float, float]:
    """A mark's point, or the point itself; see `place_of`."""
    if not isinstance(point, str):
        return point
    mark = file.shot.marks.get(point)
    if mark is None or mark.point is None:
        raise _no_mark(file, where, point, "point")
    return mark.point


def _no_mark(file: ShotFile, where: Path, name: str, field: str) -> Exception:
    def has(mark: Mark) -> bool:
        return getattr(mark, field) is not None

    near = nearest(name, [other for other, mark in file.shot.marks.items() if has(mark)])
    advice = f"use one of {near}" if near else f"add it to marks, with a {field}"
    return file.fault(where, f"no mark with a {field} is called {name!r}; {advice}")


def nearest(name: str, known: Sequence[str]) -> str:
    """Names that are most like one, or else some that are known."""
    return ", ".join(difflib.get_close_matches(name, known, n=2, cutoff=0.5) or known[:6])


def standing_at(
    file: ShotFile, track: Sequence[PlannedSpan], k: int
) -> tuple[int, Ground | None, float | None]:
    """Where somebody is in the end of a span.

    Parameters
    ----------
    file : ShotFile
        The shot.
    track : sequence of PlannedSpan
        Theirs.
    k : int
        Which of them; -1 for the beginning.

    Returns
    -------
    k : int
        The last span up to there that is no waiting; -1 where there is none.
    place : tuple of (float, float) or None
        Where they start, or where that walk leads; None where that is not known.
    facing : float or None
        As `place`, degrees.
    """
    while k >= 0 and isinstance(track[k].span, IdleSpan):
        k -= 1
    if k < 0:
        start = file.shot.cast[track[0].character].start
        return k, start.position, start.facing
    span = track[k].span
    if not isinstance(span, WalkSpan) or span.to is None:
        return k, None, None
    return k, *place_of(file, (*track[k].where, "to"), span.to, span.facing)
