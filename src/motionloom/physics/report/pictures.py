"""Pictures of a motion's physics: the zero moment point over the polygon, forces over plates."""

from __future__ import annotations

import base64
import html
from os import PathLike
from typing import Any

import numpy as np

from motionloom.io.files import write_file
from motionloom.physics.ground.balance import TOLERANCE, Balance
from motionloom.physics.ground.sharing import GroundForces
from motionloom.physics.plates.compare import PlateSeries
from motionloom.physics.report.figures import PhysicsReport
from motionloom.typing import Array
from motionloom.view.canvas import new_canvas, png_of
from motionloom.view.ink import SIDE_INK, caption

_, _LEFT, _RIGHT = SIDE_INK
_MEASURED = "#333333"
_BOTH = "#2a9d5c"
#: Polygons that are drawn on the map.
_MOST_POLYGONS = 60


def write_physics_picture(
    path: str | PathLike[str],
    balance: Balance,
    forces: GroundForces,
    plates: PlateSeries | None = None,
    title: str = "",
) -> None:
    """Write a PNG: map of balance, distance to the edge, force curves, friction, torques.

    Parameters
    ----------
    path : path-like
        The PNG file.
    balance : Balance
        Of the motion.
    forces : GroundForces
        Shared among the feet.
    plates : PlateSeries, optional
        Measured, drawn behind.
    title : str
        Above all.
    """
    write_file(path, _draw(balance, forces, plates, title))


def write_physics_page(
    path: str | PathLike[str],
    report: PhysicsReport,
    balance: Balance,
    forces: GroundForces,
    plates: PlateSeries | None = None,
) -> None:
    """Write a page with the figures and the picture, all in one file.

    Parameters
    ----------
    path : path-like
        The HTML file.
    report : PhysicsReport
        Figures.
    balance : Balance
        Of the motion.
    forces : GroundForces
        Shared among the feet.
    plates : PlateSeries, optional
        Measured.
    """
    picture = base64.b64encode(_draw(balance, forces, plates, "")).decode()
    name = html.escape(report.name)
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>Physics of {name}</title>"
        "<style>body{font:15px sans-serif;margin:2em auto;max-width:75em;color:#222}"
        "table{border-spacing:1em 0;text-align:left}img{width:100%}</style></head>"
        f"<body>{report.to_html()}"
        f'<img alt="Balance, forces and torques of {name} over time"'
        f' src="data:image/png;base64,{picture}"></body></html>\n'
    )
    write_file(path, page)


def _draw(balance: Balance, forces: GroundForces, plates: PlateSeries | None, title: str) -> bytes:

    figure = new_canvas(14, 10, layout="constrained")
    grid = figure.add_gridspec(4, 2, width_ratios=(1, 1.4))
    times = np.arange(len(balance.zmp)) / balance.fps
    _draw_map(figure.add_subplot(grid[:, 0]), balance, plates)
    first = figure.add_subplot(grid[0, 1])
    _draw_forces(first, times, balance, forces, plates)
    _draw_distance(figure.add_subplot(grid[1, 1], sharex=first), times, balance)
    _draw_friction(figure.add_subplot(grid[2, 1], sharex=first), times, balance)
    _draw_torques(figure.add_subplot(grid[3, 1], sharex=first), times, balance, forces)
    if title:
        figure.suptitle(title, x=0.01, ha="left")
    return png_of(figure)


def _draw_map(axes: Any, balance: Balance, plates: PlateSeries | None) -> None:
    """The ground from above: polygons, zero moment point, centre of mass."""
    from matplotlib.patches import Polygon

    counts = balance.polygons.counts
    held = np.flatnonzero(counts > 2)
    for t in held[:: max(1, len(held) // _MOST_POLYGONS)]:
        outline = balance.polygons.vertices[t, : counts[t]]
        axes.add_patch(Polygon(outline, fill=True, fc="#bbbbbb", alpha=0.10, lw=0))
        axes.add_patch(Polygon(outline, fill=False, ec="#999999", lw=0.4))
    center = balance.dynamics.center
    axes.plot(center[:, 0], center[:, 2], color="#aaaaaa", lw=1, label="centre of mass")
    axes.plot(*balance.zmp.T, color=_BOTH, lw=1.2, label="zero moment point")
    out = np.nan_to_num(balance.distance, nan=np.inf) < -TOLERANCE
    axes.plot(*balance.zmp[out].T, ".", color="#c0392b", ms=4, label="more than 5 cm outside")
    if plates is not None:
        pressure = np.where(plates.carried[:, None], plates.pressure, np.nan)
        axes.plot(*pressure.T, color=_MEASURED, lw=1, ls="--", label="plates")
    axes.set_aspect("equal", adjustable="datalim")
    axes.invert_xaxis()
    axes.legend(fontsize=8, frameon=False, loc="best")
    axes.set_xlabel("x, metres")
    axes.set_ylabel("z, metres")
    caption(axes, "support polygons from above")


def _draw_forces(
    axes: Any,
    times: Array,
    balance: Balance,
    forces: GroundForces,
    plates: PlateSeries | None,
) -> None:
    axes.plot(times, balance.load, color=_BOTH, lw=1.2, label="both feet")
    for foot, name in enumerate(forces.feet):
        color = _LEFT if name.startswith("left") else _RIGHT
        share = forces.foot_forces[:, foot, 1] / balance.weight
        axes.plot(times, share, color=color, lw=1, label=name.replace("_", " "))
    if plates is not None:
        measured = plates.wrench[:, 1] / balance.weight
        axes.plot(times, measured, color=_MEASURED, lw=1, ls="--", label="plates")
    axes.axhline(1.0, color="#dddddd", lw=0.8, zorder=0)
    axes.set_ylim(-0.2, float(np.clip(np.nanquantile(balance.load, 0.995) * 1.3, 1.5, 6.0)))
    axes.legend(fontsize=8, frameon=False, ncols=4, loc="upper right")
    caption(axes, "vertical force, body weights")


def _draw_distance(axes: Any, times: Array, balance: Balance) -> None:
    distance = 100 * balance.distance
    axes.axhline(0.0, color="#dddddd", lw=0.8)
    axes.fill_between(
        times, distance, 0, where=distance < 0, color="#c0392b", alpha=0.4, interpolate=True
    )
    axes.plot(times, distance, color=_BOTH, lw=1.2)
    axes.set_ylim(-25, 20)
    caption(axes, "zero moment point to the polygon's edge, cm; outside is negative")


def _draw_friction(axes: Any, times: Array, balance: Balance) -> None:
    axes.plot(times, balance.friction, color=_BOTH, lw=1.2)
    axes.set_ylim(0, 1.2)
    caption(axes, "friction used: horizontal over vertical force")


def _draw_torques(axes: Any, times: Array, balance: Balance, forces: GroundForces) -> None:
    sizes = np.linalg.norm(forces.torques, axis=-1) / balance.body.mass
    for part, style in (("hip", "-"), ("knee", "--"), ("foot", ":")):
        for side, color in (("left", _LEFT), ("right", _RIGHT)):
            joint = balance.body.roles.joint(f"{side}_{part}")
            if joint is not None:
                label = f"{side} {'ankle' if part == 'foot' else part}"
                series = sizes[:, balance.body.link(joint)]
                axes.plot(times, series, style, color=color, lw=1, label=label)
    axes.set_ylim(0, 4)
    axes.legend(fontsize=7, frameon=False, ncols=6, loc="upper right")
    axes.set_xlabel("seconds")
    caption(axes, "joint torques, Nm/kg")
