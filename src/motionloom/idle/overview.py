"""What an idle model knows, for people and for programs.

An idle model as one picture: how its postures differ, how long they stay, what follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.idle.learning.spans import CATEGORIES
from motionloom.idle.model import IdleModel
from motionloom.reports import Column, Report, Row, Table
from motionloom.typing import Array
from motionloom.view.canvas import new_canvas, write_canvas, write_head
from motionloom.view.figure import LEFT, RIGHT, build_figure
from motionloom.view.ink import SIDE_INK, caption, draw_pose, fit, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CATEGORY = (
    Column("", "category"),
    Column("postures", "postures"),
    Column("stay", "stays (least, median, most)", "s", ".1f"),
    Column("share", "share of the time", "%", ".0f", 100),
    Column("next", "then", "%", ".0f", 100),
)


def report_idle(model: IdleModel) -> Report:
    """Postures, shifts, and what happens in each category of balance.

    Parameters
    ----------
    model : IdleModel
        What is reported on.

    Returns
    -------
    Report
    """
    held = np.cumsum(model.space.energy) / model.space.energy.sum()
    shifts = model.shifts
    lasts = np.array([shift.n_frames for shift in shifts]) / model.fps
    minutes = max(model.seconds, 1e-9) / 60
    rows = [row for i, name in enumerate(CATEGORIES) for row in _category(model, i, name)]
    joints = model.space.coordinates.skeleton.n_joints
    of = f" of {model.person}" if model.person else ""
    return Report(
        f"idle model{of}: {model.seconds:.0f} s at {model.fps:g} fps, {joints} joints",
        [
            Row("components", "components of postures", model.space.n_components),
            Row(
                "components_for_95_percent",
                "of them hold 95 % of the energy",
                int(np.searchsorted(held, 0.95)) + 1,
            ),
            Row("shifts", "shifts", len(shifts)),
            Row("shifts_a_minute", "shifts a minute", len(shifts) / minutes, form=".1f"),
            Row("shifts_with_steps", "shifts with steps", sum(s.steps for s in shifts)),
            Row("shift_seconds", "they last (least, median, most)", _spread(lasts), "s", ".1f"),
            Table("Balance", _CATEGORY, rows, "categories"),
        ],
        data={"person": model.person, "seconds": model.seconds, "fps": model.fps, "joints": joints},
        notes=model.notes,
    )


def _category(model: IdleModel, i: int, name: str) -> Iterator[list[Any]]:
    """The values of `_CATEGORY`; nothing for one in which nobody stays."""
    stays = model.stays(name)
    if len(stays):
        share = stays.sum() / sum(rest.stay for rest in model.rests)
        then = dict(zip(CATEGORIES, model.transitions[i], strict=True))
        then = {other: chance for other, chance in then.items() if chance > 0}
        yield [name, len(stays), _spread(stays), share, then]


def _spread(values: Array) -> list[float]:
    """Least, median and largest; empty without values."""
    return list(np.quantile(values, [0.0, 0.5, 1.0])) if len(values) else []


_INK = {"right": SIDE_INK[RIGHT], "both": "0.45", "left": SIDE_INK[LEFT]}
#: Postures that are drawn in full of each category, longest stays first.
_DRAWN = 4


def write_idle_picture(
    model: IdleModel, path: str | PathLike[str], title: str = "idle model"
) -> None:
    """Draw an idle model as a PNG file.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    path : path-like
        PNG file.
    title : str
        Heading.
    """
    canvas = new_canvas(14, 8)
    rows = canvas.add_gridspec(
        2, 3, left=0.05, right=0.98, top=0.87, bottom=0.08, hspace=0.3, wspace=0.2
    )
    shown = sorted(model.rests, key=lambda rest: -rest.stay)
    for k, name in enumerate(CATEGORIES):
        axes = canvas.add_subplot(rows[0, k])
        postures = [rest.posture for rest in shown if rest.category == name][:_DRAWN]
        _draw_postures(axes, model, name, postures)
    _draw_stays(canvas.add_subplot(rows[1, 0]), model)
    _draw_transitions(canvas.add_subplot(rows[1, 1]), model)
    _draw_energy(canvas.add_subplot(rows[1, 2]), model)
    facts = (
        f"{model.seconds:.0f} s, {len(model.rests)} resting postures (up to {_DRAWN} of each"
        f" balance are drawn, from the front), {len(model.shifts)} shifts"
    )
    write_head(canvas, title, facts)
    write_canvas(canvas, path)


def _draw_postures(axes: Axes, model: IdleModel, name: str, postures: list[Array]) -> None:
    quiet(axes, f"balance: {name}")
    if not postures:
        axes.text(0.5, 0.5, "never", ha="center", color="0.5", transform=axes.transAxes)
        return
    figure = build_figure(model.space.to_motion(np.array(postures), 1.0 / model.fps))
    # Seen by who looks at the person: their left is on the right.
    flats = list(figure.points[:, :, :2])
    width = 1.1 * max(float(np.ptp(flat[:, 0])) for flat in flats)
    for k, flat in enumerate(flats):
        draw_pose(axes, figure, k, flat + np.array([k * width, 0.0]))
    every = np.concatenate([f + np.array([k * width, 0.0]) for k, f in enumerate(flats)])
    fit(axes, every.min(axis=0), every.max(axis=0))


def _draw_stays(axes: Axes, model: IdleModel) -> None:
    caption(axes, "how long a posture stays, s")
    for k, name in enumerate(CATEGORIES):
        stays = np.sort(model.stays(name))
        axes.plot(stays, np.full(len(stays), k), "o", color=_INK[name], alpha=0.6)
    axes.set_yticks(range(len(CATEGORIES)), CATEGORIES)
    axes.set_ylim(-0.5, len(CATEGORIES) - 0.5)
    axes.set_xlim(left=0.0)


def _draw_transitions(axes: Axes, model: IdleModel) -> None:
    caption(axes, "what follows (rows: before)")
    axes.imshow(model.transitions, cmap="Oranges", vmin=0.0, vmax=1.0)
    for (row, column), chance in np.ndenumerate(model.transitions):
        if chance > 0:
            axes.text(column, row, f"{100 * chance:.0f} %", ha="center", va="center")
    axes.set_xticks(range(len(CATEGORIES)), CATEGORIES)
    axes.set_yticks(range(len(CATEGORIES)), CATEGORIES)


def _draw_energy(axes: Axes, model: IdleModel) -> None:
    caption(axes, "energy held by the first components, %")
    held = 100 * np.cumsum(model.space.energy) / model.space.energy.sum()
    axes.plot(np.arange(1, len(held) + 1), held, ".-", color="0.3")
    axes.set_ylim(0, 102)
