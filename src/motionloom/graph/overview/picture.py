"""A motion graph as one picture: which clips are joined, what they cover, what was left out."""

from __future__ import annotations

import textwrap
from itertools import groupby
from operator import add
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from motionloom.clips.coverage import describe_missing
from motionloom.graph.overview.survey import GraphOverview, describe_ties, kind_of
from motionloom.view.canvas import new_canvas, write_canvas, write_head

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from matplotlib.image import AxesImage

_SIZE = (16.0, 9.6)
_KEPT, _LEFT_OUT, _INK = "#2b6cb0", "#e2681c", "0.25"
#: Above this many clips those of a kind are drawn as one bar, and only kinds are named.
_MANY = 30
_LETTERS = 30
#: Lines of text that fit at the usual size.
_ROOM = 19


def write_overview_picture(
    overview: GraphOverview, path: str | PathLike[str], *, dpi: int = 100
) -> None:
    """Draw a motion graph as a PNG file: transitions, speeds and turns, clips, what is missing.

    Parameters
    ----------
    overview : GraphOverview
        As `survey_graph` gives it.
    path : path-like
        PNG file.
    dpi : int
        Dots per inch; the picture is 16 by 9.6 inches.
    """
    canvas = new_canvas(*_SIZE, dpi)
    rows = canvas.add_gridspec(
        2, 2, left=0.13, right=0.97, top=0.88, bottom=0.07, hspace=0.36, wspace=0.3
    )
    _draw_density(canvas.add_subplot(rows[0, 0]), overview)
    _draw_coverage(canvas.add_subplot(rows[0, 1]), overview)
    _draw_clips(canvas.add_subplot(rows[1, 0]), overview)
    _draw_words(canvas.add_subplot(rows[1, 1]), overview)
    o = overview
    r = overview.report
    facts = (
        f"{len(o.names)} clips   {o.n_frames} frames   {o.seconds:.1f} s   {r.n_edges} transitions "
        f"  {100 * r.cross_share:.0f} % to another clip   {100 * r.kept_share:.1f} % of the frames"
        " connected"
    )
    write_head(canvas, "Motion graph", facts)
    write_canvas(canvas, path)


def _draw_density(axes: Axes, o: GraphOverview) -> None:
    """Transitions from clip (row) to clip (column)."""
    from matplotlib.colors import LogNorm

    shown = np.ma.masked_equal(o.density, 0.0)
    top = max(float(o.density.max()), 1.0)
    drawn = axes.imshow(
        shown, cmap="Blues", norm=LogNorm(top / 1000, top), interpolation="nearest", aspect="auto"
    )
    _add_bar(axes, drawn, "transitions per frame")
    marks = _marks(o)
    axes.set_yticks(
        [(a + b - 1) / 2 for _, a, b in marks], _short([name for name, _, _ in marks]), fontsize=8
    )
    axes.set_xticks([])
    for _, begin, _ in marks[1:] if len(marks) < len(o.names) else []:
        axes.axhline(begin - 0.5, color="0.6", lw=0.6)
        axes.axvline(begin - 0.5, color="0.6", lw=0.6)
    axes.set_xlabel("to the clips in the same order", fontsize=9)
    axes.set_title(
        "Transitions from clip to clip (white: none)", fontsize=11, loc="left", color=_INK
    )


def _add_bar(axes: Axes, drawn: QuadMesh | AxesImage, label: str) -> None:
    from matplotlib.ticker import FuncFormatter

    bar = axes.figure.colorbar(
        drawn, ax=axes, pad=0.02, format=FuncFormatter(lambda value, _: f"{value:g}")
    )
    bar.set_label(label, fontsize=9)
    bar.ax.tick_params(labelsize=8)


