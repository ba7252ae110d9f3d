"""How fast edits converge, local models beside a global one, PCA beside PPCA beyond what takes
know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.ik.tasks import Task
from motionloom.models import EditOptions, KeyTasks, build_problem, edit_motion
from motionloom.reports import Column, Table
from motionloom.spaces.motion_space import MotionSpace, MotionSpaceOptions
from motionloom_evaluation.motion_models.study import Study

Array = NDArray[np.float64]

#: The publication's three configurations.
ONE, LAYERED, EQUAL = "hit point", "feet, then hit point", "feet and hit point alike"
CONFIGURATIONS = (ONE, LAYERED, EQUAL)
#: How a step is measured: in standard deviations (PCA), and as the publication's PPCA has it.
METRICS: Mapping[str, Literal["deviations", "loadings"]] = {
    "PCA": "deviations",
    "PPCA": "loadings",
}
_KINDS: Mapping[str, Literal["pca", "ppca"]] = {"PCA": "pca", "PPCA": "ppca"}
#: The name of the model of all takes.
GLOBAL = "global"
#: Error that counts as converged, metres.
_CLOSE = 1e-3
#: How far hit points are moved: within what takes show, and beyond it, in standard deviations.
INSIDE, BEYOND = 1.5, 6.0
#: Iterations that steps beyond are followed for.
_FOLLOWED = 15


@dataclass(frozen=True, eq=False)
class ConvergenceRow:
    """One configuration by one model.

    Parameters
    ----------
    model : str
        A style, or ``"global"``.
    kind : str
        ``"PCA"`` or ``"PPCA"``.
    configuration : str
        One of `CONFIGURATIONS`.
    errors : array of shape (I + 1,), millimetres
        Norm of what all tasks are missed by, at the start and after every step.
    sigmas : float
        Standard deviations of the result.
    """

    model: str
    kind: str
    configuration: str
    errors: Array
    sigmas: float

    @property
    def steps(self) -> int | None:
        """Steps until all is missed by less than a millimetre; None where it never is."""
        close = np.flatnonzero(self.errors < 1e3 * _CLOSE)
        return int(close[0]) if len(close) else None


@dataclass(frozen=True, eq=False)
class ExtrapolationRow:
    """A hit point far beyond the takes, by one kind of model.

    Parameters
    ----------
    kind : str
        ``"PCA"`` or ``"PPCA"``.
    errors : array of shape (I + 1,), millimetres
        What the hit point is missed by.
    steps : array of shape (I,)
        Length of every step, in standard deviations.
    elbow : array of shape (N, 4)
        Local rotation of the other arm's elbow over the motion.
    roughness : float
        Root mean square of its third differences, as a ratio to that of the mean motion.
    jerk : float
        99th percentile of the jerk of all joints, as a ratio to that of the takes.
    """

    kind: str
    errors: Array
    steps: Array
    elbow: Array
    roughness: float
    jerk: float


def local_and_global(
    study: Study, options: MotionSpaceOptions | None = None
) -> dict[str, dict[str, MotionSpace]]:
    """Models by kind, of every style that has takes enough, and of all takes."""
    options = options or MotionSpaceOptions()
    groups = {GLOBAL: list(range(study.size))}
    for style in dict.fromkeys(study.styles):
        own = [i for i in range(study.size) if study.styles[i] == style]
        if style and 8 <= len(own) < study.size:
            groups[style] = own
    found: dict[str, dict[str, MotionSpace]] = {}
    for kind in METRICS:
        found[kind] = {}
        for name, takes in groups.items():
            kept = min(options.components or len(takes) - 1, len(takes) - 1)
            cut = MotionSpaceOptions(_KINDS[kind], kept)
            found[kind][name] = study.space(takes, cut)
    return found


def compare_configurations(
    study: Study,
    models: Mapping[str, Mapping[str, MotionSpace]],
    degrees: float = 0.0,
    common: str = "",
) -> tuple[ConvergenceRow, ...]:
    """The three configurations by every model.

    Parameters
    ----------
    study : Study
        The takes.
    models : mapping
        As `local_and_global` gives them.
    degrees : float
        Slope of the ground that the feet are asked to stand on.
    common : str
        Style about whose mean all models are asked; each about that of its own takes when empty.
    """
    rows = []
    for kind, by_name in models.items():
        options = EditOptions(metric=METRICS[kind], pull="mean")
        for name, space in by_name.items():
            takes = takes_of(study, common or name)
            for configuration in CONFIGURATIONS:
                tasks = tasks_of(study, configuration, takes, degrees)
                edit = edit_motion(space, [KeyTasks(study.hit_key, tasks)], options)
                errors = 1e3 * np.linalg.norm(edit.history, axis=1)
                rows.append(ConvergenceRow(name, kind, configuration, errors, edit.whole.sigmas))
    return tuple(rows)


def takes_of(study: Study, style: str) -> list[int]:
    """Takes of a style; all for the global model."""
    return [i for i in range(study.size) if style in (GLOBAL, study.styles[i] or GLOBAL)]


def tasks_of(
    study: Study, configuration: str, takes: Sequence[int], degrees: float = 0.0
) -> list[Task]:
    """What a configuration asks for at the key posture, about the mean of some takes."""
    point = aim(study.hit_points[list(takes)], INSIDE)
    hit = study.hit_task(point, layer=2 if configuration == LAYERED else 1)
    if configuration == ONE:
        return [hit]
    pose = study.normalised.rows[list(takes)].mean(axis=0)[study.hit_frame]
    return [*study.feet_tasks(pose, degrees), hit]


def aim(points: Array, deviations: float) -> Array:
    """A hit point some standard deviations from the mean, along where hit points vary most."""
    mean = points.mean(axis=0)
    _, sizes, ways = np.linalg.svd(points - mean, full_matrices=False)
    way = ways[0] * np.sign(ways[0][np.argmax(np.abs(ways[0]))])
    point: Array = mean + deviations * sizes[0] / np.sqrt(len(points)) * way
    return point


def extrapolate(
    study: Study, models: Mapping[str, Mapping[str, MotionSpace]]
) -> tuple[ExtrapolationRow, ...]:
    """A hit point far beyond what the takes show, step by step."""
    asked = [KeyTasks(study.hit_key, [study.hit_task(aim(study.hit_points, BEYOND))])]
    mean = study.normalised.rows.mean(axis=0)
    calm = _roughness(study.motion(mean).rotations[:, _elbow(study)])
    usual = _jerk(study.all_positions)
    rows = []
    for kind, by_name in models.items():
        space = by_name[GLOBAL]
        reached = [np.zeros(space.n_components)]
        for count in range(1, _FOLLOWED + 1):
            options = EditOptions(
                metric=METRICS[kind],
                pull="mean",
                iterations=count,
                limit=1e3,
                pulls=0,
            )
            # As it steps, without what an edit does about results that are too strange.
            begin = np.zeros(space.n_components)
            reached.append(build_problem(space, asked).solve(begin, options).coefficients)
        shown = [space.inverse_transform(c) for c in reached]
        points = np.array([study.hit_point(row) for row in shown])
        goal = np.asarray(asked[0].tasks[0].value)
        elbow = study.motion(shown[-1]).rotations[:, _elbow(study)]
        rows.append(
            ExtrapolationRow(
                kind=kind,
                errors=1e3 * np.linalg.norm(points - goal, axis=1),
                steps=np.linalg.norm(np.diff(reached, axis=0), axis=1),
                elbow=elbow,
                roughness=_roughness(elbow) / max(calm, 1e-12),
                jerk=_jerk(study.positions(shown[-1])[None]) / max(usual, 1e-12),
            )
        )
    return tuple(rows)


def _elbow(study: Study) -> int:
    """The elbow of the arm that does not hit: the left one for who hits with the right hand."""
    role = "right_elbow" if "left" in study.action.effector.lower() else "left_elbow"
    joint = study.roles.joint(role)
    return study.joint if joint is None else joint


def _roughness(turns: Array) -> float:
    steps = rot.to_rotvec(rot.multiply(rot.conjugate(turns[:-1]), turns[1:]))
    return float(np.sqrt((np.diff(steps, 2, axis=0) ** 2).sum(axis=1).mean()))


def _jerk(positions: Array) -> float:
    jerk = np.linalg.norm(np.diff(positions, 3, axis=1), axis=-1)
    return float(np.quantile(jerk, 0.99))


def convergence_table(rows: Sequence[ConvergenceRow]) -> Table:
    """Steps to a millimetre, and what is left in the end."""
    title = "Convergence: steps until all tasks are missed by less than 1 mm, what is left (mm)"
    columns = [Column("", name) for name in ("model", "kind", *CONFIGURATIONS)]
    models = dict.fromkeys((r.kind, r.model) for r in rows)
    cells = [
        [name, kind, *(_cell(r) for r in rows if (r.kind, r.model) == (kind, name))]
        for kind, name in sorted(models, key=lambda model: list(METRICS).index(model[0]))
    ]
    return Table(title, columns, cells)


def _cell(row: ConvergenceRow) -> str:
    steps = "-" if row.steps is None else str(row.steps)
    return f"{steps} ({row.errors[-1]:.2f}, {row.sigmas:.1f} sigmas)"


def extrapolation_table(rows: Sequence[ExtrapolationRow]) -> Table:
    """Step norms and smoothness."""
    columns = [
        Column("", "kind"),
        Column("", f"missed after {_FOLLOWED} steps", "mm"),
        Column("", "steps"),
        Column("", "roughness of the other elbow, times"),
        Column("", "jerk, times"),
    ]
    cells = [[r.kind, r.errors[-1], r.steps[:6].tolist(), r.roughness, r.jerk] for r in rows]
    title = f"Extrapolation: a hit point {BEYOND:g} standard deviations out, without limits"
    return Table(title, columns, cells)
