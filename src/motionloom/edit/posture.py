"""Postures for a reach: hips, trunk and shoulder girdle help, before the arm does the rest.

What an arm does not reach comfortably is shared out: the hips sink and shift with the feet where
they are, the trunk bows and turns, the shoulder comes along. The shares are those of least effort
(sum of squares, each joint in its own measure), and the weight stays over the feet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import scipy

from motionloom import rotations as rot
from motionloom.analysis.hinges import Hinge, find_limbs
from motionloom.curves import smooth_envelope
from motionloom.edit import reach as reaching
from motionloom.edit.footlock import find_legs
from motionloom.edit.hip_height import rise_to
from motionloom.edit.limbs import bone_lengths, solve_limb
from motionloom.edit.reach_sets import COMFORT, is_arm
from motionloom.edit.root import move_body
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.rotations import wrap_angle
from motionloom.two_bones import cross, reach_for
from motionloom.typing import Array

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
#: A foot as near as this to its target stays, metres, however straight its leg is.
_THERE = 1e-4
#: Time over which the hips sink where a leg would be too short, seconds.
SINK_TIME = 0.2
#: Steps of the search for a posture, and how much of each is taken.
ROUNDS, PACE = 24, 0.5
#: It is found when no part has to do more than this any more, units of effort.
SETTLED = 0.02


def take_postures(
    posed: PosedMotion,
    targets: Sequence[reaching.Target],
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
        limb = reaching.find_limb(posed, target.joint)
        if limb is not None and not is_arm(posed.roles, limb):
            continue
        width = max(blend, reaching.target_time(posed, target)) * posed.fps
        frames = _keys(target, posed)
        share = reaching.bump(posed.n_frames, frames[0], width, keep, frames[-1])
        free = not np.any(share[[f for f in stay if f < len(share)]] > 0)
        end = target.joint if limb is None else limb.root
        if not _joints(posed, end) or not share.any():
            continue
        postures = np.array([_find_posture(posed, f, target, limb, free) for f in frames])
        if postures.any():
            posed = _take(posed, end, _curves(frames, postures, posed.n_frames), share, free)
    return posed


def sink_to_feet(
    posed: PosedMotion,
    targets: Sequence[reaching.Target],
    blend: float = 0.4,
    keep: Sequence[int] = (),
) -> PosedMotion:
    """Let the hips sink so far that legs which are too short reach their targets.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    targets : sequence of Target
        Of joints of legs.
    blend : float, seconds
        Least time over which the hips sink, and rise again.
    keep : sequence of int
        Frames in which nothing changes.

    Returns
    -------
    PosedMotion
        Every foot is where it was.
    """
    hips = posed.roles.joints["hips"]
    for target in targets:
        frames = [f for f in target.frames if f < posed.n_frames]
        need = _sink_needed(posed, target, frames)
        if need <= 0.0:
            continue
        width = max(blend, reaching.target_time(posed, target)) * posed.fps
        share = reaching.bump(posed.n_frames, frames[0], width, keep, frames[-1])
        curves = np.zeros((posed.n_frames, 3))
        curves[:, 1] = -need
        posed = _take(posed, hips, curves, share, True)
    return posed


def _sink_needed(posed: PosedMotion, target: reaching.Target, frames: Sequence[int]) -> float:
    """How far the hips have to sink for a leg to reach its target, metres; 0 where sinking does not
    help.
    """
    leg = reaching.find_limb(posed, target.joint)
    if leg is None:
        return 0.0
    if np.linalg.norm(posed.positions[frames, leg.tip] - target.position, axis=-1).max() < _THERE:
        return 0.0
    longest = reaching.EXTENSION * np.sum(bone_lengths(posed, leg), axis=0)[frames]
    way = target.position - posed.positions[frames, leg.root]
    room = longest**2 - way[:, 0] ** 2 - way[:, 2] ** 2
    if np.any(room <= 0.0):
        return 0.0
    return float(np.clip(np.max(-way[:, 1] - np.sqrt(room)), 0.0, LARGEST_SINK))


def _joints(posed: PosedMotion, end: int) -> tuple[int, ...]:
    """The hips and what is between them and a joint; none where it hangs on something else."""
    chain = posed.skeleton.chain(end)
    hips = posed.roles.joints["hips"]
    return chain[chain.index(hips) : -1] if hips in chain[:-1] else ()


def _keys(target: reaching.Target, posed: PosedMotion) -> list[int]:
    """Frames in which a posture is found: the first, the last and some between."""
    first, last = target.frames[0], min(target.frames[-1], posed.n_frames - 1)
    count = 1 + int(np.ceil((last - first) / (EVERY * posed.fps)))
    return sorted({round(f) for f in np.linspace(first, last, count)})


def _find_posture(
    posed: PosedMotion, frame: int, target: reaching.Target, limb: Limb | None, free: bool
) -> Array:
    """The posture for a target in a frame, (3 + 3 n,): the hips' shift, then how every joint from
    the hips outwards turns in its own frame.

    `free` says whether the hips may shift along the ground and the body turn.
    """
    still = posed.cut(frame, frame + 1)
    end = target.joint if limb is None else limb.root
    above = target.position[1] > still.positions[0, end, 1]
    bow = STRETCH if above else 1.0
    count = len(_joints(posed, end))
    # Only a shoulder girdle goes beside the trunk: what hangs on the hips alone has none.
    girdle = limb is not None and count > 1
    length = 0.0 if limb is None else float(np.sum(bone_lengths(still, limb)))
    near = np.array([CLOSE * length, COMFORT * length])
    turns = _efforts(count, girdle, free), _largest_turns(count, girdle, bow)
    return _solve(still, end, target.position, near, *turns)


def _efforts(count: int, girdle: bool, free: bool) -> Array:
    """What one unit of effort does: three of the hips' shift, three of every turn."""
    turns = np.full((count, 3), TURNS[1])
    turns[0] = TURNS[0]
    if girdle:
        turns[-1] = TURNS[2]
    effort = np.array([SHIFT, SINK, SHIFT, *turns.ravel()])
    if not free:
        # Not 0: a part that no effort moves would make the equations singular.
        effort[[0, 2, *range(4, len(effort), 3)]] = 1e-6
    return effort


