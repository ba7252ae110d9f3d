"""Characters who wait, frame after frame: one pass over the arrays of all of them.

Every character is by itself, so that many at once are the same, to the bit, as one by one.
"""

from __future__ import annotations

import math

import numpy as np

from motionloom.compiling import kernel, part
from motionloom.idle.kernels.autoregression import vary
from motionloom.idle.kernels.planting import plant_one
from motionloom.rotation_kernels import (
    about_up,
    add,
    from_rotvec,
    multiply,
    normalize,
    put,
    rotate,
    scale,
    subtract,
    turn_at,
    vector_at,
    weighted,
    weighted_turn,
)

#: Whole numbers of a plan: frames at rest, frames of the shift, its first recorded row, how many
#: rows (0 where none was recorded), its first row of steps or -1; and, of who follows it, the frame
#: of the plan that comes next, how many frames were made, and how many were shown; last, the final
#: recorded row of a step that led here and its final row of steps, or -1.
STAY, COUNT, FIRST, ROWS, STEPS, AT, MADE, SHOWN = 0, 1, 2, 3, 4, 5, 6, 7
CAME, CAME_STEPS = 8, 9
#: Other numbers of a plan: the stance, how lively, and the stance behind the shift, seen from the
#: one before it.
ANGLE, X, Z, LIVELY, TURNED, ASIDE, AHEAD = 0, 1, 2, 3, 4, 5, 6
#: Numbers of a model: where the root is, the length of a leg, frames over which variations fade,
#: what is left of them, frames and share of a shift over which it eases, and most frames over which
#: legs begin to reach without the body.
ORIGIN, LEG, FADE, LEAST, EASE, EASE_SHARE, LOOSEN = 0, 3, 4, 5, 6, 7, 8
#: What a model is made of: directions of components, rotations about which, the numbers above,
#: variations, rows of shifts, and rows of steps: places, rotations, shares of the way, and the
#: middle between the ankles, seen from the place that the posture is seen from.
SIZES, NOISE, POSTURES, TRACKS, ROLLS, WAYS, MIDDLES = 2, 3, 4, 5, 6, 7, 8
NOWHERE = (0.0, 0.0, 0.0)
#: Frames that are kept: those that frames in between are made from.
KEPT = 4


@kernel
def show(model, legs, crowd, step, done, rotations, roots):  # pragma: no cover - compiled
    """Fill `rotations` (N, T, J, 4) and `roots` (N, T, 3) as far as plans reach.

    `done` (N,) tells how many frames of each are there, and goes on. A frame is `step` frames of
    the model behind the one before.
    """
    count, size = model[0].shape
    room = (np.empty(count), np.empty(count), np.empty(count), np.empty(size))
    feet = np.empty((2, 3))
    turns = np.empty((2, 4))
    places = np.empty((2, legs[1].shape[1], 3))
    world = np.empty((2, legs[1].shape[1], 4))
    for n in range(len(done)):
        plan = crowd[0][n]
        while done[n] < rotations.shape[1]:
            time = plan[SHOWN] * step
            first = math.floor(time)
            while plan[MADE] < first + 3 and plan[AT] < plan[STAY] + plan[COUNT] - 1:
                _make(model, crowd, n, room)
            if plan[MADE] < first + 3:
                break
            at = done[n]
            # At the model's own rate its frames are shown as they are.
            weights = (0.0, 1.0, 0.0, 0.0) if step == 1.0 else _spline(time - first)
            turned, root = rotations[n, at], roots[n, at]
            loose = _near(crowd, n, first, weights, turned, root, feet, turns)
            plant_one(turned, root, legs, (feet, turns, loose), places, world)
            plan[SHOWN] += 1
            done[n] += 1


