"""What an edit says about its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.judge import ClipVerdict, Judge
from motionloom.analysis.oddness import MotionJudge
from motionloom.analysis.quality import compute_quality
from motionloom.analysis.verdicts import MOST_TOLD, judge_clips
from motionloom.body_masses import joint_shares
from motionloom.errors import InvalidInputError
from motionloom.framewise._edit import ClipEdit, contacts_of, off_support
from motionloom.framewise._goals import GoalOutcome
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.reports import Column, Report, Reported, Row, Table
from motionloom.typing import Array, Ints

#: Jerk that is more than this many times the clip's is told as a problem; of a clip that is
#: quieter than an unhurried reach, of that (metres per second cubed).
ROUGH, CALM = 3.0, 100.0
#: Frames beside both ends of an edit in which its jerk is measured.
_ENDS = 4
#: More slide of the feet than in the clip by this is told, metres.
_SLIDES = 0.01


@dataclass(frozen=True)
class _GoalRow:
    """One goal of an edit.

    Parameters
    ----------
    name : str
        What was asked.
    priority : int
        1 was served first.
    residual : float
        What it is missed by at worst, `unit`.
    unit : str
        ``"m"`` or ``"deg"``.
    time : float, seconds
        When that is.
    reason : str
        ``"met"``, or why not.
    """

    name: str
    priority: int
    residual: float
    unit: str
    time: float
    reason: str

    @property
    def in_words(self) -> str:
        """What it is missed by."""
        if self.unit == "deg":
            return f"{self.residual:.2f} degrees"
        return f"{1e3 * self.residual:.1f} mm"


@dataclass(frozen=True)
class EditReport(Reported):
    """Diagnosis of an edited clip; pairs are before and after.

    Parameters
    ----------
    clip : str
        Its name.
    begin, end : float, seconds
        What was edited.
    goals : tuple of GoalRow
        What was asked.
    jerk, jerk_at_ends : tuple of float, metres per second cubed
        99th percentile over joints and frames of what was edited, and largest beside where the edit
        begins and ends.
    slide : tuple of float, or None, metres
        How far the soles slide in all while they bear on the ground.
    off_support : tuple of float, or None
        Share of the frames with a foot on the ground in which the centre of mass is not over it.
    iterations : int
        Steps of the solver over all frames.
    natural : mapping of str to tuple of float
        How natural poses are before and after, by measure.
    notes : tuple of str
        What was left out, and why.
    """

    clip: str
    begin: float
    end: float
    goals: tuple[_GoalRow, ...]
    jerk: tuple[float, float]
    jerk_at_ends: tuple[float, float]
    slide: tuple[float, float] | None
    off_support: tuple[float, float] | None
    iterations: int
    natural: Mapping[str, tuple[float, float]]
    notes: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as asked, one sentence each."""
        found = [
            f"{g.name} is missed by {g.in_words} at {g.time:.2f} s: {g.reason}"
            for g in self.goals
            if g.reason != "met"
        ]
        before, after = self.jerk
        if after > ROUGH * max(before, CALM):
            found.append(
                f"the edit is {after / max(before, CALM):.1f} times as jerky as the clip; ease in"
                " and out for longer, or ask for less"
            )
        if self.slide is not None and self.slide[1] > self.slide[0] + _SLIDES:
            found.append(
                f"feet slide {100 * (self.slide[1] - self.slide[0]):.1f} cm more than in the clip"
            )
        return tuple(found)

    def as_report(self) -> Report:
        """Goals, and figures before and after."""
        columns = [Column("", name) for name in ("goal", "priority", "missed by", "outcome")]
        goals = [(g.name, g.priority, g.in_words, g.reason) for g in self.goals]
        figures = [
            ("jerk, 99th percentile (m/s3)", self.jerk, 1.0, ".0f"),
            ("largest jerk where the edit begins and ends (m/s3)", self.jerk_at_ends, 1.0, ".0f"),
            ("feet slide (cm)", self.slide, 100.0, ".2f"),
            ("centre of mass off the feet (% of frames)", self.off_support, 100.0, ".0f"),
            *((name, pair, 1.0, ".1f") for name, pair in self.natural.items()),
        ]
        rows = [
            (name, *(Row("", name, value, form=form, factor=factor) for value in pair))
            for name, pair, factor, form in figures
            if pair is not None
        ]
        heads = [Column("", name) for name in ("", "before", "after")]
        title = f"{self.clip}: edited from {self.begin:.2f} to {self.end:.2f} s"
        return self.compose(title, Table("Goals", columns, goals), Table("Figures", heads, rows))


