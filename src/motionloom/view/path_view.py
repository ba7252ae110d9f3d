"""The contact sheet's top view: the path, foot prints, and what was asked for and missed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motionloom.constraints import BodyConstraint, ConstraintSet, HeightMap, JointConstraint
from motionloom.view.figure import VELOCITY_TIME, Figure
from motionloom.view.ink import OBSTACLE_INK, PATH_INK, SIDE_INK, TARGET_INK, WAY_INK, caption, fit
from motionloom.view.surroundings import (
    ground_marks,
    height_grid,
    maps_of,
    outline,
    solids_of,
    ways_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_path(axes: Axes, figure: Figure, targets: ConstraintSet | None) -> None:
    """Draw the view from above: +Z is up and +X left, so that turning left looks like it."""
    body = figure.body
    _draw_surroundings(axes, targets)
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
    for target in targets.body if targets else ():
        _draw_checkpoint(axes, figure, target)
    for joint in targets.joints if targets else ():
        _draw_joint(axes, figure, joint)
    _frame(axes, figure, targets)
    for pose in targets.poses if targets else ():
        at = figure.body[figure.frame_at(pose.time), :2]
        axes.plot(*at, "D", ms=7, mfc="none", mec=TARGET_INK, mew=1.4, zorder=6)
        # Names of clips may be long: they go where there is more room.
        on_left = axes.transAxes.inverted().transform(axes.transData.transform(at))[0] < 0.5
        _note(
            axes,
            at,
            f"{pose.time:g} s: frame {pose.frame} of {pose.clip}",
            (9 if on_left else -9, -14),
            on_left,
        )
    caption(axes, "from above (m); ○ start, ■ end" + ("; ● contacts" if figure.contacts else ""))


def _draw_surroundings(axes: Axes, targets: ConstraintSet | None) -> None:
    """Ground that is not level as contours, obstacles as areas, ways as dashed lines."""
    for ground in maps_of(targets):
        _draw_heights(axes, ground)
    for solid in solids_of(targets):
        corners = outline(solid)
        axes.fill(*corners.T, color=OBSTACLE_INK, alpha=0.25, lw=0, zorder=1)
        axes.plot(*np.concatenate([corners, corners[:1]]).T, color=OBSTACLE_INK, lw=1.4, zorder=2)
    for places, points in ways_of(targets):
        axes.plot(*places.T, color=WAY_INK, lw=1.6, ls=(0, (5, 2)), zorder=2.5)
        axes.plot(*np.array(points).T, "o", ms=4, mfc="white", mec=WAY_INK, zorder=2.6)


def _draw_heights(axes: Axes, ground: HeightMap) -> None:
    """Heights as shades, the higher the darker, with some contours and their heights in metres."""
    grid = height_grid(ground)
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


def _draw_joint(axes: Axes, figure: Figure, target: JointConstraint) -> None:
    """Where a joint is to be, and as an arrow how it is to move."""
    at = figure.place_of(target)
    if target.position is not None:
        axes.plot(
            target.position[0],
            target.position[2],
            "*",
            ms=12,
            mfc="none",
            mec=TARGET_INK,
            mew=1.4,
            zorder=6,
        )
    if target.velocity is not None and at is not None:
        tip = at + VELOCITY_TIME * np.array(target.velocity)
        style = {"arrowstyle": "->", "color": TARGET_INK, "lw": 1.6}
        axes.annotate("", (tip[0], tip[2]), (at[0], at[2]), arrowprops=style, zorder=6)


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
        x, z, facing = figure.body[frame]
        axes.plot(
            [x, x + tick * np.sin(facing)],
            [z, z + tick * np.cos(facing)],
            color="0.35",
            lw=1.1,
            zorder=3,
        )
        if i % 3 == 0:
            axes.annotate(
                f"{frame * figure.frame_time:.1f} s",
                (x, z),
                (5, -9),
                textcoords="offset points",
                fontsize=7.5,
                color="0.4",
            )


def _draw_checkpoint(axes: Axes, figure: Figure, target: BodyConstraint) -> None:
    """A checkpoint as an arrow, joined to where the body is at that time, with the error."""
    x, z, facing = figure.body[figure.frame_at(target.time)]
    at = np.array(target.position)
    error = f"{100 * np.hypot(x - at[0], z - at[1]):.1f} cm"
    axes.plot([at[0], x], [at[1], z], color=TARGET_INK, lw=1.2, ls=":", zorder=5)
    axes.plot(*at, "o", ms=6, color=TARGET_INK, zorder=6)
    if target.facing is not None:
        angle = np.radians(target.facing)
        tip = at + 0.28 * figure.height * np.array([np.sin(angle), np.cos(angle)])
        style = {"arrowstyle": "-|>", "color": TARGET_INK, "lw": 1.6}
        axes.annotate("", tuple(tip), tuple(at), arrowprops=style, zorder=6)
        off = (np.degrees(facing) - target.facing + 180) % 360 - 180
        error += f", {abs(off):.1f}°"
    _note(axes, at, f"{target.time:g} s: {error}", (7, 6))


def _frame(axes: Axes, figure: Figure, targets: ConstraintSet | None) -> None:
    seen = np.concatenate([figure.body[:, :2], ground_marks(targets)])
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
