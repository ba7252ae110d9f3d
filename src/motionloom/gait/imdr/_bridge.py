"""Bridge: gait from the end of one clip to the begin of another, joined without a pop."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.curves import hann_window
from motionloom.edit.displacement import Seam, decay, inertialize
from motionloom.edit.foot_tracks import heading_of
from motionloom.gait.imdr.ends import ClipEnd
from motionloom.gait.path._footprints import LEAVES, STRUCK, FootSteps, halting
from motionloom.gait.path._lay import (
    GaitPlan,
    Laid,
    Woven,
    lay,
    place_foot,
    plan_gait,
    plant,
    pose_laid,
)
from motionloom.gait.path.tables.table import GaitTable, motion_of
from motionloom.gait.path.way._asked import Knots, route_of
from motionloom.gait.path.way.route import Route
from motionloom.gait.path.way.timing import (
    ACCELERATION,
    CHANGE_TIME,
    Timing,
    between_speeds,
    covering,
    hill,
)
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: What a clip leaves behind at a join dies away over this time, seconds, and no more than this
#: share of the gap.
JOIN_TIME, JOIN_SHARE = 0.5, 0.45
#: Times of joins for what is left of feet.
FOOT_TIME = 0.3
#: The pelvis is as high as the clips have it at both ends, and free after this time, seconds.
SETTLE_TIME = 0.2
#: A clip that is this far from the way, metres, does not begin or end on it.
NEAR = 0.01


@dataclass(frozen=True, eq=False)
class Bridge:
    """The motion of a gap.

    Parameters
    ----------
    woven : Woven
        The motion; its frame 0 is the last frame of the clip before, its last frame the first of
        the clip behind.
    route : Route
        Its way.
    rate : float
        Steps are so many times as quick as they usually are.
    """

    woven: Woven
    route: Route
    rate: float


def build_bridge(
    table: GaitTable, before: ClipEnd, behind: ClipEnd, knots: Knots | None, seconds: float
) -> Bridge:
    """Bridge a gap.

    Parameters
    ----------
    table : GaitTable
        The gait over speed, on the clips' body.
    before, behind : ClipEnd
        What the clips do where the gap begins and ends, where they stand in the result.
    knots : Knots or None
        Places to be passed within the gap, times from its begin.
    seconds : float
        Of the gap: from the last frame of the one clip to the first of the other.

    Returns
    -------
    Bridge
    """
    fps = before.posed.fps
    route, timing = _plan_way(before, behind, knots, seconds, fps)
    first, rate = _plan_phases(table, timing, before, behind)
    plan = plan_gait(table, route, timing, phase=first, rate=rate)
    plan = replace(plan, steps=_met_feet(plan, before, behind))
    laid = _joined(lay(plan), plan, before, behind)
    return Bridge(plant(laid, plan, SETTLE_TIME), route, rate)


def _plan_way(
    before: ClipEnd, behind: ClipEnd, knots: Knots | None, seconds: float, fps: float
) -> tuple[Route, Timing]:
    """Way and times of a gap: from where one clip ends to where the other begins, at their speeds.

    Parameters
    ----------
    before, behind : ClipEnd
        What the clips do there.
    knots : Knots or None
        Places to be passed, times from the begin of the gap.
    seconds : float
        Of the gap.
    fps : float
        Frames per second.

    Returns
    -------
    route : Route
    timing : Timing
    """
    places, passed = (np.zeros((0, 2)), np.zeros(0))
    if knots is not None:
        keep = (knots.times > 0.15) & (knots.times < seconds - 0.15)
        places, passed = knots.points[keep], knots.times[keep]
    points = np.vstack([before.stand.ground, places, behind.stand.ground])
    times = np.array([0.0, *passed, seconds])
    unknown = np.full(len(passed), np.nan)
    headings = np.array([before.stand.angle, *unknown, behind.stand.angle])
    if np.ptp(points, axis=0).max() < NEAR:
        points[-1] += NEAR * behind.stand.ahead
    route = route_of(Knots(points, times, "facing", headings))
    if not len(passed):
        return route, between_speeds(before.speed, behind.speed, route.length, seconds, fps)
    return route, _passing_at(route, times, (before.speed, behind.speed), seconds, fps)


def _passing_at(
    route: Route, times: Array, speeds: tuple[float, float], seconds: float, fps: float
) -> Timing:
    """Times along a route past its marks, speeds at both ends given, as evenly as is gentle.

    Speeds between the marks are averaged over as long as a change of speed takes, and scaled in the
    middle of the gap to make the whole way: marks are passed a little early or late where the times
    ask for a sudden change.
    """
    n = round(seconds * fps) + 1
    even = np.diff(route.marks) / np.diff(times)
    piece = np.clip(np.searchsorted(times, np.arange(n) / fps, side="right") - 1, 0, len(even) - 1)
    change = max(abs(speeds[0] - even[0]), abs(speeds[1] - even[-1]), float(np.ptp(even)))
    half = max(1, round(0.5 * fps * min(max(CHANGE_TIME, change / ACCELERATION), 0.5 * seconds)))
    told = np.concatenate([np.full(half, speeds[0]), even[piece], np.full(half, speeds[1])])
    smooth = np.convolve(told, hann_window(half), mode="same")[half : half + n]
    u = np.linspace(0.0, 1.0, n)
    # Half of the step from the clips' speeds is over at the ends: the rest is taken back there.
    near = np.clip(np.arange(n) / half, 0.0, 1.0)
    smooth += (speeds[0] - smooth[0]) * (1.0 - near) ** 2
    smooth += (speeds[1] - smooth[-1]) * (1.0 - near[::-1]) ** 2
    lacking = route.length / seconds - np.trapezoid(smooth, u)
    return covering(np.maximum(smooth + hill(u) * lacking, 0.0), route.length, fps)


def _plan_phases(
    table: GaitTable, timing: Timing, before: ClipEnd, behind: ClipEnd
) -> tuple[float, float]:
    """Phase at the begin of a gap, and how many times as quick as usual steps are in it.

    Both clips are met in their phases at one constant rate, the one nearest to the usual.

    Parameters
    ----------
    table : GaitTable
        Durations of cycles.
    timing : Timing
        Speeds in the gap.
    before, behind : ClipEnd
        What the clips do.

    Returns
    -------
    first : float
    rate : float
    """
    usual = float(
        np.sum(halting(timing.speeds) / table.mixed(table.durations, timing.speeds)) / timing.fps
    )
    closed = [float(s) + STRUCK for s in table.strikes[0]]
    leaving = [float(off) - LEAVES for off in table.strikes[0] + table.stances[0]]
    firsts = leaving if before.match is None else [float(before.match.phases[-1])]
    lasts = closed if behind.match is None else [float(behind.match.phases[0])]
    whole = max(int(usual), 0)
    pairs = [
        (first, (last - first) % 1.0 + cycles)
        for first in firsts
        for last in lasts
        for cycles in (whole - 1, whole, whole + 1)
    ]
    usable = [(first, total / usual) for first, total in pairs if min(total, usual) > 0.05]
    return min(usable, key=lambda pair: abs(np.log(pair[1])), default=(firsts[0], 1.0))


def _met_feet(plan: GaitPlan, before: ClipEnd, behind: ClipEnd) -> tuple[FootSteps, FootSteps]:
    """Footprints with those that the clips stand on already."""
    steps = []
    for foot, own in enumerate(plan.steps):
        prints = own.prints.copy()
        for end, frame in ((before, 0), (behind, -1)):
            if end.standing_feet()[foot] and own.share[frame] < 0.5:
                k = int(own.number[frame])
                prints[k] = _print_under(plan, own, end, foot, frame)
        steps.append(replace(own, prints=prints))
    return steps[0], steps[1]


def _print_under(plan: GaitPlan, steps: FootSteps, end: ClipEnd, foot: int, frame: int) -> Array:
    """The footprint from which the plan puts a foot where a clip has it."""
    at = slice(0, 1) if frame == 0 else slice(-1, None)
    one = replace(
        steps, prints=np.zeros((1, 3)), number=np.zeros(1, np.intp), share=steps.share[at]
    )
    ankle, turn = place_foot(plan.table, plan.way.speeds[at], one, foot)
    tip = list(plan.table.legs.values())[foot].tip
    actual = end.posed.positions[end.frame, tip]
    turned = rot.multiply(end.posed.rotations[end.frame, tip], rot.conjugate(turn[0]))
    angle = float(heading_of(turned))
    moved = actual - rot.rotate(rot.yaw(angle), ankle[0])
    return np.array([moved[0], moved[2], angle])


def _joined(laid: Laid, plan: GaitPlan, before: ClipEnd, behind: ClipEnd) -> Laid:
    """Poses and feet that begin as one clip ends and end as the other begins."""
    body = plan.table.body
    motion = _from_clip(pose_laid(laid, plan).motion, before.posed.motion, plan)
    motion = _reversed(_from_clip(_reversed(motion), _reversed(behind.posed.motion), plan))
    places = PosedMotion(motion, body.roles).positions[:, body.root]
    return Laid(np.array(motion.rotations), places, *_feet_of(laid, plan, before, behind))


def _reversed(motion: Motion) -> Motion:
    return replace(motion, rotations=motion.rotations[::-1], translations=motion.translations[::-1])


def _from_clip(motion: Motion, clip: Motion, plan: GaitPlan) -> Motion:
    """A motion whose frame 0 is the last frame of a clip and goes on from there."""
    body = plan.table.body
    world = PosedMotion(clip.cut(max(0, clip.n_frames - 2), clip.n_frames), body.roles)
    rotations = np.array(world.motion.rotations)
    rotations[:, body.root] = world.rotations[:, body.root]
    places = world.positions[:, body.root]
    last = motion_of(body, rotations, places, motion.frame_time)
    span = min(JOIN_TIME, JOIN_SHARE * motion.duration)
    both = replace(
        motion,
        rotations=np.concatenate([last.rotations[:1], motion.rotations]),
        translations=np.concatenate([last.translations[:1], motion.translations]),
    )
    seam = Seam(1, last.rotations[-1], last.translations[-1])
    joined = inertialize(both, [seam], span, 0.75 * span)
    return joined.cut(1, joined.n_frames)


def _feet_of(laid: Laid, plan: GaitPlan, before: ClipEnd, behind: ClipEnd) -> tuple[Array, Array]:
    """Ankles and their turns with what the clips leave behind, dying away."""
    n = plan.n_frames
    frames = np.arange(n)
    span = min(FOOT_TIME * plan.way.fps, JOIN_SHARE * n)
    ankles = laid.ankles.copy()
    turns = laid.turns.copy()
    for end, frame, away in ((before, 0, frames), (behind, n - 1, n - 1 - frames)):
        left, _ = decay(away, span, span)
        for foot, leg in enumerate(plan.table.legs.values()):
            shift = end.posed.positions[end.frame, leg.tip] - laid.ankles[frame, foot]
            back = rot.conjugate(laid.turns[frame, foot])
            turn = rot.to_rotvec(rot.multiply(end.posed.rotations[end.frame, leg.tip], back))
            ankles[:, foot] += left[:, None] * shift
            turns[:, foot] = rot.multiply(rot.from_rotvec(left[:, None] * turn), turns[:, foot])
    return ankles, turns