@part
def _make(model, crowd, n, room):  # pragma: no cover - compiled
    """The next frame of a character, at the rate of the model."""
    plans, reals, ends, ankles, soles, past, drawn, kept, places, feet, turns, loose = crowd
    plan = plans[n]
    real = reals[n]
    slot = plan[MADE] % KEPT
    noise, base, recorded, numbers = room
    vary(model[NOISE], past[n], drawn[n], noise)
    _posture(model, plan, ends[n], base, recorded)
    came, goes = _loose(model[SIZES], plan)
    begun = _away(model, base, recorded, _middle(model, plan)) if goes > 0.0 else NOWHERE
    ended = NOWHERE
    if came > 0.0:
        middle = vector_at(model[MIDDLES][plan[CAME_STEPS]])
        ended = _away(model, base, model[POSTURES][plan[CAME]], middle)
    weight = real[LIVELY] * _weight(model[SIZES], plan)
    for k in range(len(base)):
        base[k] += weight * noise[k]
    place = _place(plan, real)
    _pose(model, base, place, numbers, kept[n, slot], places[n, slot])
    _stand(model, plan, real, ankles[n], soles[n], feet[n, slot], turns[n, slot])
    loose[n, slot] = came + goes
    middle = scale(0.5, add(vector_at(feet[n, slot, 0]), vector_at(feet[n, slot, 1])))
    above = _change(place, middle, begun, goes)
    above = add(above, _change(place, middle, ended, came))
    put(places[n, slot, 0], add(vector_at(places[n, slot, 0]), above))
    if plan[MADE] > 0:
        before = (plan[MADE] - 1) % KEPT
        _keep_sides(kept[n, before], kept[n, slot])
        _keep_sides(turns[n, before], turns[n, slot])
    plan[AT] += 1
    plan[MADE] += 1


@part
def _along(plan):  # pragma: no cover - compiled
    """How far on the recorded rows of a shift the frame is: row, and share of the next."""
    j = plan[AT] - plan[STAY]
    at = j * (plan[ROWS] - 1) / (plan[COUNT] - 1)
    first = min(max(math.floor(at), 0), max(plan[ROWS] - 2, 0))
    return first, at - first


@part
def _rows(plan, begin, first):  # pragma: no cover - compiled
    """The rows around it, those at an end twice."""
    last = begin + plan[ROWS] - 1
    row = begin + first
    return max(row - 1, begin), row, min(row + 1, last), min(row + 2, last)


@part
def _cubic(u):  # pragma: no cover - compiled
    """Weights of four rows on Catmull and Rom's cubic, from the second to the third."""
    left = 1.0 - u
    between = u * left
    return (
        -0.5 * between * left,
        left + between * (left - 0.5 * u),
        u + between * (u - 0.5 * left),
        -0.5 * between * u,
    )


@part
def _smooth(u):  # pragma: no cover - compiled
    return u * u * (3.0 - 2.0 * u)


@part
def _posture(model, plan, ends, base, recorded):  # pragma: no cover - compiled
    """Components of the plan's frame without variations, and as recorded; see `fit_shift`."""
    j = plan[AT] - plan[STAY]
    if j < 0:
        crept = _smooth(plan[AT] / plan[STAY])
        for k in range(len(base)):
            base[k] = ends[0, k] + crept * (ends[1, k] - ends[0, k])
            if plan[STEPS] >= 0:
                recorded[k] = model[POSTURES][plan[FIRST], k]
        return
    u = j / (plan[COUNT] - 1)
    led = _smooth(u)
    length = max(1.0, min(model[SIZES][EASE_SHARE] * plan[COUNT], model[SIZES][EASE]))
    come = _smooth(min(j / length, 1.0))
    go = _smooth(min((plan[COUNT] - 1 - j) / length, 1.0))
    postures = model[POSTURES]
    begin = plan[FIRST]
    first, share = _along(plan)
    a, b, c, d = _rows(plan, begin, first)
    w0, w1, w2, w3 = _cubic(share)
    for k in range(len(base)):
        start = ends[1, k]
        end = ends[2, k]
        if plan[ROWS] > 0:
            shown = w0 * postures[a, k] + w1 * postures[b, k]
            shown += w2 * postures[c, k] + w3 * postures[d, k]
            recorded[k] = shown
            off = start - postures[begin, k]
            off_end = end - postures[begin + plan[ROWS] - 1, k]
            shown += off + led * (off_end - off)
        else:
            shown = start + u * (end - start)
        shown = start + come * (shown - start)
        base[k] = end + go * (shown - end)


@part
def _weight(sizes, plan):  # pragma: no cover - compiled
    """Weight of the variations: 1 at rest, less within a shift."""
    at = plan[AT]
    if at < plan[STAY]:
        return 1.0
    after = min((at - (plan[STAY] - 1)) / sizes[FADE], 1.0)
    before = min((plan[STAY] + plan[COUNT] - 1 - at) / sizes[FADE], 1.0)
    return sizes[LEAST] + (1.0 - sizes[LEAST]) * _smooth(1.0 - min(after, before))


