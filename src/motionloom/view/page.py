"""The static page: one HTML file that plays motions in any browser without a network.

The built client that lies in the package: the script and the styles of pages and studio.

From where a page first looks at its figures.

Plain dicts with bytes as JSON that may stand in an HTML page.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import combinations
from os import PathLike
from typing import Any

import numpy as np

from motionloom.constraints import ConstraintSet
from motionloom.io.files import write_file
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.typing import Array
from motionloom.view import packing
from motionloom.view._overlay import Overlay
from motionloom.view.canvas import character_colors, hex_color
from motionloom.view.figure import SIDE_COLORS, Contacts, Figure, build_figures

#: How far the first view looks down, and beside the path of one that walks or the face of one that
#: stands, degrees.
ELEVATION, _BESIDE, _ASKEW = 16.0, 65.0, 35.0
#: Where several are seen, directions so many degrees apart are tried, in every so manieth frame;
#: so far apart in the picture nobody hides another, metres.
_TURN, _SKIP, _WIDE = 15.0, 5, 0.9

#: What a page may do: run this script, use these styles, draw; no more, and nothing over a network.
_POLICY = (
    "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; img-src data:"
    " blob:; base-uri 'none'; form-action 'none'"
)
#: Frames above this rate are left out of the page.
_MOST_FPS = 30.0
#: Free ground between figures side by side, metres.
_GAP = 0.4
#: Colour of the middle of the body, lighter than on paper: its shape shows by shading.
_MIDDLE = (139, 145, 158)
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main id="app"><noscript>This page plays a motion and needs JavaScript.</noscript></main>
<script type="application/json" id="motionloom">{data}</script>
<script>{script}</script>
</body>
</html>
"""


@dataclass(frozen=True)
class Happening:
    """Something between several that is marked on the ground.

    Parameters
    ----------
    label : str
        What is said of it.
    time : float, seconds
        When it begins.
    place : tuple of (float, float), metres
        x and z.
    """

    label: str
    time: float
    place: tuple[float, float]

    def pack(self) -> dict[str, Any]:
        """As a thing to draw."""
        return {"kind": "ring", "position": self.place, "time": self.time, "label": self.label}


