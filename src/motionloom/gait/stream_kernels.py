"""One frame of streamed gait, compiled: the body moves on, feet step, legs bend."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.compiling import kernel, part
from motionloom.gait.path._lay import LEAN_AT, LEAN_SHARES, MOST_TILT, ROLL_SHARE, TILT_SHARE
from motionloom.gait.path.tables.kernels import FootArrays, mix, mix_turns, place_foot, sample_pose
from motionloom.rotation_kernels import (
    about_up,
    add,
    conjugate,
    cross,
    dot,
    multiply,
    norm,
    put,
    rotate,
    scale,
    subtract,
    swing_between,
    unit,
    vector_at,
)
from motionloom.typing import Array, Ints

#: Places of the state: the body's x, z, direction, speed, turning rate, phase, lean, drop, and how
#: much its pose is that of a run.
X, Z, HEADING, SPEED, RATE, PHASE, LEAN, DROP, RUNS = range(9)
#: From here on nine numbers for each foot: share of the step, number of the next strike, footprint
#: it stands on or has left (x, z, direction), the one it comes to, and whether that one follows at
#: once.
FEET = 9
SHARE, STRIKE, OLD, NEW, QUICK = 0, 1, 2, 5, 8
FOOT_SIZE = 9
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
    feet: tuple[FootArrays, FootArrays]


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
    """Memory for one frame: places (J, 3) and rotations (J, 4) in the world, and a pose (J, 4)."""

    positions: Array
    world: Array
    other: Array


@part
def _bracket(speeds, v):  # pragma: no cover - compiled
    """The node below a speed, and the share of the next one."""
    n = len(speeds)
    v = min(max(v, speeds[0]), speeds[n - 1])
    i = 0
    while i < n - 2 and speeds[i + 1] <= v:
        i += 1
    return i, (v - speeds[i]) / (speeds[i + 1] - speeds[i])


@part
def _mixed(values, node):  # pragma: no cover - compiled
    i, w = node
    return (1 - w) * values[i] + w * values[i + 1]


@part
def _way_of(state):  # pragma: no cover - compiled
    return (state[X], state[Z], state[HEADING], state[SPEED], state[RATE])


@part
def _drive(way, wanted, dt):  # pragma: no cover - compiled
    """Move x, z, direction, speed and turning rate on by `dt` towards what is wanted."""
    x, z, heading, speed, rate = way
    pull = (wanted[0] - speed) / SPEED_TIME
    speed = max(speed + min(max(pull, -BRAKING), ACCELERATION) * dt, 0.0)
    off = _wrapped(wanted[1] - heading)
    most = min(FASTEST_TURN, GRIP / max(speed, 0.1))
    # Who stands does not turn on the spot: the feet would slide.
    turn = min(max(off / TURN_TIME, -most), most) * min(speed / HALTS, 1.0)
    change = min(max((turn - rate) / (0.4 * TURN_TIME), -TURNING), TURNING)
    rate += change * dt
    middle = heading + 0.5 * rate * dt
    x += speed * dt * np.sin(middle)
    z += speed * dt * np.cos(middle)
    return (x, z, heading + rate * dt, speed, rate)


@part
def _wrapped(angle):  # pragma: no cover - compiled
    return angle - 2 * np.pi * np.floor(angle / (2 * np.pi) + 0.5)


@part
def _print_at(gait, foot, way):  # pragma: no cover - compiled
    """Footprint of a foot in the middle of its stance, the body being at `way`."""
    node = _bracket(gait.speeds, way[SPEED])
    left = _mixed(gait.flats[:, foot, 0], node)
    left -= _mixed(gait.heights, node) * np.sin(_lean_of(way))
    ahead = _mixed(gait.flats[:, foot, 1], node)
    c, s = np.cos(way[HEADING]), np.sin(way[HEADING])
    return (way[X] + c * left + s * ahead, way[Z] - s * left + c * ahead, way[HEADING])


@part
def _lean_of(way):  # pragma: no cover - compiled
    full = np.arctan(way[SPEED] * way[RATE] / GRAVITY)
    on = min(max((abs(full) - LEAN_AT[0]) / (LEAN_AT[1] - LEAN_AT[0]), 0.0), 1.0)
    return full * (LEAN_SHARES[0] + on * (LEAN_SHARES[1] - LEAN_SHARES[0]))


@part
def _step(state, foot, wanted, dt, pace, gait):  # pragma: no cover - compiled
    """Move a foot on in its step."""
    own = state[FEET + foot * FOOT_SIZE : FEET + (foot + 1) * FOOT_SIZE]
    node = _bracket(gait.speeds, state[SPEED])
    duration = _mixed(gait.durations, node)
    stance = _mixed(gait.stances[:, foot], node)
    left = own[STRIKE] + _mixed(gait.strikes[:, foot], node) - state[PHASE]
    halting = min(state[SPEED] / HALTS, 1.0)
    if own[SHARE] < 0.5:
        own[SHARE] += 0.5 * dt * halting / (stance * duration)
        if halting > 0.5 and left < LEAST_SWING:
            own[SHARE] = max(own[SHARE], 0.5)
        if own[SHARE] >= 0.5:
            put(own[NEW : NEW + 3], vector_at(own[OLD : OLD + 3]))
            own[QUICK] = 1.0
    else:
        moved = dt * pace / duration
        own[SHARE] += (1.0 - own[SHARE]) * min(moved / max(left + moved, 1e-9), 1.0)
        time = max(left, 0.0) * duration / max(pace, 0.3) + 0.5 * stance * duration
        _follow(state, own, foot, wanted, time, dt, gait)
    if left <= 0.0:
        if own[SHARE] >= 0.5:
            put(own[OLD : OLD + 3], vector_at(own[NEW : NEW + 3]))
        own[SHARE] = 0.0
        own[STRIKE] += 1.0


@part
def _follow(state, own, foot, wanted, time, dt, gait):  # pragma: no cover - compiled
    """Let the footprint that a foot comes to follow what is wanted."""
    if own[SHARE] > FIXED_FROM:
        return
    way = _way_of(state)
    for _ in range(AHEAD):
        way = _drive(way, wanted, time / AHEAD)
    x, z, heading = _print_at(gait, foot, way)
    heading = own[OLD + 2] + _wrapped(heading - own[OLD + 2])
    gain = 1.0 if own[QUICK] > 0 else 1.0 - np.exp(-dt / FOLLOW_TIME)
    own[QUICK] = 0.0
    put(own[NEW : NEW + 3], mix(gain, own[NEW : NEW + 3], (x, z, heading)))


@part
def _run(legs, pose, place, room):  # pragma: no cover - compiled
    """Forward kinematics of one pose whose root is at `place`."""
    positions, world = room.positions, room.world
    for j in range(len(legs.parents)):
        p = legs.parents[j]
        if p < 0 or j == legs.root:
            put(world[j], pose[j])
            put(positions[j], vector_at(place) if j == legs.root else (0.0, 0.0, 0.0))
        else:
            put(positions[j], add(positions[p], rotate(world[p], legs.offsets[j])))
            put(world[j], multiply(world[p], pose[j]))


@part
def _bend(leg, legs, pose, room, target, facing):  # pragma: no cover - compiled
    """Bend a leg so that its ankle is at `target`; the same as `edit.limbs.solve_limb`."""
    positions, world, parents = room.positions, room.world, legs.parents
    hip, knee, ankle = legs.joints[leg, 0], legs.joints[leg, 1], legs.joints[leg, 2]
    thigh = subtract(positions[knee], positions[hip])
    shank = subtract(positions[ankle], positions[knee])
    a, b = norm(thigh), norm(shank)
    ahead = unit(subtract(positions[ankle], positions[hip]))
    upper, lower = unit(thigh), unit(shank)
    normal = cross(upper, lower)
    usual = rotate(world[hip], legs.axes[leg])
    bend = dot(normal, usual)
    kept = 0.5 * (bend + np.sqrt(bend * bend + 4 * STRAIGHT * STRAIGHT))
    pole = cross(ahead, unit(add(normal, scale(kept - bend, usual))))
    wanted = subtract(target, positions[hip])
    distance = min(max(norm(wanted), abs(a - b) + 1e-6), (a + b) * (1 - 1e-9))
    aside = unit(subtract(pole, scale(dot(pole, ahead), ahead)))
    along = (distance * distance + a * a - b * b) / (2 * distance)
    off = np.sqrt(max(a * a - along * along, 0.0))
    first = add(scale(along, ahead), scale(off, aside))
    second = subtract(scale(distance, ahead), first)
    swing = swing_between(ahead, unit(wanted))
    thigh_turn = multiply(swing, swing_between(upper, unit(first)))
    shank_turn = multiply(swing, swing_between(lower, unit(second)))
    if parents[hip] >= 0:
        turned = multiply(thigh_turn, world[hip])
        put(pose[hip], multiply(conjugate(world[parents[hip]]), turned))
    above = multiply(thigh_turn, world[parents[knee]])
    put(pose[knee], multiply(conjugate(above), multiply(shank_turn, world[knee])))
    # The ankle's joint faces as it shall, below a shank that has turned.
    above = multiply(shank_turn, world[parents[ankle]])
    put(pose[ankle], multiply(conjugate(above), facing))


@part
def _need(legs, leg, positions, target):  # pragma: no cover - compiled
    """How far the pelvis is too high for a leg to reach."""
    hip, knee, ankle = legs.joints[leg, 0], legs.joints[leg, 1], legs.joints[leg, 2]
    thigh = norm(subtract(positions[knee], positions[hip]))
    shank = norm(subtract(positions[ankle], positions[knee]))
    x, y, z = subtract(positions[hip], target)
    return y - np.sqrt(max((EXTENSION * (thigh + shank)) ** 2 - x * x - z * z, 0.0))


@part
def _pose_at(speed, state, gait, pose):  # pragma: no cover - compiled
    """Sample the pose of a speed."""
    node = _bracket(gait.speeds, speed)
    return sample_pose(node, state[PHASE], gait.rotations, gait.deviations, pose)


@part
def _sample(state, gait, pose, other):  # pragma: no cover - compiled
    """Sample the pose of the present speed, walking, running or in between; its deviation."""
    runs = state[RUNS]
    fast = max(state[SPEED], gait.transition[1])
    if runs > 0.999:
        return _pose_at(fast, state, gait, pose)
    deviation = _pose_at(min(state[SPEED], gait.transition[0]), state, gait, pose)
    if runs > 0.001:
        deviation = mix(runs, deviation, _pose_at(fast, state, gait, other))
        for j in range(len(pose)):
            put(pose[j], mix_turns(runs, pose[j], other[j]))
    return deviation


@part
def _place_body(state, legs, gait, pose, place, room):  # pragma: no cover - compiled
    """Sample the pose and put its root where the body is."""
    deviation = _sample(state, gait, pose, room.other)
    facing = about_up(state[HEADING])
    x, _, z = rotate(facing, deviation)
    put(place, (state[X] + x, deviation[1] * np.cos(state[LEAN]), state[Z] + z))
    roll = ROLL_SHARE * state[LEAN]
    root = multiply(_about_ahead(-roll), pose[legs.root])
    if legs.trunk >= 0:
        # The trunk is turned back against the lean of the pelvis.
        back = roll - MOST_TILT * np.tanh(TILT_SHARE / MOST_TILT * state[LEAN])
        own = multiply(conjugate(root), multiply(_about_ahead(back), root))
        put(pose[legs.trunk], multiply(own, pose[legs.trunk]))
    put(pose[legs.root], multiply(facing, root))


@part
def _about_ahead(angle):  # pragma: no cover - compiled
    return (np.cos(0.5 * angle), 0.0, 0.0, np.sin(0.5 * angle))


@part
def _foot_at(state, foot, gait):  # pragma: no cover - compiled
    """Where an ankle belongs, and how its joint is turned."""
    own = state[FEET + foot * FOOT_SIZE : FEET + (foot + 1) * FOOT_SIZE]
    node = _bracket(gait.speeds, state[SPEED])
    old, new = own[OLD : OLD + 3], own[NEW : NEW + 3]
    return place_foot(node, own[SHARE], old, new, gait.feet[foot])


@kernel
def advance(state, wanted, dt, gait, legs, room, pose, place):  # pragma: no cover - compiled
    """Move a streamed gait on by a frame.

    `state` (SIZE,) is changed; `wanted` is speed and direction; `pose` (J, 4) and `place` (3,)
    are filled with local rotations, the root's in the world, and the place of the root.
    """
    put(state[: RATE + 1], _drive(_way_of(state), wanted, dt))
    state[LEAN] += (1.0 - np.exp(-dt / LEAN_TIME)) * (_lean_of(state) - state[LEAN])
    node = _bracket(gait.speeds, state[SPEED])
    runs = _mixed(gait.running, node)
    state[RUNS] += (1.0 - np.exp(-dt / CHANGE_TIME)) * (runs - state[RUNS])
    pace = min(state[SPEED] / HALTS, 1.0)
    if max(state[FEET + SHARE], state[FEET + FOOT_SIZE + SHARE]) >= 0.5:
        pace = max(pace, FINISH)
    state[PHASE] += dt * pace / _mixed(gait.durations, node)
    for foot in range(2):
        _step(state, foot, wanted, dt, pace, gait)
    _place_body(state, legs, gait, pose, place, room)
    feet = (_foot_at(state, 0, gait), _foot_at(state, 1, gait))
    _run(legs, pose, place, room)
    need = -1.0
    for leg in range(2):
        need = max(need, _need(legs, leg, room.positions, feet[leg][0]))
    soft = SOFT * np.log1p(np.exp(min(need / SOFT, 50.0)))
    state[DROP] = max(soft, state[DROP] * np.exp(-dt / RISE_TIME))
    place[1] -= state[DROP]
    room.positions[:, 1] -= state[DROP]
    for leg in range(2):
        _bend(leg, legs, pose, room, feet[leg][0], feet[leg][1])
