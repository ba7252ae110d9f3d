"""The physics of a motion in numbers.

Pictures of a motion's physics: the zero moment point over the polygon, forces over plates.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import compress
from os import PathLike
from typing import Any

import numpy as np

from motionloom.curves import runs_of
from motionloom.io.files import write_file
from motionloom.physics.body._limits import beyond_limits
from motionloom.physics.ground._balance import TOLERANCE, Balance, balanced_share
from motionloom.physics.ground._sharing import GroundForces
from motionloom.physics.plates.compare import PlateComparison, PlateSeries, flight_load
from motionloom.physics.quality import PhysicalQuality, quality_of
from motionloom.posed_motion import PosedMotion
from motionloom.reports import Report, Reported, Section, rows_of, shown, table_of
from motionloom.typing import Array
from motionloom.view.canvas import new_canvas, png_of
from motionloom.view.ink import SIDE_INK, caption

__all__ = ["PhysicsReport", "make_report", "write_physics_page", "write_physics_picture"]

#: Joints whose torques are told, by role.
TOLD = ("hip", "knee", "foot", "shoulder", "elbow")
#: Most spells of imbalance that are named.
MOST_SPELLS = 5
_NEAR = f"zero moment point within {100 * TOLERANCE:.0f} cm of the polygon"

_, _LEFT, _RIGHT = SIDE_INK
_MEASURED = "#333333"
_BOTH = "#2a9d5c"
_OUT = "#c0392b"
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
    distance, friction, torques = (figure.add_subplot(grid[i, 1], sharex=first) for i in (1, 2, 3))
    _draw_forces(first, times, balance, forces, plates)
    _draw_distance(distance, times, balance)
    friction.plot(times, balance.friction, color=_BOTH, lw=1.2)
    friction.set_ylim(0, 1.2)
    caption(friction, "friction used: horizontal over vertical force")
    _draw_torques(torques, times, balance, forces)
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
        axes.add_patch(Polygon(outline, fc=("#bbbbbb", 0.10), ec="#999999", lw=0.4))
    center = balance.dynamics.center
    axes.plot(center[:, 0], center[:, 2], color="#aaaaaa", lw=1, label="centre of mass")
    axes.plot(*balance.zmp.T, color=_BOTH, lw=1.2, label="zero moment point")
    out = np.nan_to_num(balance.distance, nan=np.inf) < -TOLERANCE
    axes.plot(*balance.zmp[out].T, ".", color=_OUT, ms=4, label="more than 5 cm outside")
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
    axes: Any, times: Array, balance: Balance, forces: GroundForces, plates: PlateSeries | None
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
    axes.fill_between(times, np.minimum(distance, 0), 0, color=_OUT, alpha=0.4)
    axes.plot(times, distance, color=_BOTH, lw=1.2)
    axes.set_ylim(-25, 20)
    caption(axes, "zero moment point to the polygon's edge, cm; outside is negative")


def _draw_torques(axes: Any, times: Array, balance: Balance, forces: GroundForces) -> None:
    sizes = np.linalg.norm(forces.torques, axis=-1) / balance.body.mass
    for part, style in (("hip", "-"), ("knee", "--"), ("foot", ":")):
        for side, color in (("left", _LEFT), ("right", _RIGHT)):
            joint = balance.body.roles.joint(f"{side}_{part}")
            if joint is not None:
                label = f"{side} {part}".replace("foot", "ankle")
                series = sizes[:, balance.body.link(joint)]
                axes.plot(times, series, style, color=color, lw=1, label=label)
    axes.set_ylim(0, 4)
    axes.legend(fontsize=7, frameon=False, ncols=6, loc="upper right")
    axes.set_xlabel("seconds")
    caption(axes, "joint torques, Nm/kg")


@dataclass(frozen=True)
class Spell:
    """A stretch of time in which the zero moment point lies outside.

    Parameters
    ----------
    start, stop : float, seconds
        Begin and end.
    outside : float, centimetres
        Farthest from the polygon.
    foot : str
        What the body stands on.
    """

    start: float = field(metadata=shown("from", "s"))
    stop: float = field(metadata=shown("to", "s"))
    outside: float = field(metadata=shown("outside", "cm", ".0f"))
    foot: str = field(metadata=shown("stands"))


@dataclass(frozen=True)
class PhysicsReport(Reported):
    """The physics of one motion.

    Parameters
    ----------
    name : str
        Of the motion.
    n_frames : int
        T.
    fps : float
        Frames per second.
    height, mass : float, metres and kilograms
        Of the body.
    notes : tuple of str
        What was guessed.
    smoothing : str
        What was filtered.
    load_mean, load_max : float, body weights
        Vertical force on the body.
    flight_load : float, body weights
        Largest mean force in a flight; NaN without flight.
    single_share, double_share : float
        Shares of frames on one foot and on two.
    balanced, balanced_single, balanced_strictly : float
        Shares of the frames with support (on one foot) whose zero moment point lies within the
        polygon or up to 5 cm outside, and of those where it lies within.
    friction_p95 : float
        95th percentile of horizontal over vertical force.
    missing_force, missing_moment : float
        Mean part of the wrench that feet in contact cannot give, body weights and body weights
        times stature.
    peak_torques : mapping of str to float, newton metres per kilogram
        Largest torque of each joint, by role.
    peak_power : mapping of str to float, watts per kilogram
        Largest power, generated (positive) or absorbed.
    angular_momentum : float
        Largest about the centre of mass, over mass, stature squared and second.
    beyond : mapping of str to float, degrees
        Joints that bend beyond their range, and by how much.
    spells : tuple of Spell
        The longest stretches of imbalance.
    quality : PhysicalQuality
        Terms of the motion's quality.
    plates : PlateComparison, optional
        Against force plates.
    """

    name: str
    n_frames: int
    fps: float
    height: float = field(metadata=shown("height", "m"))
    mass: float = field(metadata=shown("mass", "kg", ".1f"))
    notes: tuple[str, ...]
    smoothing: str = field(metadata=shown("filters"))
    load_mean: float = field(metadata=shown("vertical force, mean", "body weights", ".3f"))
    load_max: float = field(metadata=shown("vertical force, largest", "body weights"))
    flight_load: float = field(metadata=shown("vertical force in flight", "body weights", ".3f"))
    single_share: float = field(metadata=shown("on one foot", "%", ".0f", 100))
    double_share: float = field(metadata=shown("on two feet", "%", ".0f", 100))
    balanced: float = field(metadata=shown(_NEAR, "%", ".1f", 100))
    balanced_single: float = field(metadata=shown(f"{_NEAR}, on one foot", "%", ".1f", 100))
    balanced_strictly: float = field(
        metadata=shown("zero moment point inside the polygon", "%", ".1f", 100)
    )
    friction_p95: float = field(metadata=shown("friction that 95 % of frames need"))
    missing_force: float = field(
        metadata=shown("force that the feet cannot give", "body weights", ".3f")
    )
    missing_moment: float = field(
        metadata=shown("moment that the feet cannot give", "body weights x stature", ".3f")
    )
    peak_torques: Mapping[str, float] = field(metadata=shown("torque, largest", "Nm/kg"))
    peak_power: Mapping[str, float] = field(metadata=shown("power, largest", "W/kg"))
    angular_momentum: float = field(metadata=shown("angular momentum, largest", "m H^2/s", ".3f"))
    beyond: Mapping[str, float] = field(
        metadata=shown("joints beyond their ranges", "degrees", ".0f")
    )
    spells: tuple[Spell, ...]
    quality: PhysicalQuality = field(metadata=shown())
    plates: PlateComparison | None = None

    def as_report(self) -> Report:
        """Figures, stretches of imbalance, and the comparison with force plates."""
        plates = () if self.plates is None else rows_of(self.plates)
        return self.compose(
            f"{self.name}: {self.n_frames} frames at {self.fps:g} fps",
            *rows_of(self),
            table_of("Longest imbalances", self.spells),
            Section("Against force plates", plates),
        )


def make_report(
    posed: PosedMotion,
    balance: Balance,
    forces: GroundForces,
    plates: PlateComparison | None = None,
) -> PhysicsReport:
    """Gather the figures of one motion.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    balance : Balance
        Its analysis.
    forces : GroundForces
        Shared among the feet.
    plates : PlateComparison, optional
        Against force plates.

    Returns
    -------
    PhysicsReport
    """
    body = balance.body
    feet = balance.contacts.feet_down.sum(axis=1)
    used = balance.friction[np.isfinite(balance.distance) & np.isfinite(balance.friction)]
    support = balance.contacts.support
    missing = np.linalg.norm(forces.missing.reshape(-1, 2, 3), axis=-1)[support] / balance.weight
    force, moment = missing.mean(axis=0) if len(missing) else (0.0, 0.0)
    spin = np.linalg.norm(balance.dynamics.momentum[:, 3:], axis=-1)
    return PhysicsReport(
        name=posed.motion.name or "motion",
        n_frames=posed.n_frames,
        fps=posed.fps,
        height=body.height,
        mass=body.mass,
        notes=body.notes,
        smoothing=balance.smoothing.in_words(posed.fps),
        load_mean=float(balance.load.mean()),
        load_max=float(balance.load.max()),
        flight_load=flight_load(balance),
        single_share=float(np.mean(feet == 1)),
        double_share=float(np.mean(feet > 1)),
        balanced=balanced_share(balance.distance),
        balanced_single=balanced_share(balance.distance[feet == 1]),
        balanced_strictly=balanced_share(balance.distance, 0.0),
        friction_p95=float(np.quantile(used, 0.95)) if len(used) else np.nan,
        missing_force=float(force),
        missing_moment=float(moment / body.height),
        peak_torques=_peaks(balance, np.linalg.norm(forces.torques, axis=-1)),
        peak_power=_peaks(balance, np.einsum("tli,tli->tl", forces.torques, balance.state.spins)),
        angular_momentum=float(spin.max(initial=0.0) / body.mass / body.height**2),
        beyond=beyond_limits(posed),
        spells=tuple(_spells(balance)),
        quality=quality_of(balance),
        plates=plates,
    )


def _peaks(balance: Balance, series: Array) -> dict[str, float]:
    """Largest of both sides per kilogram, with its sign, by role."""
    found = {}
    for part in TOLD:
        joints = [balance.body.roles.joint(f"{side}_{part}") for side in ("left", "right")]
        links = [balance.body.link(joint) for joint in joints if joint is not None]
        if links:
            values = series[:, links].T.ravel()
            largest = float(values[np.argmax(np.abs(values))])
            found["ankle" if part == "foot" else part] = largest / balance.body.mass
    return found


def _spells(balance: Balance) -> list[Spell]:
    """The longest stretches in which the zero moment point lies too far outside."""
    outside = np.nan_to_num(balance.distance, nan=np.inf) < -TOLERANCE
    runs = sorted(runs_of(outside), key=lambda r: r[0] - r[1])
    found = []
    for start, stop in sorted(runs[:MOST_SPELLS]):
        down = balance.contacts.feet_down[(start + stop) // 2]
        feet = " and the ".join(compress(balance.contacts.soles.feet, down)).replace("_", " ")
        far = float(-100 * balance.distance[start:stop].min())
        found.append(Spell(start / balance.fps, stop / balance.fps, far, f"on the {feet}"))
    return found
