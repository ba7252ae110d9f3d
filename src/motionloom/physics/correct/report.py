"""What a correction did, before and after, and what it could not do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from motionloom.curves import runs_of
from motionloom.physics.correct.judge import Look, Span
from motionloom.physics.correct.problem import Problem
from motionloom.physics.correct.spans import MOST_SLIP, Stance, find_stances, judge_stance
from motionloom.physics.ground.balance import TOLERANCE, balanced_share
from motionloom.physics.quality import PhysicalQuality, quality_of
from motionloom.reports import Report, Reported, Section, compare, rows_of, shown
from motionloom.typing import Array, Bools

#: What is left of a pin (metres), of a depth (metres) beyond this is told.
LEAST_PIN = 0.002
LEAST_DEPTH = 0.015
#: Shortest stretch that is told, seconds.
LEAST_TIME = 0.05
#: What is not met is told so often in text; data have all of it.
MOST_TOLD = 12


@dataclass(frozen=True)
class Measures:
    """How physical a motion is, by the contacts of the input.

    Parameters
    ----------
    slip : float, millimetres
        How far feet slip in stances that were wrong in the input: farthest that a point is from its
        own middle between the ends of a stance, wherever that is.
    depth : float, millimetres
        Deepest point of the soles under the ground.
    balanced : float
        Share of support frames whose zero moment point is at most 5 cm outside; NaN without
        support.
    inside : float
        Share of them in which it is inside.
    jerk : float, metres per second cubed
        99th percentile over joints and frames.
    quality : PhysicalQuality
        Terms of quality.
    """

    slip: float = field(metadata=shown("feet slip in stances", "mm", ".1f"))
    depth: float = field(metadata=shown("deepest under the ground", "mm", ".1f"))
    balanced: float = field(metadata=shown("balanced within 5 cm", "%", ".1f", 100))
    inside: float = field(metadata=shown("zero moment point inside", "%", ".1f", 100))
    jerk: float = field(metadata=shown("jerk, 99th percentile", "m/s3", ".1f"))
    quality: PhysicalQuality = field(metadata=shown())


@dataclass(frozen=True)
class Unmet:
    """Something that could not be met.

    Parameters
    ----------
    part : str
        Part of the body.
    what : str
        What is wrong with it.
    start, stop : float, seconds
        When.
    """

    part: str
    what: str
    start: float
    stop: float

    def in_words(self) -> str:
        """One line for people."""
        return f"{self.start:.2f}-{self.stop:.2f} s: {self.part} {self.what}"


@dataclass(frozen=True)
class CorrectionReport(Reported):
    """What a correction did.

    Parameters
    ----------
    name : str
        Of the motion.
    n_frames : int
        T.
    fps : float
        Frames per second.
    objective : str
        What was made small.
    stances : int
        Stances that slipped, sank or floated, and were pinned.
    before, after : Measures
        Of input and result.
    moved_mean, moved_max : float, centimetres
        How far joints moved from the input.
    notes : tuple of str
        What was guessed.
    unmet : tuple of Unmet
        What could not be met.
    problems : tuple of str
        What is wrong with the result: stances that slip, sink or float as before, and stretches
        that were left as they were.
    left : tuple of str
        Feet that slide so far that they do so on purpose; these were left alone.
    """

    name: str
    n_frames: int
    fps: float
    objective: str
    stances: int = field(metadata=shown("stances pinned"))
    before: Measures
    after: Measures
    moved_mean: float = field(metadata=shown("joints moved, mean", "cm"))
    moved_max: float = field(metadata=shown("joints moved at most", "cm", ".1f"))
    notes: tuple[str, ...]
    unmet: tuple[Unmet, ...]
    problems: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    def as_report(self) -> Report:
        """What moved, measures before and after, what was left alone and what is not met."""
        more = len(self.unmet) - MOST_TOLD
        unmet = [one.in_words() for one in self.unmet[:MOST_TOLD]]
        unmet += [f"and {more} more that are not met"] if more > 0 else []
        return self.compose(
            f"{self.name}: {self.n_frames} frames at {self.fps:g} fps, least {self.objective}",
            *rows_of(self),
            compare("Measures", {"before": self.before, "after": self.after}),
            Section("Left alone", self.left),
            Section("Not met", unmet),
        )


@dataclass(frozen=True, eq=False)
class Solution:
    """What a correction found.

    Parameters
    ----------
    before, after : Look
        The input, and what became of it.
    asked : Problem
        What could be asked for.
    left : mapping of (int, int) to str
        Stretches that were left as they were, and why.
    """

    before: Look
    after: Look
    asked: Problem
    left: Mapping[Span, str]


def measure(problem: Problem, look: Look) -> Measures:
    """Measure a motion by a problem's contacts and pins."""
    pins = problem.pins
    slips = (
        judge_stance(look.points, pins, stance).slip
        for stance in _stances(problem)
        if pins.mended[stance.frames][:, stance.own].any()
    )
    deep = np.maximum(pins.floor - look.points[..., 1], 0.0)
    balance = look.balance
    return Measures(
        slip=1000 * max(slips, default=0.0),
        depth=1000 * float(deep.max(initial=0.0)),
        balanced=balanced_share(balance.distance),
        inside=balanced_share(balance.distance, 0.0),
        jerk=float(np.quantile(look.jerk, 0.99)) if look.jerk.size else 0.0,
        quality=quality_of(balance),
    )


