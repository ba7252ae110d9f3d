"""What is left of each constraint's error after the search, spread over the span before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.constraints import BodyConstraint, ConstraintSet, check_joints
from motionloom.edit.bend import bend_path
from motionloom.edit.limbs import bone_lengths
from motionloom.edit.reach import bump, find_limb
from motionloom.edit.reach_sets import reach_at
from motionloom.edit.root import move_body
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: How far the path may be bent for each second since the constraint before: the body moved, metres,
#: and turned, degrees.
SHIFT, TURN = 0.25, 20.0
#: A joint's error moves the body on the ground only where no body constraint is this near, seconds
#: ...
APART = 0.5
#: ... and by no more than this, metres.
LARGEST_STEP = 0.35
#: It raises or lowers the body by no more than this, metres, over this time before and after,
#: seconds.
LARGEST_RISE = 0.1
RISE_TIME = 0.5


def spread_errors(
    posed: PosedMotion, constraints: ConstraintSet, shift: float = SHIFT, turn: float = TURN
) -> PosedMotion:
    """Bend and stretch the path a little, so that every body constraint holds exactly.

    Turning the body about the vertical through the hips changes its facing by just that turn and
    leaves the hips' place, so position and facing are exact at once. What would bend the path
    beyond the limits is left over. Where a joint is to be somewhere and no body constraint is near,
    the body also steps so far that the joint's place on the ground is right, or where a hand meets
    a target of that height best.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    constraints : ConstraintSet
        What was asked for.
    shift : float, metres per second
        How far the body may be moved, for each second since the constraint before.
    turn : float, degrees per second
        How far the body may be turned, for each second since the constraint before.

    Returns
    -------
    PosedMotion
    """
    turns, places = _knots(posed.body, constraints, shift, np.radians(turn))
    bent = bend_path(posed, posed.hips, turns, places)
    steps = _joint_steps(bent, constraints, [f for f, _ in places])
    if not steps:
        return bent
    stay = {f: bent.hips[f, [0, 2]] for f, _ in places}
    stay |= {f: bent.hips[f, [0, 2]] + step for f, step in steps}
    return bend_path(bent, bent.hips, [(f, 0.0) for f in sorted(stay)], sorted(stay.items()))


def _knots(
    body: Array, constraints: ConstraintSet, most_shift: float, most_turn: float
) -> tuple[list[tuple[int, float]], list[tuple[int, Array]]]:
    """By how much to turn the body, and where to bring it, at the frames of the body constraints.

    Each error is what is left when the motion follows the constraint before as one piece.
    """
    turns: list[tuple[int, float]] = []
    places: list[tuple[int, Array]] = []
    turn = 0.0
    before = None
    for wish, time, is_held in _times_of(constraints):
        frame = constraints.frame_of(time)
        # Who is held is brought to the place whatever it takes: there the motion goes on.
        seconds = np.inf if before is None or is_held else (frame - before) / constraints.fps
        place = np.array(wish.position)
        if before is not None:
            way = GroundTransform(turn).apply(body[frame, :2] - body[before, :2])
            miss = place - places[-1][1] - way
            most = most_shift * seconds
            place = place - miss * (1.0 - min(1.0, most / max(float(np.hypot(*miss)), 1e-12)))
        if wish.facing is not None:
            error = float(rot.wrap_angle(np.radians(wish.facing) - body[frame, 2] - turn))
            turn += float(np.clip(error, -most_turn * seconds, most_turn * seconds))
            turns.append((frame, turn))
        places.append((frame, place))
        before = frame
    return turns, places


def _times_of(constraints: ConstraintSet) -> Iterator[tuple[BodyConstraint, float, bool]]:
    """Body constraints with their times and whether the body is held until then; those that are
    held twice, with their first and last time, so that what comes after is spread from there on.
    """
    for wish in constraints.body:
        yield wish, wish.time, False
        if wish.end is not None and len(constraints.frames_of(wish)) > 1:
            yield wish, wish.end, True


def _joint_steps(
    posed: PosedMotion, constraints: ConstraintSet, taken: Sequence[int]
) -> list[tuple[int, Array]]:
    """Ground steps that bring constrained joints over their targets, at frames with no other
    constraint near.
    """
    steps: list[tuple[int, Array]] = []
    joints = check_joints(constraints, posed.skeleton, posed.roles)
    near = APART * posed.fps
    for c, j in zip(constraints.joints, joints, strict=True):
        if c.position is None:
            continue
        frame = constraints.frame_of(c.time)
        others = [*taken, *(f for f, _ in steps)]
        if any(abs(frame - other) <= near for other in others):
            continue
        step = np.asarray(c.position)[[0, 2]] - _place(posed, frame, j, c.position[1])
        share = min(1.0, LARGEST_STEP / max(float(np.linalg.norm(step)), 1e-12))
        steps.append((frame, step * share))
    return steps


def _place(posed: PosedMotion, frame: int, joint: int, height: float) -> Array:
    """Where on the ground a target of some height is best for a joint in a frame, x and z."""
    reach = reach_at(posed, frame, joint, height)
    if reach is None:
        here = posed.positions[frame, joint]
        return np.array([here[0], here[2]])
    return np.array([reach.place[0].imag, reach.place[0].real])


def spread_heights(
    posed: PosedMotion,
    constraints: ConstraintSet,
    contacts: FootContacts | None = None,
    keep: Sequence[int] = (),
) -> PosedMotion:
    """Raise or lower a body in the air a little: a jump becomes higher or lower.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    constraints : ConstraintSet
        What was asked for.
    contacts : FootContacts, optional
        While a foot rests, nothing is changed; who has no contacts is never in the air.
    keep : sequence of int
        Frames in which nothing changes.

    Returns
    -------
    PosedMotion
    """
    joints = check_joints(constraints, posed.skeleton, posed.roles)
    for c, j in zip(constraints.joints, joints, strict=True):
        frame = constraints.frame_of(c.time)
        if c.position is None or contacts is None or np.any(contacts.down[frame]):
            continue
        limb = find_limb(posed, j)
        here = posed.positions[frame, j]
        length = 0.0
        if limb is not None:
            here = posed.positions[frame, limb.root]
            length = sum(float(b[frame]) for b in bone_lengths(posed, limb))
        miss = np.asarray(c.position) - here
        flat = float(np.hypot(miss[0], miss[2]))
        within = np.sqrt(max(length**2 - flat**2, 0.0))
        rise = np.sign(miss[1]) * max(abs(miss[1]) - within, 0.0)
        shift = np.zeros((posed.n_frames, 3))
        share = bump(posed.n_frames, frame, RISE_TIME * posed.fps, keep)
        shift[:, 1] = np.clip(rise, -LARGEST_RISE, LARGEST_RISE) * share
        posed = move_body(posed, shift)
    return posed
