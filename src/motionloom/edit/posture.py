"""Postures for a reach: hips, trunk and shoulder girdle help, before the arm does the rest.

What an arm does not reach comfortably is shared out: the hips sink and shift with the feet where
they are, the trunk bows and turns, the shoulder comes along. The shares are those of least effort
(sum of squares, each joint in its own measure), and the weight stays over the feet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from motionloom import rotations as rot
from motionloom.analysis.hinges import find_limbs
from motionloom.edit.envelope import smooth_envelope
from motionloom.edit.limbs import bone_lengths, solve_limb
from motionloom.edit.reach import Target, bump, find_limb, target_time
from motionloom.edit.reach_sets import COMFORT, is_arm
from motionloom.edit.root import move_body
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.rotations import wrap_angle
from motionloom.two_bones import reach_for

Array = NDArray[np.float64]

#: What is as much effort as any other: a shift of the hips along the ground and up or down, metres;
#: a turn of the hips, of a joint of the trunk, of the shoulder girdle, radians.
SHIFT, SINK = 0.06, 0.08
TURNS = (0.12, 0.15, 0.2)
#: No more of each than this.
LARGEST_SHIFT, LARGEST_SINK = 0.15, 0.6
LARGEST_TURNS = (0.7, 0.35, 0.45)
#: The share of them up to which the trunk turns for what is above the shoulder.
STRETCH = 0.35
#: A target is as near as this to being within comfort for as much effort, metres; and the weight
#: that far from where it was.
DAMPING, BALANCE = 0.015, 0.1
#: Nearer than this to the shoulder, arm lengths, is as uncomfortable as too far away.
CLOSE = 0.3
#: How the weight goes along with shoulders and hips.
WEIGHT_ABOVE, WEIGHT_BELOW = 0.5, 0.4
#: Knees bend no more than this for a reach, radians; legs stretch to this share of their length.
KNEE, STRAIGHT = 1.9, 0.9995
#: With the heel up so far above the other foot, leg lengths, a knee may bend more.
RAISED, KNEELING = 0.08, 2.4
#: An arm that does not reach keeps this share of how it hangs.
HANGING = 0.7
#: The posture is found anew so often while a target is held, seconds.
EVERY = 0.4
#: Time over which the hips sink where a leg would be too short, seconds.
SINK_TIME = 0.2
#: Steps of the search for a posture, and how much of each is taken.
ROUNDS, PACE = 24, 0.5
#: It is found when no part has to do more than this any more, units of effort.
SETTLED = 0.02


@dataclass(frozen=True, eq=False)
class _Posture:
    """A posture at a frame: how joints from the hips outwards turn in their own frames (n, 3), and
    how the hips are shifted (3,).
    """

    frame: int
    turns: Array
    shift: Array


@dataclass(frozen=True, eq=False)
class _Body:
    """One frame of a motion, what moves for a target in it, and what its legs stand on.

    `end` is the joint that comes to the target, by `length` of an arm near; `free` says whether the
    hips may shift and the body turn, `bow` how far the trunk may.
    """

    still: PosedMotion
    joints: tuple[int, ...]
    end: int
    length: float
    legs: tuple[Limb, ...]
    free: bool
    bow: float


def take_postures(
    posed: PosedMotion,
    targets: Sequence[Target],
    blend: float = 0.4,
    keep: Sequence[int] = (),
    stay: Sequence[int] = (),
) -> PosedMotion:
    """Bring hips, trunk and shoulders so near to targets that arms reach them comfortably.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    targets : sequence of Target
        Targets within comfortable reach and those of legs change nothing. A joint of the trunk
        comes to its target itself.
    blend : float, seconds
        Least time over which a posture is taken and left; longer ways take longer.
    keep : sequence of int
        Frames in which nothing changes.
    stay : sequence of int
        Frames in which the body is asked for: a posture that reaches into one shifts no hips along
        the ground and turns the body nowhere else.

    Returns
    -------
    PosedMotion
        Every foot is where it was, and turned as it was.
    """
    for target in targets:
        limb = find_limb(posed, target.joint)
        if limb is not None and not is_arm(posed.roles, limb):
            continue
        width = max(blend, target_time(posed, target)) * posed.fps
        first, last = target.frames[0], min(target.frames[-1], posed.n_frames - 1)
        share = bump(posed.n_frames, first, width, keep, last)
        free = not np.any(share[[f for f in stay if f < len(share)]] > 0)
        end = target.joint if limb is None else limb.root
        joints = _joints(posed, end)
        if not joints or not share.any():
            continue
        keys = [
            _solve(_body_at(posed, frame, target, limb, free), frame, target.position)
            for frame in _keys(target, posed)
        ]
        if any(np.any(key.turns) or np.any(key.shift) for key in keys):
            posed = _take(posed, end, keys, share, free)
    return posed


def _joints(posed: PosedMotion, end: int) -> tuple[int, ...]:
    """The hips and what is between them and a joint; none where it hangs on something else."""
    chain = posed.skeleton.chain(end)
    hips = posed.roles.joints["hips"]
    return chain[chain.index(hips) : -1] if hips in chain[:-1] else ()


def _keys(target: Target, posed: PosedMotion) -> list[int]:
    """Frames in which a posture is found: the first, the last and some between."""
    first, last = target.frames[0], min(target.frames[-1], posed.n_frames - 1)
    count = 1 + int(np.ceil((last - first) / (EVERY * posed.fps)))
    return sorted({round(f) for f in np.linspace(first, last, count)})


def _body_at(
    posed: PosedMotion, frame: int, target: Target, limb: Limb | None, free: bool
) -> _Body:
    still = posed.cut(frame, frame + 1)
    length = 0.0 if limb is None else sum(float(b[0]) for b in bone_lengths(still, limb))
    end = target.joint if limb is None else limb.root
    above = target.position[1] > still.positions[0, end, 1]
    bow = STRETCH if above else 1.0
    return _Body(still, _joints(posed, end), end, length, _legs(posed), free, bow)


def _legs(posed: PosedMotion) -> tuple[Limb, ...]:
    feet = posed.roles.feet
    return tuple(limb for role, limb in find_limbs(posed.roles).items() if role in feet)


def _solve(body: _Body, frame: int, place: Array) -> _Posture:
    """The posture of least effort: damped Gauss-Newton; what came to its limit rests for a step."""
    effort = _efforts(body)
    joints = list(body.joints)
    turns = np.zeros((len(joints), 3))
    shift = np.zeros(3)
    strain = np.zeros(len(effort))
    free = np.ones(len(effort))
    moved = body.still
    for _ in range(ROUNDS):
        gap = _gap(body, place - moved.positions[0, body.end])
        if not np.any(gap) and not np.any(strain):
            break
        step = PACE * _step(body, moved, gap, effort * free, strain)
        world = (effort[3:] * step[3:]).reshape(-1, 3)
        turns = turns + rot.rotate(rot.conjugate(moved.rotations[0, joints]), world)
        shift = shift + effort[:3] * step[:3]
        share = _within(body, turns, shift)
        turns, shift = turns * share[1:, None], shift * share[0]
        strain = (strain + step) * np.repeat(share, 3)
        moved = _pose(body.still, body.joints, turns[None], shift[None])
        rise = _room(body, moved)
        shift[1] += rise
        strain[1] += rise / effort[1]
        moved = move_body(moved, [[0.0, rise, 0.0]])
        free = np.repeat((share >= 1.0).astype(float), 3)
        free[1] *= rise <= 0.0
        if np.all(np.abs(step) < SETTLED):
            break
    return _Posture(frame, turns, shift)


def _step(body: _Body, moved: PosedMotion, gap: Array, effort: Array, strain: Array) -> Array:
    """What each part is to do next, in units of effort."""
    levers = moved.positions[0, body.end] - moved.positions[0, list(body.joints)]
    by_turn = [np.cross(axis, lever) for lever in levers for axis in np.eye(3)]
    rows = np.column_stack([np.eye(3), np.transpose(by_turn)]) * effort
    weight = WEIGHT_ABOVE * rows[[0, 2]]
    weight[:, :3] += WEIGHT_BELOW * (np.eye(3) * effort[:3])[[0, 2]]
    matrix = np.vstack([rows / DAMPING, weight / BALANCE, np.diag((effort > 0).astype(float))])
    rhs = np.concatenate([gap / DAMPING, -_weight(body, moved) / BALANCE, -strain])
    step: Array = np.linalg.lstsq(matrix, rhs)[0]
    return step


def _efforts(body: _Body) -> Array:
    """What one unit of effort does: three of the hips' shift, three of every turn."""
    turns = np.full((len(body.joints), 3), TURNS[1])
    turns[0] = TURNS[0]
    shift = np.array([SHIFT, SINK, SHIFT])
    if body.length and len(turns) > 1:
        turns[-1] = TURNS[2]
    if not body.free:
        shift[[0, 2]] = 1e-6
        turns[:, 1] = 1e-6
    return np.concatenate([shift, turns.ravel()])


