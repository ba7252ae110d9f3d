"""What a synthesis says about its result: what is missed and why, every constraint's error, quality
beside the sources'.

Constraints that a motion does not meet, by how much, and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from motionloom.analysis.faults.find import Fault
from motionloom.analysis.quality import Quality
from motionloom.clips.analysis import AnalysedClips
from motionloom.constraints import ConstraintSet
from motionloom.constraints.idle import notes_on_kinds
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.constraints.kinds.table import departure_of, find_kind, label_of, row_of
from motionloom.posed_motion import PosedMotion
from motionloom.reports import Column, Report, Reported, Row, Section, Table, compare, fields_of
from motionloom.synthesis.faults import (
    SEAM_LIMIT,
    SKATE_LIMIT,
    find_faults,
    seams_by_gait,
    sentences_of,
)
from motionloom.synthesis.finish import Finished, MeasureTerms
from motionloom.synthesis.generator import Details, Fitted, Reason, WrittenDetails
from motionloom.synthesis.measure import adherence_of

#: Said of what is missed on ground that is not level, where the generator knows no reason.
_ON_GROUND = (
    "feet stand where its ground lets them, on stairs in steps as short as treads, so that the body"
    " stays behind; ask for a way that ends further on, or for more time"
)

Explain = Callable[
    [ConstraintSet, Sequence[ConstraintError], Sequence[Adherence]], Sequence[Reason]
]


def find_missed(
    constraints: ConstraintSet,
    errors: Sequence[ConstraintError],
    adherence: Sequence[Adherence],
    explain: Explain,
) -> tuple[Reason, ...]:
    """Say which constraints a motion does not meet, by how much, and the likeliest reason.

    Parameters
    ----------
    constraints : ConstraintSet
        What was asked for.
    errors : sequence of ConstraintError
        Of the finished motion.
    adherence : sequence of Adherence
        How it keeps to poses, obstacles, paths, styles and costs.
    explain : callable
        As `Fitted.explain`; called only when something is missed.

    Returns
    -------
    tuple of Reason
        One for each constraint that is missed by more than 5 cm, 3 degrees or 0.5 m/s,
        each pose that is not shown in time, each obstacle the body is in, each path it leaves and
        each style it mostly lacks.
    """
    missed = [e for e in errors if e.amount()]
    left = [a for a in adherence if departure_of(a)]
    if not missed and not left:
        return ()
    reasons = {(r.kind, r.index): r.text for r in explain(constraints, missed, left)}
    texts = [
        (e.kind, e.index, f"{label_of(constraints, e.kind, e.index)} is missed by {e.amount()}")
        for e in missed
    ]
    texts += [(a.kind, a.index, f"{a.what} {departure_of(a)}") for a in left]
    unknown = _ON_GROUND if constraints.ground else ""
    return tuple(
        Reason(kind, index, ": ".join(filter(None, [text, reasons.get((kind, index), unknown)])))
        for kind, index, text in texts
    )


#: Said of the score of a generator that does not say what it counts.
_UNEXPLAINED = "smaller is better; this generator does not say what it counts"
#: Why a search ended, for people.
_END = {
    "iterations": "it made all the tries of its budget",
    "time": "its time was up before it had made all the tries of its budget",
    "interrupted": "it was interrupted",
}
_OUTCOME = (
    Column("what", "constraint"),
    Column("time", "at", "s"),
    Column("position_before", "as found", "cm", factor=100),
    Column("facing_before", "as found", "deg", ".3f"),
    Column("velocity_before", "as found", "m/s", ".3f"),
    Column("beyond_reach", "beyond reach", "cm", ".1f", 100),
    Column("position_after", "as written", "mm", ".3f", 1000),
    Column("facing_after", "as written", "deg", ".3f"),
    Column("velocity_after", "as written", "m/s", ".3f"),
)
_MOTION = (
    Column("", "motion"),
    Column("score", "score", "", ".4g"),
    Column("position_before", "worst as found", "cm", factor=100),
    Column("facing_before", "worst as found", "deg", ".3f"),
    Column("position_after", "worst as written", "mm", factor=1000),
    Column("facing_after", "worst as written", "deg", ".3f"),
    Column("skate_mean", "skate", "cm/s"),
    Column("seam_acceleration", "seam", "m/s2", ".1f"),
)
_SEAM = (
    Column("gait", "gait"),
    Column("seams", "seams"),
    Column("within", "within their own clips"),
    Column("limit", "limit", "m/s2"),
)
#: What became of a constraint: ``"body"`` or the joint's name, its time in seconds, its error as
#: found and as written, and how much of the error as found is beyond what hips, trunk and arm make
#: up for without strain, in metres (None where no hand has a target).
Outcome = tuple[str, float, ConstraintError, ConstraintError, float | None]


@dataclass(frozen=True)
class SynthesisReport(Reported):
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
    missed : tuple of Reason
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
    missed: tuple[Reason, ...] = ()
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
        mean = self.sources.skate_mean
        return self.quality.skate_mean / mean if mean > 0 else 0.0

    @property
    def seam_ratio(self) -> float:
        """Largest acceleration at a seam over the sources' 99th percentile."""
        p99 = self.sources.acceleration_p99
        return self.quality.seam_acceleration / p99 if p99 > 0 else 0.0

    def as_report(self) -> Report:
        """Errors, what the generator says, quality beside the sources', and what to look at."""
        details = () if self.details is None else (self.details.as_section(),)
        meaning = f"({self.score_meaning}); {_END.get(self.stopped, self.stopped)}"
        made = self.frames_wanted - self.frames_missing
        missing = f", {self.frames_missing} frames missing" if self.frames_missing else ""
        outcomes = [_flat(one) for one in self.constraints]
        return self.compose(
            f"{made} frames at {self.fps:g} fps{missing}; seed {self.seed}",
            Row("", f"score of {self.generator}", self.score, form=".4g", sentence=meaning),
            Row("", "further motions", self.alternatives or None),
            Row("", "times", self.times, "s"),
            Table("Errors of the constraints", _OUTCOME, outcomes, "constraints"),
            Section("Kept all along", list(map(row_of, self.kept))),
            Table("Motions", _MOTION, self._motions()),
            *details,
            *self._quality(),
            Section("Worth a look", sentences_of(self.movement, grave=False)),
            data=fields_of(self, "constraints", "seams", "missed", "faults", "details"),
        )

    def _motions(self) -> list[list[float]]:
        if len(self.rows) < 2:
            return []
        return [[i + 1, *(row[c.key] for c in _MOTION[1:])] for i, row in enumerate(self.rows)]

    def _quality(self) -> list[Section | Table]:
        own = self.quality
        share = 100 * own.seam_share(self.sources.acceleration_p995)
        terms = [
            [Row("", name, value), Row("", name, self.sources.terms.get(name))]
            for name, value in own.terms.items()
        ]
        seams = [
            [Row("", "largest acceleration at a seam", own.seam_acceleration, "m/s2")],
            [Row("", "seams within the sources' 99.5th percentile", share, "%")],
        ]
        limits = [
            _ratio("skate_ratio", "mean skate", self.skate_ratio, SKATE_LIMIT),
            _ratio("seam_ratio", "seams, of the 99th percentile", self.seam_ratio, SEAM_LIMIT),
        ]
        lock = [
            Row("", "feet moved up to", self.largest_correction, "mm", ".0f", 1000),
            Row("", "hips lowered up to", self.largest_drop, "mm", ".0f", 1000),
            Row("", "contacts released", self.released_contacts),
        ]
        return [
            compare("Quality", {"result": own, "sources": self.sources}, [*terms, *seams]),
            Table("Seams beside the clips of their gait", _SEAM, self.seams, "seams"),
            Section("Times the sources'", limits),
            Section("Foot lock", lock),
        ]


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
    of_kinds = notes_on_kinds(constraints)
    return SynthesisReport(
        generator=fitted.name,
        seed=seed,
        fps=constraints.fps,
        frames_wanted=constraints.n_frames,
        frames_missing=constraints.n_frames - best.motion.n_frames,
        constraints=tuple(_outcomes(constraints, best)),
        quality=best.quality,
        sources=sources,
        largest_correction=best.lock.largest_correction,
        largest_drop=best.lock.largest_drop,
        released_contacts=best.lock.released,
        score=draft.score,
        stopped=draft.stopped,
        alternatives=len(made) - 1,
        times=times,
        notes=(*clip_set.notes, *fitted.notes, *draft.notes, *best.processed, *of_kinds),
        missed=find_missed(constraints, best.errors_after, kept, fitted.explain),
        faults=faults_of(best, fitted.clips, constraints.fps),
        movement=best.movement,
        seams=seams_by_gait(best.posed, best.seams, fitted.clips),
        kept=kept,
        rows=tuple(_row(one) for one in made),
        details=draft.details,
        # A plug-in may not say it.
        score_meaning=getattr(fitted, "score_meaning", _UNEXPLAINED),
    )


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
    worst = {
        f"{what}_{when}": max((getattr(e, what) or 0.0 for e in errors), default=0.0)
        for what in ("position", "facing")
        for when, errors in (("before", one.errors_before), ("after", one.errors_after))
    }
    return {
        "score": one.draft.score,
        **worst,
        "skate_mean": one.quality.skate_mean,
        "seam_acceleration": one.quality.seam_acceleration,
    }


def _outcomes(constraints: ConstraintSet, best: Finished) -> Iterator[Outcome]:
    reaches = iter(best.beyond_reach)
    for before, after in zip(best.errors_before, best.errors_after, strict=True):
        constraint = find_kind(after.kind).of(constraints)[after.index]
        beyond = next(reaches, None) if after.kind == "joint" else None
        yield getattr(constraint, "joint", after.kind), constraint.time, before, after, beyond


def _flat(outcome: Outcome) -> list[Any]:
    """The values of `_OUTCOME`."""
    what, time, before, after, beyond = outcome
    found = [before.position, before.facing, before.velocity]
    return [what, time, *found, beyond, after.position, after.facing, after.velocity]


def _ratio(key: str, label: str, value: float, limit: float) -> Row:
    return Row(key, label, value, limit=limit, verdict=value <= limit)
