"""A small player for notebooks: one motion as HTML without network, apart from its page."""

from __future__ import annotations

import base64
import html
import json
from importlib.resources import files

import numpy as np

from motionloom.motion import Motion
from motionloom.view.figure import SIDE_COLORS, Figure, build_figure

#: Frames per second that are kept where there is room, and the fewest that still look like motion.
_MOST_FPS, _LEAST_FPS = 30.0, 10.0
#: Bytes of positions; as text in an attribute they take a third more.
_ROOM = 160_000
#: Positions are 16-bit counts of this share of the largest coordinate.
_COUNTS = 32_000
_HEIGHT = 380


def build_player(motion: Motion) -> str:
    """HTML that plays a motion where it is put, below 300 kB whatever the length.

    Parameters
    ----------
    motion : Motion
        May have no frames; then there is only a caption.

    Returns
    -------
    str
        A caption and a frame of its own (``<iframe srcdoc>``) without access to the page around it,
        so that any number fit on one page. Motions too long for it are shown at a lower frame rate,
        and then cut short, which the caption says.

    Examples
    --------
    >>> len(build_player(walk)) < 300_000
    True
    """
    name = html.escape(motion.name or "motion")
    facts = f"{motion.n_frames} frames at {motion.fps:.6g} fps, {motion.duration:.2f} s"
    if motion.n_frames == 0:
        return f"<div><b>{name}</b> {facts}</div>"
    figure = build_figure(motion)
    data, shown = _player_data(figure)
    cut = f" (first {shown:.1f} s shown)" if shown < motion.duration - 0.5 else ""
    template = files("motionloom.view").joinpath("player.html").read_text("utf-8")
    page = template.replace("DATA", json.dumps(data, separators=(",", ":")), 1)
    return (
        f'<div style="font:13px system-ui,sans-serif"><b>{name}</b> {facts}{cut}</div><iframe'
        f' sandbox="allow-scripts" title="{name}" loading="lazy"'
        f' style="width:100%;max-width:640px;height:{_HEIGHT}px;border:1px solid #ddd"'
        f' srcdoc="{html.escape(page)}"></iframe>'
    )


def _player_data(figure: Figure) -> tuple[dict[str, object], float]:
    """What the player's script needs, and its seconds. It holds no name: none needs escaping."""
    used = np.unique(figure.bones) if len(figure.bones) else np.arange(figure.points.shape[1])
    most = max(_ROOM // (6 * len(used)), 2)
    step = max(int(np.ceil(1 / figure.frame_time / _MOST_FPS - 1e-3)), 1)
    slowest = max(int(1 / figure.frame_time / _LEAST_FPS), step)
    step = int(np.clip(np.ceil(figure.n_frames / most), step, slowest))
    points = figure.points[::step, used][:most]
    grain = float(np.abs(points).max(initial=1e-6)) / _COUNTS
    counts = np.round(points / grain).astype("<i2")
    place = {int(point): i for i, point in enumerate(used)}
    root = place.get(figure.roles.get("hips", int(used[0])), 0)
    fps = 1 / (figure.frame_time * step)
    low = points.min(axis=(0, 1))
    high = points.max(axis=(0, 1))
    data: dict[str, object] = {
        "points": base64.b64encode(counts.tobytes()).decode(),
        "n": len(used),
        "frames": len(points),
        "all": figure.n_frames,
        "step": step,
        "fps": fps,
        "grain": grain,
        "bones": [[place[a], place[b], int(figure.sides[b])] for a, b in figure.bones.tolist()],
        "hips": root,
        "head": place.get(figure.head[1], -1) if figure.head else -1,
        "height": round(figure.height, 4),
        "middle": np.round((low + high) / 2, 4).tolist(),
        "yaw": round(float(figure.body[0, 2]) - 0.6, 4),
        "colors": [f"rgb{color}" for color in SIDE_COLORS],
    }
    return data, (len(points) - 1) / fps