def _gap(body: _Body, miss: Array) -> Array:
    """How far the end has to come for its target to be within comfort."""
    far = max(float(np.linalg.norm(miss)), 1e-9)
    wanted = float(np.clip(far, CLOSE * body.length, COMFORT * body.length))
    return miss * (1.0 - wanted / far)


def _weight(body: _Body, moved: PosedMotion) -> Array:
    """How far the weight has gone along the ground, (2,)."""
    hips = moved.roles.joints["hips"]
    away = moved.positions[0] - body.still.positions[0]
    both = WEIGHT_ABOVE * away[body.end] + WEIGHT_BELOW * away[hips]
    weight: Array = both[[0, 2]]
    return weight


def _within(body: _Body, turns: Array, shift: Array) -> Array:
    """Factors that bring the shift and every turn within their limits, (1 + n,)."""
    most = np.full(len(turns), LARGEST_TURNS[1])
    most[0] = LARGEST_TURNS[0]
    most *= body.bow
    if body.length and len(turns) > 1:
        most[-1] = LARGEST_TURNS[2]
    aside = LARGEST_SHIFT / max(float(np.hypot(shift[0], shift[2])), 1e-12)
    down = LARGEST_SINK / max(float(abs(shift[1])), 1e-12)
    size = np.linalg.norm(turns, axis=-1)
    share = np.concatenate([[min(aside, down)], most / np.maximum(size, 1e-12)])
    within: Array = np.minimum(1.0, share)
    return within


