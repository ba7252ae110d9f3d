"""The canvas of every picture: how it is made, headed, labelled and written.

Colours that tell characters of a scene apart.
"""

from __future__ import annotations

from io import BytesIO
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom.io.files import write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

#: From the middle of a title to that of the facts below it, inches.
_LEAD = 0.33


def new_canvas(width: float, height: float, dpi: int = 100, **options: Any) -> Figure:
    """Make a white canvas.

    Parameters
    ----------
    width, height : float, inches
        Its size.
    dpi : int
        Dots per inch.
    **options
        Of matplotlib's figure, such as its layout.

    Returns
    -------
    matplotlib figure
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    canvas = Figure(figsize=(width, height), dpi=dpi, facecolor="white", **options)
    FigureCanvasAgg(canvas)
    return canvas


def write_head(
    canvas: Figure | SubFigure,
    title: str,
    facts: str = "",
    *,
    at: tuple[float, float] = (0.02, 0.96),
) -> None:
    """Write the title of a picture, and a line of facts below it.

    Parameters
    ----------
    canvas : matplotlib figure
        Changed in place.
    title, facts : str
        Shown as they are: no mathematics.
    at : (float, float)
        Left end and middle of the title, as shares of the canvas.
    """
    left, top = at
    canvas.text(left, top, title, fontsize=16, weight="bold", va="center", parse_math=False)
    below = top - _LEAD * canvas.dpi / canvas.bbox.height
    canvas.text(left, below, facts, fontsize=10.5, color="0.35", va="center", parse_math=False)


def write_key(
    canvas: Figure | SubFigure, right: float, text: str, color: str, size: float = 11
) -> None:
    """Write what a colour means in the line of the title, up to a share of the width."""
    canvas.text(right, 0.972, text, fontsize=size, color=color, ha="right", va="center")


def label(axes: Axes, title: str, below: str = "") -> None:
    """Label an axes with ticks: what it shows above it, the unit along it below, a faint grid.

    Parameters
    ----------
    axes : matplotlib axes
        Changed in place.
    title, below : str
        Shown as they are: no mathematics.
    """
    axes.set_title(title, fontsize=9.5, loc="left", color="0.25", parse_math=False)
    axes.set_xlabel(below, fontsize=8.5)
    axes.tick_params(labelsize=8)
    axes.grid(alpha=0.3)


def png_of(canvas: Figure) -> bytes:
    """Encode a canvas as PNG; the same canvas gives the same bytes with every version.

    Parameters
    ----------
    canvas : matplotlib figure
        Made by `new_canvas`.

    Returns
    -------
    bytes
    """
    data = BytesIO()
    canvas.savefig(data, format="png", dpi="figure", metadata={"Software": None})
    return data.getvalue()


def write_canvas(canvas: Figure, path: str | PathLike[str]) -> None:
    """Write a canvas as a PNG file.

    Parameters
    ----------
    canvas : matplotlib figure
        Made by `new_canvas`.
    path : path-like
        The file; one that is there is replaced.
    """
    write_file(path, png_of(canvas))


#: 8-bit red, green and blue of the first character, the second ...; told apart by the colour-blind
#: too (Okabe and Ito 2008, Color Universal Design).
CHARACTER_COLORS = (
    (0, 114, 178),
    (213, 94, 0),
    (0, 158, 115),
    (204, 121, 167),
    (230, 159, 0),
    (90, 90, 96),
)
#: How much darker the left and lighter the right of the body is.
_LEFT, _RIGHT = 0.72, 0.35


def hex_color(color: ArrayLike) -> str:
    """A colour, 8-bit red, green and blue, as ``#rrggbb``."""
    return "#{:02x}{:02x}{:02x}".format(*np.asarray(color).tolist())


def character_colors(index: int) -> NDArray[np.uint8]:
    """Colours (3, 3) of a character's middle, its left (darker) and its right (lighter)."""
    color = np.array(CHARACTER_COLORS[index % len(CHARACTER_COLORS)], float)
    return np.array([color, _LEFT * color, color + _RIGHT * (255 - color)]).round().astype(np.uint8)