def _largest_turns(count: int, girdle: bool, bow: float) -> Array:
    """How far each joint may turn, (n,), the trunk by the share `bow` of its limits."""
    most = np.full(count, LARGEST_TURNS[1])
    most[0] = LARGEST_TURNS[0]
    most *= bow
    if girdle:
        most[-1] = LARGEST_TURNS[2]
    return most


def _solve(
    still: PosedMotion, end: int, place: Array, comfort: Array, effort: Array, most: Array
) -> Array:
    """The posture of least effort: damped Gauss-Newton; what came to its limit rests for a step.

    `comfort` (2,) is the least and the largest distance of the place from the end.
    """
    joints = list(_joints(still, end))
    turns = np.zeros((len(joints), 3))
    shift = np.zeros(3)
    strain = np.zeros(len(effort))
    free = np.ones(len(effort))
    moved = still
    for _ in range(ROUNDS):
        gap = _gap(place - moved.positions[0, end], comfort)
        if not np.any(gap) and not np.any(strain):
            break
        step = PACE * _step(still, moved, end, gap, effort * free, strain)
        world = (effort[3:] * step[3:]).reshape(-1, 3)
        # Steps are about the world's axes; a turn is kept in the joint's own frame, so that it
        # stays what it is when the joints above it turn.
        turns = turns + rot.rotate(rot.conjugate(moved.rotations[0, joints]), world)
        shift = shift + effort[:3] * step[:3]
        share = _within(most, turns, shift)
        turns = turns * share[1:, None]
        shift = shift * share[0]
        strain = (strain + step) * np.repeat(share, 3)
        moved = _pose(still, joints, turns[None], shift[None])
        # Legs come last: they are hard limits, which the least squares above know nothing of.
        rise = _room(still, moved)
        shift[1] += rise
        strain[1] += rise / effort[1]
        moved = move_body(moved, [[0.0, rise, 0.0]])
        free = np.repeat((share >= 1.0).astype(float), 3)
        free[1] *= rise <= 0.0
        if np.all(np.abs(step) < SETTLED):
            break
    return np.concatenate([shift, turns.ravel()])


