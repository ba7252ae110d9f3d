"""The contact sheet: one picture that shows a whole motion, so that a person can judge it."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.marks import Mark
from motionloom.constraints.kinds.table import marks_of
from motionloom.errors import InvalidInputError
from motionloom.io.files import write_png
from motionloom.markers import MarkerSequence
from motionloom.motion import Motion
from motionloom.view.curves import draw_heights, draw_speeds
from motionloom.view.figure import LEFT, RIGHT, Contacts, Figure, build_figures
from motionloom.view.ink import SIDE_INK
from motionloom.view.overlay import Overlay
from motionloom.view.path_view import draw_path
from motionloom.view.poses import draw_scene, draw_strip, key_frames

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure

#: Size of the sheet of one motion, inches, and the height of its rows.
_WIDTH, _HEIGHT = 17.0, 13.5
_ROWS = (4.6, 2.3, 2.3, 2.5)
#: Beyond this many motions a picture has more rows of dots than PNG readers like.
_MOST_MOTIONS = 20


def write_contact_sheet(
    motions: Motion | MarkerSequence | Sequence[Motion | MarkerSequence],
    path: str | PathLike[str],
    *,
    contacts: Contacts | Sequence[Contacts | None] | None = None,
    targets: ConstraintSet | None = None,
    title: str | None = None,
    notes: Sequence[str] | Sequence[Sequence[str]] = (),
    overlays: Sequence[Overlay | None] = (),
    dpi: int = 110,
) -> None:
    """Write a PNG that shows motions in several views.

    From top to bottom: the motion in the world, seen obliquely; the body's path with foot prints,
    checkpoints and how far the body is from them; key frames from the right and from the front,
    each turned to face the same way; heights of the feet with contacts; speeds. Left limbs are
    blue, right limbs orange. Several motions are drawn one below the other.

    Parameters
    ----------
    motions : Motion, MarkerSequence or sequence of them
        At most 20.
    path : path-like
        The PNG file.
    contacts : mapping or sequence of mappings, optional
        Per motion, joint or role name to the frames (T,) in which it bears on the ground; a single
        mapping belongs to the first motion.
    targets : ConstraintSet, optional
        What the motions were meant to meet.
    title : str, optional
        The motion's name when not given.
    notes : sequence of str, or a sequence of them for each motion
        What stands beside the facts below the title, such as quality figures.
    overlays : sequence of Overlay or None, optional
        Per motion, points that are drawn over its poses, such as the markers it was fitted to.
    dpi : int
        Dots per inch; a motion's sheet is 17 by 13.5 inches.

    Raises
    ------
    InvalidInputError
        When there are no motions or frames, too many motions, or contacts do not fit.
    """
    from matplotlib.figure import Figure as Canvas

    figures = build_figures(motions, contacts, overlays)
    if len(figures) > _MOST_MOTIONS:
        raise InvalidInputError(
            f"a contact sheet holds at most {_MOST_MOTIONS} motions, got {len(figures)}"
        )
    canvas = Canvas(figsize=(_WIDTH, _HEIGHT * len(figures)), dpi=dpi, facecolor="white")
    parts = canvas.subfigures(len(figures), 1, squeeze=False)
    for i, (figure, part) in enumerate(zip(figures, parts[:, 0], strict=True)):
        _draw_sheet(part, figure, marks_of(targets))
        _draw_title(part, figure, title or figure.name, _notes_of(i, notes))
    write_png(canvas, path)


def _draw_sheet(canvas: SubFigure, figure: Figure, marks: Sequence[Mark]) -> None:
    rows = canvas.add_gridspec(
        4, 1, height_ratios=_ROWS, left=0.045, right=0.985, top=0.916, bottom=0.045, hspace=0.18
    )
    top = rows[0].subgridspec(1, 2, width_ratios=[1.75, 1], wspace=0.06)
    bottom = rows[3].subgridspec(1, 2, wspace=0.09)
    draw_scene(canvas.add_subplot(top[0]), figure, marks)
    draw_path(canvas.add_subplot(top[1]), figure, marks)
    strips = [canvas.add_subplot(rows[1]), canvas.add_subplot(rows[2])]
    place = strips[0].get_window_extent()
    frames = key_frames(figure, marks, place.width / place.height)
    draw_strip(strips[0], figure, frames, marks, view="right")
    draw_strip(strips[1], figure, frames, marks, view="front")
    draw_heights(canvas.add_subplot(bottom[0]), figure, marks)
    draw_speeds(canvas.add_subplot(bottom[1]), figure, marks)


def _notes_of(i: int, notes: Sequence[str] | Sequence[Sequence[str]]) -> list[str]:
    """The notes of a motion: those for all, and its own."""
    own = [note for note in notes[i : i + 1] if not isinstance(note, str)]
    return [note for note in notes if isinstance(note, str)] + [n for row in own for n in row]


def _draw_title(canvas: SubFigure, figure: Figure, title: str, notes: Sequence[str]) -> None:
    length = float(np.linalg.norm(np.diff(figure.body[:, :2], axis=0), axis=-1).sum())
    facts = [
        f"{figure.duration:.2f} s",
        f"{figure.n_frames} frames at {1 / figure.frame_time:.4g} fps",
        f"{len(figure.labels)} {'joints' if len(figure.bones) else 'markers'}",
        f"path {length:.2f} m",
    ]
    if figure.duration > 0:
        facts.append(f"mean speed {length / figure.duration:.2f} m/s")
    if len(figure.bones):
        facts.append(f"turned {np.degrees(figure.body[-1, 2] - figure.body[0, 2]):+.0f}°")
    canvas.text(0.045, 0.972, title, fontsize=17, weight="bold", va="center", parse_math=False)
    canvas.text(
        0.045,
        0.948,
        "   ".join([*facts, *notes]),
        fontsize=10.5,
        color="0.35",
        va="center",
        parse_math=False,
    )
    if len(figure.bones):
        if figure.overlay is not None:
            _draw_legend(canvas, figure.overlay)
        for x, text, side in ((0.985, "right", RIGHT), (0.943, "left", LEFT)):
            canvas.text(
                x, 0.972, f"■ {text}", fontsize=11, color=SIDE_INK[side], ha="right", va="center"
            )


def _draw_legend(canvas: SubFigure, overlay: Overlay) -> None:
    """What the colours of points mean, beside the colours of the sides."""
    at = 0.89
    for text, color in reversed(overlay.legend()):
        ink = tuple(c / 255 for c in color)
        canvas.text(at, 0.972, f"● {text}", fontsize=9.5, color=ink, ha="right", va="center")
        at -= 0.03
    canvas.text(at, 0.972, overlay.meaning, fontsize=9.5, color="0.35", ha="right", va="center")
