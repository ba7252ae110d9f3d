"""Curves over time on the contact sheet: heights of the feet with their contacts, and speeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.constraints.kinds.marks import Mark, Point
from motionloom.curves import runs_of
from motionloom.typing import Array
from motionloom.view import ink
from motionloom.view._surroundings import of_type
from motionloom.view.figure import Figure, target_times

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HANDS = (("left_hand", 1), ("right_hand", 2))


def draw_heights(axes: Axes, figure: Figure, marks: Sequence[Mark]) -> None:
    """Height of ankles (thin) and toes over time in centimetres, with bars where contacts are.

    Parameters
    ----------
    axes : matplotlib axes
        Time in seconds along x.
    figure : Figure
        Its feet, or its lowest point where it has none.
    marks : sequence of Mark
        Times of points are drawn as dotted lines.
    """
    times = figure.times
    for foot in figure.feet:
        toe = foot.replace("foot", "toe")
        for role, width in ((foot, 0.7 if toe in figure.roles else 1.4), (toe, 1.4)):
            if role in figure.roles:
                point = figure.roles[role]
                color = ink.SIDE_INK[figure.sides[point]]
                front = "--" if role.endswith("hand") else "-"
                axes.plot(times, 100 * figure.points[:, point, 1], front, color=color, lw=width)
    if not figure.feet:
        lowest = np.where(figure.valid, figure.points[..., 1], np.inf).min(axis=1)
        lowest[np.isinf(lowest)] = np.nan
        axes.plot(times, 100 * lowest, color=ink.SIDE_INK[0], lw=1.2)
    axes.axhline(0, color="0.6", lw=0.8)
    low, high = axes.get_ylim()
    bar = 0.045 * (high - low)
    for row, contact in enumerate(figure.contacts):
        bars = low - (row + 1.2) * bar, 0.8 * bar
        dt = figure.frame_time
        runs = [((a - 0.5) * dt, (b - a) * dt) for a, b in runs_of(contact.down)]
        axes.broken_barh(runs, bars, color=ink.SIDE_INK[contact.side])
    axes.set_ylim(low - (len(figure.contacts) + 1) * bar, high + 2 * bar)
    _frame(axes, figure, marks)
    what = "the feet" if figure.feet else "the lowest point"
    if "left_toe" in figure.roles:
        what = "toes and ankles (thin)"
    if any(foot.endswith("hand") for foot in figure.feet):
        what += ", front paws dashed"
    ink.caption(axes, f"height of {what}, cm" + ("; bars: contacts" if figure.contacts else ""))


def draw_speeds(axes: Axes, figure: Figure, marks: Sequence[Mark]) -> None:
    """Speed of the body on the ground (thick) and of the hands over time in metres per second.

    Parameters
    ----------
    axes : matplotlib axes
        Time in seconds along x.
    figure : Figure
        Its body and, where they were found, its hands.
    marks : sequence of Mark
        Times of points are drawn as dotted lines, stretches as spans.
    """
    hands = [(figure.roles[role], side) for role, side in _HANDS if role in figure.roles]
    speeds = [_find_speed(figure.points[:, point], figure) for point, _ in hands]
    for speed, (_, side) in zip(speeds, hands, strict=True):
        axes.plot(figure.times, speed, color=ink.SIDE_INK[side], lw=0.8, alpha=0.8)
    body = _find_speed(figure.body[:, :2], figure)
    axes.plot(figure.times, body, color=ink.SIDE_INK[0], lw=2)
    # A single jump, such as after a pose of calibration in front of the motion, must not flatten
    # all the rest.
    axes.set_ylim(0, max(1.5 * float(np.quantile([*speeds, body], 0.99)), 0.1))
    _frame(axes, figure, marks)
    _draw_stretches(axes, marks)
    ink.caption(
        axes, f"speed of the body on the ground (thick){' and of the hands' if hands else ''}, m/s"
    )


def _draw_stretches(axes: Axes, marks: Sequence[Mark]) -> None:
    """Spans of time in which something is asked for, with its name."""
    for mark in of_type(marks, Point):
        if mark.end is None:
            continue
        axes.axvspan(mark.time, mark.end, color=ink.WAY_INK, alpha=0.08, lw=0, zorder=0)
        look: Any = {"fontsize": 9, "color": ink.WAY_INK, "ha": "center", "va": "top"}
        transform = axes.get_xaxis_transform()
        at = (mark.time + mark.end) / 2
        axes.text(at, 0.97, mark.text, transform=transform, parse_math=False, **look)


def _find_speed(points: Array, figure: Figure) -> Array:
    """Speed of a point, by differences over about 1/30 s to both sides, so that noise is not speed.

    Parameters
    ----------
    points : array of shape (T, K), metres
        Where the point is, in K dimensions.
    figure : Figure
        Gives the number of frames and their time.

    Returns
    -------
    array of shape (T,), metres per second
        0 where there are fewer than three frames.
    """
    span = max(round(1 / 30 / figure.frame_time), 1)
    if figure.n_frames < 3:
        return np.zeros(figure.n_frames)
    steps = np.array([[span], [-span]])
    ahead, behind = np.clip(np.arange(figure.n_frames) + steps, 0, figure.n_frames - 1)
    way = np.linalg.norm(points[ahead] - points[behind], axis=-1)
    return way / ((ahead - behind) * figure.frame_time)


def _frame(axes: Axes, figure: Figure, marks: Sequence[Mark]) -> None:
    for time in target_times(marks):
        axes.axvline(time, color=ink.TARGET_INK, lw=1.0, ls=":", zorder=1.5)
    axes.set_xlim(0, max(figure.duration, figure.frame_time))
    ink.faint(axes)
    axes.set_xlabel("s", fontsize=8, color="0.45", loc="right", labelpad=-8)
    axes.xaxis.set_label_coords(1.02, -0.02)
    axes.spines[["right", "top"]].set_visible(False)
