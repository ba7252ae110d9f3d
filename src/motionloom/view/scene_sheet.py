"""The contact sheet of a scene: all characters from above, and together at some moments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform, Motion
from motionloom.typing import Array
from motionloom.view import canvas as kit
from motionloom.view.figure import Figure, build_figures
from motionloom.view.ink import caption, draw_poses, faint, fit, oblique, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH, _HEIGHT = 17.0, 13.5
#: Moments shown in the rows of pictures.
_MOMENTS, _COLUMNS = 10, 5
#: Room around the characters of a moment, metres.
_MARGIN = 0.3
#: The oblique view looks down by this angle, degrees.
_ELEVATION = 18.0
_RED = (0.78, 0.12, 0.35)


@dataclass(frozen=True)
class Moment:
    """A time that is shown.

    Parameters
    ----------
    time : float, seconds
        When.
    between : tuple of (str, str), optional
        The two whom it is about: they fill the picture; everybody when not given.
    caption : str
        What is said of it.
    """

    time: float
    between: tuple[str, str] | None = None
    caption: str = "event"


@dataclass(frozen=True)
class _Picture:
    """One frame, the figures that fill it, and what is said of it."""

    frame: int
    seen: tuple[int, ...]
    caption: str = ""


def write_scene_sheet(
    motions: Mapping[str, Motion],
    path: str | PathLike[str],
    *,
    moments: Sequence[Moment] = (),
    title: str = "scene",
    notes: Sequence[str] = (),
    dpi: int = 110,
) -> None:
    """Write a PNG that shows several characters in one world.

    Parameters
    ----------
    motions : mapping of str to Motion
        By character, all with the same frames.
    path : path-like
        The PNG file.
    moments : sequence of Moment
        What must be among the pictures, such as events; the more important ones first.
    title : str
        Heading of the picture.
    notes : sequence of str
        What stands below the title, such as the seed.
    dpi : int
        Dots per inch.

    Raises
    ------
    InvalidInputError
        When there is nothing to draw.
    """
    if not motions:
        raise InvalidInputError("a scene needs at least one character")
    figures = build_figures(list(motions.values()))
    canvas = kit.new_canvas(_WIDTH, _HEIGHT, dpi)
    rows = canvas.add_gridspec(
        3, 1, height_ratios=(4.4, 3, 3), left=0.045, right=0.985, top=0.91, bottom=0.03, hspace=0.14
    )
    top = rows[0].subgridspec(1, 2, width_ratios=[1, 1.3], wspace=0.1)
    times = [one.time for one in moments]
    _draw_from_above(canvas.add_subplot(top[0]), figures, times)
    _draw_distances(canvas.add_subplot(top[1]), list(motions), figures, times)
    pictures = _pictures(figures[0], moments, list(motions))
    grids = [rows[row].subgridspec(1, _COLUMNS, wspace=0.03) for row in (1, 2)]
    for i, picture in enumerate(pictures):
        axes = canvas.add_subplot(grids[i // _COLUMNS][i % _COLUMNS])
        _draw_moment(axes, figures, picture)
    kit.write_head(canvas, title, "   ".join(notes), at=(0.045, 0.972))
    for i, name in enumerate(motions):
        kit.write_key(canvas, 0.985 - 0.1 * i, f"■ {name}", _ink(i))
    kit.write_canvas(canvas, path)


def _ink(index: int) -> str:
    return kit.hex_color(kit.character_colors(index)[0])


def _pictures(figure: Figure, moments: Sequence[Moment], names: Sequence[str]) -> list[_Picture]:
    """What is shown: the moments, and frames spread over the rest, in the order of time."""
    everybody = tuple(range(len(names)))
    found: dict[int, _Picture] = {}
    for one in moments:
        frame = figure.frame_at(one.time)
        seen = everybody if one.between is None else tuple(map(names.index, one.between))
        if frame in found:
            before = found[frame]
            found[frame] = replace(before, caption=f"{before.caption}, {one.caption}")
        elif len(found) < _MOMENTS:
            found[frame] = _Picture(frame, seen, one.caption)
    frames = _frames(figure, list(found))
    return [found.get(frame, _Picture(frame, everybody)) for frame in frames]


def _frames(figure: Figure, wanted: list[int]) -> list[int]:
    """Frames that are wanted, and others spread over the rest."""
    spread = list(np.linspace(0, figure.n_frames - 1, _MOMENTS).round().astype(int))
    while len(wanted) < min(_MOMENTS, figure.n_frames):
        # The frame farthest from all that are shown so far.
        far = max(spread, key=lambda f: min((abs(f - w) for w in wanted), default=0))
        if far in wanted:
            break
        wanted.append(int(far))
        spread.remove(far)
    return sorted(wanted)


def _draw_from_above(axes: Axes, figures: Sequence[Figure], moments: Sequence[float]) -> None:
    """Paths on the ground, +Z up and +X left; ticks where each faces, rings at the moments."""
    for i, figure in enumerate(figures):
        body = figure.body
        ink = _ink(i)
        axes.plot(body[:, 0], body[:, 1], color=ink, lw=1.8)
        axes.plot(*body[0, :2], "o", ms=7, mfc="white", mec=ink)
        axes.plot(*body[-1, :2], "s", ms=7, color=ink)
        for frame in np.unique(np.linspace(0, figure.n_frames - 1, 13).round().astype(int)):
            stand = GroundTransform.of_body(body[frame])
            tick = np.stack([stand.ground, stand.ground + 0.2 * stand.ahead])
            axes.plot(*tick.T, color=ink, lw=1)
        for time in moments:
            axes.plot(*body[figure.frame_at(time), :2], "o", ms=12, mfc="none", mec=_RED, mew=1.4)
    seen = np.concatenate([figure.body[:, :2] for figure in figures])
    fit(axes, seen.min(axis=0) - 0.5, seen.max(axis=0) + 0.5)
    axes.invert_xaxis()
    faint(axes)
    caption(axes, "from above (m); ○ start, ■ end, red: events")


def _draw_distances(
    axes: Axes, names: Sequence[str], figures: Sequence[Figure], moments: Sequence[float]
) -> None:
    """How far apart the bodies are over time."""
    for a, b in combinations(range(len(figures)), 2):
        times = np.arange(figures[a].n_frames) * figures[a].frame_time
        gap = np.linalg.norm(figures[a].body[:, :2] - figures[b].body[:, :2], axis=-1)
        axes.plot(times, gap, lw=1.6, label=f"{names[a]} and {names[b]}")
    for time in moments:
        axes.axvline(time, color=_RED, lw=1, ls=":")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=8, frameon=False)
    faint(axes)
    caption(axes, "distance between the bodies (m) over time (s); dotted: events")


def _box(figures: Sequence[Figure], picture: _Picture) -> tuple[Array, Array]:
    """What is shown, from corner to corner: whom it is about, as large as the picture permits."""
    frame = picture.frame
    shown = [figures[i] for i in picture.seen]
    across = _across(shown, frame)
    flats = [oblique(one.points[frame], across, _ELEVATION)[one.drawn[frame]] for one in shown]
    seen = np.concatenate(flats)
    return seen.min(axis=0) - _MARGIN, seen.max(axis=0) + _MARGIN


def _draw_moment(axes: Axes, figures: Sequence[Figure], picture: _Picture) -> None:
    """All characters in one frame, seen across the line between the first two that it is about;
    far ones first.
    """
    frame = picture.frame
    across = _across([figures[i] for i in picture.seen], frame)
    away = np.array([across[1], -across[0]])
    for i in sorted(range(len(figures)), key=lambda k: -float(figures[k].body[frame, :2] @ away)):
        flat = oblique(figures[i].points[frame], across, _ELEVATION)
        inks = [kit.hex_color(color) for color in kit.character_colors(i)]
        draw_poses(axes, figures[i], [frame], flat[None], width=2.4, inks=inks)
    fit(axes, *_box(figures, picture))
    _draw_scale(axes)
    quiet(axes, f"{frame * figures[0].frame_time:.2f} s  {picture.caption}".strip())
    # Without a frame somebody at the edge is taken for a partner of the next moment's.
    axes.spines[:].set(visible=True, color="0.88")


def _draw_scale(axes: Axes) -> None:
    """A bar of half a metre, as every picture has a scale of its own."""
    left, right = axes.get_xlim()
    low, high = axes.get_ylim()
    x, y = left + 0.03 * (right - left), low + 0.03 * (high - low)
    axes.plot([x, x + 0.5], [y, y], color="0.45", lw=2, solid_capstyle="butt")
    axes.text(x, y + 0.012 * (high - low), "0.5 m", fontsize=7, color="0.45", va="bottom")


def _across(figures: Sequence[Figure], frame: int) -> Array:
    """Horizontal axis of the picture: along the line between the first two bodies."""
    way: Array = figures[min(1, len(figures) - 1)].body[frame, :2] - figures[0].body[frame, :2]
    length = float(np.hypot(*way))
    return way / length if length > 0.05 else np.array([1.0, 0.0])
