"""Takes left out: how near methods come to a whole take of which they know only the hit point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from motionloom.framewise import EditOptions as FrameOptions
from motionloom.framewise import Goal, edit_clip
from motionloom.models import EditOptions, KeyTasks, edit_motion
from motionloom.models.solving.problem import REACH
from motionloom.posed_motion import pose_motion
from motionloom.progress import Progress, silent
from motionloom.reports import Column, Table, shown, table_of
from motionloom.spaces.motion_space import MotionSpace, MotionSpaceOptions
from motionloom_evaluation.motion_models.study import Study

Array = NDArray[np.float64]

#: Methods in the order of the table.
MEAN, NEAREST, FRAME, RIDGE = "others' mean", "nearest take", "per-frame edit", "ridge"
LATENT, PPCA, SOFT = "motion model", "motion model, PPCA", "motion model, soft"
DISPLACED = "motion model, moved"
METHODS = (MEAN, NEAREST, FRAME, RIDGE, LATENT, DISPLACED, PPCA, SOFT)
#: Share of the lowest hits that are trained on, and the easing of the per-frame edit, seconds.
LOW, EASE = 0.6, 0.5
#: How soft the soft edit is, metres.
SOFTNESS = 0.01
#: Strengths of the ridge that leaving training takes out chooses from.
_RIDGES = (1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0, 10.0)


@dataclass(frozen=True)
class HeldOutRow:
    """One method over all takes left out of one split.

    Parameters
    ----------
    method : str
        One of `METHODS`.
    distance : float, centimetres
        Mean distance of joints over the whole motion, over takes.
    hit : float, millimetres
        What the hit point is missed by, 95th percentile.
    met : float
        Share of takes whose hit point is met within 1 mm.
    iterations : int
        Most steps; 0 for what takes none.
    """

    method: str = field(metadata=shown("method"))
    distance: float = field(metadata=shown("distance", "cm"))
    hit: float = field(metadata=shown("hit missed by, 95 %", "mm"))
    met: float = field(metadata=shown("met", "%", ".0f", 100))
    iterations: int = field(metadata=shown("steps"))


@dataclass(frozen=True, eq=False)
class HeldOut:
    """One way to leave takes out.

    Parameters
    ----------
    name : str
        Which.
    count : int
        Takes tested.
    rows : tuple of HeldOutRow
        By method.
    distances : mapping of str to array of shape (count,)
        Of every take, centimetres.
    """

    name: str
    count: int
    rows: tuple[HeldOutRow, ...]
    distances: dict[str, Array]


@dataclass(frozen=True, eq=False)
class _Guess:
    row: Array
    iterations: int = 0


def left_out(study: Study, most: int, seed: int) -> list[tuple[list[int], list[int]]]:
    """Take left out: training takes and the one tested, for at most some takes."""
    every = list(range(study.size))
    rng = np.random.default_rng(seed)
    chosen = sorted(rng.permutation(study.size)[:most].tolist())
    return [([i for i in every if i != k], [k]) for k in chosen]


def blocks_out(study: Study, count: int = 3) -> list[tuple[list[int], list[int]]]:
    """Whole blocks of the recording left out, as the takes follow each other."""
    blocks = [b.tolist() for b in np.array_split(np.arange(study.size), count)]
    return [([i for b in blocks if b is not block for i in b], block) for block in blocks]


def low_to_high(study: Study) -> list[tuple[list[int], list[int]]]:
    """Trained on the takes with the lowest hits, tested on the others."""
    order = np.argsort(study.hit_points[:, 1], kind="stable").tolist()
    low = round(LOW * study.size)
    return [(sorted(order[:low]), sorted(order[low:]))]


def evaluate_held_out(
    study: Study,
    name: str,
    splits: Sequence[tuple[list[int], list[int]]],
    options: MotionSpaceOptions | None = None,
    progress: Progress = silent,
) -> HeldOut:
    """Guess every take that is left out from its hit point, by every method.

    Parameters
    ----------
    study : Study
        The takes.
    name : str
        Of the splits.
    splits : sequence of (list of int, list of int)
        Takes to train on, and takes to test.
    options : MotionSpaceOptions, optional
        Of the models.
    progress : Progress
        Told of every take.

    Returns
    -------
    HeldOut
    """
    options = options or MotionSpaceOptions()
    ppca = MotionSpaceOptions(kind="ppca", components=options.components or 0.95)
    found: dict[str, list[tuple[float, float, int]]] = {m: [] for m in METHODS}
    total = sum(len(test) for _, test in splits)
    done = 0
    for train, test in splits:
        # Takes that are tested have no part in times, mean rotations or bones either.
        known = study.of_takes(train)
        spaces = (known.space(range(known.size), options), known.space(range(known.size), ppca))
        ridge = fit_ridge(known)
        for k in test:
            progress(name, done, total)
            done += 1
            truth = known.row_of(study.takes[k], study.keys.times[k])
            for method, guess in _guess_all(known, truth, spaces, ridge).items():
                found[method].append(_score(known, truth, guess))
    progress(name, total, total)
    rows = []
    for method, scores in found.items():
        values = np.array(scores)
        rows.append(
            HeldOutRow(
                method,
                100 * float(values[:, 0].mean()),
                1e3 * float(np.quantile(values[:, 1], 0.95)),
                float((values[:, 1] < 1e-3).mean()),
                int(values[:, 2].max()),
            )
        )
    distances = {m: 100 * np.array([s[0] for s in scores]) for m, scores in found.items()}
    return HeldOut(name, total, tuple(rows), distances)


def _guess_all(
    study: Study,
    truth: Array,
    spaces: tuple[MotionSpace, MotionSpace],
    ridge: Callable[[Array], Array],
) -> dict[str, _Guess]:
    rows = study.normalised.rows
    point = study.hit_point(truth)
    nearest = int(np.argmin(np.linalg.norm(study.hit_points - point, axis=1)))
    asked = [KeyTasks(study.hit_key, [study.hit_task(point)])]
    guesses = {
        MEAN: _Guess(rows.mean(axis=0)),
        NEAREST: _Guess(rows[nearest]),
        FRAME: edit_nearest(study, nearest, point),
        RIDGE: _Guess(ridge(point)),
    }
    models = {
        LATENT: (spaces[0], EditOptions()),
        DISPLACED: (spaces[0], EditOptions(local=REACH)),
        PPCA: (spaces[1], EditOptions(metric="loadings")),
        SOFT: (spaces[0], EditOptions(soft=SOFTNESS)),
    }
    for method, (space, options) in models.items():
        edit = edit_motion(space, asked, options, frames=np.arange(space.n_frames))
        row = space.coordinates.to_coordinates(edit.motion, near=space.mean[0])
        guesses[method] = _Guess(row, edit.iterations)
    return guesses


def edit_nearest(study: Study, take: int, point: Array) -> _Guess:
    """A take edited frame by frame to hit a point."""
    motion = study.motion(study.normalised.rows[take])
    goal = Goal(
        "position",
        point,
        study.hit_frame,
        study.hit_frame,
        joint=study.joint,
        local=study.local,
        ease_in=EASE,
        ease_out=EASE,
    )
    edit = edit_clip(pose_motion(motion, study.roles), [goal], FrameOptions())
    row = study.normalised.coordinates.to_coordinates(edit.motion)
    return _Guess(row, edit.iterations)


def _score(study: Study, truth: Array, guess: _Guess) -> tuple[float, float, int]:
    away = np.linalg.norm(study.positions(guess.row) - study.positions(truth), axis=-1)
    missed = np.linalg.norm(study.hit_point(guess.row) - study.hit_point(truth))
    return float(away.mean()), float(missed), guess.iterations


def fit_ridge(study: Study) -> Callable[[Array], Array]:
    """Ridge regression from hit points to whole motions; its strength by leaving takes out."""
    points = study.hit_points
    rows = study.normalised.rows
    flat = rows.reshape(len(rows), -1)
    middle = points.mean(axis=0)
    unit = max(float(points.std()), 1e-9)
    mean = flat.mean(axis=0)
    inputs = (points - middle) / unit
    outputs = flat - mean
    # Only the products of takes count for the errors of leaving one out.
    gram = outputs @ outputs.T
    errors = []
    for strength in _RIDGES:
        hat = inputs @ np.linalg.solve(inputs.T @ inputs + strength * np.eye(3), inputs.T)
        hat = hat + 1.0 / len(rows)
        left = (np.eye(len(rows)) - hat) / np.maximum(1.0 - np.diag(hat), 1e-9)[:, None]
        errors.append(float(np.einsum("ij,jk,ik->", left, gram, left)))
    strength = _RIDGES[int(np.argmin(errors))]
    slopes = np.linalg.solve(inputs.T @ inputs + strength * np.eye(3), inputs.T @ outputs)

    def guess(point: Array) -> Array:
        row: Array = mean + ((point - middle) / unit) @ slopes
        return row.reshape(rows.shape[1:])

    return guess


def held_out_table(result: HeldOut) -> Table:
    """Distances of joints over the whole motion, also beside the mean and the per-frame edit."""
    title = f"{result.name} ({result.count} takes): mean distance of joints over the motion"
    table = table_of(title, result.rows)
    first = result.rows[0].distance
    frame = next(r.distance for r in result.rows if r.method == FRAME)
    shares = [(r.distance / first, r.distance / frame) for r in result.rows]
    columns = [*table.columns, Column("", "/ mean"), Column("", "/ frame")]
    rows = [[*row, *more] for row, more in zip(table.rows, shares, strict=True)]
    return Table(title, columns, rows)
