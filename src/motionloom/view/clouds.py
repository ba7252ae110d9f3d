"""Points over a motion, and markers without one, as plain dicts with bytes for the page."""

from __future__ import annotations

from typing import Any

import numpy as np

from motionloom.view.figure import Figure
from motionloom.view.overlay import POINT_SIZE, RAMP

#: Step of a point that is not there.
_NONE = 255
#: Radius of a marker as a share of the figure's height.
_MARKER = 0.009


def pack_markers(figure: Figure, who: str, ink: str) -> dict[str, Any]:
    """Markers without a skeleton.

    Parameters
    ----------
    figure : Figure
        Of markers.
    who : str
        What the page calls them.
    ink : str
        ``"#rrggbb"``.

    Returns
    -------
    dict
        id, who, name, labels, fps, n, points (f32 [n, M, 3], metres), steps (u8 [n, M], index into
        ramp, 255 where there is no point), ramp (colours), radius (metres).
    """
    return {
        "id": who,
        "who": None,
        "name": figure.name,
        "labels": list(figure.labels),
        "fps": figure.fps,
        "n": figure.n_frames,
        "points": np.where(figure.valid[..., None], figure.points, 0).astype("<f4").tobytes(),
        "steps": np.where(figure.valid, 0, _NONE).astype("u1").tobytes(),
        "ramp": [ink],
        "radius": _MARKER * figure.height,
    }


def pack_overlay(figure: Figure, who: str) -> dict[str, Any]:
    """The points over a motion, as those of `pack_markers`.

    Parameters
    ----------
    figure : Figure
        With an overlay.
    who : str
        The motion's character.
    """
    over = figure.overlay
    assert over is not None
    share = np.clip(np.nan_to_num(over.values) / over.highest, 0.0, 1.0)
    steps = np.round(share * (len(RAMP) - 1)).astype("u1")
    return {
        "id": f"{who}/points",
        "who": who,
        "name": "",
        "labels": [],
        "fps": figure.fps,
        "n": figure.n_frames,
        "points": np.where(over.valid[..., None], over.points, 0).astype("<f4").tobytes(),
        "steps": np.where(over.valid, steps, _NONE).astype("u1").tobytes(),
        "ramp": ["#{:02x}{:02x}{:02x}".format(*color) for color in RAMP.tolist()],
        "radius": POINT_SIZE * figure.height,
    }
