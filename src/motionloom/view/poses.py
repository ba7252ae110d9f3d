"""Poses on the contact sheet: the oblique view of the whole motion and the strips of key frames.

Solids, surfaces and lines in the oblique view of the contact sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from motionloom.constraints.kinds.avoid import Solid
from motionloom.constraints.kinds.ground import Uneven, ground_heights
from motionloom.constraints.kinds.marks import Line, Mark, Point
from motionloom.motion import GroundTransform
from motionloom.typing import Array, Ints
from motionloom.view import ink
from motionloom.view._overlay import draw_overlay
from motionloom.view._surroundings import (
    ground_marks,
    heights_of,
    lid_middles,
    of_type,
    prism,
    solids_of,
    surfaces_of,
)
from motionloom.view.figure import VELOCITY_TIME, Figure, target_times

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: World points (..., 3) to the picture plane (..., 2).
Projection = Callable[[Array], Array]

#: The oblique view looks down by this angle (degrees) and is turned this far off the path's normal.
_ELEVATION, _AZIMUTH = 22.0, 18.0
#: Obstacles without a top are drawn up to this share of the body's height.
_TALLEST = 1.1
#: At most so many poses in the oblique view; they are at least this share of the body's height
#: apart.
_MOST_POSES, _APART = 16, 0.38
#: Fewest and most key frames in the strips, and free room between them as a share of a pose's
#: width.
_FEWEST_KEYS, _MOST_KEYS, _AIR = 6, 18, 0.12
#: Points of the ground below a pose.
_CUT = 200


def key_frames(figure: Figure, marks: Sequence[Mark], shape: float) -> Ints:
    """Evenly spaced frames that ink.fit a strip; a frame with a target replaces its nearest.

    Parameters
    ----------
    figure : Figure
        Width and height of its poses say how many fit.
    marks : sequence of Mark
        Times of points are those of targets.
    shape : float
        Width of the strip over its height.

    Returns
    -------
    int array of shape (K,)
        Ascending, each once; the first and the last frame are among them.
    """
    count = int(
        np.clip(
            1.28 * shape * figure.height / ((1 + _AIR) * _width(figure)), _FEWEST_KEYS, _MOST_KEYS
        )
    )
    frames = np.unique(np.linspace(0, figure.n_frames - 1, max(count, 2)).round().astype(int))
    wanted = {figure.frame_at(time) for time in target_times(marks)}
    spacing = (figure.n_frames - 1) / max(count - 1, 1)
    kept = [f for f in frames if all(abs(f - w) > 0.5 * spacing for w in wanted)]
    return np.unique([*kept, *wanted, 0, figure.n_frames - 1])


def _width(figure: Figure) -> float:
    """How far the figure reaches on the ground in most frames, metres."""
    x = [figure.points[..., axis] - figure.body[:, None, axis // 2] for axis in (0, 2)]
    reach = np.where(figure.drawn, np.hypot(*x), 0.0).max(axis=1)
    return float(max(1.6 * np.quantile(reach, 0.8), 0.3 * figure.height))


def draw_strip(
    axes: Axes,
    figure: Figure,
    frames: Ints,
    marks: Sequence[Mark],
    *,
    view: Literal["right", "front"],
) -> None:
    """Draw key frames beside each other, each turned about the vertical to face the same way.

    Seen from the right the figure faces right; seen from the front its left is on the right.

    Parameters
    ----------
    axes : matplotlib axes
        The strip; its size on the canvas must be final.
    figure : Figure
        Whose poses are drawn.
    frames : int array of shape (K,)
        As `key_frames` chooses them.
    marks : sequence of Mark
        Places of joints are drawn on the frames of their times.
    view : {"right", "front"}
        Where one looks from.
    """
    flats = [_turned(figure, frame, figure.points[frame], view) for frame in frames]
    seen = [flat[figure.drawn[frame]] for flat, frame in zip(flats, frames, strict=True)]
    there = np.concatenate(seen) if any(map(len, seen)) else np.array([[1.0, 0.0], [1.0, 1.0]])
    tall = max(there[:, 1].max(), 0.1)
    low = min(there[:, 1].min(), 0.0)
    half = np.abs(there[:, 0]).max()
    bottom = low - 0.2 * tall
    top = 1.08 * tall
    place = axes.get_window_extent()
    # Poses share the width; where they would be too close, everything is drawn smaller.
    slot = max((1 + _AIR) * 1.6 * half, (top - bottom) * place.width / place.height / len(frames))
    left = -0.5 * slot
    right = (len(frames) - 0.5) * slot
    axes.plot([left, right], [0, 0], color="0.8", lw=1, zorder=1)
    shifts = np.column_stack([np.arange(len(frames)) * slot, np.zeros(len(frames))])
    ink.draw_poses(axes, figure, frames, np.array(flats) + shifts[:, None])
    if figure.overlay is not None:
        over = [_turned(figure, frame, figure.overlay.points[frame], view) for frame in frames]
        draw_overlay(axes, figure.overlay, frames, np.array(over) + shifts[:, None])
    for i, (frame, shift) in enumerate(zip(frames, shifts, strict=True)):
        _draw_ground(axes, figure, frame, marks, view, shift)
        _mark_points(axes, figure, frame, marks, view, shift)
        look: Any = {"fontsize": 8.5, "color": "0.35", "ha": "center", "va": "top"}
        axes.text(i * slot, low - 0.05 * tall, f"{frame * figure.frame_time:.2f} s", **look)
    ink.fit(axes, (left, bottom), (right, top))
    ink.quiet(axes, "from the right" if view == "right" else "from the front")


def _draw_ground(
    axes: Axes, figure: Figure, frame: int, marks: Sequence[Mark], view: str, shift: Array
) -> None:
    """Ground that is not level, as it is cut by the picture plane through the body."""
    ground = surfaces_of(marks)
    if not ground:
        return
    across = np.linspace(-0.28, 0.28, _CUT) * figure.height
    seen = np.column_stack([0 * across, across] if view == "right" else [across, 0 * across])
    places = GroundTransform.of_body(figure.body[frame]).apply(seen)
    cut = np.insert(places, 1, ground_heights(ground, places), axis=1)
    axes.plot(
        *(_turned(figure, frame, cut, view) + shift).T, color=ink.EARTH_INK, lw=1.2, zorder=1.1
    )


def _turned(figure: Figure, frame: int, points: Array, view: str) -> Array:
    """World points (..., 3) on the picture plane of a strip, the body's place at 0."""
    seen = GroundTransform.of_body(figure.body[frame]).seen(points)
    return seen[..., [2 if view == "right" else 0, 1]]


