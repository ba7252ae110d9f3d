"""Pictures of joins: stick figures from the side, heights and ways of the feet, speed of the hips.

Drawn by ``evaluation/benchmarks/shot_joins.py --sheets DIR``.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.posed_motion import PosedMotion
from motionloom.shot.joining import Join

#: Frames before and behind a join that are shown.
SHOWN = (12, 36)
COLOURS = {"left": "tab:green", "right": "tab:red"}


def draw_join(posed: PosedMotion, contacts: FootContacts, join: Join, path: Path) -> None:
    """One join: its frame is drawn in red, and all behind it in blue."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    first, stop = max(0, join.frame - SHOWN[0]), min(posed.n_frames, join.frame + SHOWN[1])
    places = posed.positions[first:stop]
    along = places[:, :, [0, 2]] @ _along(posed, first, stop)
    figure, axes = plt.subplots(4, 1, figsize=(15, 13), height_ratios=[3, 3, 1.2, 1.2])
    for i in range(0, stop - first, 2):
        at = first + i - join.frame
        colour = "black" if at < 0 else ("red" if at < 2 else "blue")
        _figure(axes[0], posed, places[i], along[i], lambda _, c=colour: c)
    for k, i in enumerate(range(0, stop - first, 4)):
        _figure(axes[1], posed, places[i], along[i] + 0.28 * k, _side_colour)
    times = np.arange(first, stop)
    for foot in ("left_foot", "right_foot"):
        colour = COLOURS[foot.split("_")[0]]
        joint = posed.roles.joints[foot]
        down = contacts.down[first:stop, list(contacts.soles.of(foot))].any(axis=1)
        axes[2].plot(times, places[:, joint, 1], color=colour)
        axes[2].plot(times, 0.1 * (along[:, joint] - along[0, joint]), "--", color=colour)
        axes[2].plot(
            times[down], np.full(down.sum(), -0.02 - 0.02 * (foot[0] == "r")), ".", color=colour
        )
    ground = posed.hips[:, [0, 2]]
    speed = np.linalg.norm(np.gradient(ground, axis=0), axis=1) * posed.fps
    axes[3].plot(times, speed[first:stop])
    for axis in axes[2:]:
        axis.axvline(join.frame, color="gray")
        axis.grid()
    axes[0].set_title(
        f"{join.before} -> {join.after}: joints {join.acceleration:.2f}, hips {join.push:.2f},"
        f" creep {join.skate:.1f} cm/s, filled {join.filled:.2f} s, {join.steps} steps"
    )
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=55)
    plt.close(figure)


def _along(posed: PosedMotion, first: int, stop: int) -> np.ndarray:
    """The direction in which the body goes, or faces where it stands."""
    way = (posed.hips[stop - 1] - posed.hips[first])[[0, 2]]
    length = float(np.hypot(*way))
    if length > 0.3:
        return way / length
    facing = posed.body[first, 2]
    return np.array([np.sin(facing), np.cos(facing)])


def _figure(axis, posed: PosedMotion, places: np.ndarray, along: np.ndarray, colour_of) -> None:
    """One pose, without what is above the joint that carries the body."""
    above = set(posed.skeleton.chain(posed.motion.root_joint))
    for joint, parent in enumerate(posed.skeleton.parents):
        if parent >= 0 and joint not in above:
            name = posed.skeleton.names[joint]
            line = [along[parent], along[joint]], [places[parent, 1], places[joint, 1]]
            axis.plot(*line, color=colour_of(name), lw=0.7)
    axis.set_aspect("equal")
    axis.axhline(0.0, color="gray", lw=0.5)


def _side_colour(name: str) -> str:
    """By the side of the body that a joint's name tells."""
    low = name.lower()
    for side, colour in COLOURS.items():
        if side in low or (low[0] == side[0] and low not in ("root", "lowerback")):
            return colour
    return "black"
