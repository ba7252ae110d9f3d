"""What the page adds to viser's player: frame stepping, a camera that follows, joint names, curves
with a cursor.

viser's client has no place for controls of a recording, so a small script stands beside it. It
reads the time from the client's slider and sets it through the slider's own handler, and finds
joints and camera where the client keeps them for its tests (``__viserMutable``). Where a later
client has none of these, only the curves remain.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files

import numpy as np

from motionloom.view.curves import find_speed
from motionloom.view.figure import SIDE_COLORS, Figure


def build_tools(
    figures: Sequence[Figure], tick: float, count: int, fps: float, n_frames: int
) -> str:
    """Elements and script to put at the end of a page's body.

    Parameters
    ----------
    figures : sequence of Figure
        As they are on the page: ``/figure0``, ``/figure1`` ...
    tick : float, seconds
        Time between the frames of the page.
    count : int
        Frames of the page.
    fps : float
        Frames per second of the first figure's file, in which frames are counted.
    n_frames : int
        Frames of that file.
    """
    data = {
        "tick": tick,
        "count": count,
        "fps": fps,
        "frames": n_frames,
        "colors": [f"rgb{color}" for color in SIDE_COLORS],
        "figures": [_figure_data(figure, tick) for figure in figures],
    }
    text = json.dumps(data, separators=(",", ":"))
    # A name must not end the script, nor begin a comment that hides its end.
    template = files("motionloom.view").joinpath("page_tools.html").read_text("utf-8")
    return template.replace("DATA", text.replace("<", "\\u003c"), 1)


def _figure_data(figure: Figure, tick: float) -> dict[str, object]:
    speed = find_speed(figure.body[:, :2], figure)
    return {
        "root": figure.roles.get("hips", 0),
        "labels": figure.labels,
        "every": figure.frame_time / tick,
        "speed": np.round(1000 * speed).astype(int).tolist(),
        # A single jump must not flatten all the rest.
        "most": round(1.2 * float(np.quantile(speed, 0.99)), 3),
        "contacts": [{"side": c.side, "runs": _runs(c.down)} for c in figure.contacts],
    }


def _runs(down: np.ndarray) -> list[list[int]]:
    """First frame and frame after the last of every run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], down.astype(int), [0]])))
    return edges.reshape(-1, 2).tolist()