def _mark_points(
    axes: Axes, figure: Figure, frame: int, marks: Sequence[Mark], view: str, shift: Array
) -> None:
    for mark in of_type(marks, Point):
        if mark.is_in_space and figure.frame_at(mark.time) == frame:
            at = _turned(figure, frame, np.array(mark.at), view) + shift
            ink.mark_place(axes, at)


def draw_scene(axes: Axes, figure: Figure, marks: Sequence[Mark]) -> None:
    """Draw poses in the world, obliquely from above, with the path and a grid of the ground.

    Parameters
    ----------
    axes : matplotlib axes
        Its size on the canvas must be final.
    figure : Figure
        Whose poses are drawn, evenly along its path.
    marks : sequence of Mark
        Places, ways, obstacles and surfaces that are drawn with them.
    """
    from matplotlib.collections import LineCollection

    project = _camera(figure)
    frames = _spread_frames(figure)
    ground = _ground_box(figure, marks)
    step = ink.nice_step(float(np.ptp(ground, axis=0).max()), 9)
    low = np.floor(ground[0] / step) * step
    high = np.ceil(ground[1] / step) * step
    x, z = (np.arange(low[axis], high[axis] + step / 2, step) for axis in (0, 1))
    along = [np.array([[at, 0.0, low[1]], [at, 0.0, high[1]]]) for at in x]
    along += [np.array([[low[0], 0.0, at], [high[0], 0.0, at]]) for at in z]
    look: Any = {"colors": "0.9", "linewidths": 0.8, "capstyle": "projecting", "zorder": 0}
    axes.add_collection(LineCollection(list(map(project, along)), **look))
    _draw_surroundings(axes, project, marks, _TALLEST * figure.height)
    path = np.column_stack([figure.body[:, 0], np.zeros(figure.n_frames), figure.body[:, 1]])
    axes.plot(*project(path).T, color=ink.PATH_INK, lw=1.2, zorder=1)
    for contact in figure.contacts:
        prints = project(figure.points[contact.down, contact.point] * [1, 0, 1])
        color = ink.SIDE_INK[contact.side]
        axes.plot(*prints.T, ".", ms=2.5, color=color, alpha=0.5, zorder=1)
    # Far poses first, so that near ones cover them.
    flats = {frame: project(figure.points[frame]) for frame in frames}
    for i, (frame, flat) in enumerate(flats.items()):
        shade = 0.45 + 0.55 * (i + 1) / len(frames)
        ink.draw_pose(axes, figure, frame, flat, width=2.0, alpha=shade)
    if figure.overlay is not None:
        over = np.array([project(figure.overlay.points[frame]) for frame in frames])
        draw_overlay(axes, figure.overlay, frames, over)
    for mark in of_type(marks, Point):
        _draw_point(axes, project, figure, mark)
    _fit_scene(axes, figure, project, ground, flats, marks)
    ink.quiet(axes, f"in the world, grid {step:g} m; later poses are darker")