def report_edit(
    edit: ClipEdit, natural: Mapping[str, tuple[float, float]] | None = None
) -> EditReport:
    """Measure an edit beside the clip.

    Parameters
    ----------
    edit : ClipEdit
        What was done.
    natural : mapping of str to tuple of float, optional
        How natural the poses are before and after, by measure.

    Returns
    -------
    EditReport
    """
    before, after = edit.before, edit.after
    first, stop = edit.frames
    step = before.motion.frame_time
    contacts = contacts_of(before)
    jerks = [jerk_of(p.positions, p.fps) for p in (before, after)]
    whole = slice(max(first - 2, 0), stop + 2)
    ends = _ends(edit, len(jerks[0]))
    return EditReport(
        before.motion.name or "clip",
        first * step,
        (stop - 1) * step,
        tuple(_goal_row(o, step) for o in edit.outcomes),
        _pair(*(float(np.quantile(j[whole], 0.99)) if j[whole].size else 0.0 for j in jerks)),
        _pair(*(float(j[ends].max(initial=0.0)) for j in jerks)),
        None if contacts is None else _pair(*(slide_of(p, contacts) for p in (before, after))),
        _balance(edit, contacts),
        edit.iterations,
        natural or {},
        edit.notes,
    )


def jerk_of(positions: Array, fps: float) -> Array:
    """Jerk of every joint, shape (T - 3, J), metres per second cubed."""
    return np.linalg.norm(np.diff(positions, 3, axis=0), axis=-1) * fps**3


def slide_of(posed: PosedMotion, contacts: FootContacts) -> float:
    """How far soles slide while they bear on the ground, metres: mean speed times the time."""
    quality = compute_quality(posed, contacts)
    down = contacts.down.any(axis=1).mean()
    return 0.01 * quality.skate_mean * posed.motion.duration * float(down)


def _goal_row(outcome: GoalOutcome, step: float) -> _GoalRow:
    goal = outcome.goal
    turns = goal.kind in ("orientation", "gaze")
    residual = float(np.degrees(outcome.residual)) if turns else outcome.residual
    missed = residual, "deg" if turns else "m", outcome.frame * step
    said = "met" if outcome.met else outcome.reason
    return _GoalRow(goal.name or goal.kind, goal.layer, *missed, said)


def _ends(edit: ClipEdit, size: int) -> Ints:
    """Third differences that meet both ends of an edit, which are none at the clip's own ends."""
    first, stop = edit.frames
    found: list[int] = []
    if first > 0:
        found += range(first - _ENDS, first + 1)
    if stop < edit.before.n_frames:
        found += range(stop - _ENDS, stop + 1)
    return np.array([f for f in found if 0 <= f < size], np.int64)


def _balance(edit: ClipEdit, contacts: FootContacts | None) -> tuple[float, float] | None:
    if contacts is None:
        return None
    try:
        masses = joint_shares(edit.before.roles, edit.before.skeleton.n_joints)
    except InvalidInputError:
        return None
    down = contacts.down[slice(*edit.frames)].any(axis=1)
    if not down.any():
        return None
    shares = [
        float((off_support(p, contacts, masses, edit.frames)[down] > 0).mean())
        for p in (edit.before, edit.after)
    ]
    return _pair(*shares)


def _pair(before: float, after: float) -> tuple[float, float]:
    return before, after


def compare_naturalness(
    edit: ClipEdit, judge: Judge, movement: MotionJudge | None = None, progress: Progress = silent
) -> dict[str, tuple[float, float]]:
    """Judge a clip and its edit.

    Parameters
    ----------
    edit : ClipEdit
        What was done.
    judge : Judge
        Of captures of the clip's skeleton; where the clip is one of them, it is left out.
    movement : MotionJudge, optional
        Judges how clips move; without it only poses are judged.
    progress : Progress
        Told of both clips.

    Returns
    -------
    dict of str to tuple of float
        Before and after, by measure, as `report_edit` takes them: poses in the part that was
        edited, motion in the whole clip.
    """
    after = replace(edit.motion, name=edit.before.motion.name)
    verdicts = judge_clips(judge, [edit.before.motion, after], progress, movement)
    before_after = [_percentiles(edit, v) for v in verdicts]
    found = {
        "captured poses that are less natural (%)": _both([p.mean() for p in before_after]),
        "the same, worst frame (%)": _both([p.min() for p in before_after]),
    }
    motions = [v.motion for v in verdicts if v.motion is not None]
    if len(motions) == 2:
        one_of = [10 ** min(m.oddness, MOST_TOLD) for m in motions]
        found["moves as oddly as one captured clip of"] = _both(one_of)
    return found


def _percentiles(edit: ClipEdit, verdict: ClipVerdict) -> Array:
    """Share of captured poses that are less natural than each that was edited."""
    first, last = (frame * edit.before.motion.frame_time for frame in edit.frames)
    inside = (verdict.times >= first) & (verdict.times < last)
    if not inside.any():
        inside[np.abs(verdict.times - first).argmin()] = True
    return verdict.percentiles["mixture"][inside]


def _both(values: list[float]) -> tuple[float, float]:
    before, after = values
    return float(before), float(after)
