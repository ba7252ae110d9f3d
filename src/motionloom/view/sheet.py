"""The contact sheet: one picture that shows a whole motion, so that a person can judge it."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from os import PathLike
from typing import Any

import numpy as np

from motionloom.constraints import ConstraintSet
from motionloom.io.files import write_file
from motionloom.markers import MarkerSequence
from motionloom.motion import Motion
from motionloom.view.curves import draw_heights, draw_speeds
from motionloom.view.figure import Contacts, Figure, build_figure
from motionloom.view.ink import SIDE_INK
from motionloom.view.path_view import draw_path
from motionloom.view.poses import draw_scene, draw_strip, key_frames

#: Inches.
_WIDTH, _HEIGHT = 17.0, 13.5


def write_contact_sheet(
    motion: Motion | MarkerSequence,
    path: str | PathLike[str],
    *,
    contacts: Contacts | None = None,
    targets: ConstraintSet | None = None,
    title: str | None = None,
    notes: Sequence[str] = (),
    n_poses: int = 12,
    dpi: int = 110,
) -> None:
    """Write a PNG that shows a motion in several views.

    From above: the motion in the world, seen obliquely; the body's path with foot prints, checkpoints and how far
    the body is from them; key frames from the right and from the front, each turned to face the same way; heights
    of the feet with contacts; speeds. Left limbs are blue, right limbs orange.

    Parameters
    ----------
    motion : Motion or MarkerSequence
    path : path-like
        The PNG file.
    contacts : mapping of str to bool array of shape (T,), optional
        Joint or role name to the frames in which it bears on the ground.
    targets : ConstraintSet, optional
        What the motion was meant to meet.
    title : str, optional
        The motion's name when not given.
    notes : sequence of str
        Lines below the title, such as quality figures.
    n_poses : int
        Key frames in the strips; frames of targets are added to them.
    dpi : int
        Dots per inch; the picture is 17 by 13.5 inches.

    Raises
    ------
    InvalidInputError
        When there are no frames, or contacts do not fit the motion.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    figure = build_figure(motion, contacts)
    canvas = Canvas(figsize=(_WIDTH, _HEIGHT), dpi=dpi, facecolor="white")
    rows = canvas.add_gridspec(
        4, 1, height_ratios=[4.6, 2.3, 2.3, 2.5], left=0.045, right=0.985, top=0.925, bottom=0.045, hspace=0.16
    )
    top = rows[0].subgridspec(1, 2, width_ratios=[1.75, 1], wspace=0.06)
    bottom = rows[3].subgridspec(1, 2, wspace=0.09)
    frames = key_frames(figure, targets, n_poses)
    draw_scene(canvas.add_subplot(top[0]), figure, targets)
    draw_path(canvas.add_subplot(top[1]), figure, targets)
    draw_strip(canvas.add_subplot(rows[1]), figure, frames, targets, view="right")
    draw_strip(canvas.add_subplot(rows[2]), figure, frames, targets, view="front")
    draw_heights(canvas.add_subplot(bottom[0]), figure, targets)
    draw_speeds(canvas.add_subplot(bottom[1]), figure, targets)
    _draw_title(canvas, figure, title, notes)
    data = BytesIO()
    # No creation date or program version in the file: the same motion gives the same bytes.
    FigureCanvasAgg(canvas).print_png(data, metadata={"Software": None})
    write_file(path, data.getvalue())


def _draw_title(canvas: Any, figure: Figure, title: str | None, notes: Sequence[str]) -> None:
    length = float(np.linalg.norm(np.diff(figure.body[:, :2], axis=0), axis=-1).sum())
    turned = np.degrees(figure.body[-1, 2] - figure.body[0, 2])
    facts = [
        f"{figure.duration:.2f} s",
        f"{figure.n_frames} frames at {1 / figure.frame_time:.4g} fps",
        f"{len(figure.labels)} {'joints' if len(figure.bones) else 'markers'}",
        f"path {length:.2f} m",
    ]
    if figure.duration > 0:
        facts.append(f"mean speed {length / figure.duration:.2f} m/s")
    if len(figure.bones):
        facts.append(f"turned {turned:+.0f}°")
    canvas.text(0.045, 0.972, title or figure.name, fontsize=17, weight="bold", va="center")
    canvas.text(0.045, 0.948, "   ".join([*facts, *notes]), fontsize=10.5, color="0.35", va="center")
    for x, text, side in ((0.985, "right", 2), (0.943, "left", 1)):
        canvas.text(x, 0.972, f"■ {text}", fontsize=11, color=SIDE_INK[side], ha="right", va="center")
