"""What all parts of the contact sheet share: colours, bones as lines, target marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from motionloom.typing import Array, Ints
from motionloom.view.canvas import hex_color
from motionloom.view.figure import LEFT, MIDDLE, RIGHT, SIDE_COLORS, Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


PATH_COLOR, TARGET_COLOR = (120, 120, 130), (200, 30, 90)
#: Colours of obstacles, of the ground of height maps, and of ways that the body is to follow.
OBSTACLE_COLOR, EARTH_COLOR, WAY_COLOR = (140, 110, 60), (150, 165, 120), (150, 60, 170)
SIDE_INK = tuple(map(hex_color, SIDE_COLORS))
PATH_INK, TARGET_INK = map(hex_color, (PATH_COLOR, TARGET_COLOR))
OBSTACLE_INK, EARTH_INK, WAY_INK = map(hex_color, (OBSTACLE_COLOR, EARTH_COLOR, WAY_COLOR))
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
    inks: Sequence[Any] = SIDE_INK,
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
    inks : sequence of colour
        Of middle, left and right.
    """
    from matplotlib.collections import LineCollection, PatchCollection
    from matplotlib.patches import Circle

    filled: Any = {"color": inks[MIDDLE], "alpha": alpha, "linewidths": 0, "zorder": 3}
    if not len(figure.bones):
        x, y = flats[figure.valid[frames]].T
        axes.scatter(x, y, s=3 * width, **filled)
        return
    sides = figure.sides[figure.bones[:, 1]]
    order = np.concatenate([np.flatnonzero(sides == side) for side in _NEAREST_LAST])
    bones = list(np.concatenate([flat[figure.bones[order]] for flat in flats]))
    colors = [inks[side] for side in sides[order]] * len(flats)
    style: Any = {"linewidths": width, "alpha": alpha, "capstyle": "round", "zorder": 3}
    axes.add_collection(LineCollection(bones, colors=colors, **style))
    if figure.head is not None:
        size = 0.052 * figure.height
        heads = [Circle(tuple(at), size) for at in flats[:, list(figure.head)].mean(axis=1)]
        axes.add_collection(PatchCollection(heads, **filled))
    for contact in figure.contacts:
        down = flats[contact.down[frames], contact.point]
        look: Any = {"ms": 1.6 * width, "mfc": "white", "mec": inks[contact.side], "zorder": 4}
        axes.plot(*down.T, "o", **look)


def quiet(axes: Any, label: str) -> None:
    """Take frame and ticks off an axes and write what it shows above it.

    Parameters
    ----------
    axes : matplotlib axes
        Changed in place.
    label : str
        What it shows.
    """
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
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
    axes.spines[:].set_color("0.85")


def oblique(points: Array, across: Array, elevation: float) -> Array:
    """Points as they are seen from above at an angle (degrees), right along `across`; (..., 2)."""
    away = np.array([across[1], -across[0]])
    ground = points[..., [0, 2]]
    e = np.radians(elevation)
    up = points[..., 1] * np.cos(e) + ground @ away * np.sin(e)
    return np.stack([ground @ across, up], axis=-1)


def fit(axes: Axes, low: ArrayLike, high: ArrayLike) -> None:
    """Show a box, centred, at equal scales that fill the axes.

    Parameters
    ----------
    axes : matplotlib axes
        Its limits are set; its size on the canvas must be final.
    low, high : array of shape (2,)
        Lowest and highest x and y of the box, in data units.
    """
    corners = np.array([low, high], float)
    place = axes.get_window_extent()
    half = np.maximum(np.ptp(corners, axis=0) / 2, 1e-6)
    shape = np.array([place.width, place.height])
    half = shape * np.max(half / shape)
    left, bottom = corners.mean(axis=0) - half
    right, top = corners.mean(axis=0) + half
    axes.set(xlim=(left, right), ylim=(bottom, top))


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
