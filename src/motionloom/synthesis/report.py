"""What a synthesis says about its result: what is missed and why, every constraint's error, quality
beside the sources'.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from motionloom.analysis.faults import Fault
from motionloom.analysis.quality import Quality
from motionloom.clips.analysis import AnalysedClips
from motionloom.constraints import ConstraintSet
from motionloom.constraints.idle import notes_on_kinds
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.constraints.kinds.table import find_kind, row_of
from motionloom.posed_motion import PosedMotion
from motionloom.synthesis.faults import (
    SEAM_LIMIT,
    SKATE_LIMIT,
    find_faults,
    seams_by_gait,
    sentences_of,
)
from motionloom.synthesis.finish import Finished, MeasureTerms
from motionloom.synthesis.generator import Details, Fitted, WrittenDetails
from motionloom.synthesis.measure import adherence_of
from motionloom.synthesis.missed import Missed, find_missed

#: Said of the score of a generator that does not say what it counts.
_UNEXPLAINED = "smaller is better; this generator does not say what it counts"
#: Why a search ended, for people.
_END = {
    "iterations": "it made all the tries of its budget",
    "time": "its time was up before it had made all the tries of its budget",
    "interrupted": "it was interrupted",
}
#: What became of a constraint: ``"body"`` or the joint's name, its time in seconds, its error as
#: found and as written, and how much of the error as found is beyond what hips, trunk and arm make
#: up for without strain, in metres (None where no hand has a target).
Outcome = tuple[str, float, ConstraintError, ConstraintError, float | None]


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
    constraints : tuple of (str, float, ConstraintError, ConstraintError)
        What (``"body"`` or the joint's name), when (seconds), and the errors before and after what
        the search left over was spread; body constraints first.
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
    missed : tuple of Missed
        Constraints that the motion does not meet, each with its error and the likeliest reason.
    faults : tuple of str
        Where it is not clean, or moves as no clip does.
    movement : tuple of Fault
        Where it moves as no clip does, in the order of time; grave ones are among the problems.
    seams : tuple of (str, int, int, float)
        Its seams beside the clips of the gait that they are in, as `seams_by_gait` gives them.
    kept : tuple of Adherence
        Hard poses, obstacles, paths, styles and the user's costs.
    rows : tuple of mapping of str to float
        All motions, this one first: `score`, the largest `position_before`, `position_after`
        (metres), `facing_before` and `facing_after` (degrees) of any constraint, `skate_mean`
        (cm/s) and `seam_acceleration` (m/s^2).
    details : Details, optional
        What only this generator can say.
    score_meaning : str
        What the score counts, with its unit, in the generator's words.
    """

    generator: str
    seed: int
    fps: float
    frames_wanted: int
    frames_missing: int
    constraints: tuple[Outcome, ...]
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
    missed: tuple[Missed, ...] = ()
    faults: tuple[str, ...] = ()
    movement: tuple[Fault, ...] = ()
    seams: tuple[tuple[str, int, int, float], ...] = ()
    kept: tuple[Adherence, ...] = ()
    rows: tuple[Mapping[str, float], ...] = ()
    details: Details | None = None
    score_meaning: str = _UNEXPLAINED

    @property
    def problems(self) -> tuple[str, ...]:
        """What is missed, then what is not clean, a sentence each."""
        return (*(one.text for one in self.missed), *self.faults)

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
        data = asdict(replace(self, constraints=(), times={}, details=None))
        del data["details"], data["missed"], data["faults"]
        data["problems"] = list(self.problems)
        data["constraints"] = [_plain(outcome) for outcome in self.constraints]
        names = ("gait", "seams", "within", "limit")
        data["seams"] = [dict(zip(names, row, strict=True)) for row in self.seams]
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
            f" ({self.score_meaning}); {_END.get(self.stopped, self.stopped)}\ntimes: {times}"
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
            f"  {i + 1:<4}{r['score']:10.4g}{100 * r['position_before']:10.2f}"
            f" cm{_degrees(r['facing_before'])}{1000 * r['position_after']:10.2f}"
            f" mm{_degrees(r['facing_after'])}{r['skate_mean']:8.2f}{r['seam_acceleration']:8.1f}"
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
        rows += [(name, own, s.terms.get(name, math.nan)) for name, own in q.terms.items()]
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
            f"\n  {f'while {gait} ({n}), of its own clips (%)':<44}{100 * within / n:10.2f}"
            for gait, n, within, _ in self.seams
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


