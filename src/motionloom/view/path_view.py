"""The contact sheet's top view: the path, foot prints, and what was asked for and missed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motionloom.constraints.kinds.avoid import HeightMap
from motionloom.constraints.kinds.marks import Line, Mark, Point
from motionloom.motion import GroundTransform
from motionloom.rotations import wrap_angle
from motionloom.view.figure import VELOCITY_TIME, Figure
from motionloom.view.ink import (
    EARTH_INK,
    OBSTACLE_INK,
    PATH_INK,
    SIDE_INK,
    TARGET_INK,
    WAY_INK,
    caption,
    fit,
)
from motionloom.view.surroundings import ground_marks, of_type, solids_of, surfaces_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_path(axes: Axes, figure: Figure, marks: Sequence[Mark]) -> None:
    """Draw the view from above: +Z is up and +X left, so that turning left looks like it.

    Parameters
    ----------
    axes : matplotlib axes
        x and z in metres, x growing to the left.
    figure : Figure
        Its body, feet and contacts.
    marks : sequence of Mark
        What was asked for; places of the body with how far it is from them.
    """
    body = figure.body
    _draw_surroundings(axes, marks)
    for role, side in (("left_foot", 1), ("right_foot", 2)):
        if role in figure.roles:
            trace = figure.points[:, figure.roles[role]]
            axes.plot(trace[:, 0], trace[:, 2], color=SIDE_INK[side], lw=0.6, alpha=0.45, zorder=1)
    for contact in figure.contacts:
        at = figure.points[contact.down, contact.point]
        axes.plot(at[:, 0], at[:, 2], ".", ms=4, color=SIDE_INK[contact.side], alpha=0.6, zorder=2)
    axes.plot(body[:, 0], body[:, 1], color=PATH_INK, lw=1.8, zorder=3)
    _draw_facing(axes, figure)
    axes.plot(*body[0, :2], "o", ms=7, mfc="white", mec="0.2", zorder=4)
    axes.plot(*body[-1, :2], "s", ms=7, mfc="0.2", mec="0.2", zorder=4)
    _frame(axes, figure, marks)
    for mark in of_type(marks, Point):
        _draw_point(axes, figure, mark)
    caption(axes, "from above (m); ○ start, ■ end" + ("; ● contacts" if figure.contacts else ""))


def _draw_surroundings(axes: Axes, marks: Sequence[Mark]) -> None:
    """Ground that is not level as contours, obstacles as areas, ways as dashed lines."""
    for surface in surfaces_of(marks):
        if isinstance(surface, HeightMap):
            _draw_heights(axes, surface)
        else:
            # Edges of stairs, and both ends of slopes.
            axes.plot(*surface.grid[..., [0, 2]].T, color=EARTH_INK, lw=1.0, zorder=0.5)
    for solid in solids_of(marks):
        corners = solid.outline
        axes.fill(*corners.T, color=OBSTACLE_INK, alpha=0.25, lw=0, zorder=1)
        axes.plot(*np.concatenate([corners, corners[:1]]).T, color=OBSTACLE_INK, lw=1.4, zorder=2)
    for line in of_type(marks, Line):
        axes.plot(*line.places.T, color=WAY_INK, lw=1.6, ls=(0, (5, 2)), zorder=2.5)
        axes.plot(*np.array(line.knots).T, "o", ms=4, mfc="white", mec=WAY_INK, zorder=2.6)


def _draw_heights(axes: Axes, surface: HeightMap) -> None:
    """Heights as shades, the higher the darker, with some contours and their heights in metres."""
    grid = surface.grid
    x = grid[0, :, 0]
    y = grid[..., 1]
    z = grid[:, 0, 2]
    if np.ptp(y) == 0:
        axes.fill(
            x[[0, -1, -1, 0]], z[[0, 0, -1, -1]], color=OBSTACLE_INK, alpha=0.1, lw=0, zorder=0.4
        )
        return
    axes.contourf(x, z, y, levels=12, cmap="YlOrBr", alpha=0.45, zorder=0.4)
    lines = axes.contour(x, z, y, levels=5, colors=OBSTACLE_INK, linewidths=0.7, zorder=0.5)
    axes.clabel(lines, fontsize=7, fmt="%.2g")


def _draw_point(axes: Axes, figure: Figure, mark: Point) -> None:
    """A place of the body or of a joint, a velocity as an arrow; else a note where the body is."""
    if mark.is_on_ground:
        _draw_stand(axes, figure, mark)
    elif mark.ground is not None:
        axes.plot(*mark.ground, "*", ms=12, mfc="none", mec=TARGET_INK, mew=1.4, zorder=6)
    elif mark.velocity is None and mark.end is None:
        _draw_note(axes, figure, mark)
    at = figure.place_of(mark)
    if mark.velocity is not None and at is not None:
        tip = at + VELOCITY_TIME * np.array(mark.velocity)
        style = {"arrowstyle": "->", "color": TARGET_INK, "lw": 1.6}
        axes.annotate("", (tip[0], tip[2]), (at[0], at[2]), arrowprops=style, zorder=6)


def _draw_note(axes: Axes, figure: Figure, mark: Point) -> None:
    at = figure.stand_at(mark.time).ground
    axes.plot(*at, "D", ms=7, mfc="none", mec=TARGET_INK, mew=1.4, zorder=6)
    # Names of clips may be long: they go where there is more room.
    on_left = axes.transAxes.inverted().transform(axes.transData.transform(at))[0] < 0.5
    _note(axes, at, f"{mark.time:g} s: {mark.text}", (9 if on_left else -9, -14), on_left)


def _note(
    axes: Axes, at: np.ndarray, text: str, offset: tuple[int, int], to_the_right: bool = True
) -> None:
    axes.annotate(
        text,
        tuple(at),
        offset,
        textcoords="offset points",
        fontsize=8,
        color=TARGET_INK,
        ha="left" if to_the_right else "right",
        zorder=7,
        parse_math=False,
    )


def _draw_facing(axes: Axes, figure: Figure) -> None:
    """Short ticks along the path that show where the body faces, and the time at some of them."""
    if not len(figure.bones):
        return
    frames = np.unique(np.linspace(0, figure.n_frames - 1, 13).round().astype(int))
    tick = 0.14 * figure.height
    for i, frame in enumerate(frames):
        stand = GroundTransform.of_body(figure.body[frame])
        at = stand.ground
        axes.plot(*np.stack([at, at + tick * stand.ahead]).T, color="0.35", lw=1.1, zorder=3)
        if i % 3 == 0:
            axes.annotate(
                f"{frame * figure.frame_time:.1f} s",
                tuple(at),
                (5, -9),
                textcoords="offset points",
                fontsize=7.5,
                color="0.4",
            )


def _draw_stand(axes: Axes, figure: Figure, mark: Point) -> None:
    """A place of the body as an arrow, joined to where the body is at that time, with the error."""
    body = figure.stand_at(mark.time)
    wanted = mark.stand
    at = wanted.ground
    error = f"{100 * np.hypot(*(body.ground - at)):.1f} cm"
    axes.plot(*np.stack([at, body.ground]).T, color=TARGET_INK, lw=1.2, ls=":", zorder=5)
    axes.plot(*at, "o", ms=6, color=TARGET_INK, zorder=6)
    if mark.facing is not None:
        tip = at + 0.28 * figure.height * wanted.ahead
        style = {"arrowstyle": "-|>", "color": TARGET_INK, "lw": 1.6}
        axes.annotate("", tuple(tip), tuple(at), arrowprops=style, zorder=6)
        off = np.degrees(wrap_angle(body.angle - wanted.angle))
        error += f", {abs(off):.1f}°"
    _note(axes, at, f"{mark.time:g} s: {error}", (7, 6))


def _frame(axes: Axes, figure: Figure, marks: Sequence[Mark]) -> None:
    seen = np.concatenate([figure.body[:, :2], ground_marks(marks)])
    low = seen.min(axis=0)
    high = seen.max(axis=0)
    room = np.maximum(0.3 * figure.height, (1.3 * figure.height - (high - low)) / 2)
    fit(axes, low - room, high + room)
    axes.invert_xaxis()
    axes.grid(color="0.92", lw=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=8, colors="0.45", length=0)
    for spine in axes.spines.values():
        spine.set_color("0.85")
