"""What all parts of the contact sheet share: colours, bones as lines, target marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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

Array = NDArray[np.float64]


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
    figure : Figure
    frame : int
    flat : array of shape (P, 2), metres
        The frame's points on the picture plane.
    width : float
        Line width in points.
    alpha : float
        Opacity.
    """
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Circle

    if not len(figure.bones):
        seen = flat[figure.valid[frame]]
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
        list(flat[figure.bones[order]]),
        colors=[SIDE_INK[side] for side in sides[order]],
        linewidths=width,
        alpha=alpha,
        capstyle="round",
        zorder=3,
    )
    axes.add_collection(lines)
    if figure.head is not None:
        centre = flat[list(figure.head)].mean(axis=0)
        size = 0.052 * figure.height
        axes.add_patch(
            Circle(tuple(centre), size, color=SIDE_INK[MIDDLE], alpha=alpha, linewidth=0, zorder=3)
        )
    for contact in figure.contacts:
        if contact.down[frame]:
            axes.plot(
                *flat[contact.point],
                "o",
                ms=1.6 * width,
                mfc="white",
                mec=SIDE_INK[contact.side],
                zorder=4,
            )


def quiet(axes: Any, label: str) -> None:
    """Take frame and ticks off an axes and write what it shows above it."""
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(False)
    caption(axes, label)


def caption(axes: Any, label: str) -> None:
    """Write what an axes shows above its upper left corner."""
    axes.text(0.0, 1.015, label, transform=axes.transAxes, fontsize=9.5, color="0.4", va="bottom")


def fit(axes: Axes, low: ArrayLike, high: ArrayLike) -> None:
    """Show the box from `low` to `high` (each x, y), centred; equal scales fill the axes."""
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
    """A step of 1, 2 or 5 times a power of ten that divides `span` into about as many parts."""
    raw = max(span, 1e-9) / max(about, 1)
    power = 10.0 ** np.floor(np.log10(raw))
    return float(power * next(m for m in (1, 2, 5, 10) if raw <= m * power * (1 + 1e-9)))
