"""One key frame of a motion edited, and the whole motion follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom.body_masses import joint_shares
from motionloom.errors import InvalidInputError
from motionloom.ik.tasks import AskedBody, Body, Task
from motionloom.models.latent_kernels import Asked, Eigen, Steps, solve_latent, solve_likeliest
from motionloom.motion import Motion
from motionloom.spaces.motion_space import MotionSpace

Array = NDArray[np.float64]

#: An edit is fine below this many standard deviations, and outside what takes know beyond the
#: second.
FINE, FAR = 3.0, 6.0
MET = "met"
UNKNOWN: Literal["outside what these takes know"] = "outside what these takes know"
CONFLICT = "conflicts with layer {}"

Grade = Literal["fine", "unusual", "outside what these takes know"]


@dataclass(frozen=True, eq=False)
class KeyTasks:
    """What is asked at one normalised time of a motion.

    Parameters
    ----------
    at : str or float
        A key posture, or a normalised frame, which need not be whole.
    tasks : sequence of Task
        In the model's own place.
    """

    at: str | float
    tasks: Sequence[Task]


@dataclass(frozen=True)
class EditOptions:
    """How an edit is solved.

    Parameters
    ----------
    soft : float, metres, optional
        Tasks may be missed by about that (a standard deviation), and the likeliest motion is taken:
        maximum a posteriori, without layers. Tasks are met exactly, layer by layer, when not given.
    tolerance : float, metres
        A task is met within this.
    iterations : int
        Most steps.
    metric : {"deviations", "orthonormal", "loadings"}
        What a short step is, in what tasks leave open: few standard deviations, a small change of
        the motion, or one along the strongest eigen-motions (that of the published PPCA).
    pull : {"mean", "start"}
        What a motion is drawn to in what tasks leave open.
    pulls : int
        Steps for which it is; after those tasks alone count.
    fade : float
        Each time this much of the pull is left.
    limit : float
        Most standard deviations of one coefficient.
    longest : float
        Most of them in one step.
    """

    soft: float | None = None
    tolerance: float = 1e-4
    iterations: int = 60
    metric: Literal["deviations", "orthonormal", "loadings"] = "deviations"
    pull: Literal["mean", "start"] = "mean"
    pulls: int = 4
    fade: float = 0.7
    limit: float = 10.0
    longest: float = 2.0

    def __post_init__(self) -> None:
        if self.metric not in ("deviations", "orthonormal", "loadings"):
            raise InvalidInputError(
                f"metric must be deviations, orthonormal or loadings, got {self.metric!r}"
            )
        positive = min(self.tolerance, self.limit, self.longest) > 0 and self.iterations > 0
        if not positive or (self.soft is not None and not self.soft > 0):
            raise InvalidInputError(
                "tolerance, limit, longest, iterations and soft must be above 0"
            )


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
        ``"met"``, or why not.
    """

    frame: float
    task: Task
    residual: float
    reason: str

    @property
    def met(self) -> bool:
        """Whether it is met within the tolerance."""
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
    motion : Motion
        The whole motion at its own pace, whole frames at the edited times.
    outcomes : tuple of TaskOutcome
        One for each task, in the order in which they were given.
    iterations : int
        Steps taken.
    history : array of shape (I + 1, L), metres
        What each layer was missed by at the start and after every step.
    sigmas : float
        How many standard deviations the motion is from the mean, or from where it began where that
        is less.
    notes : tuple of str
        What was not quite as asked, one sentence each.
    """

    space: MotionSpace
    coefficients: Array
    motion: Motion
    outcomes: tuple[TaskOutcome, ...]
    iterations: int
    history: Array
    sigmas: float
    notes: tuple[str, ...] = field(default=())

    @property
    def grade(self) -> Grade:
        """``"fine"`` below 3 standard deviations, ``"unusual"`` below 6, and beyond or unreached
        ``"outside what these takes know"``.
        """
        if self.sigmas >= FAR or not all(o.met for o in self.outcomes):
            return UNKNOWN
        return "fine" if self.sigmas < FINE else "unusual"


def edit_motion(
    space: MotionSpace,
    asked: Sequence[KeyTasks],
    options: EditOptions | None = None,
    *,
    start: ArrayLike | None = None,
    duration: float | None = None,
    frame_time: float | None = None,
    masses: ArrayLike | None = None,
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
    masses : array of shape (J,), optional
        Mass that each joint moves, for tasks of the centre of mass; those of a human when not
        given.

    Returns
    -------
    ModelEdit
        Where tasks cannot be met, that of the least error, the uppermost layer first.

    Raises
    ------
    InvalidInputError
        Without a task, or for a frame or joint that there is not.
    UnknownNameError
        When there is no such key posture.
    """
    options = options or EditOptions()
    problem = build_problem(space, asked, masses)
    begin = np.zeros(space.n_components) if start is None else np.array(start, float)
    if begin.shape != (space.n_components,):
        raise InvalidInputError(
            f"a start has {space.n_components} coefficients, got shape {begin.shape}"
        )
    found, residual, history = problem.solve(begin, options)
    lengths = problem.task_lengths(residual)
    reasons = problem.reasons(lengths, begin, options)
    outcomes = tuple(
        TaskOutcome(frame, task, float(length), reason)
        for (frame, task), length, reason in zip(problem.tasks, lengths, reasons, strict=True)
    )
    motion = space.to_motion(
        found, duration, frame_time=frame_time, land_on=[f for f, _ in problem.tasks]
    )
    away = float(
        min(np.linalg.norm(found), np.linalg.norm(found - begin) if begin.any() else np.inf)
    )
    return ModelEdit(space, found, motion, outcomes, len(history) - 1, history, away, problem.notes)


