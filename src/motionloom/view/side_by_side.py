"""Two motions of the same length side by side: the same frames of both, one row below the other."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

from motionloom.errors import InvalidInputError
from motionloom.io.files import write_png
from motionloom.motion import Motion
from motionloom.view.curves import draw_heights
from motionloom.view.figure import Contacts, Figure, build_figures
from motionloom.view.poses import draw_strip, key_frames

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

#: Size of the picture, inches, and the height of its rows: poses seen twice, heights of feet.
_SIZE = (17.0, 12.0)
_ROWS = (2.4, 2.4, 2.4, 2.4, 1.8)


def write_side_by_side(
    motions: Sequence[Motion],
    path: str | PathLike[str],
    *,
    contacts: Sequence[Contacts | None] = (None, None),
    titles: Sequence[str] = (),
    notes: str = "",
    dpi: int = 110,
) -> None:
    """Write a PNG that shows the same frames of two motions.

    The poses of both from the right, then of both from the front, each turned to face the same
    way; below them the heights of the feet with contacts, of one motion beside those of the other.

    Parameters
    ----------
    motions : sequence of two Motion
        Equally long, such as a motion and the same on another body.
    path : path-like
        The PNG file.
    contacts : sequence of mapping or None
        Per motion, joint or role name to the frames (T,) in which it bears on the ground.
    titles : sequence of str, optional
        What the motions are called; their names when not given.
    notes : str
        What stands below the titles, such as figures.
    dpi : int
        Dots per inch; the picture is 17 by 12 inches.

    Raises
    ------
    InvalidInputError
        When they are not two motions of the same number of frames, at least one.
    """
    from matplotlib.figure import Figure as Canvas

    if len(motions) != 2 or len({m.n_frames for m in motions}) != 1:
        raise InvalidInputError(
            "side by side are shown two motions with the same number of frames, got "
            + ", ".join(str(m.n_frames) for m in motions)
        )
    figures = build_figures(motions, contacts)
    canvas = Canvas(figsize=_SIZE, dpi=dpi, facecolor="white")
    _draw(canvas, figures)
    names = list(titles) or [figure.name for figure in figures]
    heading = "   →   ".join(names)
    canvas.text(0.03, 0.975, heading, fontsize=16, weight="bold", va="center", parse_math=False)
    canvas.text(0.03, 0.95, notes, fontsize=10.5, color="0.35", va="center", parse_math=False)
    write_png(canvas, path)


def _draw(canvas: Canvas, figures: Sequence[Figure]) -> None:
    rows = canvas.add_gridspec(
        5, 1, height_ratios=_ROWS, left=0.03, right=0.985, top=0.93, bottom=0.05, hspace=0.12
    )
    strips = [canvas.add_subplot(rows[k]) for k in range(4)]
    place = strips[0].get_window_extent()
    shape = place.width / place.height
    # As many as fit of the one of which fewer fit, and the same of both.
    frames = min((key_frames(figure, (), shape) for figure in figures), key=len)
    for k, strip in enumerate(strips):
        draw_strip(strip, figures[k % 2], frames, (), view="right" if k < 2 else "front")
    low = rows[4].subgridspec(1, 2, wspace=0.09)
    for k, figure in enumerate(figures):
        draw_heights(canvas.add_subplot(low[k]), figure, ())
