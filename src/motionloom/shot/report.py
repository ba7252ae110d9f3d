"""How a shot came out: every span, every join, and how natural the whole is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from motionloom.analysis.quality import Quality
from motionloom.constraints.kinds.measures import NEAR
from motionloom.scene.report import DEPTH_LIMIT, EventOutcome, PairOverlap
from motionloom.shot.joining import GATE, Join
from motionloom.shot.script import LAYERS

#: Beyond so many times the limit nothing is told apart.
_FAR = 5


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

    name: str
    kind: str
    start: float
    end: float
    seed: int
    kept: bool
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

    name: str
    depth: float
    time: float


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

    def to_text(self) -> str:
        """A line."""
        if self.value <= 1:
            return (
                f"least natural at {self.time:.2f} s, {self.value:.2f} of the clips' limit:"
                " nothing stands out"
            )
        return (
            f"least natural at {self.time:.2f} s ({self.start:.2f} to {self.end:.2f} s),"
            f" {_times(self.value)} times the clips' limit: {self.words};"
            f" {100 * self.share:.0f} % of the frames are beyond it"
        )


def _times(value: float) -> str:
    """How many times a limit; beyond a few nothing is told apart."""
    return f"{value:.1f}" if value <= _FAR else f"more than {_FAR}"


@dataclass(frozen=True)
class CharacterReport:
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

    def problems(self) -> Iterator[str]:
        """What is not as it was asked for, and joins that are too hard."""
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
            if join.slides:
                yield (
                    f"join {join.before}->{join.after} at {join.frame / self.fps:.2f} s: feet that"
                    f" stand slide at {join.skate:.0f} cm/s; let one end more like the other"
                    " begins, or put a 'between' there"
                )
            if not join.is_soft:
                what = (
                    f"joints accelerate {join.acceleration:.1f} times"
                    if join.acceleration > GATE
                    else f"the hips are pushed {join.push:.1f} times"
                )
                yield (
                    f"join {join.before}->{join.after} at {join.frame / self.fps:.2f} s: {what} as"
                    " hard as in the two; let one end more like the other begins, or put a"
                    " 'between' there"
                )

    def to_text(self) -> str:
        """A table."""
        lines = [f"  {'span':<14}{'method':<11}{'from':>7}{'to':>8}   seed"]
        for span in self.spans:
            again = "  (as before)" if span.kept else ""
            lines.append(
                f"  {span.name:<14}{span.kind:<11}{span.start:7.2f}{span.end:8.2f}"
                f"   {span.seed}{again}"
            )
            lines += [f"      {text}" for text in span.rows]
            lines += [f"      note: {text}" for text in span.notes]
        for join in self.joins:
            steps = f", {join.steps} step{'s' if join.steps > 1 else ''}" if join.steps else ""
            steps += f", {join.filled:.2f} s filled in" if join.filled else ""
            lines.append(
                f"  join {join.before}->{join.after} at {join.frame / self.fps:.2f} s: poses"
                f" {join.apart:.0f} deg apart, over {join.seconds:.2f} s{steps},"
                f" {join.acceleration:.2f} times the pieces' acceleration and"
                f" {join.push:.2f} times their push of the hips (limit {GATE:g}),"
                f" feet creep {join.skate:.1f} cm/s"
            )
        lines += [f"  {self.body}"] if self.body else []
        lines += [f"      note: {text}" for text in self.notes]
        lines += [f"  {one.name}: {one.depth:.0f} mm inside at most" for one in self.inside]
        q, s = self.quality, self.sources
        lines += [
            f"  feet creep {q.skate_mean:.2f} cm/s (clips {s.skate_mean:.2f}), deepest"
            f" {q.penetration_max:.1f} mm (clips {s.penetration_max:.1f})",
            f"  acceleration p99 {q.acceleration_p99:.1f} m/s2 (clips {s.acceleration_p99:.1f}),"
            f" jerk p99 {q.jerk_p99:.0f} m/s3 (clips {s.jerk_p99:.0f})",
        ]
        lines += [] if self.oddest is None else [f"  {self.oddest.to_text()}"]
        return "\n".join(lines)


@dataclass(frozen=True)
class ShotReport:
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
        own = [f"{who}: {text}" for who, one in self.characters.items() for text in one.problems()]
        missed = [f"{one.label}: {' and '.join(one.problems)}" for one in self.meetings]
        missed = [text for text, one in zip(missed, self.meetings, strict=True) if one.problems]
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

    def to_text(self) -> str:
        """For people."""
        lines = []
        for who, one in self.characters.items():
            lines += [who, one.to_text()]
        lines += [_of_meeting(one) for one in self.meetings]
        lines += [
            f"{' and '.join(one.between)}: {one.depth:.0f} mm in each other at most"
            for one in self.overlaps
        ]
        problems = self.problems
        lines += [f"problem: {text}" for text in problems] or ["no problems"]
        return "\n".join(lines) + "\n"

    def to_json(self) -> str:
        """For programs."""
        data: dict[str, Any] = {
            "seed": self.seed,
            "fps": self.fps,
            "problems": list(self.problems),
            "characters": {who: asdict(one) for who, one in self.characters.items()},
            "meetings": [
                {
                    "name": one.name,
                    "time": one.time,
                    "between": one.between,
                    "place_mm": 1000 * one.place,
                    "facing_degrees": one.facing,
                    "joints_mm": None if one.joints_after is None else 1000 * one.joints_after,
                    "met": not one.problems,
                }
                for one in self.meetings
            ],
            "overlaps": [asdict(one) for one in self.overlaps],
        }
        return json.dumps(data, indent=1) + "\n"


def _of_meeting(one: EventOutcome) -> str:
    """A line about a meeting."""
    joints = ""
    if one.joints_before is not None and one.joints_after is not None:
        joints = (
            f", what meets {1000 * one.joints_before:.0f} -> {1000 * one.joints_after:.1f} mm off"
        )
    return f"{one.label}: they stand {1000 * one.place:.0f} mm and {one.facing:.1f} deg off{joints}"