def _draw_point(axes: Axes, project: Projection, figure: Figure, mark: Point) -> None:
    if mark.is_on_ground:
        stand = mark.stand
        start = np.insert(stand.ground, 1, 0.0)
        axes.plot(*project(start), "o", ms=5, color=ink.TARGET_INK, zorder=5)
        if mark.facing is not None:
            end = start + 0.3 * figure.height * np.insert(stand.ahead, 1, 0.0)
            ink.draw_arrow(axes, project(start), project(end), "-|>")
    if mark.is_in_space:
        ink.mark_place(axes, project(np.array(mark.at)))
    at = figure.place_of(mark)
    if mark.velocity is not None and at is not None:
        tip = at + VELOCITY_TIME * np.array(mark.velocity)
        ink.draw_arrow(axes, project(at), project(tip), "->")


def _camera(figure: Figure) -> Projection:
    """Orthographic projection of world points (..., 3) that shows the path at its longest."""
    centre = figure.body[:, :2].mean(axis=0)
    spread = figure.body[:, :2] - centre
    # The picture's horizontal axis runs along the main direction of the path, or across where the
    # body faces.
    if np.abs(spread).max() > 0.3 * figure.height:
        along = np.linalg.svd(spread, full_matrices=False)[2][0]
        along *= np.sign(along @ (figure.body[-1, :2] - figure.body[0, :2])) or 1.0
        azimuth = np.radians(_AZIMUTH)
    else:
        facing = figure.body[0, 2]
        along = np.array([np.cos(facing), -np.sin(facing)])
        azimuth = np.radians(-35.0)
    c = np.cos(azimuth)
    s = np.sin(azimuth)
    across = np.array([c * along[0] - s * along[1], s * along[0] + c * along[1]])
    return lambda points: ink.oblique(points, across, _ELEVATION)


def _spread_frames(figure: Figure) -> Ints:
    """Frames at even steps along the path, or of time where the body stays."""
    steps = np.linalg.norm(np.diff(figure.body[:, :2], axis=0), axis=-1)
    way = np.concatenate([[0.0], np.cumsum(steps)])
    apart = max(_APART * figure.height, 0.7 * _width(figure))
    count = int(np.clip(way[-1] / apart + 1, 2, _MOST_POSES))
    frames = np.searchsorted(way, np.linspace(0, way[-1], count))
    return np.unique(np.clip([0, *frames, figure.n_frames - 1], 0, figure.n_frames - 1))


