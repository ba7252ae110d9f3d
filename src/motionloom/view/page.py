"""The static page: one HTML file that plays motions in any browser without a network."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.table import marks_of
from motionloom.errors import MissingExtraError
from motionloom.io.files import write_file
from motionloom.markers import MarkerSequence
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.view.characters import character_colors
from motionloom.view.figure import (
    LEFT,
    MIDDLE,
    RIGHT,
    SIDE_COLORS,
    Array,
    Contacts,
    Figure,
    build_figures,
)
from motionloom.view.overlay import Overlay
from motionloom.view.page_tools import build_tools
from motionloom.view.stage import FigureOnStage, add_caption, add_path, add_targets

if TYPE_CHECKING:
    from viser import ViserServer

#: Frames above this rate are left out of the page.
_MOST_FPS = 30.0
#: Free ground between figures side by side, metres.
_GAP = 0.4
#: Vertical field of view, radians, and how far the camera looks down, degrees.
_FOV, _ELEVATION = np.radians(40.0), 20.0
#: Windows are taken to be at least this much wider than high.
_ASPECT = 1.33

_OVERLAY = """<div style="position:fixed;top:12px;right:18px;text-align:right;z-index:5;\
pointer-events:none;max-width:60vw;font:14px/1.5 system-ui,sans-serif;color:#444">\
<b style="font-size:17px">{title}</b><br>{facts}<br>{legend}</div>"""
_NAME = """<span style="color:{color}">&#9632; {name}</span> """
_LEGEND = """<span style="color:rgb{left}">&#9632; left</span> \
<span style="color:rgb{right}">&#9632; right</span>"""


def write_page(
    motions: Motion | MarkerSequence | Sequence[Motion | MarkerSequence],
    path: str | PathLike[str],
    *,
    contacts: Contacts | Sequence[Contacts | None] | None = None,
    targets: ConstraintSet | None = None,
    title: str | None = None,
    overlays: Sequence[Overlay | None] = (),
    progress: Progress = silent,
) -> int:
    """Write one HTML file that plays motions side by side.

    Parameters
    ----------
    motions : Motion, MarkerSequence or sequence of them
        One motion stays where it is in the world; further ones are moved sideways so that none
        overlap.
    path : path-like
        The HTML file. It needs no other file and asks the network for nothing.
    contacts : mapping or sequence of mappings, optional
        Per motion, joint or role name to the frames (T,) in which it bears on the ground; a single
        mapping belongs to the first motion.
    targets : ConstraintSet, optional
        Checkpoints and joint targets, drawn with every motion.
    title : str, optional
        Names of the motions when not given.
    overlays : sequence of Overlay or None, optional
        Per motion, points that are drawn over it, such as the markers it was fitted to.
    progress : Progress
        Told of the frames that are recorded.

    Returns
    -------
    int
        Size of the file in bytes.

    Raises
    ------
    InvalidInputError
        When there is nothing to draw, or contacts do not fit the motions.
    MissingExtraError
        When viser is not installed.
    """
    whole = build_figures(motions, contacts, overlays)
    figures = [_thinned(figure) for figure in whole]
    shifts = _side_by_side(figures)
    title = title or ", ".join(figure.name for figure in figures)
    with _quiet_server() as server:
        _set_scene(server, figures, shifts, targets)
        page = _record(server, figures, shifts, progress)
    content = _with_title(page, figures, title, tools=_tools(figures, whole[0])).encode()
    write_file(path, content)
    return len(content)


