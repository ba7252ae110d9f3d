"""One key frame of a motion edited, and the whole motion follows.

How far a motion is from the nearest take, beside how far takes are from each other.

Standard deviations take takes for one cloud. Where several players or styles are pooled there are
several, and what lies between them has few standard deviations although nobody moves like that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from motionloom.errors import InvalidInputError
from motionloom.ik.tasks import Task
from motionloom.models.solving._rarity import (
    FAR,
    FINE,
    Rarity,
    rarest,
    rarity_of_motion,
    wild_distance,
)
from motionloom.models.solving.problem import (
    CONFLICT,
    MET,
    UNKNOWN,
    EditOptions,
    EditProblem,
    Found,
    KeyTasks,
    build_problem,
)
from motionloom.motion import Motion
from motionloom.spaces.motion_space import MotionSpace
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: A motion lies between takes where it is farther from the nearest one than so many times what
#: nine in ten takes are from theirs, or so many times what that one is from its own nearest.
#: Distances of takes that are left out and made again stay below (see docs).
OF_MOST, OF_ITS_OWN = 1.25, 2.5
_MOST = 0.9


@dataclass(frozen=True)
class Nearness:
    """Where a motion lies among the takes; distances are root mean squares over joints and frames.

    Parameters
    ----------
    take : str
        The nearest.
    distance : float, metres
        From it.
    usual : float, metres
        What nine in ten takes are from the nearest other one, at most.
    own : float, metres
        What the nearest take is from the nearest other one.
    """

    take: str
    distance: float
    usual: float
    own: float

    @property
    def is_between(self) -> bool:
        """Whether no take is like it, as between takes of different styles."""
        close = self.distance <= OF_MOST * self.usual
        # Of takes that nearly coincide the distance says nothing.
        close_to_its_own = self.distance <= max(OF_ITS_OWN * self.own, self.usual)
        return not (close and close_to_its_own)


def find_nearest(
    space: MotionSpace, coefficients: Array, displacement: Array | None = None
) -> Nearness:
    """The take that is nearest to a motion.

    Parameters
    ----------
    space : MotionSpace
        The model.
    coefficients : array of shape (K,)
        Of the motion, standard deviations.
    displacement : array of shape (N, D), optional
        What is added to its normalised frames, radians and metres.
    """
    takes = space.coefficients * space.sigmas
    own = coefficients * space.sigmas
    beside = 0.0
    if displacement is not None:
        weighted = displacement * space.scale**2
        along = np.tensordot(weighted, space.components, axes=((0, 1), (1, 2)))
        beside = max(float(np.sum(weighted * displacement) - along @ along), 0.0)
        own = own + along
    away = np.sqrt(np.sum((takes - own) ** 2, axis=1) + beside)
    nearest = int(np.argmin(away))
    apart = _apart(takes)
    unit = float(1.0 / np.sqrt(space.n_frames))
    distances = (away[nearest], np.quantile(apart, _MOST), apart[nearest])
    return Nearness(space.names[nearest], *(unit * float(one) for one in distances))


def _apart(takes: Array) -> Array:
    """Distance of every take (d, K) from the nearest other one, shape (d,)."""
    squares = np.sum(takes**2, axis=1)
    between = squares[:, None] + squares - 2.0 * takes @ takes.T
    np.fill_diagonal(between, np.inf)
    return np.sqrt(np.maximum(between.min(axis=1), 0.0))


Grade = Literal["fine", "unusual", "outside what these takes know"]


@dataclass(frozen=True)
class TaskOutcome:
    """How one task came out.

    Parameters
    ----------
    frame : float
        Normalised frame.
    task : Task
        What was asked.
    residual : float, metres
        What it is missed by; angles count a lever of 0.25 m.
    reason : str
        ``"met"``, ``"conflicts with layer 1"``, or ``"outside what these takes know"``.
    rarity : Rarity
        How far what was asked is from what takes do there.
    written : float, metres, optional
        What the finished motion misses it by, in the same measure.
    """

    frame: float
    task: Task
    residual: float
    reason: str
    rarity: Rarity
    written: float | None = None

    @property
    def met(self) -> bool:
        """Whether the edit meets it."""
        return self.reason == MET


@dataclass(frozen=True, eq=False)
class ModelEdit:
    """An edited motion with its diagnosis.

    Parameters
    ----------
    space : MotionSpace
        The model.
    coefficients : array of shape (K,)
        Standard deviations.
    rest : array of shape (F D,)
        Those of a displacement about the F edited frames that takes do not know; empty where the
        motion is all of the model.
    motion : Motion
        The whole motion at its own pace, whole frames at the edited times.
    frames : array of shape (T,)
        Normalised frame that each frame of it shows.
    outcomes : tuple of TaskOutcome
        One for each task, in the order in which they were given.
    iterations : int
        Steps taken.
    history : array of shape (I + 1, L), metres
        What each layer was missed by at the start and after every step.
    whole : Rarity
        How far the whole motion is from the mean of the takes.
    nearness : Nearness
        How far it is from the nearest take.
    notes : tuple of str
        What was not quite as asked, one sentence each.
    """

    space: MotionSpace
    coefficients: Array
    rest: Array
    motion: Motion
    frames: Array
    outcomes: tuple[TaskOutcome, ...]
    iterations: int
    history: Array
    whole: Rarity
    nearness: Nearness
    notes: tuple[str, ...] = field(default=())

    @property
    def asked(self) -> Rarity:
        """How far what is asked for is from what takes do: that of the rarest task. The same
        whatever the edit began with; of the whole motion where nothing is asked.
        """
        return rarest([o.rarity for o in self.outcomes]) if self.outcomes else self.whole

    @property
    def sigmas(self) -> float:
        """How many standard deviations what is asked for is from the mean of the takes."""
        return self.asked.sigmas

    @property
    def grade(self) -> Grade:
        """``"fine"`` where at least 5 % of takes are expected to be as far in what is asked for
        and as a whole; ``"unusual"`` where it is 0.1 %, or no take is like it; and beyond or
        unreached ``"outside what these takes know"``.
        """
        share = min(self.asked.share, self.whole.share)
        if share < FAR or not all(o.met for o in self.outcomes):
            return "outside what these takes know"
        return "fine" if share >= FINE and not self.nearness.is_between else "unusual"


@one_thread()
def edit_motion(
    space: MotionSpace,
    asked: Sequence[KeyTasks],
    options: EditOptions | None = None,
    *,
    start: ArrayLike | None = None,
    duration: float | None = None,
    frame_time: float | None = None,
    frames: ArrayLike | None = None,
) -> ModelEdit:
    """Edit some frames of a motion; the others follow from the model.

    Parameters
    ----------
    space : MotionSpace
        What the takes know.
    asked : sequence of KeyTasks
        At least one task.
    options : EditOptions, optional
        The defaults when not given.
    start : array of shape (K,), optional
        Coefficients that are edited; the mean motion when not given.
    duration : float, seconds, optional
        Of the motion; as the model predicts when not given.
    frame_time : float, seconds, optional
        Time between frames of the motion; that of the takes when not given.
    frames : array of shape (T,), optional
        Normalised frame that each frame of the motion shows, instead of a duration; at the
        predicted pace, whole frames at the edited times, when not given.

    Returns
    -------
    ModelEdit
        Where tasks cannot be met, that of the least error among motions that are not much stranger
        than takes, the uppermost layer first.

    Raises
    ------
    InvalidInputError
        Without a task, or for a frame or joint that there is not.
    UnknownNameError
        When there is no such key posture.
    """
    options = options or EditOptions()
    problem = build_problem(space, asked)
    begin = np.zeros(space.n_components) if start is None else np.array(start, float)
    if begin.shape != (space.n_components,) or not np.isfinite(begin).all():
        raise InvalidInputError(
            f"a start has {space.n_components} finite coefficients, got shape {begin.shape}"
        )
    found = _within_reason(problem, problem.solve(begin, options), begin, options)
    outcomes = _outcomes(problem, found, begin, options)
    step = frame_time or space.frame_time
    if frames is None:
        shown = space.shown_frames(found.coefficients, duration, step, problem.frames)
    else:
        shown = np.array(frames, float)
    values = space.values_at(found.coefficients, shown)
    local = problem.local(options)
    moved = None
    if local is not None:
        values = values + local.displacement(found.rest, shown)
        moved = local.displacement(found.rest, np.arange(space.n_frames))
    return ModelEdit(
        space=space,
        coefficients=found.coefficients,
        rest=found.rest,
        motion=space.coordinates.to_motion(values, step),
        frames=shown,
        outcomes=outcomes,
        iterations=found.iterations,
        history=found.history,
        whole=rarity_of_motion(found.unknowns, space.coefficients),
        nearness=find_nearest(space, found.coefficients, moved),
        notes=problem.notes(options),
    )


def show_motion(
    space: MotionSpace, coefficients: Array, frames: Array, frame_time: float
) -> ModelEdit:
    """A motion of which nothing is asked.

    Parameters
    ----------
    space : MotionSpace
        The model.
    coefficients : array of shape (K,)
        Standard deviations.
    frames : array of shape (T,)
        Normalised frame that each frame shows.
    frame_time : float, seconds
        Time between frames.
    """
    motion = space.coordinates.to_motion(space.values_at(coefficients, frames), frame_time)
    return ModelEdit(
        space=space,
        coefficients=coefficients,
        rest=np.zeros(0),
        motion=motion,
        frames=frames,
        outcomes=(),
        iterations=0,
        history=np.zeros((1, 0)),
        whole=rarity_of_motion(coefficients, space.coefficients),
        nearness=find_nearest(space, coefficients),
    )


def _outcomes(
    problem: EditProblem, found: Found, begin: Array, options: EditOptions
) -> tuple[TaskOutcome, ...]:
    lengths, rarities = problem.lengths(found), problem.rarities(options.room)
    reasons = _reasons(problem, found, begin, options)
    rows = zip(problem.tasks, lengths, reasons, rarities, strict=True)
    return tuple(TaskOutcome(*task, float(n), reason, rare) for task, n, reason, rare in rows)


def _met(problem: EditProblem, found: Found, options: EditOptions) -> Bools:
    most = 3 * options.soft if options.soft else options.room
    return problem.lengths(found) <= most


def _within_reason(problem: EditProblem, found: Found, begin: Array, options: EditOptions) -> Found:
    """Not much less likely than takes for the sake of what cannot be met anyway."""
    met = _met(problem, found, options)
    wild = wild_distance(problem.space.n_components)
    if met.all() or options.soft or np.linalg.norm(found.unknowns) < wild:
        return found
    layer = min(t.layer for (_, t), ok in zip(problem.tasks, met, strict=True) if not ok)
    above = problem.layers_above(layer)
    around = begin if above is None else above.solve(begin, options).coefficients
    # What was dragged out of reach before does not count as a place to begin.
    around = around * min(1.0, wild / max(float(np.linalg.norm(around)), wild))
    return problem.solve(begin, options, around)


def _reasons(problem: EditProblem, found: Found, begin: Array, options: EditOptions) -> list[str]:
    """Why tasks are missed: for the sake of those above them, or at any rate."""
    reasons = [MET] * len(problem.tasks)
    for k in np.flatnonzero(~_met(problem, found, options)):
        _, task = problem.tasks[k]
        above = [t.layer for _, t in problem.tasks if t.layer < task.layer]
        reasons[k] = UNKNOWN
        if above:
            alone = problem.alone(int(k))
            tried = alone.solve(begin, options)
            known = problem.rarities(options.room)[k].share >= FAR
            if known and _met(alone, tried, options).all():
                reasons[k] = CONFLICT.format(max(above))
    return reasons