@part
def _loose(sizes, plan):  # pragma: no cover - compiled
    """How much legs reach without the body: because of the step behind, and of the one ahead.

    All the way within a step; it comes and goes while both feet stand.
    """
    if plan[AT] >= plan[STAY]:
        return 0.0, 1.0 if plan[STEPS] >= 0 else 0.0
    length = max(1.0, min(plan[STAY], sizes[LOOSEN]))
    came = 0.0
    goes = 0.0
    if plan[CAME] >= 0:
        came = 1.0 - _smooth(min(plan[AT] / length, 1.0))
    if plan[STEPS] >= 0:
        goes = _smooth(max((plan[AT] - plan[STAY]) / length + 1.0, 0.0))
    return came, goes


@part
def _middle(model, plan):  # pragma: no cover - compiled
    """Recorded middle between the ankles, seen from the place that the posture is seen from."""
    middles = model[MIDDLES]
    if plan[AT] < plan[STAY]:
        return vector_at(middles[plan[STEPS]])
    first, share = _along(plan)
    row = plan[STEPS] + first
    following = min(row + 1, plan[STEPS] + plan[ROWS] - 1)
    middle = vector_at(middles[row])
    return add(middle, scale(share, subtract(vector_at(middles[following]), middle)))


@part
def _away(model, base, recorded, middle):  # pragma: no cover - compiled
    """The recorded middle between the ankles, moved as the root differs from the recorded one."""
    changed = (0.0, 0.0, 0.0)
    for k in range(len(base)):
        changed = add(changed, scale(base[k] - recorded[k], vector_at(model[0][k])))
    return add(scale(model[SIZES][LEG], changed), middle)


@part
def _change(place, middle, away, share):  # pragma: no cover - compiled
    """By how much a root moves to where it was recorded above the feet, by a share."""
    facing = about_up(place[ANGLE])
    return scale(share, subtract(middle, _placed(facing, place, away)))


@part
def _place(plan, real):  # pragma: no cover - compiled
    """The place that the posture is seen from: within a step on its way to the next stance."""
    share = 0.0
    if plan[AT] >= plan[STAY]:
        share = _smooth((plan[AT] - plan[STAY]) / (plan[COUNT] - 1))
    facing = about_up(real[ANGLE])
    x, _, z = rotate(facing, (share * real[ASIDE], 0.0, share * real[AHEAD]))
    return real[ANGLE] + share * real[TURNED], real[X] + x, real[Z] + z


@part
def _pose(model, components, place, numbers, turned, root_place):  # pragma: no cover - compiled
    """Rotations of all joints and the place of the root in the world."""
    directions, reference, sizes = model[0], model[1], model[SIZES]
    numbers[:] = 0.0
    for k in range(len(components)):
        size = components[k]
        row = directions[k]
        for d in range(len(numbers)):
            numbers[d] += size * row[d]
    facing = about_up(place[ANGLE])
    root = add(scale(sizes[LEG], vector_at(numbers)), vector_at(sizes[ORIGIN:]))
    put(root_place[0], _placed(facing, place, root))
    for joint in range(len(turned)):
        turn = from_rotvec(vector_at(numbers[3 + 3 * joint :]))
        turn = multiply(turn_at(reference[joint]), turn)
        if joint == 0:
            turn = multiply(facing, turn)
        put(turned[joint], turn)


@part
def _placed(facing, real, point):  # pragma: no cover - compiled
    """A point seen from the stance, in the world."""
    turned = rotate(facing, point)
    return (turned[0] + real[X], turned[1], turned[2] + real[Z])


@part
def _stand(model, plan, real, ankles, soles, feet, turns):  # pragma: no cover - compiled
    """Places and rotations of both feet in the world; see `feet.lead_between`."""
    facing = about_up(real[ANGLE])
    stepping = plan[STEPS] >= 0 and plan[AT] >= plan[STAY]
    for f in range(2):
        place = vector_at(ankles[0, f])
        turn = turn_at(soles[0, f])
        if stepping:
            place = _step(model, plan, f, ankles)
            turn = _roll(model, plan, f, soles)
        put(feet[f], _placed(facing, real, place))
        put(turns[f], multiply(facing, turn))