def write_scene_page(
    motions: Mapping[str, Motion],
    path: str | PathLike[str],
    *,
    contacts: Mapping[str, Contacts] | None = None,
    title: str | None = None,
    progress: Progress = silent,
) -> int:
    """Write one HTML file that plays several characters in one world, each in its own colour.

    Parameters
    ----------
    motions : mapping of str to Motion
        By character.
    path : path-like
        The HTML file.
    contacts : mapping of str to mapping, optional
        As of `write_page`, by character.
    title : str, optional
        Names of the characters when not given.
    progress : Progress
        Told of the frames that are recorded.

    Returns
    -------
    int
        Size of the file in bytes.

    Raises
    ------
    MotionloomError
        As of `write_page`.
    """
    given = [None if contacts is None else contacts.get(name) for name in motions]
    built = build_figures(list(motions.values()), given)
    figures = [
        _thinned(replace(figure, name=name)) for name, figure in zip(motions, built, strict=True)
    ]
    shifts = [np.zeros(3)] * len(figures)
    with _quiet_server() as server:
        _set_scene(server, figures, shifts, None)
        page = _record(
            server, figures, shifts, progress, [character_colors(i) for i in range(len(figures))]
        )
    inks = [tuple(character_colors(i)[0].tolist()) for i in range(len(figures))]
    names = "".join(
        _NAME.format(color=f"rgb{ink}", name=html.escape(name))
        for ink, name in zip(inks, motions, strict=True)
    )
    content = _with_title(
        page, figures, title or ", ".join(motions), names, _tools(figures, built[0])
    ).encode()
    write_file(path, content)
    return len(content)


def _thinned(figure: Figure) -> Figure:
    return figure.every(max(int(np.ceil(1 / figure.frame_time / _MOST_FPS - 1e-3)), 1))


def _side_by_side(figures: Sequence[Figure]) -> list[Array]:
    """Shift of each figure's world: level with the first, beside the one before.

    They stand along x or z, whichever takes less room.
    """
    extents = [figure.extent for figure in figures]
    along = min((0, 2), key=lambda axis: sum(float(np.ptp(extent[:, axis])) for extent in extents))
    shifts = [np.zeros(3)]
    edge = extents[0][1, along]
    for figure, extent in zip(figures[1:], extents[1:], strict=True):
        start = figures[0].body[0, :2] - figure.body[0, :2]
        shift = np.array([start[0], 0.0, start[1]])
        shift[along] = edge + _GAP - extent[0, along]
        shifts.append(shift)
        edge = shift[along] + extent[1, along]
    return shifts


def _set_scene(
    server: ViserServer,
    figures: Sequence[Figure],
    shifts: Sequence[Array],
    targets: ConstraintSet | None,
) -> None:
    """Everything that does not move, and the camera."""
    scene = server.scene
    scene.set_up_direction("+y")
    for i, (figure, shift) in enumerate(zip(figures, shifts, strict=True)):
        add_path(scene, f"/path{i}", figure, shift)
        if targets is not None:
            add_targets(scene, f"/targets{i}", marks_of(targets), figure.height, shift)
        if len(figures) > 1:
            add_caption(scene, f"/name{i}", figure, shift)
    seen = np.concatenate([f.points[f.drawn] + s for f, s in zip(figures, shifts, strict=True)])
    low = seen.min(axis=0)
    high = seen.max(axis=0)
    middle = (low + high) / 2
    side = float(np.ceil(max(high[0] - low[0], high[2] - low[2]) + 4))
    scene.add_grid(
        "/ground",
        side,
        side,
        plane="xz",
        cell_size=0.5,
        section_size=1.0,
        cell_color=(225, 225, 228),
        section_color=(200, 200, 205),
        position=(round(middle[0]), 0.0, round(middle[2])),
        shadow_opacity=0.25,
    )
    _aim(server, figures[0], middle, seen)


