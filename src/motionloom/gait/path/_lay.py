"""The body laid on its way, and where its feet have to be: what a plan says, frame by frame.

GaitPlan: a route, its times and the gait on it put together, before any pose is made; then legs
go to their footprints, the pelvis no higher than they reach.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.gaits import GRAVITY
from motionloom.curves import hann_average, smooth_envelope, smoothstep
from motionloom.edit.limbs import LARGEST_DROP, bone_lengths, solve_limb
from motionloom.edit.root import move_body
from motionloom.gait.cycle import GaitBody
from motionloom.gait.path._footprints import FootSteps, Way, find_phases, plan_footsteps
from motionloom.gait.path.tables._mix import NOTHING, TableMix, as_mix
from motionloom.gait.path.tables.kernels import place_feet, sample_poses
from motionloom.gait.path.tables.table import GaitTable, motion_of
from motionloom.gait.path.way.route import Route
from motionloom.gait.path.way.timing import Timing
from motionloom.posed_motion import PosedMotion
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: Before and behind what is made, so much is planned too, seconds.
MARGIN = 2.0
#: Legs lean by these shares of what centripetal acceleration asks for, where it asks for so many
#: radians, as in captured turns: who walks a gentle curve hardly leans, who runs one does.
LEAN_AT, LEAN_SHARES = (0.12, 0.3), (0.45, 0.8)
#: It comes to lean over this time, seconds.
LEAN_TIME = 0.4

#: The body's pose goes over from walking to running within this time, seconds.
CHANGE_TIME = 0.8
#: Where legs lean the pelvis rolls by this share of it. The trunk stays more upright: it tilts by
#: this share of a small lean, and by no more than this, radians. All as in captured turns.
ROLL_SHARE, TILT_SHARE, MOST_TILT = 0.8, 0.84, 0.082


@dataclass(frozen=True, eq=False)
class Laid:
    """Poses on their way, legs as they were captured, and where the ankles belong.

    Parameters
    ----------
    rotations : array of shape (T, J, 4)
        Local rotations, that of the root in the world.
    places : array of shape (T, 3), metres
        Of the root.
    ankles : array of shape (T, 2, 3), metres
        Where the left and the right ankle belong.
    turns : array of shape (T, 2, 4)
        World rotations that their joints shall have.
    """

    rotations: Array
    places: Array
    ankles: Array
    turns: Array


def lay(plan: GaitPlan) -> Laid:
    """Lay the body of a plan on its way.

    Parameters
    ----------
    plan : GaitPlan
        What is planned.

    Returns
    -------
    Laid
    """
    mix = plan.mix
    way = plan.way
    rotations, deviations = _mixed_poses(mix, way)
    # Who leans is less high: feet and hips stay as far apart.
    deviations[:, 1] *= np.cos(way.leans)
    facing = way.stand.quaternion
    _lean_body(rotations, way.leans, mix.base.body)
    root = mix.base.body.root
    rotations[:, root] = rot.multiply(facing, rotations[:, root])
    feet = [_mixed_foot(mix, way.speeds, steps, foot) for foot, steps in enumerate(plan.steps)]
    return Laid(
        rotations=rotations,
        places=way.stand.apply(deviations),
        ankles=np.stack([ankles for ankles, _ in feet], axis=1),
        turns=np.stack([turns for _, turns in feet], axis=1),
    )


def _lean_body(rotations: Array, leans: Array, body: GaitBody) -> None:
    """Let bodies lean, in place: the pelvis with the legs, the trunk less.

    Parameters
    ----------
    rotations : array of shape (T, J, 4)
        Local; that of the root relative to the travel.
    leans : array of shape (T,), radians
        How far the legs lean to the left.
    body : GaitBody
        Whose joints they are.
    """
    root = body.root
    ahead = np.array([0.0, 0.0, 1.0])
    rolls = ROLL_SHARE * leans
    tilts = MOST_TILT * np.tanh(TILT_SHARE / MOST_TILT * leans)
    pelvis = rot.multiply(rot.from_rotvec(np.outer(-rolls, ahead)), rotations[:, root])
    rotations[:, root] = pelvis
    if body.trunk is not None:
        back = rot.from_rotvec(np.outer(rolls - tilts, ahead))
        own = rot.multiply(rot.conjugate(pelvis), rot.multiply(back, pelvis))
        rotations[:, body.trunk] = rot.multiply(own, rotations[:, body.trunk])


def _mixed_poses(mix: TableMix, way: Way) -> tuple[Array, Array]:
    """Poses of a mix of styles along a way; as `sampled`, which is of one table."""
    shares = mix.shares.T
    poses = [
        (share, *sampled(table, way))
        for share, table in zip(shares, mix.tables, strict=True)
        if share.max() > NOTHING
    ]
    if len(poses) == 1:
        return poses[0][1:]
    places = sum(share[:, None] * deviations for share, _, deviations in poses)
    turned = _mean_rotation([(share[:, None], rotations) for share, rotations, _ in poses])
    return turned, np.asarray(places)


def _mean_rotation(weighted: list[tuple[Array, Array]]) -> Array:
    """Weighted mean of rotations (..., 4) that are near to each other."""
    like = weighted[0][1]
    total = np.zeros_like(like)
    for share, turns in weighted:
        flip = np.where(np.sum(turns * like, axis=-1, keepdims=True) < 0, -1.0, 1.0)
        total += share[..., None] * flip * turns
    return rot.normalize(total)


def sampled(table: GaitTable, way: Way) -> tuple[Array, Array]:
    """Poses of a table at the speeds and phases of a way.

    Parameters
    ----------
    table : GaitTable
        The gait over speed.
    way : Way
        T frames.

    Returns
    -------
    rotations : array of shape (T, J, 4)
        Local; that of the root relative to the travel.
    deviations : array of shape (T, 3), metres
        The root: left, up, ahead.
    """
    running = table.mixed(table.running, way.speeds)
    if not running.any():
        return _at_speeds(table, way.speeds, way.phases)
    running = hann_average(running, max(1, round(0.5 * CHANGE_TIME * way.fps)))
    # Arms take longer to come up than the speed may take to pass the transition.
    slow, fast = table.transition
    walked = _at_speeds(table, np.minimum(way.speeds, slow), way.phases)
    run = _at_speeds(table, np.maximum(way.speeds, fast), way.phases)
    places = (1.0 - running)[:, None] * walked[1] + running[:, None] * run[1]
    return rot.slerp(walked[0], run[0], running[:, None]), places


def _at_speeds(table: GaitTable, speeds: Array, phases: Array) -> tuple[Array, Array]:
    node, part = table.bracket(speeds)
    poses = np.empty((len(speeds), *table.rotations.shape[2:]))
    places = np.empty((len(speeds), 3))
    sample_poses(node, part, phases, table.rotations, table.deviations, poses, places)
    return poses, places


def _mixed_foot(mix: TableMix, speeds: Array, steps: FootSteps, foot: int) -> tuple[Array, Array]:
    """Where an ankle belongs in a mix of styles; as `place_foot`, which is of one table.

    A foot that stands keeps the style in which it came down, and takes on another in the air.
    """
    if len(mix.tables) == 1:
        return place_foot(mix.base, speeds, steps, foot)
    printed = mix.at(steps.middles).shares
    over = smoothstep(2.0 * steps.share - 1.0)[:, None]
    after = np.minimum(steps.number + 1, len(printed) - 1)
    shares = (1.0 - over) * printed[steps.number] + over * printed[after]
    placed = [
        (share, *place_foot(table, speeds, steps, foot))
        for share, table in zip(shares.T, mix.tables, strict=True)
        if share.max() > NOTHING
    ]
    ankles = sum(share[:, None] * ankle for share, ankle, _ in placed)
    return np.asarray(ankles), _mean_rotation([(share, turns) for share, _, turns in placed])


def place_foot(table: GaitTable, speeds: Array, steps: FootSteps, foot: int) -> tuple[Array, Array]:
    """Where an ankle belongs, and how its joint is turned.

    Parameters
    ----------
    table : GaitTable
        How feet roll and swing.
    speeds : array of shape (T,), metres per second
        Frame by frame.
    steps : FootSteps
        The foot's steps.
    foot : int
        0 left, 1 right.

    Returns
    -------
    ankles : array of shape (T, 3), metres
    turns : array of shape (T, 4)
    """
    node, part = table.bracket(speeds)
    old = steps.prints[steps.number]
    new = steps.prints[np.minimum(steps.number + 1, len(steps.prints) - 1)]
    ankles = np.empty((len(node), 3))
    turns = np.empty((len(node), 4))
    place_feet(node, part, steps.share, old, new, table.foot(foot), ankles, turns)
    return ankles, turns


@dataclass(frozen=True, eq=False)
class GaitPlan:
    """What a gait will do.

    Parameters
    ----------
    mix : TableMix
        The gait over speed, and its style on the way.
    way : Way
        Where the body goes.
    steps : pair of FootSteps
        Where the feet stand, left and right.
    """

    mix: TableMix
    way: Way
    steps: tuple[FootSteps, FootSteps]

    @property
    def table(self) -> GaitTable:
        """The gait over speed, where no style is asked for."""
        return self.mix.base

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return self.way.n_frames


def pose_laid(laid: Laid, plan: GaitPlan) -> PosedMotion:
    """The body of a plan as it is laid on its way, legs as they were captured."""
    body = plan.table.body
    motion = motion_of(body, laid.rotations, laid.places, 1.0 / plan.way.fps)
    return PosedMotion(motion, body.roles)


@one_thread()
def plan_gait(
    gait: GaitTable | TableMix, route: Route, timing: Timing, phase: float = 0.0, rate: float = 1.0
) -> GaitPlan:
    """Plan a gait along a route.

    Parameters
    ----------
    gait : GaitTable or TableMix
        The gait over speed; a mix has as many frames as `timing`.
    route : Route
        Where it leads.
    timing : Timing
        When the body is where.
    phase : float
        Of the first frame, where the body moves in it.
    rate : float
        Steps are so many times as quick as they usually are.

    Returns
    -------
    GaitPlan
        With as many frames as `timing`.
    """
    pad = round(MARGIN * timing.fps)
    wide = _padded(timing, pad)
    own = as_mix(gait, timing.n_frames).paced(rate)
    mix = own.at(np.arange(-pad, timing.n_frames + pad))
    phases = find_phases(mix, wide.speeds, timing.fps, phase, pad)
    way = _way_of(route, wide, phases)
    steps = plan_footsteps(mix, way)
    stop = pad + timing.n_frames
    left, right = (s.cut(pad, stop) for s in steps)
    return GaitPlan(own, way.cut(pad, stop), (left, right))


def _padded(timing: Timing, pad: int) -> Timing:
    """Timing with the speeds of its ends kept up before and behind."""
    before = timing.along[0] - timing.speeds[0] / timing.fps * np.arange(pad, 0, -1)
    behind = timing.along[-1] + timing.speeds[-1] / timing.fps * np.arange(1, pad + 1)
    return Timing(
        timing.fps,
        np.concatenate([before, timing.along, behind]),
        np.pad(timing.speeds, pad, mode="edge"),
    )


def _way_of(route: Route, timing: Timing, phases: Array) -> Way:
    bend = route.curvature_at(timing.along)
    full = np.arctan(timing.speeds**2 * bend / GRAVITY)
    leans = full * np.interp(np.abs(full), LEAN_AT, LEAN_SHARES)
    leans = hann_average(leans, max(1, round(0.5 * LEAN_TIME * timing.fps)))
    stand = route.at(timing.along)
    return Way(fps=timing.fps, stand=stand, speeds=timing.speeds, leans=leans, phases=phases)


#: Share of its full length that a leg may take.
EXTENSION = 0.998
#: Over this time the pelvis sinks and rises again, seconds.
SINK_TIME = 0.12
UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class Woven:
    """A motion on its footprints.

    Parameters
    ----------
    posed : PosedMotion
        The motion with its kinematics.
    plan : GaitPlan
        What it follows.
    down : bool array of shape (T, 2)
        Whether the left and the right foot stand.
    drop : array of shape (T,), metres
        How far the pelvis was lowered for the legs to reach.
    """

    posed: PosedMotion
    plan: GaitPlan
    down: Bools
    drop: Array


@one_thread()
def plant(laid: Laid, plan: GaitPlan, settle: float = 0.0) -> Woven:
    """Put the feet of poses where they belong.

    Parameters
    ----------
    laid : Laid
        Poses, and where ankles belong.
    plan : GaitPlan
        What is planned.
    settle : float, seconds
        At both ends the pelvis is not lowered; it is as far as it has to be after this time.

    Returns
    -------
    Woven
    """
    table = plan.table
    posed = pose_laid(laid, plan)
    window = max(1, round(SINK_TIME * plan.way.fps))
    drop = smooth_envelope(lacking(posed, laid, table), window, np.inf)
    if settle > 0:
        every = np.arange(len(drop))
        drop *= smoothstep(np.minimum(every, every[::-1]) / (settle * plan.way.fps))
    lowered = move_body(posed, -drop[:, None] * UP)
    local: dict[int, Array] = {}
    for foot, leg in enumerate(table.legs.values()):
        local |= solve_limb(lowered, leg, laid.ankles[:, foot], laid.turns[:, foot])
    down = np.column_stack([steps.stands for steps in plan.steps])
    return Woven(lowered.with_local(local), plan, down, drop)


def sunk(woven: Woven, drops: Array | None = None) -> tuple[str, ...]:
    """Say that hips sink farther than people lower them; nothing where they do not.

    Parameters
    ----------
    woven : Woven
        A gait on its footprints.
    drops : array of shape (T,), metres, optional
        How far the pelvis is lowered in all; `woven.drop` when not given.

    Returns
    -------
    tuple of str
        A sentence, or none.
    """
    drops = woven.drop if drops is None else drops
    worst = int(drops.argmax())
    drop = float(drops[worst])
    most = LARGEST_DROP * woven.plan.table.body.soles.leg
    if drop <= most:
        return ()
    way = woven.plan.way
    return (
        f"the hips sink by {100 * drop:.0f} cm, {worst / way.fps:.2f} s after the gait begins, at"
        f" {way.speeds[worst]:.2f} m/s: footprints are too far apart for legs of"
        f" {most / LARGEST_DROP:.2f} m, for which hips sink by up to {100 * most:.0f} cm; give it"
        " more time, or a way that is shorter or less tight",
    )


def lacking(posed: PosedMotion, laid: Laid, table: GaitTable) -> Array:
    """How far the pelvis is too high for the legs to reach, shape (T,), metres; else 0."""
    need = np.zeros(posed.n_frames)
    for foot, leg in enumerate(table.legs.values()):
        span = posed.positions[:, leg.root] - laid.ankles[:, foot]
        upper, lower = bone_lengths(posed, leg)
        across = span[:, 0] ** 2 + span[:, 2] ** 2
        highest = np.sqrt(np.maximum((EXTENSION * (upper + lower)) ** 2 - across, 0.0))
        need = np.maximum(need, span[:, 1] - highest)
    return need