def _room(body: _Body, moved: PosedMotion) -> float:
    """How much the hips have to rise, or sink, for legs that neither bend nor stretch too much."""
    if not body.legs:
        return 0.0
    sink, rise = 0.0, np.inf
    ground = min(float(body.still.positions[0, leg.tip, 1]) for leg in body.legs)
    for leg in body.legs:
        a, b = (float(length[0]) for length in bone_lengths(body.still, leg))
        foot = body.still.positions[0, leg.tip]
        own = float(np.linalg.norm(foot - body.still.positions[0, leg.root]))
        way = foot - moved.positions[0, leg.root]
        flat = float(way[0] ** 2 + way[2] ** 2)
        longest = max(STRAIGHT * (a + b), own)
        knee = KNEELING if foot[1] > ground + RAISED * (a + b) else KNEE
        nearest = min(float(reach_for(a, b, knee)), own)
        sink = max(sink, -way[1] - np.sqrt(max(longest**2 - flat, 0.0)))
        rise = min(rise, -way[1] - np.sqrt(max(nearest**2 - flat, 0.0)))
    return -sink if sink > 0 else max(0.0, -rise)


def _pose(posed: PosedMotion, joints: Sequence[int], turns: Array, shift: Array) -> PosedMotion:
    """Hips shifted (T, 3) and joints turned in their own frames (T, n, 3)."""
    own = posed.motion.rotations[:, list(joints)]
    turned = rot.multiply(own, rot.from_rotvec(turns))
    local = dict(zip(joints, turned.swapaxes(0, 1), strict=True))
    return move_body(posed, shift).with_local(local)


def _take(
    posed: PosedMotion,
    end: int,
    keys: Sequence[_Posture],
    share: Array,
    free: bool,
) -> PosedMotion:
    """The motion with a share (T,) of its postures, its feet where they were."""
    joints = _joints(posed, end)
    needs = np.array([np.concatenate([k.shift, k.turns.ravel()]) for k in keys])
    frames = [k.frame for k in keys]
    now = np.clip(np.arange(posed.n_frames), frames[0], frames[-1])
    curves = (
        CubicSpline(frames, needs, bc_type="clamped")(now)
        if len(keys) > 1
        else np.repeat(needs, posed.n_frames, axis=0)
    )
    curves = share[:, None] * curves
    turns = curves[:, 3:].reshape(len(share), len(joints), 3)
    moved = _pose(posed, joints, turns, curves[:, :3])
    if not free:
        off = np.where(share > 0, wrap_angle(posed.facing - moved.facing), 0.0)
        moved = move_body(moved, np.zeros((len(share), 3)), off, moved.hips)
    drop = _drop(posed, moved) * np.minimum(1.0, 20.0 * share)
    moved = move_body(moved, np.stack([0 * drop, -drop, 0 * drop], axis=-1))
    local = _hang(posed, moved, end)
    for leg in _legs(posed):
        feet = posed.positions[:, leg.tip], posed.rotations[:, leg.tip]
        local |= solve_limb(moved, leg, *feet)
    local |= {j: moved.motion.rotations[:, j] for j in joints if j not in local}
    changed = (share > 0)[:, None]
    own = posed.motion.rotations
    return moved.with_local({j: np.where(changed, r, own[:, j]) for j, r in local.items()})


def _hang(before: PosedMotion, moved: PosedMotion, end: int) -> dict[int, Array]:
    """How arms that do not reach turn, so that they hang rather than go along with the trunk."""
    local = {}
    for limb in find_limbs(before.roles).values():
        above = before.skeleton.parents[limb.root]
        if is_arm(before.roles, limb) and limb.root != end:
            world = rot.slerp(
                moved.rotations[:, limb.root],
                before.rotations[:, limb.root],
                np.full(before.n_frames, HANGING),
            )
            local[limb.root] = rot.multiply(rot.conjugate(moved.rotations[:, above]), world)
    return local


def _drop(before: PosedMotion, moved: PosedMotion) -> Array:
    """How far the hips have to sink for every leg to reach its foot, smooth in time, (T,)."""
    need = np.zeros(before.n_frames)
    for leg in _legs(before):
        root, foot = moved.positions[:, leg.root], before.positions[:, leg.tip]
        own = np.linalg.norm(foot - before.positions[:, leg.root], axis=-1)
        longest = np.maximum(STRAIGHT * np.sum(bone_lengths(before, leg), axis=0), own)
        way = foot - root
        below = np.sqrt(np.maximum(longest**2 - way[:, 0] ** 2 - way[:, 2] ** 2, 0.0))
        need = np.maximum(need, -way[:, 1] - below)
    need[need < 1e-6] = 0.0
    return smooth_envelope(need, max(1, round(SINK_TIME * before.fps)))