def make_correction_report(problem: Problem, found: Solution, objective: str) -> CorrectionReport:
    """Compare a corrected motion with its input.

    Parameters
    ----------
    problem : Problem
        What was corrected.
    found : Solution
        Of it.
    objective : str
        What was made small.

    Returns
    -------
    CorrectionReport
    """
    motion = found.after.posed.motion
    before = found.before.posed.positions
    moved = 100 * np.linalg.norm(found.after.posed.positions - before, axis=-1)
    feet = [problem.soles.of(foot) for foot in problem.soles.feet]
    stances = sum(len(runs_of(problem.pins.mended[:, own].any(axis=1))) for own in feet)
    fps = motion.fps
    judged = [
        (_at(stance, fps), judge_stance(found.after.points, problem.pins, stance))
        for stance in _stances(problem)
    ]
    return CorrectionReport(
        name=motion.name or "motion",
        n_frames=motion.n_frames,
        fps=motion.fps,
        objective=objective,
        stances=stances,
        before=measure(problem, found.before),
        after=measure(problem, found.after),
        moved_mean=float(moved.mean()),
        moved_max=float(moved.max(initial=0.0)),
        notes=problem.body.notes,
        unmet=tuple(_find_unmet(problem, found)),
        problems=(
            *(f"{at} {own.in_words()}" for at, own in judged if own.wrong),
            *(
                f"{start / fps:.2f}-{stop / fps:.2f} s: left as it was in parts: else {reason}"
                for (start, stop), reason in found.left.items()
            ),
        ),
        left=tuple(
            f"{at} slides by more than {100 * MOST_SLIP:.0f} cm, which is taken as on purpose"
            for at, own in judged
            if own.slides
        ),
    )


def _stances(problem: Problem) -> tuple[Stance, ...]:
    return find_stances(problem.pins.held, problem.soles, problem.posed.fps)


def _at(stance: Stance, fps: float) -> str:
    start, stop = stance.span
    return f"{start / fps:.2f}-{stop / fps:.2f} s: {stance.foot.replace('_', ' ')}"


def _find_unmet(problem: Problem, found: Solution) -> Iterator[Unmet]:
    fps = problem.posed.fps
    for (start, stop), reason in found.left.items():
        yield Unmet("body", f"is left as it was in parts: else {reason}", start / fps, stop / fps)
    pins = problem.pins
    points = found.after.points
    off = np.where(pins.mended, np.linalg.norm(points - pins.places, axis=-1), 0.0)
    deep = pins.floor - points[..., 1]
    for i, point in enumerate(problem.soles.points):
        part = f"{point.foot.split('_')[0]} {point.part}"
        yield from _stretches(
            problem, off[:, i] > LEAST_PIN, part, "is {:.0f} mm off its place", 1000 * off[:, i]
        )
        yield from _stretches(
            problem, deep[:, i] > LEAST_DEPTH, part, "is {:.0f} mm deep", 1000 * deep[:, i]
        )
    outside = np.nan_to_num(-found.after.balance.distance, nan=0.0, posinf=1.0)
    asked = problem.allowed < 0
    yield from _stretches(
        problem,
        asked & (outside > TOLERANCE),
        "zero moment point",
        "is {:.0f} cm outside",
        100 * outside,
    )


def _stretches(
    problem: Problem, wrong: Bools, part: str, words: str, size: Array
) -> Iterator[Unmet]:
    fps = problem.posed.fps
    for start, stop in runs_of(wrong, least=LEAST_TIME * fps):
        worst = float(size[start:stop].max())
        yield Unmet(part, words.format(worst), start / fps, stop / fps)
