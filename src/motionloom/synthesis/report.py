"""What a synthesis says about its result: every constraint's error, the pieces used, quality beside
the sources'.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from motionloom.analysis.faults import Fault
from motionloom.analysis.quality import Quality
from motionloom.constraints.kinds.measures import Adherence
from motionloom.constraints.kinds.table import row_of
from motionloom.synthesis.faults import GaitSeams, sentences_of
from motionloom.synthesis.generator import Details
from motionloom.synthesis.problems import SEAM_LIMIT, SKATE_LIMIT

#: What the score of a search is.
SCORE_MEANING = (
    "smaller is better: a miss of 30 cm or 10 degrees counts 1, twice that 4, and every seam a"
    " little"
)
#: Why a search ended, for people.
_END = {
    "iterations": "it made all the tries of its budget",
    "time": "its time was up before it had made all the tries of its budget",
    "interrupted": "it was interrupted",
}


@dataclass(frozen=True)
class ConstraintOutcome:
    """What became of one constraint.

    Parameters
    ----------
    what : str
        ``"body"`` or the joint's name.
    time : float, seconds
        Of the constraint.
    position_before, position_after : float, metres
        Error before and after what the search left over was spread.
    facing_before, facing_after : float or None, degrees
        None where no facing was asked for.
    velocity_before, velocity_after : float or None, metres per second
        None where no velocity was asked for.
    beyond_reach : float or None, metres
        How much of `position_before` is beyond what hips, trunk and arm make up for without strain;
        None where no hand has a target.
    """

    what: str
    time: float
    position_before: float
    position_after: float
    facing_before: float | None = None
    facing_after: float | None = None
    velocity_before: float | None = None
    velocity_after: float | None = None
    beyond_reach: float | None = None


@dataclass(frozen=True)
class Alternative:
    """One motion of a search, in a row.

    Parameters
    ----------
    score : float
        The search's.
    position_before, position_after : float, metres
        Largest error of any constraint as found and as written.
    facing_before, facing_after : float, degrees
        The same for the facing of the body.
    skate_mean : float, centimetres per second
        Mean horizontal speed of the soles' points while in contact.
    seam_acceleration : float, metres per second squared
        Largest acceleration at a seam.
    """

    score: float
    position_before: float
    position_after: float
    facing_before: float
    facing_after: float
    skate_mean: float
    seam_acceleration: float


@dataclass(frozen=True)
class SynthesisReport:
    """Diagnosis of one synthesized motion.

    Parameters
    ----------
    generator : str
        Name of the method.
    seed : int
        That the motion was made with.
    fps : float
        Frames per second of the motion.
    frames_wanted, frames_missing : int
        How many the constraints ask for, and how many of them there are not.
    constraints : tuple of ConstraintOutcome
        Body constraints first.
    quality, sources : Quality
        Of the result and of the clips it could draw from.
    largest_correction, largest_drop : float, metres
        How far the foot lock moved a foot, and lowered the hips, at most.
    released_contacts : int
        Contacts the foot lock released.
    score : float
        The generator's; smaller is better.
    stopped : str
        Why the generator stopped.
    alternatives : int
        Further motions found.
    times : mapping of str to float, seconds
        Per stage of the work.
    notes : tuple of str
        What was guessed, changed or left out on the way.
    problems : tuple of str
        Constraints that the motion does not meet, each with its error and the likeliest reason;
        then where it is not clean.
    movement : tuple of Fault
        Where it moves as no clip does, in the order of time; grave ones are among the problems.
    seams : tuple of GaitSeams
        Its seams beside the clips of the gait that they are in.
    kept : tuple of Adherence
        Hard poses, obstacles, paths, styles and the user's costs.
    rows : tuple of Alternative
        All motions, this one first.
    details : Details, optional
        What only this generator can say.
    """

    generator: str
    seed: int
    fps: float
    frames_wanted: int
    frames_missing: int
    constraints: tuple[ConstraintOutcome, ...]
    quality: Quality
    sources: Quality
    largest_correction: float
    largest_drop: float
    released_contacts: int
    score: float
    stopped: str
    alternatives: int
    times: Mapping[str, float]
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    movement: tuple[Fault, ...] = ()
    seams: tuple[GaitSeams, ...] = ()
    kept: tuple[Adherence, ...] = ()
    rows: tuple[Alternative, ...] = ()
    details: Details | None = None

    @property
    def skate_ratio(self) -> float:
        """Mean skate of the result over that of the sources (0 where those do not skate at all)."""
        return (
            self.quality.skate_mean / self.sources.skate_mean
            if self.sources.skate_mean > 0
            else 0.0
        )

    @property
    def seam_ratio(self) -> float:
        """Largest acceleration at a seam over the sources' 99th percentile."""
        p99 = self.sources.acceleration_p99
        return self.quality.seam_acceleration / p99 if p99 > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        data = asdict(replace(self, times={}, details=None))
        del data["details"]
        data["times"] = dict(self.times)
        data["skate_ratio"] = self.skate_ratio
        data["seam_ratio"] = self.seam_ratio
        return data | dict(self.details.to_dict() if self.details else {})

    def to_json(self) -> str:
        """The whole report as JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"

    def to_text(self) -> str:
        """The report as a person reads it."""
        blocks = [
            self._head(),
            self._constraints(),
            self._kept(),
            self._alternatives(),
            self.details.to_text() if self.details else "",
        ]
        blocks += [self._quality(), self._foot_lock()]
        if self.problems:
            blocks.insert(1, "\n".join(["Not met", *(f"  {problem}" for problem in self.problems)]))
        look = sentences_of(self.movement, grave=False)
        if look:
            blocks.append("\n".join(["Worth a look", *(f"  {text}" for text in look)]))
        if self.notes:
            blocks.append("\n".join(["Notes", *(f"  {note}" for note in self.notes)]))
        return "\n\n".join(block for block in blocks if block) + "\n"

    def _head(self) -> str:
        made = self.frames_wanted - self.frames_missing
        short = f", {self.frames_missing} frames missing" if self.frames_missing else ""
        times = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in self.times.items())
        return (
            f"{made} frames at {self.fps:g} fps{short}; seed"
            f" {self.seed}{_others(self.alternatives)}\n{self.generator}: score {self.score:.4g}"
            f" ({SCORE_MEANING}); {_END.get(self.stopped, self.stopped)}\ntimes: {times}"
        )

    def _constraints(self) -> str:
        if not self.constraints:
            return ""
        heading = f"{'Errors of the constraints':<27}as found                as written"
        return "\n".join([heading, *map(_error_line, self.constraints)])

    def _kept(self) -> str:
        return (
            "\n".join(["Kept all along", *(f"  {row_of(k)}" for k in self.kept)])
            if self.kept
            else ""
        )

    def _alternatives(self) -> str:
        if len(self.rows) < 2:
            return ""
        lines = [
            f"  {i + 1:<4}{r.score:10.4g}{100 * r.position_before:10.2f}"
            f" cm{_degrees(r.facing_before)}{1000 * r.position_after:10.2f}"
            f" mm{_degrees(r.facing_after)}{r.skate_mean:8.2f}{r.seam_acceleration:8.1f}"
            for i, r in enumerate(self.rows)
        ]
        title = f"{'Motions':<13}{'score':>5}   worst as found             worst as written"
        return "\n".join([f"{title:<66}{'skate':>8}{'seam':>8}", *lines])

    def _quality(self) -> str:
        q = self.quality
        s = self.sources
        rows = [
            ("foot skate, mean (cm/s)", q.skate_mean, s.skate_mean),
            ("foot skate, 90th percentile (cm/s)", q.skate_p90, s.skate_p90),
            ("foot skate, 99th percentile (cm/s)", q.skate_p99, s.skate_p99),
            ("contacts sliding over 15 cm/s (%)", 100 * q.skate_share, 100 * s.skate_share),
            ("penetration, mean (mm)", q.penetration_mean, s.penetration_mean),
            ("penetration, deepest (mm)", q.penetration_max, s.penetration_max),
            ("joint acceleration, 99th percentile (m/s2)", q.acceleration_p99, s.acceleration_p99),
            (
                "joint acceleration, 99.5th percentile (m/s2)",
                q.acceleration_p995,
                s.acceleration_p995,
            ),
            ("joint acceleration, largest (m/s2)", q.acceleration_max, s.acceleration_max),
            ("jerk, 99th percentile (m/s3)", q.jerk_p99, s.jerk_p99),
            ("fastest turn of a joint (deg/s)", q.turn_rate_max, s.turn_rate_max),
            ("knee past its captured range (deg)", q.knee_excess, s.knee_excess),
        ]
        lines = [f"  {name:<44}{own:10.2f}{source:10.2f}" for name, own, source in rows]
        share = 100 * q.seam_share(s.acceleration_p995)
        seam = "\n".join(
            f"  {name:<44}{value:10.2f}"
            for name, value in (
                ("largest acceleration at a seam (m/s2)", q.seam_acceleration),
                ("seams within the sources' 99.5th perc. (%)", share),
            )
        )
        seam += "".join(
            f"\n  {f'while {own.gait} ({own.seams}), of its own clips (%)':<44}"
            f"{100 * own.within / own.seams:10.2f}"
            for own in self.seams
        )
        verdict = (
            f"  skate {self.skate_ratio:.2f} x the sources' mean (clean: up to {SKATE_LIMIT:g}); "
            f"seams {self.seam_ratio:.2f} x their 99th percentile (clean: up to {SEAM_LIMIT:g})"
        )
        return "\n".join([f"{'Quality':<46}{'result':>10}{'sources':>10}", *lines, seam, verdict])

    def _foot_lock(self) -> str:
        return (
            f"Foot lock: feet moved up to {1000 * self.largest_correction:.0f} mm, hips lowered up"
            f" to {1000 * self.largest_drop:.0f} mm, {self.released_contacts} contacts released"
        )


def _others(alternatives: int) -> str:
    if not alternatives:
        return ""
    return f"; {alternatives} more motion{'s' if alternatives > 1 else ''} found"


def _error_line(error: ConstraintOutcome) -> str:
    before = f"{100 * error.position_before:8.2f} cm"
    before += f"{_degrees(error.facing_before)}{_speed(error.velocity_before)}"
    if error.beyond_reach is not None:
        before += f", {100 * error.beyond_reach:.1f} beyond reach"
    after = f"{1000 * error.position_after:8.3f} mm"
    after += f"{_degrees(error.facing_after)}{_speed(error.velocity_after)}"
    return f"  {error.what:<14}{error.time:7.2f} s  {before:<24}{after}"


def _speed(error: float | None) -> str:
    return "" if error is None else f" {error:6.3f} m/s"


def _degrees(angle: float | None) -> str:
    return "" if angle is None else f" {angle:7.3f} deg"
