"""The contact sheet's top view: the path, foot prints, and what was asked for and missed.

The contact sheet: one picture that shows a whole motion, so that a person can judge it.

Two motions of the same length side by side: the same frames of both, one row below the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.avoid import HeightMap
from motionloom.constraints.kinds.marks import Line, Mark, Point
from motionloom.constraints.kinds.table import marks_of
from motionloom.errors import InvalidInputError
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import GroundTransform, Motion
from motionloom.rotations import wrap_angle
from motionloom.view import ink
from motionloom.view._curves import draw_heights, draw_speeds
from motionloom.view._overlay import Overlay
from motionloom.view._surroundings import ground_marks, of_type, solids_of, surfaces_of
from motionloom.view.canvas import new_canvas, write_canvas, write_head, write_key
from motionloom.view.figure import LEFT, RIGHT, VELOCITY_TIME, Contacts, Figure, build_figures
from motionloom.view.poses import draw_scene, draw_strip, key_frames

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
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

    Examples
    --------
    >>> write_contact_sheet(walk[:30], "walk.png")
    >>> from pathlib import Path
    >>> Path("walk.png").stat().st_size > 10_000
    True
    """
    figures = build_figures(motions, contacts, overlays)
    if len(figures) > _MOST_MOTIONS:
        raise InvalidInputError(
            f"a contact sheet holds at most {_MOST_MOTIONS} motions, got {len(figures)}"
        )
    canvas = new_canvas(_WIDTH, _HEIGHT * len(figures), dpi)
    parts = canvas.subfigures(len(figures), 1, squeeze=False)
    for i, (figure, part) in enumerate(zip(figures, parts[:, 0], strict=True)):
        _draw_sheet(part, figure, marks_of(targets))
        _draw_title(part, figure, title or figure.name, _notes_of(i, notes))
    write_canvas(canvas, path)


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
    write_head(canvas, title, "   ".join([*facts, *notes]), at=(0.045, 0.972))
    if len(figure.bones):
        if figure.overlay is not None:
            _draw_legend(canvas, figure.overlay)
        for x, text, side in ((0.985, "right", RIGHT), (0.943, "left", LEFT)):
            write_key(canvas, x, f"■ {text}", ink.SIDE_INK[side])


def _draw_legend(canvas: SubFigure, overlay: Overlay) -> None:
    """What the colours of points mean, beside the colours of the sides."""
    steps = [(overlay.meaning, "0.35"), *((f"● {text}", ink) for text, ink in overlay.legend())]
    for i, (text, color) in enumerate(reversed(steps)):
        write_key(canvas, 0.89 - 0.03 * i, text, color, 9.5)


def draw_path(axes: Axes, figure: Figure, marks: Sequence[Mark]) -> None:
    """Draw the view from above: +Z is up and +X left, so that turning left looks like it.

    Parameters
    ----------
    axes : matplotlib axes
        x and z in metres, x growing to the left.
    figure : Figure
        Its body, feet and contacts.
    marks : sequence of Mark
        What was asked for; places of the body with how far it is from them.
    """
    body = figure.body
    _draw_surroundings(axes, marks)
    for role, side in (("left_foot", 1), ("right_foot", 2)):
        if role in figure.roles:
            trace = figure.points[:, figure.roles[role]]
            axes.plot(
                trace[:, 0], trace[:, 2], color=ink.SIDE_INK[side], lw=0.6, alpha=0.45, zorder=1
            )
    for contact in figure.contacts:
        at = figure.points[contact.down, contact.point]
        axes.plot(
            at[:, 0], at[:, 2], ".", ms=4, color=ink.SIDE_INK[contact.side], alpha=0.6, zorder=2
        )
    axes.plot(body[:, 0], body[:, 1], color=ink.PATH_INK, lw=1.8, zorder=3)
    _draw_facing(axes, figure)
    axes.plot(*body[0, :2], "o", ms=7, mfc="white", mec="0.2", zorder=4)
    axes.plot(*body[-1, :2], "s", ms=7, mfc="0.2", mec="0.2", zorder=4)
    _frame(axes, figure, marks)
    for mark in of_type(marks, Point):
        _draw_point(axes, figure, mark)
    contacts = "; ● contacts" if figure.contacts else ""
    ink.caption(axes, f"from above (m); ○ start, ■ end{contacts}")


