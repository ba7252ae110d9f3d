"""A gait space as one picture: coefficients, frequency and transition over speed, and poses.

What was found in clips as a picture: how far the feet swing about the hips, and their events.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.gait.cycles.find import FoundGait
from motionloom.gait.cycles.tracks import SIDES
from motionloom.gait.path.tables.table import motion_of
from motionloom.gait.space.space import GaitSpace
from motionloom.gait.survey import GaitOverview
from motionloom.motion import Motion
from motionloom.typing import Array
from motionloom.view.canvas import label, new_canvas, write_canvas, write_head
from motionloom.view.figure import LEFT, RIGHT, build_figure
from motionloom.view.ink import SIDE_INK, draw_pose, fit, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Colours of people, in their order.
_COLORS = ("#2b6cb0", "#e2681c", "#2f855a", "#9b2c8a", "#8a6d1b", "#555555", "#c53030", "#319795")
_MARKS = {"walk": "o", "run": "^"}
_INK = {"left": SIDE_INK[LEFT], "right": SIDE_INK[RIGHT]}
_SHADE = {"walk": "#dcead9", "run": "#fbe3d0"}
#: More clips than this are left out of a picture.
MOST = 40
#: Poses drawn of each cycle, and cycles drawn.
_POSES = 8
_SHOWN = 3


def write_gait_picture(
    overview: GaitOverview, path: str | PathLike[str], title: str = "gait space"
) -> None:
    """Draw a gait space as a PNG file.

    Parameters
    ----------
    overview : GaitOverview
        As `survey_gait` gives it.
    path : path-like
        PNG file.
    title : str
        Heading.
    """
    canvas = new_canvas(16, 11)
    grid = canvas.add_gridspec(
        3, 4, left=0.045, right=0.985, top=0.92, bottom=0.05, hspace=0.32, wspace=0.22
    )
    _draw_energy(canvas.add_subplot(grid[0, 0]), overview.space)
    for k in range(2):
        _draw_coefficients(canvas.add_subplot(grid[0, 1 + k]), overview.space, k)
    _draw_frequency(canvas.add_subplot(grid[0, 3]), overview.space)
    _draw_transition([canvas.add_subplot(grid[1, k]) for k in range(4)], overview)
    _draw_cycles(canvas.add_subplot(grid[2, :]), overview.space)
    write_head(canvas, title)
    write_canvas(canvas, path)


def _draw_energy(axes: Axes, space: GaitSpace) -> None:
    for behaviour, own in space.spaces.items():
        energy = 100 * own.basis.energy[:20]
        marker = _MARKS[behaviour]
        axes.plot(np.arange(1, len(energy) + 1), energy, marker=marker, ms=3, label=behaviour)
    axes.set_ylim(0, 102)
    axes.legend(fontsize=8)
    label(axes, "variance held by the first components (%)", "components")


def _draw_takes(axes: Axes, space: GaitSpace, behaviour: str, values: Array) -> None:
    """One number of every take over its speed, in the colour of its person."""
    takes = space.spaces[behaviour].line.takes
    for person, pace, value in zip(takes.persons, takes.pace, values, strict=True):
        speed = pace * space.bodies[person].hip_height
        color = _COLORS[space.persons.index(person) % len(_COLORS)]
        axes.plot(speed, value, _MARKS[behaviour], color=color, ms=4, label=person)


def _draw_coefficients(axes: Axes, space: GaitSpace, k: int) -> None:
    """Coefficients of takes over speed, and the line of everybody."""
    for behaviour, own in space.spaces.items():
        takes = own.line.takes
        if len(own.basis.axes) <= k:
            continue
        values = own.basis.coefficients(takes.rows)[:, k]
        _draw_takes(axes, space, behaviour, values)
        pace = np.linspace(takes.pace.min(), takes.pace.max(), 2)
        line = own.basis.coefficients(own.line.population(np.column_stack([pace, 0 * pace])))
        axes.plot(pace * space.body().hip_height, line[:, k], color="0.5", lw=1)
    label(axes, f"coefficient {k + 1} of takes: walk o, run ^", "m/s")


def _draw_frequency(axes: Axes, space: GaitSpace) -> None:
    for behaviour, own in space.spaces.items():
        takes = own.line.takes
        paces = zip(takes.persons, takes.pace, strict=True)
        usual = np.array([own.law.at(pace, 1.0, person) for person, pace in paces])
        _draw_takes(axes, space, behaviour, usual * np.exp(takes.extra))
        height = space.body().hip_height
        low, high = takes.pace.min() * height, takes.pace.max() * height
        speeds = np.linspace(0.7 * low, 1.2 * high, 40)
        axes.plot(speeds, [own.law.at(v, height) for v in speeds], color="0.4", lw=1)
    marks, names = axes.get_legend_handles_labels()
    shown = dict(zip(names, marks, strict=True))
    if len(shown) <= len(_COLORS):
        axes.legend(shown.values(), shown.keys(), fontsize=6)
    label(axes, "cycles per second", "m/s")


def _draw_transition(places: list[Axes], overview: GaitOverview) -> None:
    transition = overview.transition
    if transition is None:
        for axes in places:
            axes.axis("off")
        places[0].text(0, 0.5, "one behaviour only: no transition", fontsize=9)
        return
    curves = (
        ("first component of both, walk and run", transition.coefficients),
        ("share of the cycle that a foot is down", transition.duty),
        ("step length, m", transition.step),
    )
    for axes, (title, values) in zip(places, curves, strict=False):
        for behaviour, curve in values.items():
            axes.plot(transition.speeds, curve, label=behaviour)
        axes.axvline(transition.meeting, color="0.5", ls=":")
        axes.legend(fontsize=7)
        label(axes, title, "m/s")
    places[3].plot(transition.speeds, np.degrees(transition.apart), color="#c53030")
    places[3].axvline(transition.meeting, color="0.5", ls=":")
    title = f"degrees from walk to run; they meet at {transition.meeting:.2f} m/s"
    label(places[3], title, "m/s")


def _draw_cycles(axes: Axes, space: GaitSpace) -> None:
    """Poses of made cycles at speeds through the trusted range, from the right."""
    quiet(axes, "made cycles over the trusted speeds of nobody in particular, to scale")
    places: list[Array] = []
    names = []
    start = 0.0
    for behaviour in space.spaces:
        low, high = space.trust(behaviour).trusted
        for speed in np.linspace(low, high, _SHOWN):
            names.append((start, f"{behaviour} {speed:.2f} m/s"))
            figure = build_figure(cycle_motion(space, float(speed), behaviour))
            for k in range(_POSES):
                frame = k * (figure.n_frames - 1) // (_POSES - 1)
                pose = figure.points[frame]
                flat = np.column_stack([pose[:, 2] + start, pose[:, 1]])
                draw_pose(axes, figure, frame, flat, width=1.4)
                places.append(flat)
            start = float(max(p[:, 0].max() for p in places)) + 0.5
    everything = np.concatenate(places)
    fit(axes, everything.min(axis=0) - 0.15, everything.max(axis=0) + 0.05)
    for place, name in names:
        axes.text(place, -0.12, name, fontsize=8, va="top")


def cycle_motion(
    space: GaitSpace, speed: float, behaviour: str | None = None, person: str | None = None
) -> Motion:
    """One made cycle as a motion along +Z, a frame for each sample.

    Parameters
    ----------
    space : GaitSpace
        Where it comes from.
    speed : float, metres per second
        Asked for.
    behaviour, person : str, optional
        As of `GaitSpace.cycle`.

    Returns
    -------
    Motion
    """
    cycle = space.cycle(speed, person, behaviour)
    body = space.body(person)
    places = cycle.deviations.copy()
    places[:, 2] += cycle.length * np.arange(cycle.n_samples) / cycle.n_samples
    return motion_of(body, cycle.rotations, places, cycle.duration / cycle.n_samples)


def write_found_picture(found: Mapping[str, FoundGait], path: str | PathLike[str]) -> int:
    """Draw strikes, offs and strides of clips as a PNG file.

    Parameters
    ----------
    found : mapping of str to FoundGait
        By the clips' names.
    path : path-like
        PNG file.

    Returns
    -------
    int
        How many clips were left out: the picture holds `MOST`.
    """
    shown = list(found.items())[:MOST]
    canvas = new_canvas(14, 0.4 + 1.7 * len(shown), 80)
    axes = canvas.subplots(len(shown), 1, squeeze=False)[:, 0]
    for place, (name, gait) in zip(axes, shown, strict=True):
        _draw(place, name, gait)
    canvas.subplots_adjust(left=0.04, right=0.99, top=1 - 0.3 / len(shown), bottom=0.02, hspace=0.5)
    write_canvas(canvas, path)
    return len(found) - len(shown)


def _draw(axes: Any, name: str, gait: FoundGait) -> None:
    tracks = gait.tracks
    times = (tracks.first + np.arange(tracks.n_frames)) / tracks.fps
    for stride in gait.strides:
        shade = _SHADE[stride.behaviour]
        axes.axvspan(stride.start, stride.stop, color=shade, alpha=0.6, lw=0)
    for k, side in enumerate(SIDES):
        ahead = tracks.ahead[:, k]
        axes.plot(times, ahead, color=_INK[side], lw=1)
        for kind, mark in (("strike", "v"), ("off", "^")):
            when = gait.of(kind, side)
            height = np.interp(when, times, ahead)
            axes.plot(when, height, mark, color=_INK[side], ms=5)
    strikes = sum(e.kind == "strike" for e in gait.events)
    straight = sum(s.straight for s in gait.strides)
    axes.set_title(
        f"{name}: {strikes} strikes (v), {len(gait.strides)} strides (shaded), {straight} straight;"
        " ankles ahead of the hips, m, left blue, right orange",
        fontsize=8,
        loc="left",
    )
    axes.tick_params(labelsize=6)
