"""Tasks in some frames of a motion, ready for compiled code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from motionloom.body_masses import joint_shares
from motionloom.errors import InvalidInputError
from motionloom.ik.rig import Aims
from motionloom.ik.tasks import AskedBody, Body, Task
from motionloom.jacobian_kernels import make_stance
from motionloom.models.solving._local import Local
from motionloom.models.solving._rarity import Rarity, rarity_of_task, wild_distance
from motionloom.models.solving.latent_kernels import (
    Eigen,
    Steps,
    TaskRows,
    measure_frames,
    solve_latent,
)
from motionloom.models.solving.likely import solve_likeliest, suggest_coefficients
from motionloom.spaces.linear_map import LinearMap
from motionloom.spaces.motion_space import MotionSpace
from motionloom.threads import one_thread
from motionloom.typing import Array

MET = "met"
UNKNOWN = "outside what these takes know"
CONFLICT = "conflicts with layer {}"
#: A task counts as met within this many tolerances: its layer is stopped by all its tasks together.
NEAR = 10.0


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
        Layers are solved to this; a task is met within ten times it.
    iterations : int
        Most steps.
    metric : {"deviations", "orthonormal", "loadings"}
        What a short step is, in what tasks leave open: few standard deviations, a small change of
        the motion, or one along the strongest eigen-motions (that of the published PPCA).
    pull : {"mean", "start", "takes"}, optional
        What a motion is drawn to in what tasks leave open: the mean, where it began, or what takes
        that come near the tasks suggest. Where it began when it began somewhere, else what takes
        suggest, when not given.
    pulls : int
        Steps for which it is; after those tasks alone count.
    fade : float
        Each time this much of the pull is left.
    limit : float
        Most standard deviations of one coefficient.
    local : float, optional
        How far from an edited frame a smooth displacement reaches, as a share of all frames
        (standard deviation): it does what takes that come near cannot tell. Without it the motion
        is all of the model.

    Raises
    ------
    InvalidInputError
        When a name is unknown, a number is not above 0, or `soft` is above 1 m.
    """

    soft: float | None = None
    tolerance: float = 1e-4
    iterations: int = 60
    metric: Literal["deviations", "orthonormal", "loadings"] = "deviations"
    pull: Literal["mean", "start", "takes"] | None = None
    pulls: int = 4
    fade: float = 0.7
    limit: float = 10.0
    local: float | None = None

    def __post_init__(self) -> None:
        if self.metric not in _POWERS:
            raise InvalidInputError(f"metric must be {', '.join(_POWERS)}, got {self.metric!r}")
        if self.pull not in (None, "mean", "start", "takes"):
            raise InvalidInputError(f"pull must be mean, start or takes, got {self.pull!r}")
        if self.soft is not None and not self.soft <= SOFTEST:
            raise InvalidInputError(f"soft must be at most {SOFTEST:g} m, got {self.soft:g}")
        positive = min(self.tolerance, self.limit) > 0 and self.iterations > 0
        if not positive or self.pulls < 0 or (self.soft is not None and not self.soft > 0):
            raise InvalidInputError(
                "tolerance, limit, iterations and soft must be above 0, pulls not below"
            )

    @property
    def room(self) -> float:
        """What a task may be missed by, metres: `soft`, or a few tolerances."""
        return NEAR * self.tolerance if self.soft is None else self.soft


#: A step changes no coefficient by more, standard deviations.
LONGEST = 2.0
#: Tasks that may be missed by more are none, metres.
SOFTEST = 1.0

_POWERS = {"deviations": 0, "orthonormal": -1, "loadings": 1}


#: How much of its standard deviation a coefficient still has where takes have told it.
_TOLD = 0.2
#: How far a displacement about an edited frame usually reaches, as a share of all frames.
REACH = 0.15


@dataclass(frozen=True, eq=False)
class Found:
    """Where a solver came to.

    Parameters
    ----------
    coefficients : array of shape (K,)
        Standard deviations.
    rest : array of shape (F D,)
        Those of a displacement about the edited frames; empty without one.
    residual : array of shape (R,), metres
        In the order of layers.
    history : array of shape (I + 1, L), metres
        Length of each layer's residual at the start and after every step.
    """

    coefficients: Array
    rest: Array
    residual: Array
    history: Array

    @property
    def iterations(self) -> int:
        """Steps taken."""
        return len(self.history) - 1

    @property
    def unknowns(self) -> Array:
        """All standard deviations, those of the displacement behind the coefficients."""
        return np.concatenate([self.coefficients, self.rest])