def _draw_surroundings(axes: Axes, marks: Sequence[Mark]) -> None:
    """Ground that is not level as contours, obstacles as areas, ways as dashed lines."""
    for surface in surfaces_of(marks):
        if isinstance(surface, HeightMap):
            _draw_heights(axes, surface)
        else:
            # Edges of stairs, and both ends of slopes.
            axes.plot(*surface.grid[..., [0, 2]].T, color=ink.EARTH_INK, lw=1.0, zorder=0.5)
    for solid in solids_of(marks):
        around = np.concatenate([solid.outline, solid.outline[:1]]).T
        axes.fill(*around, color=ink.OBSTACLE_INK, alpha=0.25, lw=0, zorder=1)
        axes.plot(*around, color=ink.OBSTACLE_INK, lw=1.4, zorder=2)
    for line in of_type(marks, Line):
        axes.plot(*line.places.T, color=ink.WAY_INK, lw=1.6, ls=(0, (5, 2)), zorder=2.5)
        axes.plot(*np.array(line.knots).T, "o", ms=4, mfc="white", mec=ink.WAY_INK, zorder=2.6)


def _draw_heights(axes: Axes, surface: HeightMap) -> None:
    """Heights as shades, the higher the darker, with some contours and their heights in metres."""
    grid = surface.grid
    x = grid[0, :, 0]
    y = grid[..., 1]
    z = grid[:, 0, 2]
    if np.ptp(y) == 0:
        corners = x[[0, -1, -1, 0]], z[[0, 0, -1, -1]]
        axes.fill(*corners, color=ink.OBSTACLE_INK, alpha=0.1, lw=0, zorder=0.4)
        return
    axes.contourf(x, z, y, levels=12, cmap="YlOrBr", alpha=0.45, zorder=0.4)
    lines = axes.contour(x, z, y, levels=5, colors=ink.OBSTACLE_INK, linewidths=0.7, zorder=0.5)
    axes.clabel(lines, fontsize=7, fmt="%.2g")


def _draw_point(axes: Axes, figure: Figure, mark: Point) -> None:
    """A place of the body or of a joint, a velocity as an arrow; else a note where the body is."""
    if mark.is_on_ground:
        _draw_stand(axes, figure, mark)
    elif mark.ground is not None:
        ink.mark_place(axes, mark.ground, 6)
    elif mark.velocity is None and mark.end is None:
        _draw_note(axes, figure, mark)
    at = figure.place_of(mark)
    if mark.velocity is not None and at is not None:
        tip = at + VELOCITY_TIME * np.array(mark.velocity)
        ink.draw_arrow(axes, at[[0, 2]], tip[[0, 2]], "->", 6)


def _draw_note(axes: Axes, figure: Figure, mark: Point) -> None:
    at = figure.stand_at(mark.time).ground
    axes.plot(*at, "D", ms=7, mfc="none", mec=ink.TARGET_INK, mew=1.4, zorder=6)
    # Names of clips may be long: they go where there is more room.
    on_left = axes.transAxes.inverted().transform(axes.transData.transform(at))[0] < 0.5
    _note(axes, at, f"{mark.time:g} s: {mark.text}", (9 if on_left else -9, -14))


def _note(axes: Axes, at: np.ndarray, text: str, offset: tuple[int, int], **look: Any) -> None:
    look = {"fontsize": 8, "color": ink.TARGET_INK, "zorder": 7, "parse_math": False, **look}
    side = "left" if offset[0] > 0 else "right"
    axes.annotate(text, tuple(at), offset, textcoords="offset points", ha=side, **look)


