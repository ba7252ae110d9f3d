"""How a shot came out: every span, every join, and how natural the whole is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from motionloom.analysis.quality import Quality
from motionloom.shot.joining import GATE, Join


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
    """

    spans: tuple[SpanRow, ...]
    joins: tuple[Join, ...]
    quality: Quality
    sources: Quality
    fps: float
    body: str = ""
    notes: tuple[str, ...] = ()

    def problems(self) -> Iterator[str]:
        """What is not as it was asked for, and joins that are too hard."""
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
        lines = [f"  {'span':<14}{'method':<9}{'from':>7}{'to':>8}   seed"]
        for span in self.spans:
            again = "  (as before)" if span.kept else ""
            lines.append(
                f"  {span.name:<14}{span.kind:<9}{span.start:7.2f}{span.end:8.2f}"
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
        q, s = self.quality, self.sources
        lines += [
            f"  feet creep {q.skate_mean:.2f} cm/s (clips {s.skate_mean:.2f}), deepest"
            f" {q.penetration_max:.1f} mm (clips {s.penetration_max:.1f})",
            f"  acceleration p99 {q.acceleration_p99:.1f} m/s2 (clips {s.acceleration_p99:.1f}),"
            f" jerk p99 {q.jerk_p99:.0f} m/s3 (clips {s.jerk_p99:.0f})",
        ]
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
    """

    seed: int
    fps: float
    characters: Mapping[str, CharacterReport]

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as it was asked for."""
        return tuple(
            f"{who}: {text}" for who, one in self.characters.items() for text in one.problems()
        )

    def to_text(self) -> str:
        """For people."""
        lines = []
        for who, one in self.characters.items():
            lines += [who, one.to_text()]
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
        }
        return json.dumps(data, indent=1) + "\n"
