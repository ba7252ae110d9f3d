"""One frame of streamed gait, compiled: the body moves on, feet step, legs bend."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.compiling import kernel, part
from motionloom.gait.path.lay import LEAN_AT, LEAN_SHARES, MOST_TILT, ROLL_SHARE, TILT_SHARE
from motionloom.gait.path.tables.kernels import FootArrays, place_feet, sample_poses
from motionloom.rotation_kernels import cross, dot, rotate, subtract, unit
from motionloom.typing import Array, Ints

#: Places of the state: the body's x, z, direction, speed, turning rate, phase, lean, drop, and how
#: much its pose is that of a run.
X, Z, HEADING, SPEED, RATE, PHASE, LEAN, DROP, RUNS = range(9)
#: From here on ten numbers for each foot: share of the step, number of the next strike, footprint
#: it stands on or has left (x, z, direction), and the one it comes to.
FEET = 9
SHARE, STRIKE, OLD, NEW = 0, 1, 2, 5
FOOT_SIZE = 8
SIZE = FEET + 2 * FOOT_SIZE

#: Time over which the body's pose goes over from walking to running, seconds.
CHANGE_TIME = 0.25
#: Time over which speed and direction come to what is wanted, seconds, at no more than these
#: accelerations (metres per second squared, radians per second squared).
SPEED_TIME, ACCELERATION, BRAKING = 0.3, 2.2, 2.8
TURN_TIME, TURNING = 0.3, 12.0
#: Nobody turns faster than this, radians per second, nor with more centripetal acceleration, metres
#: per second squared.
FASTEST_TURN, GRIP = 3.0, 5.0
#: A lean comes within this time, seconds; how far it goes is as along a path known before.
LEAN_TIME, GRAVITY = 0.12, 9.81
#: Gait halts with the body below this speed; a step that is begun is finished at this pace.
HALTS, FINISH = 0.15, 0.8
#: A foot is in the air for at least this share of a cycle.
LEAST_SWING = 0.25
#: A footprint follows what is wanted over this time, seconds, until this share of the step.
FOLLOW_TIME, FIXED_FROM = 0.06, 0.93
#: The pelvis sinks at once and rises over this time, seconds; it keeps this far from the legs'
#: limit, metres.
RISE_TIME, SOFT = 0.35, 0.012
#: Share of its full length that a leg may take.
EXTENSION = 0.998
#: Sine of the bend below which the usual hinge decides; see `edit.limbs`.
STRAIGHT = 0.05
#: A way ahead is guessed in so many steps.
AHEAD = 6


class Gait(NamedTuple):
    """A gait table as compiled code sees it; see `GaitTable`."""

    speeds: Array
    durations: Array
    rotations: Array
    deviations: Array
    heights: Array
    strikes: Array
    stances: Array
    flats: Array
    running: Array
    transition: Array
    left: FootArrays
    right: FootArrays


class Legs(NamedTuple):
    """The skeleton, its root, the joint that bears the trunk (-1 for none), and of both legs hip,
    knee, ankle (2, 3) and hinge axis (2, 3).
    """

    parents: Ints
    offsets: Array
    root: int
    trunk: int
    joints: Ints
    axes: Array


class Room(NamedTuple):
    """Memory for one frame."""

    node: Ints
    share: Array
    phase: Array
    step: Array
    old: Array
    new: Array
    ankle: Array
    facing: Array
    deviation: Array
    positions: Array
    world: Array
    way: Array
    quick: Array
    turns: Array
    other: Array
    other_deviation: Array


@part
def _bracket(speeds, v, node, share):  # pragma: no cover - compiled
    n = len(speeds)
    v = min(max(v, speeds[0]), speeds[n - 1])
    i = 0
    while i < n - 2 and speeds[i + 1] <= v:
        i += 1
    node[0] = i
    share[0] = (v - speeds[i]) / (speeds[i + 1] - speeds[i])


@part
def _drive(way, speed, heading, dt):  # pragma: no cover - compiled
    """Move x, z, direction, speed and turning rate on by `dt` towards what is wanted."""
    pull = (speed - way[SPEED]) / SPEED_TIME
    pull = min(max(pull, -BRAKING), ACCELERATION)
    way[SPEED] = max(way[SPEED] + pull * dt, 0.0)
    off = heading - way[HEADING]
    off = off - 2 * np.pi * np.floor(off / (2 * np.pi) + 0.5)
    most = min(FASTEST_TURN, GRIP / max(way[SPEED], 0.1))
    wanted = min(max(off / TURN_TIME, -most), most)
    # Who stands does not turn on the spot: the feet would slide.
    wanted *= min(way[SPEED] / HALTS, 1.0)
    change = min(max((wanted - way[RATE]) / (0.4 * TURN_TIME), -TURNING), TURNING)
    way[RATE] += change * dt
    middle = way[HEADING] + 0.5 * way[RATE] * dt
    way[HEADING] += way[RATE] * dt
    way[X] += way[SPEED] * dt * np.sin(middle)
    way[Z] += way[SPEED] * dt * np.cos(middle)


@part
def _print_at(gait, foot, way, lean, node, share, out):  # pragma: no cover - compiled
    """Footprint of a foot in the middle of its stance, the body being at `way`."""
    _bracket(gait.speeds, way[SPEED], node, share)
    i = node[0]
    w = share[0]
    left = (1 - w) * gait.flats[i, foot, 0] + w * gait.flats[i + 1, foot, 0]
    ahead = (1 - w) * gait.flats[i, foot, 1] + w * gait.flats[i + 1, foot, 1]
    height = (1 - w) * gait.heights[i] + w * gait.heights[i + 1]
    left -= height * np.sin(lean)
    c, s = np.cos(way[HEADING]), np.sin(way[HEADING])
    out[0] = way[X] + c * left + s * ahead
    out[1] = way[Z] - s * left + c * ahead
    out[2] = way[HEADING]


@part
def _lean_of(way):  # pragma: no cover - compiled
    full = np.arctan(way[SPEED] * way[RATE] / GRAVITY)
    on = min(max((abs(full) - LEAN_AT[0]) / (LEAN_AT[1] - LEAN_AT[0]), 0.0), 1.0)
    return full * (LEAN_SHARES[0] + on * (LEAN_SHARES[1] - LEAN_SHARES[0]))


@part
def _step_feet(state, wanted, dt, pace, gait, room):  # pragma: no cover - compiled
    """Move both feet on in their steps."""
    i = room.node[0]
    w = room.share[0]
    duration = (1 - w) * gait.durations[i] + w * gait.durations[i + 1]
    halting = min(state[SPEED] / HALTS, 1.0)
    for foot in range(2):
        own = state[FEET + foot * FOOT_SIZE : FEET + (foot + 1) * FOOT_SIZE]
        strike = (1 - w) * gait.strikes[i, foot] + w * gait.strikes[i + 1, foot]
        stance = (1 - w) * gait.stances[i, foot] + w * gait.stances[i + 1, foot]
        left = own[STRIKE] + strike - state[PHASE]
        if own[SHARE] < 0.5:
            own[SHARE] += 0.5 * dt * halting / (stance * duration)
            if halting > 0.5 and left < LEAST_SWING:
                own[SHARE] = max(own[SHARE], 0.5)
            if own[SHARE] >= 0.5:
                for q in range(3):
                    own[NEW + q] = own[OLD + q]
                room.quick[foot] = 1.0
        else:
            moved = dt * pace / duration
            own[SHARE] += (1.0 - own[SHARE]) * min(moved / max(left + moved, 1e-9), 1.0)
            time = max(left, 0.0) * duration / max(pace, 0.3) + 0.5 * stance * duration
            _follow(state, own, foot, wanted, time, dt, gait, room)
        if left <= 0.0:
            if own[SHARE] >= 0.5:
                for q in range(3):
                    own[OLD + q] = own[NEW + q]
            own[SHARE] = 0.0
            own[STRIKE] += 1.0
            # `_follow` asked for other speeds than the present one.
        _bracket(gait.speeds, state[SPEED], room.node, room.share)


@part
def _follow(state, own, foot, wanted, time, dt, gait, room):  # pragma: no cover - compiled
    """Let the footprint that a foot comes to follow what is wanted."""
    if own[SHARE] > FIXED_FROM:
        return
    way = room.way
    for q in range(5):
        way[q] = state[q]
    for _ in range(AHEAD):
        _drive(way, wanted[0], wanted[1], time / AHEAD)
    mark = way[5:8]
    _print_at(gait, foot, way, _lean_of(way), room.node, room.share, mark)
    mark[2] -= 2 * np.pi * np.floor((mark[2] - own[OLD + 2]) / (2 * np.pi) + 0.5)
    gain = 1.0 if room.quick[foot] > 0 else 1.0 - np.exp(-dt / FOLLOW_TIME)
    room.quick[foot] = 0.0
    for q in range(3):
        own[NEW + q] += gain * (mark[q] - own[NEW + q])


@part
def _times(a, b, out):  # pragma: no cover - compiled
    """Product of quaternions."""
    w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]
    out[0], out[1], out[2], out[3] = w, x, y, z


@part
def _run(legs, pose, place, positions, world):  # pragma: no cover - compiled
    """Forward kinematics of one pose whose root is at `place`."""
    for j in range(len(legs.parents)):
        p = legs.parents[j]
        if p < 0 or j == legs.root:
            for q in range(4):
                world[j, q] = pose[j, q]
            for q in range(3):
                positions[j, q] = place[q] if j == legs.root else 0.0
            continue
        x, y, z = rotate(world[p], legs.offsets[j])
        positions[j, 0] = positions[p, 0] + x
        positions[j, 1] = positions[p, 1] + y
        positions[j, 2] = positions[p, 2] + z
        _times(world[p], pose[j], world[j])


@part
def _inverse_times(a, b, out):  # pragma: no cover - compiled
    """Product of the inverse of a quaternion and another."""
    w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
    y = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1]
    z = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]
    out[0], out[1], out[2], out[3] = w, x, y, z


@part
def _swing(a, b, out):  # pragma: no cover - compiled
    """Shortest rotation from a direction to another."""
    w = 1.0 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    x = a[1] * b[2] - a[2] * b[1]
    y = a[2] * b[0] - a[0] * b[2]
    z = a[0] * b[1] - a[1] * b[0]
    size = 1.0 / np.sqrt(max(w * w + x * x + y * y + z * z, 1e-24))
    out[0], out[1], out[2], out[3] = w * size, x * size, y * size, z * size


@part
def _away(v, share, by):  # pragma: no cover - compiled
    return (v[0] + share * by[0], v[1] + share * by[1], v[2] + share * by[2])


@part
def _bend(leg, legs, pose, positions, world, target, facing, turns):  # pragma: no cover - compiled
    """Bend a leg so that its ankle is at `target`; the same as `edit.limbs.solve_limb`."""
    hip, knee, ankle = legs.joints[leg, 0], legs.joints[leg, 1], legs.joints[leg, 2]
    thigh = subtract(positions[knee], positions[hip])
    shank = subtract(positions[ankle], positions[knee])
    a, b = np.sqrt(dot(thigh, thigh)), np.sqrt(dot(shank, shank))
    ahead = unit(subtract(positions[ankle], positions[hip]))
    upper, lower = unit(thigh), unit(shank)
    normal = cross(upper, lower)
    usual = rotate(world[hip], legs.axes[leg])
    bend = dot(normal, usual)
    kept = 0.5 * (bend + np.sqrt(bend * bend + 4 * STRAIGHT * STRAIGHT))
    normal = unit(_away(normal, kept - bend, usual))
    pole = cross(ahead, normal)
    wanted = subtract(target, positions[hip])
    distance = np.sqrt(dot(wanted, wanted))
    distance = min(max(distance, abs(a - b) + 1e-6), (a + b) * (1 - 1e-9))
    aside = unit(_away(pole, -dot(pole, ahead), ahead))
    along = (distance * distance + a * a - b * b) / (2 * distance)
    off = np.sqrt(max(a * a - along * along, 0.0))
    first = (
        along * ahead[0] + off * aside[0],
        along * ahead[1] + off * aside[1],
        along * ahead[2] + off * aside[2],
    )
    second = (
        distance * ahead[0] - first[0],
        distance * ahead[1] - first[1],
        distance * ahead[2] - first[2],
    )
    swing, turn = turns[0], turns[1]
    thigh_turn, shank_turn = turns[2], turns[3]
    _swing(ahead, unit(wanted), swing)
    _swing(upper, unit(first), turn)
    _times(swing, turn, thigh_turn)
    _swing(lower, unit(second), turn)
    _times(swing, turn, shank_turn)
    _times(thigh_turn, world[hip], turn)
    if legs.parents[hip] >= 0:
        _inverse_times(world[legs.parents[hip]], turn, pose[hip])
    _times(shank_turn, world[knee], turn)
    _times(thigh_turn, world[legs.parents[knee]], swing)
    _inverse_times(swing, turn, pose[knee])
    # The ankle's joint faces as it shall, below a shank that has turned.
    _times(shank_turn, world[legs.parents[ankle]], swing)
    _inverse_times(swing, facing, pose[ankle])


@part
def _need(legs, positions, ankles):  # pragma: no cover - compiled
    """How far the pelvis is too high for the legs to reach."""
    need = -1.0
    for leg in range(2):
        hip, knee, ankle = legs.joints[leg, 0], legs.joints[leg, 1], legs.joints[leg, 2]
        thigh = subtract(positions[knee], positions[hip])
        shank = subtract(positions[ankle], positions[knee])
        longest = EXTENSION * (np.sqrt(dot(thigh, thigh)) + np.sqrt(dot(shank, shank)))
        span = subtract(positions[hip], ankles[leg])
        across = span[0] * span[0] + span[2] * span[2]
        need = max(need, span[1] - np.sqrt(max(longest * longest - across, 0.0)))
    return need


@part
def _pose_at(speed, gait, room, pose, deviation):  # pragma: no cover - compiled
    """Sample the pose of a speed."""
    _bracket(gait.speeds, speed, room.node, room.share)
    sample_poses(
        room.node, room.share, room.phase, gait.rotations, gait.deviations, pose, deviation
    )


@part
def _mix(share, pose, other, deviation, other_deviation):  # pragma: no cover - compiled
    """Bring a pose (J, 4) and its deviation nearer to others by a share."""
    for q in range(3):
        deviation[q] += share * (other_deviation[q] - deviation[q])
    for j in range(len(pose)):
        sign = 1.0
        if _dot4(pose[j], other[j]) < 0:
            sign = -1.0
        for q in range(4):
            pose[j, q] = (1.0 - share) * pose[j, q] + sign * share * other[j, q]
        size = 1.0 / np.sqrt(_dot4(pose[j], pose[j]))
        for q in range(4):
            pose[j, q] *= size


@part
def _dot4(a, b):  # pragma: no cover - compiled
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@part
def _upright(pose, legs, back, room):  # pragma: no cover - compiled
    """Turn the trunk back against the lean of the pelvis, by an angle about the direction ahead."""
    turn, away = room.turns[2], room.turns[3]
    turn[0], turn[3] = np.cos(0.5 * back), np.sin(0.5 * back)
    turn[1] = turn[2] = 0.0
    for q in range(4):
        away[q] = pose[legs.root, q] if q == 0 else -pose[legs.root, q]
    _times(away, turn, turn)
    _times(turn, pose[legs.root], turn)
    _times(turn, pose[legs.trunk], pose[legs.trunk])


@part
def _place_body(state, legs, gait, pose, place, room):  # pragma: no cover - compiled
    """Sample the pose and put its root where the body is."""
    room.phase[0] = state[PHASE]
    runs = state[RUNS]
    if runs > 0.999:
        _pose_at(max(state[SPEED], gait.transition[1]), gait, room, pose, room.deviation)
    else:
        _pose_at(min(state[SPEED], gait.transition[0]), gait, room, pose, room.deviation)
        if runs > 0.001:
            fast = max(state[SPEED], gait.transition[1])
            _pose_at(fast, gait, room, room.other, room.other_deviation)
            _mix(runs, pose[0], room.other[0], room.deviation[0], room.other_deviation[0])
    _bracket(gait.speeds, state[SPEED], room.node, room.share)
    deviation = room.deviation[0]
    c, s = np.cos(state[HEADING]), np.sin(state[HEADING])
    place[0] = state[X] + c * deviation[0] + s * deviation[2]
    place[1] = deviation[1] * np.cos(state[LEAN])
    place[2] = state[Z] - s * deviation[0] + c * deviation[2]
    facing, lean = room.turns[0], room.turns[1]
    facing[0], facing[2] = np.cos(0.5 * state[HEADING]), np.sin(0.5 * state[HEADING])
    roll = ROLL_SHARE * state[LEAN]
    lean[0], lean[3] = np.cos(0.5 * roll), -np.sin(0.5 * roll)
    facing[1] = facing[3] = lean[1] = lean[2] = 0.0
    _times(lean, pose[0, legs.root], pose[0, legs.root])
    if legs.trunk >= 0:
        back = roll - MOST_TILT * np.tanh(TILT_SHARE / MOST_TILT * state[LEAN])
        _upright(pose[0], legs, back, room)
    _times(facing, pose[0, legs.root], pose[0, legs.root])


@kernel
def advance(state, wanted, dt, gait, legs, room, pose, place):  # pragma: no cover - compiled
    """Move a streamed gait on by a frame.

    `state` (SIZE,) is changed; `wanted` is speed and direction; `pose` (1, J, 4) and `place` (3,)
    are filled with local rotations, the root's in the world, and the place of the root.
    """
    _drive(state, wanted[0], wanted[1], dt)
    state[LEAN] += (1.0 - np.exp(-dt / LEAN_TIME)) * (_lean_of(state) - state[LEAN])
    _bracket(gait.speeds, state[SPEED], room.node, room.share)
    i = room.node[0]
    w = room.share[0]
    duration = (1 - w) * gait.durations[i] + w * gait.durations[i + 1]
    runs = (1 - w) * gait.running[i] + w * gait.running[i + 1]
    state[RUNS] += (1.0 - np.exp(-dt / CHANGE_TIME)) * (runs - state[RUNS])
    pace = min(state[SPEED] / HALTS, 1.0)
    if max(state[FEET + SHARE], state[FEET + FOOT_SIZE + SHARE]) >= 0.5:
        pace = max(pace, FINISH)
    state[PHASE] += dt * pace / duration
    _step_feet(state, wanted, dt, pace, gait, room)
    _place_body(state, legs, gait, pose, place, room)
    for foot in range(2):
        own = state[FEET + foot * FOOT_SIZE : FEET + (foot + 1) * FOOT_SIZE]
        room.step[0] = own[SHARE]
        for q in range(3):
            room.old[0, q] = own[OLD + q]
            room.new[0, q] = own[NEW + q]
        place_feet(
            room.node,
            room.share,
            room.step,
            room.old,
            room.new,
            gait.left if foot == 0 else gait.right,
            room.ankle[foot : foot + 1],
            room.facing[foot : foot + 1],
        )
    _run(legs, pose[0], place, room.positions, room.world)
    need = _need(legs, room.positions, room.ankle)
    soft = SOFT * np.log1p(np.exp(min(need / SOFT, 50.0)))
    state[DROP] = max(soft, state[DROP] * np.exp(-dt / RISE_TIME))
    place[1] -= state[DROP]
    for j in range(len(room.positions)):
        room.positions[j, 1] -= state[DROP]
    for leg in range(2):
        _bend(
            leg,
            legs,
            pose[0],
            room.positions,
            room.world,
            room.ankle[leg],
            room.facing[leg],
            room.turns,
        )
