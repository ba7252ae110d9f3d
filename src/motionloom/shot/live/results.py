"""What live work on a shot gives: motions, what of them is new, and how they came out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from motionloom.analysis.contacts import FootContacts
from motionloom.motion import Motion
from motionloom.scene.report import EventOutcome
from motionloom.shot._report import SpanRow
from motionloom.shot.joining import Join
from motionloom.typing import Array

#: What was there bent to the wish, found by a search of some length, or as the command line makes
#: it.
Quality = Literal["preview", "search", "final"]


@dataclass(frozen=True, eq=False)
class Series:
    """What is shown under a timeline, frame by frame.

    Parameters
    ----------
    error : array of shape (T,), metres
        How far body and joints are from what is asked of them in that very frame, the farthest of
        them; NaN where nothing is asked.
    skate : array of shape (T,), centimetres per second
        Fastest point of the soles that bears, over the ground; 0 where none bears.
    """

    error: Array
    skate: Array


@dataclass(frozen=True)
class PieceShown:
    """Frames of a clip that a motion shows.

    Parameters
    ----------
    span : str
        Name of the span.
    first, last : int
        Frames of the shot, both included.
    clip : str
        Name of the clip.
    frame : int
        Frame of the clip that the first one shows, at the shot's frame rate.
    """

    span: str
    first: int
    last: int
    clip: str
    frame: int


@dataclass(frozen=True)
class KeyRow:
    """One thing that is asked for at a time.

    Parameters
    ----------
    span : str
        Name of the span.
    path : tuple of str and int
        The field of the shot file that asks for it.
    kind : str
        ``"body"`` or the joint's name.
    time : float, seconds
        When.
    error : float, millimetres
        How far off the motion is.
    turn : float, degrees
        How far it faces elsewhere; 0 where no facing is asked for.
    """

    span: str
    path: tuple[str | int, ...]
    kind: str
    time: float
    error: float
    turn: float = 0.0


@dataclass(frozen=True)
class Summary:
    """A number beside that of the captures.

    Parameters
    ----------
    label : str
        With its unit.
    value, captured : float
        Of the motion and of the clips.
    good : bool
        Whether it is within the limit.
    limit : float
        The most that is still as natural as the captures.
    """

    label: str
    value: float
    captured: float
    good: bool
    limit: float = math.inf


@dataclass(frozen=True)
class Worst:
    """The frame to look at first.

    Parameters
    ----------
    frame : int
        Which.
    why : str
        In a few words.
    """

    frame: int
    why: str


@dataclass(frozen=True, eq=False)
class LiveCharacterReport:
    """How what one character does came out.

    Parameters
    ----------
    spans : tuple of SpanRow
        In the order of time; what lies over others last.
    joins : tuple of Join
        Between them.
    series : Series
        Frame by frame.
    worst : Worst or None
        The frame to look at first; None where nothing stands out.
    summary : tuple of Summary
        Numbers beside the captures'.
    pieces : tuple of PieceShown
        Clips that are shown, as far as they are known.
    keys : tuple of KeyRow
        What is asked for, and by how much it is missed.
    problems : tuple of str
        What is not as it was asked for.
    meetings : tuple of EventOutcome
        In which it takes part.
    """

    spans: tuple[SpanRow, ...]
    joins: tuple[Join, ...]
    series: Series
    worst: Worst | None
    summary: tuple[Summary, ...]
    pieces: tuple[PieceShown, ...]
    keys: tuple[KeyRow, ...]
    problems: tuple[str, ...] = ()
    meetings: tuple[EventOutcome, ...] = ()


@dataclass(frozen=True, eq=False)
class LiveResult:
    """Motions of a shot that is being edited.

    Parameters
    ----------
    quality : {"preview", "search", "final"}
        How they were made.
    motions : mapping of str to Motion
        By character; whole motions.
    contacts : mapping of str to FootContacts
        By character, frame by frame with the motions.
    bent : tuple of (str, str)
        Characters and spans that no search has confirmed yet.
    score : float
        Smaller is better: how far spans are bent, what they miss, how hard they are joined.
    report : mapping of str to LiveCharacterReport, optional
        By character; previews have none.
    """

    quality: Quality
    motions: Mapping[str, Motion]
    contacts: Mapping[str, FootContacts]
    bent: tuple[tuple[str, str], ...] = ()
    score: float = 0.0
    report: Mapping[str, LiveCharacterReport] | None = None


@dataclass(frozen=True, eq=False)
class Alternative:
    """Another motion of one span.

    Parameters
    ----------
    seed : int
        Written into the span (field ``seed``) it makes the shot show this one.
    score : float
        Smaller is better; comparable among the alternatives of one span.
    path : array of shape (K, 2), metres
        Where the body goes over the ground, x and z.
    motion : Motion
        The span alone, in the world.
    contacts : FootContacts
        When its feet bear.
    rows : tuple of str
        How well it meets what is asked.
    is_shown : bool
        Whether it is the one that the shot shows now.
    """

    seed: int
    score: float
    path: Array
    motion: Motion
    contacts: FootContacts
    rows: tuple[str, ...] = field(default=())
    is_shown: bool = False
