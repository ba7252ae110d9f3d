"""A pose with its targets and where it began, from three sides."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from textwrap import fill, shorten
from typing import TYPE_CHECKING

import numpy as np

from motionloom import rotations as rot
from motionloom.ik.placing import hips_facing, place_pose, world_pose
from motionloom.ik.pose import PoseAnswer
from motionloom.ik.standing import centre_of_mass
from motionloom.typing import Array
from motionloom.view.canvas import new_canvas, write_canvas, write_head
from motionloom.view.figure import build_figure
from motionloom.view.ink import TARGET_INK, draw_pose, fit, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Views by the angle (degrees) that the figure is turned by, and how far one looks down.
VIEWS = {
    "from the front": (0.0, 0.0),
    "from the right": (90.0, 0.0),
    "from above its left": (-35.0, 25.0),
}
#: Characters of a line of text across the picture.
_LINE = 165
#: Half the width of the floor that is drawn, and of one of its squares, metres.
_FLOOR, _SQUARE = 1.0, 0.25
#: Length of the axes that show an orientation, metres.
_AXES = 0.15


def project(points: Array, turn: float, down: float) -> Array:
    """Project points of a figure that faces +Z on a picture plane, right and up.

    Parameters
    ----------
    points : array of shape (..., 3), metres
        The figure's points.
    turn : float, degrees
        Turn of the figure about the vertical: 0 shows its front, 90 its right side.
    down : float, degrees
        How far the view looks down.

    Returns
    -------
    array of shape (..., 2), metres
    """
    turned = rot.rotate(rot.yaw(np.radians(turn)), points)
    c = np.cos(np.radians(down))
    s = np.sin(np.radians(down))
    return np.stack([turned[..., 0], c * turned[..., 1] - s * turned[..., 2]], axis=-1)


def write_pose_picture(answer: PoseAnswer, path: str | PathLike[str], title: str = "pose") -> None:
    """Write a PNG: the pose from three sides, its start in grey behind it, and every target.

    Parameters
    ----------
    answer : PoseAnswer
        Pose, start, targets and report.
    path : path-like
        The PNG file.
    title : str
        Heading of the picture.
    """
    space = answer.space
    placing = answer.placing
    figure = build_figure(answer.to_motion(title))
    before = build_figure(place_pose(space, answer.start.pose, answer.start.placing))
    facing = hips_facing(space, answer.pose, placing)
    below = placing.place * [1.0, 0.0, 1.0]

    def upright(points: Array) -> Array:
        """Points seen from the ground below, turned so that the facing becomes +Z."""
        return rot.rotate(rot.yaw(-facing), points - below)

    canvas = new_canvas(13, 6.2)
    canvas.subplots_adjust(left=0.02, right=0.98, bottom=0.03, top=0.82, wspace=0.05)
    for k, (label, view) in enumerate(VIEWS.items()):
        axes = canvas.add_subplot(1, 3, k + 1)
        quiet(axes, label)
        _draw_floor(axes, answer.start.floor, view)
        seen = [project(upright(f.points[0]), *view)[f.drawn[0]] for f in (figure, before)]
        draw_pose(axes, before, 0, project(upright(before.points[0]), *view), width=1.4, alpha=0.22)
        draw_pose(axes, figure, 0, project(upright(figure.points[0]), *view), width=3.0)
        marks = [project(upright(points), *view) for points in _marks(answer)]
        for kind, flat in zip((t.kind for t in answer.targets), marks, strict=True):
            _draw_mark(axes, kind, flat)
        spread = np.concatenate([*seen, *(m[:1] for m in marks)])
        fit(axes, spread.min(axis=0) - 0.1, spread.max(axis=0) + 0.1)
    report = answer.report
    write_head(canvas, shorten(title, _LINE // 2), _facts(answer), at=(0.02, 0.965))
    color = "0.35" if not report.problems else TARGET_INK
    line = fill("; ".join(report.problems) or "all targets reached", _LINE, max_lines=2)
    canvas.text(0.02, 0.885, line, fontsize=10, color=color, va="top", parse_math=False)
    write_canvas(canvas, path)


def _draw_floor(axes: Axes, height: float, view: tuple[float, float]) -> None:
    """Squares on the floor around the body; a line where it is seen from the side."""
    for along in np.arange(-_FLOOR, _FLOOR + 1e-9, 2 * _SQUARE):
        for a, b in (((along, -_FLOOR), (along, _FLOOR)), ((-_FLOOR, along), (_FLOOR, along))):
            ends = np.array([[a[0], height, a[1]], [b[0], height, b[1]]])
            axes.plot(*project(ends, *view).T, color="0.85", lw=1.0, zorder=0)


def _facts(answer: PoseAnswer) -> str:
    report = answer.report
    scores = [
        f"Gaussian {report.gaussian.score:.0f} (above {report.gaussian.percentile:.0f} % of"
        " captured poses)"
    ]
    if report.mixture is not None:
        scores.append(
            f"mixture {report.mixture.score:.0f} (above {report.mixture.percentile:.0f} %)"
        )
    return (
        f"{report.method}, {report.iterations} iterations   "
        + "   ".join(scores)
        + "   grey: where it began"
    )


def _marks(answer: PoseAnswer) -> list[Array]:
    """World points of every target: a place; joint and ends of three axes; joint and the point
    looked at.
    """
    placing = answer.frame
    marks = []
    world = world_pose(answer.space, answer.pose, answer.placing)
    for target in answer.targets:
        joint = world.positions[0, target.joint]
        if target.kind == "position":
            marks.append(placing.to_world(target.value)[None])
        elif target.kind == "balance":
            # What is not asked for is where it is.
            there = placing.to_root(centre_of_mass(answer.space, world))
            asked = np.where(target.local != 0.0, target.value, there)
            marks.append(placing.to_world(asked)[None])
        elif target.kind == "gaze":
            marks.append(np.stack([joint, placing.to_world(target.value)]))
        else:
            wanted = rot.multiply(placing.rotation, target.value)
            marks.append(
                np.concatenate([joint[None], joint + _AXES * rot.rotate(wanted, np.eye(3))])
            )
    return marks


def _draw_mark(axes: Axes, kind: str, flat: Sequence[Array] | Array) -> None:
    flat = np.asarray(flat)
    if kind in ("position", "balance"):
        axes.plot(*flat[0], "*", ms=15, mfc="none", mec=TARGET_INK, mew=1.5, zorder=6)
    elif kind == "gaze":
        axes.plot(*flat.T, ":", color=TARGET_INK, lw=1.5, zorder=6)
        axes.plot(*flat[1], "x", ms=9, color=TARGET_INK, zorder=6)
    else:
        for end, color in zip(flat[1:], ("#c33", "#3a3", "#33c"), strict=True):
            axes.plot(*np.stack([flat[0], end]).T, color=color, lw=1.6, zorder=6)
