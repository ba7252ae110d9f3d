"""The top view on the contact sheet: the body's path, foot prints, checkpoints and how far off the body is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.view.figure import Figure
from motionloom.view.ink import PATH_INK, SIDE_INK, TARGET_INK, caption, fit

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_path(axes: Axes, figure: Figure, targets: ConstraintSet | None) -> None:
    """Draw what is seen from above: +Z is up and +X to the left, so that turning left looks like turning left."""
    body = figure.body
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
        axes.plot(joint.position[0], joint.position[2], "*", ms=12, mfc="none", mec=TARGET_INK, mew=1.4, zorder=6)
    _frame(axes, figure, targets)
    caption(axes, "from above (m); ○ start, ■ end" + ("; ● contacts" if figure.contacts else ""))


def _draw_facing(axes: Axes, figure: Figure) -> None:
    """Short ticks along the path that show where the body faces, and the time at some of them."""
    if not len(figure.bones):
        return
    frames = np.unique(np.linspace(0, figure.n_frames - 1, 13).round().astype(int))
    tick = 0.14 * figure.height
    for i, frame in enumerate(frames):
        x, z, facing = figure.body[frame]
        axes.plot([x, x + tick * np.sin(facing)], [z, z + tick * np.cos(facing)], color="0.35", lw=1.1, zorder=3)
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
    axes.annotate(
        f"{target.time:g} s: {error}",
        tuple(at),
        (7, 6),
        textcoords="offset points",
        fontsize=8,
        color=TARGET_INK,
        zorder=7,
    )


def _frame(axes: Axes, figure: Figure, targets: ConstraintSet | None) -> None:
    marks = [t.position for t in targets.body] if targets else []
    marks += [(t.position[0], t.position[2]) for t in targets.joints] if targets else []
    seen = np.concatenate([figure.body[:, :2], np.array(marks).reshape(-1, 2)])
    low, high = seen.min(axis=0), seen.max(axis=0)
    room = np.maximum(0.3 * figure.height, (1.3 * figure.height - (high - low)) / 2)
    fit(axes, low - room, high + room)
    axes.invert_xaxis()
    axes.grid(color="0.92", lw=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=8, colors="0.45", length=0)
    for spine in axes.spines.values():
        spine.set_color("0.85")