@dataclass(frozen=True, eq=False)
class EditProblem:
    """Tasks in some frames of a motion; made by `build_problem`.

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

    @cached_property
    def tasks(self) -> tuple[tuple[float, Task], ...]:
        """Every task with its frame, in the order in which they were given."""
        pairs = zip(self.frames, self.bodies, strict=True)
        return tuple((frame, task) for frame, body in pairs for task in body.tasks)

    def notes(self, options: EditOptions) -> tuple[str, ...]:
        """What is not as it should be, one sentence each."""
        rows = len(self.asked.place)
        known = self.space.n_components
        if rows <= known or options.local is not None or options.soft is not None:
            return ()
        return (
            f"{rows} numbers are asked for, but the model has only {known} eigen-motions, so not"
            " all can be met: ask for less, or fit it to more takes",
        )

    def layers_above(self, layer: int) -> EditProblem | None:
        """The same with the tasks of upper layers only; None where there are none."""
        above = [(frame, task) for frame, task in self.tasks if task.layer < layer]
        return self._with(above) if above else None

    def alone(self, index: int) -> EditProblem:
        """The same with one task only."""
        return self._with([self.tasks[index]])

    def _with(self, tasks: Iterable[tuple[float, Task]]) -> EditProblem:
        by_frame: dict[float, list[Task]] = {}
        for frame, task in tasks:
            by_frame.setdefault(frame, []).append(task)
        body = self.bodies[0].body
        return EditProblem(
            self.space, tuple(by_frame), tuple(body.asked(own) for own in by_frame.values())
        )

    def solve(self, start: Array, options: EditOptions, around: Array | None = None) -> Found:
        """Coefficients that meet the tasks, or come as near as they can.

        Parameters
        ----------
        start : array of shape (K,)
            Coefficients to begin with.
        options : EditOptions
            How.
        around : array of shape (K,), optional
            Begin there, and stay so near to it that no motion is much less likely than takes.
        """
        unit = self._unit(options)
        eigen = self._eigen(unit)
        known = len(start)
        begun = bool(start.any())
        want = np.zeros_like(start)
        pull = options.pull or ("start" if begun else "takes")
        if pull == "start":
            want = start
        elif pull == "takes":
            takes = self.space.coefficients
            want = suggest_coefficients(self.missed_by_takes, takes, self.space.sigmas)
            start = start if begun else want
        longest = LONGEST
        local = self.local(options)
        if local is not None:
            share = _TOLD if pull == "takes" else 1.0
            longest /= share
            matrices = np.concatenate([share * eigen.matrix, local.matrices()], axis=2)
            eigen = Eigen(eigen.offset, matrices)
            unit = np.concatenate([share * unit, np.ones(eigen.matrix.shape[2] - known)])
            start, want = (np.pad(x, (0, len(unit) - known)) for x in (start, want))
            if around is not None:
                around = np.pad(around, (0, len(unit) - known))
        middle, limit = np.zeros_like(start), options.limit
        if around is not None:
            middle = start = want = around
            limit = wild_distance(known) / np.sqrt(known)
        low, high = np.minimum(middle - limit, start), np.maximum(middle + limit, start)
        pulls = min(options.pulls, options.iterations)
        how = pulls, options.fade, options.tolerance, options.iterations
        steps = Steps(start / unit, want / unit, low / unit, high / unit, longest, *how)
        if options.soft is not None:
            found, residual, history = solve_likeliest(self.asked, eigen, steps, options.soft)
        else:
            found, residual, history = solve_latent(self.asked, eigen, steps)
        moved = found * unit
        return Found(moved[:known], moved[known:], residual, history)

    def local(self, options: EditOptions) -> Local | None:
        """What takes do not know, where it is asked for."""
        return None if options.local is None else Local(self.space, self.frames, options.local)

    def lengths(self, found: Found) -> Array:
        """What every task is missed by, metres, in the order in which they were given."""
        sizes = [self.tasks[k][1].rows for k in self._order]
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        lengths = np.empty(len(self.tasks))
        lengths[self._order] = np.sqrt(np.add.reduceat(found.residual**2, starts))
        return lengths

    def _unit(self, options: EditOptions) -> Array:
        """Coefficients of unknowns whose shortest step is the one that is wanted."""
        sigmas = self.space.sigmas
        return (sigmas / sigmas[0]) ** _POWERS[options.metric]

    def _eigen(self, unit: Array) -> Eigen:
        maps: list[LinearMap] = [self.space.eigen_poses(f) for f in self.frames]
        matrices = np.array([m.matrix for m in maps])
        return Eigen(np.array([m.offset for m in maps]), matrices * unit)

    @cached_property
    def missed_by_takes(self) -> Array:
        """What every take misses the tasks by, metres, shape (d, R), in the order of layers."""
        takes = self.space.coefficients
        rows = len(self.asked.place)
        eigen = self._eigen(np.ones(self.space.n_components))
        missed = np.zeros((len(takes), rows))
        jacobian = np.zeros((rows, takes.shape[1]))
        for own, take in zip(missed, takes, strict=True):
            measure_frames(self.asked, eigen, take, own, jacobian)
        return missed

    def rarities(self, soft: float) -> list[Rarity]:
        """How far every task is from what takes do, in the order in which they were given.

        Parameters
        ----------
        soft : float, metres
            What a task may be missed by.
        """
        ends = np.cumsum([self.tasks[k][1].rows for k in self._order])[:-1]
        parts = np.split(self.missed_by_takes, ends, axis=1)
        by_task = zip(self._order.tolist(), parts, strict=True)
        own = {k: rarity_of_task(part, soft) for k, part in by_task}
        return [own[k] for k in range(len(self.tasks))]

    @cached_property
    def _order(self) -> NDArray[np.intp]:
        """Tasks in the order of layers."""
        return np.argsort([t.layer for _, t in self.tasks], kind="stable")

    @cached_property
    def asked(self) -> TaskRows:
        """The tasks as arrays."""
        tasks = [t for _, t in self.tasks]
        order = self._order
        sizes = np.array([t.rows for t in tasks])
        to = np.empty(len(tasks), np.int64)
        to[order] = np.concatenate([[0], np.cumsum(sizes[order])])[:-1]
        place = [to[k] + np.arange(sizes[k]) for k in range(len(tasks))]
        layers = np.repeat([tasks[k].layer for k in order], sizes[order])
        ends = np.concatenate([[0], np.flatnonzero(np.diff(layers)) + 1, [len(layers)]])
        weight = np.repeat(np.sqrt([tasks[k].weight for k in order]), sizes[order])
        rig = self.bodies[0].body.rig
        aims = _joined([body.aims for body in self.bodies])
        counts = np.cumsum([0, *(len(body.tasks) for body in self.bodies)])
        rows = (np.asarray(x, np.int64) for x in (counts, np.concatenate(place), ends))
        starts, places, stops = rows
        return TaskRows(rig, make_stance(rig), aims, starts, places, stops, weight)


def _joined(aims: Sequence[Aims]) -> Aims:
    """Tasks of all frames, one after the other."""
    before = np.cumsum([0, *(a.rows[-1] for a in aims)])
    rows = [a.rows[:-1] + n for a, n in zip(aims, before, strict=False)]
    names = ("joint", "kind", "value", "local", "weight", "soft")
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(a, name) for a in aims]) for name in names
    }
    return aims[0]._replace(**joined, rows=np.concatenate([*rows, before[-1:]]))


@one_thread()
def build_problem(space: MotionSpace, asked: Sequence[KeyTasks]) -> EditProblem:
    """Tasks of frames, to look at or solve again and again.

    Parameters
    ----------
    space : MotionSpace
        The model.
    asked : sequence of KeyTasks
        At least one task.

    Returns
    -------
    EditProblem

    Raises
    ------
    InvalidInputError
        Without a task, or for a frame or joint that there is not.
    UnknownNameError
        When there is no such key posture.
    """
    asked = [a for a in asked if len(a.tasks)]
    if not asked:
        raise InvalidInputError("an edit needs at least one task")
    body = body_of(space)
    return EditProblem(
        space, tuple(space.frame_of(a.at) for a in asked), tuple(body.asked(a.tasks) for a in asked)
    )


@lru_cache(maxsize=4)
def body_of(space: MotionSpace) -> Body:
    """The body of a model, kept: to prepare it takes longer than to solve for it."""
    try:
        masses = joint_shares(space.roles, space.skeleton.n_joints)
    except InvalidInputError:
        masses = None  # tasks of the centre of mass are refused where they are asked
    return Body(space.coordinates, masses)
