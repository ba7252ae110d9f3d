"""Pictures of an evaluation: one target by every method, the default's ugliest poses, the sweep."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.ik.picture import VIEWS, project
from motionloom.io.files import write_file
from motionloom.view.figure import Figure, build_figure
from motionloom.view.ink import TARGET_INK, draw_pose, fit, quiet
from motionloom_evaluation.natural_spaces.evaluation import NaturalSpaces
from motionloom_evaluation.natural_spaces.poses import DEFAULT, MethodScores, PoseEvaluation
from motionloom_evaluation.natural_spaces.sweep import THESIS, SweepRow
from motionloom_evaluation.natural_spaces.targets import GROUPS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

Array = NDArray[np.float64]

#: Targets of each group that are drawn, and ugliest poses.
SHOWN, UGLIEST = 3, 3
_OBLIQUE = VIEWS["from above its left"]


class _Painter:
    """Draws poses of one space, the trunk on average upright."""

    def __init__(self, result: PoseEvaluation) -> None:
        self.space = result.split.space
        self.rotation = self.space.footing.upright

    def figure(self, poses: Array) -> Figure:
        return build_figure(self.space.coordinates.to_motion(poses))

    def draw(
        self,
        axes: Axes,
        figure: Figure,
        frame: int,
        targets: Sequence[Array],
        view: tuple[float, float],
    ) -> Array:
        """Draw one pose and its targets (root coordinates); return what is drawn, on the plane."""
        root = self.space.coordinates.root
        points = rot.rotate(self.rotation, figure.points[frame] - figure.points[frame, root])
        flat = project(points, *view)
        draw_pose(axes, figure, frame, flat, width=1.8)
        marks = [project(rot.rotate(self.rotation, t), *view) for t in targets]
        for mark in marks:
            axes.plot(*mark, "*", ms=9, mfc="none", mec=TARGET_INK, mew=1.1, zorder=6)
        return np.concatenate([flat[figure.drawn[frame]], np.array(marks)])


def _group_file(group: str) -> str:
    return f"poses-{group.replace(' ', '-')}.png"


_UGLIEST_FILE, _SWEEP_FILE = "ugliest.png", "sweep.png"
#: Names of the files that `write_pictures` writes.
PICTURES = (*map(_group_file, GROUPS), _UGLIEST_FILE, _SWEEP_FILE)


def write_pictures(result: NaturalSpaces, folder: str | PathLike[str]) -> list[Path]:
    """Write all PNGs into a folder; return their paths.

    Parameters
    ----------
    result : NaturalSpaces
        Its first split is drawn, and the sweep.
    folder : path-like
        Files of the same names are replaced.

    Returns
    -------
    list of Path
        In the order of `PICTURES`.
    """
    folder = Path(folder)
    first = result.splits[0]
    for group in GROUPS:
        write_group(first, group, folder / _group_file(group))
    write_ugliest(first, folder / _UGLIEST_FILE)
    write_sweep(result.sweep, folder / _SWEEP_FILE)
    return [folder / name for name in PICTURES]


def write_group(
    result: PoseEvaluation, group: str, path: str | PathLike[str], start: str = "standing"
) -> None:
    """Three targets of a group (rows) by the captured pose and every method (columns).

    Parameters
    ----------
    result : PoseEvaluation
        Poses and scores of one split.
    group : str
        One of `GROUPS`.
    path : path-like
        PNG file.
    start : str
        Pose that the solvers began at: ``"standing"`` or ``"zero"``.
    """
    drawn = result.targets[group]
    scores = [s for s in result.scores if (s.group, s.start) == (group, start)]
    painter = _Painter(result)
    chosen = np.linspace(0, len(drawn.poses) - 1, SHOWN).astype(int)
    columns = [("captured", drawn.poses, None), *((s.method, s.poses, s) for s in scores)]
    canvas = _canvas(max(1.75 * len(columns), 7.0), 3.1 * len(chosen) + 0.5)
    grid = canvas.subplots(len(chosen), len(columns), squeeze=False)
    canvas.subplots_adjust(left=0.01, right=0.99, bottom=0.02, top=0.91, wspace=0.02, hspace=0.14)
    for c, (name, poses, own) in enumerate(columns):
        figure = painter.figure(poses[chosen])
        for r, n in enumerate(chosen):
            axes = grid[r][c]
            places = [np.asarray(t.value) for t in drawn.targets[n]]
            seen = painter.draw(axes, figure, r, places, _OBLIQUE)
            fit(axes, seen.min(axis=0) - 0.08, seen.max(axis=0) + 0.08)
            missed = own is not None and not own.reached[n]
            quiet(
                axes,
                name
                if own is None
                else f"{name}\n{'missed' if missed else f'{own.mixture[n]:.0f}'}",
            )
    canvas.text(
        0.01, 0.965, f"{group}, from the {start} pose; mixture scores", fontsize=12, weight="bold"
    )
    _save(canvas, path)


def write_ugliest(result: PoseEvaluation, path: str | PathLike[str]) -> None:
    """The default's poses with the lowest mixture scores of all, beside the captured poses.

    Parameters
    ----------
    result : PoseEvaluation
        Only targets that were reached count.
    path : path-like
        PNG file.
    """
    found = [
        (float(s.mixture[n]), s, int(n))
        for s in result.scores
        if s.method == DEFAULT
        for n in np.flatnonzero(s.reached)
    ]
    # The same target from the other start gives much the same pose.
    worst: list[tuple[float, MethodScores, int]] = []
    for score, s, n in sorted(found, key=lambda f: f[0]):
        if len(worst) < UGLIEST and all((s.group, n) != (w.group, k) for _, w, k in worst):
            worst.append((score, s, n))
    painter = _Painter(result)
    views = list(VIEWS.items())
    canvas = _canvas(9.0, 3.4 * len(worst) + 0.5)
    grid = canvas.subplots(len(worst), 4, squeeze=False)
    canvas.subplots_adjust(left=0.01, right=0.99, bottom=0.02, top=0.9, wspace=0.02, hspace=0.18)
    for r, (score, s, n) in enumerate(worst):
        drawn = result.targets[s.group]
        places = [np.asarray(t.value) for t in drawn.targets[n]]
        figure = painter.figure(np.stack([s.poses[n], drawn.poses[n]]))
        labels = [f"{s.group}, {s.start}: {score:.0f}\n{label}" for label, _ in views]
        shown = [(0, view) for _, view in views] + [(1, _OBLIQUE)]
        for axes, label, (frame, view) in zip(grid[r], [*labels, "captured"], shown, strict=True):
            seen = painter.draw(axes, figure, frame, places, view)
            fit(axes, seen.min(axis=0) - 0.08, seen.max(axis=0) + 0.08)
            quiet(axes, label)
    canvas.text(0.01, 0.965, "lowest mixture scores of the default", fontsize=12, weight="bold")
    _save(canvas, path)


def write_sweep(rows: Sequence[SweepRow], path: str | PathLike[str]) -> None:
    """Accuracy and naturalness over the number of dimensions, beside the thesis' figures.

    Parameters
    ----------
    rows : sequence of SweepRow
        As `sweep_dimensions` gives them.
    path : path-like
        PNG file.
    """
    canvas = _canvas(10.0, 4.0)
    left, right = canvas.subplots(1, 2)
    known = [r for r in rows if r.dimensions in THESIS]
    across = [r.dimensions for r in rows]
    theirs = [r.dimensions for r in known]
    left.plot(across, [r.accuracy for r in rows], "o-", label="here")
    left.plot(theirs, [THESIS[r.dimensions][1] for r in known], "s--", color="0.6", label="thesis")
    left.set(xlabel="dimensions", ylabel="accuracy", ylim=(-0.03, 1.03))
    right.plot(across, [r.gaussian for r in rows], "o-", label="Gaussian, floored")
    right.plot(across, [r.mixture for r in rows], "o-", label="mixture")
    right.plot(
        theirs,
        [THESIS[r.dimensions][0] for r in known],
        "s--",
        color="0.6",
        label="thesis, Gaussian",
    )
    right.set(xlabel="dimensions", ylabel="mean log-likelihood")
    for axes in (left, right):
        axes.legend(frameon=False)
        axes.grid(alpha=0.25)
    canvas.tight_layout()
    _save(canvas, path)


def _canvas(width: float, height: float) -> Canvas:
    from matplotlib.figure import Figure as Canvas

    return Canvas(figsize=(width, height), dpi=100, facecolor="white")


def _save(canvas: Canvas, path: str | PathLike[str]) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    data = BytesIO()
    FigureCanvasAgg(canvas).print_png(data, metadata={"Software": None})
    write_file(path, data.getvalue())