def make_report(
    fitted: Fitted,
    constraints: ConstraintSet,
    seed: int,
    made: Sequence[Finished],
    times: dict[str, float],
    measure: MeasureTerms | None = None,
) -> SynthesisReport:
    """Report on the first of some motions, with a row for every other.

    Parameters
    ----------
    fitted : Fitted
        What made the motions.
    constraints : ConstraintSet
        What was asked for.
    seed : int
        That the motions were made with.
    made : sequence of Finished
        Answers of the generator to the constraints.
    times : dict of str to float, seconds
        By stage of the work.
    measure : callable, optional
        What measured further terms of the motions' quality, for the clips.

    Returns
    -------
    SynthesisReport
    """
    best = made[0]
    clip_set = fitted.clips.clip_set
    sources = fitted.clips.quality
    if measure is not None and best.quality.terms:
        shown = [PosedMotion(motion, fitted.clips.roles) for motion in clip_set.motions]
        sources = replace(sources, terms=measure(shown, fitted.clips.soles))
    draft = best.draft
    kept = adherence_of(clip_set, constraints, best.posed, draft.source_frames, draft.styles)
    return SynthesisReport(
        generator=fitted.name,
        seed=seed,
        fps=constraints.fps,
        frames_wanted=constraints.n_frames,
        frames_missing=constraints.n_frames - best.motion.n_frames,
        constraints=tuple(_outcomes(constraints, best)),
        quality=best.quality,
        sources=sources,
        largest_correction=best.largest_correction,
        largest_drop=best.largest_drop,
        released_contacts=best.released,
        score=best.draft.score,
        stopped=best.draft.stopped,
        alternatives=len(made) - 1,
        times=times,
        notes=(
            *clip_set.notes,
            *fitted.notes,
            *best.draft.notes,
            *best.processed,
            *notes_on_kinds(constraints),
        ),
        missed=find_missed(constraints, best.errors_after, kept, fitted.explain),
        faults=faults_of(best, fitted.clips, constraints.fps),
        movement=best.movement,
        seams=seams_by_gait(best.posed, best.seams, fitted.clips),
        kept=kept,
        rows=tuple(_row(one) for one in made),
        details=best.draft.details,
        score_meaning=meaning_of_score(fitted),
    )


def meaning_of_score(fitted: Fitted) -> str:
    """What the score of a generator counts, in its own words.

    Parameters
    ----------
    fitted : Fitted
        A plug-in may not say it.
    """
    return getattr(fitted, "score_meaning", _UNEXPLAINED)


def faults_of(one: Finished, clips: AnalysedClips, fps: float) -> tuple[str, ...]:
    """Say where a finished motion is not clean, or moves as no clip does.

    Parameters
    ----------
    one : Finished
        The motion.
    clips : AnalysedClips
        What it was made of.
    fps : float
        Frames per second of the motion.
    """
    unclean = find_faults(one.quality, clips.quality, one.seams, fps)
    details = one.draft.details
    own = details.problems if isinstance(details, WrittenDetails) else ()
    return (*unclean, *sentences_of(one.movement, grave=True), *own, *one.unmet)


def _row(one: Finished) -> dict[str, float]:
    before = one.errors_before
    after = one.errors_after
    return {
        "score": one.draft.score,
        "position_before": max((e.position for e in before), default=0.0),
        "position_after": max((e.position for e in after), default=0.0),
        "facing_before": max((e.facing or 0.0 for e in before), default=0.0),
        "facing_after": max((e.facing or 0.0 for e in after), default=0.0),
        "skate_mean": one.quality.skate_mean,
        "seam_acceleration": one.quality.seam_acceleration,
    }


def _outcomes(constraints: ConstraintSet, best: Finished) -> Iterator[Outcome]:
    reaches = iter(best.beyond_reach)
    for before, after in zip(best.errors_before, best.errors_after, strict=True):
        constraint = find_kind(after.kind).of(constraints)[after.index]
        beyond = next(reaches, None) if after.kind == "joint" else None
        yield getattr(constraint, "joint", after.kind), constraint.time, before, after, beyond


def _plain(outcome: Outcome) -> dict[str, Any]:
    what, time, before, after, beyond = outcome
    errors = {
        f"{name}_{when}": getattr(error, name)
        for name in ("position", "facing", "velocity")
        for when, error in (("before", before), ("after", after))
    }
    return {"what": what, "time": time, **errors, "beyond_reach": beyond}


def _others(alternatives: int) -> str:
    if not alternatives:
        return ""
    return f"; {alternatives} more motion{'s' if alternatives > 1 else ''} found"


def _error_line(outcome: Outcome) -> str:
    what, time, found, written, beyond = outcome
    before = f"{100 * found.position:8.2f} cm{_degrees(found.facing)}{_speed(found.velocity)}"
    if beyond is not None:
        before += f", {100 * beyond:.1f} beyond reach"
    after = f"{1000 * written.position:8.3f} mm{_degrees(written.facing)}{_speed(written.velocity)}"
    return f"  {what:<14}{time:7.2f} s  {before:<23} {after}"


def _speed(error: float | None) -> str:
    return "" if error is None else f" {error:6.3f} m/s"


def _degrees(angle: float | None) -> str:
    return "" if angle is None else f" {angle:7.3f} deg"
