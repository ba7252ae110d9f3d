"""Legs put so that both ankles are where they should be, frame by frame.

Legs as long as they are, hips and all: the body moves and tilts by the least that lets both ankles
reach, in the measure of what people's bodies do anyway. Only what is left is made good by knees.
One frame costs microseconds.
"""

from __future__ import annotations

import math

from motionloom.compiling import part
from motionloom.rotation_kernels import (
    add,
    conjugate,
    cross,
    dot,
    from_rotvec,
    multiply,
    norm,
    normalize,
    put,
    rotate,
    scale,
    subtract,
    swing_between,
    turn_at,
    unit,
    vector_at,
)

#: Tilts of the body, and bends of knees (radians), that count as much as a move by one metre.
TILT, BEND = 0.5, 2.0
#: Least bend of a knee, radians.
STRAIGHT = 0.05
#: How much rather the hips move aside than down where a leg is too short within a step.
ASIDE = 10.0
#: How far below their lowest the hips sink at most where the legs are long enough, metres.
LOWER = 0.01
#: Share of a leg within which the hips begin to sink before it is too short, where legs reach
#: without the body.
SOFT = 0.005
#: Share of its largest sway within which the body sways freely.
FREE = 0.8
#: Most steps of Newton's, and the miss at which they end, metres.
STEPS, NEAR = 6, 1e-10


@part
def plant_one(local, roots, body, stand, places, world):  # pragma: no cover - compiled
    """Change the rotations (J, 4) of root and legs and the position (3,) of the root in a frame.

    `body` holds the offsets of all joints (J, 3), the chains (2, L) of joints from the root down to
    each ankle, filled up with -1, where each has its hip, knee and ankle (2, 3), the knees' axes
    (2, 3), and how far the root may be from the middle between the ankles, over the ground, and how
    low above the lower ankle. `stand` has the positions (2, 3) and rotations (2, 4) that the ankles
    shall have, and how much the legs reach for them without the body: 0 where both feet stand, 1
    within a step. `places` (2, L, 3) and `world` (2, L, 4) are room to work in.
    """
    offsets, chains, ends, knees, (sway, lowest) = body
    feet, turns, loose = stand
    shift = (0.0, 0.0, 0.0)
    for f in range(2):
        chain = chains[f, : ends[f, 2] + 1]
        _carry(local, roots, offsets, chain, places[f], world[f])
        away = subtract(vector_at(feet[f]), vector_at(places[f, ends[f, 2]]))
        shift = add(shift, scale(0.5, away))
    left = _knee_of(places[0], world[0], ends[0], knees[0])
    right = _knee_of(places[1], world[1], ends[1], knees[1])
    ankles = (vector_at(feet[0]), vector_at(feet[1]))
    root = vector_at(roots)
    arms = (
        subtract(vector_at(places[0, ends[0, 0]]), root),
        subtract(vector_at(places[1, ends[1, 0]]), root),
    )
    place = _over_feet(root, ankles, sway)
    tilt = (1.0, 0.0, 0.0, 0.0)
    if loose < 1.0:
        begin = _over_feet(add(root, shift), ankles, sway)
        settled, turned = _settle(begin, arms, ankles, (left, right))
        place = add(settled, scale(loose, subtract(place, settled)))
        tilt = _share_of(turned, 1.0 - loose)
    if loose > 0.0:
        soft = SOFT * _longest(left)
        one = _lean(subtract(ankles[0], add(place, rotate(tilt, arms[0]))), _longest(left), soft)
        other = _lean(subtract(ankles[1], add(place, rotate(tilt, arms[1]))), _longest(right), soft)
        place = add(place, scale(loose, add(one, other)))
    lifted, place = _not_too_low(place, ankles, lowest)
    drop = _largest(
        _drop(add(place, rotate(tilt, arms[0])), ankles[0], _longest(left)),
        _drop(add(place, rotate(tilt, arms[1])), ankles[1], _longest(right)),
        SOFT * max(loose, lifted) * _longest(left),
    )
    place = (place[0], place[1] - drop, place[2])
    put(roots, place)
    first = chains[0, 0]
    put(local[first], multiply(tilt, turn_at(local[first])))
    for f in range(2):
        aim = subtract(ankles[f], add(place, rotate(tilt, arms[f])))
        bend = _bend_for(left if f == 0 else right, norm(aim))
        chain = chains[f, : ends[f, 2] + 1]
        _lay(local, chain, ends[f], places[f], world[f], (tilt, bend, knees[f]), aim)
        _stand(local, chain, world[f], turn_at(turns[f]))