def _draw_coverage(axes: Axes, o: GraphOverview) -> None:
    """Seconds at every speed and turn rate."""
    from matplotlib.colors import LogNorm

    c = o.coverage
    shown = np.ma.masked_equal(c.inside.T, 0.0)
    drawn = axes.pcolormesh(
        c.speed_edges,
        c.turn_edges,
        shown,
        cmap="Blues",
        norm=LogNorm(1 / o.fps, max(float(c.inside.max()), 1.0)),
    )
    _add_bar(axes, drawn, "seconds")
    i, j = np.nonzero((c.outside > 0) & (c.inside == 0))
    if len(i):
        middle_speed, middle_turn = (0.5 * (e[1:] + e[:-1]) for e in (c.speed_edges, c.turn_edges))
        axes.scatter(
            middle_speed[i], middle_turn[j], s=9, color=_LEFT_OUT, label="only in frames left out"
        )
        axes.legend(fontsize=8, loc="upper right", frameon=False)
    for border in c.borders:
        axes.axvline(border, color="0.5", lw=0.8, ls=":")
    axes.axhline(0, color="0.5", lw=0.8)
    most = max(float(np.abs(c.turn_edges).max()), 30.0)
    axes.set_ylim(-most, most)
    axes.set_xlim(0, max(float(c.speed_edges[-1]), 1.1 * c.borders[-1]))
    axes.set_xlabel("speed, m/s (dotted: standing, slow, walk, run)", fontsize=9)
    axes.set_ylabel("turn to the left, degrees a second", fontsize=9)
    axes.set_title(
        "Speeds and turns, means over a second (white: nobody)", fontsize=11, loc="left", color=_INK
    )


def _draw_clips(axes: Axes, o: GraphOverview) -> None:
    """Seconds of every clip, or kind of clip, that are connected and left out."""
    marks = _marks(o)
    kept = o.kept * o.lengths / o.fps
    inside = np.array([kept[a:b].sum() for _, a, b in marks])
    outside = np.array([(o.lengths[a:b] / o.fps).sum() for _, a, b in marks]) - inside
    where = np.arange(len(marks))
    axes.barh(where, inside, color=_KEPT, label="connected")
    axes.barh(where, outside, left=inside, color=_LEFT_OUT, label="left out")
    counts = [f" ({b - a})" if b - a > 1 else "" for _, a, b in marks]
    axes.set_yticks(where, map(add, _short([n for n, _, _ in marks]), counts), fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("seconds", fontsize=9)
    axes.legend(fontsize=8, frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1.0, 1.0))
    axes.set_title(
        "Clips" if len(marks) == len(o.names) else "Kinds of clips",
        fontsize=11,
        loc="left",
        color=_INK,
    )
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _draw_words(axes: Axes, o: GraphOverview) -> None:
    axes.axis("off")
    texts = {
        "What the connected clips lack": (
            describe_missing(o.coverage) or ["Nothing that is looked for."]
        ),
        "How they hang together": describe_ties(o),
    }
    blocks = {
        title: [
            line
            for sentence in sentences
            for line in textwrap.wrap(sentence, 86, initial_indent="• ", subsequent_indent="   ")
        ]
        for title, sentences in texts.items()
    }
    size = min(1.0, _ROOM / sum(map(len, blocks.values())))
    place = 1.08
    for title, lines in blocks.items():
        axes.text(0.0, place, title, fontsize=11, color=_INK, va="top")
        axes.text(
            0.0,
            place - 0.08,
            "\n".join(lines),
            fontsize=9 * size,
            va="top",
            linespacing=1.4,
            parse_math=False,
        )
        place -= 0.15 + 0.055 * size * len(lines)


def _marks(o: GraphOverview) -> list[tuple[str, int, int]]:
    """Name, first clip and end of what gets one label: a clip, or neighbours of one kind where
    clips are many.
    """
    if len(o.names) <= _MANY:
        return [(name, i, i + 1) for i, name in enumerate(o.names)]
    marks = []
    begin = 0
    for kind, group in groupby(o.names, kind_of):
        count = len(list(group))
        marks.append((kind, begin, begin + count))
        begin += count
    return marks


def _short(names: list[str]) -> list[str]:
    """Names without what all of them begin with, no longer than fits."""
    first = min(names)
    last = max(names)
    shared = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    begin = max(first.rfind(mark, 0, shared) for mark in "_-. ") + 1
    return [n[begin:] if len(n) - begin <= _LETTERS else f"...{n[3 - _LETTERS :]}" for n in names]