def _draw_facing(axes: Axes, figure: Figure) -> None:
    """Short ticks along the path that show where the body faces, and the time at some of them."""
    if not len(figure.bones):
        return
    frames = np.unique(np.linspace(0, figure.n_frames - 1, 13).round().astype(int))
    tick = 0.14 * figure.height
    for i, frame in enumerate(frames):
        stand = GroundTransform.of_body(figure.body[frame])
        at = stand.ground
        axes.plot(*np.stack([at, at + tick * stand.ahead]).T, color="0.35", lw=1.1, zorder=3)
        if i % 3 == 0:
            text = f"{frame * figure.frame_time:.1f} s"
            _note(axes, at, text, (5, -9), fontsize=7.5, color="0.4", zorder=3)


def _draw_stand(axes: Axes, figure: Figure, mark: Point) -> None:
    """A place of the body as an arrow, joined to where the body is at that time, with the error."""
    body = figure.stand_at(mark.time)
    wanted = mark.stand
    at = wanted.ground
    error = f"{100 * np.hypot(*(body.ground - at)):.1f} cm"
    axes.plot(*np.stack([at, body.ground]).T, color=ink.TARGET_INK, lw=1.2, ls=":", zorder=5)
    axes.plot(*at, "o", ms=6, color=ink.TARGET_INK, zorder=6)
    if mark.facing is not None:
        tip = at + 0.28 * figure.height * wanted.ahead
        ink.draw_arrow(axes, at, tip, "-|>", 6)
        off = np.degrees(wrap_angle(body.angle - wanted.angle))
        error += f", {abs(off):.1f}°"
    _note(axes, at, f"{mark.time:g} s: {error}", (7, 6))


def _frame(axes: Axes, figure: Figure, marks: Sequence[Mark]) -> None:
    seen = np.concatenate([figure.body[:, :2], ground_marks(marks)])
    low = seen.min(axis=0)
    high = seen.max(axis=0)
    room = np.maximum(0.3 * figure.height, (1.3 * figure.height - (high - low)) / 2)
    ink.fit(axes, low - room, high + room)
    axes.invert_xaxis()
    ink.faint(axes)


#: Size of the picture, inches, and the height of its rows: poses seen twice, heights of feet.
_PAIR_SIZE = (17.0, 12.0)
_PAIR_ROWS = (2.4, 2.4, 2.4, 2.4, 1.8)


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
    if len(motions) != 2 or len({m.n_frames for m in motions}) != 1:
        raise InvalidInputError(
            "side by side are shown two motions with the same number of frames, got "
            + ", ".join(str(m.n_frames) for m in motions)
        )
    figures = build_figures(motions, contacts)
    canvas = new_canvas(*_PAIR_SIZE, dpi)
    _draw_pair(canvas, figures)
    names = list(titles) or [figure.name for figure in figures]
    heading = "   →   ".join(names)
    write_head(canvas, heading, notes, at=(0.03, 0.975))
    write_canvas(canvas, path)


def _draw_pair(canvas: Canvas, figures: Sequence[Figure]) -> None:
    rows = canvas.add_gridspec(
        5, 1, height_ratios=_PAIR_ROWS, left=0.03, right=0.985, top=0.93, bottom=0.05, hspace=0.12
    )
    strips = [canvas.add_subplot(rows[k]) for k in range(4)]
    place = strips[0].get_window_extent()
    shape = place.width / place.height
    # As many as ink.fit of the one of which fewer ink.fit, and the same of both.
    frames = min((key_frames(figure, (), shape) for figure in figures), key=len)
    for k, strip in enumerate(strips):
        draw_strip(strip, figures[k % 2], frames, (), view="right" if k < 2 else "front")
    low = rows[4].subgridspec(1, 2, wspace=0.09)
    for k, figure in enumerate(figures):
        draw_heights(canvas.add_subplot(low[k]), figure, ())
