"""A motion model as one picture: energy, strongest eigen-motions, and what it reaches."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from motionloom.models.overview.survey import ModelOverview
from motionloom.polygons import convex_hull
from motionloom.typing import Array
from motionloom.view.canvas import label, new_canvas, write_canvas, write_head
from motionloom.view.figure import Figure, build_figure
from motionloom.view.ink import draw_pose, fit, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_SHELLS = {3: "#fde3cf", 2: "#f9b98a", 1: "#e2681c"}
#: Columns of a point that are drawn, and the sign of the first: from the front, side and above.
_VIEWS = {
    "from the front": (0, 1, 1.0),
    "from the right": (2, 1, 1.0),
    "from above": (0, 2, -1.0),
}
#: How many eigen-motions are drawn.
_DRAWN = 3


def write_model_picture(
    overview: ModelOverview, path: str | PathLike[str], title: str = "motion model"
) -> None:
    """Draw a motion model as a PNG file.

    Parameters
    ----------
    overview : ModelOverview
        As `survey_model` gives it.
    path : path-like
        PNG file.
    title : str
        Heading.
    """
    space = overview.space
    canvas = new_canvas(15, 9)
    rows = canvas.add_gridspec(
        2, 3, left=0.05, right=0.98, top=0.88, bottom=0.06, hspace=0.25, wspace=0.15
    )
    _draw_energy(canvas.add_subplot(rows[0, 0]), overview)
    _draw_eigen_motions(canvas.add_subplot(rows[0, 1:]), overview)
    for k, (name, view) in enumerate(_VIEWS.items()):
        _draw_region(canvas.add_subplot(rows[1, k]), overview, name, view)
    joint = space.skeleton.names[overview.region.joint]
    facts = (
        f"{len(space.names)} takes, {space.n_components} eigen-motions; below: where {joint} comes"
        f" to at frame {overview.region.frame:g} within 1, 2 and 3 standard deviations (orange),"
        " and in the takes (dots)"
    )
    write_head(canvas, title, facts)
    write_canvas(canvas, path)


def _draw_energy(axes: Axes, overview: ModelOverview) -> None:
    energy = 100 * overview.space.energy
    count = np.arange(1, len(energy) + 1)
    axes.plot(count, energy, marker="o", ms=3, color="#2b6cb0")
    axes.axvline(overview.space.n_components, color="0.6", lw=1, ls=":")
    axes.set_ylim(0, 102)
    label(axes, "share of how takes vary that they hold (%)", "eigen-motions")


def _draw_eigen_motions(axes: Axes, overview: ModelOverview) -> None:
    """The mean pose with both ends of the strongest eigen-motions, side by side."""
    space = overview.space
    quiet(axes, "strongest eigen-motions: 2 standard deviations down (pale) and up, mean between")
    width = 1.1
    low = np.array([np.inf, np.inf])
    high = -low
    for k in range(min(_DRAWN, space.n_components)):
        for sign in (-2.0, 0.0, 2.0):
            own = np.zeros(space.n_components)
            own[k] = sign
            values = space.values_at(own, [overview.region.frame])
            figure = build_figure(space.coordinates.to_motion(values, space.frame_time))
            flat = _flat(figure.points[0], _VIEWS["from the front"])
            flat[:, 0] += (3.0 * k + 0.4 * sign + 0.8) * width
            draw_pose(axes, figure, 0, flat, width=2.2, alpha=0.45 if sign < 0 else 1.0)
            low = np.minimum(low, flat.min(axis=0))
            high = np.maximum(high, flat.max(axis=0))
    fit(axes, low - 0.1, high + 0.1)


def _draw_region(
    axes: Axes, overview: ModelOverview, name: str, view: tuple[int, int, float]
) -> None:
    region = overview.region
    quiet(axes, name)
    figure = _mean_pose(overview)
    body = _flat(figure.points[0], view)
    for sigma, color in _SHELLS.items():
        _fill(axes, _flat(region.shells[sigma], view), color)
    draw_pose(axes, figure, 0, body, width=2.5)
    across, up = _flat(region.takes, view).T
    axes.scatter(across, up, s=5, color="black", zorder=10)
    spread = np.concatenate([body, _flat(region.shells[3], view)])
    fit(axes, spread.min(axis=0) - 0.1, spread.max(axis=0) + 0.1)


def _fill(axes: Axes, flat: Array, color: str) -> None:
    if np.ptp(flat, axis=0).min() < 1e-6:
        return  # it does not move that way
    axes.fill(*convex_hull(flat).T, color=color, zorder=0)


def _mean_pose(overview: ModelOverview) -> Figure:
    space = overview.space
    values = space.values_at(np.zeros(space.n_components), [overview.region.frame])
    return build_figure(space.coordinates.to_motion(values, space.frame_time))


def _flat(points: Array, view: tuple[int, int, float]) -> Array:
    across, up, sign = view
    return np.stack([sign * points[..., across], points[..., up]], axis=-1)
