"""How a shot came out: every span, every join, and how natural the whole is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from motionloom.analysis.quality import Quality
from motionloom.constraints.kinds.measures import NEAR
from motionloom.reports import (
    Column,
    Report,
    Reported,
    Row,
    Section,
    Table,
    compare,
    shown,
    table_of,
)
from motionloom.scene.check import DEPTH_LIMIT, EventOutcome, PairOverlap
from motionloom.shot.joining import GATE, Join
from motionloom.shot.script.span_fields import LAYERS

#: Beyond so many times the limit nothing is told apart.
_FAR = 5
_MEETING = (
    Column("name", "meeting"),
    Column("time", "at", "s"),
    Column("between", "of"),
    Column("place_mm", "apart", "mm", ".0f"),
    Column("facing_degrees", "facing", "deg", ".1f"),
    Column("joints_before_mm", "joints before", "mm", ".0f"),
    Column("joints_mm", "joints after", "mm", ".1f"),
    Column("met", "met"),
)


@dataclass(frozen=True)
class SpanRow:
    """One span.

    Parameters
    ----------
    name, kind : str
        Its name and method.
    start, end : float, seconds
        When.
    seed : int
        What it was made with.
    kept : bool
        Whether it is that of a run before.
    rows, problems, notes : tuple of str
        What was met and how well; what was not; what was guessed.
    """

    name: str = field(metadata=shown("span"))
    kind: str = field(metadata=shown("method"))
    start: float = field(metadata=shown("from", "s"))
    end: float = field(metadata=shown("to", "s"))
    seed: int = field(metadata=shown("seed"))
    kept: bool = field(metadata=shown("as before"))
    rows: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inside:
    """How deep a body is in an obstacle.

    Parameters
    ----------
    name : str
        Which obstacle, and where it stands.
    depth : float, millimetres
        Of the deepest point of the body; 0 where it keeps out.
    time : float, seconds
        When.
    """

    name: str = field(metadata=shown("obstacle"))
    depth: float = field(metadata=shown("inside at most", "mm", ".0f"))
    time: float = field(metadata=shown("at", "s"))


@dataclass(frozen=True)
class Oddest:
    """The least natural moment of a motion.

    Parameters
    ----------
    time, start, end : float, seconds
        When it is oddest, and from when to when that lasts.
    value : float
        How odd: 0 is usual among the clips, and 99 of 100 of their moments stay below 1.
    words : str
        What is odd.
    share : float
        Share of all frames that are above 1.
    """

    time: float
    start: float
    end: float
    value: float
    words: str
    share: float

    def as_section(self) -> Section:
        """When, how odd, what, and how much more of it there is."""
        times = f"{self.value:.1f}" if self.value <= _FAR else f"more than {_FAR}"
        return Section(
            "Least natural moment",
            [
                Row("", "at", self.time, "s"),
                Row("", "from, to", (self.start, self.end), "s"),
                Row("", "times the clips' limit", times),
                Row("", "what", self.words if self.value > 1 else "nothing stands out"),
                Row("", "frames beyond the limit", self.share, "%", ".0f", 100),
            ],
        )


@dataclass(frozen=True)
class CharacterReport(Reported):
    """What one character does.

    Parameters
    ----------
    spans : tuple of SpanRow
        In the order of time; what lies over others last.
    joins : tuple of Join
        Between them.
    quality, sources : Quality
        Of the motion and of the clips.
    fps : float
        Frames per second.
    body : str
        How well it came over to another body; empty without one.
    notes : tuple of str
        What was guessed about that body, or left out.
    inside : tuple of Inside
        One for every obstacle.
    oddest : Oddest or None
        The least natural moment; None where that was not measured.
    """

    spans: tuple[SpanRow, ...]
    joins: tuple[Join, ...]
    quality: Quality
    sources: Quality
    fps: float
    body: str = ""
    notes: tuple[str, ...] = ()
    inside: tuple[Inside, ...] = ()
    oddest: Oddest | None = None

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as it was asked for, and joins that are too hard."""
        return tuple(self._problems())

    def _problems(self) -> Iterator[str]:
        for one in self.inside:
            if one.depth > 1000 * NEAR:
                yield (
                    f"{one.name} is entered at {one.time:.2f} s, up to {one.depth:.0f} mm deep;"
                    " lead the way farther around it, or move it"
                )
        for span in self.spans:
            for text in span.problems:
                yield f"{span.name}: {text}"
        for join in self.joins:
            where = f"join {join.before}->{join.after} at {join.frame / self.fps:.2f} s"
            for what in join.faults:
                yield (
                    f"{where}: {what}; let one end more like the other begins, or put a 'between'"
                    " there"
                )

    def as_report(self) -> Report:
        """Spans, joins, obstacles, quality and the least natural moment."""
        spans = [
            Section(span.name, [*span.rows, *(f"note: {text}" for text in span.notes)])
            for span in self.spans
        ]
        joins = table_of("Joins", self.joins)
        columns = [Column("", "at", "s"), *joins.columns]
        rows = [[j.frame / self.fps, *row] for j, row in zip(self.joins, joins.rows, strict=True)]
        return self.compose(
            "",
            table_of("Spans", self.spans),
            *spans,
            Table(f"Joins, times what the pieces do (limit {GATE:g})", columns, rows),
            self.body,
            table_of("Obstacles", self.inside),
            compare("Quality", {"motion": self.quality, "clips": self.sources}),
            *([self.oddest.as_section()] if self.oddest else []),
        )