def _ground_box(figure: Figure, marks: Sequence[Mark]) -> Array:
    """Lowest and highest x and z of what is drawn, shape (2, 2)."""
    everything = np.concatenate([figure.extent[:, [0, 2]], ground_marks(marks)])
    low = everything.min(axis=0)
    high = everything.max(axis=0)
    # Some ground also around a figure that stays where it is.
    room = np.maximum(1.2 * figure.height - (high - low), 0) / 2
    return np.stack([low - room, high + room])


def _fit_scene(
    axes: Axes,
    figure: Figure,
    project: Projection,
    ground: Array,
    flats: dict[int, Array],
    marks: Sequence[Mark],
) -> None:
    """Show all poses, the ground between the outermost of them, and the tops of obstacles."""
    corners = project(np.array([[x, 0.0, z] for x in ground[:, 0] for z in ground[:, 1]]))
    lids = project(lid_middles(marks, _TALLEST * figure.height))
    seen = np.concatenate(
        [flat[figure.drawn[frame]] for frame, flat in flats.items()] + [corners, lids]
    )
    low = seen.min(axis=0)
    high = seen.max(axis=0)
    air = 0.05 * figure.height
    ink.fit(axes, low - air, high + np.array([air, 2 * air]))


def _draw_surroundings(
    axes: Axes, project: Projection, marks: Sequence[Mark], tallest: float
) -> None:
    """Draw surfaces, solids and ways behind the poses.

    Parameters
    ----------
    axes : matplotlib axes
        The oblique view.
    project : callable
        From world points (..., 3), metres, to the picture plane (..., 2).
    marks : sequence of Mark
        Others than surfaces, solids and lines are passed over.
    tallest : float, metres
        Where obstacles without a top end.
    """
    for surface in surfaces_of(marks):
        _draw_surface(axes, project, surface)
    for solid in solids_of(marks):
        _draw_solid(axes, project, solid, tallest)
    for line in of_type(marks, Line):
        way = np.insert(line.places, 1, 0.0, axis=1)
        axes.plot(*project(way).T, color=ink.WAY_INK, lw=1.4, ls=(0, (5, 2)), zorder=1.2)


def _draw_surface(axes: Axes, project: Projection, surface: Uneven) -> None:
    """A surface as a net of lines along x and z."""
    from matplotlib.collections import LineCollection

    flat = project(surface.grid)
    lines = [*flat, *flat.swapaxes(0, 1)]
    axes.add_collection(LineCollection(lines, colors=ink.EARTH_INK, linewidths=0.9, zorder=0.4))


def _draw_solid(axes: Axes, project: Projection, solid: Solid, tallest: float) -> None:
    """A see-through solid: edges of floor and lid, and its upright edges where it has few."""
    from matplotlib.collections import LineCollection, PolyCollection

    bottom, top = heights_of(solid, tallest)
    vertices, faces = prism(solid.outline, bottom, top)
    flat = project(vertices)
    k = len(solid.outline)
    seen = flat[faces]
    # Only what looks at the viewer, so that every spot is painted once for the sides and the lid
    # together.
    a = seen[:, 1] - seen[:, 0]
    b = seen[:, 2] - seen[:, 0]
    near = seen[a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] > 0]
    look: Any = {"facecolors": ink.OBSTACLE_INK, "alpha": 0.18, "linewidths": 0, "zorder": 0.6}
    axes.add_collection(PolyCollection(list(near), **look))
    rings = [np.concatenate([r, r[:1]]) for r in (flat[:k], flat[k:])]
    upright = [flat[[i, i + k]] for i in range(k)] if k <= 8 else []
    look = {"colors": ink.OBSTACLE_INK, "linewidths": 1.0, "zorder": 0.7}
    axes.add_collection(LineCollection([*rings, *upright], **look))