def _aim(server: ViserServer, figure: Figure, middle: Array, seen: Array) -> None:
    """Look across the path, a little from ahead, just far enough to see all points (N, 3)."""
    walked = figure.body[-1] - figure.body[0]
    far = np.hypot(walked[0], walked[1]) > 0.5 * figure.height
    heading = np.arctan2(walked[0], walked[1]) if far else figure.body[0, 2]
    angle = heading - np.radians(65.0 if far else 35.0)
    down = np.radians(_ELEVATION)
    towards = np.array([np.cos(down) * np.sin(angle), np.sin(down), np.cos(down) * np.cos(angle)])
    across = np.array([np.cos(angle), 0.0, -np.sin(angle)])
    upwards = np.cross(towards, across)
    x, y = (np.abs((seen - middle) @ axis) for axis in (across, upwards))
    nearer = (seen - middle) @ towards
    # A point at distance d is in view up to d * tan(fov / 2) from the middle, sideways a third
    # more.
    distance = (
        float(np.max(np.maximum(y, x / _ASPECT) / np.tan(_FOV / 2) + nearer)) * 1.08
        + 0.3 * figure.height
    )
    server.initial_camera.fov = float(_FOV)
    server.initial_camera.look_at = tuple(middle)
    server.initial_camera.position = tuple(middle + distance * towards)


def _record(
    server: ViserServer,
    figures: Sequence[Figure],
    shifts: Sequence[Array],
    progress: Progress,
    colors: Sequence[NDArray[np.uint8]] | None = None,
) -> str:
    """Play all figures once into a recording and return its page."""
    own: list[dict[str, NDArray[np.uint8]]] = (
        [{}] * len(figures) if colors is None else [{"colors": c} for c in colors]
    )
    on_stage = [
        FigureOnStage(server.scene, f"/figure{i}", figure, shift, **more)
        for i, (figure, shift, more) in enumerate(zip(figures, shifts, own, strict=True))
    ]
    recording = server.get_scene_serializer()
    tick, count = _ticks(figures)
    for i in range(count):
        for staged in on_stage:
            staged.show(staged.figure.frame_at(i * tick))
        if count > 1:
            recording.insert_sleep(tick)
        progress("recording the page", i + 1, count)
    return recording.as_html()


def _ticks(figures: Sequence[Figure]) -> tuple[float, int]:
    """Time between the frames of the page, seconds, and how many there are."""
    tick = min(figure.frame_time for figure in figures)
    return tick, max(round(figure.duration / tick) for figure in figures) + 1


def _tools(figures: Sequence[Figure], first: Figure) -> str:
    """The page's own controls; `first` is the first figure with all frames of its file."""
    tick, count = _ticks(figures)
    return build_tools(figures, tick, count, first.fps, first.n_frames)


@contextmanager
def _quiet_server() -> Iterator[ViserServer]:
    """A viser server on a free port of this machine only, that says nothing and is gone afterwards.

    viser records what a server would send to browsers, so there is no recording without a server.
    """
    try:
        import rich
        import viser
    except ImportError:
        raise MissingExtraError("viser", "studio", "writing a page") from None
    console = rich.get_console()
    was_quiet = console.quiet
    console.quiet = True
    try:
        server = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
        try:
            yield server
        finally:
            server.stop()
    finally:
        console.quiet = was_quiet


def _legend_of(figures: Sequence[Figure]) -> str:
    """What the colours of points mean."""
    over = next((f.overlay for f in figures if f.overlay is not None), None)
    if over is None:
        return ""
    steps = "".join(
        _NAME.format(color=f"rgb{color}", name=html.escape(text)) for text, color in over.legend()
    )
    return f"<br>{html.escape(over.meaning)} {steps}"


def _with_title(
    page: str, figures: Sequence[Figure], title: str, legend: str | None = None, tools: str = ""
) -> str:
    """Put a title, a legend and the page's own controls over the page."""
    facts = "; ".join(f"{f.duration:.1f} s at {1 / f.frame_time:.4g} fps" for f in figures[:3])
    has_sides = any(np.any(f.sides != MIDDLE) for f in figures)
    if legend is None:
        legend = (
            _LEGEND.format(left=SIDE_COLORS[LEFT], right=SIDE_COLORS[RIGHT]) if has_sides else ""
        )
    legend += _legend_of(figures)
    overlay = _OVERLAY.format(title=html.escape(title), facts=facts, legend=legend)
    before, opening, after = page.partition("<title>")
    if opening:
        page = before + opening + html.escape(title) + after[after.index("</title>") :]
    body_end = page.rindex("</body>")
    return page[:body_end] + overlay + tools + page[body_end:]
