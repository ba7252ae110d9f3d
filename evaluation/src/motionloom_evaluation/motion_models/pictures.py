"""Pictures of an evaluation: convergence, energy, extrapolation, takes beside results."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from motionloom.io.files import write_file
from motionloom.models import KeyTasks, edit_motion
from motionloom.motion import Motion
from motionloom.spaces.motion_space import MotionSpaceOptions
from motionloom.view import write_contact_sheet
from motionloom_evaluation.motion_models.convergence import CONFIGURATIONS, METRICS, ConvergenceRow
from motionloom_evaluation.motion_models.evaluation import MotionModels
from motionloom_evaluation.motion_models.held_out import edit_nearest

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

Array = NDArray[np.float64]

_LINES = dict(zip(CONFIGURATIONS, ("tab:red", "tab:green", "black"), strict=True))
#: Names of the files that `write_pictures` writes.
PICTURES = ("convergence.png", "energy.png", "extrapolation.png", "takes.png", "slopes.png")


def write_pictures(result: MotionModels, folder: str | PathLike[str]) -> list[Path]:
    """Write all PNGs into a folder; return their paths, in the order of `PICTURES`.

    Parameters
    ----------
    result : MotionModels
        What was measured.
    folder : path-like
        Files of the same names are replaced.

    Returns
    -------
    list of Path
        Without that of slopes where there are none.
    """
    folder = Path(folder)
    convergence, energy, extrapolation, takes, slopes = (folder / name for name in PICTURES)
    write_convergence(result.slope_convergence or result.convergence, convergence)
    write_energy(result, energy)
    write_extrapolation(result, extrapolation)
    write_takes(result, takes)
    if result.slopes is None:
        return [convergence, energy, extrapolation, takes]
    write_slopes(result, slopes)
    return [convergence, energy, extrapolation, takes, slopes]


def write_convergence(rows: tuple[ConvergenceRow, ...], path: Path) -> None:
    """Error norms over steps: a panel for each model, PCA above PPCA."""
    models = list(dict.fromkeys(r.model for r in rows))
    canvas = _canvas(3.2 * len(models), 5.6)
    grid = canvas.subplots(len(METRICS), len(models), squeeze=False, sharey=True)
    for i, kind in enumerate(METRICS):
        for j, model in enumerate(models):
            axes = grid[i][j]
            for r in rows:
                if (r.model, r.kind) == (model, kind):
                    label = r.configuration
                    axes.semilogy(
                        np.maximum(r.errors, 1e-3), color=_LINES[r.configuration], label=label
                    )
            axes.set(title=f"{model}, {kind}", xlabel="step", xlim=(0, 20))
            axes.grid(alpha=0.25)
    grid[0][0].set_ylabel("error norm, mm")
    grid[0][0].legend(frameon=False, fontsize=7)
    canvas.tight_layout()
    _save(canvas, path)


def write_energy(result: MotionModels, path: Path) -> None:
    """Share of the variance over the number of eigen-motions."""
    canvas = _canvas(5.0, 3.6)
    axes = canvas.subplots()
    for name, energy in result.energy.items():
        axes.plot(np.arange(1, len(energy) + 1), 100 * energy, "o-", ms=3, label=name)
    axes.set(xlabel="eigen-motions", ylabel="variance kept, %", ylim=(0, 102))
    axes.legend(frameon=False)
    axes.grid(alpha=0.25)
    canvas.tight_layout()
    _save(canvas, path)


def write_extrapolation(result: MotionModels, path: Path) -> None:
    """Errors and step norms beyond the takes, and the other elbow's rotation."""
    canvas = _canvas(12.0, 3.6)
    error, step, *elbows = canvas.subplots(1, 2 + len(result.extrapolation))
    for r, axes in zip(result.extrapolation, elbows, strict=True):
        error.semilogy(np.maximum(r.errors, 1e-3), label=r.kind)
        step.plot(np.arange(1, len(r.steps) + 1), r.steps, "o-", ms=3, label=r.kind)
        axes.plot(r.elbow)
        axes.set(title=f"other elbow, {r.kind}", xlabel="frame", ylabel="quaternion")
    error.set(title="error norm, mm", xlabel="step")
    step.set(title="step norm, sigmas", xlabel="step")
    error.legend(frameon=False)
    canvas.tight_layout()
    _save(canvas, path)


def write_takes(result: MotionModels, path: Path) -> None:
    """A take left out, what the model and the per-frame editor make of its hit point, the nearest
    take.
    """
    study = result.study
    # One that is neither easy nor far out: the median of the model's errors.
    heights = study.hit_points[:, 1]
    k = int(np.argsort(heights)[round(0.75 * (study.size - 1))])
    train = [i for i in range(study.size) if i != k]
    point = study.hit_points[k]
    nearest = train[int(np.argmin(np.linalg.norm(study.hit_points[train] - point, axis=1)))]
    space = study.space(train, MotionSpaceOptions())
    edit = edit_motion(space, [KeyTasks(study.hit_key, [study.hit_task(point)])])
    shown = {
        f"{study.takes[k].name}, left out": study.normalised.rows[k],
        f"motion model, {edit.whole.sigmas:.1f} sigmas": space.inverse_transform(edit.coefficients),
        "per-frame edit of the nearest take": edit_nearest(study, nearest, point).row,
        f"{study.takes[nearest].name}, the nearest take": study.normalised.rows[nearest],
    }
    write_contact_sheet([_named(study.motion(row), name) for name, row in shown.items()], path)


def write_slopes(result: MotionModels, path: Path) -> None:
    """The flat mean swing, and those that the global model makes of slopes."""
    assert result.slopes is not None
    slopes = result.slopes
    study = slopes.study
    flat = study.normalised.rows[[s == "flat" for s in study.styles]].mean(axis=0)
    shown = [_named(study.motion(flat), "flat, mean of the takes")]
    for degrees, edit in slopes.edits:
        if abs(degrees) in (7.0, 10.0):
            row = edit.space.inverse_transform(edit.coefficients)
            shown.append(
                _named(study.motion(row), f"{degrees:+g} degrees, {edit.whole.sigmas:.1f} sigmas")
            )
    write_contact_sheet(shown, path)


def _named(motion: Motion, name: str) -> Motion:
    return replace(motion, name=name)


def _canvas(width: float, height: float) -> Canvas:
    from matplotlib.figure import Figure as Canvas

    return Canvas(figsize=(width, height), dpi=100, facecolor="white")


def _save(canvas: Canvas, path: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    data = BytesIO()
    FigureCanvasAgg(canvas).print_png(data, metadata={"Software": None})
    write_file(path, data.getvalue())