@part
def _step(model, plan, f, ankles):  # pragma: no cover - compiled
    """Place of a foot on its way, begun where it stands and ended where it shall."""
    tracks = model[TRACKS][:, f]
    begin = plan[STEPS]
    first, share = _along(plan)
    a, b, c, d = _rows(plan, begin, first)
    left = _left(model[WAYS][:, f, 0], b, c, share)
    own = weighted(_cubic(share), tracks[a], tracks[b], tracks[c], tracks[d])
    start = scale(left, subtract(ankles[0, f], tracks[begin]))
    end = scale(1.0 - left, subtract(ankles[1, f], tracks[begin + plan[ROWS] - 1]))
    return add(own, add(start, end))


@part
def _roll(model, plan, f, soles):  # pragma: no cover - compiled
    """Rotation of a foot on its way likewise."""
    rolls = model[ROLLS][:, f]
    begin = plan[STEPS]
    first, share = _along(plan)
    a, b, c, d = _rows(plan, begin, first)
    left = _left(model[WAYS][:, f, 1], b, c, share)
    # Rotations lie close together, on one side of the sphere.
    own = weighted_turn(_cubic(share), rolls[a], rolls[b], rolls[c], rolls[d])
    start, end = soles[0, f], soles[1, f]
    from_row, to_row = rolls[begin], rolls[begin + plan[ROWS] - 1]
    done = 1.0 - left
    return normalize(
        (
            own[0] + left * (start[0] - from_row[0]) + done * (end[0] - to_row[0]),
            own[1] + left * (start[1] - from_row[1]) + done * (end[1] - to_row[1]),
            own[2] + left * (start[2] - from_row[2]) + done * (end[2] - to_row[2]),
            own[3] + left * (start[3] - from_row[3]) + done * (end[3] - to_row[3]),
        )
    )


@part
def _left(ways, row, following, share):  # pragma: no cover - compiled
    """Share of its way that a foot still has to go, eased."""
    way = ways[row] + share * (ways[following] - ways[row])
    return 1.0 - _smooth(min(max(way, 0.0), 1.0))


@part
def _keep_sides(before, turned):  # pragma: no cover - compiled
    """Quaternions on the side of the sphere where the last frame's are."""
    for joint in range(len(turned)):
        along = 0.0
        for c in range(4):
            along += before[joint, c] * turned[joint, c]
        if along < 0.0:
            for c in range(4):
                turned[joint, c] = -turned[joint, c]


@part
def _spline(u):  # pragma: no cover - compiled
    """Weights of four frames at a share of the way from the second to the third: a cubic B-spline.

    The second derivative of this curve is a mean of second differences of the frames, so that it
    never accelerates harder than they do. A curve through the frames does: by 3 for Catmull and
    Rom's where frames alternate.
    """
    left = 1.0 - u
    return (
        left * left * left / 6.0,
        (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0,
        (3.0 * left * left * left - 6.0 * left * left + 4.0) / 6.0,
        u * u * u / 6.0,
    )


@part
def _near(crowd, n, first, weights, turned, root, feet, turns):  # pragma: no cover - compiled
    """A frame among those that are kept; how much legs reach without the body."""
    a, b, c, d = max(first - 1, 0) % KEPT, first % KEPT, (first + 1) % KEPT, (first + 2) % KEPT
    kept, places, ankles, soles = crowd[7][n], crowd[8][n], crowd[9][n], crowd[10][n]
    for k in range(len(turned)):
        put(turned[k], weighted_turn(weights, kept[a, k], kept[b, k], kept[c, k], kept[d, k]))
    for f in range(2):
        put(feet[f], weighted(weights, ankles[a, f], ankles[b, f], ankles[c, f], ankles[d, f]))
        put(turns[f], weighted_turn(weights, soles[a, f], soles[b, f], soles[c, f], soles[d, f]))
    put(root, weighted(weights, places[a, 0], places[b, 0], places[c, 0], places[d, 0]))
    w0, w1, w2, w3 = weights
    loose = crowd[11][n]
    return w0 * loose[a] + w1 * loose[b] + w2 * loose[c] + w3 * loose[d]
