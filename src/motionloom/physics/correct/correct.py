"""Correct a motion: feet pinned, balance kept, flight falling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.soles import Soles
from motionloom.clips.analysis import AnalysedClips
from motionloom.constraints import ConstraintSet
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.physics.body import Body, make_body
from motionloom.physics.correct.options import CorrectionOptions
from motionloom.physics.correct.problem import Problem, make_problem
from motionloom.physics.correct.report import (
    MOST_TOLD,
    CorrectionReport,
    make_correction_report,
)
from motionloom.physics.correct.solve import Solver
from motionloom.physics.correct.windows import window_spans, window_weights
from motionloom.physics.ground.contacts import GroundContacts, find_ground_contacts
from motionloom.physics.terrain import adapt_to_terrain, make_terrain_report
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.progress import Progress, silent

Array = NDArray[np.float64]

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
    report: CorrectionReport


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
    curves = _solve(problem, options, progress)
    result = problem.motion(curves)
    report = make_correction_report(problem, result, body, options.objective)
    return Corrected(result, report)


def _solve(problem: Problem, options: CorrectionOptions, progress: Progress) -> Array:
    """Displacement curves of the whole motion, window by window at every rate."""
    spans = window_spans(problem.n_frames, problem.posed.fps, options.window)
    weights = window_weights(spans)
    levels = list(range(len(options.rates)))
    if len(spans) > 1:
        # Where windows were blended the finest curves are found once more.
        levels.append(levels[-1])
    total = len(spans) * len(levels)
    curves = np.zeros((problem.n_frames, problem.n_curves))
    done = 0
    for level in levels:
        blended = np.zeros_like(curves)
        for (start, stop), weight in zip(spans, weights, strict=True):
            solver = Solver(problem.cut(start, stop), options)
            own = solver.refine(level, curves[start:stop])
            blended[start:stop] += weight[:, None] * own
            done += 1
            progress("correcting", done, total)
        curves = blended
    return curves


def make_finisher(
    options: CorrectionOptions | None = None,
) -> Callable[
    [PosedMotion, FootContacts, AnalysedClips, ConstraintSet],
    tuple[PosedMotion, tuple[str, ...]],
]:
    """The last step of a synthesis: `FinishOptions.processor`.

    Parameters
    ----------
    options : CorrectionOptions, optional
        How.

    Returns
    -------
    callable
        Finished motion, its contacts, the clips and what was asked for in; the corrected motion,
        taken onto the ground that was asked for, and sentences on what was done for the report's
        notes, out.
    """

    def process(
        posed: PosedMotion,
        held: FootContacts,
        clips: AnalysedClips,
        constraints: ConstraintSet,
    ) -> tuple[PosedMotion, tuple[str, ...]]:
        contacts = find_ground_contacts(posed, clips.soles)
        down = held.down & contacts.bearing.down
        contacts = GroundContacts(contacts.bearing, replace(held, down=down))
        done = correct_motion(posed, options, contacts=contacts)
        made = posed.with_motion(done.motion)
        said = _in_words(done.report)
        if constraints.ground:
            contacts = find_ground_contacts(made, clips.soles)
            on = adapt_to_terrain(made, constraints.ground, contacts=contacts)
            made = on.posed
            said += tuple(f"on its ground: {line}" for line in make_terrain_report(on).in_words())
        return made, said

    return process


def _in_words(report: CorrectionReport) -> tuple[str, ...]:
    """What a synthesis says of its correction."""
    moved = (
        f"corrected by physics: {report.stances} stances pinned, joints moved"
        f" {report.moved_mean:.1f} cm on average and {report.moved_max:.1f} cm at most"
    )
    return (
        *(f"physics guessed: {note}" for note in report.notes),
        moved,
        f"physics before: {report.before.quality.in_words()}",
        f"physics after: {report.after.quality.in_words()}",
        *(f"physics could not meet: {one.in_words()}" for one in report.unmet[:MOST_TOLD]),
    )


def make_processor(
    options: CorrectionOptions | None = None, soles: Soles | None = None
) -> Callable[[Motion], tuple[Motion, CorrectionReport]]:
    """A function that corrects motions, for whatever makes them.

    Parameters
    ----------
    options : CorrectionOptions, optional
        How.
    soles : Soles, optional
        Of the skeleton of all these motions, calibrated on their clips.

    Returns
    -------
    callable
        Motion in, corrected motion and its report out.
    """

    def process(motion: Motion) -> tuple[Motion, CorrectionReport]:
        done = correct_motion(motion, options, soles=soles)
        return done.motion, done.report

    return process
