"""Correct a motion: feet pinned, balance kept, flight falling.

Long motions window by window: neighbours overlap, and their curves are blended there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.soles import Soles
from motionloom.clips.analysis import AnalysedClips
from motionloom.constraints import ConstraintSet
from motionloom.curves import smoothstep
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.physics.body import Body, make_body
from motionloom.physics.correct import _report as reporting
from motionloom.physics.correct._problem import Problem, make_problem
from motionloom.physics.correct._solve import Solver
from motionloom.physics.correct._wrongs import wrong_spans
from motionloom.physics.correct.options import CorrectionOptions
from motionloom.physics.ground._contacts import GroundContacts, find_ground_contacts
from motionloom.physics.terrain import adapt_to_terrain, make_terrain_report
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.progress import Progress, silent
from motionloom.reports import in_words
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Neighbouring windows share this much time, seconds.
OVERLAP = 2.0

#: So often what cannot be mended is held for shorter or left out of a stretch, and the rest found
#: anew.
TRIES = 5
#: Fewer frames say nothing of velocities and accelerations.
LEAST_FRAMES = 8


@dataclass(frozen=True, eq=False)
class Corrected:
    """A corrected motion.

    Parameters
    ----------
    motion : Motion
        The result, with as many frames as the input.
    report : CorrectionReport
        What was done, before and after.
    """

    motion: Motion
    report: reporting.CorrectionReport


@one_thread()
def correct_motion(
    motion: Motion | PosedMotion,
    options: CorrectionOptions | None = None,
    *,
    body: Body | None = None,
    contacts: GroundContacts | None = None,
    soles: Soles | None = None,
    progress: Progress = silent,
) -> Corrected:
    """Make a motion one that its body could do.

    Stances that slip, sink or float are pinned; soles stay above the ground, joints within their
    ranges; about what is mended, and where the body tips over, the zero moment point comes into the
    support polygon; flights fall at g. What is added to the motion is a smooth spline
    displacement, as small as may be.

    Parameters
    ----------
    motion : Motion or PosedMotion
        The input; a person with legs.
    options : CorrectionOptions, optional
        How.
    body : Body, optional
        Its masses; of a usual build when not given.
    contacts : GroundContacts, optional
        When feet are down; found when not given.
    soles : Soles, optional
        Of the same skeleton, calibrated on clean motions.
    progress : Progress, optional
        Told how far it is.

    Returns
    -------
    Corrected

    Raises
    ------
    InvalidInputError
        When it is no person with legs, or has too few frames.
    """
    posed = motion if isinstance(motion, PosedMotion) else pose_motion(motion)
    options = options or CorrectionOptions()
    if posed.n_frames < LEAST_FRAMES:
        raise InvalidInputError(
            f"a correction needs at least {LEAST_FRAMES} frames, and there are {posed.n_frames}"
        )
    body = body or make_body(posed)
    contacts = contacts or find_ground_contacts(posed, soles)
    problem = make_problem(posed, body, contacts, options.ground)
    found = _solve(problem, options, progress)
    report = reporting.make_correction_report(problem, found, options.objective)
    return Corrected(found.after.posed.motion, report)


def _solve(problem: Problem, options: CorrectionOptions, progress: Progress) -> reporting.Solution:
    """Displacement curves of the whole motion: zero but about what is wrong.

    Where mending something makes something else worse stances are first held while the whole foot
    stands only; then what is wrong is left as it is, and the rest of that stretch is found anew.
    """
    curves = np.zeros((problem.n_frames, problem.n_curves))
    before = after = reporting.Look.at(problem, problem.posed.motion)
    left: dict[reporting.Span, str] = {}
    asked = problem
    spans = wrong_spans(asked.wrongs.any, asked.posed.fps, options.ease)
    for _ in range(TRIES):
        total = sum(_n_steps(asked, span, options) for span in spans)
        done = 0
        for span in spans:
            for found in _solve_span(asked, span, options):
                curves[slice(*span)] = found
                done += 1
                progress("correcting", done, total)
        if not spans:
            break
        after = reporting.Look.at(problem, problem.motion(curves))
        objections = reporting.find_objections(before, after, spans, options.most, asked.wrongs)
        for span, (reason, frames) in objections.items():
            curves[slice(*span)] = 0.0
            narrower = asked.narrowed(frames, span)
            if narrower is None:
                left[span] = reason
            asked = narrower or asked.without(frames, span)
        spans = [
            inner
            for inner in wrong_spans(asked.wrongs.any, asked.posed.fps, options.ease)
            if any(start <= inner[0] and inner[1] <= stop for start, stop in objections)
        ]
    else:
        for span in spans:
            curves[slice(*span)] = 0.0
    after = reporting.Look.at(problem, problem.motion(curves))
    return reporting.Solution(before, after, asked, left)


def _n_steps(problem: Problem, span: reporting.Span, options: CorrectionOptions) -> int:
    """How often `_solve_span` yields."""
    windows = window_spans(span[1] - span[0], problem.posed.fps, options.window)
    return len(windows) * (len(options.rates) + (len(windows) > 1))


def _solve_span(
    problem: Problem, span: reporting.Span, options: CorrectionOptions
) -> Iterator[Array]:
    """Displacement curves of one span so far, window by window at every rate."""
    own = problem.cut(*span)
    windows = window_spans(own.n_frames, own.posed.fps, options.window)
    weights = window_weights(windows)
    # Where windows were blended the finest curves are found once more.
    finest = len(options.rates) - 1
    levels = [*range(finest), finest, *[finest] * (len(windows) > 1)]
    held = (span[0] > 0, span[1] < problem.n_frames)
    curves = np.zeros((own.n_frames, own.n_curves))
    for level in levels:
        blended = np.zeros_like(curves)
        for (start, stop), weight in zip(windows, weights, strict=True):
            ends = (start == 0 and held[0], stop == own.n_frames and held[1])
            solver = Solver(own.cut(start, stop), options, ends)
            blended[start:stop] += weight[:, None] * solver.refine(level, curves[start:stop])
            yield blended
        curves = blended


def finish_by_physics(
    posed: PosedMotion, held: FootContacts, clips: AnalysedClips, constraints: ConstraintSet
) -> tuple[PosedMotion, tuple[str, ...], tuple[str, ...]]:
    """The last step of a synthesis: `FinishOptions.processor`.

    Parameters
    ----------
    posed : PosedMotion
        The finished motion.
    held : FootContacts
        Its contacts.
    clips : AnalysedClips
        What it was made of.
    constraints : ConstraintSet
        What was asked for.

    Returns
    -------
    motion : PosedMotion
        Corrected, and taken onto the ground that was asked for.
    said, unmet : tuple of str
        Sentences on what was done for the report's notes, and what is not met on that ground.
    """
    contacts = find_ground_contacts(posed, clips.soles)
    down = held.down & contacts.bearing.down
    contacts = GroundContacts(contacts.bearing, replace(held, down=down))
    done = correct_motion(posed, contacts=contacts)
    made = posed.with_motion(done.motion)
    said = _in_words(done.report)
    if not constraints.ground:
        return made, said, ()
    contacts = find_ground_contacts(made, clips.soles)
    on = adapt_to_terrain(made, constraints.ground, contacts=contacts)
    report = make_terrain_report(on)
    parts = {"": report, " before": report.before, " after": report.after}
    parts |= {f", landings {word}": own for word, own in report.landings.items()}
    said += tuple(f"on its ground{what}: {in_words(own)}" for what, own in parts.items())
    return on.posed, said, tuple(f"on its ground {problem}" for problem in report.problems)


def _in_words(report: reporting.CorrectionReport) -> tuple[str, ...]:
    """What a synthesis says of its correction."""
    unmet = report.unmet[: reporting.MOST_TOLD]
    return (
        *(f"physics guessed: {note}" for note in report.notes),
        f"corrected by physics: {report.stances} stances pinned, joints moved"
        f" {report.moved_mean:.1f} cm on average and {report.moved_max:.1f} cm at most",
        f"physics before: {in_words(report.before.quality)}",
        f"physics after: {in_words(report.after.quality)}",
        *(f"physics could not meet: {one.in_words()}" for one in unmet),
    )


def window_spans(n_frames: int, fps: float, window: float) -> list[tuple[int, int]]:
    """First frame of every window, and the one behind its last.

    Parameters
    ----------
    n_frames : int
        T.
    fps : float
        Frames per second.
    window : float, seconds
        Length of a window.

    Returns
    -------
    list of (int, int)
        One window where the motion is no longer than that.
    """
    size = round(window * fps)
    if n_frames <= size:
        return [(0, n_frames)]
    shared = round(OVERLAP * fps)
    count = int(np.ceil((n_frames - shared) / (size - shared)))
    starts = np.round(np.linspace(0, n_frames - size, count)).astype(int)
    return [(int(start), int(start) + size) for start in starts]


def window_weights(spans: list[tuple[int, int]]) -> list[Array]:
    """Shares of the windows in the curves of their frames; they add up to 1 in every frame."""
    weights = [np.ones(stop - start) for start, stop in spans]
    for (k, before), (_, after) in pairwise(enumerate(spans)):
        shared = before[1] - after[0]
        rise = smoothstep((np.arange(shared) + 0.5) / shared)
        weights[k][-shared:] *= 1 - rise
        weights[k + 1][:shared] *= rise
    return weights