def _step(
    still: PosedMotion, moved: PosedMotion, end: int, gap: Array, effort: Array, strain: Array
) -> Array:
    """What each part is to do next, in units of effort.

    Least squares of three wishes: the gap is closed, the weight is where it was, and the strain (of
    all steps together) is small. So the result is the least effort from the pose as it was, not
    from the last step.
    """
    levers = moved.positions[0, end] - moved.positions[0, list(_joints(still, end))]
    # A small turn w about a joint moves the end by w x lever: one column for each axis.
    by_turn = cross(np.eye(3), levers[:, None]).reshape(-1, 3)
    rows = np.column_stack([np.eye(3), np.transpose(by_turn)]) * effort
    weight = WEIGHT_ABOVE * rows[[0, 2]]
    weight[:, :3] += WEIGHT_BELOW * (np.eye(3) * effort[:3])[[0, 2]]
    matrix = np.vstack([rows / DAMPING, weight / BALANCE, np.diag((effort > 0).astype(float))])
    off = _weight_shift(still, moved, end)
    rhs = np.concatenate([gap / DAMPING, -off / BALANCE, -strain])
    return np.linalg.lstsq(matrix, rhs)[0]


def _gap(miss: Array, comfort: Array) -> Array:
    """How far the end has to come for its target to be within comfort."""
    far = max(float(np.linalg.norm(miss)), 1e-9)
    wanted = float(np.clip(far, comfort[0], comfort[1]))
    return miss * (1.0 - wanted / far)


def _weight_shift(still: PosedMotion, moved: PosedMotion, end: int) -> Array:
    """How far the weight has gone along the ground, (2,)."""
    away = (moved.positions[0] - still.positions[0])[:, [0, 2]]
    return WEIGHT_ABOVE * away[end] + WEIGHT_BELOW * away[moved.roles.joints["hips"]]


def _within(most: Array, turns: Array, shift: Array) -> Array:
    """Factors that bring the shift and every turn (up to `most`) within their limits, (1 + n,)."""
    aside = LARGEST_SHIFT / max(float(np.hypot(shift[0], shift[2])), 1e-12)
    down = LARGEST_SINK / max(float(abs(shift[1])), 1e-12)
    shares = most / np.maximum(np.linalg.norm(turns, axis=-1), 1e-12)
    return np.minimum(1.0, np.concatenate([[min(aside, down)], shares]))


def _room(still: PosedMotion, moved: PosedMotion) -> float:
    """How much the hips have to rise, or sink, for legs that neither bend nor stretch too much."""
    legs = find_legs(still.roles).values()
    sink = 0.0
    rise = np.inf if legs else 0.0
    ground = min((float(still.positions[0, leg.tip, 1]) for leg in legs), default=0.0)
    for leg in legs:
        a, b = (float(length[0]) for length in bone_lengths(still, leg))
        foot = still.positions[0, leg.tip]
        # A leg that is straighter, or more bent, than the limits already may stay so.
        own = float(np.linalg.norm(foot - still.positions[0, leg.root]))
        knee = KNEELING if foot[1] > ground + RAISED * (a + b) else KNEE
        limits = np.array([max(STRAIGHT * (a + b), own), min(float(reach_for(a, b, knee)), own)])
        low, high = -rise_to((foot - moved.positions[0, leg.root])[None], limits)
        sink = max(sink, low)
        rise = min(rise, high)
    # A leg that is too short wins: feet stay where they are, knees may bend.
    return -sink if sink > 0 else max(0.0, -rise)


def _pose(posed: PosedMotion, joints: Sequence[int], turns: Array, shift: Array) -> PosedMotion:
    """Hips shifted (T, 3) and joints turned in their own frames (T, n, 3)."""
    own = posed.motion.rotations[:, list(joints)]
    turned = rot.multiply(own, rot.from_rotvec(turns))
    local = dict(zip(joints, turned.swapaxes(0, 1), strict=True))
    return move_body(posed, shift).with_local(local)


def _curves(frames: Sequence[int], postures: Array, n: int) -> Array:
    """Postures found in some frames (K, D), in every frame (n, D): smooth between them, held before
    and after.
    """
    if len(frames) == 1:
        return np.repeat(postures, n, axis=0)
    now = np.clip(np.arange(n), frames[0], frames[-1])
    # Clamped: at both ends the posture is at rest, as where it is held.
    return scipy.interpolate.CubicSpline(frames, postures, bc_type="clamped")(now)


