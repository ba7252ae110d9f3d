"""What a correction did, before and after, and what it could not do; whether a stretch of a motion
is better for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from motionloom.curves import runs_of
from motionloom.motion import Motion
from motionloom.physics.correct._problem import Problem
from motionloom.physics.correct._spans import MOST_SLIP, Stance, find_stances, judge_stance
from motionloom.physics.correct._wrongs import NEAR_FLIGHT, Wrongs, widened
from motionloom.physics.ground import Balance, analyse_balance, balanced_share
from motionloom.physics.ground._balance import FRICTION, TOLERANCE
from motionloom.physics.quality import FLOATING, PhysicalQuality, long_flights, quality_of
from motionloom.posed_motion import PosedMotion
from motionloom.reports import Report, Reported, Section, compare, rows_of, shown
from motionloom.typing import Array, Bools

Span = tuple[int, int]

#: A stretch may lose this share of its frames, and so many more, to what it did not have before.
LOST = 0.05
LOST_FRAMES = 2
#: A zero moment point that was inside and is farther outside than this is lost, metres.
INSIDE = 0.01
#: The jerk of a stretch may be more than it was by this share.
JERKY = 0.1
#: Slipping feet are seen first: a stretch that mends some may lose so many times that.
SEEN = 2.0
#: What is left of a pin (metres), of a depth (metres) beyond this is told.
LEAST_PIN = 0.002
LEAST_DEPTH = 0.015
#: Shortest stretch that is told, seconds.
LEAST_TIME = 0.05
#: What is not met is told so often in text; data have all of it.
MOST_TOLD = 12


@dataclass(frozen=True, eq=False)
class Look:
    """A motion by the contacts of a problem.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    points : array of shape (T, P, 3), metres
        Of its soles.
    balance : Balance
        Its loads.
    jerk : array of shape (T - 3, J), metres per second cubed
        Of its joints.
    """

    posed: PosedMotion
    points: Array
    balance: Balance
    jerk: Array

    @classmethod
    def at(cls, problem: Problem, motion: Motion) -> Look:
        """Look at a motion."""
        posed = problem.posed.with_motion(motion)
        jerk = np.linalg.norm(np.diff(posed.positions, 3, axis=0), axis=-1) * posed.fps**3
        balance = analyse_balance(posed, problem.body, contacts=problem.contacts)
        return cls(posed, problem.soles.positions(posed), balance, jerk)


def find_objections(
    before: Look, after: Look, spans: Sequence[Span], most: float, wrongs: Wrongs
) -> dict[Span, tuple[str, Bools]]:
    """Stretches that are no better for what was done to them, and why.

    Parameters
    ----------
    before, after : Look
        The input, and what became of it.
    spans : sequence of (int, int)
        First frame and the one behind the last of each stretch.
    most : float, metres
        How far a joint may move.
    wrongs : Wrongs
        What is mended. About flights the feet push off and land otherwise, and balance is that of
        another jump.

    Returns
    -------
    dict of (int, int) to (str, bool array of shape (T,))
        By stretch the first reason, in words, after "else", and the frames of the motion in which
        any shows.
    """
    found = {}
    calm = ~widened(wrongs.flights, NEAR_FLIGHT * before.posed.fps)
    for span in spans:
        patience = SEEN if wrongs.feet[slice(*span)].any() else 1.0
        own = list(_objections(before, after, span, most, patience, calm[slice(*span)]))
        if own:
            frames = np.zeros(len(before.points), bool)
            frames[slice(*span)] = np.any([one for _, one in own], axis=0)
            found[span] = (own[0][0], frames)
    return found


def _objections(
    before: Look, after: Look, span: Span, most: float, patience: float, calm: Bools
) -> Iterator[tuple[str, Bools]]:
    """Reasons, with the frames of the span that they are about.

    A stretch whose frames (T,) are `calm` may lose so many times more as it has `patience`.
    """
    own = slice(*span)
    moved = np.linalg.norm(after.posed.positions[own] - before.posed.positions[own], axis=-1)
    far = moved.max(axis=1)
    if far.max() > most:
        yield f"joints would have to move by {100 * far.max():.0f} cm", far > most
    a = before.balance.distance[own]
    b = np.where(np.isfinite(after.balance.distance[own]), after.balance.distance[own], 0.0)
    held = np.isfinite(a) & calm
    used = [look.balance.friction[own] > FRICTION for look in (before, after)]
    flies = long_flights(before.balance.contacts.support, before.balance.fps)[own]
    falls = [np.abs(look.balance.load[own]) <= FLOATING for look in (before, after)]
    for reason, had, has, counts in (
        ("the body would lose its balance", a >= -TOLERANCE, b >= -TOLERANCE, held),
        ("the zero moment point would leave the feet", a >= 0, b >= -INSIDE, held),
        ("feet would need more friction than there is", ~used[0], ~used[1], held),
        ("flights would fall less", falls[0], falls[1], flies),
    ):
        lost = had & ~has & counts
        net = int(lost.sum()) - int((has & ~had & counts).sum())
        if net > LOST_FRAMES + LOST * patience * int(counts.sum()):
            yield reason, lost
    # Jerks are between frames, so that the last ones of a motion have none.
    jerks, later = (look.jerk.max(axis=1) for look in (before, after))
    counts = calm[: len(jerks[own])]
    if counts.any():
        usual = max(np.quantile(part, 0.95) for part in (jerks, jerks[own][counts]))
        allowed = (1 + JERKY * patience) * float(usual)
        if np.quantile(later[own][counts], 0.95) > allowed:
            jerky = counts & (later[own] > allowed)
            yield "the motion would be more jerky", np.pad(jerky, (0, len(calm) - len(counts)))


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
    shift = found.after.posed.positions - found.before.posed.positions
    moved = 100 * np.linalg.norm(shift, axis=-1)
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
        for far, least, words in (
            (off[:, i], LEAST_PIN, "is {:.0f} mm off its place"),
            (deep[:, i], LEAST_DEPTH, "is {:.0f} mm deep"),
        ):
            yield from _stretches(problem, far > least, part, words, 1000 * far)
    outside = np.nan_to_num(-found.after.balance.distance, nan=0.0, posinf=1.0)
    wrong = (problem.allowed < 0) & (outside > TOLERANCE)
    part = "zero moment point"
    yield from _stretches(problem, wrong, part, "is {:.0f} cm outside", 100 * outside)


def _stretches(
    problem: Problem, wrong: Bools, part: str, words: str, size: Array
) -> Iterator[Unmet]:
    fps = problem.posed.fps
    for start, stop in runs_of(wrong, least=LEAST_TIME * fps):
        worst = float(size[start:stop].max())
        yield Unmet(part, words.format(worst), start / fps, stop / fps)