@dataclass(frozen=True)
class ShotReport(Reported):
    """How a shot came out.

    Parameters
    ----------
    seed : int
        The shot's.
    fps : float
        Frames per second.
    characters : mapping of str to CharacterReport
        By name.
    meetings : tuple of EventOutcome
        In the order of time.
    overlaps : tuple of PairOverlap
        Of every two characters: how deep they are in each other.
    """

    seed: int
    fps: float
    characters: Mapping[str, CharacterReport]
    meetings: tuple[EventOutcome, ...] = ()
    overlaps: tuple[PairOverlap, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as it was asked for."""
        own = [f"{who}: {text}" for who, one in self.characters.items() for text in one.problems]
        missed = [one.missed for one in self.meetings if one.problems]
        through = [
            f"{' and '.join(one.between)} are {one.depth:.0f} mm in each other at {one.time:.2f} s"
            f" ({', '.join(one.bones)}); let them stand farther apart, or go another way"
            for one in self.overlaps
            if one.depth > 1000 * DEPTH_LIMIT
        ]
        return (*own, *missed, *through)

    @property
    def kept(self) -> tuple[int, int]:
        """How many spans are those of a run before, and of how many that can be kept."""
        rows = [
            span.kept
            for one in self.characters.values()
            for span in one.spans
            if span.kind not in LAYERS
        ]
        return sum(rows), len(rows)

    def as_report(self) -> Report:
        """What each character does, meetings, and interpenetration."""
        characters = [one.as_part(who) for who, one in self.characters.items()]
        meetings = [
            [e.name, e.time, e.between, 1000 * e.place, e.facing, *_joints(e), not e.problems]
            for e in self.meetings
        ]
        clean = "" if self.problems else ", no problems"
        return self.compose(
            f"seed {self.seed}, {self.fps:g} fps{clean}",
            Section("", characters, "characters"),
            Table("Meetings", _MEETING, meetings, "meetings"),
            table_of("Interpenetration", self.overlaps, "overlaps"),
            data={"seed": self.seed, "fps": self.fps},
        )


def _joints(event: EventOutcome) -> list[float | None]:
    """How far apart the joints that meet are before and after correction, millimetres."""
    return [None if d is None else 1000 * d for d in (event.joints_before, event.joints_after)]