@dataclass(frozen=True, eq=False)
class EditProblem:
    """Tasks of some frames, packed for compiled code.

    Parameters
    ----------
    space : MotionSpace
        The model.
    frames : tuple of float
        Normalised frames.
    bodies : tuple of AskedBody
        The tasks of each.
    """

    space: MotionSpace
    frames: tuple[float, ...]
    bodies: tuple[AskedBody, ...]

    @property
    def tasks(self) -> list[tuple[float, Task]]:
        """Every task with its frame."""
        return [(f, t) for f, b in zip(self.frames, self.bodies, strict=True) for t in b.tasks]

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings."""
        rows = sum(t.rows for _, t in self.tasks)
        if rows > self.space.n_components:
            return (
                f"{rows} numbers are asked for, but the model has only"
                f" {self.space.n_components} eigen-motions: not all can be met",
            )
        return ()

    def solve(self, start: Array, options: EditOptions) -> tuple[Array, Array, Array]:
        """Coefficients, residual in the order of layers, and history."""
        sigmas = self.space.sigmas
        # Unknowns whose shortest step is the one that is wanted: coefficients in these units.
        power = {"deviations": 0, "orthonormal": -1, "loadings": 1}[options.metric]
        unit = (sigmas / sigmas[0]) ** power
        maps = [self.space.eigen_poses(f) for f in self.frames]
        matrices = [np.asarray(m.matrix) * unit for m in maps]
        eigen = Eigen(np.array([m.offset for m in maps]), np.array(matrices))
        want = start if options.pull == "start" else np.zeros_like(start)
        steps = Steps(
            start / unit,
            want / unit,
            np.minimum(-options.limit, start) / unit,
            np.maximum(options.limit, start) / unit,
            options.longest,
            min(options.pulls, options.iterations),
            options.fade,
            options.tolerance,
            options.iterations,
        )
        if options.soft is not None:
            found, residual, history = solve_likeliest(self._asked, eigen, steps, options.soft)
        else:
            found, residual, history = solve_latent(self._asked, eigen, steps)
        return found * unit, residual, history

    @property
    def _order(self) -> NDArray[np.intp]:
        """Tasks in the order of layers."""
        return np.argsort([t.layer for _, t in self.tasks], kind="stable")

    @property
    def _asked(self) -> Asked:
        tasks = [t for _, t in self.tasks]
        order = self._order
        sizes = np.array([t.rows for t in tasks])
        begin = np.concatenate([[0], np.cumsum(sizes)])
        to = np.empty(len(tasks), np.int64)
        to[order] = np.concatenate([[0], np.cumsum(sizes[order])])[:-1]
        place = np.concatenate([to[k] + np.arange(sizes[k]) for k in range(len(tasks))])
        layers = np.repeat([tasks[k].layer for k in order], sizes[order])
        ends = np.concatenate([[0], np.flatnonzero(np.diff(layers)) + 1, [len(layers)]])
        weight = np.repeat(np.sqrt([tasks[k].weight for k in order]), sizes[order])
        packs = [b._packed for b in self.bodies]
        per_frame = np.cumsum([0, *(len(b.tasks) for b in self.bodies)])
        return Asked(
            np.array([p.counts for p in packs]),
            np.concatenate([p.whole for p in packs]),
            np.cumsum([0, *(len(p.whole) for p in packs)]).astype(np.int64),
            np.concatenate([p.real for p in packs]),
            np.cumsum([0, *(len(p.real) for p in packs)]).astype(np.int64),
            begin[per_frame].astype(np.int64),
            place.astype(np.int64),
            ends.astype(np.int64),
            weight,
        )

    def task_lengths(self, residual: Array) -> Array:
        """What every task is missed by, metres, in the order in which they were given."""
        tasks = [t for _, t in self.tasks]
        order = self._order
        starts = np.concatenate([[0], np.cumsum([tasks[k].rows for k in order])])
        lengths = np.empty(len(tasks))
        lengths[order] = np.sqrt(np.add.reduceat(residual**2, starts[:-1]))
        return lengths

    def reasons(self, lengths: Array, start: Array, options: EditOptions) -> list[str]:
        """Why tasks are missed: without the layers above, or not at all."""
        # A stopped layer may be as near as its tolerance for all its tasks together.
        met = lengths <= max(10 * options.tolerance, 3 * (options.soft or 0.0))
        reasons = [MET] * len(lengths)
        for k in np.flatnonzero(~met):
            frame, task = self.tasks[k]
            above = [t.layer for _, t in self.tasks if t.layer < task.layer]
            alone = EditProblem(self.space, (frame,), (AskedBody(self.bodies[0].body, (task,)),))
            _, residual, _ = alone.solve(start, options)
            reached = np.linalg.norm(residual) <= 10 * options.tolerance
            reasons[k] = CONFLICT.format(max(above)) if reached and above else UNKNOWN
        return reasons


def build_problem(
    space: MotionSpace, asked: Sequence[KeyTasks], masses: ArrayLike | None = None
) -> EditProblem:
    """Look at what is asked before it is solved; see `edit_motion`."""
    asked = [a for a in asked if len(a.tasks)]
    if not asked:
        raise InvalidInputError("an edit needs at least one task")
    if masses is None and any(t.kind == "mass" for a in asked for t in a.tasks):
        masses = joint_shares(space.roles, space.skeleton.n_joints)
    body = Body(space.coordinates, masses)
    return EditProblem(
        space,
        tuple(space.frame_of(a.at) for a in asked),
        tuple(body.asked(a.tasks) for a in asked),
    )