@part
def _carry(local, root, offsets, chain, places, world):  # pragma: no cover - compiled
    """World places and rotations along a chain from the root on."""
    place = vector_at(root)
    turn = turn_at(local[chain[0]])
    for k in range(len(chain)):
        if k:
            place = add(place, rotate(turn, vector_at(offsets[chain[k]])))
            turn = multiply(turn, turn_at(local[chain[k]]))
        put(places[k], place)
        put(world[k], turn)


@part
def _knee_of(places, world, ends, axis):  # pragma: no cover - compiled
    """How long a leg is when its knee bends: ``d^2 = k0 + 2 (k1 cos b + k2 sin b)``."""
    hip = vector_at(places[ends[0]])
    knee = vector_at(places[ends[1]])
    ankle = vector_at(places[ends[2]])
    upper = subtract(knee, hip)
    lower = subtract(ankle, knee)
    about = _hinge(upper, turn_at(world[ends[0]]), vector_at(axis))
    along = dot(about, lower) * dot(about, upper)
    fixed = dot(upper, upper) + dot(lower, lower) + 2.0 * along
    return fixed, dot(lower, upper) - along, dot(upper, cross(about, lower))


@part
def _hinge(upper, turn, axis):  # pragma: no cover - compiled
    """Axis of a knee, across the thigh."""
    thigh = unit(upper)
    axis = rotate(turn, axis)
    return unit(subtract(axis, scale(dot(axis, thigh), thigh)))


@part
def _length(knee, more):  # pragma: no cover - compiled
    """Length of a leg whose knee bends by so much more, and its slope.

    A knee that is bent backwards counts as bent ahead by as much: its leg is as long. Around
    straight the bend is rounded off to `STRAIGHT` at least, so that it never turns round at once.
    """
    own = more - math.atan2(knee[2], knee[1])
    bend = abs(own)
    turned = 1.0 if own > 0.0 else -1.0
    if bend < 2.0 * STRAIGHT:
        turned = own / (2.0 * STRAIGHT)
        bend = STRAIGHT + own * own / (4.0 * STRAIGHT)
    size = math.hypot(knee[1], knee[2])
    length = math.sqrt(max(knee[0] + 2.0 * size * math.cos(bend), 1e-12))
    return length, -size * math.sin(bend) / length * turned


@part
def _longest(knee):  # pragma: no cover - compiled
    """Length of a leg as straight as it may be."""
    size = math.hypot(knee[1], knee[2])
    return math.sqrt(max(knee[0] + 2.0 * size * math.cos(STRAIGHT), 0.0))


@part
def _settle(begin, arms, ankles, knees):  # pragma: no cover - compiled
    """Place and tilt of the body, and bends of both knees, so that legs end at the ankles.

    Newton's steps, each the least weighted change that meets both lengths to first order.
    """
    place = begin
    tilt = (1.0, 0.0, 0.0, 0.0)
    left = 0.0
    right = 0.0
    for _ in range(STEPS):
        arm_a = rotate(tilt, arms[0])
        arm_b = rotate(tilt, arms[1])
        leg_a = subtract(add(place, arm_a), ankles[0])
        leg_b = subtract(add(place, arm_b), ankles[1])
        long_a, slope_a = _length(knees[0], left)
        long_b, slope_b = _length(knees[1], right)
        miss_a = norm(leg_a) - long_a
        miss_b = norm(leg_b) - long_b
        if abs(miss_a) + abs(miss_b) < NEAR:
            break
        up_a = unit(leg_a)
        up_b = unit(leg_b)
        over_a = cross(arm_a, up_a)
        over_b = cross(arm_b, up_b)
        aa = 1.0 + TILT**2 * dot(over_a, over_a) + BEND**2 * slope_a * slope_a
        bb = 1.0 + TILT**2 * dot(over_b, over_b) + BEND**2 * slope_b * slope_b
        ab = dot(up_a, up_b) + TILT**2 * dot(over_a, over_b)
        whole = max(aa * bb - ab * ab, 1e-9)
        pull_a = (bb * miss_a - ab * miss_b) / whole
        pull_b = (aa * miss_b - ab * miss_a) / whole
        place = subtract(place, add(scale(pull_a, up_a), scale(pull_b, up_b)))
        turned = scale(-(TILT**2), add(scale(pull_a, over_a), scale(pull_b, over_b)))
        tilt = normalize(multiply(from_rotvec(turned), tilt))
        left += BEND**2 * slope_a * pull_a
        right += BEND**2 * slope_b * pull_b
    return place, tilt