@dataclass(frozen=True, eq=False)
class _Shown:
    """One figure of a page: what it is made from, and where its world lies in the scene (3,)."""

    who: str
    data: Motion | MarkerSequence
    figure: Figure
    shift: Array
    inks: list[str]


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
        Checkpoints, joint targets, obstacles and ground, drawn with every motion.
    title : str, optional
        Names of the motions when not given.
    overlays : sequence of Overlay or None, optional
        Per motion, points that are drawn over it, such as the markers it was fitted to.
    progress : Progress
        Told of the motions that are packed.

    Returns
    -------
    int
        Size of the file in bytes.

    Raises
    ------
    InvalidInputError
        When there is nothing to draw, or contacts do not fit the motions.

    Examples
    --------
    >>> size = write_page(walk[:30], "walk.html")
    >>> size > 100_000  # bytes; all that the page needs is in it
    True
    """
    figures = build_figures(motions, contacts, overlays)
    several = [motions] if isinstance(motions, Motion | MarkerSequence) else list(motions)
    sides = [hex_color(color) for color in (_MIDDLE, *SIDE_COLORS[1:])]
    rows = zip(several, figures, _side_by_side(figures), strict=True)
    shown = [_Shown(f"figure{i}", *row, sides) for i, row in enumerate(rows)]
    drawn = [mark for one in shown for mark in packing.pack_targets(targets, one.who)]
    has_sides = any(np.any(figure.sides) for figure in figures)
    legend = list(zip(("left", "right"), sides[1:], strict=True)) if has_sides else []
    title = title or ", ".join(figure.name for figure in figures)
    return _write(path, shown, title, legend, drawn, progress)


def write_scene_page(
    motions: Mapping[str, Motion],
    path: str | PathLike[str],
    *,
    contacts: Mapping[str, Contacts] | None = None,
    targets: Mapping[str, ConstraintSet] | None = None,
    happenings: Sequence[Happening] = (),
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
    targets : mapping of str to ConstraintSet, optional
        As of `write_page`, by character; what all of them have to do with is drawn once.
    happenings : sequence of Happening
        Such as meetings.
    title : str, optional
        Names of the characters when not given.
    progress : Progress
        Told of the motions that are packed.

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
    figures = build_figures(list(motions.values()), given)
    shown = []
    for i, ((name, motion), figure) in enumerate(zip(motions.items(), figures, strict=True)):
        inks = [hex_color(color) for color in character_colors(i)]
        shown.append(_Shown(name, motion, replace(figure, name=name), np.zeros(3), inks))
    legend = [(one.who, one.inks[0]) for one in shown]
    drawn = [*_drawn_once(targets or {}), *(one.pack() for one in happenings)]
    return _write(path, shown, title or ", ".join(motions), legend, drawn, progress)


def _drawn_once(targets: Mapping[str, ConstraintSet]) -> list[dict[str, Any]]:
    """What is asked of everybody; obstacles and ground are the same for all."""
    drawn: list[dict[str, Any]] = []
    common: list[dict[str, Any]] = []
    for who, asked in targets.items():
        for mark in packing.pack_targets(asked):
            if mark["kind"] in ("ring", "point", "path"):
                drawn.append({**mark, "who": who})
            elif mark not in common:
                common.append(mark)
    return [*drawn, *common]


def _write(
    path: str | PathLike[str],
    shown: Sequence[_Shown],
    title: str,
    legend: Sequence[tuple[str, str]],
    drawables: list[dict[str, Any]],
    progress: Progress,
) -> int:
    first = shown[0].figure
    facts = (f"{one.figure.duration:.1f} s at {one.figure.fps:.4g} fps" for one in shown[:3])
    is_apart = any(one.shift.any() for one in shown)
    page: dict[str, Any] = {
        "page": 1,
        "title": title,
        "facts": "; ".join(dict.fromkeys(facts)),
        "fps": first.fps,
        "frames": first.n_frames,
        "camera": [azimuth_of([first] if is_apart else [one.figure for one in shown]), ELEVATION],
        "captions": is_apart,
        "legend": _named_inks(legend),
        "drawables": drawables,
        "characters": [],
        "motions": [],
        "clouds": [],
    }
    for i, one in enumerate(shown):
        _add(page, one)
        progress("packing the page", i + 1, len(shown))
    content = _fill(page).encode()
    write_file(path, content)
    return len(content)


def _add(page: dict[str, Any], one: _Shown) -> None:
    """Put one figure into a page."""
    shift = one.shift.tolist()
    step = max(int(np.ceil(1 / one.figure.frame_time / _MOST_FPS - 1e-3)), 1)
    thin = one.figure.every(step)
    if isinstance(one.data, MarkerSequence):
        page["clouds"].append({**packing.pack_markers(thin, one.who, one.inks[0]), "shift": shift})
        return
    name = one.figure.name
    character = packing.pack_character(one.data, one.who, color=one.inks[0], name=name)
    page["characters"].append({**character, "tints": list(one.inks), "shift": shift})
    downs = {contact.name: contact.down for contact in thin.contacts}
    page["motions"].append(packing.pack_motion(one.data.every(step), one.who, contacts=downs))
    over = thin.overlay
    if over is not None and over.points.shape[1]:
        page["clouds"].append({**packing.pack_overlay(thin, one.who), "shift": shift})
        page |= {"meaning": over.meaning, "ramp": _named_inks(over.legend())}


def _fill(page: dict[str, Any]) -> str:
    """The whole page."""
    bundle = files("motionloom.view") / "client"
    names = {"script": "studio.js", "style": "style.css"}
    texts = {kind: (bundle / name).read_text("utf-8") for kind, name in names.items()}
    policy = _POLICY.format(**{kind: _sha256(text) for kind, text in texts.items()})
    told = {"policy": html.escape(policy), "title": html.escape(page["title"])}
    return _PAGE.format(**told, **texts, data=to_inline(page))


def _named_inks(named: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"text": text, "color": color} for text, color in named]


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


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def azimuth_of(figures: Sequence[Figure]) -> float:
    """From where the page first looks, degrees: there where nobody hides another.

    Of directions all around that is the one in which every two are most apart in the picture, those
    that are near each other above all; of such that are as good, the one beside the first's path.

    Parameters
    ----------
    figures : sequence of Figure
        In one world.

    Returns
    -------
    float
        From +Z towards +X.
    """
    usual = _beside(figures[0])
    azimuths = usual + np.arange(0, 360, _TURN)
    across = np.stack([np.cos(np.radians(azimuths)), -np.sin(np.radians(azimuths))])
    seen = 0.1 * np.cos(np.radians(azimuths - usual))
    for a, b in combinations(figures, 2):
        n = min(a.n_frames, b.n_frames)
        way = b.body[:n:_SKIP, :2] - a.body[:n:_SKIP, :2]
        weights = 1 / (0.5 + np.hypot(*way.T)) ** 2
        free = np.minimum(np.abs(way @ across) / _WIDE, 1)
        seen = seen + np.average(free, axis=0, weights=weights)
    return float((azimuths[int(seen.argmax())] + 180) % 360 - 180)


def _beside(figure: Figure) -> float:
    """Across the path of one, a little from ahead; degrees."""
    walked = figure.body[-1] - figure.body[0]
    far = np.hypot(walked[0], walked[1]) > 0.5 * figure.height
    heading = np.arctan2(walked[0], walked[1]) if far else figure.body[0, 2]
    return float(np.degrees(heading) - (_BESIDE if far else _ASKEW))


def to_inline(value: Any) -> str:
    """JSON in which bytes are base64 of gzip.

    Parameters
    ----------
    value : object
        Plain values, bytes, and dicts and lists of them. The ``quats`` of a motion are stored joint
        by joint as differences over time, which compress to less.

    Returns
    -------
    str
        Holds no ``<``, so that nothing in it can end the element that it stands in.

    Examples
    --------
    >>> to_inline({"fps": 30})
    '{"fps":30}'
    """
    text = json.dumps(_packed(value), separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def _packed(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"gz": _zipped(value)}
    if isinstance(value, dict):
        rows = int(value.get("n") or 0)
        return {
            key: _as_differences(item, rows) if key == "quats" and rows else _packed(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_packed(item) for item in value]
    return value


def _as_differences(data: bytes, rows: int) -> dict[str, Any]:
    """16-bit numbers by columns, as differences, low bytes before high bytes."""
    columns = np.ascontiguousarray(np.frombuffer(data, "<i2").reshape(rows, -1).T)
    steps = np.diff(columns, axis=1, prepend=np.int16(0)).astype("<i2")
    parts = steps.view("u1").reshape(-1, 2)
    return {"gz": _zipped(parts.T.tobytes()), "delta": [rows, len(columns)]}


def _zipped(data: bytes) -> str:
    # Without a time, so that the same motion gives the same page.
    return base64.b64encode(gzip.compress(data, 6, mtime=0)).decode()