def _take(posed: PosedMotion, end: int, curves: Array, share: Array, free: bool) -> PosedMotion:
    """The motion with a share (T,) of the postures of its frames, its feet where they were."""
    joints = _joints(posed, end)
    curves = share[:, None] * curves
    turns = curves[:, 3:].reshape(len(share), len(joints), 3)
    moved = _pose(posed, joints, turns, curves[:, :3])
    if not free:
        # Bows one over the other turn the body a little about the vertical: undone.
        off = np.where(share > 0, wrap_angle(posed.facing - moved.facing), 0.0)
        moved = move_body(moved, np.zeros((len(share), 3)), off, moved.hips)
    # The smoothed drop reaches a little beyond the share; it fades where the share ends.
    drop = _drop(posed, moved) * np.minimum(1.0, 20.0 * share)
    moved = move_body(moved, np.stack([0 * drop, -drop, 0 * drop], axis=-1))
    local = _hang(posed, moved, end)
    for leg in find_legs(posed.roles).values():
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
            poses = (moved.rotations[:, limb.root], before.rotations[:, limb.root])
            world = rot.slerp(*poses, np.full(before.n_frames, HANGING))
            local[limb.root] = rot.multiply(rot.conjugate(moved.rotations[:, above]), world)
    return local


def _drop(before: PosedMotion, moved: PosedMotion) -> Array:
    """How far the hips have to sink for every leg to reach its foot, smooth in time, (T,)."""
    need = np.zeros(before.n_frames)
    for leg in find_legs(before.roles).values():
        root, foot = moved.positions[:, leg.root], before.positions[:, leg.tip]
        own = np.linalg.norm(foot - before.positions[:, leg.root], axis=-1)
        longest = np.maximum(STRAIGHT * np.sum(bone_lengths(before, leg), axis=0), own)
        need = np.maximum(need, -rise_to(foot - root, longest))
    need[need < 1e-6] = 0.0
    return smooth_envelope(need, max(1, round(SINK_TIME * before.fps)))


def meet_targets(
    posed: PosedMotion,
    targets: Sequence[reaching.Target],
    blend: float = reaching.QUICK,
    *,
    moves_body: Sequence[bool] | None = None,
    hinges: Mapping[str, Hinge] | None = None,
    keep: Sequence[int] = (),
    stay: Sequence[int] = (),
) -> PosedMotion:
    """Bring joints to their targets, those of a lower priority only as far as the others allow.

    Legs reach first, and the hips sink where a leg is too short. What hips and trunk then do for
    arms leaves the feet where they are. Within a limb the most important target comes last, so that
    none after it moves the limb away.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    targets : sequence of Target
        Targets of joints.
    blend : float, seconds
        Least time over which the body comes to a target, and leaves it.
    moves_body : sequence of bool, optional
        For which of the targets hips and trunk move; for all when not given.
    hinges : mapping of str to Hinge, optional
        Captured ranges, as `reach_targets` takes them.
    keep : sequence of int
        Frames in which nothing changes.
    stay : sequence of int
        Frames in which the body is asked for, as `take_postures` takes them.

    Returns
    -------
    PosedMotion
    """
    moving = [True] * len(targets) if moves_body is None else list(moves_body)
    pairs = sorted(zip(targets, moving, strict=True), key=lambda pair: -pair[0].priority)
    legs = [(t, moves) for t, moves in pairs if _is_of_a_leg(posed, t)]
    others = [(t, moves) for t, moves in pairs if not _is_of_a_leg(posed, t)]
    posed = sink_to_feet(posed, [t for t, moves in legs if moves], blend, keep)
    posed = reaching.reach_targets(posed, [t for t, _ in legs], blend, hinges, keep)
    posed = take_postures(posed, [t for t, moves in others if moves], blend, keep, stay)
    return reaching.reach_targets(posed, [t for t, _ in others], blend, hinges, keep)


def _is_of_a_leg(posed: PosedMotion, target: reaching.Target) -> bool:
    limb = reaching.find_limb(posed, target.joint)
    return limb is not None and not is_arm(posed.roles, limb)
