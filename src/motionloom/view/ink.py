"""What all parts of the contact sheet share: colours, bones as lines, target marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from motionloom.typing import Array, Ints
from motionloom.view.figure import (
    EARTH_COLOR,
    LEFT,
    MIDDLE,
    OBSTACLE_COLOR,
    PATH_COLOR,
    RIGHT,
    SIDE_COLORS,
    TARGET_COLOR,
    WAY_COLOR,
    Figure,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _hex(color: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)


SIDE_INK = tuple(_hex(color) for color in SIDE_COLORS)
PATH_INK, TARGET_INK = _hex(PATH_COLOR), _hex(TARGET_COLOR)
OBSTACLE_INK, EARTH_INK, WAY_INK = _hex(OBSTACLE_COLOR), _hex(EARTH_COLOR), _hex(WAY_COLOR)
#: Order of drawing where the figure's right is nearer than its left.
_NEAREST_LAST = (LEFT, MIDDLE, RIGHT)


def draw_pose(
    axes: Axes, figure: Figure, frame: int, flat: Array, *, width: float = 2.2, alpha: float = 1.0
) -> None:
    """Draw one frame as a stick figure.

    Parameters
    ----------
    axes : matplotlib axes
        What is drawn on.
    figure : Figure
        Its bones, sides and contacts.
    frame : int
        Counted from 0.
    flat : array of shape (P, 2), metres
        The frame's points on the picture plane.
    width : float
        Line width in points.
    alpha : float
        Opacity.
    """
    draw_poses(axes, figure, [frame], flat[None], width=width, alpha=alpha)


def draw_poses(
    axes: Axes,
    figure: Figure,
    frames: Sequence[int] | Ints,
    flats: Array,
    *,
    width: float = 2.2,
    alpha: float = 1.0,
) -> None:
    """Draw frames as stick figures, with few artists: none is to cover another.

    Parameters
    ----------
    axes : matplotlib axes
        What is drawn on.
    figure : Figure
        Its bones, sides and contacts.
    frames : sequence of K int
        Counted from 0.
    flats : array of shape (K, P, 2), metres
        The frames' points on the picture plane.
    width : float
        Line width in points.
    alpha : float
        Opacity.
    """
    from matplotlib.collections import LineCollection, PatchCollection
    from matplotlib.patches import Circle

    if not len(figure.bones):
        seen = flats[figure.valid[frames]]
        axes.scatter(
            seen[:, 0],
            seen[:, 1],
            s=3 * width,
            color=SIDE_INK[MIDDLE],
            alpha=alpha,
            linewidths=0,
            zorder=3,
        )
        return
    sides = figure.sides[figure.bones[:, 1]]
    order = np.concatenate([np.flatnonzero(sides == side) for side in _NEAREST_LAST])
    lines = LineCollection(
        list(np.concatenate([flat[figure.bones[order]] for flat in flats])),
        colors=[SIDE_INK[side] for side in sides[order]],
        linewidths=width,
        alpha=alpha,
        capstyle="round",
        zorder=3,
    )
    axes.add_collection(lines)
    if figure.head is not None:
        size = 0.052 * figure.height
        heads = [Circle(tuple(at), size) for at in flats[:, list(figure.head)].mean(axis=1)]
        axes.add_collection(
            PatchCollection(heads, color=SIDE_INK[MIDDLE], alpha=alpha, linewidths=0, zorder=3)
        )
    for contact in figure.contacts:
        down = flats[contact.down[frames], contact.point]
        if len(down):
            axes.plot(
                *down.T, "o", ms=1.6 * width, mfc="white", mec=SIDE_INK[contact.side], zorder=4
            )


def quiet(axes: Any, label: str) -> None:
    """Take frame and ticks off an axes and write what it shows above it.

    Parameters
    ----------
    axes : matplotlib axes
        Changed in place.
    label : str
        What it shows.
    """
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(False)
    caption(axes, label)


def caption(axes: Any, label: str) -> None:
    """Write what an axes shows above its upper left corner.

    Parameters
    ----------
    axes : matplotlib axes
        Changed in place.
    label : str
        What it shows.
    """
    axes.text(0.0, 1.015, label, transform=axes.transAxes, fontsize=9.5, color="0.4", va="bottom")


def mark_place(axes: Any, at: ArrayLike, zorder: float = 5) -> None:
    """Mark a place in space that is asked for with a star; `at` is on the picture plane, (2,)."""
    axes.plot(*np.asarray(at), "*", ms=12, mfc="none", mec=TARGET_INK, mew=1.4, zorder=zorder)


def draw_arrow(axes: Any, start: ArrayLike, end: ArrayLike, head: str, zorder: float = 5) -> None:
    """Draw an arrow between two places of the picture plane, (2,); `head` is matplotlib's."""
    style = {"arrowstyle": head, "color": TARGET_INK, "lw": 1.6}
    ends = tuple(np.asarray(end)), tuple(np.asarray(start))
    axes.annotate("", *ends, arrowprops=style, zorder=zorder)


def faint(axes: Any) -> None:
    """Let grid, ticks and frame of an axes stand back behind what it shows."""
    axes.grid(color="0.92", lw=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=8, colors="0.45", length=0)
    for spine in axes.spines.values():
        spine.set_color("0.85")


def fit(axes: Axes, low: ArrayLike, high: ArrayLike) -> None:
    """Show a box, centred, at equal scales that fill the axes.

    Parameters
    ----------
    axes : matplotlib axes
        Its limits are set; its size on the canvas must be final.
    low, high : array of shape (2,)
        Lowest and highest x and y of the box, in data units.
    """
    low = np.asarray(low, float)
    high = np.asarray(high, float)
    place = axes.get_window_extent()
    centre = (low + high) / 2
    half = np.maximum((high - low) / 2, 1e-6)
    shape = np.array([place.width, place.height])
    half = shape * np.max(half / shape)
    axes.set_xlim(centre[0] - half[0], centre[0] + half[0])
    axes.set_ylim(centre[1] - half[1], centre[1] + half[1])


def nice_step(span: float, about: int) -> float:
    """A step of 1, 2 or 5 times a power of ten, for grids and ticks.

    Parameters
    ----------
    span : float
        Length that is divided.
    about : int
        Most parts.

    Returns
    -------
    float
        The smallest such step that gives no more parts, in the unit of the span.

    Examples
    --------
    >>> nice_step(7.3, about=4)
    2.0
    """
    raw = max(span, 1e-9) / max(about, 1)
    power = 10.0 ** np.floor(np.log10(raw))
    return float(power * next(m for m in (1, 2, 5, 10) if raw <= m * power * (1 + 1e-9)))
