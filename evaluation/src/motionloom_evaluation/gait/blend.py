"""Linear ease-in and ease-out: what animators blend with, beside gait made for the gap.

The first clip's last cycle is repeated, the second one's first cycle before it, both along the way
of the gap; from the one to the other goes a weight ([Xiao2009]_, equation 5.1).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.gait.imdr.ends import ClipEnd
from motionloom.gait.path.tables.table import GaitTable, motion_of
from motionloom.gait.path.way.route import Route
from motionloom.gait.path.way.timing import Timing
from motionloom.motion import Motion

Array = NDArray[np.float64]


def blend_gap(
    table: GaitTable, before: ClipEnd, behind: ClipEnd, route: Route, timing: Timing
) -> Motion:
    """Fill a gap by blending.

    Parameters
    ----------
    table : GaitTable
        How long cycles last, to repeat whole ones.
    before, behind : ClipEnd
        The clips, where they stand.
    route : Route
        Way of the gap.
    timing : Timing
        When the body is where.

    Returns
    -------
    Motion
        Its frame 0 is the last frame of the clip before, its last frame the first of the other.
    """
    n = timing.n_frames
    u = np.linspace(0.0, 1.0, n)
    weight = u * u * (3.0 - 2.0 * u)
    first = _repeated(table, before, np.arange(n), True)
    last = _repeated(table, behind, np.arange(n)[::-1], False)
    rotations = rot.slerp(first[0], last[0], weight[:, None])
    deviations = (1 - weight)[:, None] * first[1] + weight[:, None] * last[1]
    stand = route.at(timing.along)
    root = table.body.root
    rotations[:, root] = rot.multiply(stand.quaternion, rotations[:, root])
    body = table.body
    return motion_of(body, rotations, stand.apply(deviations), 1 / timing.fps)


def _repeated(
    table: GaitTable, end: ClipEnd, away: NDArray[np.int64], last: bool
) -> tuple[Array, Array]:
    """A clip's cycle beside the gap repeated: local rotations (T, J, 4), the root's relative to the
    travel, and its deviations (T, 3); `away` (T,) are frames from the clip.
    """
    posed = end.posed
    frames = _frames(table, end, away, last)
    root = table.body.root
    rotations = np.array(posed.motion.rotations[frames])
    back = rot.yaw(-end.stand.angle)
    rotations[:, root] = rot.multiply(back, posed.rotations[frames, root])
    # Where uniform travel would be at that frame.
    seconds = (frames - end.frame) / posed.fps
    uniform = end.stand.ground + end.speed * seconds[:, None] * end.stand.ahead
    places = posed.positions[frames, root].copy()
    places[:, [0, 2]] -= uniform
    return rotations, rot.rotate(back, places)


def _frames(
    table: GaitTable, end: ClipEnd, away: NDArray[np.int64], last: bool
) -> NDArray[np.int64]:
    """Frames of the clip that are shown; it holds still where it has no whole cycle."""
    cycle = round(float(table.mixed(table.durations, np.array([end.speed]))[0]) * end.posed.fps)
    if end.speed <= 0 or cycle >= end.posed.n_frames:
        return np.full(len(away), end.frame)
    if last:
        return end.frame - (-away) % cycle
    return end.frame + (-away) % cycle
