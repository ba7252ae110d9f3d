"""What was found in clips as a picture: how far the feet swing about the hips, and their events."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from motionloom.gait.cycles.find import FoundGait
from motionloom.gait.cycles.tracks import SIDES
from motionloom.io.files import write_png

_INK = {"left": "#c53030", "right": "#2b6cb0"}
_SHADE = {"walk": "#dcead9", "run": "#fbe3d0"}
#: More clips than this are left out of a picture.
MOST = 40


def write_found_picture(found: Mapping[str, FoundGait], path: str | PathLike[str]) -> int:
    """Draw strikes, offs and strides of clips as a PNG file.

    Parameters
    ----------
    found : mapping of str to FoundGait
        By the clips' names.
    path : path-like
        PNG file.

    Returns
    -------
    int
        How many clips were left out: the picture holds `MOST`.
    """
    from matplotlib.figure import Figure as Canvas

    shown = list(found.items())[:MOST]
    canvas = Canvas(figsize=(14, 0.4 + 1.7 * len(shown)), dpi=80, facecolor="white")
    axes = canvas.subplots(len(shown), 1, squeeze=False)[:, 0]
    for place, (name, gait) in zip(axes, shown, strict=True):
        _draw(place, name, gait)
    canvas.subplots_adjust(left=0.04, right=0.99, top=1 - 0.3 / len(shown), bottom=0.02, hspace=0.5)
    write_png(canvas, path)
    return len(found) - len(shown)


def _draw(axes: Any, name: str, gait: FoundGait) -> None:
    tracks = gait.tracks
    times = (tracks.first + np.arange(tracks.n_frames)) / tracks.fps
    for stride in gait.strides:
        shade = _SHADE[stride.behaviour]
        axes.axvspan(stride.start, stride.stop, color=shade, alpha=0.6, lw=0)
    for k, side in enumerate(SIDES):
        ahead = gait.travelling.ahead[:, k]
        axes.plot(times, ahead, color=_INK[side], lw=1)
        for kind, mark in (("strike", "v"), ("off", "^")):
            when = gait.of(kind, side)
            height = np.interp(when, times, ahead)
            axes.plot(when, height, mark, color=_INK[side], ms=5)
    strikes = sum(e.kind == "strike" for e in gait.events)
    straight = sum(s.straight for s in gait.strides)
    axes.set_title(
        f"{name}: {strikes} strikes (v), {len(gait.strides)} strides (shaded), {straight} straight;"
        " ankles ahead of the hips, m, left red, right blue",
        fontsize=8,
        loc="left",
    )
    axes.tick_params(labelsize=6)