@part
def _share_of(turn, share):  # pragma: no cover - compiled
    """So much of a small rotation."""
    return normalize(
        (1.0 + share * (turn[0] - 1.0), share * turn[1], share * turn[2], share * turn[3])
    )


@part
def _over_feet(place, ankles, sway):  # pragma: no cover - compiled
    """A place of the body no farther from the middle between the ankles than its sway."""
    x = place[0] - 0.5 * (ankles[0][0] + ankles[1][0])
    z = place[2] - 0.5 * (ankles[0][2] + ankles[1][2])
    away = math.hypot(x, z)
    free = FREE * sway
    if away <= free:
        return place
    kept = free + (sway - free) * math.tanh((away - free) / (sway - free))
    back = kept / away - 1.0
    return (place[0] + back * x, place[1], place[2] + back * z)


@part
def _lean(leg, reach, soft):  # pragma: no cover - compiled
    """How the hips move to a foot that is too far, rather over the ground than down."""
    over = norm(leg) - reach
    short = max(over, 0.0) + soft * math.log(1.0 + math.exp(-abs(over) / soft))
    x, y, z = unit(leg)
    size = ASIDE * (x * x + z * z) + y * y
    return scale(short / size, (ASIDE * x, y, ASIDE * z))


@part
def _not_too_low(place, ankles, lowest):  # pragma: no cover - compiled
    """A place that sinks little below the lowest above the lower ankle, and how far that acts."""
    below = lowest + min(ankles[0][1], ankles[1][1]) - place[1]
    if below <= 0.0:
        return 0.0, place
    share = math.tanh(below / LOWER)
    # The square begins without a kink: a knee that is nearly straight would show it tenfold.
    return share * share, (place[0], place[1] + below - LOWER * share, place[2])


@part
def _drop(hip, ankle, reach):  # pragma: no cover - compiled
    """How far the hips sink for a leg to be long enough."""
    away = subtract(hip, ankle)
    aside = away[0] * away[0] + away[2] * away[2]
    return away[1] - math.sqrt(max(reach * reach - aside, 0.0))


@part
def _largest(one, other, soft):  # pragma: no cover - compiled
    """The largest of two numbers and 0, rounded off within `soft` of each other."""
    most = max(0.0, one, other)
    if soft < 1e-9:
        return most
    parts = math.exp(-most / soft) + math.exp((one - most) / soft) + math.exp((other - most) / soft)
    return most + soft * math.log(parts)


@part
def _bend_for(knee, wanted):  # pragma: no cover - compiled
    """How far a knee turns for its leg to be as long as wanted; it never bends backwards."""
    size = math.hypot(knee[1], knee[2])
    straight = math.atan2(knee[2], knee[1])
    cos = (0.5 * (wanted * wanted - knee[0])) / max(size, 1e-12)
    return straight + math.acos(min(max(cos, -1.0), 1.0))


@part
def _lay(local, chain, ends, places, world, bent, aim):  # pragma: no cover - compiled
    """Turn a leg, its knee bent, to where its ankle shall be; `world` follows."""
    tilt, bend, axis = bent
    hip = vector_at(places[ends[0]])
    knee = vector_at(places[ends[1]])
    ankle = vector_at(places[ends[2]])
    upper = subtract(knee, hip)
    about = _hinge(upper, turn_at(world[ends[0]]), vector_at(axis))
    bending = from_rotvec(scale(bend, about))
    leg = add(upper, rotate(bending, subtract(ankle, knee)))
    swing = multiply(swing_between(unit(rotate(tilt, leg)), unit(aim)), tilt)
    above = multiply(tilt, turn_at(world[ends[0] - 1])) if ends[0] > 0 else (1.0, 0.0, 0.0, 0.0)
    turned = swing
    for k in range(ends[0], ends[2]):
        if k == ends[1]:
            turned = multiply(swing, bending)
        # Joints between them (twist bones) go along.
        own = multiply(turned, turn_at(world[k]))
        put(local[chain[k]], multiply(conjugate(above), own))
        put(world[k], own)
        above = own


@part
def _stand(local, chain, world, turn):  # pragma: no cover - compiled
    """Turn a foot as it shall stand."""
    last = len(chain) - 1
    above = turn_at(world[last - 1])
    put(local[chain[last]], multiply(conjugate(above), turn))
